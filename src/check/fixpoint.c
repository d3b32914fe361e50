#include "check/fixpoint.h"

#include "base/bits.h"
#include "base/clock.h"

_Static_assert(TL_GRAPH_BLOCK == 64, "a block of the graph is a word of sets");

tl_status tl_fixpoints_open (tl_fixpoints *f, tl_mem *mem, const tl_graph *g) {
  *f = (tl_fixpoints){
      .mem = mem, .graph = g, .words = (size_t)(g->states / 64 + 1)};
  return tl_graph_reader_open (&f->reader, g);
}

void tl_fixpoints_close (tl_fixpoints *f) {
  tl_graph_reader_close (&f->reader);
}

uint64_t *tl_set_new (const tl_fixpoints *f) {
  uint64_t *set;
  return TL_NEW (f->mem, set, f->words);
}

void tl_set_close (const tl_fixpoints *f, uint64_t *set) {
  if (set)
    TL_DEL (f->mem, set, f->words);
}

void tl_set_invert (const tl_fixpoints *f, uint64_t *set) {
  for (size_t i = 0; i < f->words; i++)
    set[i] = ~set[i];
  set[f->words - 1] &= tl_low_bits (f->graph->states % 64);
}

// Has state i of the block that was read a successor in the set?
static inline bool leads_into (const tl_graph_reader *r, unsigned i,
                               const uint64_t *set) {
  for (uint64_t a = r->end[i]; a < r->end[i + 1]; a++)
    if (tl_set_has (set, r->target[a]))
      return true;
  return false;
}

tl_status tl_set_before (tl_fixpoints *f, const uint64_t *set,
                         uint64_t *result) {
  f->passes++;
  for (uint64_t b = 0; b < f->graph->blocks; b++) {
    tl_graph_read (&f->reader, b);
    uint64_t word = 0;
    for (unsigned i = 0; i < f->reader.count; i++)
      word |= (uint64_t)leads_into (&f->reader, i, set) << i;
    result[b] = word;
  }
  return TL_OK;
}

static bool interrupted (const tl_fixpoints *f) {
  return (f->cancel && *f->cancel) ||
         (f->deadline > 0 && tl_clock () > f->deadline);
}

// The next of the states of a word, from the upper or the lower end; takes it
// out.
static inline unsigned take (uint64_t *word, bool upper) {
  const unsigned i = upper ? 63 - (unsigned)__builtin_clzll (*word)
                           : (unsigned)__builtin_ctzll (*word);
  *word &= ~((uint64_t)1 << i);
  return i;
}

// Looks at the states of one block that a pass may change; true: one did.
typedef bool look (tl_fixpoints *, uint64_t block, bool upper,
                   const uint64_t *along, uint64_t *result);

static bool grow (tl_fixpoints *f, uint64_t block, bool upper,
                  const uint64_t *along, uint64_t *result) {
  uint64_t left = (along ? along[block] : ~(uint64_t)0) & ~result[block];
  bool changed = false;
  if (!left)
    return false;
  tl_graph_read (&f->reader, block);
  left &= tl_low_bits (f->reader.count);
  while (left) {
    const unsigned i = take (&left, upper);
    if (leads_into (&f->reader, i, result)) {
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
  tl_graph_read (&f->reader, block);
  while (left) {
    const unsigned i = take (&left, upper);
    const bool dead = f->reader.end[i] == f->reader.end[i + 1];
    if (!dead && !leads_into (&f->reader, i, result)) {
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
