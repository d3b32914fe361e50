#ifndef TL_CHECK_SMALLER_H
#define TL_CHECK_SMALLER_H

#include "base/budget.h"
#include "reduce/reduced.h"

// A formula and a net made smaller for it (reduce/reduced.h), with what is
// known of that net already.
typedef struct tl_smaller {
  tl_mem mem;
  tl_budget budget;
  tl_formula *formula;     // about the smaller net
  const tl_net *net;       // the smaller one, or the net
  tl_reduced *reduced;     // null: it would not be smaller
  tl_structure *own;       // of the smaller net
  tl_structure *structure; // of `net`; null: not known
} tl_smaller;

// `structure` of the net may be null.  It takes about so many seconds at most.
// The formula is made in the arena.  TL_E_NOMEM; then, too, it may be closed.
tl_status tl_smaller_open (tl_smaller *, tl_mem *parent, tl_arena *,
                           const tl_net *, tl_structure *, tl_formula *,
                           double seconds);
void tl_smaller_close (tl_smaller *);

#endif
