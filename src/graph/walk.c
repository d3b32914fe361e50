#include "graph/walker.h"

// A level of the tree: breadth-first its states are numbers in a row and are
// visited in ascending order, so that the cursor is where it should be.
typedef struct level {
  tl_graph_cursor cursor;
  uint64_t child;        // the next one to visit, in the order of finding
  size_t begin, at, end; // transitions to children: first, next, last + 1
} level;

typedef struct walk {
  tl_walker at;
  level *level;
  size_t depth, level_room;
  uint32_t *list; // transitions to children of the levels
  size_t list_room;
} walk;

// Lists the transitions by which states were found here.
static tl_status list_children (walk *w, size_t begin, uint64_t first) {
  const tl_graph *g = w->at.graph;
  level *l = w->level + w->depth;
  l->child = first;
  l->begin = l->at = l->end = begin;
  if (!TL_ROOM (w->at.mem, w->list, &w->list_room, begin + w->at.count + 1))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < w->at.count && first < g->states; i++)
    if (w->at.target[i] == tl_graph_number (g, first)) {
      w->list[l->end++] = w->at.enabled[i];
      first++;
    }
  return TL_OK;
}

// Visits the state at hand, at the present depth.
static tl_status enter (walk *w, uint64_t number) {
  if (!TL_ROOM (w->at.mem, w->level, &w->level_room, w->depth + 1))
    return TL_E_NOMEM;
  level *l = w->level + w->depth;
  if (!l->cursor.graph || l->cursor.state != number)
    tl_graph_seek (&l->cursor, w->at.graph, number);
  const uint64_t first = l->cursor.next;
  const tl_status rc = tl_walker_visit (&w->at, &l->cursor, w->depth);
  const size_t begin = w->depth ? w->level[w->depth - 1].end : 0;
  return rc ? rc : list_children (w, begin, first);
}

// Leaves out children that need not be visited.  Breadth-first these are the
// last of a level, and their children are the last of the next one: each level
// is read in a row all the same.
static void skip (const walk *w, level *l) {
  while (l->at < l->end &&
         tl_graph_number (w->at.graph, l->child) >= w->at.below) {
    l->at++;
    l->child++;
  }
}

static tl_status go (walk *w) {
  tl_status rc = enter (w, 0);
  while (!rc) {
    level *l = w->level + w->depth;
    skip (w, l);
    if (l->at < l->end) {
      rc = tl_walker_step (&w->at, w->list[l->at++]);
      w->depth++;
      if (!rc)
        rc = enter (w, tl_graph_number (w->at.graph, l->child++));
    } else if (w->depth--) {
      l = w->level + w->depth;
      rc = tl_walker_undo (&w->at, w->list[l->at - 1]);
    } else
      return TL_OK;
  }
  return rc;
}

tl_status tl_graph_walk (const tl_graph *graph, tl_mem *mem, const tl_net *net,
                         const uint64_t *most, tl_walk_step *step,
                         void *context) {
  walk w = {.at = {.graph = graph,
                   .net = net,
                   .mem = mem,
                   .step = step,
                   .context = context}};
  tl_status rc = tl_walker_open (&w.at, most);
  if (!rc)
    rc = go (&w);
  tl_walker_close (&w.at);
  TL_DEL (mem, w.level, w.level_room);
  TL_DEL (mem, w.list, w.list_room);
  return rc;
}
