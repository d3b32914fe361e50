#include "graph/graph_block.h"

#include "graph/arc_code.h"

#include <assert.h>
#include <string.h>

tl_status tl_block_targets (tl_graph_block *b, tl_mem *mem,
                            const uint64_t *target, size_t count) {
  if (!TL_ROOM (mem, b->arc, &b->arc_room, b->arc_count + count))
    return TL_E_NOMEM;
  uint64_t next = b->next, sum = 0, found = 0;
  for (size_t i = 0; i < count; i++) {
    assert (target[i] <= next);
    // Of the next one that is TL_ARC_NEW.
    const uint64_t arc = next - 1 - target[i];
    const bool isnew = arc == TL_ARC_NEW;
    b->arc[b->arc_count + i] = arc;
    sum += isnew ? 0 : arc;
    found += isnew;
    next += isnew;
  }
  b->arc_count += count;
  b->degree[b->states] += (uint32_t)count;
  b->next = next;
  b->found += found;
  b->sum += sum;
  return TL_OK;
}

void tl_block_begin (tl_graph_block *b, uint64_t next) {
  b->next = next;
  b->arc_count = b->states = 0;
  b->found = b->sum = 0;
  memset (b->degree, 0, sizeof b->degree);
}

void tl_block_close (tl_graph_block *b, tl_mem *mem) {
  TL_DEL (mem, b->arc, b->arc_room);
  b->arc_room = 0;
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
static uint64_t arcs_length (const tl_graph_block *b, unsigned k,
                             uint64_t unary) {
  return b->arc_count + (b->arc_count - b->found) * (k + 1) + unary;
}

// The best k is the logarithm of the mean distance times ln 2, or one less or
// more.  With TL_MOST_RICE an arc is one write.
static unsigned choose_rice (const tl_graph_block *b, uint64_t *length) {
  const uint64_t old = b->arc_count - b->found;
  const unsigned best = old ? tl_bits_for (b->sum / old * 177 / 256) : 0;
  const unsigned near = best < TL_MOST_RICE ? best : TL_MOST_RICE;
  const unsigned below = near ? near - 1 : 0;
  uint64_t upper = 0, lower = 0;
  for (size_t i = 0; i < b->arc_count; i++) {
    const uint64_t distance = b->arc[i] == TL_ARC_NEW ? 0 : b->arc[i];
    upper += unary_length (distance, near);
    lower += unary_length (distance, below);
  }
  upper = arcs_length (b, near, upper);
  lower = arcs_length (b, below, lower);
  *length = lower < upper ? lower : upper;
  return lower < upper ? below : near;
}

// Bits that go to a word until it is full.  The first and the last one may have
// bits of others.
typedef struct bit_writer {
  uint64_t *at, *first;
  uint64_t word;
  unsigned used; // bits of it
} bit_writer;

static inline void write_word (const bit_writer *to) {
  __atomic_fetch_or (to->at, to->word, __ATOMIC_RELAXED);
}

// Less than 64 bits.
static inline void write_bits (bit_writer *to, unsigned width, uint64_t value) {
  to->word |= value << to->used;
  to->used += width;
  if (to->used < 64)
    return;
  to->used -= 64;
  if (to->at == to->first)
    write_word (to);
  else
    *to->at = to->word;
  to->at++;
  to->word = to->used ? value >> (width - to->used) : 0;
}

static inline void write_arc (bit_writer *to, uint64_t arc, unsigned k) {
  if (arc == TL_ARC_NEW) {
    write_bits (to, 1, 1);
    return;
  }
  const uint64_t unary = arc >> k;
  if (unary < TL_LONGEST_UNARY) {
    const unsigned head = (unsigned)unary + 2;
    const uint64_t ones = tl_low_bits ((unsigned)unary),
                   low = arc & tl_low_bits (k);
    write_bits (to, head + k, ones << 1 | low << head);
  } else {
    write_bits (to, TL_LONGEST_UNARY + 1, tl_low_bits (TL_LONGEST_UNARY) << 1);
    write_bits (to, TL_PLAIN_BITS, arc);
  }
}

tl_block_head tl_block_fit (const tl_graph_block *b, uint64_t *bits) {
  uint32_t least = UINT32_MAX, most = 0;
  uint64_t length;
  for (uint32_t i = 0; i < b->states; i++) {
    least = b->degree[i] < least ? b->degree[i] : least;
    most = b->degree[i] > most ? b->degree[i] : most;
  }
  const tl_block_head head = {.least = least,
                              .width = tl_bits_for (most - least),
                              .k = choose_rice (b, &length)};
  *bits = TL_HEAD_BITS + TL_GRAPH_BLOCK * (uint64_t)head.width + length;
  return head;
}

uint64_t tl_block_write (const tl_graph_block *b, const tl_block_head *head,
                         uint64_t *words, uint64_t bits) {
  uint64_t *const at = words + bits / 64;
  bit_writer to = {.at = at, .first = at, .used = bits % 64};
  write_bits (&to, TL_DEGREE_BITS, head->least);
  write_bits (&to, TL_WIDTH_BITS, head->width);
  write_bits (&to, TL_RICE_BITS, head->k);
  for (uint32_t i = 0; i < b->states; i++)
    write_bits (&to, head->width, b->degree[i] - head->least);
  for (size_t i = 0; i < b->arc_count; i++)
    write_arc (&to, b->arc[i], head->k);
  write_word (&to);
  return (uint64_t)(to.at - words) * 64 + to.used;
}

// ---- Apart -----------------------------------------------------------------

tl_status tl_graph_part_open (tl_graph_part **out, tl_mem *mem) {
  tl_graph_part *p;
  *out = 0;
  if (!TL_NEW (mem, p, 1))
    return TL_E_NOMEM;
  p->mem = mem;
  *out = p;
  return TL_OK;
}

void tl_graph_part_close (tl_graph_part *p) {
  tl_mem *mem = p->mem;
  tl_block_close (&p->block, mem);
  TL_DEL (mem, p, 1);
}

tl_status tl_graph_part_make (tl_graph_part *p, uint64_t found,
                              const uint64_t *target, const uint32_t *end) {
  tl_graph_block *b = &p->block;
  uint32_t from = 0;
  tl_block_begin (b, found);
  for (; b->states < TL_GRAPH_BLOCK; from = end[b->states++])
    if (tl_block_targets (b, p->mem, target + from, end[b->states] - from))
      return TL_E_NOMEM;
  p->head = tl_block_fit (b, &p->bits);
  return TL_OK;
}
