#ifndef TL_STRUCTURE_STRUCTURE_H
#define TL_STRUCTURE_STRUCTURE_H

#include "structure/bounds.h"
#include "structure/eliminate.h"
#include "structure/group.h"

// What is known about a net before any state is visited.  Opening it finds
// bounds; the rest is found when asked for.
typedef struct tl_structure {
  tl_mem *mem;
  const tl_net *net;
  tl_incidence *incidence; // without transitions that can never fire
  tl_semiflows semiflows;  // found on the way to the bounds
  bool semiflows_extended; // with minimal semiflows
  tl_bounds bounds;
  const uint64_t *bound; // [places] as in `bounds`: tokens, or TL_NO_BOUND
  const uint8_t *source; // [places] a tl_bound_source
} tl_structure;

// The net is borrowed.  `seconds` is about how long it may take; with 0 only
// constants and claims are looked at.
tl_status tl_structure_open (tl_structure **, tl_mem *, const tl_net *,
                             double seconds, tl_error *);
void tl_structure_close (tl_structure *);

// Takes over bounds of another net, where they are better: place p of this net
// never has more tokens than place[p] of the other.
void tl_structure_adopt (tl_structure *, const tl_structure *,
                         const uint32_t *place);

// May a place get more tokens than its capacity, which is an error of the
// model? Where none may, no search has to look at capacities, nor does anything
// else.
bool tl_structure_may_exceed (const tl_structure *, uint32_t place);
bool tl_structure_keeps_capacities (const tl_structure *);

// The places that are linear functions of others; see eliminate.h.
tl_status tl_structure_eliminate (const tl_structure *, const uint32_t *cost,
                                  tl_elimination **, tl_error *);

// Adds minimal semiflows to `semiflows`, as many as can be found quickly.
tl_status tl_structure_extend_semiflows (tl_structure *, tl_error *);

// Sets of places that share one token; see group.h.  The caller closes it.
// More semiflows are looked for first, so it may add to `semiflows`.
tl_status tl_structure_groups (tl_structure *, tl_groups *, tl_error *);

// The same from pairs of places that exclude each other; see exclude.h.  Larger
// groups often, but none from what a file claims.
tl_status tl_structure_exclusive_groups (tl_structure *, tl_groups *,
                                         tl_error *);

// Minimal semiflows of the whole net, for people to read.
typedef struct tl_semiflow_report {
  tl_mem *mem;
  tl_incidence *incidence, transposed;
  uint32_t *no_tokens; // [transitions]
  tl_semiflows place, transition;
  bool place_complete, transition_complete; // else there may be others
} tl_semiflow_report;

tl_status tl_structure_semiflows (const tl_structure *, tl_semiflow_report *,
                                  tl_error *);
void tl_semiflow_report_close (tl_semiflow_report *);

#endif
