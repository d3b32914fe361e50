#include "symbolic/tails.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

// What a transition does to one variable.
typedef struct touch {
  uint32_t variable;
  uint32_t least, end;
  bool takes, puts; // of a group: its token
  int64_t add;
} touch;

typedef struct making {
  tl_events *e;
  touch *touch; // [levels]
  uint32_t touches;
  uint32_t *touched; // [levels] number of the touch of a variable, plus one
  bool never;
} making;

// ---- Tails -----------------------------------------------------------------

static bool same (const tl_tail *a, const tl_tail *b) {
  return a->level == b->level && a->least == b->least && a->end == b->end &&
         a->next == b->next && a->add == b->add;
}

static uint64_t hash (const tl_tail *t) {
  return tl_mix (tl_mix (t->level ^ (uint64_t)t->next << 32) ^
                 tl_mix (t->least ^ (uint64_t)t->end << 32) ^
                 (uint64_t)t->add * 0x9e3779b97f4a7c15u);
}

static uint32_t *find_slot (const tl_events *e, const tl_tail *t) {
  size_t i = hash (t) & (e->slots - 1);
  while (e->slot[i] && !same (e->tail + e->slot[i], t))
    i = (i + 1) & (e->slots - 1);
  return e->slot + i;
}

static bool grow_slots (tl_events *e) {
  const size_t old = e->slots;
  uint32_t *const slot = e->slot;
  e->slots = old ? 2 * old : 1024;
  if (!TL_NEW (e->mem, e->slot, e->slots)) {
    e->slot = slot;
    e->slots = old;
    return false;
  }
  for (size_t i = 1; i < e->tails; i++)
    *find_slot (e, e->tail + i) = (uint32_t)i;
  if (slot)
    tl_mem_put (e->mem, slot, old, sizeof *slot);
  return true;
}

static tl_status share (tl_events *e, tl_tail t, uint32_t *number) {
  if ((2 * e->tails >= e->slots && !grow_slots (e)) ||
      !TL_ROOM (e->mem, e->tail, &e->tail_room, e->tails + 1))
    return TL_E_NOMEM;
  uint32_t *slot = find_slot (e, &t);
  if (!*slot) {
    *slot = (uint32_t)e->tails;
    e->tail[e->tails++] = t;
  }
  *number = *slot;
  return TL_OK;
}

// ---- What a transition touches ---------------------------------------------

static touch *touch_of (making *m, uint32_t variable) {
  uint32_t *number = m->touched + variable;
  if (!*number) {
    m->touch[m->touches++] = (touch){.variable = variable, .end = UINT32_MAX};
    *number = m->touches;
  }
  return m->touch + *number - 1;
}

static void take (making *m, tl_arc arc) {
  const tl_variables *v = m->e->variables;
  const uint32_t variable = v->of[arc.place], value = v->value[arc.place];
  if (variable == TL_NO_NAME) {
    m->never |= v->net->initial[arc.place] < arc.weight;
    return;
  }
  touch *t = touch_of (m, variable);
  if (!value) {
    t->least = arc.weight;
    t->add -= arc.weight;
    return;
  }
  m->never |= t->takes || arc.weight > 1;
  t->takes = true;
  t->least = value;
  t->end = value + 1;
  t->add -= value;
}

// Without a token that is taken from the group, it has none.
static void put (making *m, tl_arc arc) {
  const tl_variables *v = m->e->variables;
  const uint32_t variable = v->of[arc.place], value = v->value[arc.place];
  if (variable == TL_NO_NAME)
    return;
  touch *t = touch_of (m, variable);
  if (!value) {
    t->add += arc.weight;
    return;
  }
  m->never |= t->puts || arc.weight > 1;
  t->puts = true;
  t->add += value;
  if (!t->takes)
    t->end = 1;
}

static void inhibit (making *m, tl_arc arc) {
  const tl_variables *v = m->e->variables;
  const uint32_t variable = v->of[arc.place];
  if (variable == TL_NO_NAME) {
    m->never |= v->net->initial[arc.place] >= arc.weight;
    return;
  }
  touch *t = touch_of (m, variable);
  if (arc.weight < t->end)
    t->end = arc.weight;
}

static void touch_all (making *m, uint32_t transition) {
  const tl_net *net = m->e->variables->net;
  for (uint32_t i = 0; i < m->touches; i++)
    m->touched[m->touch[i].variable] = 0;
  m->touches = 0;
  m->never = false;
  const tl_arcs pre = tl_net_pre (net, transition),
                post = tl_net_post (net, transition),
                inhibitors = tl_net_inhibitors (net, transition);
  for (uint32_t i = 0; i < pre.count; i++)
    take (m, pre.arc[i]);
  for (uint32_t i = 0; i < post.count; i++)
    put (m, post.arc[i]);
  for (uint32_t i = 0; i < inhibitors.count; i++)
    inhibit (m, inhibitors.arc[i]);
  for (uint32_t i = 0; i < m->touches; i++)
    m->never |= m->touch[i].least >= m->touch[i].end;
}

static int by_level (const void *a, const void *b, void *context) {
  const uint32_t *level_of = context,
                 x = level_of[((const touch *)a)->variable],
                 y = level_of[((const touch *)b)->variable];
  return (x > y) - (x < y);
}

// ---- Events ----------------------------------------------------------------

static tl_status add_transition (making *m, uint32_t t) {
  tl_events *e = m->e;
  uint32_t guard = TL_NO_TAIL, event = TL_NO_TAIL;
  bool changes = false;
  touch_all (m, t);
  if (m->never) {
    e->guard[t] = TL_NEVER;
    return TL_OK;
  }
  qsort_r (m->touch, m->touches, sizeof *m->touch, by_level, e->level_of);
  for (uint32_t i = 0; i < m->touches; i++) {
    const touch *x = m->touch + i;
    tl_tail tail = {e->level_of[x->variable], x->least, x->end, event, x->add};
    changes |= x->add != 0;
    tl_status rc = share (e, tail, &event);
    tail.next = guard;
    tail.add = 0;
    if (rc || (rc = share (e, tail, &guard)))
      return rc;
  }
  e->guard[t] = guard;
  if (guard)
    e->guards.tail[e->guards.count++] = guard;
  if (changes)
    e->events.tail[e->events.count++] = event;
  else if (guard)
    e->loops.tail[e->loops.count++] = guard;
  e->idles |= !guard;
  return TL_OK;
}

static int by_tail (const void *a, const void *b, void *context) {
  const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
  const tl_tail *tail = context, *x = tail + i, *y = tail + j;
  if (x->level != y->level)
    return x->level < y->level ? -1 : 1;
  if (x->least != y->least)
    return x->least < y->least ? -1 : 1;
  return (i > j) - (i < j);
}

static void sort (tl_events *e, tl_sorted_tails *x) {
  const uint32_t all = x->count;
  qsort_r (x->tail, all, sizeof *x->tail, by_tail, e->tail);
  x->count = 0;
  for (uint32_t i = 0; i < all; i++)
    if (!i || x->tail[i] != x->tail[i - 1])
      x->tail[x->count++] = x->tail[i];
  for (uint32_t i = 0; i < x->count; i++) {
    tl_level_tails *l = x->level + e->tail[x->tail[i]].level;
    if (!l->count++)
      l->first = i;
  }
}

static bool open_sorted (tl_events *e, tl_sorted_tails *x) {
  return TL_NEW (e->mem, x->tail, e->variables->net->transitions + 1) &&
         TL_NEW (e->mem, x->level, e->levels + 1);
}

static void close_sorted (tl_events *e, tl_sorted_tails *x) {
  TL_DEL (e->mem, x->tail, e->variables->net->transitions + 1);
  TL_DEL (e->mem, x->level, e->levels + 1);
}

static tl_status fill (tl_events *e) {
  const tl_net *net = e->variables->net;
  making m = {.e = e};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (e->mem, m.touch, e->levels + 1) &&
      TL_NEW (e->mem, m.touched, e->levels + 1))
    rc = TL_OK;
  for (uint32_t t = 0; !rc && t < net->transitions; t++)
    rc = add_transition (&m, t);
  TL_DEL (e->mem, m.touch, e->levels + 1);
  TL_DEL (e->mem, m.touched, e->levels + 1);
  if (!rc) {
    sort (e, &e->guards);
    sort (e, &e->events);
    sort (e, &e->loops);
  }
  return rc;
}

tl_status tl_events_open (tl_events *e, tl_mem *mem, const tl_variables *v,
                          const uint32_t *order) {
  const uint32_t transitions = v->net->transitions;
  *e = (tl_events){.mem = mem, .variables = v, .levels = v->count, .tails = 1};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, e->level_of, e->levels + 1) &&
      TL_NEW (mem, e->at, e->levels + 1) &&
      TL_NEW (mem, e->guard, transitions + 1) && open_sorted (e, &e->guards) &&
      open_sorted (e, &e->events) && open_sorted (e, &e->loops)) {
    for (uint32_t i = 0; i < v->count; i++) {
      e->level_of[order[i]] = i + 1;
      e->at[i + 1] = order[i];
    }
    rc = fill (e);
  }
  if (rc)
    tl_events_close (e);
  return rc;
}

uint32_t tl_first_tail (const tl_events *e, const tl_sorted_tails *x,
                        uint32_t level, uint32_t value) {
  const tl_level_tails *l = x->level + level;
  uint32_t low = l->first, high = low + l->count;
  if (!tl_variable_is_group (e->variables, e->at[level]))
    return low;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (e->tail[x->tail[middle]].least < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void tl_events_keep_guards (tl_events *e, const uint8_t *kept) {
  tl_sorted_tails *x = &e->guards;
  x->count = 0;
  memset (x->level, 0, (e->levels + 1) * sizeof *x->level);
  for (uint32_t t = 0; t < e->variables->net->transitions; t++) {
    if (!kept[t])
      e->guard[t] = TL_NEVER;
    if (e->guard[t] && e->guard[t] != TL_NEVER)
      x->tail[x->count++] = e->guard[t];
  }
  sort (e, x);
}

// A tail the other way.
static tl_status turn (tl_events *e, uint32_t number, uint32_t *turned) {
  *turned = TL_NO_TAIL;
  if (!number)
    return TL_OK;
  tl_tail t = e->tail[number];
  const tl_status rc = turn (e, t.next, &t.next);
  if (rc)
    return rc;
  const int64_t end = t.end + t.add;
  t.least = (uint32_t)(t.least + t.add);
  t.end = t.end == UINT32_MAX || end > UINT32_MAX ? UINT32_MAX : (uint32_t)end;
  t.add = -t.add;
  return share (e, t, turned);
}

tl_status tl_events_turn (tl_events *e) {
  tl_sorted_tails *x = &e->backs;
  if (x->level)
    return TL_OK;
  tl_status rc = open_sorted (e, x) ? TL_OK : TL_E_NOMEM;
  for (uint32_t i = 0; !rc && i < e->events.count; i++)
    rc = turn (e, e->events.tail[i], x->tail + i);
  if (rc) {
    close_sorted (e, x);
    return rc;
  }
  x->count = e->events.count;
  sort (e, x);
  return TL_OK;
}

void tl_events_close (tl_events *e) {
  if (!e->mem)
    return;
  const uint32_t transitions = e->variables->net->transitions;
  TL_DEL (e->mem, e->level_of, e->levels + 1);
  TL_DEL (e->mem, e->at, e->levels + 1);
  TL_DEL (e->mem, e->guard, transitions + 1);
  close_sorted (e, &e->guards);
  close_sorted (e, &e->events);
  close_sorted (e, &e->loops);
  close_sorted (e, &e->backs);
  TL_DEL (e->mem, e->tail, e->tail_room);
  TL_DEL (e->mem, e->slot, e->slots);
  *e = (tl_events){0};
}
