#ifndef TL_STRUCTURE_GROW_H
#define TL_STRUCTURE_GROW_H

#include "structure/incidence.h"

// Guesses a semiflow that covers a given place, without any solver: where a
// transition adds to the weighted sum, one of the places it takes from gets
// weight, the one that does least harm elsewhere, until no transition adds any
// more.  Then empty places whose producers all lose weight join, so that a
// chain is found as a whole.  It never goes back on a choice; a semiflow it
// finds is often one token going round a process, and it may find none where
// there is one.  Its cost is that of the places it touches, not that of the
// net.
typedef struct tl_grower {
  tl_mem *mem;
  const tl_incidence *incidence;
  const uint32_t *initial;
  int64_t *weight;  // [places]; all 0 between calls, as is `gain`
  int64_t *gain;    // [transitions] what each adds to the weighted sum
  uint8_t *touched; // [transitions] is in `touch`
  tl_entry *member; // [places] the places with a weight
  uint32_t *touch;  // [transitions] transitions that change such a place
  uint32_t *queue;  // [transitions] the part of them still to be looked at
  uint8_t *queued;  // [transitions]
  uint32_t members, touches, queue_count;
  uint32_t seed; // the place to cover
  uint64_t work; // entries looked at, over all calls
  uint64_t work_end;
} tl_grower;

tl_status tl_grower_open (tl_grower *, tl_mem *, const tl_incidence *,
                          const uint32_t *initial);
void tl_grower_close (tl_grower *);

// True: `member` holds the weights of a semiflow that covers the place, sorted.
// They stay until the next call.  Looks at about `work` entries at most.
bool tl_grow (tl_grower *, uint32_t place, uint64_t work);

// The second half alone: lets empty places join a semiflow that is known. False
// when its weights are too large; then `member` means nothing.
bool tl_grow_from (tl_grower *, const tl_entry *, uint32_t count);

#endif
