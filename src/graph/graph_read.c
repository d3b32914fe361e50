// Reading a graph: whole blocks, state after state, and blocks that nobody
// vouches for.

#include "graph/arc_code.h"

static tl_bit_reader at_block (const tl_graph *g, uint64_t block) {
  return (tl_bit_reader){(const uint64_t *)g->words.base, g->start[block].bit};
}

static uint32_t states_in (const tl_graph *g, uint64_t block) {
  const uint64_t left = g->states - block * TL_GRAPH_BLOCK;
  return left < TL_GRAPH_BLOCK ? (uint32_t)left : TL_GRAPH_BLOCK;
}

// ---- Whole blocks ----------------------------------------------------------

tl_status tl_graph_reader_open (tl_graph_reader *r, const tl_graph *g) {
  *r = (tl_graph_reader){.graph = g};
  return TL_NEW (g->mem, r->target, g->widest + 1) ? TL_OK : TL_E_NOMEM;
}

void tl_graph_reader_close (tl_graph_reader *r) {
  if (r->target)
    TL_DEL (r->graph->mem, r->target, r->graph->widest + 1);
}

// Of a block whose states are known.
static void read_degrees (tl_graph_reader *r, tl_bit_reader *b,
                          const tl_block_head *head) {
  r->end[0] = 0;
  for (uint32_t i = 0; i < r->count; i++)
    r->end[i + 1] = r->end[i] + head->least + tl_next_bits (b, head->width);
}

static tl_block_head read_head (tl_graph_reader *r, uint64_t block,
                                tl_bit_reader *b) {
  *b = at_block (r->graph, block);
  r->first = block * TL_GRAPH_BLOCK;
  r->count = states_in (r->graph, block);
  return tl_next_head (b);
}

void tl_graph_read_degrees (tl_graph_reader *r, uint64_t block) {
  tl_bit_reader b;
  const tl_block_head head = read_head (r, block, &b);
  read_degrees (r, &b, &head);
}

// From the order of finding to numbers.
static inline void number_all (const tl_graph *g, uint64_t *target,
                               uint64_t count) {
  for (uint64_t i = 0; g->order && i < count; i++)
    target[i] = tl_permutation_image (g->order, target[i]);
}

void tl_graph_read (tl_graph_reader *r, uint64_t block) {
  const tl_graph *g = r->graph;
  tl_bit_reader b;
  const tl_block_head head = read_head (r, block, &b);
  uint64_t next = g->start[block].next;
  read_degrees (r, &b, &head);
  for (uint64_t i = 0; i < r->end[r->count]; i++) {
    const uint64_t arc = tl_next_arc (&b, head.k);
    r->target[i] = arc == TL_ARC_NEW ? next++ : next - 1 - arc;
  }
  number_all (g, r->target, r->end[r->count]);
}

// ---- State after state -----------------------------------------------------

uint64_t tl_graph_step (tl_graph_cursor *c, uint64_t *target) {
  const uint64_t block = c->state / TL_GRAPH_BLOCK,
                 i = c->state % TL_GRAPH_BLOCK;
  tl_bit_reader b = at_block (c->graph, block);
  const tl_block_head head = tl_next_head (&b);
  if (!i) {
    c->bit = b.at + (uint64_t)head.width * states_in (c->graph, block);
    c->next = c->graph->start[block].next;
  }
  b.at += i * head.width;
  const uint64_t degree = head.least + tl_next_bits (&b, head.width);
  b.at = c->bit;
  for (uint64_t j = 0; j < degree; j++) {
    const uint64_t arc = tl_next_arc (&b, head.k);
    target[j] = arc == TL_ARC_NEW ? c->next++ : c->next - 1 - arc;
  }
  number_all (c->graph, target, degree);
  c->bit = b.at;
  c->state++;
  return degree;
}

void tl_graph_seek (tl_graph_cursor *c, const tl_graph *g, uint64_t state) {
  const uint64_t block = state / TL_GRAPH_BLOCK;
  *c = (tl_graph_cursor){.graph = g, .state = state};
  tl_bit_reader b = at_block (g, block);
  const tl_block_head head = tl_next_head (&b);
  uint64_t arcs = 0;
  for (uint64_t i = 0; i < state % TL_GRAPH_BLOCK; i++)
    arcs += head.least + tl_next_bits (&b, head.width);
  b.at = g->start[block].bit + TL_HEAD_BITS +
         (uint64_t)head.width * states_in (g, block);
  c->next = g->start[block].next;
  for (uint64_t i = 0; i < arcs; i++)
    c->next += tl_next_arc (&b, head.k) == TL_ARC_NEW;
  c->bit = b.at;
}

// The last block that starts before the state is found.
static uint64_t block_that_finds (const tl_graph *g, uint64_t found) {
  uint64_t low = 0, high = g->blocks;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    if (g->start[middle].next <= found)
      low = middle;
    else
      high = middle;
  }
  return low;
}

tl_status tl_graph_parent (const tl_graph *g, uint64_t state, uint64_t *parent,
                           uint64_t *arc) {
  uint64_t *target;
  if (!TL_NEW (g->mem, target, g->widest + 1))
    return TL_E_NOMEM;
  const uint64_t found =
      g->order ? tl_permutation_find (g->order, state) : state;
  tl_graph_cursor c;
  tl_graph_seek (&c, g, block_that_finds (g, found) * TL_GRAPH_BLOCK);
  uint64_t degree = 0;
  while (c.next <= found)
    degree = tl_graph_step (&c, target);
  *parent = c.state - 1;
  for (*arc = 0; *arc + 1 < degree && target[*arc] != state;)
    ++*arc;
  TL_DEL (g->mem, target, g->widest + 1);
  return TL_OK;
}

// ---- Blocks that nobody vouches for ----------------------------------------

// Where the block ends, and how many states were found by then.
static tl_graph_start end_of (const tl_graph *g, uint64_t block) {
  return block + 1 < g->blocks ? g->start[block + 1]
                               : (tl_graph_start){g->bits, g->states};
}

// Every state was found before it is described, and nothing leads to one that
// was not found.  The code is read up to its end and no further: what a reader
// looks at from there on are the words that tl_graph_words adds.
static bool arcs_are_sound (tl_graph_reader *r, tl_bit_reader *b, unsigned k,
                            uint64_t next, const tl_graph_start *end) {
  const tl_graph *g = r->graph;
  for (uint32_t i = 0; i < r->count; i++)
    for (uint64_t j = r->end[i]; j < r->end[i + 1]; j++) {
      if (b->at >= end->bit)
        return false;
      const uint64_t arc = tl_next_arc (b, k);
      if (arc == TL_ARC_NEW
              ? next >= g->states || tl_graph_number (g, next) <= r->first + i
              : arc >= next)
        return false;
      next += arc == TL_ARC_NEW;
    }
  return b->at == end->bit && next == end->next;
}

static bool block_is_sound (tl_graph_reader *r, uint64_t block) {
  const tl_graph *g = r->graph;
  const tl_graph_start *start = g->start + block, end = end_of (g, block);
  if (end.bit > g->bits || start->bit > end.bit ||
      end.bit - start->bit < TL_HEAD_BITS)
    return false;
  tl_bit_reader b;
  const tl_block_head head = read_head (r, block, &b);
  if (head.width > TL_DEGREE_BITS ||
      end.bit - b.at < (uint64_t)head.width * r->count)
    return false;
  read_degrees (r, &b, &head);
  return r->end[r->count] <= g->widest &&
         arcs_are_sound (r, &b, head.k, start->next, &end);
}

static tl_status check (const tl_graph *g) {
  tl_graph_reader r = {.graph = g};
  bool sound = g->states && g->widest <= g->arcs && g->markings <= g->states &&
               g->start[0].next == 1 && !g->start[0].bit &&
               !tl_graph_number (g, 0);
  uint64_t arcs = 0;
  for (uint64_t b = 0; sound && b < g->blocks; b++) {
    sound = block_is_sound (&r, b);
    arcs += r.end[r.count];
  }
  return sound && arcs == g->arcs ? TL_OK : TL_E_SYNTAX;
}

tl_status tl_graph_borrow (tl_graph **out, tl_mem *mem,
                           const tl_graph_figures *figures,
                           const tl_graph_start *start, const uint64_t *words,
                           tl_permutation *order) {
  *out = 0;
  tl_graph *g;
  if (!TL_NEW (mem, g, 1)) {
    tl_permutation_close (order);
    return TL_E_NOMEM;
  }
  *g = (tl_graph){.mem = mem,
                  .states = figures->states,
                  .arcs = figures->arcs,
                  .markings = figures->markings,
                  .words.base = (unsigned char *)words,
                  .bits = figures->bits,
                  .start = (tl_graph_start *)start,
                  .blocks = tl_graph_blocks (figures->states),
                  .widest = figures->widest,
                  .block.next = figures->states,
                  .order = order,
                  .borrowed = true};
  const tl_status rc = check (g);
  if (rc)
    tl_graph_close (g);
  else
    *out = g;
  return rc;
}
