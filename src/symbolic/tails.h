#ifndef TL_SYMBOLIC_TAILS_H
#define TL_SYMBOLIC_TAILS_H

#include "symbolic/variables.h"

// What transitions do to the values of the variables, level by level from the
// top.  On each level that it touches, a transition wants the value to be in an
// interval and adds a number to it.  Lists of these are shared from the end:
// two transitions that do the same below some level have the same tail there,
// and what was found for one of them holds for the other.

typedef struct tl_tail {
  uint32_t level;
  uint32_t least, end; // values from `least` on and below `end`
  uint32_t next;       // what is done further down; 0: nothing
  int64_t add;
} tl_tail;

enum { TL_NO_TAIL = 0 };    // nothing is touched
#define TL_NEVER UINT32_MAX // no marking enables it

// Tails by their topmost level, then by the least value there, none twice.
typedef struct tl_level_tails {
  uint32_t first, count;
} tl_level_tails;

typedef struct tl_sorted_tails {
  uint32_t *tail; // [transitions + 1]
  uint32_t count;
  tl_level_tails *level; // [levels + 1]
} tl_sorted_tails;

typedef struct tl_events {
  tl_mem *mem;
  const tl_variables *variables;
  uint32_t levels;
  uint32_t *level_of; // [levels] of each variable, from 1 on
  uint32_t *at;       // [levels + 1] the variable of each level
  tl_tail *tail;      // from 1 on
  size_t tails, tail_room;
  uint32_t *slot; // by hash
  size_t slots;
  uint32_t *guard;        // [transitions] what it needs to be enabled
  tl_sorted_tails guards; // those that need something
  tl_sorted_tails events; // what changes something
  tl_sorted_tails loops;  // guards of what changes nothing
  bool idles;             // something that changes nothing is always enabled
  tl_sorted_tails backs;  // events the other way, see tl_events_turn
} tl_events;

// Goes down an edge of a level: *value becomes what the tail makes of it, *tail
// what is left to be done below.  False: it does not fire there.
static inline bool tl_tail_pass (const tl_events *e, uint32_t level,
                                 uint64_t *value, uint32_t *tail) {
  const tl_tail *t = e->tail + *tail;
  if (t->level != level)
    return true;
  if (*value < t->least || *value >= t->end)
    return false;
  *value = (uint64_t)((int64_t)*value + t->add);
  *tail = t->next;
  return true;
}

// `order` [variables]: the variables from the lowest level on.
tl_status tl_events_open (tl_events *, tl_mem *, const tl_variables *,
                          const uint32_t *order);
void tl_events_close (tl_events *);

// The first of these tails of the level that may be enabled at a value: one of
// a group wants exactly one value, others all from some value on.
uint32_t tl_first_tail (const tl_events *, const tl_sorted_tails *,
                        uint32_t level, uint32_t value);

// From now on only these transitions [transitions] count for dead markings.
void tl_events_keep_guards (tl_events *, const uint8_t *kept);

// Makes `backs`: what leads from the markings after each event to those before,
// if that was not done yet.
tl_status tl_events_turn (tl_events *);

#endif
