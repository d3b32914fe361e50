#ifndef TL_NET_STROLL_H
#define TL_NET_STROLL_H

#include "base/random.h"
#include "net/net.h"

// A random walk through the markings of a net, for samples of them.  After a
// step those transitions are looked at again that a place decides upon whose
// tokens it has changed, so that a step costs the same in a small net and in a
// large one.
typedef struct tl_stroll {
  tl_mem *mem;
  const tl_net *net;
  tl_random random;
  uint64_t *tokens;   // [places] the marking
  uint64_t *first;    // [places + 1] in the next list, where it begins
  uint32_t *deciding; // transitions that the place decides upon
  uint64_t *enabled;  // bitmap
  uint32_t count;     // of these
} tl_stroll;

// TL_E_NOMEM: close it all the same.
tl_status tl_stroll_open (tl_stroll *, tl_mem *, const tl_net *, uint64_t seed);
void tl_stroll_close (tl_stroll *);

// Goes to the initial marking, where it has to begin.
void tl_stroll_begin (tl_stroll *);

// Fires a transition that is enabled, each as likely; false: none is.
bool tl_stroll_step (tl_stroll *, uint32_t *fired);

// Fires one that is enabled; and takes back the last one that was fired.
void tl_stroll_fire (tl_stroll *, uint32_t transition);
void tl_stroll_take_back (tl_stroll *, uint32_t transition);

static inline bool tl_stroll_enables (const tl_stroll *w, uint32_t transition) {
  return w->enabled[transition / 64] >> transition % 64 & 1;
}

#endif
