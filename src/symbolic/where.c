#include "symbolic/where.h"

#include "symbolic/algebra.h"

// Replaces what is on a slot by its union with a set that was just made.
static void add (tl_diagram *d, size_t slot, tl_set more) {
  if (!tl_diagram_push (d, more, 0))
    return;
  const tl_set both = tl_union (d, d->slot[slot].to, more);
  d->slot[slot].to = both;
  d->slots--;
}

// Takes the slot of a result.
static tl_set take (tl_diagram *d, size_t slot) {
  const tl_set set = d->status ? TL_EMPTY_SET : d->slot[slot].to;
  d->slots = slot;
  return set;
}

static void add_enabled (tl_reachable *r, size_t slot, tl_set set, uint32_t t) {
  add (&r->diagram, slot,
       tl_enabled (&r->diagram, &r->events, set, r->events.guard[t]));
}

static tl_set fireable (tl_reachable *r, const tl_formula *f, tl_set set) {
  tl_diagram *d = &r->diagram;
  const size_t slot = d->slots;
  tl_diagram_push (d, TL_EMPTY_SET, 0);
  for (uint32_t i = 0; i < f->count && !d->status; i++)
    add_enabled (r, slot, set, f->transition[i]);
  return take (d, slot);
}

tl_set tl_set_enabling (tl_reachable *r, tl_set set, uint32_t first,
                        uint32_t count) {
  tl_diagram *d = &r->diagram;
  const size_t slot = d->slots;
  tl_diagram_push (d, TL_EMPTY_SET, 0);
  for (uint32_t i = 0; i < count && !d->status; i++)
    add_enabled (r, slot, set, first + i);
  return take (d, slot);
}

static tl_set compare (tl_weighing *s, const tl_formula *f, tl_set set) {
  tl_weighing_begin (s, f->term, f->count);
  const tl_set result = tl_weighing_at_most (s, set, f->bound);
  tl_weighing_end (s, f->term, f->count);
  return result;
}

static tl_set all_of (tl_weighing *s, const tl_formula *f, tl_set set) {
  tl_diagram *d = &s->reach->diagram;
  const size_t slot = d->slots;
  tl_diagram_push (d, set, 0);
  for (uint32_t i = 0; i < f->count && !d->status; i++) {
    const tl_set part = tl_set_where (s, f->operand[i], d->slot[slot].to);
    if (!d->status)
      d->slot[slot].to = part;
  }
  return take (d, slot);
}

static tl_set some_of (tl_weighing *s, const tl_formula *f, tl_set set) {
  tl_diagram *d = &s->reach->diagram;
  const size_t slot = d->slots;
  tl_diagram_push (d, TL_EMPTY_SET, 0);
  for (uint32_t i = 0; i < f->count && !d->status; i++)
    add (d, slot, tl_set_where (s, f->operand[i], set));
  return take (d, slot);
}

static tl_set none_of (tl_weighing *s, const tl_formula *f, tl_set set) {
  tl_diagram *d = &s->reach->diagram;
  const size_t slot = d->slots;
  tl_diagram_push (d, tl_set_where (s, f->operand[0], set), 0);
  if (!d->status) {
    const tl_set rest = tl_difference (d, set, d->slot[slot].to);
    d->slot[slot].to = rest;
  }
  return take (d, slot);
}

tl_set tl_set_where (tl_weighing *s, const tl_formula *f, tl_set set) {
  tl_reachable *r = s->reach;
  if (!set || r->diagram.status)
    return TL_EMPTY_SET;
  switch (f->op) {
  case TL_TRUE: return set;
  case TL_COMPARE: return compare (s, f, set);
  case TL_FIREABLE: return fireable (r, f, set);
  case TL_DEADLOCK: return tl_dead (&r->diagram, &r->events, set);
  case TL_NOT: return none_of (s, f, set);
  case TL_AND: return all_of (s, f, set);
  case TL_OR: return some_of (s, f, set);
  default: return TL_EMPTY_SET;
  }
}
