#ifndef TL_LOGIC_PRICES_H
#define TL_LOGIC_PRICES_H

#include "net/net.h"

// What tokens cost at a marking: how many steps bring one more to a place, if
// no step took any away (the additive heuristic of planning: Bonet, Geffner,
// "Planning as heuristic search", Artificial Intelligence 129, 2001).  A step
// costs 1 and the tokens that it is missing; what adds several at once shares
// that among them.  So far the tokens that are missing in front of the goal
// count for what has to happen before, and a guess: it may be too much, and it
// may be too little.

typedef struct tl_prices {
  tl_mem *mem;
  const tl_net *net;
  uint64_t *price; // [places] TL_PRICE_NONE: none can be brought there
  uint32_t *start; // [places + 1] of `taker`
  uint32_t *taker; // transitions that wait for tokens of a place
  size_t takers;
  uint32_t *queue; // [transitions] a ring of those to be looked at
  uint8_t *queued; // [transitions]
  uint32_t head, count;
} tl_prices;

#define TL_PRICE_NONE ((uint64_t)1 << 40)

// TL_E_NOMEM; then, too, it may be closed.
tl_status tl_prices_open (tl_prices *, tl_mem *, const tl_net *);
void tl_prices_close (tl_prices *);

// Finds the prices at a marking of all places.
void tl_prices_at (tl_prices *, const uint64_t *marking);

// Of the tokens that the transition is missing there; TL_PRICE_NONE at most.
uint64_t tl_prices_missing (const tl_prices *, const uint64_t *marking,
                            uint32_t transition);

#endif
