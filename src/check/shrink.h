#ifndef TL_CHECK_SHRINK_H
#define TL_CHECK_SHRINK_H

#include "logic/formula.h"

// Formulas made smaller before any search, and decided where that is enough:
// they are rewritten, and what they say about the initial marking itself is
// put in its place.

typedef struct tl_shrinker {
  tl_arena *arena; // where formulas are made
  const tl_net *net;
  const uint64_t *initial; // [places]
} tl_shrinker;

typedef struct tl_shrunk {
  tl_formula *formula; // true at the initial marking if the question is
  bool linear;         // every X in it is one of LTL (logic/linear.h)
  // How it was decided: "rewrite", or "initial" for the initial marking.  Then
  // the formula is a constant.  Null: it is not.
  const char *engine;
} tl_shrunk;

tl_status tl_shrink (tl_shrinker *, const tl_question *, tl_shrunk *);

#endif
