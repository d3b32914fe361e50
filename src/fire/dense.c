// Small nets: states of one to four words, and few enough transitions that
// testing each of them is the fastest way.  The loops are compiled once for
// every number of words.

#include "fire/fire_kinds.h"

typedef struct row {
  uint64_t raise, take, look, want;
} row;

typedef struct dense {
  tl_engine engine;
  row *ask;      // [transitions][words]
  uint64_t *add; // [transitions][words]
  uint64_t *contact;
} dense;

static inline __attribute__ ((always_inline)) uint32_t
enabled (const dense *d, const uint64_t *state, uint32_t *list,
         uint32_t words) {
  const uint32_t transitions = d->engine.base.transitions;
  const row *ask = d->ask;
  uint32_t n = 0;
  for (uint32_t t = 0; t < transitions; t++) {
    uint64_t wrong = 0;
    for (uint32_t w = 0; w < words; w++, ask++)
      wrong |= (((state[w] | ask->raise) - ask->take) & ask->look) ^ ask->want;
    list[n] = t;
    n += !wrong;
  }
  return n;
}

static inline __attribute__ ((always_inline)) uint32_t
fits (const dense *d, const uint64_t *state, const uint32_t *list,
      uint32_t count, uint32_t words) {
  const uint64_t *guards = d->engine.base.layout->guards;
  uint64_t over = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t *add = d->add + (size_t)list[i] * words,
                   *contact = d->contact + (size_t)list[i] * words;
    for (uint32_t w = 0; w < words; w++)
      over |= (state[w] & contact[w]) | ((state[w] + add[w]) & guards[w]);
  }
  if (!over)
    return count;
  // Rare: look for the first that does not fit.
  uint32_t good = 0;
  for (; good < count; good++) {
    const size_t at = (size_t)list[good] * words;
    for (uint32_t w = 0; w < words; w++)
      if ((state[w] & d->contact[at + w]) |
          ((state[w] + d->add[at + w]) & guards[w]))
        return good;
  }
  return good;
}

#define DENSE(WORDS)                                                           \
  static uint32_t enabled_##WORDS (const tl_fire *f, const uint64_t *state,    \
                                   uint32_t *list, uint64_t *scratch) {        \
    (void)scratch;                                                             \
    return enabled ((const dense *)f, state, list, WORDS);                     \
  }                                                                            \
  static uint32_t fits_##WORDS (const tl_fire *f, const uint64_t *state,       \
                                const uint32_t *list, uint32_t count) {        \
    return fits ((const dense *)f, state, list, count, WORDS);                 \
  }

DENSE (1)
DENSE (2)
DENSE (3)
DENSE (4)

static void dense_close (tl_fire *f) {
  dense *d = (dense *)f;
  tl_mem *mem = f->mem;
  const size_t cells = (size_t)f->transitions * f->layout->words;
  TL_DEL (mem, d->ask, cells);
  TL_DEL (mem, d->add, cells);
  TL_DEL (mem, d->contact, cells);
  tl_firing_close (&d->engine.program);
  TL_DEL (mem, d, 1);
}

#define KIND(WORDS)                                                            \
  {                                                                            \
    .name = "dense", .blurb = "every transition tested",                       \
    .enabled = enabled_##WORDS, .fits = fits_##WORDS, .step = tl_engine_step,  \
    .undo = tl_engine_undo, .close = dense_close                               \
  }

static const tl_fire_kind kinds[TL_DENSE_WORDS] = {KIND (1), KIND (2), KIND (3),
                                                   KIND (4)};

static void spread_program (dense *d) {
  const tl_firing *p = &d->engine.program;
  const size_t words = d->engine.base.layout->words;
  for (uint32_t t = 0; t < p->transitions; t++) {
    for (uint64_t i = p->ask_start[t]; i < p->ask_start[t + 1]; i++) {
      const tl_ask *a = p->ask + i;
      d->ask[t * words + a->word] = (row){a->raise, a->take, a->look, a->want};
    }
    for (uint64_t i = p->act_start[t]; i < p->act_start[t + 1]; i++) {
      d->add[t * words + p->act[i].word] = p->act[i].add;
      d->contact[t * words + p->act[i].word] = p->act[i].contact;
    }
  }
}

tl_status tl_fire_dense_open (tl_fire **out, tl_mem *mem,
                              const tl_layout *layout, tl_firing *program) {
  const size_t cells = (size_t)layout->net->transitions * layout->words;
  dense *d;
  if (!TL_NEW (mem, d, 1)) {
    tl_firing_close (program);
    return TL_E_NOMEM;
  }
  d->engine.base = (tl_fire){.kind = kinds + layout->words - 1,
                             .mem = mem,
                             .layout = layout,
                             .transitions = layout->net->transitions};
  d->engine.program = *program;
  if (!TL_NEW (mem, d->ask, cells) || !TL_NEW (mem, d->add, cells) ||
      !TL_NEW (mem, d->contact, cells)) {
    dense_close (&d->engine.base);
    return TL_E_NOMEM;
  }
  spread_program (d);
  *out = &d->engine.base;
  return TL_OK;
}
