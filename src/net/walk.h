#ifndef TL_NET_WALK_H
#define TL_NET_WALK_H

#include "base/random.h"
#include "net/net.h"

// A random walk through the markings of a net, for samples of them.  After a
// step those transitions are looked at again that a place decides upon whose
// tokens it has changed, so that a step costs the same in a small net and in a
// large one.
typedef struct tl_walk {
  tl_mem *mem;
  const tl_net *net;
  tl_random random;
  uint64_t *tokens;   // [places] the marking
  uint64_t *first;    // [places + 1] in the next list, where it begins
  uint32_t *deciding; // transitions that the place decides upon
  uint64_t *enabled;  // bitmap
  uint32_t count;     // of these
} tl_walk;

// TL_E_NOMEM: close it all the same.
tl_status tl_walk_open (tl_walk *, tl_mem *, const tl_net *, uint64_t seed);
void tl_walk_close (tl_walk *);

// Goes to the initial marking, where it has to begin.
void tl_walk_begin (tl_walk *);

// Fires a transition that is enabled, each as likely; false: none is.
bool tl_walk_step (tl_walk *, uint32_t *fired);

static inline bool tl_walk_enables (const tl_walk *w, uint32_t transition) {
  return w->enabled[transition / 64] >> transition % 64 & 1;
}

#endif
