#ifndef TL_STRUCTURE_RANKING_H
#define TL_STRUCTURE_RANKING_H

#include "structure/structure.h"

// Can a set of transitions fire for ever?  Not if there are weights y >= 0 for
// places such that each of them makes the weighted sum y * m smaller, which is
// never below 0.  By the lemma of Farkas there are such weights, or else the
// transitions can be counted in such a way that firing all that takes nothing
// away from any place; those who are counted are in its way.
//
// A linear program proposes weights.  They are integers when it is decided that
// each transition makes the sum smaller.

typedef struct tl_ranking {
  tl_mem *mem;
  const tl_structure *structure;
  struct tl_lp *lp;
  uint8_t *gone;   // [transitions] is not in the set any more
  int64_t *weight; // [places]
  bool solved;
} tl_ranking;

// Of all transitions.  TL_E_LIMIT: the net is too large.
tl_status tl_ranking_open (tl_ranking *, tl_mem *, const tl_structure *);
void tl_ranking_close (tl_ranking *);

// Takes a transition out of the set.
void tl_ranking_drop (tl_ranking *, uint32_t transition);

// True: it is proven that they cannot fire for ever.  Takes about `seconds` at
// most.
bool tl_ranking_ends (tl_ranking *, double seconds);

// Afterwards, if not: is the transition in the way?
bool tl_ranking_counts (const tl_ranking *, uint32_t transition);

// Of a few transitions the same is seen without weights: each in turn takes
// from a place that none of those that are left gives to.  Changes the list.
bool tl_transitions_end (const tl_net *, uint32_t *list, uint32_t count);

// Is it so for all transitions of the net together?  False without memory, too.
bool tl_net_runs_dry (const tl_structure *, tl_mem *);

#endif
