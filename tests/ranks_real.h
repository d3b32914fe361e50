#ifndef TL_TESTS_RANKS_REAL_H
#define TL_TESTS_RANKS_REAL_H

#include "tideline.h"

#include <stdbool.h>

// A program that mpirun starts as several ranks: the first one leads, the
// others follow it.  `--threads T` is taken out of the words.  The variable
// TIDELINE_MPI names the plugin.  Returns the exit code.
int ranks_real_run (int count, char **word,
                    bool (*lead) (tl_ranks *, uint32_t threads, int count,
                                  char **word));

#endif
