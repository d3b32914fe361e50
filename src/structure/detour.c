#include "structure/detour.h"

#include <string.h>

// Numbers of tokens that are kept at most, and fewer states are not worth it.
#define MOST_TOKENS 2000000u
#define FEWEST_STATES 50u
// Transitions that are tried at most.
#define MOST_TRIES 5000000u

typedef struct node {
  uint32_t parent, transition;
  __int128 sum;
} node;

typedef struct search {
  tl_mem *mem;
  const tl_net *net;
  const int64_t *weight;
  uint32_t limit, count;
  int64_t *marking; // [limit][places]
  node *node;       // [limit]
  uint32_t *slot;   // [slots] number of a node + 1
  uint32_t slots;
  uint32_t *heap; // [limit] those to be expanded, least sum first
  uint32_t waiting;
} search;

static int64_t *marking_of (const search *s, uint32_t n) {
  return s->marking + (size_t)n * s->net->places;
}

// ---- The heap --------------------------------------------------------------

static bool is_before (const search *s, uint32_t a, uint32_t b) {
  return s->node[a].sum < s->node[b].sum ||
         (s->node[a].sum == s->node[b].sum && a < b);
}

static void push (search *s, uint32_t n) {
  uint32_t i = s->waiting++;
  while (i && is_before (s, n, s->heap[(i - 1) / 2])) {
    s->heap[i] = s->heap[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  s->heap[i] = n;
}

static uint32_t pop (search *s) {
  const uint32_t first = *s->heap, last = s->heap[--s->waiting];
  uint32_t i = 0;
  for (;;) {
    uint32_t child = 2 * i + 1;
    if (child >= s->waiting)
      break;
    child += child + 1 < s->waiting &&
             is_before (s, s->heap[child + 1], s->heap[child]);
    if (!is_before (s, s->heap[child], last))
      break;
    s->heap[i] = s->heap[child];
    i = child;
  }
  s->heap[i] = last;
  return first;
}

// ---- Markings --------------------------------------------------------------

static uint32_t *slot_of (search *s, const int64_t *marking) {
  const uint32_t places = s->net->places;
  uint64_t hash = 0;
  for (uint32_t p = 0; p < places; p++)
    hash = (hash ^ (uint64_t)marking[p]) * UINT64_C (0x9e3779b97f4a7c15) +
           (hash >> 29);
  uint32_t i = (uint32_t)(hash >> 32) % s->slots;
  while (s->slot[i] && memcmp (marking_of (s, s->slot[i] - 1), marking,
                               places * sizeof *marking))
    i = (i + 1) % s->slots;
  return s->slot + i;
}

static __int128 sum_of (const search *s, const int64_t *marking) {
  __int128 sum = 0;
  for (uint32_t p = 0; p < s->net->places; p++)
    sum += (__int128)s->weight[p] * marking[p];
  return sum;
}

// The marking behind the last node becomes one, if it is new.
static bool add (search *s, uint32_t parent, uint32_t transition) {
  const int64_t *marking = marking_of (s, s->count);
  uint32_t *slot = slot_of (s, marking);
  if (*slot)
    return false;
  s->node[s->count] = (node){parent, transition, sum_of (s, marking)};
  push (s, s->count);
  *slot = ++s->count;
  return true;
}

// What changed came nearer to the initial marking, in every place.
static bool is_between (const search *s, const int64_t *marking) {
  for (uint32_t p = 0; p < s->net->places; p++) {
    const int64_t at = marking[p], from = s->marking[p],
                  to = s->net->initial[p];
    if (at != from && (from < to ? at < from || at > to : at > from || at < to))
      return false;
  }
  return true;
}

static bool is_target (const search *s, uint32_t n) {
  const __int128 sum = s->node[n].sum, first = s->node[0].sum;
  return sum < first || (sum == first && is_between (s, marking_of (s, n)));
}

// ---- Searching -------------------------------------------------------------

static bool fire (const search *s, uint32_t n, uint32_t t) {
  const tl_arcs pre = tl_net_pre (s->net, t);
  const int64_t *from = marking_of (s, n);
  int64_t *to = marking_of (s, s->count);
  for (uint32_t i = 0; i < pre.count; i++)
    if (from[pre.arc[i].place] < pre.arc[i].weight)
      return false;
  memcpy (to, from, s->net->places * sizeof *to);
  for (tl_change c = tl_net_change (s->net, t); tl_net_change_next (&c);)
    to[c.place] += c.amount;
  return true;
}

// The number of a node that is a target, or 0: the first one is none.
static uint32_t find_target (search *s) {
  while (s->waiting) {
    const uint32_t n = pop (s);
    for (uint32_t t = 0; t < s->net->transitions; t++) {
      if (s->count == s->limit)
        return 0;
      if (fire (s, n, t) && add (s, n, t) && is_target (s, s->count - 1))
        return s->count - 1;
    }
  }
  return 0;
}

// What has to be there for the run to `last`, from its end on.
static void add_up (const search *s, uint32_t last, int64_t *need) {
  memset (need, 0, s->net->places * sizeof *need);
  for (uint32_t n = last; n; n = s->node[n].parent) {
    const uint32_t t = s->node[n].transition;
    const tl_arcs pre = tl_net_pre (s->net, t);
    for (tl_change c = tl_net_change (s->net, t); tl_net_change_next (&c);)
      need[c.place] = need[c.place] > c.amount ? need[c.place] - c.amount : 0;
    for (uint32_t i = 0; i < pre.count; i++)
      if (need[pre.arc[i].place] < pre.arc[i].weight)
        need[pre.arc[i].place] = pre.arc[i].weight;
  }
}

// For a run that leaves the sum as it is.
static void restrict_to_between (const search *s, uint32_t last, tl_detour *d) {
  for (uint32_t p = 0; p < s->net->places; p++) {
    const int64_t more = marking_of (s, last)[p] - s->marking[p],
                  initial = s->net->initial[p];
    if (more < 0 && d->least[p] < initial - more)
      d->least[p] = initial - more;
    if (more > 0)
      d->most[p] = initial - more;
  }
}

bool tl_detour_find (tl_detour *d, tl_mem *mem, const tl_net *net,
                     const int64_t *weight, const int64_t *from,
                     uint32_t states) {
  const uint32_t by_places = MOST_TOKENS / (net->places + 1),
                 by_tries = MOST_TRIES / (net->transitions + 1),
                 most = by_places < by_tries ? by_places : by_tries;
  search s = {.mem = mem,
              .net = net,
              .weight = weight,
              .limit = states < most ? states : most};
  if (s.limit < FEWEST_STATES || net->inhibitor_start[net->transitions])
    return false;
  s.slots = 2 * s.limit + 1;
  uint32_t target = 0;
  const size_t tokens = (size_t)s.limit * net->places;
  if (TL_NEW (mem, s.marking, tokens) && TL_NEW (mem, s.node, s.limit) &&
      TL_NEW (mem, s.slot, s.slots) && TL_NEW (mem, s.heap, s.limit)) {
    memcpy (s.marking, from, net->places * sizeof *from);
    add (&s, 0, 0);
    target = find_target (&s);
  }
  if (target) {
    add_up (&s, target, d->least);
    for (uint32_t p = 0; p < net->places; p++)
      d->most[p] = TL_DETOUR_ANY;
    if (s.node[target].sum == s.node[0].sum)
      restrict_to_between (&s, target, d);
  }
  TL_DEL (mem, s.marking, tokens);
  TL_DEL (mem, s.node, s.limit);
  TL_DEL (mem, s.slot, s.slots);
  TL_DEL (mem, s.heap, s.limit);
  return target;
}
