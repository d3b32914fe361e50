#ifndef TL_CHECK_VANTAGE_H
#define TL_CHECK_VANTAGE_H

#include "explore/space.h"
#include "logic/distance.h"
#include "logic/effort.h"
#include "logic/eval.h"

// What single states of a graph that is found on the way satisfy, and what was
// found out about them.

// A state as programs want it.
typedef struct tl_vantage {
  tl_space *space;
  uint64_t *tokens;  // [places]
  uint64_t *enabled; // bitmap
} tl_vantage;

// In the arena.  TL_E_NOMEM.
tl_status tl_vantage_open (tl_vantage **, tl_arena *, tl_space *);

// Does it hold at the state?
bool tl_vantage_holds (tl_vantage *, const tl_predicate *, uint64_t state);
// How far from there, in tokens and in steps?
uint64_t tl_vantage_distance (tl_vantage *, const tl_distance *,
                              uint64_t state);
uint64_t tl_vantage_effort (tl_vantage *, tl_effort *, uint64_t state);

// Two bits a state: whether something is known, and whether it holds.
typedef struct tl_findings {
  uint64_t *known, *value;
  size_t known_room, value_room;
} tl_findings;

// TL_E_NOMEM.
tl_status tl_findings_set (tl_findings *, tl_mem *, uint64_t state, bool holds);
void tl_findings_close (tl_findings *, tl_mem *);

static inline bool tl_findings_get (const tl_findings *k, uint64_t state,
                                    bool *holds) {
  const size_t word = (size_t)(state / 64);
  if (word >= k->known_room || !(k->known[word] >> state % 64 & 1))
    return false;
  *holds = k->value[word] >> state % 64 & 1;
  return true;
}

#endif
