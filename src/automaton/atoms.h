#ifndef TL_AUTOMATON_ATOMS_H
#define TL_AUTOMATON_ATOMS_H

#include "automaton/paths.h"
#include "logic/formula.h"

// The atoms of path formulas: the largest parts that speak of one state, that
// is, have no X F G U R outside of every E and A.  Operands of an AND or OR
// that do so go together.  Equal formulas are one atom, and so are a formula
// and its negation.
typedef struct tl_atoms {
  tl_arena *arena; // for atoms
  tl_paths *paths;
  tl_formula **atom;
  uint32_t count, most; // most: there is room for
  bool too_many;        // why a TL_E_LIMIT
} tl_atoms;

// The formula, or its negation, over atoms; new ones are added.  TL_PATH_NONE:
// see paths->rc.
tl_path tl_atoms_path (tl_atoms *, const tl_formula *, bool negated);

#endif
