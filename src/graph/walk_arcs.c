#include "graph/walker.h"

// An arc that is still to be followed.
typedef struct step {
  uint64_t target;
  uint32_t transition;
} step;

// The arcs of a state on the way: list[at .. end-1] are left.
typedef struct level {
  size_t at, end;
} level;

typedef struct walk {
  tl_walker at;
  uint64_t *visited; // bitmap
  size_t visited_words;
  level *level;
  size_t depth, level_room;
  step *list;
  size_t list_room;
} walk;

static bool is_new (const walk *w, uint64_t number) {
  return number < w->at.below && !(w->visited[number / 64] >> number % 64 & 1);
}

// Visits the state at hand, at the present depth, and lists its arcs.
static tl_status enter (walk *w, uint64_t number) {
  tl_graph_cursor cursor;
  tl_graph_seek (&cursor, w->at.graph, number);
  const tl_status rc = tl_walker_visit (&w->at, &cursor, w->depth);
  const size_t begin = w->depth ? w->level[w->depth - 1].end : 0;
  if (rc)
    return rc;
  if (!TL_ROOM (w->at.mem, w->level, &w->level_room, w->depth + 1) ||
      !TL_ROOM (w->at.mem, w->list, &w->list_room, begin + w->at.count))
    return TL_E_NOMEM;
  w->visited[number / 64] |= (uint64_t)1 << number % 64;
  for (uint32_t i = 0; i < w->at.count; i++)
    w->list[begin + i] = (step){w->at.target[i], w->at.enabled[i]};
  w->level[w->depth] = (level){begin, begin + w->at.count};
  return TL_OK;
}

static tl_status go (walk *w) {
  tl_status rc = enter (w, 0);
  while (!rc) {
    level *l = w->level + w->depth;
    while (l->at < l->end && !is_new (w, w->list[l->at].target))
      l->at++;
    if (l->at < l->end) {
      const step next = w->list[l->at++];
      rc = tl_walker_step (&w->at, next.transition);
      w->depth++;
      if (!rc)
        rc = enter (w, next.target);
    } else if (w->depth--) {
      l = w->level + w->depth;
      rc = tl_walker_undo (&w->at, w->list[l->at - 1].transition);
    } else
      return TL_OK;
  }
  return rc;
}

tl_status tl_graph_walk_arcs (const tl_graph *graph, tl_mem *mem,
                              const tl_net *net, const uint64_t *most,
                              tl_walk_step *show, void *context) {
  walk w = {.at = {.graph = graph,
                   .net = net,
                   .mem = mem,
                   .step = show,
                   .context = context},
            .visited_words = (size_t)(graph->states / 64 + 1)};
  tl_status rc = tl_walker_open (&w.at, most);
  if (!rc && !TL_NEW (mem, w.visited, w.visited_words))
    rc = TL_E_NOMEM;
  if (!rc)
    rc = go (&w);
  tl_walker_close (&w.at);
  TL_DEL (mem, w.visited, w.visited_words);
  TL_DEL (mem, w.level, w.level_room);
  TL_DEL (mem, w.list, w.list_room);
  return rc;
}
