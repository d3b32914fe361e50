#include "logic/distance.h"

#include <stdlib.h>

// ---- Places ----------------------------------------------------------------

static bool add_place (tl_distance *d, uint32_t place) {
  if (!TL_ROOM (d->mem, d->place, &d->place_room, d->places + 1))
    return false;
  d->place[d->places++] = place;
  return true;
}

static bool add_inputs (tl_distance *d, uint32_t transition) {
  const tl_arcs pre = tl_net_pre (d->net, transition),
                inhibitors = tl_net_inhibitors (d->net, transition);
  bool right = true;
  for (uint32_t i = 0; right && i < pre.count; i++)
    right = add_place (d, pre.arc[i].place);
  for (uint32_t i = 0; right && i < inhibitors.count; i++)
    right = add_place (d, inhibitors.arc[i].place);
  return right;
}

static bool add_places (tl_distance *d, const tl_formula *f, bool negated) {
  bool right = true;
  switch (f->op) {
  case TL_COMPARE:
    for (uint32_t i = 0; right && i < f->count; i++)
      right = add_place (d, f->term[i].place);
    return right;
  case TL_FIREABLE:
    d->reads_enabled |= negated;
    for (uint32_t i = 0; right && !negated && i < f->count; i++)
      right = add_inputs (d, f->transition[i]);
    return right;
  case TL_DEADLOCK: d->reads_enabled = true; return true;
  default:
    for (uint32_t i = 0; right && i < tl_formula_operands (f); i++)
      right = add_places (d, f->operand[i], f->op == TL_NOT);
    return right;
  }
}

static int by_number (const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

tl_status tl_distance_open (tl_distance *d, tl_mem *mem, const tl_net *net,
                            const tl_formula *f) {
  *d = (tl_distance){.mem = mem, .net = net, .formula = f};
  if (!add_places (d, f, false))
    return TL_E_NOMEM;
  if (d->places)
    qsort (d->place, d->places, sizeof *d->place, by_number);
  size_t left = 0;
  for (size_t i = 0; i < d->places; i++)
    if (!left || d->place[left - 1] != d->place[i])
      d->place[left++] = d->place[i];
  d->places = left;
  return TL_OK;
}

void tl_distance_close (tl_distance *d) {
  TL_DEL (d->mem, d->place, d->place_room);
}

// ---- At a marking ----------------------------------------------------------

typedef struct at {
  const tl_net *net;
  const uint64_t *marking;
  const uint32_t *enabled;
  uint32_t count;
} at;

static uint64_t at_most (__int128 x) {
  return x < 0 ? 0 : x > TL_DISTANCE_MOST ? TL_DISTANCE_MOST : (uint64_t)x;
}

static uint64_t excess (const at *a, const tl_formula *f) {
  __int128 sum = 0;
  for (uint32_t i = 0; i < f->count; i++)
    sum += (__int128)f->term[i].coefficient * a->marking[f->term[i].place];
  return at_most (sum - f->bound);
}

// The tokens that are missing before it is enabled, and those in the way.
static uint64_t missing (const at *a, uint32_t transition) {
  const tl_arcs pre = tl_net_pre (a->net, transition),
                inhibitors = tl_net_inhibitors (a->net, transition);
  __int128 sum = 0;
  for (uint32_t i = 0; i < pre.count; i++) {
    const uint64_t has = a->marking[pre.arc[i].place],
                   needs = pre.arc[i].weight;
    sum += has < needs ? needs - has : 0;
  }
  for (uint32_t i = 0; i < inhibitors.count; i++) {
    const uint64_t has = a->marking[inhibitors.arc[i].place],
                   bars = inhibitors.arc[i].weight;
    sum += has >= bars ? has - bars + 1 : 0;
  }
  return at_most (sum);
}

static uint64_t to_enable (const at *a, const tl_formula *f) {
  uint64_t least = TL_DISTANCE_MOST;
  for (uint32_t i = 0; least && i < f->count; i++) {
    const uint64_t m = missing (a, f->transition[i]);
    least = m < least ? m : least;
  }
  return least;
}

uint64_t tl_distance_disable (const tl_formula *f, const uint32_t *enabled,
                              uint32_t count) {
  uint64_t both = 0;
  for (uint32_t i = 0, k = 0; i < f->count && k < count;)
    if (f->transition[i] == enabled[k])
      both++, i++, k++;
    else if (f->transition[i] < enabled[k])
      i++;
    else
      k++;
  return both;
}

static uint64_t distance (const at *, const tl_formula *);

static uint64_t of_negation (const at *a, const tl_formula *f) {
  return f->op == TL_FIREABLE   ? tl_distance_disable (f, a->enabled, a->count)
         : f->op == TL_DEADLOCK ? !a->count
                                : !distance (a, f);
}

static uint64_t distance (const at *a, const tl_formula *f) {
  uint64_t least = TL_DISTANCE_MOST;
  __int128 sum = 0;
  switch (f->op) {
  case TL_TRUE: return 0;
  case TL_COMPARE: return excess (a, f);
  case TL_FIREABLE: return to_enable (a, f);
  case TL_DEADLOCK: return a->count;
  case TL_NOT: return of_negation (a, f->operand[0]);
  case TL_AND:
    for (uint32_t i = 0; i < f->count; i++)
      sum += distance (a, f->operand[i]);
    return at_most (sum);
  case TL_OR:
    for (uint32_t i = 0; least && i < f->count; i++) {
      const uint64_t d = distance (a, f->operand[i]);
      least = d < least ? d : least;
    }
    return least;
  default: return TL_DISTANCE_MOST; // false
  }
}

uint64_t tl_distance_of (const tl_distance *d, const uint64_t *marking,
                         const uint32_t *enabled, uint32_t count) {
  const at a = {d->net, marking, enabled, count};
  return distance (&a, d->formula);
}
