// Large nets.  Each transition is watched at one of its input places, the one
// that is marked least often in a sample of markings: only the transitions
// watched at marked places are tested.  Those without an input place are
// tested always.

#include "fire/fire_kinds.h"

typedef struct sparse {
  tl_engine engine;
  uint32_t *place_at;   // [64 * words] whose field has that bit
  uint64_t *watched;    // [words] bits of places that are watched
  uint64_t *list_start; // [places + 1]
  uint32_t *list;       // transitions watched at each place
  uint32_t *always;     // transitions without a place to watch
  uint32_t always_count;
} sparse;

static bool holds (const tl_firing *p, uint32_t t, const uint64_t *state) {
  const tl_ask *a = p->ask + p->ask_start[t],
               *end = p->ask + p->ask_start[t + 1];
  for (; a < end; a++)
    if (!tl_ask_holds (a, state))
      return false;
  return true;
}

static void test (const sparse *s, uint32_t t, const uint64_t *state,
                  uint64_t *is_enabled) {
  if (holds (&s->engine.program, t, state))
    is_enabled[t / 64] |= (uint64_t)1 << t % 64;
}

static void test_watched (const sparse *s, uint32_t word, const uint64_t *state,
                          uint64_t *is_enabled) {
  const tl_field *fields = s->engine.base.layout->field;
  uint64_t bits = state[word] & s->watched[word];
  while (bits) {
    const uint32_t place =
        s->place_at[64 * word + (unsigned)__builtin_ctzll (bits)];
    bits &= ~(tl_low_bits (fields[place].width) << fields[place].shift);
    for (uint64_t i = s->list_start[place]; i < s->list_start[place + 1]; i++)
      test (s, s->list[i], state, is_enabled);
  }
}

// The scratch is a bitmap of the transitions: they are found in no order.
static uint32_t sparse_enabled (const tl_fire *f, const uint64_t *state,
                                uint32_t *list, uint64_t *is_enabled) {
  const sparse *s = (const sparse *)f;
  const uint32_t words = f->layout->words;
  for (uint32_t w = 0; w < words; w++)
    test_watched (s, w, state, is_enabled);
  for (uint32_t i = 0; i < s->always_count; i++)
    test (s, s->always[i], state, is_enabled);
  uint32_t n = 0;
  for (uint32_t w = 0; w < f->scratch_words; w++) {
    for (uint64_t bits = is_enabled[w]; bits; bits &= bits - 1)
      list[n++] = 64 * w + (uint32_t)__builtin_ctzll (bits);
    is_enabled[w] = 0;
  }
  return n;
}

static uint32_t sparse_fits (const tl_fire *f, const uint64_t *state,
                             const uint32_t *list, uint32_t count) {
  const tl_firing *p = &((const sparse *)f)->engine.program;
  const uint64_t *guards = f->layout->guards;
  for (uint32_t i = 0; i < count; i++) {
    const tl_act *act = p->act + p->act_start[list[i]],
                 *end = p->act + p->act_start[list[i] + 1];
    for (; act < end; act++) {
      const uint64_t word = state[act->word];
      if ((word & act->contact) | ((word + act->add) & guards[act->word]))
        return i;
    }
  }
  return count;
}

static void sparse_close (tl_fire *f) {
  sparse *s = (sparse *)f;
  tl_mem *mem = f->mem;
  const tl_layout *l = f->layout;
  TL_DEL (mem, s->place_at, (size_t)64 * l->words);
  TL_DEL (mem, s->watched, l->words);
  TL_DEL (mem, s->list_start, l->net->places + 1);
  TL_DEL (mem, s->list, l->net->transitions);
  TL_DEL (mem, s->always, l->net->transitions);
  tl_firing_close (&s->engine.program);
  TL_DEL (mem, s, 1);
}

static const tl_fire_kind kind = {
    .name = "sparse",
    .blurb = "transitions watched at rarely marked places",
    .enabled = sparse_enabled,
    .fits = sparse_fits,
    .step = tl_engine_step,
    .undo = tl_engine_undo,
    .close = sparse_close,
};

// The input place to watch a transition at, or TL_NO_NAME.
static uint32_t place_to_watch (const tl_layout *l, uint32_t t,
                                const uint32_t *sample) {
  const tl_arcs pre = tl_net_pre (l->net, t);
  uint32_t best = TL_NO_NAME;
  uint64_t best_cost = UINT64_MAX;
  for (uint32_t i = 0; i < pre.count; i++) {
    const uint32_t p = pre.arc[i].place;
    const uint64_t cost = sample ? sample[p] : l->net->initial[p] != 0;
    if (l->field[p].width && cost < best_cost) {
      best = p;
      best_cost = cost;
    }
  }
  return best;
}

static void watch (sparse *s, const uint32_t *sample, uint32_t *at) {
  const tl_layout *l = s->engine.base.layout;
  const uint32_t places = l->net->places, transitions = l->net->transitions;
  for (uint32_t t = 0; t < transitions; t++) {
    at[t] = place_to_watch (l, t, sample);
    if (at[t] == TL_NO_NAME)
      s->always[s->always_count++] = t;
    else
      s->list_start[at[t] + 1]++;
  }
  for (uint32_t p = 0; p < places; p++)
    s->list_start[p + 1] += s->list_start[p];
  // Filling moves each start to its end, which is the next one's start.
  for (uint32_t t = 0; t < transitions; t++)
    if (at[t] != TL_NO_NAME)
      s->list[s->list_start[at[t]]++] = t;
  for (uint32_t p = places; p > 0; p--)
    s->list_start[p] = s->list_start[p - 1];
  s->list_start[0] = 0;
  for (uint32_t p = 0; p < places; p++) {
    const tl_field *f = l->field + p;
    for (unsigned b = 0; b < f->width; b++)
      s->place_at[64 * f->word + f->shift + b] = p;
    if (s->list_start[p] < s->list_start[p + 1])
      s->watched[f->word] |= tl_low_bits (f->width) << f->shift;
  }
}

tl_status tl_fire_sparse_open (tl_fire **out, tl_mem *mem, const tl_layout *l,
                               tl_firing *program, const uint32_t *sample) {
  const uint32_t transitions = l->net->transitions;
  sparse *s;
  uint32_t *at;
  if (!TL_NEW (mem, s, 1)) {
    tl_firing_close (program);
    return TL_E_NOMEM;
  }
  s->engine.base = (tl_fire){.kind = &kind,
                             .mem = mem,
                             .layout = l,
                             .transitions = transitions,
                             .scratch_words = transitions / 64 + 1};
  s->engine.program = *program;
  if (!TL_NEW (mem, s->place_at, (size_t)64 * l->words) ||
      !TL_NEW (mem, s->watched, l->words) ||
      !TL_NEW (mem, s->list_start, l->net->places + 1) ||
      !TL_NEW (mem, s->list, transitions) ||
      !TL_NEW (mem, s->always, transitions) || !TL_NEW (mem, at, transitions)) {
    sparse_close (&s->engine.base);
    return TL_E_NOMEM;
  }
  watch (s, sample, at);
  TL_DEL (mem, at, transitions);
  *out = &s->engine.base;
  return TL_OK;
}
