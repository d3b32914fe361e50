#ifndef TL_AUTOMATON_BUCHI_H
#define TL_AUTOMATON_BUCHI_H

#include "automaton/automaton.h"
#include "logic/formula.h"

// From a path formula to automata that accept exactly the runs on which it
// holds.  Runs are infinite: one that ends in a dead state repeats that state
// for ever, so X, too, always has a next state to speak of.
//
// The largest parts of the formula that speak of one state only become atoms,
// numbered from 0; in CTL* these may contain E and A.  What is left is brought
// into negation normal form and rewritten, turned into a very weak alternating
// automaton, this into a Büchi automaton with several sets of accepting edges,
// and that into one with accepting states (Gastin and Oddoux, CAV 2001).  Both
// are reduced; docs/logic.md says how.

#define TL_BUCHI_ATOMS 64u
#define TL_BUCHI_SETS 64u
#define TL_BUCHI_STATES (1u << 14)

typedef struct tl_buchi {
  // Atom a is bit a of the labels of the edges.  State formulas, simplified
  // where they have no E or A.
  tl_formula **atom;
  uint32_t atoms;

  // Without X: whether a run is accepted does not change when states of it are
  // repeated, or repetitions left out.
  bool stutter_invariant;

  tl_automaton general; // accepting edges, in `general.sets` sets
  tl_automaton plain;   // accepting states; `plain.sets` is 1

  tl_mem *mem;
  tl_arena arena;
} tl_buchi;

// The automata of a path formula; of a state formula, too.  To look for a
// counterexample the caller gives the negation: TL_NOT in front will do.  The
// atoms share parts of the formula, which has to live as long.
//
// TL_E_LIMIT: there are too many atoms, or the automaton would be too large or
// take too long to make; nothing is known about the formula then.  TL_E_NOMEM.
// On failure *out is null.
tl_status tl_buchi_open (tl_buchi **out, tl_mem *, const tl_formula *,
                         tl_error *);
void tl_buchi_close (tl_buchi *);

#endif
