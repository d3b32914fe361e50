#ifndef TL_CHECK_NOTED_H
#define TL_CHECK_NOTED_H

#include "explore/explore.h"

// A marking that a search came to, to be found again by another one.  In a
// coloured net that is not unfolded the tokens that can be counted do not tell
// it from all others; there it has its tokens in words.
typedef struct tl_noted {
  uint64_t *seen; // [places of the net]; null: none is noted
  char *words;    // null: what can be seen is enough
  size_t length;  // of these, in bytes
} tl_noted;

// TL_E_NOMEM.
tl_status tl_noted_make (tl_noted *, tl_mem *, const tl_visit *);
// A marking that has words is found by a search only.
bool tl_noted_is_at (const tl_noted *, const tl_net *, const tl_visit *);
void tl_noted_close (tl_noted *, tl_mem *, const tl_net *);

#endif
