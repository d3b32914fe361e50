#include "stubborn/set.h"

#include <string.h>

static tl_status open_components (tl_stubborn *s) {
  tl_stubborn_components *c = &s->components;
  return TL_NEW (s->mem, c->order, s->nodes) &&
                 TL_NEW (s->mem, c->low, s->nodes) &&
                 TL_NEW (s->mem, c->leads, s->nodes) &&
                 TL_NEW (s->mem, c->stack, s->nodes) &&
                 TL_NEW (s->mem, c->path, s->nodes)
             ? TL_OK
             : TL_E_NOMEM;
}

static void close_components (tl_stubborn *s) {
  tl_stubborn_components *c = &s->components;
  TL_DEL (s->mem, c->order, s->nodes);
  TL_DEL (s->mem, c->low, s->nodes);
  TL_DEL (s->mem, c->leads, s->nodes);
  TL_DEL (s->mem, c->stack, s->nodes);
  TL_DEL (s->mem, c->path, s->nodes);
}

static bool open_marks (tl_stubborn *s, tl_marks *m) {
  const uint32_t transitions = s->interference->net->transitions;
  return TL_NEW (s->mem, m->in, transitions) &&
         TL_NEW (s->mem, m->whole, s->interference->lists) &&
         TL_NEW (s->mem, m->work, transitions);
}

static void close_marks (tl_stubborn *s, tl_marks *m) {
  const uint32_t transitions = s->interference->net->transitions;
  TL_DEL (s->mem, m->in, transitions);
  TL_DEL (s->mem, m->whole, s->interference->lists);
  TL_DEL (s->mem, m->work, transitions);
}

static tl_status open_set (tl_stubborn *s) {
  const uint32_t transitions = s->interference->net->transitions;
  s->nodes = transitions + s->interference->lists;
  if (!TL_NEW (s->mem, s->enabled, transitions) ||
      !TL_NEW (s->mem, s->smallest, transitions) || !open_marks (s, &s->set) ||
      !open_marks (s, &s->trial))
    return TL_E_NOMEM;
  return open_components (s);
}

tl_status tl_stubborn_open (tl_stubborn **out, tl_mem *mem,
                            const tl_interference *interference,
                            const tl_layout *layout) {
  tl_stubborn *s;
  *out = 0;
  if (!TL_NEW (mem, s, 1))
    return TL_E_NOMEM;
  *s =
      (tl_stubborn){.mem = mem, .interference = interference, .layout = layout};
  const tl_status rc = open_set (s);
  if (rc)
    tl_stubborn_close (s);
  else
    *out = s;
  return rc;
}

void tl_stubborn_close (tl_stubborn *s) {
  if (!s)
    return;
  tl_mem *mem = s->mem;
  const uint32_t transitions = s->interference->net->transitions;
  close_components (s);
  TL_DEL (mem, s->enabled, transitions);
  close_marks (s, &s->set);
  close_marks (s, &s->trial);
  TL_DEL (mem, s->smallest, transitions);
  TL_DEL (mem, s, 1);
}

// ---- What the state says of the lists --------------------------------------

static uint64_t tokens (const tl_stubborn *s, uint32_t place) {
  return tl_layout_tokens (s->layout, s->state, place);
}

size_t tl_list_end (const tl_stubborn *s, uint32_t list) {
  const tl_interference *r = s->interference;
  const uint32_t places = r->net->places;
  size_t end = r->start[list + 1];
  if (list < places)
    while (end > r->start[list] && r->need[end - 1] <= tokens (s, list))
      end--;
  else if (list < 2 * places)
    while (end > r->start[list] && r->need[end - 1] > tokens (s, list - places))
      end--;
  return end;
}

// ---- Sets ------------------------------------------------------------------

enum { ENABLED_COSTS = 1000 }; // as much as so many disabled ones

uint64_t tl_marks_cost (const tl_stubborn *s, const tl_marks *m,
                        const uint32_t *transition, size_t count) {
  uint64_t cost = 0;
  for (size_t i = 0; i < count; i++)
    if (!tl_is_in (m, transition[i]))
      cost += tl_is_enabled (s, transition[i]) ? ENABLED_COSTS : 1;
  return cost;
}

static uint64_t list_cost (const tl_stubborn *s, const tl_marks *m,
                           uint32_t list) {
  const size_t start = s->interference->start[list];
  return m->whole[list] == m->round
             ? 0
             : tl_marks_cost (s, m, s->interference->member + start,
                              tl_list_end (s, list) - start);
}

uint32_t tl_marks_awaited (const tl_stubborn *s, const tl_marks *m,
                           uint32_t transition) {
  const tl_net *net = s->interference->net;
  const tl_arcs pre = tl_net_pre (net, transition);
  const tl_arcs inhibitors = tl_net_inhibitors (net, transition);
  uint32_t best = 0;
  uint64_t least = UINT64_MAX;
  for (uint32_t i = 0; i < pre.count + inhibitors.count && least; i++) {
    const bool inhibits = i >= pre.count;
    const tl_arc arc = inhibits ? inhibitors.arc[i - pre.count] : pre.arc[i];
    if ((tokens (s, arc.place) < arc.weight) == inhibits)
      continue;
    const uint32_t list = inhibits ? tl_takers (s->interference, arc.place)
                                   : tl_adders (s->interference, arc.place);
    const uint64_t cost = list_cost (s, m, list);
    if (cost < least) {
      least = cost;
      best = list;
    }
  }
  return best;
}

void tl_marks_clear (const tl_stubborn *s, tl_marks *m) {
  if (!++m->round) { // once in four thousand million times
    memset (m->in, 0, s->interference->net->transitions * sizeof *m->in);
    memset (m->whole, 0, s->interference->lists * sizeof *m->whole);
    m->round = 1;
  }
  m->working = m->chosen = 0;
}

void tl_marks_add (const tl_stubborn *s, tl_marks *m, uint32_t transition) {
  if (tl_is_in (m, transition))
    return;
  m->in[transition] = m->round;
  m->work[m->working++] = transition;
  m->chosen += tl_is_enabled (s, transition);
}

void tl_marks_add_list (const tl_stubborn *s, tl_marks *m, uint32_t list) {
  if (m->whole[list] == m->round)
    return;
  m->whole[list] = m->round;
  const size_t end = tl_list_end (s, list);
  for (size_t i = s->interference->start[list]; i < end; i++)
    tl_marks_add (s, m, s->interference->member[i]);
}

void tl_marks_add_key (const tl_stubborn *s, tl_marks *m, uint32_t transition) {
  const tl_interference *r = s->interference;
  tl_marks_add (s, m, transition);
  for (size_t i = r->conflict_start[transition];
       i < r->conflict_start[transition + 1]; i++)
    tl_marks_add_list (s, m, r->conflict[i]);
}

bool tl_marks_close (const tl_stubborn *s, tl_marks *m, uint32_t most) {
  const tl_interference *r = s->interference;
  while (m->working && m->chosen < most) {
    const uint32_t t = m->work[--m->working];
    if (!tl_is_enabled (s, t))
      tl_marks_add_list (s, m, tl_marks_awaited (s, m, t));
    else
      for (size_t i = r->conflict_start[t]; i < r->strict_start[t]; i++)
        tl_marks_add_list (s, m, r->conflict[i]);
  }
  return m->chosen < most;
}

// ---- At a state ------------------------------------------------------------

void tl_stubborn_begin (tl_stubborn *s, const uint64_t *state,
                        const uint32_t *enabled, uint32_t count) {
  if (!++s->round) {
    memset (s->enabled, 0,
            s->interference->net->transitions * sizeof *s->enabled);
    s->round = 1;
  }
  s->state = state;
  s->list = enabled;
  s->count = count;
  for (uint32_t i = 0; i < count; i++)
    s->enabled[enabled[i]] = s->round;
  tl_marks_clear (s, &s->set);
}

void tl_stubborn_add (tl_stubborn *s, uint32_t transition) {
  tl_marks_add (s, &s->set, transition);
}

void tl_stubborn_add_adders (tl_stubborn *s, uint32_t place) {
  tl_marks_add_list (s, &s->set, tl_adders (s->interference, place));
}

void tl_stubborn_add_takers (tl_stubborn *s, uint32_t place) {
  tl_marks_add_list (s, &s->set, tl_takers (s->interference, place));
}

void tl_stubborn_add_disablers (tl_stubborn *s, uint32_t transition) {
  tl_marks_add_key (s, &s->set, transition);
}

void tl_stubborn_add_some (tl_stubborn *s) {
  // What they need is not enabled, or among them.
  const uint32_t count = tl_smallest_set (s);
  for (uint32_t i = 0; i < count; i++)
    s->set.in[s->smallest[i]] = s->set.round;
}

uint32_t tl_stubborn_hidden (tl_stubborn *s, const uint8_t *visible,
                             const uint64_t *state, uint32_t *enabled,
                             uint32_t count) {
  tl_stubborn_begin (s, state, enabled, count);
  const uint32_t kept = tl_smallest_hidden_set (s, visible);
  for (uint32_t i = 0; i < kept; i++)
    enabled[i] = s->smallest[i];
  return kept ? kept : count;
}

uint32_t tl_stubborn_end (tl_stubborn *s, uint32_t *enabled, uint32_t count) {
  tl_marks_close (s, &s->set, UINT32_MAX);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (tl_is_in (&s->set, enabled[i]))
      enabled[kept++] = enabled[i];
  return kept;
}
