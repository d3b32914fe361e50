#ifndef TL_EXPLORE_TOGETHER_H
#define TL_EXPLORE_TOGETHER_H

#include "explore/search.h"

// Several ranks make one search (docs/cluster.md).  Rank 0 is who wants to
// know; the others follow it: they get net and options, make the same search
// with the same keys, and tell nobody.  Breadth-first the first states are
// found by every rank for itself.  Then each has a part of the shards of the
// store and a part of the level at hand, and successors go to whose shard they
// belong to. How it is with sweeps, see sweep/fleet.h.
//
// Where one of these functions is called by one rank it is called by all, at
// the same point of the search: what one has found out, all go by.  A rank that
// cannot keep to that ends the run (tl_cluster.abandon).

// Why this search has one rank only; null: it may have several.
const char *tl_together_refusal (const tl_net *, const tl_options *,
                                 const tl_visitor *);

// The first rank calls the others to a search, and tells them what of.
tl_status tl_together_call (tl_cluster *, const tl_net *, const tl_options *,
                            tl_mem *);
// Takes part in all searches that the first rank calls for, until it has none
// any more.  `own` has what is this rank's to say: memory, threads, cancel.
void tl_together_follow (tl_cluster *, const tl_lookout *,
                         const tl_options *own);
// There will be no more.
void tl_together_end (tl_cluster *);

// What is known of the net becomes the same for all.
tl_status tl_together_study (tl_search *, tl_structure *);
// Has any rank failed?  Then all have, in the same way.
tl_status tl_together_agree (tl_search *, tl_status);
// The same with what the lowest of those that failed says of it.
tl_status tl_together_agree_on (tl_search *, tl_status, tl_error *why);
// The same when a search has been prepared: are the keys the same?
tl_status tl_together_opened (tl_search *, tl_status);
// All get the bytes that the first rank has; they are on the account.
void tl_together_tell (tl_search *, tl_mem *, unsigned char **bytes,
                       size_t *length);
// What the visitor of the first rank says of a net without bounds.
tl_visit_verdict tl_together_verdict (tl_search *, tl_visit_verdict);
// The end of what each rank does for itself.  TL_OK: all go on together, with
// one thread's part of the states each; `goes_on` was true for all.
tl_status tl_together_meet (tl_search *, bool goes_on, tl_status);
// The figures become those of all.
void tl_together_add_up (tl_search *);
// Opens what all look with, as the visitor of the first rank says.
tl_status tl_together_brief (tl_search *);

// Shows the visitor of the first rank what all have noted, and briefs them
// anew.
typedef struct tl_sightings {
  // The way to the state that is asked for; all ranks ask at the same time.
  tl_status (*trace) (tl_search *, tl_trace *);
  uint64_t *asked;
  tl_worker *worker; // that is free, to look at a state with
  uint64_t *room;    // of the visitor
  uint64_t *shown;   // states that this rank has noted: number and key
  size_t words;
} tl_sightings;

tl_status tl_together_show (tl_search *, const tl_sightings *);

#endif
