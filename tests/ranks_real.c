#include "ranks_real.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t take_threads (int *count, char **word) {
  for (int i = 1; i + 1 < *count; i++)
    if (!strcmp (word[i], "--threads")) {
      const uint32_t threads = (uint32_t)strtoul (word[i + 1], 0, 10);
      memmove (word + i, word + i + 2, (size_t)(*count - i - 1) * sizeof *word);
      *count -= 2;
      return threads;
    }
  return 1;
}

int ranks_real_run (int count, char **word,
                    bool (*lead) (tl_ranks *, uint32_t threads, int count,
                                  char **word)) {
  const uint32_t threads = take_threads (&count, word);
  tl_error err = {0};
  tl_ranks *ranks;
  if (tl_ranks_open (&ranks, getenv ("TIDELINE_MPI"), &err)) {
    fprintf (stderr, "%s\n", err.text);
    return 2;
  }
  bool ok = true;
  if (tl_ranks_number (ranks)) {
    tl_options own = tl_options_default ();
    own.threads = threads;
    tl_ranks_follow (ranks, &own);
  } else
    ok = lead (ranks, threads, count, word);
  tl_ranks_close (ranks);
  return ok ? 0 : 1;
}
