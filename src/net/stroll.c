#include "net/stroll.h"

#include "net/marking.h"

// How many transitions places decide upon, all together.
static uint64_t decisions (const tl_net *net) {
  return net->pre_start[net->transitions] +
         net->inhibitor_start[net->transitions];
}

static void count_places (tl_stroll *w, tl_arcs arcs) {
  for (uint32_t i = 0; i < arcs.count; i++)
    w->first[arcs.arc[i].place]++;
}

static void note_places (tl_stroll *w, tl_arcs arcs, uint32_t transition) {
  for (uint32_t i = 0; i < arcs.count; i++)
    w->deciding[--w->first[arcs.arc[i].place]] = transition;
}

tl_status tl_stroll_open (tl_stroll *w, tl_mem *mem, const tl_net *net,
                          uint64_t seed) {
  *w = (tl_stroll){.mem = mem, .net = net, .random = {seed}};
  if (!TL_NEW (mem, w->tokens, net->places) ||
      !TL_NEW (mem, w->first, net->places + 1) ||
      !TL_NEW (mem, w->deciding, decisions (net)) ||
      !TL_NEW (mem, w->enabled, net->transitions / 64 + 1))
    return TL_E_NOMEM;
  for (uint32_t t = 0; t < net->transitions; t++) {
    count_places (w, tl_net_pre (net, t));
    count_places (w, tl_net_inhibitors (net, t));
  }
  for (uint32_t p = 0; p < net->places; p++) // where each ends
    w->first[p + 1] += w->first[p];
  for (uint32_t t = 0; t < net->transitions; t++) {
    note_places (w, tl_net_pre (net, t), t);
    note_places (w, tl_net_inhibitors (net, t), t);
  }
  return TL_OK;
}

void tl_stroll_close (tl_stroll *w) {
  if (!w->mem)
    return;
  const tl_net *net = w->net;
  TL_DEL (w->mem, w->tokens, net->places);
  TL_DEL (w->mem, w->first, net->places + 1);
  TL_DEL (w->mem, w->deciding, decisions (net));
  TL_DEL (w->mem, w->enabled, net->transitions / 64 + 1);
}

static void look_at (tl_stroll *w, uint32_t t) {
  const bool is = tl_marking_enables (w->net, w->tokens, t);
  if (tl_stroll_enables (w, t) == is)
    return;
  w->enabled[t / 64] ^= (uint64_t)1 << t % 64;
  w->count += is ? 1 : UINT32_MAX;
}

void tl_stroll_begin (tl_stroll *w) {
  tl_marking_initial (w->net, w->tokens);
  for (uint32_t t = 0; t < w->net->transitions; t++)
    look_at (w, t);
}

// Number n, from 0, of those that are enabled.
static uint32_t enabled_transition (const tl_stroll *w, uint64_t n) {
  const uint64_t *word = w->enabled;
  for (uint64_t here; (here = (uint64_t)__builtin_popcountll (*word)) <= n;
       word++)
    n -= here;
  uint64_t left = *word;
  while (n--)
    left &= left - 1;
  return (uint32_t)(64 * (word - w->enabled) + __builtin_ctzll (left));
}

// What the transition has changed decides upon others.
static void look_around (tl_stroll *w, uint32_t transition) {
  for (tl_change c = tl_net_change (w->net, transition);
       tl_net_change_next (&c);)
    for (uint64_t i = w->first[c.place]; i < w->first[c.place + 1]; i++)
      look_at (w, w->deciding[i]);
}

void tl_stroll_fire (tl_stroll *w, uint32_t transition) {
  tl_marking_fire (w->net, w->tokens, transition);
  look_around (w, transition);
}

void tl_stroll_take_back (tl_stroll *w, uint32_t transition) {
  for (tl_change c = tl_net_change (w->net, transition);
       tl_net_change_next (&c);)
    w->tokens[c.place] -= (uint64_t)c.amount;
  look_around (w, transition);
}

bool tl_stroll_step (tl_stroll *w, uint32_t *fired) {
  if (!w->count)
    return false;
  *fired = enabled_transition (w, tl_random_below (&w->random, w->count));
  tl_stroll_fire (w, *fired);
  return true;
}
