// Signals and the progress line around a search.
//
// SIGINT and SIGTERM set a flag that reading and searching poll; another one
// ends the program as if there were no handler, but not within a second:
// timeout(1) and others send it to the process and to its group, and the report
// is on its way.  SIGUSR1 asks for a row of progress.  While nothing of that is
// on there is nothing to report, and they end the program at once.  What
// handlers touch are the only variables of the program that live outside
// functions.

#include "cli/cli.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define CLEAR "\r\033[K"

static volatile sig_atomic_t working, row_wanted;
// Read and set by atomic operations: any thread may get a signal.
static int cancelled;
static int64_t interrupted_at; // in milliseconds, since the machine began

// Whether it is the one that came just before, once more.
static bool is_repeated (void) {
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  const int64_t now = (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
  int64_t before = __atomic_load_n (&interrupted_at, __ATOMIC_RELAXED);
  return (before && now - before < 1000) ||
         !__atomic_compare_exchange_n (&interrupted_at, &before, now, false,
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static void on_interrupt (int signal_number) {
  if (is_repeated ())
    return;
  if (!working) {
    static const char message[] = "tideline: interrupted\n";
    (void)!write (STDERR_FILENO, message, sizeof message - 1);
    _exit (EXIT_UNFINISHED);
  }
  if (__atomic_load_n (&cancelled, __ATOMIC_RELAXED)) {
    signal (signal_number, SIG_DFL);
    raise (signal_number);
  }
  tl_cancel (&cancelled);
}

static void on_row_wanted (int signal_number) {
  (void)signal_number;
  row_wanted = 1;
}

// What the handler writes, if it takes long enough to be worth it.
static char phase[200];
static volatile sig_atomic_t phase_length, phase_shown;

static void on_tick (int signal_number) {
  (void)signal_number;
  (void)!write (STDERR_FILENO, phase, (size_t)phase_length);
  phase_shown = 1;
}

void catch_signals (void) {
  struct sigaction action = {.sa_handler = on_interrupt,
                             .sa_flags = SA_RESTART};
  sigaction (SIGINT, &action, 0);
  sigaction (SIGTERM, &action, 0);
  action.sa_handler = on_tick;
  sigaction (SIGALRM, &action, 0);
  action.sa_handler = on_row_wanted;
  sigaction (SIGUSR1, &action, 0);
  // A closed pipe and a file that may not get longer are write errors like
  // others.
  signal (SIGPIPE, SIG_IGN);
  signal (SIGXFSZ, SIG_IGN);
}

double clock_now (void) {
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void work_begin (const options *o, double *timeout, int **cancel) {
  const double left = o->start + o->timeout - clock_now ();
  *timeout = o->timeout <= 0 ? 0 : left > 0 ? left : 1e-6;
  *cancel = &cancelled;
  working = 1;
}

void work_end (void) {
  working = 0;
}

void work_resume (void) {
  cancelled = 0;
}

// Who reads a pipe may keep us waiting: there an interrupt ends the program at
// once.
void writing_begin (const options *o, const char *path, tl_settings *within) {
  *within = tl_settings_default ();
  work_begin (o, &within->timeout, &within->cancel);
  if (!strcmp (path, "-"))
    work_end ();
}

static bool terminal_wanted (const options *o) {
  const char *terminal = getenv ("TERM");
  return !o->quiet && !o->no_progress && isatty (STDERR_FILENO) && terminal &&
         strcmp (terminal, "dumb");
}

// A line that is longer than the terminal is wide could not be written over.
static int terminal_width (void) {
  struct winsize size;
  return ioctl (STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 2
             ? 79
             : size.ws_col - 1;
}

// ---- What goes on before there is progress ---------------------------------

static void set_timer (time_t seconds) {
  const struct itimerval timer = {.it_value = {.tv_sec = seconds}};
  setitimer (ITIMER_REAL, &timer, 0);
}

void phase_begin (const options *o, const char *doing, const char *what) {
  if (!terminal_wanted (o))
    return;
  char line[sizeof phase];
  snprintf (line, sizeof line, "%s%s ...", doing, what);
  const int length =
      snprintf (phase, sizeof phase, CLEAR "%.*s", terminal_width (), line);
  phase_length = length < (int)sizeof phase ? length : (int)sizeof phase - 1;
  set_timer (1);
}

void phase_end (void) {
  set_timer (0);
  if (phase_shown)
    fputs (CLEAR, stderr);
  phase_shown = 0;
}

// ---- Progress --------------------------------------------------------------

// On a terminal a line that is written over every second; else rows when they
// are asked for.
static int on_progress (void *context, const tl_progress *p) {
  search *s = context;
  if (p->checkpoint_problem && !s->warned) {
    phase_end ();
    warn ("%sno checkpoint could be written: %s; the run goes on",
          s->terminal ? CLEAR : "", p->checkpoint_problem);
  }
  s->warned = p->checkpoint_problem;
  const bool due = s->terminal && p->seconds >= s->last + 1;
  if (!due && !row_wanted)
    return 0;
  phase_end ();
  char *line = tl_progress_report (p);
  if (line)
    fprintf (stderr, "%s%.*s%s", s->terminal ? CLEAR : "",
             s->terminal ? terminal_width () : INT_MAX, line,
             row_wanted ? "\n" : "");
  tl_text_close (line);
  row_wanted = 0;
  s->last = p->seconds;
  return 0;
}

void search_begin (search *s, const options *o) {
  *s = (search){.terminal = terminal_wanted (o)};
  s->how = tl_options_default ();
  s->how.order = o->order;
  if (o->progress)
    s->how.progress = o->progress;
  s->how.window = o->window;
  s->how.monotone = o->monotone;
  s->how.exact_count = o->exact_count;
  if (o->plot) // nobody draws a sweep that was not made
    s->how.bfs_memory = 0;
  s->how.stubborn = o->stubborn;
  s->how.engine = o->engine;
  s->how.variables = o->variables;
  s->how.device = o->device;
  s->how.store = o->store;
  s->how.disk = o->disk;
  s->how.memory = o->memory;
  s->how.delta_k = (uint32_t)o->delta_k;
  s->how.every_place = o->every_place;
  s->how.max_states = o->max_states;
  s->how.threads = (uint32_t)o->threads;
  s->how.seed = o->seed;
  s->how.ranks = o->joined;
  s->how.on_progress = on_progress;
  s->how.context = s;
  s->how.trim = true;
  s->how.checkpoint = o->checkpoint;
  s->how.checkpoint_seconds = o->every;
  s->how.resume = o->resumes;
  work_begin (o, &s->how.timeout, &s->how.cancel);
  phase_begin (o, "preparing the search: invariants, bounds, keys", "");
}

void search_end (const search *s) {
  phase_end ();
  work_end ();
  if (s->terminal && s->last > 0)
    fputs (CLEAR, stderr);
}
