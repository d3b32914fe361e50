// A small set that keeps dead states.
//
// First by the strongly connected components of the graph of needs (Tarjan),
// with all enabled transitions to stay enabled: one needs the members of all
// its lists, a disabled one those of the list it waits for.  A component that
// leads to no other with enabled transitions is closed together with all it
// leads to, and this in time linear in the size of the net.  With one enabled
// transition there is nothing smaller.  Else a few sets are grown, each around
// another transition that stays enabled.

#include "stubborn/set.h"

#include <string.h>

enum { KEYS = 8 }; // so many are tried: more were hardly ever better

#define FINISHED UINT32_MAX // as `low` of a node: its component is complete

static bool is_new (const tl_stubborn_components *c, uint32_t node) {
  return c->order[node] <= c->before;
}

static void enter (tl_stubborn *s, uint32_t node) {
  tl_stubborn_components *c = &s->components;
  const tl_interference *r = s->interference;
  const uint32_t transitions = r->net->transitions;
  c->order[node] = c->low[node] = ++c->last;
  c->leads[node] = false;
  c->stack[c->stacked++] = node;
  tl_need_frame *f = c->path + c->depth++;
  f->node = node;
  if (node >= transitions) {
    f->next = r->start[node - transitions];
    f->end = tl_list_end (s, node - transitions);
  } else if (tl_is_enabled (s, node)) {
    f->next = r->conflict_start[node];
    f->end = r->conflict_start[node + 1];
  } else {
    f->next = tl_marks_awaited (s, &s->trial, node);
    f->end = f->next + 1;
  }
}

// The node that the next edge leads to.
static uint32_t target (const tl_stubborn *s, const tl_need_frame *f) {
  const tl_interference *r = s->interference;
  const uint32_t transitions = r->net->transitions;
  if (f->node >= transitions)
    return r->member[f->next];
  return transitions + (tl_is_enabled (s, f->node) ? r->conflict[f->next]
                                                   : (uint32_t)f->next);
}

// Takes the component of the node off the stack.  Is it the best so far?
static void finish (tl_stubborn *s, uint32_t root, uint32_t *best) {
  tl_stubborn_components *c = &s->components;
  const uint32_t transitions = s->interference->net->transitions;
  size_t first = c->stacked;
  uint32_t count = 0;
  do {
    const uint32_t node = c->stack[--first];
    count += node < transitions && tl_is_enabled (s, node);
  } while (c->stack[first] != root);
  const bool better = count && count < *best && !c->leads[root];
  if (better)
    *best = 0;
  const bool leads = c->leads[root] || count;
  for (size_t i = first; i < c->stacked; i++) {
    const uint32_t node = c->stack[i];
    c->low[node] = FINISHED;
    c->leads[node] = leads;
    if (better && node < transitions && tl_is_enabled (s, node))
      s->smallest[(*best)++] = node;
  }
  c->stacked = first;
}

// What a node tells the one before it on the path.
static void tell (tl_stubborn_components *c, uint32_t node, uint32_t low,
                  uint32_t from) {
  c->leads[node] |= c->leads[from];
  if (low < c->low[node])
    c->low[node] = low;
}

static void search_from (tl_stubborn *s, uint32_t node, uint32_t *best) {
  tl_stubborn_components *c = &s->components;
  enter (s, node);
  while (c->depth && *best > 1) {
    tl_need_frame *f = c->path + c->depth - 1;
    if (f->next < f->end) {
      const uint32_t next = target (s, f);
      f->next++;
      if (is_new (c, next))
        enter (s, next);
      else if (c->low[next] == FINISHED)
        tell (c, f->node, FINISHED, next);
      else
        tell (c, f->node, c->order[next], next);
      continue;
    }
    const uint32_t done = f->node;
    if (c->low[done] == c->order[done])
      finish (s, done, best);
    if (--c->depth)
      tell (c, c->path[c->depth - 1].node, c->low[done], done);
  }
}

static uint32_t by_components (tl_stubborn *s) {
  tl_stubborn_components *c = &s->components;
  if (c->last > UINT32_MAX - 1 - s->nodes) {
    memset (c->order, 0, s->nodes * sizeof *c->order);
    c->last = 0;
  }
  c->before = c->last;
  c->stacked = c->depth = 0;
  tl_marks_clear (s, &s->trial);
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < s->count && best > 1; i++)
    if (is_new (c, s->list[i]))
      search_from (s, s->list[i], &best);
  return best;
}

// Tries some enabled transitions as the one that stays enabled.  The others of
// the set may be disabled from outside, which components do not tell apart, and
// what waits can wait for what is there already.
static uint32_t by_keys (tl_stubborn *s, uint32_t best) {
  for (uint32_t i = 0; i < s->count && i < KEYS && best > 1; i++) {
    tl_marks_clear (s, &s->trial);
    tl_marks_add_key (s, &s->trial, s->list[i]);
    if (!tl_marks_close (s, &s->trial, best))
      continue;
    best = 0;
    for (uint32_t k = 0; k < s->count; k++)
      if (tl_is_in (&s->trial, s->list[k]))
        s->smallest[best++] = s->list[k];
  }
  return best;
}

// The enabled transitions of the trial in s->smallest, if none is visible; how
// many, 0 if one is.
static uint32_t hidden_trial (tl_stubborn *s, const uint8_t *visible) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->count; i++)
    if (tl_is_in (&s->trial, s->list[i])) {
      if (visible[s->list[i]])
        return 0;
      count++;
    }
  count = 0;
  for (uint32_t i = 0; i < s->count; i++)
    if (tl_is_in (&s->trial, s->list[i]))
      s->smallest[count++] = s->list[i];
  return count;
}

uint32_t tl_smallest_hidden_set (tl_stubborn *s, const uint8_t *visible) {
  uint32_t best = 0;
  for (uint32_t i = 0; i < s->count && best != 1; i++) {
    if (visible[s->list[i]])
      continue;
    tl_marks_clear (s, &s->trial);
    tl_marks_add_key (s, &s->trial, s->list[i]);
    if (!tl_marks_close (s, &s->trial, best ? best : s->count))
      continue;
    const uint32_t count = hidden_trial (s, visible);
    best = count ? count : best;
  }
  return best;
}

uint32_t tl_smallest_set (tl_stubborn *s) {
  const tl_interference *r = s->interference;
  if (!s->count)
    return 0;
  for (uint32_t i = 0; i < s->count; i++) {
    const uint32_t t = s->list[i];
    if (r->conflict_start[t] == r->conflict_start[t + 1]) {
      s->smallest[0] = t;
      return 1;
    }
  }
  return by_keys (s, by_components (s));
}
