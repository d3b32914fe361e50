#ifndef TL_CHECK_LABELS_H
#define TL_CHECK_LABELS_H

#include "explore/explore.h"
#include "logic/eval.h"

// What holds where: for each of some state formulas one bit a state, in the
// order of their numbers.  Equal formulas share their bits.
typedef struct tl_state_label {
  const tl_formula *formula;
  tl_predicate program;
  uint64_t *bits;
  size_t room; // words
} tl_state_label;

typedef struct tl_labels {
  tl_mem *mem;
  const tl_net *net;
  tl_state_label *label;
  size_t count, label_room;
  uint32_t *place; // [places] to be unpacked
  size_t places;
  uint8_t *wanted; // [places] is in the list
  bool reads_enabled;
  uint64_t *marking; // [places]
  uint64_t *enabled; // bitmap
} tl_labels;

tl_status tl_labels_open (tl_labels *, tl_mem *, const tl_net *);
void tl_labels_close (tl_labels *);

// Before the first visit.  The formula has no temporal operators.
tl_status tl_labels_add (tl_labels *, const tl_formula *);
// The bits of a formula that was added.
const uint64_t *tl_labels_find (const tl_labels *, const tl_formula *);
// And what finds them.
const tl_predicate *tl_labels_program (const tl_labels *, const tl_formula *);

// State `number` is visited.
tl_status tl_labels_visit (tl_labels *, uint64_t number, const tl_visit *);
// As if nothing had been visited.
void tl_labels_restart (tl_labels *);

#endif
