#include "graph/graph.h"

#include "graph/graph_block.h"

#include <assert.h>
#include <string.h>

tl_status tl_graph_open (tl_graph **out, tl_mem *mem) {
  *out = 0;
  tl_graph *g;
  if (!TL_NEW (mem, g, 1))
    return TL_E_NOMEM;
  *g = (tl_graph){.mem = mem, .block.next = 1};
  if (tl_map_open (&g->words, mem)) {
    TL_DEL (mem, g, 1);
    return TL_E_NOMEM;
  }
  *out = g;
  return TL_OK;
}

static void drop_all (tl_graph *g) {
  tl_permutation_close (g->order);
  if (!g->borrowed)
    tl_map_close (&g->words);
  if (g->start && !g->borrowed)
    TL_DEL (g->mem, g->start, g->start_room);
  tl_block_close (&g->block, g->mem);
}

void tl_graph_close (tl_graph *g) {
  if (!g)
    return;
  tl_mem *mem = g->mem;
  drop_all (g);
  TL_DEL (mem, g, 1);
}

tl_status tl_graph_restart (tl_graph *g) {
  drop_all (g);
  *g = (tl_graph){.mem = g->mem, .block.next = 1};
  return tl_map_open (&g->words, g->mem);
}

// ---- Writing ---------------------------------------------------------------

tl_status tl_graph_targets (tl_graph *g, const uint64_t *target, size_t count) {
  return tl_block_targets (&g->block, g->mem, target, count);
}

// Room for another block of so many bits.
static tl_status make_room (tl_graph *g, uint64_t bits) {
  return tl_code_room (&g->words, g->bits, bits) ||
                 !TL_ROOM (g->mem, g->start, &g->start_room, g->blocks + 1)
             ? TL_E_NOMEM
             : TL_OK;
}

// A block was written behind those there were.
static void count_block (tl_graph *g, const tl_graph_block *b, uint64_t bits) {
  g->start[g->blocks++] = (tl_graph_start){g->bits, b->next - b->found};
  g->bits = bits;
  g->widest = b->arc_count > g->widest ? b->arc_count : g->widest;
  g->arcs += b->arc_count;
  g->states += b->states;
}

static uint64_t *words_of (const tl_graph *g) {
  return (uint64_t *)g->words.base;
}

static tl_status end_block (tl_graph *g) {
  tl_graph_block *b = &g->block;
  uint64_t bits;
  const tl_block_head head = tl_block_fit (b, &bits);
  if (make_room (g, bits))
    return TL_E_NOMEM;
  count_block (g, b, tl_block_write (b, &head, words_of (g), g->bits));
  tl_block_begin (b, b->next);
  return TL_OK;
}

tl_status tl_graph_part_place (tl_graph *g, tl_graph_part *p) {
  const tl_graph_block *b = &p->block;
  assert (!g->block.states && g->block.next == b->next - b->found);
  if (make_room (g, p->bits))
    return TL_E_NOMEM;
  p->at = g->bits;
  count_block (g, b, g->bits + p->bits);
  g->block.next = b->next;
  return TL_OK;
}

void tl_graph_touch (tl_graph *g, tl_threads *team) {
  tl_threads_touch (team, &g->words, &g->ready, (size_t)(g->bits / 8));
}

void tl_graph_part_write (const tl_graph *g, const tl_graph_part *p) {
  const uint64_t end =
      tl_block_write (&p->block, &p->head, words_of (g), p->at);
  assert (end == p->at + p->bits);
  (void)end;
}

tl_status tl_graph_place (tl_graph *g, uint64_t found) {
  const uint64_t place = g->states + g->block.states;
  tl_status rc = TL_OK;
  if (!g->order && found != place) {
    rc = tl_permutation_open (&g->order, g->mem);
    for (uint64_t i = 0; !rc && i < place; i++)
      rc = tl_permutation_set (g->order, i, i);
  }
  return rc         ? rc
         : g->order ? tl_permutation_set (g->order, found, place)
                    : TL_OK;
}

tl_status tl_graph_end_state (tl_graph *g) {
  if (++g->block.states < TL_GRAPH_BLOCK)
    return TL_OK;
  const tl_status rc = end_block (g);
  g->block.states -= rc ? 1 : 0;
  return rc;
}

tl_status tl_graph_finish (tl_graph *g, uint64_t markings) {
  tl_status rc = g->block.states ? end_block (g) : TL_OK;
  if (!rc && g->order)
    rc = tl_permutation_finish (g->order);
  if (!rc)
    tl_block_close (&g->block, g->mem);
  g->markings = markings;
  return rc;
}

// ---- Sizes -----------------------------------------------------------------

tl_graph_figures tl_graph_describe (const tl_graph *g) {
  return (tl_graph_figures){.states = g->states,
                            .arcs = g->arcs,
                            .bits = g->bits,
                            .widest = g->widest,
                            .markings = g->markings,
                            .order_bits = g->order ? g->order->bits : 0};
}

uint64_t tl_graph_bytes (const tl_graph *g) {
  return (g->bits + 7) / 8 + g->blocks * sizeof *g->start +
         (g->order ? tl_permutation_bytes (g->order) : 0);
}

uint64_t tl_graph_published_bytes (const tl_graph *g, uint32_t transitions) {
  const uint64_t word = 64;
  const unsigned label = transitions > 1 ? tl_bits_for (transitions - 1) : 0,
                 state = g->states > 1 ? tl_bits_for (g->states - 1) : 0;
  return (2 * word * g->states + g->arcs * (label + state) + 7) / 8;
}
