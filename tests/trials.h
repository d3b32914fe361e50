#ifndef TL_TESTS_TRIALS_H
#define TL_TESTS_TRIALS_H

#include "brute.h"
#include "random_formula.h"
#include "random_net.h"
#include "structure/structure.h"

// What a test of random nets is asked to do on its command line:
//
//   TEST [--nets N] [--seed S] [--long] [--some]
//
// --long, or the variable LONG, stands for many nets, --some for a fifth.
typedef struct trials {
  uint64_t nets, seed;
} trials;

// False: the words are wrong, and the usage was told.
bool trials_wanted (trials *, int count, char **word, uint64_t normal,
                    uint64_t many);

// Tries one seed after the other; false: one fails, and it was told which.
bool trials_run (const trials *, const char *what,
                 bool (*try_seed) (uint64_t seed, void *tally), void *tally);

// A random net with all its markings; every other time its structure is known.
typedef struct trial_net {
  tl_mem mem;
  tl_arena arena; // for formulas
  tl_net *net;
  brute all;
  tl_structure *structure; // or null
} trial_net;

// False: it has more states, or no place or transition; nothing is open then.
bool trial_net_open (trial_net *, const random_net *, uint64_t seed,
                     uint64_t states);
// False: memory is left on its account, and that was told.
bool trial_net_close (trial_net *);

// The logics of formulas about runs.
enum { TRIAL_LOGICS = 3 };
extern const struct trial_logic {
  const char *name;
  random_logic logic;
} trial_logics[TRIAL_LOGICS];

#endif
