#include "symbolic/backward.h"

#include "symbolic/edges.h"

typedef struct backward {
  tl_diagram *d;
  const tl_events *e;
} backward;

// ---- One step --------------------------------------------------------------

// The edges of `n` that an event may lead to from edges of `m`: the value
// before it, where both go on, and what is left of the event.
typedef struct step {
  const tl_set_node *m, *n;
  uint32_t tail, rest, edge; // the next one of `n`
  uint64_t value;
  tl_set before, after;
} step;

static step first_step (const backward *b, tl_set along, tl_set set,
                        uint32_t tail) {
  return (step){.m = tl_diagram_node (b->d, along),
                .n = tl_diagram_node (b->d, set),
                .tail = tail};
}

static bool next_step (const backward *b, step *s) {
  while (s->edge < s->n->count && !b->d->status) {
    const tl_branch *e = s->n->edge + s->edge++;
    s->value = e->value;
    s->rest = s->tail;
    if (!tl_tail_pass (b->e, s->n->level, &s->value, &s->rest))
      continue;
    s->before = tl_diagram_follow (s->m, s->value);
    s->after = e->to;
    return true;
  }
  return false;
}

// The markings of `all` from which an event leads into `set`.
static tl_set before_event (backward *b, tl_set all, tl_set set,
                            uint32_t tail) {
  tl_diagram *d = b->d;
  const uint32_t by = tl_operation_number (TL_BY_BEFORE_EVENT, tail);
  tl_set result;
  if (!all || !set)
    return TL_EMPTY_SET;
  if (!tail)
    return tl_intersection (d, all, set);
  if (tl_operations_get (&d->others, all, set, by, &result))
    return result;
  if (tl_diagram_ends (d))
    return TL_EMPTY_SET;
  const size_t base = d->slots;
  step s = first_step (b, all, set, tail);
  while (next_step (b, &s)) {
    const tl_set to = before_event (b, s.before, s.after, s.rest);
    if (to && !d->status)
      tl_diagram_push (d, to, (uint32_t)s.value);
  }
  result = tl_diagram_make (d, s.n->level, base);
  if (!d->status)
    tl_operations_put (&d->others, all, set, by, result);
  return result;
}

tl_set tl_before_event (tl_diagram *d, const tl_events *e, tl_set all,
                        tl_set set, uint32_t i) {
  backward b = {d, e};
  return before_event (&b, all, set, e->backs.tail[i]);
}

// Adds the second set, which was just made, to the first.
static tl_set add (tl_diagram *d, tl_set old, tl_set more) {
  const size_t base = d->slots;
  if (!tl_diagram_push (d, old, 0) || !tl_diagram_push (d, more, 0))
    return TL_EMPTY_SET;
  const tl_set both = tl_union (d, old, more);
  d->slots = base;
  return both;
}

// All events whose topmost level is that of the sets or lower.
static tl_set before_below (backward *b, tl_set all, tl_set set) {
  tl_diagram *d = b->d;
  tl_set result;
  if (!all || set <= TL_ALL_SET)
    return TL_EMPTY_SET;
  if (tl_operations_get (&d->others, all, set, TL_BY_BEFORE, &result))
    return result;
  if (tl_diagram_ends (d))
    return TL_EMPTY_SET;
  const tl_set_node *m = tl_diagram_node (d, all),
                    *n = tl_diagram_node (d, set);
  const tl_level_tails l = b->e->backs.level[n->level];
  const size_t base = d->slots;
  for (uint32_t i = 0; i < n->count && !d->status; i++) {
    const uint32_t value = n->edge[i].value;
    const tl_set to =
        before_below (b, tl_diagram_follow (m, value), n->edge[i].to);
    if (to && !d->status)
      tl_diagram_push (d, to, value);
  }
  result = tl_diagram_make (d, n->level, base);
  for (uint32_t i = 0; i < l.count && !d->status; i++)
    if (tl_diagram_push (d, result, 0)) {
      const tl_set more =
          before_event (b, all, set, b->e->backs.tail[l.first + i]);
      result = add (d, result, more);
      d->slots = base;
    }
  if (!d->status)
    tl_operations_put (&d->others, all, set, TL_BY_BEFORE, result);
  return result;
}

// What changes nothing leads from a marking to itself.
static tl_set before_idle (tl_diagram *d, const tl_events *e, tl_set both) {
  tl_set result = e->idles ? both : TL_EMPTY_SET;
  const size_t base = d->slots;
  if (!tl_diagram_push (d, both, 0))
    return TL_EMPTY_SET;
  for (uint32_t i = 0; i < e->loops.count && !e->idles && !d->status; i++)
    if (tl_diagram_push (d, result, 0)) {
      const tl_set more = tl_enabled (d, e, both, e->loops.tail[i]);
      result = add (d, result, more);
      d->slots = base + 1;
    }
  d->slots = base;
  return result;
}

tl_set tl_before (tl_diagram *d, const tl_events *e, tl_set all, tl_set set) {
  backward b = {d, e};
  const size_t base = d->slots;
  tl_set result = before_below (&b, all, set);
  if ((e->idles || e->loops.count) && tl_diagram_push (d, result, 0)) {
    result = add (d, result, before_idle (d, e, tl_intersection (d, all, set)));
    d->slots = base;
  }
  return result;
}

// ---- Any number of steps ---------------------------------------------------

static tl_set image (backward *, tl_set along, tl_set set, uint32_t tail);

// As in saturation, but an event that is fired stays within `along`.
static void fire (backward *b, const tl_set_node *along, size_t base,
                  uint32_t value) {
  tl_diagram *d = b->d;
  const tl_events *e = b->e;
  const uint32_t level = along->level;
  const tl_level_tails *l = e->backs.level + level;
  for (uint32_t i = tl_first_tail (e, &e->backs, level, value);
       i < l->first + l->count && !d->status; i++) {
    const tl_tail *t = e->tail + e->backs.tail[i];
    if (t->least > value)
      break;
    if (value >= t->end)
      continue;
    const uint64_t to = (uint64_t)((int64_t)value + t->add);
    const tl_set below = image (b, tl_diagram_follow (along, to),
                                d->slot[base + value].to, t->next);
    tl_edges_join (d, level, base, to, below);
  }
}

static void settle (backward *b, const tl_set_node *along, size_t base) {
  tl_diagram *d = b->d;
  for (bool again = b->e->backs.level[along->level].count;
       again && !d->status;) {
    again = false;
    for (uint32_t v = 0; base + v < d->slots && !d->status; v++)
      if (d->slot[base + v].value) {
        d->slot[base + v].value = 0;
        fire (b, along, base, v);
        again = true;
      }
  }
}

static tl_set saturate (backward *b, tl_set along, tl_set set) {
  tl_diagram *d = b->d;
  tl_set result;
  if (along == set || set <= TL_ALL_SET)
    return set;
  if (tl_operations_get (&d->others, along, set, TL_BY_BACKWARD, &result))
    return result;
  if (tl_diagram_ends (d))
    return TL_EMPTY_SET;
  const tl_set_node *m = tl_diagram_node (d, along),
                    *n = tl_diagram_node (d, set);
  const size_t base = d->slots;
  for (uint32_t i = 0; i < n->count && !d->status; i++) {
    const uint32_t value = n->edge[i].value;
    const tl_set to = saturate (b, tl_diagram_follow (m, value), n->edge[i].to);
    if (!d->status)
      tl_edges_set (d, n->level, base, value, to);
  }
  settle (b, m, base);
  result = tl_edges_make (d, n->level, base);
  if (!d->status)
    tl_operations_put (&d->others, along, set, TL_BY_BACKWARD, result);
  return result;
}

// What is left of the set within `along`, saturated there.
static tl_set within (backward *b, tl_set along, tl_set set) {
  tl_diagram *d = b->d;
  const tl_set both = tl_intersection (d, along, set);
  if (!tl_diagram_push (d, both, 0))
    return TL_EMPTY_SET;
  const tl_set result = saturate (b, along, both);
  d->slots--;
  return result;
}

// What an event leads to backwards from a set, within `along`, saturated.
static tl_set image (backward *b, tl_set along, tl_set set, uint32_t tail) {
  tl_diagram *d = b->d;
  const uint32_t by = tl_operation_number (TL_BY_BACKWARD_EVENT, tail);
  tl_set result;
  if (!along || !set || d->status)
    return TL_EMPTY_SET;
  if (!tail)
    return within (b, along, set);
  if (tl_operations_get (&d->others, along, set, by, &result))
    return result;
  if (tl_diagram_ends (d))
    return TL_EMPTY_SET;
  const size_t base = d->slots;
  step s = first_step (b, along, set, tail);
  while (next_step (b, &s)) {
    const tl_set to = image (b, s.before, s.after, s.rest);
    if (to && !d->status)
      tl_edges_set (d, s.n->level, base, s.value, to);
  }
  settle (b, s.m, base);
  result = tl_edges_make (d, s.n->level, base);
  if (!d->status)
    tl_operations_put (&d->others, along, set, by, result);
  return result;
}

tl_set tl_backward (tl_diagram *d, const tl_events *e, tl_set along,
                    tl_set set) {
  backward b = {d, e};
  return saturate (&b, along, set);
}
