#ifndef TL_REDUCE_WATCHED_H
#define TL_REDUCE_WATCHED_H

#include "logic/formula.h"
#include "reduce/rules.h"

// What somebody looks at: the places of formulas, and which way they should go.
typedef struct tl_watched {
  tl_mem *mem;
  const tl_net *net;
  uint8_t *up, *down; // [places] more of it helps, less of it does
} tl_watched;

// TL_E_NOMEM; then, too, it may be closed.
tl_status tl_watched_open (tl_watched *, tl_mem *, const tl_net *);
void tl_watched_close (tl_watched *);

// Adds what a marking must have that satisfies the formula.  Under temporal
// operators both ways.
void tl_watched_add (tl_watched *, const tl_formula *);

// What has to be kept for finding markings that satisfy one of these, or, of
// formulas about runs, for knowing whether they hold.
tl_keep tl_watched_keep (tl_formula *const *, size_t count);

#endif
