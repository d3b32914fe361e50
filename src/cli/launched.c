// Several processes that an MPI launcher has started.  Rank 0 is the program as
// people know it; the others take part in its searches and print nothing.

#include "cli/cli.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_follower (void) {
  uint32_t rank, count;
  return tl_ranks_launched (&rank, &count) && rank;
}

bool hush_followers (bool on) {
  static int kept[2] = {-1, -1};
  if (!is_follower ())
    return false;
  fflush (stdout);
  for (int i = 0; i < 2; i++) {
    const int fd = i ? STDERR_FILENO : STDOUT_FILENO;
    if (on) {
      const int nowhere = open ("/dev/null", O_WRONLY | O_CLOEXEC);
      kept[i] = fcntl (fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
      dup2 (nowhere, fd);
      close (nowhere);
    } else if (kept[i] >= 0) {
      dup2 (kept[i], fd);
      close (kept[i]);
    }
  }
  return true;
}

static bool is_for_ranks (const command *c) {
  return c->bit == EXPLORE || c->bit == CHECK || c->bit == RESUME;
}

static int expected (const options *o, uint32_t count, bool says) {
  if (!o->ranks || o->ranks == count)
    return 0;
  return says ? usage_error ("--ranks: %u %s expected, %u %s here",
                             (unsigned)o->ranks,
                             o->ranks == 1 ? "rank was" : "ranks were", count,
                             count == 1 ? "is" : "are")
              : EXIT_USAGE;
}

static void follow (tl_ranks *ranks, const options *o) {
  tl_options how = tl_options_default ();
  how.threads = (uint32_t)o->threads;
  how.memory = o->memory;
  how.trim = true;
  work_begin (o, &how.timeout, &how.cancel);
  tl_ranks_follow (ranks, &how);
  work_end ();
}

bool run_among_ranks (const command *c, options *o, int *code) {
  uint32_t rank, count;
  tl_error err = {0};
  if (!tl_ranks_launched (&rank, &count)) {
    const int wrong = is_for_ranks (c) ? expected (o, 1, true) : 0;
    *code = wrong ? wrong : *code;
    return wrong;
  }
  if (!is_for_ranks (c)) { // rank 0 does that alone
    *code = EXIT_HOLDS;
    return rank;
  }
  tl_ranks *ranks;
  if (tl_ranks_open (&ranks, 0, &err)) {
    *code = rank ? EXIT_HOLDS : library_error (&err); // the first says it
    return true;
  }
  o->joined = ranks;
  *code = expected (o, tl_ranks_count (ranks), !rank);
  if (rank)
    follow (ranks, o);
  else if (!*code)
    *code = c->run (o);
  tl_ranks_close (ranks);
  return true;
}
