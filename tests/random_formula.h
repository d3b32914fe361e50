#ifndef TL_TESTS_RANDOM_FORMULA_H
#define TL_TESTS_RANDOM_FORMULA_H

#include "base/random.h"
#include "logic/formula.h"

// Random formulas as the readers make them.

typedef enum random_logic {
  RANDOM_STATE, // without temporal operators
  RANDOM_CTL,
  RANDOM_PATH, // a path formula without quantifiers
  RANDOM_CTL_STAR
} random_logic;

// Nested at most `depth` deep.  The net has a place and a transition at least.
// Ends the program when there is no memory.
tl_formula *random_formula (tl_arena *, const tl_net *, random_logic,
                            unsigned depth, tl_random *);

// One of CTL, simplified; of those whose number is a multiple of three all is
// about what comes next.
tl_formula *random_ctl (tl_arena *, const tl_net *, unsigned number,
                        tl_random *);

#endif
