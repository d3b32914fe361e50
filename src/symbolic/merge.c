#include "symbolic/merge.h"

#include "base/budget.h"

#define NONE UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)

typedef struct merging {
  tl_merged *m;
  const tl_net *net;
  uint32_t *parent;       // [places] of a class
  uint8_t *frozen;        // [places] stays by itself
  uint8_t *simple;        // [transitions] moves a token and does nothing else
  uint32_t *from;         // [places] of a class: where its tokens come from
  uint64_t *initial;      // [places] of a class
  uint32_t *start, *next; // simple transitions by the place they leave
  uint32_t *at, *low, *path, *open; // [places] of the search for loops
  uint32_t *number;
  uint32_t paths, opens, numbers;
  bool changed;
} merging;

static bool follows (const tl_merged *m, uint32_t p) {
  return m->followers.follows[p];
}

static uint32_t find (merging *x, uint32_t p) {
  while (x->parent[p] != p)
    p = x->parent[p] = x->parent[x->parent[p]];
  return p;
}

static void unite (merging *x, uint32_t p, uint32_t q) {
  p = find (x, p);
  q = find (x, q);
  if (p == q)
    return;
  x->parent[p > q ? p : q] = p > q ? q : p;
  x->changed = true;
}

// ---- Which transitions move a token ----------------------------------------

// The place of the only arc with weight 1, but for places that follow others;
// NONE: there are several, or another weight.
static uint32_t only_place (const tl_merged *m, tl_arcs arcs) {
  uint32_t place = NONE;
  for (uint32_t i = 0; i < arcs.count; i++) {
    const tl_arc arc = arcs.arc[i];
    if (follows (m, arc.place))
      continue;
    if (place != NONE || arc.weight != 1)
      return NONE;
    place = arc.place;
  }
  return place;
}

static uint32_t source (const tl_merged *m, uint32_t t) {
  return only_place (m, tl_net_pre (m->net, t));
}

static uint32_t target (const tl_merged *m, uint32_t t) {
  return only_place (m, tl_net_post (m->net, t));
}

static bool moves_one (const merging *x, uint32_t t) {
  const uint32_t p = source (x->m, t), q = target (x->m, t);
  return p != NONE && q != NONE && p != q && !x->frozen[p] && !x->frozen[q] &&
         !tl_net_inhibitors (x->net, t).count;
}

static void find_simple (merging *x) {
  const tl_net *net = x->net;
  for (uint64_t i = 0; i < net->inhibitor_start[net->transitions]; i++)
    x->frozen[net->inhibitor_arc[i].place] = 1;
  for (uint32_t t = 0; t < net->transitions; t++)
    x->simple[t] = moves_one (x, t);
}

// ---- Chains ----------------------------------------------------------------

static void note_source (merging *x, uint32_t t, uint32_t class) {
  const uint32_t p = x->simple[t] ? find (x, source (x->m, t)) : SEVERAL;
  if (p == class)
    return; // within
  x->from[class] = x->from[class] == NONE || x->from[class] == p ? p : SEVERAL;
}

static void find_chains (merging *x) {
  const tl_net *net = x->net;
  for (uint32_t p = 0; p < net->places; p++) {
    x->from[p] = NONE;
    x->initial[p] = 0;
  }
  for (uint32_t p = 0; p < net->places; p++)
    if (!follows (x->m, p))
      x->initial[find (x, p)] += net->initial[p];
  for (uint32_t t = 0; t < net->transitions; t++) {
    const tl_arcs post = tl_net_post (net, t);
    for (uint32_t i = 0; i < post.count; i++)
      if (!follows (x->m, post.arc[i].place))
        note_source (x, t, find (x, post.arc[i].place));
  }
  for (uint32_t p = 0; p < net->places; p++)
    if (x->from[p] < SEVERAL && !x->initial[p] && !x->frozen[p])
      unite (x, p, x->from[p]);
}

// ---- Loops -----------------------------------------------------------------

// Simple transitions, listed by the class of the place that they leave.
static void list_moves (merging *x) {
  const tl_net *net = x->net;
  for (uint32_t p = 0; p < net->places; p++)
    x->start[p] = NONE;
  for (uint32_t t = 0; t < net->transitions; t++) {
    if (!x->simple[t])
      continue;
    uint32_t *head = x->start + find (x, source (x->m, t));
    x->next[t] = *head;
    *head = t;
  }
}

static void enter (merging *x, uint32_t class) {
  x->number[class] = ++x->numbers;
  x->low[class] = x->numbers;
  x->at[class] = x->start[class];
  x->path[x->paths++] = class;
  x->open[x->opens++] = class;
}

// All that were found since are one component.
static void leave (merging *x, uint32_t class) {
  x->paths--;
  if (x->paths && x->low[class] < x->low[x->path[x->paths - 1]])
    x->low[x->path[x->paths - 1]] = x->low[class];
  if (x->low[class] != x->number[class])
    return;
  uint32_t other;
  do {
    other = x->open[--x->opens];
    x->low[other] = NONE; // done
    unite (x, class, other);
  } while (other != class);
}

// Components of the graph of moves (Tarjan 1972), each of which becomes one.
// Classes are those of before: the listed transitions know their targets by
// places.
static void follow (merging *x, uint32_t first, const uint32_t *class_of) {
  enter (x, first);
  while (x->paths) {
    const uint32_t class = x->path[x->paths - 1], t = x->at[class];
    if (t == NONE) {
      leave (x, class);
      continue;
    }
    x->at[class] = x->next[t];
    const uint32_t to = class_of[target (x->m, t)];
    if (!x->number[to])
      enter (x, to);
    else if (x->low[to] != NONE && x->number[to] < x->low[class])
      x->low[class] = x->number[to];
  }
}

static void find_loops (merging *x) {
  uint32_t *class_of = x->from; // free at this time
  list_moves (x);
  x->numbers = 0;
  for (uint32_t p = 0; p < x->net->places; p++) {
    x->number[p] = 0;
    class_of[p] = find (x, p);
  }
  for (uint32_t p = 0; p < x->net->places; p++)
    if (class_of[p] == p && !x->number[p])
      follow (x, p, class_of);
}

// ---- The smaller net -------------------------------------------------------

static tl_status add_arcs (merging *x, tl_builder *b, tl_arc_kind kind,
                           uint32_t t, tl_arcs arcs) {
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < arcs.count; i++)
    if (!follows (x->m, arcs.arc[i].place))
      rc = tl_builder_arc (b, kind, x->m->to[arcs.arc[i].place], t,
                           arcs.arc[i].weight);
  return rc;
}

static tl_status fill (merging *x, tl_builder *b) {
  const tl_net *net = x->net;
  uint32_t *to = x->m->to;
  tl_status rc = TL_OK;
  for (uint32_t p = 0; !rc && p < net->places; p++)
    if (find (x, p) == p && !follows (x->m, p))
      rc = tl_builder_place (b, net->place_id[p], 0, 0, to + p);
  for (uint32_t p = 0; !rc && p < net->places; p++) {
    to[p] = follows (x->m, p) ? NONE : to[find (x, p)];
    if (!follows (x->m, p))
      rc = tl_builder_add_initial (b, to[p], net->initial[p]);
  }
  for (uint32_t t = 0; !rc && t < net->transitions; t++) {
    uint32_t same;
    rc = tl_builder_transition (b, net->transition_id[t], 0, &same);
    if (!rc)
      rc = add_arcs (x, b, TL_ARC_PRE, t, tl_net_pre (net, t));
    if (!rc)
      rc = add_arcs (x, b, TL_ARC_POST, t, tl_net_post (net, t));
    if (!rc)
      rc = add_arcs (x, b, TL_ARC_INHIBITOR, t, tl_net_inhibitors (net, t));
  }
  return rc;
}

static void find_exits (merging *x) {
  tl_merged *m = x->m;
  const tl_net *net = x->net;
  for (uint32_t p = 0; p < net->places; p++)
    m->is_exit[p] = 1;
  for (uint32_t t = 0; t < net->transitions; t++) {
    m->inner[t] =
        x->simple[t] && m->to[source (x->m, t)] == m->to[target (x->m, t)];
    if (m->inner[t])
      m->is_exit[source (x->m, t)] = 0;
  }
  for (uint32_t p = 0; p < net->places; p++)
    if (!follows (m, p)) {
      m->parts[m->to[p]]++;
      m->exits[m->to[p]] += m->is_exit[p];
    }
  for (uint32_t p = 0; p < m->small->places; p++)
    m->several[p] = m->parts[p] > 1;
}

// All tokens of a merged place may be in the part that counts most.
static void find_factors (merging *x) {
  tl_merged *m = x->m;
  const tl_net *net = x->net;
  for (uint32_t p = 0; p < net->places; p++)
    x->initial[p] = 1; // how often its tokens count
  for (uint32_t p = 0; p < net->places; p++) {
    const tl_vector sum = tl_follower_sum (&m->followers, p);
    for (uint32_t i = 0; i < sum.count; i++)
      x->initial[sum.term[i].index] += (uint64_t)sum.term[i].factor;
    m->more += (uint64_t)m->followers.constant[p];
  }
  for (uint32_t p = 0; p < net->places; p++)
    if (!follows (m, p) && x->initial[p] > m->factor[m->to[p]])
      m->factor[m->to[p]] = x->initial[p];
}

static tl_status build (merging *x) {
  tl_merged *m = x->m;
  tl_builder *b;
  tl_status rc = tl_builder_open (&b, m->mem);
  if (rc)
    return rc;
  if ((rc = fill (x, b))) {
    tl_builder_close (b);
    return rc;
  }
  rc = tl_builder_finish (b, x->net->name, x->net->format, &m->small, 0);
  if (rc)
    m->small = 0;
  else {
    find_exits (x);
    find_factors (x);
  }
  return rc;
}

// ---- All of it -------------------------------------------------------------

static bool merge_some (merging *x) {
  bool any = false;
  for (uint32_t p = 0; p < x->net->places; p++)
    x->parent[p] = p;
  find_simple (x);
  do {
    x->changed = false;
    find_chains (x);
    find_loops (x);
    any |= x->changed;
  } while (x->changed && !tl_budget_look (x->m->mem));
  return any;
}

// Dead markings can be told only where each class has one exit at most: the
// places of others stay by themselves.
static bool has_many_exits (merging *x) {
  const tl_net *net = x->net;
  bool some = false;
  for (uint32_t p = 0; p < net->places; p++) {
    x->low[p] = 0;    // exits of a class
    x->number[p] = 0; // it is left within its class
  }
  for (uint32_t t = 0; t < net->transitions; t++)
    if (x->simple[t] &&
        find (x, source (x->m, t)) == find (x, target (x->m, t)))
      x->number[source (x->m, t)] = 1;
  for (uint32_t p = 0; p < net->places; p++)
    x->low[find (x, p)] += !x->number[p];
  for (uint32_t p = 0; p < net->places; p++)
    if (x->low[find (x, p)] > 1) {
      x->frozen[p] = 1;
      some = true;
    }
  return some;
}

static tl_status merge (merging *x, double seconds) {
  tl_status rc =
      tl_followers_open (&x->m->followers, x->m->mem, x->net, seconds);
  if (rc)
    return rc;
  bool any = merge_some (x);
  while (any && has_many_exits (x) && !tl_budget_look (x->m->mem))
    any = merge_some (x);
  if ((rc = tl_budget_look (x->m->mem)))
    return rc;
  // Too many tokens in a place is no more than that.
  rc = any || x->m->followers.found ? build (x) : TL_OK;
  return rc == TL_E_LIMIT ? TL_OK : rc;
}

tl_status tl_merged_open (tl_merged *m, tl_mem *mem, const tl_net *net,
                          double seconds) {
  const size_t places = (size_t)net->places + 1,
               transitions = (size_t)net->transitions + 1;
  *m = (tl_merged){.mem = mem, .net = net};
  merging x = {.m = m, .net = net};
  tl_arena room = TL_ARENA (mem);
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, m->factor, places) && TL_NEW (mem, m->to, places) &&
      TL_NEW (mem, m->parts, places) && TL_NEW (mem, m->exits, places) &&
      TL_NEW (mem, m->is_exit, places) && TL_NEW (mem, m->inner, transitions) &&
      TL_NEW (mem, m->several, places) &&
      TL_ARENA_NEW (&room, x.parent, places) &&
      TL_ARENA_NEW (&room, x.frozen, places) &&
      TL_ARENA_NEW (&room, x.simple, transitions) &&
      TL_ARENA_NEW (&room, x.from, places) &&
      TL_ARENA_NEW (&room, x.initial, places) &&
      TL_ARENA_NEW (&room, x.start, places) &&
      TL_ARENA_NEW (&room, x.next, transitions) &&
      TL_ARENA_NEW (&room, x.at, places) &&
      TL_ARENA_NEW (&room, x.low, places) &&
      TL_ARENA_NEW (&room, x.path, places) &&
      TL_ARENA_NEW (&room, x.open, places) &&
      TL_ARENA_NEW (&room, x.number, places))
    rc = merge (&x, seconds);
  tl_arena_close (&room);
  return rc;
}

void tl_merged_close (tl_merged *m) {
  if (!m->mem)
    return;
  const size_t places = (size_t)m->net->places + 1;
  tl_followers_close (&m->followers);
  TL_DEL (m->mem, m->factor, places);
  TL_DEL (m->mem, m->to, places);
  TL_DEL (m->mem, m->parts, places);
  TL_DEL (m->mem, m->exits, places);
  TL_DEL (m->mem, m->is_exit, places);
  TL_DEL (m->mem, m->several, places);
  TL_DEL (m->mem, m->inner, (size_t)m->net->transitions + 1);
  if (m->small)
    tl_net_close (m->small);
  *m = (tl_merged){0};
}

uint32_t tl_merged_most (const tl_merged *m, uint32_t p, tl_summand *term) {
  const tl_vector sum = tl_follower_sum (&m->followers, p);
  uint32_t count = 0;
  for (uint32_t i = 0; i < sum.count; i++) {
    const uint32_t to = m->to[sum.term[i].index];
    uint32_t k = 0;
    while (k < count && term[k].place != to)
      k++;
    if (k == count)
      term[count++] = (tl_summand){to, sum.term[i].factor};
    else if (sum.term[i].factor > term[k].coefficient)
      term[k].coefficient = sum.term[i].factor;
  }
  return count;
}

bool tl_merged_counts (const tl_merged *m, uint32_t t) {
  const tl_arcs pre = tl_net_pre (m->net, t);
  if (m->inner[t])
    return !m->exits[m->to[source (m, t)]];
  for (uint32_t i = 0; i < pre.count; i++) {
    const uint32_t p = pre.arc[i].place;
    if (!follows (m, p) && m->parts[m->to[p]] > 1 && m->exits[m->to[p]] &&
        !m->is_exit[p])
      return false;
  }
  return true;
}
