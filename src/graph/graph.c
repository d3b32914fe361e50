#include "graph/graph.h"

#include "graph/arc_code.h"

#include <assert.h>
#include <string.h>

tl_status tl_graph_open (tl_graph **out, tl_mem *mem) {
  *out = 0;
  tl_graph *g;
  if (!TL_NEW (mem, g, 1))
    return TL_E_NOMEM;
  *g = (tl_graph){.mem = mem, .next = 1};
  if (tl_map_open (&g->words, mem)) {
    TL_DEL (mem, g, 1);
    return TL_E_NOMEM;
  }
  *out = g;
  return TL_OK;
}

static void drop_arcs (tl_graph *g) {
  TL_DEL (g->mem, g->arc, g->arc_room);
  g->arc_room = 0;
}

static void drop_all (tl_graph *g) {
  tl_permutation_close (g->order);
  if (!g->borrowed)
    tl_map_close (&g->words);
  if (g->start && !g->borrowed)
    TL_DEL (g->mem, g->start, g->start_room);
  drop_arcs (g);
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
  *g = (tl_graph){.mem = g->mem, .next = 1};
  return tl_map_open (&g->words, g->mem);
}

// ---- Writing ---------------------------------------------------------------

tl_status tl_graph_targets (tl_graph *g, const uint64_t *target, size_t count) {
  if (!TL_ROOM (g->mem, g->arc, &g->arc_room, g->arc_count + count))
    return TL_E_NOMEM;
  uint64_t next = g->next, sum = 0, found = 0;
  for (size_t i = 0; i < count; i++) {
    assert (target[i] <= next);
    // Of the next one that is TL_ARC_NEW.
    const uint64_t arc = next - 1 - target[i];
    const bool isnew = arc == TL_ARC_NEW;
    g->arc[g->arc_count + i] = arc;
    sum += isnew ? 0 : arc;
    found += isnew;
    next += isnew;
  }
  g->arc_count += count;
  g->degree[g->in_block] += (uint32_t)count;
  g->next = next;
  g->found += found;
  g->sum += sum;
  return TL_OK;
}

// Bits for the unary part of a distance, but for the one that ends it; what is
// too long for that takes more, instead of k bits.
static inline uint64_t unary_length (uint64_t distance, unsigned k) {
  const uint64_t whole = TL_LONGEST_UNARY + TL_PLAIN_BITS - 1 - k;
  const uint64_t part = distance >> k;
  return part < TL_LONGEST_UNARY ? part : whole;
}

// Bits of the arcs of the block: one for each, and for each distance the unary
// part, another that ends it, and k bits.
static uint64_t arcs_length (const tl_graph *g, unsigned k, uint64_t unary) {
  return g->arc_count + (g->arc_count - g->found) * (k + 1) + unary;
}

// The best k is the logarithm of the mean distance times ln 2, or one less or
// more.  With TL_MOST_RICE an arc is one write.
static unsigned choose_rice (const tl_graph *g, uint64_t *length) {
  const uint64_t old = g->arc_count - g->found;
  const unsigned best = old ? tl_bits_for (g->sum / old * 177 / 256) : 0;
  const unsigned near = best < TL_MOST_RICE ? best : TL_MOST_RICE;
  const unsigned below = near ? near - 1 : 0;
  uint64_t upper = 0, lower = 0;
  for (size_t i = 0; i < g->arc_count; i++) {
    const uint64_t distance = g->arc[i] == TL_ARC_NEW ? 0 : g->arc[i];
    upper += unary_length (distance, near);
    lower += unary_length (distance, below);
  }
  upper = arcs_length (g, near, upper);
  lower = arcs_length (g, below, lower);
  *length = lower < upper ? lower : upper;
  return lower < upper ? below : near;
}

// Bits that go to a word until it is full.
typedef struct bit_writer {
  uint64_t *at;
  uint64_t word;
  unsigned used; // bits of it
} bit_writer;

// Less than 64 bits.
static inline void write_bits (bit_writer *b, unsigned width, uint64_t value) {
  b->word |= value << b->used;
  b->used += width;
  if (b->used < 64)
    return;
  b->used -= 64;
  *b->at++ = b->word;
  b->word = b->used ? value >> (width - b->used) : 0;
}

static inline void write_arc (bit_writer *b, uint64_t arc, unsigned k) {
  if (arc == TL_ARC_NEW) {
    write_bits (b, 1, 1);
    return;
  }
  const uint64_t unary = arc >> k;
  if (unary < TL_LONGEST_UNARY) {
    const unsigned head = (unsigned)unary + 2;
    const uint64_t ones = tl_low_bits ((unsigned)unary),
                   low = arc & tl_low_bits (k);
    write_bits (b, head + k, ones << 1 | low << head);
  } else {
    write_bits (b, TL_LONGEST_UNARY + 1, tl_low_bits (TL_LONGEST_UNARY) << 1);
    write_bits (b, TL_PLAIN_BITS, arc);
  }
}

static void write_block (tl_graph *g, const tl_block_head *head) {
  uint64_t *const words = (uint64_t *)g->words.base;
  bit_writer b = {.at = words + g->bits / 64, .used = g->bits % 64};
  b.word = *b.at;
  write_bits (&b, TL_DEGREE_BITS, head->least);
  write_bits (&b, TL_WIDTH_BITS, head->width);
  write_bits (&b, TL_RICE_BITS, head->k);
  for (uint32_t i = 0; i < g->in_block; i++)
    write_bits (&b, head->width, g->degree[i] - head->least);
  for (size_t i = 0; i < g->arc_count; i++)
    write_arc (&b, g->arc[i], head->k);
  *b.at = b.word;
  g->bits = (uint64_t)(b.at - words) * 64 + b.used;
}

static tl_status end_block (tl_graph *g) {
  uint32_t least = UINT32_MAX, most = 0;
  uint64_t length;
  for (uint32_t i = 0; i < g->in_block; i++) {
    least = g->degree[i] < least ? g->degree[i] : least;
    most = g->degree[i] > most ? g->degree[i] : most;
  }
  const tl_block_head head = {.least = least,
                              .width = tl_bits_for (most - least),
                              .k = choose_rice (g, &length)};
  if (tl_code_room (&g->words, g->bits,
                    TL_HEAD_BITS + TL_GRAPH_BLOCK * (uint64_t)head.width +
                        length) ||
      !TL_ROOM (g->mem, g->start, &g->start_room, g->blocks + 1))
    return TL_E_NOMEM;
  g->start[g->blocks++] = (tl_graph_start){g->bits, g->next - g->found};
  write_block (g, &head);
  g->widest = g->arc_count > g->widest ? g->arc_count : g->widest;
  g->arcs += g->arc_count;
  g->states += g->in_block;
  g->arc_count = g->in_block = 0;
  g->found = g->sum = 0;
  memset (g->degree, 0, sizeof g->degree);
  return TL_OK;
}

tl_status tl_graph_place (tl_graph *g, uint64_t found) {
  const uint64_t place = g->states + g->in_block;
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
  if (++g->in_block < TL_GRAPH_BLOCK)
    return TL_OK;
  const tl_status rc = end_block (g);
  g->in_block -= rc ? 1 : 0;
  return rc;
}

tl_status tl_graph_finish (tl_graph *g, uint64_t markings) {
  tl_status rc = g->in_block ? end_block (g) : TL_OK;
  if (!rc && g->order)
    rc = tl_permutation_finish (g->order);
  if (!rc)
    drop_arcs (g);
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
