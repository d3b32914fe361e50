#include "check/fixpoint.h"

#include "base/bits.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "check/bits_product.h"
#include "check/witness.h"

#include <string.h>

_Static_assert(TL_GRAPH_BLOCK == 64, "a block of the graph is a word of sets");

static const tl_set_kind bits;

tl_status tl_fixpoints_open (tl_fixpoints *f, tl_mem *mem, const tl_graph *g,
                             const tl_labels *labels) {
  *f = (tl_fixpoints){.sets = {.kind = &bits, .bits = f},
                      .mem = mem,
                      .graph = g,
                      .labels = labels,
                      .words = (size_t)(g->states / 64 + 1)};
  return tl_graph_reader_open (&f->reader, g);
}

tl_status tl_fixpoints_open_beside (tl_fixpoints *f,
                                    const tl_fixpoints *first) {
  const tl_status rc =
      tl_fixpoints_open (f, first->mem, first->graph, first->labels);
  f->arcs = first->arcs;
  f->borrowed = true;
  f->cancel = first->cancel;
  f->deadline = first->deadline;
  return rc;
}

void tl_fixpoints_close (tl_fixpoints *f) {
  tl_graph_reader_close (&f->reader);
  if (!f->borrowed)
    tl_arc_list_close (&f->arcs);
}

tl_status tl_fixpoints_unpack (tl_fixpoints *f) {
  return f->arcs.first ? TL_OK
                       : tl_arc_list_open (&f->arcs, f->mem, f->graph, f->team);
}

// Bytes that can still be taken from the account.
static size_t bytes_left (const tl_mem *mem) {
  size_t left = SIZE_MAX;
  for (; mem; mem = mem->parent)
    if (mem->limit && mem->limit - tl_mem_used (mem) < left)
      left = mem->limit - tl_mem_used (mem);
  return left;
}

// Unpacks where that leaves as much for sets and runs.
static void unpack_if_small (tl_fixpoints *f) {
  const uint64_t size =
      f->graph->states * sizeof *f->arcs.first +
      f->graph->arcs * (f->graph->states > UINT32_MAX ? 8 : 4);
  if (!f->arcs.first && size < bytes_left (f->mem) / 2)
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

// ---- Sets ------------------------------------------------------------------

static tl_state_set *open_set (tl_sets *s) {
  uint64_t *set;
  return (tl_state_set *)TL_NEW (s->bits->mem, set, s->bits->words);
}

static void close_set (tl_sets *s, tl_state_set *set) {
  uint64_t *words = tl_bits_of (set);
  TL_DEL (s->bits->mem, words, s->bits->words);
}

static tl_state_set *set_of (tl_sets *s, const uint64_t *word, size_t words) {
  tl_state_set *set = open_set (s);
  if (set && words)
    memcpy (set, word, words * sizeof *word);
  return set;
}

static tl_state_set *copy (tl_sets *s, const tl_state_set *set) {
  return set_of (s, tl_bits_in (set), s->bits->words);
}

static tl_state_set *label (tl_sets *s, const tl_formula *formula) {
  return set_of (s, tl_labels_find (s->bits->labels, formula),
                 (size_t)(s->bits->graph->states + 63) / 64);
}

static bool has (tl_sets *s, const tl_state_set *set, uint64_t state) {
  (void)s;
  return tl_bits_has (set, state);
}

static tl_status complement (tl_sets *s, tl_state_set *set) {
  const tl_fixpoints *f = s->bits;
  uint64_t *word = tl_bits_of (set);
  for (size_t i = 0; i < f->words; i++)
    word[i] = ~word[i];
  word[f->words - 1] &= tl_low_bits (f->graph->states % 64);
  return TL_OK;
}

static tl_status intersect (tl_sets *s, tl_state_set *a,
                            const tl_state_set *b) {
  for (size_t i = 0; i < s->bits->words; i++)
    tl_bits_of (a)[i] &= tl_bits_in (b)[i];
  return TL_OK;
}

static tl_status unite (tl_sets *s, tl_state_set *a, const tl_state_set *b) {
  for (size_t i = 0; i < s->bits->words; i++)
    tl_bits_of (a)[i] |= tl_bits_in (b)[i];
  return TL_OK;
}

// ---- Passes ----------------------------------------------------------------

// The next of the states of a word, from the upper or the lower end; takes it
// out.
static inline unsigned take (uint64_t *word, bool upper) {
  const unsigned i = upper ? 63 - (unsigned)__builtin_clzll (*word)
                           : (unsigned)__builtin_ctzll (*word);
  *word &= ~((uint64_t)1 << i);
  return i;
}

// As tl_bits_has, of a set that somebody may be changing.
static inline bool has_now (const tl_state_set *set, uint64_t state) {
  return __atomic_load_n (tl_bits_in (set) + state / 64, __ATOMIC_RELAXED) >>
             state % 64 &
         1;
}

// Has state i of the block that was opened a successor in the set?
static inline bool leads_into (const tl_fixpoints *f, uint64_t block,
                               unsigned i, const tl_state_set *set) {
  if (f->arcs.first) {
    const uint64_t *first = f->arcs.first + block * TL_GRAPH_BLOCK + i;
    if (f->arcs.target.wide) {
      for (uint64_t a = first[0]; a < first[1]; a++)
        if (has_now (set, tl_numbers_get (&f->arcs.target, a)))
          return true;
      return false;
    }
    const uint32_t *target = f->arcs.target.at;
    for (uint64_t a = first[0]; a < first[1]; a++)
      if (has_now (set, target[a]))
        return true;
    return false;
  }
  const tl_graph_reader *r = &f->reader;
  for (uint64_t a = r->end[i]; a < r->end[i + 1]; a++)
    if (has_now (set, r->target[a]))
      return true;
  return false;
}

static inline bool is_dead (const tl_fixpoints *f, uint64_t block, unsigned i) {
  const uint64_t *end = f->arcs.first
                            ? f->arcs.first + block * TL_GRAPH_BLOCK + i
                            : f->reader.end + i;
  return end[0] == end[1];
}

static bool interrupted (const tl_fixpoints *f) {
  return tl_cancelled (f->cancel) ||
         (f->deadline > 0 && tl_clock () > f->deadline);
}

// Looks at the states of one block that a pass may change; true: one did.
typedef bool look (tl_fixpoints *, uint64_t block, bool upper,
                   const tl_state_set *along, tl_state_set *result);

static void set_word (tl_state_set *set, uint64_t block, uint64_t word) {
  __atomic_store_n (tl_bits_of (set) + block, word, __ATOMIC_RELAXED);
}

static bool step_back (tl_fixpoints *f, uint64_t block, bool upper,
                       const tl_state_set *set, tl_state_set *result) {
  uint64_t word = 0, left = states_of (f, block);
  open_block (f, block);
  while (left) {
    const unsigned i = take (&left, upper);
    word |= (uint64_t)leads_into (f, block, i, set) << i;
  }
  set_word (result, block, word);
  return word;
}

static bool grow (tl_fixpoints *f, uint64_t block, bool upper,
                  const tl_state_set *along, tl_state_set *result) {
  const uint64_t before = tl_bits_in (result)[block];
  uint64_t left = (along ? tl_bits_in (along)[block] : ~(uint64_t)0) & ~before,
           word = before;
  left &= states_of (f, block);
  if (!left)
    return false;
  open_block (f, block);
  while (left) {
    const unsigned i = take (&left, upper);
    if (leads_into (f, block, i, result))
      set_word (result, block, word |= (uint64_t)1 << i);
  }
  return word != before;
}

static bool shrink (tl_fixpoints *f, uint64_t block, bool upper,
                    const tl_state_set *along, tl_state_set *result) {
  (void)along;
  const uint64_t before = tl_bits_in (result)[block];
  uint64_t left = before, word = before;
  if (!left)
    return false;
  open_block (f, block);
  while (left) {
    const unsigned i = take (&left, upper);
    if (!is_dead (f, block, i) && !leads_into (f, block, i, result))
      set_word (result, block, word &= ~((uint64_t)1 << i));
  }
  return word != before;
}

// A pass over all blocks.
typedef struct pass {
  tl_fixpoints *fixpoints;
  look *look_at;
  const tl_state_set *along;
  tl_state_set *result;
  bool upper;
  uint64_t taken; // blocks that threads have begun with
  bool changed;
} pass;

static void work (void *context, unsigned who) {
  enum { CHUNK = 64 }; // blocks
  pass *p = context;
  const uint64_t blocks = p->fixpoints->graph->blocks;
  bool changed = false;
  (void)who;
  for (uint64_t at;
       (at = __atomic_fetch_add (&p->taken, CHUNK, __ATOMIC_RELAXED)) < blocks;)
    for (uint64_t i = at; i < blocks && i < at + CHUNK; i++)
      changed |= p->look_at (p->fixpoints, p->upper ? blocks - 1 - i : i,
                             p->upper, p->along, p->result);
  if (changed)
    __atomic_store_n (&p->changed, true, __ATOMIC_RELAXED);
}

// Returns whether something has changed.
static bool make_pass (pass p) {
  tl_fixpoints *f = p.fixpoints;
  f->passes++;
  if (f->team && f->arcs.first)
    tl_threads_run (f->team, work, &p);
  else
    work (&p, 0);
  return p.changed;
}

static tl_status before (tl_sets *s, const tl_state_set *set,
                         tl_state_set *result) {
  unpack_if_small (s->bits);
  make_pass ((pass){.fixpoints = s->bits,
                    .look_at = step_back,
                    .along = set,
                    .result = result});
  return TL_OK;
}

static tl_status iterate (tl_fixpoints *f, look *look_at,
                          const tl_state_set *along, tl_state_set *result) {
  pass p = {
      .fixpoints = f, .look_at = look_at, .along = along, .result = result};
  unpack_if_small (f);
  do {
    if (interrupted (f))
      return TL_E_LIMIT;
    p.upper = !p.upper;
  } while (make_pass (p));
  return TL_OK;
}

static tl_status until (tl_sets *s, const tl_state_set *along,
                        tl_state_set *result) {
  return iterate (s->bits, grow, along, result);
}

static tl_status stay (tl_sets *s, tl_state_set *result) {
  return iterate (s->bits, shrink, 0, result);
}

static const tl_set_kind bits = {.open = open_set,
                                 .copy = copy,
                                 .label = label,
                                 .close = close_set,
                                 .has = has,
                                 .complement = complement,
                                 .intersect = intersect,
                                 .unite = unite,
                                 .before = before,
                                 .until = until,
                                 .stay = stay,
                                 .accepted = tl_bits_accepted,
                                 .run = tl_bits_run,
                                 .witness = tl_witness};
