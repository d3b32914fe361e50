// Random nets against the brute-force explorer.
//
//   random [--nets N] [--seed S] [--long]
//
// --long, or the variable LONG, stands for many nets.
// Net number i is made from seed S + i, so `--seed X --nets 1` repeats the
// net of seed X.  The work is done in a child process: a crash or a hang is a
// failure like any other and is cut down to a small net in the same way.

#include "../compare.h"
#include "../random_net.h"
#include "../trials.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  NORMAL = 350,
  LONG = 50000,
  SOME = 3000, // states at which the brute force gives up
  MANY = 20000,
  HANGS = 120,        // seconds that are too many for one net
  HANGS_SMALLER = 20, // and for one that is being cut down
  SHRINK_ATTEMPTS = 1000
};

// What a child tells its parent.
typedef struct news {
  uint64_t seed;   // being worked on
  uint64_t passed; // nets so far
  char why[3000];
} news;

typedef struct job {
  news *news;
  uint64_t seed, nets;
  unsigned seconds; // that one net may take
} job;

static bool good (const random_net *sketch, const job *j, uint64_t seed) {
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = random_net_build (sketch, &mem);
  if (!net) {
    snprintf (j->news->why, sizeof j->news->why, "the net was not built");
    return false;
  }
  alarm (j->seconds);
  const bool ok = compare_net (net, seed, seed % 8 ? SOME : MANY, j->news->why,
                               sizeof j->news->why);
  tl_net_close (net);
  if (ok && mem.used)
    snprintf (j->news->why, sizeof j->news->why, "the net leaks");
  return ok && !mem.used;
}

// Runs `work` in a child; true when it ended well.  Else news->why says why.
static bool in_child (bool (*work) (const random_net *, const job *),
                      const random_net *sketch, const job *j, bool quiet) {
  fflush (0);
  j->news->why[0] = 0;
  const pid_t child = fork ();
  if (child < 0) {
    perror ("fork");
    exit (4);
  }
  if (!child) {
    if (quiet && !freopen ("/dev/null", "w", stderr))
      _exit (4);
    exit (work (sketch, j) ? 0 : 1); // and look for leaks
  }
  int status;
  while (waitpid (child, &status, 0) < 0 && errno == EINTR)
    continue;
  if (WIFEXITED (status) && !WEXITSTATUS (status))
    return true;
  if (WIFSIGNALED (status) && WTERMSIG (status) == SIGALRM)
    snprintf (j->news->why, sizeof j->news->why, "hangs (no end in %u s)",
              j->seconds);
  else if (!j->news->why[0])
    snprintf (j->news->why, sizeof j->news->why, "crashes");
  return false;
}

static bool try_one (const random_net *sketch, const job *j) {
  return good (sketch, j, j->news->seed);
}

static bool try_all (const random_net *sketch, const job *j) {
  (void)sketch;
  random_net *net = malloc (sizeof *net);
  bool ok = net;
  for (uint64_t i = 0; ok && i < j->nets; i++) {
    j->news->seed = j->seed + i;
    random_net_make_long (net, j->news->seed);
    ok = good (net, j, j->news->seed);
    j->news->passed += ok;
  }
  free (net);
  return ok;
}

static bool still_fails (const random_net *sketch, void *context) {
  return !in_child (try_one, sketch, context, true);
}

static void show_failure (job *j) {
  random_net net;
  printf ("seed %" PRIu64 " fails: %s\n", j->news->seed, j->news->why);
  if (j->news->passed == j->nets)
    return; // something went wrong after the last net: a leak
  random_net_make_long (&net, j->news->seed);
  j->seconds = HANGS_SMALLER;
  random_net_shrink (&net, still_fails, j, SHRINK_ATTEMPTS);
  // Once more with its own words, for the smallest net.
  in_child (try_one, &net, j, false);
  printf ("smaller net: %s\n", j->news->why);
  random_net_print (&net, stdout);
}

int main (int count, char **arguments) {
  trials t;
  if (!trials_wanted (&t, count, arguments, NORMAL, LONG))
    return 2;
  job j = {.seed = t.seed, .nets = t.nets, .seconds = HANGS};
  j.news = mmap (0, sizeof *j.news, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (j.news == MAP_FAILED) {
    perror ("mmap");
    return 4;
  }
  printf ("random nets from seed %" PRIu64 "\n", j.seed);
  const bool ok = in_child (try_all, 0, &j, false);
  const uint64_t passed = j.news->passed;
  if (!ok)
    show_failure (&j);
  printf ("%" PRIu64 " passed, %d failed\n", passed, !ok);
  return !ok;
}
