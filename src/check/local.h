#ifndef TL_CHECK_LOCAL_H
#define TL_CHECK_LOCAL_H

#include "check/sat.h"
#include "check/vantage.h"

// Whether a formula of CTL* holds at one state, on a graph that is found as it
// is looked at (Vergauwen and Lewi 1993; Couvreur 1999).  What is found out
// about a part of the formula at a state is kept, and nothing is looked at that
// the answer does not need: operands of AND and OR until one decides, states
// until a run shows it.
//
// A quantifier is a search in the product of graph and automaton, and asks for
// the atoms of the automaton where an edge needs them; that may be a search
// again.  So functions call themselves as deep as the formula is nested.

typedef struct tl_local {
  const tl_sat *sat; // with automata for every quantifier but EX and AX of CTL
  tl_space *space;
  struct tl_local *part; // [sat->parts]
  const tl_predicate *program;
  tl_vantage *vantage;
  tl_product product;
  const tl_product_lead *lead; // of walks, or null
  tl_findings known;
} tl_local;

// In the arena; what it finds out is kept on the account of the space.
tl_status tl_local_open (tl_local **, tl_arena *, tl_space *, const tl_labels *,
                         const tl_sat *);
void tl_local_close (tl_local *);

// Does it hold at the initial state?  And a run that shows why, if one can.
// TL_E_LIMIT: the space ends it.
tl_status tl_local_decide (tl_local *, bool *holds, tl_run *);

// By random walks, if it is about runs: a run that they find decides it.
tl_status tl_local_walk (tl_local *, bool *holds, tl_run *);

// The same, led.
tl_status tl_local_walk_led (tl_local *, const tl_product_lead *, bool *holds,
                             tl_run *);

// By nested depth-first search (check/nested.h), if tl_sat_is_linear.
tl_status tl_local_decide_nested (tl_local *, bool *holds, tl_run *);

#endif
