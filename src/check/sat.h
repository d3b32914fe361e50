#ifndef TL_CHECK_SAT_H
#define TL_CHECK_SAT_H

#include "automaton/buchi.h"
#include "check/labels.h"
#include "check/product.h"
#include "check/sets.h"

// Where a formula of CTL* holds, on a graph that is known as a whole.
// A formula is taken
// apart before the search begins: parts without temporal operators become
// labels, a quantifier with one operator is an operator of CTL, and any other
// path formula an automaton whose atoms are formulas again (Emerson and Lei
// 1987).  Afterwards the sets of states are found from the inside out.

typedef enum tl_sat_kind {
  TL_SAT_LABEL,
  TL_SAT_BOOLEAN, // NOT, AND, OR of the parts
  TL_SAT_CTL,     // quantifier and operator, of one part or two
  TL_SAT_PATH     // quantifier, and an automaton over the parts
} tl_sat_kind;

// How to take a formula apart.
typedef struct tl_sat_ways {
  tl_arena *arena;
  tl_mem *mem; // for automata
  tl_labels *labels;
  // Every X is one of LTL: where a run ends, it speaks of the last state again
  // (logic/linear.h).
  bool linear;
  // Operators of CTL become automata, too, but for EX and AX.
  bool automata;
} tl_sat_ways;

typedef struct tl_sat {
  tl_sat_kind kind;
  const tl_formula *formula;
  struct tl_sat **part;
  uint32_t parts;
  tl_buchi *automaton; // of the path, or for A of its negation
} tl_sat;

// What formulas are decided with.
typedef struct tl_sat_means {
  tl_sets *sets; // of states of the graph
  bool nested;   // by nested depth-first search where that can be done
  bool no_runs;  // nobody wants to see any
} tl_sat_means;

// TL_E_LIMIT: an automaton is too large.
tl_status tl_sat_open (tl_sat **, const tl_sat_ways *, const tl_formula *);
void tl_sat_close (tl_sat *);

// Is it about runs and nothing else: an automaton, none inside?  Then it can be
// decided by nested depth-first search, too (check/nested.h).
bool tl_sat_is_linear (const tl_sat *);

// Does it say the same of runs that differ only in how often states are
// repeated, and nothing else of what runs there are?
bool tl_sat_ignores_stutter (const tl_sat *);

// The states where it holds; the caller closes the set.  TL_E_MODEL: it needs
// an automaton, which these sets know nothing of.
tl_status tl_sat_states (tl_sat_means *, const tl_sat *, tl_state_set **set);

// Whether it holds at the initial state, and a run that shows why, if one can,
// the sets know runs, and there is memory for it.  For a path formula the
// search ends as soon as that is known.
tl_status tl_sat_decide (tl_sat_means *, const tl_sat *, bool *holds,
                         tl_run *run);

#endif
