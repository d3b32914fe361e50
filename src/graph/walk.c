#include "graph/walk.h"

#include "fire/fire.h"
#include "net/marking.h"

// A level of the tree: breadth-first its states are numbers in a row and are
// visited in ascending order, so that the cursor is where it should be.
typedef struct level {
  tl_graph_cursor cursor;
  uint64_t child;        // the next one to visit, in the order of finding
  size_t begin, at, end; // transitions to children: first, next, last + 1
} level;

typedef struct walk {
  const tl_graph *graph;
  const tl_net *net;
  tl_mem *mem;
  tl_walk_step *step;
  void *context;
  tl_layout layout;
  tl_fire *fire;
  uint8_t *width;    // [places]
  uint64_t *tokens;  // [places]
  uint64_t *state;   // [words of the layout]
  uint32_t *enabled; // [transitions]
  uint64_t *target;  // [widest + 1]
  uint64_t below;    // states from this number on are left out
  level *level;
  size_t depth, level_room;
  uint32_t *list; // transitions to children of the levels
  size_t list_room;
} walk;

// Places that no transition changes are not in a state.
static void choose_widths (walk *w, const uint64_t *most) {
  for (uint32_t t = 0; t < w->net->transitions; t++)
    for (tl_change c = tl_net_change (w->net, t); tl_net_change_next (&c);)
      w->width[c.place] = 1;
  for (uint32_t p = 0; p < w->net->places; p++) {
    const unsigned bits = tl_bits_for (most[p]);
    if (w->width[p] && bits)
      w->width[p] =
          (uint8_t)(bits < TL_FIELD_MAX_WIDTH ? bits : TL_FIELD_MAX_WIDTH);
  }
}

static tl_status prepare (walk *w, const uint64_t *most) {
  const tl_net *net = w->net;
  if (!TL_NEW (w->mem, w->width, net->places + 1) ||
      !TL_NEW (w->mem, w->tokens, net->places + 1) ||
      !TL_NEW (w->mem, w->enabled, net->transitions + 1) ||
      !TL_NEW (w->mem, w->target, w->graph->widest + 1))
    return TL_E_NOMEM;
  choose_widths (w, most);
  tl_status rc = tl_layout_open (&w->layout, w->mem, net, w->width);
  if (!rc)
    rc = tl_fire_open (&w->fire, w->mem, &w->layout, 0);
  if (!rc && !TL_NEW (w->mem, w->state, w->layout.words))
    rc = TL_E_NOMEM;
  if (rc)
    return rc;
  tl_marking_initial (net, w->tokens);
  return tl_layout_pack (&w->layout, w->tokens, w->state) ? TL_OK : TL_E_SYNTAX;
}

static void release (walk *w) {
  const tl_net *net = w->net;
  tl_fire_close (w->fire);
  if (w->state)
    TL_DEL (w->mem, w->state, w->layout.words);
  tl_layout_close (&w->layout);
  if (w->width)
    TL_DEL (w->mem, w->width, net->places + 1);
  if (w->tokens)
    TL_DEL (w->mem, w->tokens, net->places + 1);
  if (w->enabled)
    TL_DEL (w->mem, w->enabled, net->transitions + 1);
  if (w->target)
    TL_DEL (w->mem, w->target, w->graph->widest + 1);
  if (w->level)
    TL_DEL (w->mem, w->level, w->level_room);
  if (w->list)
    TL_DEL (w->mem, w->list, w->list_room);
}

// Lists the transitions by which states were found here.
static tl_status list_children (walk *w, size_t begin, uint64_t first,
                                uint32_t count) {
  level *l = w->level + w->depth;
  l->child = first;
  l->begin = l->at = l->end = begin;
  if (!TL_ROOM (w->mem, w->list, &w->list_room, begin + count + 1))
    return TL_E_NOMEM;
  const uint64_t found = w->graph->states;
  for (uint32_t i = 0; i < count && first < found; i++)
    if (w->target[i] == tl_graph_number (w->graph, first)) {
      w->list[l->end++] = w->enabled[i];
      first++;
    }
  return TL_OK;
}

// Visits the state at hand, at the present depth.
static tl_status enter (walk *w, uint64_t number) {
  if (!TL_ROOM (w->mem, w->level, &w->level_room, w->depth + 1))
    return TL_E_NOMEM;
  level *l = w->level + w->depth;
  if (!l->cursor.graph || l->cursor.state != number)
    tl_graph_seek (&l->cursor, w->graph, number);
  const uint64_t first = l->cursor.next,
                 degree = tl_graph_step (&l->cursor, w->target);
  const uint32_t count = tl_fire_enabled (w->fire, w->state, w->enabled);
  if (degree != count ||
      tl_fire_fits (w->fire, w->state, w->enabled, count) != count)
    return TL_E_SYNTAX;
  const tl_walk_visit visit = {.visit = {.layout = &w->layout,
                                         .state = w->state,
                                         .enabled = w->enabled,
                                         .enabled_count = count},
                               .number = number,
                               .depth = w->depth,
                               .target = w->target,
                               .below = &w->below};
  const tl_status rc = w->step (w->context, &visit);
  const size_t begin = w->depth ? w->level[w->depth - 1].end : 0;
  return rc ? rc : list_children (w, begin, first, count);
}

// Leaves out children that need not be visited.  Breadth-first these are the
// last of a level, and their children are the last of the next one: each level
// is read in a row all the same.
static void skip (const walk *w, level *l) {
  while (l->at < l->end && tl_graph_number (w->graph, l->child) >= w->below) {
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
      tl_fire_step (w->fire, w->list[l->at++], w->state);
      w->depth++;
      rc = enter (w, tl_graph_number (w->graph, l->child++));
    } else if (w->depth--) {
      l = w->level + w->depth;
      tl_fire_undo (w->fire, w->list[l->at - 1], w->state);
    } else
      return TL_OK;
  }
  return rc;
}

tl_status tl_graph_walk (const tl_graph *graph, tl_mem *mem, const tl_net *net,
                         const uint64_t *most, tl_walk_step *step,
                         void *context) {
  walk w = {.graph = graph,
            .net = net,
            .mem = mem,
            .step = step,
            .context = context,
            .below = UINT64_MAX};
  tl_status rc = prepare (&w, most);
  if (!rc)
    rc = go (&w);
  release (&w);
  return rc;
}
