#include "graph/graph_terminal.h"

// What is known of a state: not visited; or the lowest rank it is known to
// reach among those whose component is not complete; or, with this bit, that
// its component is complete, and its number if that is terminal.
#define COMPLETE ((uint32_t)1 << 31)

// A state on the way to the one at hand.
typedef struct frame {
  uint32_t state;
  uint32_t arc; // to be looked at
  bool root;    // it may be the first state of its component that was visited
  bool leaves;  // its component has an arc to another one
} frame;

typedef struct finder {
  const tl_arc_list *graph;
  tl_terminals *found;
  uint32_t ranks;
  frame *frame;
  size_t depth, frame_room;
  uint32_t *waiting; // visited, not on the way, component not complete
  size_t waits, waiting_room;
} finder;

static tl_status enter (finder *f, uint32_t state) {
  if (!TL_ROOM (f->found->mem, f->frame, &f->frame_room, f->depth + 1))
    return TL_E_NOMEM;
  f->frame[f->depth++] = (frame){.state = state, .root = true};
  f->found->of[state] = ++f->ranks;
  return TL_OK;
}

// An arc from the state of the frame to another one that was visited.
static void note_arc (finder *f, frame *from, uint32_t to) {
  uint32_t *of = f->found->of;
  if (of[to] & COMPLETE)
    from->leaves = true;
  else if (of[to] < of[from->state]) {
    of[from->state] = of[to];
    from->root = false;
  }
}

// The component of `root` and those that wait from `from` on.
static tl_status complete (finder *f, const frame *root, size_t from) {
  tl_terminals *t = f->found;
  uint32_t mark = COMPLETE, first = root->state;
  if (!root->leaves) {
    if (!TL_ROOM (t->mem, t->first, &t->first_room, t->count + 1))
      return TL_E_NOMEM;
    mark |= (uint32_t)++t->count;
  }
  t->of[root->state] = mark;
  while (f->waits > from) {
    const uint32_t state = f->waiting[--f->waits];
    t->of[state] = mark;
    first = state < first ? state : first;
  }
  if (!root->leaves)
    t->first[t->count - 1] = first;
  return TL_OK;
}

// All arcs of the state at the top are noted.
static tl_status leave (finder *f) {
  const frame done = f->frame[--f->depth];
  uint32_t *of = f->found->of;
  tl_status rc = TL_OK;
  if (done.root) {
    size_t from = f->waits;
    while (from && of[f->waiting[from - 1]] >= of[done.state])
      from--;
    rc = complete (f, &done, from);
  } else if (TL_ROOM (f->found->mem, f->waiting, &f->waiting_room,
                      f->waits + 1))
    f->waiting[f->waits++] = done.state;
  else
    rc = TL_E_NOMEM;
  if (f->depth) {
    note_arc (f, f->frame + f->depth - 1, done.state);
    f->frame[f->depth - 1].leaves |= done.leaves;
  }
  return rc;
}

static tl_status find (finder *f) {
  const tl_arc_list *g = f->graph;
  tl_status rc = enter (f, 0);
  while (!rc && f->depth) {
    frame *at = f->frame + f->depth - 1;
    const uint64_t arc = g->first[at->state] + at->arc;
    if (arc == g->first[at->state + 1]) {
      rc = leave (f);
      continue;
    }
    at->arc++;
    if (f->found->of[g->target[arc]])
      note_arc (f, at, g->target[arc]);
    else
      rc = enter (f, g->target[arc]);
  }
  return rc;
}

tl_status tl_terminals_open (tl_terminals *t, tl_mem *mem,
                             const tl_arc_list *graph) {
  *t = (tl_terminals){.mem = mem, .states = graph->states};
  if (graph->states >= COMPLETE)
    return TL_E_LIMIT;
  finder f = {.graph = graph, .found = t};
  tl_status rc =
      TL_NEW (mem, t->of, (size_t)t->states) ? find (&f) : TL_E_NOMEM;
  TL_DEL (mem, f.frame, f.frame_room);
  TL_DEL (mem, f.waiting, f.waiting_room);
  for (uint64_t i = 0; !rc && i < t->states; i++)
    t->of[i] &= ~COMPLETE;
  if (rc)
    tl_terminals_close (t);
  return rc;
}

void tl_terminals_close (tl_terminals *t) {
  TL_DEL (t->mem, t->of, (size_t)t->states);
  TL_DEL (t->mem, t->first, t->first_room);
}
