#ifndef TL_CHECK_DIAGRAM_SETS_H
#define TL_CHECK_DIAGRAM_SETS_H

#include "check/state_set.h"
#include "symbolic/where.h"

// Sets of markings that can be reached, as decision diagrams: the fixpoints of
// CTL without a graph.  Steps backwards stay within what can be reached.

typedef struct tl_diagram_sets {
  tl_sets sets; // the first member: a set is asked through it
  tl_mem *mem;
  tl_reachable *reach; // that came to its end
  tl_weighing weighing;
} tl_diagram_sets;

// TL_E_NOMEM; it can be closed then, too.
tl_status tl_diagram_sets_open (tl_diagram_sets *, tl_mem *, tl_reachable *);
void tl_diagram_sets_close (tl_diagram_sets *);

// Forgets what ended the last work, and what was left on the slots.
void tl_diagram_sets_go_on (tl_diagram_sets *);

#endif
