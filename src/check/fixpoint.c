#include "check/fixpoint.h"

#include "base/bits.h"
#include "base/cancel.h"
#include "base/clock.h"

_Static_assert(TL_GRAPH_BLOCK == 64, "a block of the graph is a word of sets");

tl_status tl_fixpoints_open (tl_fixpoints *f, tl_mem *mem, const tl_graph *g) {
  *f = (tl_fixpoints){
      .mem = mem, .graph = g, .words = (size_t)(g->states / 64 + 1)};
  return tl_graph_reader_open (&f->reader, g);
}

void tl_fixpoints_close (tl_fixpoints *f) {
  tl_graph_reader_close (&f->reader);
  tl_arc_list_close (&f->arcs);
}

tl_status tl_fixpoints_unpack (tl_fixpoints *f) {
  return f->arcs.first ? TL_OK : tl_arc_list_open (&f->arcs, f->mem, f->graph);
}

// Bytes that can still be taken from the account.
static size_t bytes_left (const tl_mem *mem) {
  size_t left = SIZE_MAX;
  for (; mem; mem = mem->parent)
    if (mem->limit && mem->limit - mem->used < left)
      left = mem->limit - mem->used;
  return left;
}

// Unpacks where that leaves as much for sets and runs.
static void unpack_if_small (tl_fixpoints *f) {
  const uint64_t size =
      f->graph->states * sizeof *f->arcs.first +
      f->graph->arcs * (f->graph->states > UINT32_MAX ? 8 : 4);
  if (size < bytes_left (f->mem) / 2)
    (void)tl_fixpoints_unpack (f); // else the code is read
}

static void open_block (tl_fixpoints *f, uint64_t block) {
  if (!f->arcs.first)
    tl_graph_read (&f->reader, block);
}

static uint64_t states_of (const tl_fixpoints *f, uint64_t block) {
  return block + 1 < f->graph->blocks
             ? ~(uint64_t)0
             : tl_low_bits (
                   (unsigned)(f->graph->states - block * TL_GRAPH_BLOCK));
}

uint64_t *tl_set_new (const tl_fixpoints *f) {
  uint64_t *set;
  return TL_NEW (f->mem, set, f->words);
}

void tl_set_close (const tl_fixpoints *f, uint64_t *set) {
  TL_DEL (f->mem, set, f->words);
}

void tl_set_invert (const tl_fixpoints *f, uint64_t *set) {
  for (size_t i = 0; i < f->words; i++)
    set[i] = ~set[i];
  set[f->words - 1] &= tl_low_bits (f->graph->states % 64);
}

// The next of the states of a word, from the upper or the lower end; takes it
// out.
static inline unsigned take (uint64_t *word, bool upper) {
  const unsigned i = upper ? 63 - (unsigned)__builtin_clzll (*word)
                           : (unsigned)__builtin_ctzll (*word);
  *word &= ~((uint64_t)1 << i);
  return i;
}

// Has state i of the block that was opened a successor in the set?
static inline bool leads_into (const tl_fixpoints *f, uint64_t block,
                               unsigned i, const uint64_t *set) {
  if (f->arcs.first) {
    const uint64_t *first = f->arcs.first + block * TL_GRAPH_BLOCK + i;
    if (f->arcs.target.wide) {
      for (uint64_t a = first[0]; a < first[1]; a++)
        if (tl_set_has (set, tl_numbers_get (&f->arcs.target, a)))
          return true;
      return false;
    }
    const uint32_t *target = f->arcs.target.at;
    for (uint64_t a = first[0]; a < first[1]; a++)
      if (tl_set_has (set, target[a]))
        return true;
    return false;
  }
  const tl_graph_reader *r = &f->reader;
  for (uint64_t a = r->end[i]; a < r->end[i + 1]; a++)
    if (tl_set_has (set, r->target[a]))
      return true;
  return false;
}

static inline bool is_dead (const tl_fixpoints *f, uint64_t block, unsigned i) {
  const uint64_t *end = f->arcs.first
                            ? f->arcs.first + block * TL_GRAPH_BLOCK + i
                            : f->reader.end + i;
  return end[0] == end[1];
}

tl_status tl_set_before (tl_fixpoints *f, const uint64_t *set,
                         uint64_t *result) {
  f->passes++;
  unpack_if_small (f);
  for (uint64_t b = 0; b < f->graph->blocks; b++) {
    open_block (f, b);
    uint64_t word = 0, left = states_of (f, b);
    while (left) {
      const unsigned i = take (&left, false);
      word |= (uint64_t)leads_into (f, b, i, set) << i;
    }
    result[b] = word;
  }
  return TL_OK;
}

static bool interrupted (const tl_fixpoints *f) {
  return tl_cancelled (f->cancel) ||
         (f->deadline > 0 && tl_clock () > f->deadline);
}

// Looks at the states of one block that a pass may change; true: one did.
typedef bool look (tl_fixpoints *, uint64_t block, bool upper,
                   const uint64_t *along, uint64_t *result);

static bool grow (tl_fixpoints *f, uint64_t block, bool upper,
                  const uint64_t *along, uint64_t *result) {
  uint64_t left = (along ? along[block] : ~(uint64_t)0) & ~result[block];
  bool changed = false;
  left &= states_of (f, block);
  if (!left)
    return false;
  open_block (f, block);
  while (left) {
    const unsigned i = take (&left, upper);
    if (leads_into (f, block, i, result)) {
      result[block] |= (uint64_t)1 << i;
      changed = true;
    }
  }
  return changed;
}

static bool shrink (tl_fixpoints *f, uint64_t block, bool upper,
                    const uint64_t *along, uint64_t *result) {
  (void)along;
  uint64_t left = result[block];
  bool changed = false;
  if (!left)
    return false;
  open_block (f, block);
  while (left) {
    const unsigned i = take (&left, upper);
    if (!is_dead (f, block, i) && !leads_into (f, block, i, result)) {
      result[block] &= ~((uint64_t)1 << i);
      changed = true;
    }
  }
  return changed;
}

static tl_status iterate (tl_fixpoints *f, look *look_at, const uint64_t *along,
                          uint64_t *result) {
  const uint64_t blocks = f->graph->blocks;
  bool changed = true;
  unpack_if_small (f);
  for (bool upper = true; changed; upper = !upper) {
    if (interrupted (f))
      return TL_E_LIMIT;
    changed = false;
    f->passes++;
    for (uint64_t i = 0; i < blocks; i++)
      changed |= look_at (f, upper ? blocks - 1 - i : i, upper, along, result);
  }
  return TL_OK;
}

tl_status tl_set_until (tl_fixpoints *f, const uint64_t *along,
                        uint64_t *result) {
  return iterate (f, grow, along, result);
}

tl_status tl_set_stay (tl_fixpoints *f, uint64_t *result) {
  return iterate (f, shrink, 0, result);
}
