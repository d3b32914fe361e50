#ifndef TL_SYMBOLIC_DIVISIONS_H
#define TL_SYMBOLIC_DIVISIONS_H

#include "base/arena.h"
#include "base/natural.h"
#include "symbolic/merge.h"
#include "symbolic/reachable.h"

// How many markings of a net a value of a variable stands for, where places
// were merged: the ways to divide n tokens among the k parts of a place.
typedef struct tl_divisions {
  const tl_merged *merged;
  const tl_reachable *reach; // of the smaller net
  tl_arena arena;
  tl_natural **ways; // [places of the smaller net] of each number of tokens
  uint64_t *most;    // [these]
} tl_divisions;

// `most`: tokens of each place of the smaller net.  TL_E_NOMEM; TL_E_LIMIT:
// that would take too long.  It can be closed then, too.
tl_status tl_divisions_open (tl_divisions *, tl_mem *, const tl_merged *,
                             const tl_reachable *, const uint64_t *most);
void tl_divisions_close (tl_divisions *);

// Of an edge of a level, the ways to divide its tokens; for a transition whose
// guard has the tail there, those that enable it.  Null divisions, or no tail,
// are allowed.
tl_natural tl_divisions_of (const tl_divisions *, uint32_t level,
                            uint32_t value, const tl_tail *);

#endif
