#ifndef TL_TESTS_CLAIM_H
#define TL_TESTS_CLAIM_H

#include "automaton/automaton.h"
#include "logic/formula.h"

// The automata that spin makes of formulas without X: another opinion.

bool claim_there_is_spin (void);

// Gives a path formula whose atoms are FIREABLE of one transition below `atoms`
// to spin and reads its never claim as an automaton with accepting states, in
// which atom a is transition a.  False: spin gave up.
bool claim_read (const tl_formula *, unsigned atoms, tl_automaton *out);

#endif
