#ifndef TL_STRUCTURE_EXCLUDE_H
#define TL_STRUCTURE_EXCLUDE_H

#include "structure/semiflow.h"
#include "structure/group.h"

// Pairs of places that are never marked at the same time.
//
// A semiflow says so of some places (group.h), and several semiflows together
// say more: if one place is marked, those that share a token with it are empty;
// where one place of a set is always marked, and all but one are empty, that
// one is; and so on.  Each place in turn is taken for marked, and what must be
// empty then is excluded by it.
typedef struct tl_exclusion {
  tl_mem *mem;
  uint32_t places;
  size_t words;   // of a row
  uint64_t *bits; // [places * words] row p, bit q; null: nothing is known
} tl_exclusion;

// Members of semiflows that are looked at in a tenth of a second.
#define TL_EXCLUSION_WORK 50000000
// Rows of more places take too much memory.
#define TL_EXCLUSION_PLACES 4096

// Looks at about `work` members of semiflows; where that is not enough, or the
// net has too many places, nothing is known.
tl_status tl_exclusion_open (tl_exclusion *, tl_mem *, const tl_semiflows *,
                             uint32_t places, uint64_t work);
void tl_exclusion_close (tl_exclusion *);

static inline bool tl_excludes (const tl_exclusion *e, uint32_t p, uint32_t q) {
  return e->bits && e->bits[p * e->words + q / 64] >> q % 64 & 1;
}

// Groups of places of which each excludes all others: every place that has at
// most one token, those that exclude most others first, joins the largest group
// that lets it.
tl_status tl_exclusion_groups (const tl_exclusion *, const uint64_t *bound,
                               tl_groups *);

#endif
