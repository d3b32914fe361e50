// The token game: lines are read, from the command line, a script or somebody
// at a terminal, and after each that moves something is shown where the game
// stands.

#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct player {
  const options *o;
  const tl_net *net;
  tl_game *game;
  uint64_t random;
  bool moved, over;
} player;

// A command gets what stands behind its name; 0 or an exit code, after a
// complaint.
typedef struct play {
  const char *name, *argument, *help;
  int (*run) (player *, const char *argument);
} play;

// ---- Moves -----------------------------------------------------------------

static uint64_t steps_played (const player *p) {
  return tl_game_trace (p->game)->length;
}

static int choices (player *p, const tl_choice **first, size_t *count) {
  tl_error err = {0};
  return tl_playback_choices (tl_game_playback (p->game), first, count, &err)
             ? library_error (&err)
             : 0;
}

static int fire (player *p, const tl_choice *choice) {
  tl_error err = {0};
  if (tl_game_fire (p->game, choice, &err))
    return library_error (&err);
  p->moved = true;
  return 0;
}

static int fire_number (player *p, uint64_t number) {
  const tl_choice *first;
  size_t count;
  const int code = choices (p, &first, &count);
  if (code)
    return code;
  if (!number || number > count)
    return usage_error (count ? "there is no choice %llu: they are numbered 1 "
                                "to %zu"
                              : "there is no choice %llu: nothing is enabled",
                        (unsigned long long)number, count);
  return fire (p, first + number - 1);
}

static int fire_words (player *p, const char *words) {
  const tl_choice *first;
  size_t count, which;
  tl_error err = {0};
  const int code = choices (p, &first, &count);
  if (code)
    return code;
  if (tl_game_find (p->game, words, &which, &err))
    return library_error (&err);
  return fire (p, first + which);
}

// A number that ends the text; false: it is none.
static bool is_number (const char *text, uint64_t *number) {
  char *end;
  if (*text < '0' || *text > '9')
    return false;
  errno = 0;
  *number = strtoull (text, &end, 10);
  return !errno && !*end;
}

static int run_fire (player *p, const char *argument) {
  uint64_t number;
  return !*argument ? usage_error ("fire what? a number or a transition")
         : is_number (argument, &number) ? fire_number (p, number)
                                         : fire_words (p, argument);
}

// What stands behind the name of a command: a number, or `otherwise`.
static int number_of (const char *argument, uint64_t otherwise,
                      uint64_t *number) {
  *number = otherwise;
  return !*argument || is_number (argument, number)
             ? 0
             : usage_error ("'%s' is not a number of steps", argument);
}

static int go_back (player *p, uint64_t steps) {
  tl_error err = {0};
  if (tl_game_back (p->game, steps, &err))
    return library_error (&err);
  p->moved = true;
  return 0;
}

static int run_back (player *p, const char *argument) {
  uint64_t steps;
  const int code = number_of (argument, 1, &steps);
  if (code)
    return code;
  if (steps > steps_played (p))
    return usage_error ("only %llu steps can be taken back",
                        (unsigned long long)steps_played (p));
  return go_back (p, steps_played (p) - steps);
}

static int run_to (player *p, const char *argument) {
  uint64_t steps;
  const int code = number_of (argument, 0, &steps);
  if (code)
    return code;
  if (steps > steps_played (p))
    return usage_error ("step %llu is not played yet",
                        (unsigned long long)steps);
  return go_back (p, steps);
}

// As in splitmix64: good enough for a walk.
static uint64_t draw (uint64_t *random) {
  uint64_t x = *random += UINT64_C (0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C (0x94d049bb133111eb);
  return x ^ x >> 31;
}

static int run_random (player *p, const char *argument) {
  uint64_t steps;
  int code = number_of (argument, 1, &steps);
  while (!code && steps--) {
    const tl_choice *first;
    size_t count;
    code = choices (p, &first, &count);
    p->moved = true;
    if (!code && !count)
      break; // a deadlock, as will be shown
    if (!code)
      code = fire (p, first + draw (&p->random) % count);
  }
  return code;
}

// ---- Runs ------------------------------------------------------------------

static int follow (player *p, const tl_trace *trace) {
  int code = go_back (p, 0);
  for (uint64_t i = 0; !code && i < trace->length; i++)
    code = fire (p, &(tl_choice){.transition = trace->transition[i],
                                 .step = tl_trace_step (p->net, trace, i)});
  return code;
}

static int use_answer (player *p, const tl_answer *a) {
  const bool says = !p->o->json;
  const char *verdict = a->verdict == TL_VERDICT_TRUE    ? "true"
                        : a->verdict == TL_VERDICT_FALSE ? "false"
                                                         : "unknown";
  if (says)
    printf ("%s: %s\n", a->formula ? a->formula : a->name, verdict);
  if (a->trace.transition)
    return follow (p, &a->trace);
  if (a->verdict == TL_VERDICT_UNKNOWN)
    warn ("no run was found: %s", a->unknown_why ? a->unknown_why : "unknown");
  else if (says)
    puts ("there is no run that shows it");
  return a->verdict == TL_VERDICT_UNKNOWN ? EXIT_UNFINISHED : 0;
}

// Every question has the time that was given from the start of it.
static int ask (player *p, const char *text) {
  options o = *p->o;
  tl_questions *questions;
  tl_answers answers;
  tl_error err = {0};
  search s;
  o.start = clock_now ();
  if (tl_questions_open (&questions, p->net, &err))
    return library_error (&err);
  if (tl_questions_add_text (questions, text, &err)) {
    tl_questions_close (questions);
    return text_error (&err, text);
  }
  search_begin (&s, &o);
  const tl_status status = tl_check (p->net, questions, &s.how, &answers, &err);
  search_end (&s);
  work_resume ();
  tl_questions_close (questions);
  if (status)
    return library_error (&err);
  const int code = use_answer (p, answers.answer);
  tl_answers_close (&answers);
  return code;
}

static int run_ask (player *p, const char *argument) {
  return *argument ? ask (p, argument) : usage_error ("ask what? a formula");
}

static int run_find (player *p, const char *argument) {
  char *text;
  if (!*argument)
    return usage_error ("find what? a formula about a marking, or deadlock");
  if (asprintf (&text, "EF (%s)", argument) < 0)
    return fault ("out of memory");
  const int code = ask (p, text);
  free (text);
  return code;
}

static char *trimmed (char *line) {
  line += strspn (line, " \t\r\n");
  for (size_t n = strlen (line); n && strchr (" \t\r\n", line[n - 1]); n--)
    line[n - 1] = 0;
  return line;
}

// Lines as `save` and --trace write them; those with # are comments.
static int run_file (player *p, const char *argument) {
  FILE *f = *argument ? fopen (argument, "r") : 0;
  char *line = 0;
  size_t room = 0;
  int code = 0;
  if (!*argument)
    return usage_error ("run which file?");
  if (!f)
    return usage_error ("%s: cannot read: %s", argument, strerror (errno));
  for (unsigned number = 1; !code && getline (&line, &room, f) >= 0; number++) {
    const char *step = trimmed (line);
    if (*step && *step != '#' && (code = fire_words (p, step)))
      usage_error ("%s: stopped at line %u", argument, number);
  }
  free (line);
  fclose (f);
  return code;
}

static int run_save (player *p, const char *argument) {
  return *argument
             ? save_text (tl_trace_report (p->net, tl_game_trace (p->game),
                                           trace_form (p->o)),
                          argument)
             : usage_error ("save to which file?");
}

// To programs the object at the end tells it.
static int run_trace (player *p, const char *argument) {
  (void)argument;
  return p->o->json ? 0
                    : print_text (tl_trace_report (
                          p->net, tl_game_trace (p->game), trace_form (p->o)));
}

// ---- Commands --------------------------------------------------------------

static int run_show (player *p, const char *argument) {
  (void)argument;
  p->moved = true;
  return 0;
}

static int run_quit (player *p, const char *argument) {
  (void)argument;
  p->over = true;
  return 0;
}

static int run_list (player *, const char *);

static const play plays[] = {
    {"fire", "STEP", "fire a step by its number or name; the name alone does",
     run_fire},
    {"back", "[N]", "take back the last step, or the last N", run_back},
    {"to", "N", "go back to step N; 0: the initial marking", run_to},
    {"random", "[N]", "fire a step at random, or N", run_random},
    {"find", "FORMULA", "play a run to where this holds, as deadlock, p = 2",
     run_find},
    {"ask", "FORMULA", "decide this, and play the run that shows it", run_ask},
    {"run", "FILE", "fire the steps of a file, a transition a line", run_file},
    {"save", "FILE", "write the steps so far to such a file", run_save},
    {"trace", "", "show the steps so far", run_trace},
    {"show", "", "show where the game stands", run_show},
    {"help", "", "show this list", run_list},
    {"quit", "", "end the game", run_quit},
    {0}};

void print_plays (void) {
  for (const play *c = plays; c->name; c++)
    printf ("  %-6s %-19s %s\n", c->name, c->argument, c->help);
}

static int run_list (player *p, const char *argument) {
  (void)argument;
  if (!p->o->json)
    print_plays ();
  return 0;
}

static int run_line (player *p, char *line) {
  char *word = trimmed (line);
  uint64_t number;
  if (!*word || *word == '#')
    return 0;
  if (is_number (word, &number))
    return fire_number (p, number);
  const size_t length = strcspn (word, " \t");
  for (const play *c = plays; c->name; c++)
    if (strlen (c->name) == length && !strncmp (word, c->name, length))
      return c->run (p, word + length + strspn (word + length, " \t"));
  return fire_words (p, word);
}

static int show (const player *p) {
  return print_text (
      tl_game_report (p->net, p->game, form_wanted (p->o, false)));
}

static int play_line (player *p, char *line) {
  p->moved = false;
  const int code = run_line (p, line);
  if (code || !p->moved || p->o->quiet || p->o->json)
    return code;
  puts ("");
  return show (p);
}

// ---- Where lines come from -------------------------------------------------

static int play_script (player *p) {
  int code = 0;
  for (size_t i = 0; !code && !p->over && i < p->o->script.count; i++) {
    char *line = strdup (p->o->script.item[i]);
    code = line ? play_line (p, line) : fault ("out of memory");
    free (line);
  }
  return code;
}

// Somebody at a terminal can mend what was wrong; a script ends there.
static int play_input (player *p) {
  const bool terminal = isatty (STDIN_FILENO);
  char *line = 0;
  size_t room = 0;
  int code = 0;
  while (!p->over && (!code || (terminal && code != EXIT_FAULT))) {
    if (terminal)
      fputs ("> ", stdout);
    fflush (stdout);
    if (getline (&line, &room, stdin) < 0)
      break;
    code = play_line (p, line);
  }
  if (terminal && !p->over)
    fputs ("\n", stdout);
  free (line);
  return terminal && code != EXIT_FAULT ? 0 : code;
}

// For programs, and where little is wanted, only the end is shown.
static int play_game (player *p) {
  const bool end = p->o->json || p->o->quiet;
  int code = end ? 0 : show (p);
  if (!code)
    code = p->o->script.count ? play_script (p) : play_input (p);
  return !code && end ? show (p) : code;
}

int run_simulate (const options *o) {
  tl_net *net;
  player p = {.o = o, .random = o->seed};
  tl_error err = {0};
  int code = check_outputs (o);
  if (!code)
    code = open_model (&net, o);
  if (code)
    return code;
  p.net = net;
  code =
      tl_game_open (&p.game, net, &err) ? library_error (&err) : play_game (&p);
  if (!code)
    code = save_game_page (net, p.game, o);
  tl_game_close (p.game);
  tl_net_close (net);
  return code;
}
