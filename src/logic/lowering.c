#include "logic/lowering.h"

#include <stdlib.h>
#include <string.h>

typedef struct tl_lowered {
  const tl_formula *comparison;
  size_t sum;
} tl_lowered;

// ---- Comparisons -----------------------------------------------------------

static size_t count_comparisons (const tl_formula *f) {
  size_t count = f->op == TL_COMPARE;
  for (uint32_t i = 0; i < tl_formula_operands (f); i++)
    count += count_comparisons (f->operand[i]);
  return count;
}

static void list_comparisons (tl_lowerings *l, const tl_formula *f) {
  if (f->op == TL_COMPARE)
    l->of[l->comparisons++].comparison = f;
  for (uint32_t i = 0; i < tl_formula_operands (f); i++)
    list_comparisons (l, f->operand[i]);
}

static int compare_sums (const tl_formula *f, const tl_formula *g) {
  if (f->count != g->count)
    return f->count < g->count ? -1 : 1;
  for (uint32_t i = 0; i < f->count; i++) {
    const tl_summand *s = f->term + i, *t = g->term + i;
    if (s->place != t->place)
      return s->place < t->place ? -1 : 1;
    if (s->coefficient != t->coefficient)
      return s->coefficient < t->coefficient ? -1 : 1;
  }
  return 0;
}

static int by_sum (const void *a, const void *b) {
  const tl_lowered *l = a, *m = b;
  return compare_sums (l->comparison, m->comparison);
}

static int by_address (const void *a, const void *b) {
  const tl_lowered *l = a, *m = b;
  const uintptr_t at = (uintptr_t)l->comparison,
                  other = (uintptr_t)m->comparison;
  return (at > other) - (at < other);
}

static int by_number (const void *a, const void *b) {
  const uint32_t *t = a, *u = b;
  return (*t > *u) - (*t < *u);
}

// ---- Transitions -----------------------------------------------------------

__int128 tl_sum_change (const tl_formula *f, const tl_net *net, uint32_t t) {
  __int128 sum = 0;
  for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);)
    sum += (__int128)tl_formula_coefficient (f, c.place) * c.amount;
  return sum;
}

// What is needed to list those of one sum after the other.
typedef struct listing {
  tl_mem *mem;
  const tl_net *net;
  uint32_t *start, *changer; // of each place, the transitions that change it
  size_t changers;
  uint8_t *listed; // [transitions]
  uint32_t *list;  // [transitions]
} listing;

static bool open_listing (listing *s, tl_mem *mem, const tl_net *net) {
  *s = (listing){.mem = mem, .net = net};
  for (uint32_t t = 0; t < net->transitions; t++)
    for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);)
      s->changers++;
  if (!TL_NEW (mem, s->start, (size_t)net->places + 2) ||
      !TL_NEW (mem, s->changer, s->changers) ||
      !TL_NEW (mem, s->listed, net->transitions) ||
      !TL_NEW (mem, s->list, net->transitions))
    return false;
  for (uint32_t t = 0; t < net->transitions; t++)
    for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);)
      s->start[c.place + 2]++;
  for (uint32_t p = 0; p < net->places; p++)
    s->start[p + 2] += s->start[p + 1];
  for (uint32_t t = 0; t < net->transitions; t++)
    for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);)
      s->changer[s->start[c.place + 1]++] = t;
  return true;
}

static void close_listing (listing *s) {
  TL_DEL (s->mem, s->start, (size_t)s->net->places + 2);
  TL_DEL (s->mem, s->changer, s->changers);
  TL_DEL (s->mem, s->listed, s->net->transitions);
  TL_DEL (s->mem, s->list, s->net->transitions);
}

static int64_t drop_of (const listing *s, const tl_formula *f, uint32_t t) {
  const __int128 drop = -tl_sum_change (f, s->net, t);
  return drop < 0 ? 0 : drop > INT64_MAX ? INT64_MAX : (int64_t)drop;
}

static bool list_transitions (listing *s, tl_arena *arena, const tl_formula *f,
                              tl_lowering *l) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->count; i++) {
    const uint32_t p = f->term[i].place;
    for (uint32_t k = s->start[p]; k < s->start[p + 1]; k++) {
      const uint32_t t = s->changer[k];
      if (!s->listed[t] && drop_of (s, f, t) > 0)
        s->listed[s->list[count++] = t] = 1;
    }
  }
  qsort (s->list, count, sizeof *s->list, by_number);
  const bool right = TL_ARENA_NEW (arena, l->transition, count) &&
                     TL_ARENA_NEW (arena, l->drop, count);
  l->count = right ? count : 0;
  for (uint32_t n = 0; n < count; n++) {
    const uint32_t t = s->list[n];
    s->listed[t] = 0;
    if (!right)
      continue;
    l->transition[n] = t;
    l->drop[n] = drop_of (s, f, t);
  }
  return right;
}

// ---- Opening ---------------------------------------------------------------

static tl_status list_sums (tl_lowerings *l, const tl_net *net) {
  listing s;
  bool right = open_listing (&s, l->mem, net);
  for (size_t i = 0, sum = 0; right && i < l->comparisons; i++) {
    const tl_formula *f = l->of[i].comparison;
    sum += i && compare_sums (l->of[i - 1].comparison, f);
    if (!i || sum != l->of[i - 1].sum)
      right = list_transitions (&s, &l->arena, f, l->lowering + sum);
    l->of[i].sum = sum;
  }
  close_listing (&s);
  return right ? TL_OK : TL_E_NOMEM;
}

tl_status tl_lowerings_open (tl_lowerings *l, tl_mem *mem, const tl_net *net,
                             const tl_formula *f) {
  const size_t count = count_comparisons (f);
  *l = (tl_lowerings){.mem = mem, .arena = TL_ARENA (mem)};
  if (!TL_NEW (mem, l->of, count))
    return TL_E_NOMEM;
  list_comparisons (l, f);
  qsort (l->of, count, sizeof *l->of, by_sum);
  l->sums = count != 0;
  for (size_t i = 1; i < count; i++)
    l->sums += by_sum (l->of + i - 1, l->of + i) != 0;
  tl_status rc =
      TL_NEW (mem, l->lowering, l->sums) ? list_sums (l, net) : TL_E_NOMEM;
  if (!rc)
    qsort (l->of, count, sizeof *l->of, by_address);
  return rc;
}

void tl_lowerings_close (tl_lowerings *l) {
  if (!l->mem)
    return;
  TL_DEL (l->mem, l->of, l->comparisons);
  TL_DEL (l->mem, l->lowering, l->sums);
  tl_arena_close (&l->arena);
}

size_t tl_lowerings_find (const tl_lowerings *l, const tl_formula *f) {
  const tl_lowered key = {.comparison = f},
                   *found = bsearch (&key, l->of, l->comparisons, sizeof key,
                                     by_address);
  return found->sum;
}
