#include "symbolic/saturate.h"

#include "symbolic/algebra.h"
#include "symbolic/edges.h"

typedef struct saturation {
  tl_diagram *d;
  const tl_events *e;
} saturation;

static tl_set image (saturation *, tl_set, uint32_t tail);

// ---- Firing ----------------------------------------------------------------

// Fires the events of the level at one value.
static void fire (saturation *s, uint32_t level, size_t base, uint32_t value) {
  tl_diagram *d = s->d;
  const tl_events *e = s->e;
  const tl_level_tails *l = e->events.level + level;
  for (uint32_t i = tl_first_tail (e, &e->events, level, value);
       i < l->first + l->count; i++) {
    const tl_tail *t = e->tail + e->events.tail[i];
    if (t->least > value)
      break;
    if (value >= t->end)
      continue;
    const tl_set below = image (s, d->slot[base + value].to, t->next);
    if (d->status)
      return;
    tl_edges_join (d, level, base, (uint64_t)((int64_t)value + t->add), below);
  }
}

static void settle (saturation *s, uint32_t level, size_t base) {
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
static void add_edge (saturation *s, uint32_t level, size_t base,
                      uint64_t value, tl_set to) {
  tl_diagram *d = s->d;
  if (!to || d->status)
    return;
  if (!s->e->events.level[level].count && value < TL_SYMBOLIC_TOKENS)
    tl_diagram_push (d, to, (uint32_t)value);
  else
    tl_edges_set (d, level, base, value, to);
}

static tl_set image_of (saturation *s, const tl_set_node *n, uint32_t tail) {
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
  return tl_edges_make (d, level, base);
}

// What firing the tail on a saturated set makes, saturated.
static tl_set image (saturation *s, tl_set set, uint32_t tail) {
  tl_diagram *d = s->d;
  tl_set result;
  if (!tail || !set)
    return set;
  if (tl_operations_get (&d->images, set, 0, tail, &result))
    return result;
  if (tl_diagram_ends (d))
    return TL_EMPTY_SET;
  result = image_of (s, tl_diagram_node (d, set), tail);
  if (!d->status)
    tl_operations_put (&d->images, set, 0, tail, result);
  return result;
}

// ---- All of it -------------------------------------------------------------

tl_status tl_saturate (tl_diagram *d, const tl_events *e, const uint32_t *value,
                       tl_set *reached) {
  saturation s = {d, e};
  tl_set set = TL_ALL_SET;
  for (uint32_t level = 1; level <= e->levels && !d->status; level++) {
    const size_t base = d->slots;
    tl_edges_set (d, level, base, value[e->at[level]], set);
    settle (&s, level, base);
    set = tl_edges_make (d, level, base);
  }
  if (!d->status)
    tl_diagram_push (d, set, 0);
  *reached = set;
  return d->status;
}
