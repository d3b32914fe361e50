#include "check/assume.h"

#include "base/cancel.h"

#include <string.h>

// Beyond this many terms no more is tried.
#define MAX_WORK UINT64_C (200000000)

void tl_assumptions_close (tl_assumptions *a) {
  if (!a->mem)
    return;
  tl_equation_close (a->equation);
  TL_DEL (a->mem, a->item, a->room);
  TL_DEL (a->mem, a->term, a->term_room);
  TL_DEL (a->mem, a->given, a->given_room);
  *a = (tl_assumptions){0};
}

uint64_t tl_proven_bound (const tl_structure *s, uint32_t place) {
  return s->source[place] == TL_BOUND_CLAIM ? TL_NO_BOUND : s->bound[place];
}

// ---- Adding ----------------------------------------------------------------

static bool add_term (tl_assumptions *a, uint32_t place, int64_t factor) {
  if (!TL_ROOM (a->mem, a->term, &a->term_room, a->terms + 1))
    return false;
  a->term[a->terms++] = (tl_entry){place, factor};
  return true;
}

// The terms from `start` on are at most the bound.
static void add_item (tl_assumptions *a, size_t start, int64_t bound) {
  if (!TL_ROOM (a->mem, a->item, &a->room, a->count + 1)) {
    a->terms = start;
    return;
  }
  a->item[a->count++] = (struct tl_assumed){
      .start = start, .count = (uint32_t)(a->terms - start), .bound = bound};
}

// With `factor` 1 the place holds at most `bound` tokens, with -1 at least
// -bound.
static void add_one (tl_assumptions *a, uint32_t place, int64_t factor,
                     int64_t bound) {
  const size_t start = a->terms;
  if (add_term (a, place, factor))
    add_item (a, start, bound);
}

// not s <= b  is  -s <= -b - 1
static void add_comparison (tl_assumptions *a, const tl_formula *f,
                            bool negated) {
  const size_t start = a->terms;
  for (uint32_t i = 0; i < f->count; i++)
    if (!add_term (a, f->term[i].place,
                   negated ? -f->term[i].coefficient
                           : f->term[i].coefficient)) {
      a->terms = start;
      return;
    }
  add_item (a, start, negated ? ~f->bound : f->bound);
}

void tl_assume_enabled (tl_assumptions *a, uint32_t transition) {
  const tl_net *net = a->structure->net;
  const tl_arcs pre = tl_net_pre (net, transition);
  const tl_arcs inhibitors = tl_net_inhibitors (net, transition);
  for (uint32_t i = 0; i < pre.count; i++)
    add_one (a, pre.arc[i].place, -1, -(int64_t)pre.arc[i].weight);
  for (uint32_t i = 0; i < inhibitors.count; i++)
    add_one (a, inhibitors.arc[i].place, 1,
             (int64_t)inhibitors.arc[i].weight - 1);
}

// Some place of several, each of which is bounded, has fewer tokens than the
// arc wants.
static void add_not_full (tl_assumptions *a, tl_arcs pre) {
  const size_t start = a->terms;
  uint64_t most = 0, least_missing = UINT64_MAX;
  for (uint32_t i = 0; i < pre.count; i++) {
    const uint64_t bound = tl_proven_bound (a->structure, pre.arc[i].place);
    const uint32_t weight = pre.arc[i].weight;
    // Never enabled at all, or too much to add up.
    if (bound < weight || bound > UINT32_MAX ||
        !add_term (a, pre.arc[i].place, 1)) {
      a->terms = start;
      return;
    }
    most += bound;
    if (bound - weight + 1 < least_missing)
      least_missing = bound - weight + 1;
  }
  add_item (a, start, (int64_t)(most - least_missing));
}

void tl_assume_disabled (tl_assumptions *a, uint32_t transition) {
  const tl_net *net = a->structure->net;
  const tl_arcs pre = tl_net_pre (net, transition);
  const tl_arcs inhibitors = tl_net_inhibitors (net, transition);
  if (pre.count + inhibitors.count == 0)
    add_item (a, a->terms, -1); // it is always enabled: 0 <= -1
  else if (!inhibitors.count && pre.count == 1)
    add_one (a, pre.arc->place, 1, (int64_t)pre.arc->weight - 1);
  else if (!inhibitors.count)
    add_not_full (a, pre);
  else if (!pre.count && inhibitors.count == 1)
    add_one (a, inhibitors.arc->place, -1, -(int64_t)inhibitors.arc->weight);
}

// FIREABLE of the transitions, or NOT FIREABLE.
static void add_fireable (tl_assumptions *a, const uint32_t *transition,
                          uint32_t count, bool negated) {
  if (!negated && count == 1)
    tl_assume_enabled (a, *transition);
  for (uint32_t i = 0; negated && i < count; i++)
    tl_assume_disabled (a, transition[i]);
}

void tl_assume (tl_assumptions *a, const tl_formula *f, bool negated) {
  if (a->work > MAX_WORK)
    return;
  const size_t before = a->terms;
  if (f->op == TL_NOT) {
    f = f->operand[0];
    negated = !negated;
  }
  if (f->op == TL_COMPARE)
    add_comparison (a, f, negated);
  else if (f->op == TL_FIREABLE)
    add_fireable (a, f->transition, f->count, negated);
  else if (f->op == TL_DEADLOCK && !negated)
    for (uint32_t t = 0; t < a->structure->net->transitions; t++)
      tl_assume_disabled (a, t);
  a->work += a->terms - before;
}

void tl_assumptions_cut (tl_assumptions *a, size_t count) {
  if (count < a->count)
    a->terms = a->item[count].start;
  a->count = count;
}

// ---- What they exclude -----------------------------------------------------

static bool holds_initially (const tl_assumptions *a, size_t i) {
  __int128 sum = 0;
  const tl_entry *term = a->term + a->item[i].start;
  for (uint32_t k = 0; k < a->item[i].count; k++)
    sum += (__int128)term[k].factor * a->structure->net->initial[term[k].index];
  return sum <= a->item[i].bound;
}

// Is the sum always larger, by the bounds of its places?
static bool bounds_exclude (const tl_assumptions *a, size_t i) {
  __int128 least = 0;
  const tl_entry *term = a->term + a->item[i].start;
  for (uint32_t k = 0; k < a->item[i].count; k++)
    if (term[k].factor < 0) {
      const uint64_t most = tl_proven_bound (a->structure, term[k].index);
      if (most == TL_NO_BOUND)
        return false;
      least += (__int128)term[k].factor * most;
    }
  return least > a->item[i].bound;
}

// Is there something that satisfies those from number `from` on?
static bool is_sighted (tl_assumptions *a, size_t from) {
  uint64_t all[TL_SIGHTS / 64], any = 0, points = UINT64_MAX;
  memset (all, 0xff, sizeof all);
  for (size_t i = from; i < a->count; i++) {
    tl_sighted *seen = &a->item[i].seen;
    tl_sights_look (a->sights, a->given + (i - from), seen);
    points &= seen->point;
    for (size_t k = 0; k < TL_SIGHTS / 64; k++)
      all[k] &= seen->marking[k];
  }
  for (size_t k = 0; k < TL_SIGHTS / 64; k++)
    any |= all[k];
  return any | points;
}

bool tl_assumptions_excluded (tl_assumptions *a, size_t from) {
  const size_t count = a->count - from;
  if (a->work > MAX_WORK || from == a->count || tl_cancelled (a->cancel))
    return false;
  a->work += a->terms - a->item[from].start + count;
  bool initially = true;
  for (size_t i = from; i < a->count; i++) {
    const bool one = holds_initially (a, i);
    initially &= one;
    if (!one && bounds_exclude (a, i))
      return true;
  }
  if (initially || !a->equation ||
      !TL_ROOM (a->mem, a->given, &a->given_room, count))
    return false;
  for (size_t i = 0; i < count; i++) {
    const struct tl_assumed *item = a->item + from + i;
    a->given[i] =
        (tl_inequality){{a->term + item->start, item->count}, item->bound};
  }
  if (is_sighted (a, from))
    return false;
  const bool excluded = tl_equation_excludes (a->equation, a->given, count);
  tl_sights_take (a->sights, a->equation);
  return excluded;
}
