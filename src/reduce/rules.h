#ifndef TL_REDUCE_RULES_H
#define TL_REDUCE_RULES_H

#include "reduce/draft.h"

// What makes a net smaller and keeps what somebody wants to know of it.  Each
// rule says what it keeps:
//
//   runs       all markings on the places that are left, and the steps between
//              them: every logic
//   branches   what can be seen, and what can still be seen from there, but not
//              how often it is seen in a row: CTL* and CTL without X and
//              DEADLOCK
//   stutter    what can be seen of the runs, and where they end, but not how
//              often it is seen in a row: LTL without X and DEADLOCK
//   deadlocks  what can be seen of the dead markings that can be reached
//   reach      of what can be seen, all markings that can be reached, or some
//              that have at least as much of what is wanted
//
// A rule that keeps runs keeps the others, too, and one that keeps branches all
// below.

typedef enum tl_keep {
  TL_KEEP_RUNS = 1,
  TL_KEEP_DEADLOCKS = 2,
  TL_KEEP_REACH = 4,
  TL_KEEP_STUTTER = 8,
  TL_KEEP_BRANCHES = 16
} tl_keep;

typedef struct tl_reduction_rule {
  const char *name;
  unsigned keeps; // tl_keep, together
  // Adds to *changes.  TL_E_NOMEM; TL_E_LIMIT and TL_E_CANCEL: no time is left,
  // and the draft is right as it is.
  tl_status (*apply) (tl_draft *, tl_keep, uint64_t *changes);
} tl_reduction_rule;

extern const tl_reduction_rule tl_rules[];
extern const size_t tl_rule_count;

tl_status tl_drop_dead (tl_draft *, tl_keep, uint64_t *changes);
tl_status tl_drop_implied (tl_draft *, tl_keep, uint64_t *changes);
tl_status tl_drop_dominated (tl_draft *, tl_keep, uint64_t *changes);
tl_status tl_drop_irrelevant (tl_draft *, tl_keep, uint64_t *changes);
tl_status tl_agglomerate_behind (tl_draft *, tl_keep, uint64_t *changes);
tl_status tl_agglomerate_before (tl_draft *, tl_keep, uint64_t *changes);

#endif
