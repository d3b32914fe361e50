#ifndef TL_SYMBOLIC_ALGEBRA_H
#define TL_SYMBOLIC_ALGEBRA_H

#include "symbolic/diagram.h"
#include "symbolic/tails.h"

// Operations on sets of the same level.  The sets given have to be on slots, or
// held, or below such nodes.

tl_set tl_union (tl_diagram *, tl_set, tl_set);
tl_set tl_intersection (tl_diagram *, tl_set, tl_set);
tl_set tl_difference (tl_diagram *, tl_set, tl_set);

// The markings of a set that enable a transition, or do not, by its guard.
tl_set tl_enabled (tl_diagram *, const tl_events *, tl_set, uint32_t guard);
tl_set tl_disabled (tl_diagram *, const tl_events *, tl_set, uint32_t guard);

// The markings of a set that enable no transition.
tl_set tl_dead (tl_diagram *, const tl_events *, tl_set);

// The marking with these values [variables], as a set.
tl_set tl_single (tl_diagram *, const tl_events *, const uint32_t *value);

// Adds a set, which may be one that was just made, to one that is held.
void tl_held_unite (tl_diagram *, tl_held *, tl_set more);

// Is the marking with these values [variables] in the set?
bool tl_set_has (const tl_diagram *, const tl_events *, tl_set,
                 const uint32_t *value);

// What is remembered of operations other than unions and images: two sets, the
// second of which may be empty, and this number.
enum {
  TL_BY_INTERSECTION,
  TL_BY_DIFFERENCE,
  TL_BY_ENABLED,
  TL_BY_DISABLED,
  TL_BY_DEAD,
  TL_BY_BEFORE,
  TL_BY_BEFORE_EVENT,
  TL_BY_BACKWARD,
  TL_BY_BACKWARD_EVENT,
  TL_OPERATION_KINDS = 16
};

static inline uint32_t tl_operation_number (uint32_t kind, uint32_t tail) {
  return kind + TL_OPERATION_KINDS * tail;
}

#endif
