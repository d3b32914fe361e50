#ifndef TL_TESTS_TRIALS_H
#define TL_TESTS_TRIALS_H

#include <stdbool.h>
#include <stdint.h>

// What a test of random nets is asked to do on its command line:
//
//   TEST [--nets N] [--seed S] [--long]
//
// --long, or the variable LONG, stands for many nets.
typedef struct trials {
  uint64_t nets, seed;
} trials;

// False: the words are wrong, and the usage was told.
bool trials_wanted (trials *, int count, char **word, uint64_t normal,
                    uint64_t many);

// Tries one seed after the other; false: one fails, and it was told which.
bool trials_run (const trials *, const char *what,
                 bool (*try_seed) (uint64_t seed, void *tally), void *tally);

#endif
