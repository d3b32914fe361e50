#include "logic/prices.h"

// So often a transition is looked at, on average: prices that are still too
// high then are good enough.
#define LOOKS 16

static bool list_takers (tl_prices *s) {
  const tl_net *net = s->net;
  for (uint32_t t = 0; t < net->transitions; t++)
    s->takers += tl_net_pre (net, t).count;
  if (!TL_NEW (s->mem, s->taker, s->takers))
    return false;
  for (uint32_t t = 0; t < net->transitions; t++)
    for (tl_arcs pre = tl_net_pre (net, t); pre.count; pre.arc++, pre.count--)
      s->start[pre.arc->place + 1]++;
  for (uint32_t p = 0; p < net->places; p++)
    s->start[p + 1] += s->start[p];
  for (uint32_t t = net->transitions; t--;)
    for (tl_arcs pre = tl_net_pre (net, t); pre.count; pre.arc++, pre.count--)
      s->taker[s->start[pre.arc->place]++] = t;
  for (uint32_t p = net->places; p--;)
    s->start[p + 1] = s->start[p];
  s->start[0] = 0;
  return true;
}

tl_status tl_prices_open (tl_prices *s, tl_mem *mem, const tl_net *net) {
  *s = (tl_prices){.mem = mem, .net = net};
  return TL_NEW (mem, s->price, net->places) &&
                 TL_NEW (mem, s->start, (size_t)net->places + 1) &&
                 TL_NEW (mem, s->queue, net->transitions) &&
                 TL_NEW (mem, s->queued, net->transitions) && list_takers (s)
             ? TL_OK
             : TL_E_NOMEM;
}

void tl_prices_close (tl_prices *s) {
  if (!s->mem)
    return;
  TL_DEL (s->mem, s->price, s->net->places);
  TL_DEL (s->mem, s->start, (size_t)s->net->places + 1);
  TL_DEL (s->mem, s->taker, s->takers);
  TL_DEL (s->mem, s->queue, s->net->transitions);
  TL_DEL (s->mem, s->queued, s->net->transitions);
}

uint64_t tl_prices_missing (const tl_prices *s, const uint64_t *marking,
                            uint32_t transition) {
  const tl_arcs pre = tl_net_pre (s->net, transition);
  __int128 sum = 0;
  for (uint32_t i = 0; i < pre.count; i++) {
    const uint64_t has = marking[pre.arc[i].place], needs = pre.arc[i].weight;
    if (has < needs)
      sum += (__int128)(needs - has) * s->price[pre.arc[i].place];
  }
  return sum < TL_PRICE_NONE ? (uint64_t)sum : TL_PRICE_NONE;
}

static void look_later (tl_prices *s, uint32_t t) {
  const uint32_t all = s->net->transitions, at = s->head + s->count;
  if (s->queued[t])
    return;
  s->queued[t] = 1;
  s->queue[at < all ? at : at - all] = t;
  s->count++;
}

static uint32_t next_to_look (tl_prices *s) {
  const uint32_t t = s->queue[s->head];
  s->head = s->head + 1 < s->net->transitions ? s->head + 1 : 0;
  s->count--;
  s->queued[t] = 0;
  return t;
}

// A token there has become cheaper: for those that miss one, too.
static void tell_takers (tl_prices *s, const uint64_t *marking, uint32_t p) {
  for (uint32_t i = s->start[p]; i < s->start[p + 1]; i++) {
    const tl_arcs pre = tl_net_pre (s->net, s->taker[i]);
    for (uint32_t k = 0; k < pre.count; k++)
      if (pre.arc[k].place == p && marking[p] < pre.arc[k].weight)
        look_later (s, s->taker[i]);
  }
}

static void look (tl_prices *s, const uint64_t *marking, uint32_t t) {
  const uint64_t missing = tl_prices_missing (s, marking, t);
  if (missing == TL_PRICE_NONE)
    return;
  for (tl_change c = tl_net_change (s->net, t); tl_net_change_next (&c);) {
    const uint64_t gain = c.amount > 0 ? (uint64_t)c.amount : 0,
                   price = gain ? (missing + gain) / gain : TL_PRICE_NONE;
    if (price >= s->price[c.place])
      continue;
    s->price[c.place] = price;
    tell_takers (s, marking, c.place);
  }
}

void tl_prices_at (tl_prices *s, const uint64_t *marking) {
  const uint32_t transitions = s->net->transitions;
  for (uint32_t p = 0; p < s->net->places; p++)
    s->price[p] = TL_PRICE_NONE;
  for (uint32_t t = 0; t < transitions; t++)
    if (!tl_prices_missing (s, marking, t))
      look_later (s, t);
  for (uint64_t left = (uint64_t)transitions * LOOKS; left && s->count; left--)
    look (s, marking, next_to_look (s));
  while (s->count)
    (void)next_to_look (s);
}
