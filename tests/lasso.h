#ifndef TL_TESTS_LASSO_H
#define TL_TESTS_LASSO_H

#include "automaton/automaton.h"
#include "base/random.h"
#include "logic/formula.h"

// Infinite words that end in a loop, path formulas on them straight from the
// definition, and automata that read them.  A letter is a set of transitions
// that are enabled: the atoms of these formulas are FIREABLE.

#define LASSO_LETTERS 10 // at most
#define LASSO_ATOMS 6    // at most

typedef struct lasso {
  unsigned length, loop; // after the last letter goes on at `loop`
  uint8_t letter[LASSO_LETTERS];
} lasso;

void lasso_random (lasso *, unsigned atoms, tl_random *);

bool lasso_satisfies (const lasso *, const tl_formula *);

// `atom` has the formulas of the atoms of the automaton.
bool lasso_accepted (const lasso *, const tl_automaton *,
                     tl_formula *const *atom, unsigned atoms);

// A random path formula without constants; `next`: with X as well.
tl_formula *lasso_formula (tl_arena *, unsigned atoms, unsigned size, bool next,
                           tl_random *);

#endif
