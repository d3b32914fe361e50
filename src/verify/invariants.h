#ifndef TL_VERIFY_INVARIANTS_H
#define TL_VERIFY_INVARIANTS_H

#include "verify/assertion.h"
#include "verify/reasoning.h"

// Facts about every reachable marking, each seen from the net and from those
// before it.  A fact is one of
//
//     a weighted sum of tokens that no transition makes smaller: it is never
//     less than at the start;
//     a trap, a set of places to which every transition gives that takes from
//     it: once it is marked, as at the start, it always is.
//
// Transitions that never fire do not count: those of fireable.h, and those
// that wait for more tokens in a place than the facts so far allow.

// Reads and checks them; each becomes a rule, number by number, of variables
// that are the places.  TL_E_MODEL: one does not hold.
tl_status tl_invariants_read (tl_cert_source *, const tl_cert_net *,
                              tl_reasoning *);

// How many there were.
static inline size_t tl_invariants_count (const tl_reason_mark *facts) {
  return facts->rules;
}

#endif
