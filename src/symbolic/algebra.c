#include "symbolic/algebra.h"

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
  if (tl_operations_get (&d->unions, a, b, 0, &result))
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
    tl_operations_put (&d->unions, a, b, 0, result);
  return result;
}

// What is in the first set and in the second, or with `minus` not in the
// second.
static tl_set meet (tl_diagram *d, tl_set a, tl_set b, bool minus) {
  const uint32_t by = minus ? TL_BY_DIFFERENCE : TL_BY_INTERSECTION;
  tl_set result;
  if (a == b)
    return minus ? TL_EMPTY_SET : a;
  if (!a || !b)
    return minus ? a : TL_EMPTY_SET;
  if (tl_operations_get (&d->others, a, b, by, &result))
    return result;
  if (tl_diagram_ends (d))
    return TL_EMPTY_SET;
  const tl_set_node *m = tl_diagram_node (d, a), *n = tl_diagram_node (d, b);
  const size_t base = d->slots;
  for (uint32_t i = 0, j = 0; i < m->count && !d->status; i++) {
    const tl_branch edge = m->edge[i];
    while (j < n->count && n->edge[j].value < edge.value)
      j++;
    const bool both = j < n->count && n->edge[j].value == edge.value;
    const tl_set to = both    ? meet (d, edge.to, n->edge[j].to, minus)
                      : minus ? edge.to
                              : TL_EMPTY_SET;
    if (to && !d->status)
      tl_diagram_push (d, to, edge.value);
  }
  result = tl_diagram_make (d, m->level, base);
  if (!d->status)
    tl_operations_put (&d->others, a, b, by, result);
  return result;
}

tl_set tl_intersection (tl_diagram *d, tl_set a, tl_set b) {
  return a < b ? meet (d, a, b, false) : meet (d, b, a, false);
}

tl_set tl_difference (tl_diagram *d, tl_set a, tl_set b) {
  return meet (d, a, b, true);
}

static tl_set guarded (tl_diagram *d, const tl_events *e, tl_set set,
                       uint32_t guard, bool enabled) {
  tl_set result;
  if (!guard || !set)
    return enabled ? set : TL_EMPTY_SET;
  const uint32_t by =
      tl_operation_number (enabled ? TL_BY_ENABLED : TL_BY_DISABLED, guard);
  if (tl_operations_get (&d->others, set, 0, by, &result))
    return result;
  if (tl_diagram_ends (d))
    return TL_EMPTY_SET;
  const tl_set_node *n = tl_diagram_node (d, set);
  const tl_tail *t = e->tail + guard;
  const size_t base = d->slots;
  for (uint32_t i = 0; i < n->count && !d->status; i++) {
    const tl_branch edge = n->edge[i];
    tl_set to = enabled ? TL_EMPTY_SET : edge.to;
    if (t->level < n->level)
      to = guarded (d, e, edge.to, guard, enabled);
    else if (edge.value >= t->least && edge.value < t->end)
      to = guarded (d, e, edge.to, t->next, enabled);
    if (to && !d->status)
      tl_diagram_push (d, to, edge.value);
  }
  result = tl_diagram_make (d, n->level, base);
  if (!d->status)
    tl_operations_put (&d->others, set, 0, by, result);
  return result;
}

tl_set tl_enabled (tl_diagram *d, const tl_events *e, tl_set set,
                   uint32_t guard) {
  return guard == TL_NEVER ? TL_EMPTY_SET : guarded (d, e, set, guard, true);
}

tl_set tl_disabled (tl_diagram *d, const tl_events *e, tl_set set,
                    uint32_t guard) {
  return guard == TL_NEVER ? set : guarded (d, e, set, guard, false);
}

// Like saturation: first what no transition enables that is lower down, then
// those whose topmost level this is, each of which goes no higher.
static tl_set dead_below (tl_diagram *d, const tl_events *e, tl_set set) {
  tl_set result;
  if (set <= TL_ALL_SET ||
      tl_operations_get (&d->others, set, 0, TL_BY_DEAD, &result))
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
      result = tl_disabled (d, e, result, e->guards.tail[l.first + i]);
      d->slots = base;
    }
  if (!d->status)
    tl_operations_put (&d->others, set, 0, TL_BY_DEAD, result);
  return result;
}

tl_set tl_dead (tl_diagram *d, const tl_events *e, tl_set set) {
  for (uint32_t t = 0; t < e->variables->net->transitions; t++)
    if (e->guard[t] == TL_NO_TAIL)
      return TL_EMPTY_SET; // it is always enabled
  return dead_below (d, e, set);
}

tl_set tl_single (tl_diagram *d, const tl_events *e, const uint32_t *value) {
  tl_set set = TL_ALL_SET;
  for (uint32_t level = 1; level <= e->levels && !d->status; level++) {
    const size_t base = d->slots;
    tl_diagram_push (d, set, value[e->at[level]]);
    set = tl_diagram_make (d, level, base);
  }
  return set;
}

void tl_held_unite (tl_diagram *d, tl_held *h, tl_set more) {
  if (!tl_diagram_push (d, more, 0))
    return;
  const tl_set both = tl_union (d, h->set, more);
  d->slots--;
  if (!d->status)
    h->set = both;
}

bool tl_set_has (const tl_diagram *d, const tl_events *e, tl_set set,
                 const uint32_t *value) {
  for (uint32_t level = e->levels; level && set; level--)
    set = tl_diagram_follow (tl_diagram_node (d, set), value[e->at[level]]);
  return set != TL_EMPTY_SET;
}
