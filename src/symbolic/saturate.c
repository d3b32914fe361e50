#include "symbolic/saturate.h"

static tl_set image (tl_saturation *, tl_set, uint32_t tail);

// ---- Nodes that are being made ---------------------------------------------

// While a node is saturated its edges lie on the slots by their value, from
// `base` to the end: `to` is empty where there is none, `value` says whether
// transitions are still to be fired there.

static bool reserve (tl_saturation *s, size_t base, uint64_t value,
                     uint32_t level) {
  if (value >= TL_SYMBOLIC_TOKENS) {
    s->outgrown = level;
    s->d->status = TL_E_LIMIT;
    return false;
  }
  while (s->d->slots <= base + value)
    if (!tl_diagram_push (s->d, TL_EMPTY_SET, 0))
      return false;
  return true;
}

static void join (tl_saturation *s, size_t base, uint64_t value, uint32_t level,
                  tl_set more) {
  tl_diagram *d = s->d;
  // It has to be on a slot while there may be a collection.
  if (!more || !tl_diagram_push (d, more, 0))
    return;
  const tl_set old =
      base + value < d->slots - 1 ? d->slot[base + value].to : TL_EMPTY_SET;
  const tl_set both = tl_union (d, old, more);
  d->slots--;
  if (!d->status && both != old && reserve (s, base, value, level))
    d->slot[base + value] = (tl_branch){1, both};
}

// Edges by value become a list of those that are there.
static tl_set finish (tl_diagram *d, uint32_t level, size_t base) {
  size_t end = base;
  for (size_t i = base; i < d->slots; i++)
    if (d->slot[i].to)
      d->slot[end++] = (tl_branch){(uint32_t)(i - base), d->slot[i].to};
  d->slots = end;
  return tl_diagram_make (d, level, base);
}

// ---- Firing ----------------------------------------------------------------

// The first event of the level that may be enabled at a value: one of a group
// wants exactly one value, others all from some value on.
static uint32_t first_event (const tl_events *e, uint32_t level,
                             uint32_t value) {
  const tl_level_tails *l = e->events.level + level;
  uint32_t low = l->first, high = low + l->count;
  if (!tl_variable_is_group (e->variables, e->at[level]))
    return low;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (e->tail[e->events.tail[middle]].least < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Fires the events of the level at one value.
static void fire (tl_saturation *s, uint32_t level, size_t base,
                  uint32_t value) {
  tl_diagram *d = s->d;
  const tl_events *e = s->e;
  const tl_level_tails *l = e->events.level + level;
  for (uint32_t i = first_event (e, level, value); i < l->first + l->count;
       i++) {
    const tl_tail *t = e->tail + e->events.tail[i];
    if (t->least > value)
      break;
    if (value >= t->end)
      continue;
    const tl_set below = image (s, d->slot[base + value].to, t->next);
    if (d->status)
      return;
    join (s, base, (uint64_t)((int64_t)value + t->add), level, below);
  }
}

static void settle (tl_saturation *s, uint32_t level, size_t base) {
  tl_diagram *d = s->d;
  for (bool again = s->e->events.level[level].count; again && !d->status;) {
    again = false;
    for (uint32_t v = 0; base + v < d->slots && !d->status; v++)
      if (d->slot[base + v].value) {
        d->slot[base + v].value = 0;
        fire (s, level, base, v);
        again = true;
      }
  }
}

// ---- Images ----------------------------------------------------------------

// Adds an edge: by its value where events are fired on the node, else to the
// list.
static void add_edge (tl_saturation *s, uint32_t level, size_t base,
                      uint64_t value, tl_set to) {
  tl_diagram *d = s->d;
  if (!to || d->status)
    return;
  if (!s->e->events.level[level].count && value < TL_SYMBOLIC_TOKENS)
    tl_diagram_push (d, to, (uint32_t)value);
  else if (reserve (s, base, value, level))
    d->slot[base + value] = (tl_branch){1, to};
}

static tl_set image_of (tl_saturation *s, const tl_set_node *n, uint32_t tail) {
  tl_diagram *d = s->d;
  const tl_tail *t = s->e->tail + tail;
  const size_t base = d->slots;
  const uint32_t level = n->level;
  const bool touched = t->level == level;
  for (uint32_t i = 0; i < n->count && !d->status; i++) {
    const tl_branch edge = n->edge[i];
    if (!touched)
      add_edge (s, level, base, edge.value, image (s, edge.to, tail));
    else if (edge.value >= t->least && edge.value < t->end)
      add_edge (s, level, base, (uint64_t)((int64_t)edge.value + t->add),
                image (s, edge.to, t->next));
  }
  if (!s->e->events.level[level].count)
    return tl_diagram_make (d, level, base);
  settle (s, level, base);
  return finish (d, level, base);
}

// What firing the tail on a saturated set makes, saturated.
static tl_set image (tl_saturation *s, tl_set set, uint32_t tail) {
  tl_diagram *d = s->d;
  tl_set result;
  if (!tail || !set)
    return set;
  if (tl_operations_get (&d->images, set, tail, &result))
    return result;
  if (tl_diagram_ends (d))
    return TL_EMPTY_SET;
  result = image_of (s, tl_diagram_node (d, set), tail);
  if (!d->status)
    tl_operations_put (&d->images, set, tail, result);
  return result;
}

// ---- Sets ------------------------------------------------------------------

tl_set tl_union (tl_diagram *d, tl_set a, tl_set b) {
  tl_set result;
  if (a == b || !b)
    return a;
  if (!a)
    return b;
  if (a > b) {
    const tl_set c = a;
    a = b;
    b = c;
  }
  if (tl_operations_get (&d->unions, a, b, &result))
    return result;
  if (tl_diagram_ends (d))
    return TL_EMPTY_SET;
  const tl_set_node *m = tl_diagram_node (d, a), *n = tl_diagram_node (d, b);
  const size_t base = d->slots;
  uint32_t i = 0, j = 0;
  while ((i < m->count || j < n->count) && !d->status) {
    const uint64_t x = i < m->count ? m->edge[i].value : UINT64_MAX,
                   y = j < n->count ? n->edge[j].value : UINT64_MAX;
    const tl_set to = x < y   ? m->edge[i].to
                      : y < x ? n->edge[j].to
                              : tl_union (d, m->edge[i].to, n->edge[j].to);
    tl_diagram_push (d, to, (uint32_t)(x < y ? x : y));
    i += x <= y;
    j += y <= x;
  }
  result = tl_diagram_make (d, m->level, base);
  if (!d->status)
    tl_operations_put (&d->unions, a, b, result);
  return result;
}

// The markings of a set that do not enable a transition with that guard.
static tl_set not_enabled (tl_diagram *d, const tl_events *e, tl_set set,
                           uint32_t guard) {
  tl_set result;
  if (!guard || !set)
    return TL_EMPTY_SET;
  if (tl_operations_get (&d->differences, set, guard, &result))
    return result;
  if (tl_diagram_ends (d))
    return TL_EMPTY_SET;
  const tl_set_node *n = tl_diagram_node (d, set);
  const tl_tail *t = e->tail + guard;
  const size_t base = d->slots;
  for (uint32_t i = 0; i < n->count && !d->status; i++) {
    const tl_branch edge = n->edge[i];
    tl_set to = edge.to;
    if (t->level < n->level)
      to = not_enabled (d, e, to, guard);
    else if (edge.value >= t->least && edge.value < t->end)
      to = not_enabled (d, e, to, t->next);
    if (to && !d->status)
      tl_diagram_push (d, to, edge.value);
  }
  result = tl_diagram_make (d, n->level, base);
  if (!d->status)
    tl_operations_put (&d->differences, set, guard, result);
  return result;
}

// What was remembered of `not_enabled` is told from this by its tail.
#define ALL_TAILS UINT32_MAX

// Like saturation: first what no transition enables that is lower down, then
// those whose topmost level this is, each of which goes no higher.
static tl_set dead_below (tl_diagram *d, const tl_events *e, tl_set set) {
  tl_set result;
  if (set <= TL_ALL_SET ||
      tl_operations_get (&d->differences, set, ALL_TAILS, &result))
    return set <= TL_ALL_SET ? set : result;
  if (tl_diagram_ends (d))
    return TL_EMPTY_SET;
  const tl_set_node *n = tl_diagram_node (d, set);
  const tl_level_tails l = e->guards.level[n->level];
  const size_t base = d->slots;
  for (uint32_t i = 0; i < n->count && !d->status; i++) {
    const tl_set to = dead_below (d, e, n->edge[i].to);
    if (to && !d->status)
      tl_diagram_push (d, to, n->edge[i].value);
  }
  result = tl_diagram_make (d, n->level, base);
  for (uint32_t i = 0; i < l.count && result && !d->status; i++)
    if (tl_diagram_push (d, result, 0)) {
      result = not_enabled (d, e, result, e->guards.tail[l.first + i]);
      d->slots = base;
    }
  if (!d->status)
    tl_operations_put (&d->differences, set, ALL_TAILS, result);
  return result;
}

tl_set tl_dead (tl_diagram *d, const tl_events *e, tl_set set) {
  for (uint32_t t = 0; t < e->variables->net->transitions; t++)
    if (e->guard[t] == TL_NO_TAIL)
      return TL_EMPTY_SET; // it is always enabled
  return dead_below (d, e, set);
}

// ---- All of it -------------------------------------------------------------

tl_status tl_saturate (tl_saturation *s, tl_set *reached) {
  tl_diagram *d = s->d;
  tl_set set = TL_ALL_SET;
  for (uint32_t level = 1; level <= s->e->levels && !d->status; level++) {
    const size_t base = d->slots;
    const uint32_t value = s->e->variables->initial[s->e->at[level]];
    if (reserve (s, base, value, level))
      d->slot[base + value] = (tl_branch){1, set};
    settle (s, level, base);
    set = finish (d, level, base);
  }
  if (!d->status)
    tl_diagram_push (d, set, 0);
  *reached = set;
  return d->status;
}
