#ifndef TL_NET_FOLDED_H
#define TL_NET_FOLDED_H

#include "net/net.h"

// A coloured net that is not unfolded.  The net then has no arcs.  Its places
// are what can be seen of a state: how many tokens each coloured place holds,
// then which propositions hold (0 or 1), then the progress if the net says what
// that is.  Its transitions are the coloured ones.  What is fired is an event:
// a transition with a binding (model/model.h).
//
// It lives in the arena of the net, never changes, and is closed with it.
struct tl_folded {
  uint32_t counted; // places of the net that hold tokens
  uint32_t propositions;
  bool progress;      // the last place is that
  uint64_t arcs;      // of the coloured net, for people
  tl_compile compile; // when searches compile it
  struct tl_coloured *coloured;
  const struct tl_tokens *initial; // [counted]
  // The compiled net where that was wanted at once (compile/compiled.h).
  struct tl_build *build;
  const void *program; // a tl_program
  void (*close) (tl_folded *);
};

// The places of a net that hold tokens; those behind them are seen only.
static inline uint32_t tl_net_counted (const tl_net *net) {
  return net->folded ? net->folded->counted : net->places;
}

#endif
