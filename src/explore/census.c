#include "explore/census.h"

#include "net/folded.h"
#include "net/marking.h"

#include <xxhash.h>

tl_status tl_census_open (tl_census *c, tl_mem *mem,
                          const tl_generator *generator) {
  const tl_net *net = generator->net;
  *c = (tl_census){.mem = mem, .net = net, .generator = generator};
  if (TL_NEW (mem, c->place_max, net->places) &&
      TL_NEW (mem, c->fired, net->transitions))
    return TL_OK;
  tl_census_close (c);
  return TL_E_NOMEM;
}

static void forget_layout (tl_census *c) {
  if (c->top)
    TL_DEL (c->mem, c->top, c->layout->words);
  if (c->plane)
    TL_DEL (c->mem, c->plane, (size_t)c->layout->words * c->planes);
  if (c->counted)
    TL_DEL (c->mem, c->counted, c->layout->words);
  c->layout = 0;
}

void tl_census_close (tl_census *c) {
  forget_layout (c);
  if (c->place_max)
    TL_DEL (c->mem, c->place_max, c->net->places);
  if (c->fired)
    TL_DEL (c->mem, c->fired, c->net->transitions);
}

static tl_status adopt (tl_census *c, const tl_layout *l) {
  c->layout = l;
  c->planes = 1;
  c->constant_tokens = 0;
  for (uint32_t p = 0; p < l->net->places; p++) {
    if (l->field[p].width > c->planes)
      c->planes = l->field[p].width;
    if (!l->field[p].width)
      c->constant_tokens += l->net->initial[p];
  }
  if (!TL_NEW (c->mem, c->top, l->words) ||
      !TL_NEW (c->mem, c->plane, (size_t)l->words * c->planes) ||
      !TL_NEW (c->mem, c->counted, l->words))
    return TL_E_NOMEM;
  for (uint32_t p = 0; p < l->net->places; p++) {
    const tl_field *f = l->field + p;
    for (unsigned b = 0; b < f->width; b++)
      c->plane[f->word * c->planes + b] |= (uint64_t)1 << (f->shift + b);
    if (f->guarded)
      c->counted[f->word] |= tl_low_bits (f->width) << f->shift;
  }
  return TL_OK;
}

uint64_t tl_census_most (const tl_census *c, uint32_t place) {
  const uint64_t top = c->top ? tl_layout_tokens (c->layout, c->top, place) : 0;
  return top > c->place_max[place] ? top : c->place_max[place];
}

tl_status tl_census_settle (tl_census *c, const tl_layout *next) {
  for (uint32_t p = 0; c->top && p < c->net->places; p++)
    c->place_max[p] = tl_census_most (c, p);
  forget_layout (c);
  return next ? adopt (c, next) : TL_OK;
}

// Raises the packed maxima of one word field by field.
static __attribute__ ((noinline)) void raise_top (tl_census *c, uint32_t word,
                                                  uint64_t state) {
  for (uint32_t p = 0; p < c->net->places; p++) {
    const tl_field *f = c->layout->field + p;
    const uint64_t mask = tl_low_bits (f->width) << f->shift;
    if (f->word == word && (state & mask) > (c->top[word] & mask))
      c->top[word] = (c->top[word] & ~mask) | (state & mask);
  }
}

// Place by place, and by the transitions of events.
static void count_each (tl_census *c, const uint64_t *state,
                        const uint32_t *enabled, uint32_t count) {
  uint64_t tokens = 0;
  for (uint32_t p = 0; p < c->net->places; p++) {
    const uint64_t here = tl_layout_tokens (c->layout, state, p);
    if (p < tl_net_counted (c->net))
      tokens += here;
    if (here > c->place_max[p])
      c->place_max[p] = here;
  }
  if (tokens > c->max_tokens)
    c->max_tokens = tokens;
  c->states++;
  c->arcs += count;
  c->deadlocks += !count;
  for (uint32_t i = 0; i < count; i++)
    c->fired[tl_generator_transition (c->generator, enabled[i])] = 1;
}

void tl_census_count (tl_census *c, const uint64_t *state,
                      const uint32_t *enabled, uint32_t count) {
  const tl_layout *l = c->layout;
  if (l->words > l->fields) {
    count_each (c, state, enabled, count);
    return;
  }
  uint64_t tokens = c->constant_tokens;
  const uint64_t *plane = c->plane;
  for (uint32_t w = 0; w < l->words; w++, plane += c->planes) {
    const uint64_t word = state[w], guards = l->guards[w],
                   counted = c->counted[w], top = c->top[w];
    for (unsigned b = 0; b < c->planes; b++)
      tokens += (uint64_t)__builtin_popcountll (word & plane[b]) << b;
    // A guard lost to a borrow, or a one-token place marked for the first
    // time: some place has more tokens than ever.
    if ((((top | guards) - (word & counted)) & guards) != guards ||
        (word & ~top & ~counted))
      raise_top (c, w, word);
  }
  if (tokens > c->max_tokens)
    c->max_tokens = tokens;
  c->states++;
  c->arcs += count;
  c->deadlocks += !count;
  for (uint32_t i = 0; i < count; i++)
    c->fired[enabled[i]] = 1;
}

void tl_census_forget (tl_census *c) {
  c->states = c->arcs = c->followed = c->deadlocks = 0;
}

void tl_census_add (tl_census *c, const tl_census *other) {
  c->states += other->states;
  c->arcs += other->arcs;
  c->followed += other->followed;
  c->deadlocks += other->deadlocks;
  if (other->max_tokens > c->max_tokens)
    c->max_tokens = other->max_tokens;
  for (uint32_t p = 0; p < c->net->places; p++)
    if (other->place_max[p] > c->place_max[p])
      c->place_max[p] = other->place_max[p];
  for (uint32_t t = 0; t < c->net->transitions; t++)
    c->fired[t] |= other->fired[t];
}

// ---- A run -----------------------------------------------------------------

static void count_marking (tl_census *c, const uint64_t *tokens) {
  uint64_t sum = 0, enabled = 0;
  for (uint32_t p = 0; p < c->net->places; p++) {
    sum += tokens[p];
    if (tokens[p] > c->place_max[p])
      c->place_max[p] = tokens[p];
  }
  if (sum > c->max_tokens)
    c->max_tokens = sum;
  for (uint32_t t = 0; t < c->net->transitions; t++)
    if (tl_marking_enables (c->net, tokens, t)) {
      c->fired[t] = 1;
      enabled++;
    }
  c->arcs += enabled;
  c->deadlocks += !enabled;
}

// Adds it to those before unless it is there.  Two markings that are taken for
// one make the figures smaller, and lower bounds they are.
static bool is_new (const tl_net *net, const uint64_t *tokens, uint64_t *hash,
                    uint64_t count) {
  const uint64_t here = XXH3_64bits (tokens, net->places * sizeof *tokens);
  for (uint64_t i = 0; i < count; i++)
    if (hash[i] == here)
      return false;
  hash[count] = here;
  return true;
}

uint64_t tl_census_run (tl_census *c, const tl_trace *run) {
  const size_t most = (size_t)run->length + 1;
  uint64_t *tokens, *hash = 0, count = 0;
  for (uint64_t i = 0; i < run->length; i++)
    c->fired[run->transition[i]] = 1;
  if (TL_NEW (c->mem, tokens, c->net->places) && TL_NEW (c->mem, hash, most)) {
    tl_marking_initial (c->net, tokens);
    for (uint64_t i = 0;; i++) {
      if (is_new (c->net, tokens, hash, count)) {
        count_marking (c, tokens);
        count++;
      }
      if (i == run->length)
        break;
      tl_marking_fire (c->net, tokens, run->transition[i]);
    }
  }
  TL_DEL (c->mem, tokens, c->net->places);
  TL_DEL (c->mem, hash, most);
  return count;
}
