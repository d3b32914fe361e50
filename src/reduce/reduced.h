#ifndef TL_REDUCE_REDUCED_H
#define TL_REDUCE_REDUCED_H

#include "net/trace.h"
#include "reduce/watched.h"
#include "structure/structure.h"

#include <limits.h>

// A net made smaller for what somebody wants to know of it: which of some state
// formulas a reachable marking satisfies (or, of formulas about runs, whether
// they hold).  Rules are applied as long as one of them finds something.
//
// A marking of the smaller net is, on its places, one of the net; a formula is
// asked about its numbers, and a trace is told in those of the net.

#define TL_NOT_THERE UINT32_MAX
#define TL_ALL_RULES UINT_MAX

typedef struct tl_reduced {
  tl_mem *mem;
  tl_watched watched;
  uint64_t *bound; // [places of the net] proven
  tl_draft draft;
  tl_keep keep;
  tl_net *net;              // the smaller one
  bool same;                // it is not smaller
  uint32_t *place;          // [its places] in the net
  uint32_t *place_now;      // [places of the net] or TL_NOT_THERE
  uint32_t *transition;     // [its transitions] in the draft
  uint32_t *transition_now; // [transitions of the net] or TL_NOT_THERE
} tl_reduced;

// `structure` is that of the net, or null; `rules` has a bit for each rule that
// may be used.  With no formula reach is kept and nothing is looked at.  It
// ends early, with what it has, when the time of the account is over.
typedef struct tl_reducing {
  const tl_net *net; // with arcs
  const tl_structure *structure;
  tl_formula *const *formula; // simplified
  size_t formulas;
  unsigned rules;
} tl_reducing;

tl_status tl_reduced_open (tl_reduced **, tl_mem *, const tl_reducing *);
void tl_reduced_close (tl_reduced *);
// Gives the smaller net to the caller, with which nothing else can be done
// then.
tl_net *tl_reduced_take (tl_reduced *);

// One of the formulas, about the smaller net; null: no memory.
tl_formula *tl_reduced_formula (const tl_reduced *, tl_arena *, tl_formula *);

// A trace of the smaller net, with its loop, in the net.  TL_E_NOMEM.
tl_status tl_reduced_trace (const tl_reduced *, const tl_trace *, tl_trace *);

#endif
