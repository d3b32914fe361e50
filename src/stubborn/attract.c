#include "stubborn/attract.h"

#include "stubborn/set.h"

#include <assert.h>
#include <string.h>

struct tl_attractor {
  const tl_formula *formula; // an atom, AND or OR
  bool negated;              // a FIREABLE or DEADLOCK
  // Of a sum of several places: the transitions that lower it.
  uint32_t *transition, count;
  tl_attractor *operand; // of AND and OR
  uint32_t chosen;       // at this state: the part of an AND, or a transition
};

#define HOLDS UINT64_MAX // as a weight

// ---- Opening ---------------------------------------------------------------

static __int128 change_of_sum (const tl_net *net, uint32_t t,
                               const int64_t *coefficient) {
  __int128 sum = 0;
  for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);)
    sum += (__int128)coefficient[c.place] * c.amount;
  return sum;
}

static tl_status find_lowering (tl_attractor *a, tl_arena *arena,
                                const tl_net *net) {
  const tl_formula *f = a->formula;
  int64_t *coefficient;
  uint32_t *list;
  if (!TL_NEW (arena->mem, coefficient, net->places))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < f->count; i++)
    coefficient[f->term[i].place] = f->term[i].coefficient;
  if (TL_NEW (arena->mem, list, net->transitions)) {
    for (uint32_t t = 0; t < net->transitions; t++)
      if (change_of_sum (net, t, coefficient) < 0)
        list[a->count++] = t;
    if (TL_ARENA_NEW (arena, a->transition, a->count))
      memcpy (a->transition, list, a->count * sizeof *list);
    TL_DEL (arena->mem, list, net->transitions);
  }
  TL_DEL (arena->mem, coefficient, net->places);
  return a->transition ? TL_OK : TL_E_NOMEM;
}

static tl_status open_in (tl_attractor *a, tl_arena *arena, const tl_net *net,
                          const tl_formula *f) {
  a->negated = f->op == TL_NOT;
  a->formula = f = a->negated ? f->operand[0] : f;
  if (f->op == TL_COMPARE && f->count > 1)
    return find_lowering (a, arena, net);
  if (f->op != TL_AND && f->op != TL_OR)
    return TL_OK;
  assert (!a->negated && "a formula that is not simplified");
  if (!TL_ARENA_NEW (arena, a->operand, f->count))
    return TL_E_NOMEM;
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < f->count; i++)
    rc = open_in (a->operand + i, arena, net, f->operand[i]);
  return rc;
}

tl_status tl_attractor_open (tl_attractor **out, tl_arena *arena,
                             const tl_net *net, const tl_formula *f) {
  return TL_ARENA_NEW (arena, *out, 1) ? open_in (*out, arena, net, f)
                                       : TL_E_NOMEM;
}

// ---- Weighing --------------------------------------------------------------

static uint64_t weigh_list (const tl_stubborn *s, const uint32_t *transition,
                            size_t count) {
  return tl_marks_cost (s, &s->set, transition, count);
}

// Of one place: those that take from it, or add to it.
static uint32_t list_of (const tl_stubborn *s, const tl_formula *f) {
  return f->term[0].coefficient > 0
             ? tl_takers (s->interference, f->term[0].place)
             : tl_adders (s->interference, f->term[0].place);
}

static uint64_t weigh_comparison (const tl_attractor *a, const tl_stubborn *s) {
  const tl_formula *f = a->formula;
  __int128 sum = 0;
  for (uint32_t i = 0; i < f->count; i++)
    sum += (__int128)f->term[i].coefficient *
           (int64_t)tl_layout_tokens (s->layout, s->state, f->term[i].place);
  if (sum <= f->bound)
    return HOLDS;
  if (f->count > 1)
    return weigh_list (s, a->transition, a->count);
  const uint32_t list = list_of (s, f);
  const size_t start = s->interference->start[list];
  return weigh_list (s, s->interference->member + start,
                     tl_list_end (s, list) - start);
}

static uint64_t weigh_fireable (tl_attractor *a, const tl_stubborn *s) {
  const tl_formula *f = a->formula;
  for (uint32_t i = 0; i < f->count; i++)
    if (tl_is_enabled (s, f->transition[i])) {
      a->chosen = f->transition[i];
      return a->negated ? 1 : HOLDS;
    }
  return a->negated ? HOLDS : weigh_list (s, f->transition, f->count);
}

static uint64_t weigh (tl_attractor *, const tl_stubborn *);

static uint64_t weigh_and (tl_attractor *a, const tl_stubborn *s) {
  uint64_t least = HOLDS;
  for (uint32_t i = 0; i < a->formula->count; i++) {
    const uint64_t weight = weigh (a->operand + i, s);
    if (weight < least) {
      least = weight;
      a->chosen = i;
    }
  }
  return least;
}

static uint64_t weigh_or (const tl_attractor *a, const tl_stubborn *s) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < a->formula->count; i++) {
    const uint64_t weight = weigh (a->operand + i, s);
    if (weight == HOLDS)
      return HOLDS;
    sum += weight;
  }
  return sum;
}

// How many transitions it would add; or it HOLDS.
static uint64_t weigh (tl_attractor *a, const tl_stubborn *s) {
  switch (a->formula->op) {
  case TL_TRUE: return HOLDS;
  case TL_COMPARE: return weigh_comparison (a, s);
  case TL_FIREABLE: return weigh_fireable (a, s);
  case TL_DEADLOCK: return a->negated == !s->count ? 1 : HOLDS;
  case TL_AND: return weigh_and (a, s);
  case TL_OR: return weigh_or (a, s);
  default: assert (a->formula->op == TL_FALSE); return 0;
  }
}

// ---- Adding ----------------------------------------------------------------

static void add_list (tl_stubborn *s, const uint32_t *transition,
                      uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    tl_stubborn_add (s, transition[i]);
}

// What was weighed and does not hold.
static void add (const tl_attractor *a, tl_stubborn *s) {
  const tl_formula *f = a->formula;
  switch (f->op) {
  case TL_COMPARE:
    if (f->count > 1)
      add_list (s, a->transition, a->count);
    else
      tl_marks_add_list (s, &s->set, list_of (s, f));
    break;
  case TL_FIREABLE:
    if (a->negated)
      tl_stubborn_add_disablers (s, a->chosen);
    else
      add_list (s, f->transition, f->count);
    break;
  case TL_DEADLOCK:
    if (!a->negated)
      tl_stubborn_add_some (s);
    break;
  case TL_AND: add (a->operand + a->chosen, s); break;
  case TL_OR:
    for (uint32_t i = 0; i < f->count; i++)
      add (a->operand + i, s);
    break;
  default: break; // FALSE: nothing leads there
  }
}

void tl_attract (tl_attractor *a, tl_stubborn *s) {
  if (weigh (a, s) != HOLDS)
    add (a, s);
}
