#ifndef TL_NET_FOLDED_H
#define TL_NET_FOLDED_H

#include "net/net.h"

// A coloured net that is not unfolded.  The net then has no arcs.  Its places
// are what can be seen of a state: how many tokens each coloured place holds,
// then which propositions hold (0 or 1), then the progress if the net says what
// that is, perhaps in several parts (or what was asked for instead, plus
// TL_ASKED_BIAS, since it may be negative), and the time if it is not that,
// then whether it is the initial marking (0 or 1): tokens that are only counted
// do not tell.  Its transitions are the coloured ones.  What is fired is an
// event: a transition with a binding (model/model.h).
//
// It lives in the arena of the net, never changes, and is closed with it.

#define TL_ASKED_BIAS 2147483648u

struct tl_folded {
  uint32_t counted; // places of the net that hold tokens
  uint32_t propositions;
  uint32_t measures;       // progress in parts, and time
  uint32_t progress_parts; // of these
  bool has_time;           // the last of them never goes back
  uint64_t arcs;           // of the coloured net, for people
  tl_compile compile;      // when searches compile it
  struct tl_coloured *coloured;
  const struct tl_tokens *initial; // [counted]
  // [places of the net] Of propositions and measures those that somebody looks
  // at, the others are 0 in every state; null: nobody does.
  const bool *asked;
  // The compiled net where that was wanted at once (compile/compiled.h).
  struct tl_build *build;
  const void *program; // a tl_program
  void (*close) (tl_folded *);
};

// The place that is marked in the initial marking only; of a net that is not
// unfolded.
static inline uint32_t tl_folded_initial (const tl_net *net) {
  return net->places - 1;
}

// The places of a net that hold tokens; those behind them are seen only.
static inline uint32_t tl_net_counted (const tl_net *net) {
  return net->folded ? net->folded->counted : net->places;
}

#endif
