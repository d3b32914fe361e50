#ifndef TL_AUTOMATON_GENERAL_H
#define TL_AUTOMATON_GENERAL_H

#include "automaton/automaton.h"
#include "automaton/paths.h"

// The Büchi automaton with accepting edges of a path formula: its states are
// sets of states of the alternating automaton.  There is an accepting set for
// each U; it has the edges on which that U is absent, or could have been
// finished.  Edges that allow no more than another one are left out, and
// states with the same edges are one.

// The automaton is open and empty.  TL_E_NOMEM, TL_E_LIMIT.
tl_status tl_general_build (tl_automaton *, tl_paths *, tl_path);

#endif
