#ifndef TL_AUTOMATON_AUTOMATON_REDUCE_H
#define TL_AUTOMATON_AUTOMATON_REDUCE_H

#include "automaton/automaton.h"

// Makes an automaton smaller without changing what it accepts: drops what leads
// to no accepting cycle, simplifies the sets by component, merges states and
// drops edges by simulation, and joins labels that differ in one atom, as long
// as this helps.  TL_E_NOMEM.
tl_status tl_automaton_reduce (tl_automaton *);

// An automaton with accepting states that accepts the same: states count which
// of the sets they have seen, one after the other, anew in each component.
// `out` is open and empty.  TL_E_NOMEM, TL_E_LIMIT.
tl_status tl_automaton_degeneralise (const tl_automaton *, tl_automaton *out);

#endif
