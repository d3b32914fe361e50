#include "measure/process.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

tl_status tl_process_open (tl_process *g, tl_mem *mem, const tl_incidence *c,
                           const uint32_t *initial) {
  const size_t nodes = (size_t)c->places + 1;
  *g = (tl_process){.mem = mem, .incidence = c, .initial = initial};
  bool good = TL_NEW (mem, g->start, nodes + 1) &&
              TL_NEW (mem, g->next, nodes) && TL_NEW (mem, g->stack, nodes) &&
              TL_NEW (mem, g->order, nodes) &&
              TL_NEW (mem, g->from, c->transitions) &&
              TL_NEW (mem, g->to, c->transitions) &&
              TL_NEW (mem, g->touched, c->transitions);
  for (int i = 0; i < TL_RANKS; i++)
    good = good && TL_NEW (mem, g->rank[i], nodes);
  if (!good)
    tl_process_close (g);
  return good ? TL_OK : TL_E_NOMEM;
}

void tl_process_close (tl_process *g) {
  if (!g->mem)
    return;
  const size_t nodes = (size_t)g->incidence->places + 1,
               transitions = g->incidence->transitions;
  TL_DEL (g->mem, g->edge, g->edge_room);
  TL_DEL (g->mem, g->start, nodes + 1);
  TL_DEL (g->mem, g->next, nodes);
  TL_DEL (g->mem, g->stack, nodes);
  TL_DEL (g->mem, g->order, nodes);
  for (int i = 0; i < TL_RANKS; i++)
    TL_DEL (g->mem, g->rank[i], nodes);
  TL_DEL (g->mem, g->from, transitions);
  TL_DEL (g->mem, g->to, transitions);
  TL_DEL (g->mem, g->touched, transitions);
  *g = (tl_process){0};
}

// ---- The graph -------------------------------------------------------------

static int by_ends (const void *left, const void *right) {
  const tl_process_edge *l = left, *r = right;
  return l->from != r->from ? (l->from > r->from) - (l->from < r->from)
                            : (l->to > r->to) - (l->to < r->to);
}

static void sort_edges (tl_process *g) {
  size_t kept = 0;
  if (g->edges)
    qsort (g->edge, g->edges, sizeof *g->edge, by_ends);
  memset (g->start, 0, ((size_t)g->semiflow.count + 2) * sizeof *g->start);
  for (size_t i = 0; i < g->edges; i++)
    if (!kept || by_ends (g->edge + kept - 1, g->edge + i)) {
      g->edge[kept++] = g->edge[i];
      g->start[g->edge[i].from + 1]++;
    }
  g->edges = kept;
  for (uint32_t n = 0; n <= g->semiflow.count; n++)
    g->start[n + 1] += g->start[n];
}

tl_status tl_process_read (tl_process *g, tl_vector semiflow) {
  uint32_t count = 0;
  g->semiflow = semiflow;
  g->origin = semiflow.count;
  for (uint32_t n = 0; n < semiflow.count; n++) {
    const tl_vector row =
        tl_incidence_place (g->incidence, semiflow.term[n].index);
    if (g->initial[semiflow.term[n].index])
      g->origin = n;
    for (uint32_t i = 0; i < row.count; i++) {
      const uint32_t t = row.term[i].index;
      if (!g->from[t] && !g->to[t])
        g->touched[count++] = t;
      (row.term[i].factor < 0 ? g->from : g->to)[t] = n + 1;
    }
  }
  const bool room = TL_ROOM (g->mem, g->edge, &g->edge_room, (size_t)count);
  g->edges = room ? count : 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t *from = g->from + g->touched[i], *to = g->to + g->touched[i];
    if (room)
      g->edge[i] = (tl_process_edge){*from ? *from - 1 : semiflow.count,
                                     *to ? *to - 1 : semiflow.count};
    *from = *to = 0;
  }
  sort_edges (g);
  return room ? TL_OK : TL_E_NOMEM;
}

uint32_t tl_process_branching (const tl_process *g) {
  uint32_t most = 0;
  for (uint32_t n = 0; n <= g->semiflow.count; n++)
    if (g->start[n + 1] - g->start[n] > most)
      most = g->start[n + 1] - g->start[n];
  return most;
}

// ---- Ranks -----------------------------------------------------------------

// The nodes that the token can get to, in `order`, in which the last is the
// last that `end` counts; where they begin.
static uint32_t search (tl_process *g, uint32_t end) {
  uint32_t top = 0, *seen = g->rank[TL_RANK_POSITION];
  memcpy (g->next, g->start, end * sizeof *g->next);
  g->stack[top++] = g->origin;
  seen[g->origin] = 1;
  while (top) {
    const uint32_t n = g->stack[top - 1];
    if (g->next[n] == g->start[n + 1]) {
      g->order[--end] = n;
      top--;
      continue;
    }
    const uint32_t to = g->edge[g->next[n]++].to;
    if (!seen[to]) {
      seen[to] = 1;
      g->stack[top++] = to;
    }
  }
  return end;
}

// `stack` is used as a queue.
static void find_shortest (tl_process *g) {
  uint32_t *rank = g->rank[TL_RANK_SHORTEST], end = 0;
  for (uint32_t n = 0; n <= g->semiflow.count; n++)
    rank[n] = NONE;
  g->stack[end++] = g->origin;
  rank[g->origin] = 0;
  for (uint32_t i = 0; i < end; i++) {
    const uint32_t n = g->stack[i];
    for (uint32_t e = g->start[n]; e < g->start[n + 1]; e++)
      if (rank[g->edge[e].to] == NONE) {
        rank[g->edge[e].to] = rank[n] + 1;
        g->stack[end++] = g->edge[e].to;
      }
  }
  for (uint32_t n = 0; n <= g->semiflow.count; n++)
    if (rank[n] == NONE)
      rank[n] = 0;
}

void tl_process_rank (tl_process *g) {
  const uint32_t nodes = g->semiflow.count + 1;
  uint32_t *position = g->rank[TL_RANK_POSITION],
           *longest = g->rank[TL_RANK_LONGEST];
  memset (position, 0, nodes * sizeof *position);
  memset (longest, 0, nodes * sizeof *longest);
  const uint32_t begin = search (g, nodes);
  for (uint32_t i = begin; i < nodes; i++)
    position[g->order[i]] = i - begin;
  for (uint32_t i = begin; i < nodes; i++) {
    const uint32_t n = g->order[i];
    for (uint32_t e = g->start[n]; e < g->start[n + 1]; e++) {
      const uint32_t to = g->edge[e].to;
      if (position[to] > position[n] && longest[to] <= longest[n])
        longest[to] = longest[n] + 1;
    }
  }
  find_shortest (g);
}

uint32_t tl_process_width (const tl_process *g, tl_rank_kind kind) {
  uint32_t most = 0;
  for (uint32_t n = 0; n <= g->semiflow.count; n++)
    if (g->rank[kind][n] > most)
      most = g->rank[kind][n];
  return most;
}

tl_status tl_process_weigh (const tl_process *g, tl_rank_kind kind,
                            int64_t factor, int64_t *weight) {
  const uint32_t *rank = g->rank[kind];
  for (uint32_t n = 0; n < g->semiflow.count; n++) {
    int64_t more, *w = weight + g->semiflow.term[n].index;
    if (__builtin_mul_overflow (
            factor, (int64_t)rank[n] - rank[g->semiflow.count], &more) ||
        __builtin_add_overflow (*w, more, w))
      return TL_E_LIMIT;
  }
  return TL_OK;
}
