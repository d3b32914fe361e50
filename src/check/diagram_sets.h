#ifndef TL_CHECK_DIAGRAM_SETS_H
#define TL_CHECK_DIAGRAM_SETS_H

#include "check/state_set.h"
#include "symbolic/where.h"

// Sets of markings that can be reached, as decision diagrams: the fixpoints of
// CTL without a graph, and automata.  Steps backwards stay within what can be
// reached.  States have numbers when a run has come to them.

typedef struct tl_diagram_sets {
  tl_sets sets; // the first member: a set is asked through it
  tl_mem *mem;
  tl_reachable *reach; // that came to its end
  tl_weighing weighing;
  uint64_t *known; // [count * places] markings with numbers, from 1 on
  size_t count, known_room;
  uint32_t *value; // [variables]
} tl_diagram_sets;

// TL_E_NOMEM; it can be closed then, too.
tl_status tl_diagram_sets_open (tl_diagram_sets *, tl_mem *, tl_reachable *);
void tl_diagram_sets_close (tl_diagram_sets *);

// Forgets what ended the last work, and what was left on the slots.
void tl_diagram_sets_go_on (tl_diagram_sets *);

// The marking [places] of a state, and a number for one.  TL_E_NOMEM.
void tl_diagram_sets_marking (const tl_diagram_sets *, uint64_t state,
                              uint64_t *marking);
tl_status tl_diagram_sets_number (tl_diagram_sets *, const uint64_t *marking,
                                  uint64_t *state);

// Leaves of a set what can stay in it: EG.
tl_status tl_diagram_sets_stay (tl_diagram_sets *, tl_held *);

#endif
