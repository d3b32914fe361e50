#ifndef TL_CHECK_NARROW_H
#define TL_CHECK_NARROW_H

#include "logic/formula.h"
#include "net/folded.h"

// A net as its questions see it: of one that is not unfolded only what they
// name is computed, so that a proposition that is not defined somewhere does
// no harm to those who do not ask for it.

typedef struct tl_narrow {
  const tl_net *net; // to be searched; it is that net, or `own`
  tl_net own;
  tl_folded folded;
  bool *asked; // [places]
  tl_mem *mem;
} tl_narrow;

tl_status tl_narrow_open (tl_narrow *, tl_mem *, const tl_net *,
                          const tl_questions *);
void tl_narrow_close (tl_narrow *);

#endif
