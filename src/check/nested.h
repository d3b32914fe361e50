#ifndef TL_CHECK_NESTED_H
#define TL_CHECK_NESTED_H

#include "check/product.h"

// A run of a graph that an automaton with accepting states accepts, by nested
// depth-first search (Courcoubetis, Vardi, Wolper and Yannakakis 1992) with the
// colours of Schwoon and Esparza (2005).  The graph may be one that is found as
// the search looks at it.  A first search goes through the product; when it
// leaves an accepting node, a second one looks for a way from there back to the
// path of the first. Many cycles are seen by the first search alone, when it
// comes back to its own path.  The stack is the run.
//
// Unlike the search for components (check/product.h) it needs one accepting set
// and follows edges up to twice, but it keeps only two bits for each pair of a
// state of the graph and one of the automaton.

// Is a run from state 0 accepted?  If so, `run` is one, if there is memory for
// it.  Of the product only the successors are used.  TL_E_LIMIT: cancelled, out
// of time, or the space ends it.
tl_status tl_nested_search (tl_product *, bool *accepted, tl_run *run);

#endif
