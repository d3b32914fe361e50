#include "graph/around.h"

static bool is_in (const uint64_t *set, uint64_t state) {
  return set[state / 64] >> state % 64 & 1;
}

static void add (uint64_t *set, uint64_t state) {
  set[state / 64] |= (uint64_t)1 << state % 64;
}

// Both ends of an arc that has one inside.
static tl_status add_neighbours (void *context, const tl_walk_visit *v) {
  tl_around *a = context;
  for (uint32_t i = 0; i < v->arcs; i++)
    if (is_in (a->inside, v->number))
      add (a->border, v->target[i]);
    else if (is_in (a->inside, v->target[i]))
      add (a->border, v->number);
  return tl_walk_look (v, a->mem);
}

// Takes in the border; returns whether anything was new.
static bool take_in (tl_around *a) {
  const uint64_t before = a->count;
  a->count = 0;
  for (uint64_t w = 0; w <= a->states / 64; w++) {
    a->inside[w] |= a->border[w];
    a->count += (uint64_t)__builtin_popcountll (a->inside[w]);
  }
  return a->count > before;
}

tl_status tl_around_open (tl_around *a, const tl_graph *g, tl_mem *mem,
                          const tl_net *net, const uint64_t *most,
                          uint64_t centre, uint32_t depth, uint64_t room) {
  *a = (tl_around){.mem = mem, .centre = centre, .states = g->states};
  const size_t words = (size_t)(g->states / 64 + 1);
  tl_status rc = TL_OK;
  if (!TL_NEW (mem, a->inside, words) || !TL_NEW (mem, a->border, words))
    return TL_E_NOMEM;
  add (a->border, centre);
  for (uint32_t d = 0; !rc && take_in (a) && a->count <= room && d < depth; d++)
    rc = tl_graph_walk (g, mem, net, most, add_neighbours, a);
  return rc ? rc : a->count > room ? TL_E_LIMIT : TL_OK;
}

void tl_around_close (tl_around *a) {
  const size_t words = (size_t)(a->states / 64 + 1);
  TL_DEL (a->mem, a->inside, words);
  TL_DEL (a->mem, a->border, words);
}
