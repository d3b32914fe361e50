#include "stubborn/set.h"

#include <string.h>

static tl_status open_components (tl_stubborn *s) {
  tl_components *c = &s->components;
  return TL_NEW (s->mem, c->order, s->nodes) &&
                 TL_NEW (s->mem, c->low, s->nodes) &&
                 TL_NEW (s->mem, c->leads, s->nodes) &&
                 TL_NEW (s->mem, c->stack, s->nodes) &&
                 TL_NEW (s->mem, c->path, s->nodes)
             ? TL_OK
             : TL_E_NOMEM;
}

static void close_components (tl_stubborn *s) {
  tl_components *c = &s->components;
  if (c->order)
    TL_DEL (s->mem, c->order, s->nodes);
  if (c->low)
    TL_DEL (s->mem, c->low, s->nodes);
  if (c->leads)
    TL_DEL (s->mem, c->leads, s->nodes);
  if (c->stack)
    TL_DEL (s->mem, c->stack, s->nodes);
  if (c->path)
    TL_DEL (s->mem, c->path, s->nodes);
}

static tl_status open_set (tl_stubborn *s) {
  const tl_net *net = s->layout->net;
  const tl_status rc = tl_relation_open (&s->relation, s->mem, net);
  if (rc)
    return rc;
  s->nodes = net->transitions + s->relation.lists;
  if (!TL_NEW (s->mem, s->enabled, net->transitions) ||
      !TL_NEW (s->mem, s->in, net->transitions) ||
      !TL_NEW (s->mem, s->whole, s->relation.lists) ||
      !TL_NEW (s->mem, s->work, net->transitions) ||
      !TL_NEW (s->mem, s->smallest, net->transitions))
    return TL_E_NOMEM;
  return open_components (s);
}

tl_status tl_stubborn_open (tl_stubborn **out, tl_mem *mem,
                            const tl_layout *layout) {
  tl_stubborn *s;
  *out = 0;
  if (!TL_NEW (mem, s, 1))
    return TL_E_NOMEM;
  *s = (tl_stubborn){.mem = mem, .layout = layout};
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
  const uint32_t transitions = s->layout->net->transitions;
  close_components (s);
  if (s->enabled)
    TL_DEL (mem, s->enabled, transitions);
  if (s->in)
    TL_DEL (mem, s->in, transitions);
  if (s->whole)
    TL_DEL (mem, s->whole, s->relation.lists);
  if (s->work)
    TL_DEL (mem, s->work, transitions);
  if (s->smallest)
    TL_DEL (mem, s->smallest, transitions);
  tl_relation_close (&s->relation);
  TL_DEL (mem, s, 1);
}

// ---- What the state says of the lists --------------------------------------

static uint64_t tokens (const tl_stubborn *s, uint32_t place) {
  return tl_layout_tokens (s->layout, s->state, place);
}

size_t tl_list_end (const tl_stubborn *s, uint32_t list) {
  const tl_relation *r = &s->relation;
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

uint32_t tl_list_awaited (const tl_stubborn *s, uint32_t transition) {
  const tl_net *net = s->relation.net;
  const tl_arcs pre = tl_net_pre (net, transition);
  const tl_arcs inhibitors = tl_net_inhibitors (net, transition);
  uint32_t best = 0;
  size_t least = SIZE_MAX;
  for (uint32_t i = 0; i < pre.count + inhibitors.count; i++) {
    const bool inhibits = i >= pre.count;
    const tl_arc arc = inhibits ? inhibitors.arc[i - pre.count] : pre.arc[i];
    if ((tokens (s, arc.place) < arc.weight) == inhibits)
      continue;
    const uint32_t list = inhibits ? tl_takers (&s->relation, arc.place)
                                   : tl_adders (&s->relation, arc.place);
    const size_t length = s->whole[list] == s->round
                              ? 0
                              : tl_list_end (s, list) - s->relation.start[list];
    if (length < least) {
      least = length;
      best = list;
    }
  }
  return best;
}

// ---- The set ---------------------------------------------------------------

void tl_stubborn_begin (tl_stubborn *s, const uint64_t *state,
                        const uint32_t *enabled, uint32_t count) {
  const uint32_t transitions = s->relation.net->transitions;
  if (!++s->round) { // once in four thousand million states
    memset (s->enabled, 0, transitions * sizeof *s->enabled);
    memset (s->in, 0, transitions * sizeof *s->in);
    memset (s->whole, 0, s->relation.lists * sizeof *s->whole);
    s->round = 1;
  }
  s->state = state;
  s->list = enabled;
  s->count = count;
  for (uint32_t i = 0; i < count; i++)
    s->enabled[enabled[i]] = s->round;
}

void tl_stubborn_add (tl_stubborn *s, uint32_t transition) {
  if (s->in[transition] == s->round)
    return;
  s->in[transition] = s->round;
  s->work[s->working++] = transition;
}

void tl_stubborn_add_list (tl_stubborn *s, uint32_t list) {
  if (s->whole[list] == s->round)
    return;
  s->whole[list] = s->round;
  const size_t end = tl_list_end (s, list);
  for (size_t i = s->relation.start[list]; i < end; i++)
    tl_stubborn_add (s, s->relation.member[i]);
}

void tl_stubborn_add_adders (tl_stubborn *s, uint32_t place) {
  tl_stubborn_add_list (s, tl_adders (&s->relation, place));
}

void tl_stubborn_add_takers (tl_stubborn *s, uint32_t place) {
  tl_stubborn_add_list (s, tl_takers (&s->relation, place));
}

void tl_stubborn_add_disablers (tl_stubborn *s, uint32_t transition) {
  const tl_relation *r = &s->relation;
  tl_stubborn_add (s, transition);
  for (size_t i = r->conflict_start[transition];
       i < r->conflict_start[transition + 1]; i++)
    tl_stubborn_add_list (s, r->conflict[i]);
}

void tl_stubborn_add_some (tl_stubborn *s) {
  // Their needs are not enabled, or among them.
  const uint32_t count = tl_smallest_set (s);
  for (uint32_t i = 0; i < count; i++)
    s->in[s->smallest[i]] = s->round;
}

// Adds what the transitions of the set need.
static void close_set (tl_stubborn *s) {
  const tl_relation *r = &s->relation;
  while (s->working) {
    const uint32_t t = s->work[--s->working];
    if (!tl_is_enabled (s, t))
      tl_stubborn_add_list (s, tl_list_awaited (s, t));
    else
      for (size_t i = r->conflict_start[t]; i < r->strict_start[t]; i++)
        tl_stubborn_add_list (s, r->conflict[i]);
  }
}

uint32_t tl_stubborn_end (tl_stubborn *s, uint32_t *enabled, uint32_t count) {
  close_set (s);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (s->in[enabled[i]] == s->round)
      enabled[kept++] = enabled[i];
  return kept;
}
