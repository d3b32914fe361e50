#include "graph/graph_terminal.h"

// What is known of a state: 0, not visited; or the lowest rank it is known to
// reach among those whose component is not complete, which is at most the
// number of states; or one more than that number, if its component is complete,
// and in addition the number of that if it is terminal.

// A state on the way to the one at hand.
typedef struct frame {
  uint64_t state;
  uint64_t arc; // to be looked at
  bool root;    // it may be the first state of its component that was visited
  bool leaves;  // its component has an arc to another one
} frame;

typedef struct finder {
  const tl_arc_list *graph;
  tl_terminals *found;
  uint64_t ranks, complete;
  frame *frame;
  size_t depth, frame_room;
  tl_numbers waiting; // visited, not on the way, component not complete
  size_t waits;
} finder;

static tl_status enter (finder *f, uint64_t state) {
  if (!TL_ROOM (f->found->mem, f->frame, &f->frame_room, f->depth + 1))
    return TL_E_NOMEM;
  f->frame[f->depth++] = (frame){.state = state, .root = true};
  tl_numbers_set (&f->found->of, state, ++f->ranks);
  return TL_OK;
}

// An arc from the state of the frame to another one that was visited.
static void note_arc (finder *f, frame *from, uint64_t to) {
  tl_numbers *of = &f->found->of;
  const uint64_t known = tl_numbers_get (of, to);
  if (known >= f->complete)
    from->leaves = true;
  else if (known < tl_numbers_get (of, from->state)) {
    tl_numbers_set (of, from->state, known);
    from->root = false;
  }
}

// The component of `root` and those that wait from `from` on.
static tl_status complete (finder *f, const frame *root, size_t from) {
  tl_terminals *t = f->found;
  uint64_t mark = f->complete, first = root->state;
  if (!root->leaves) {
    if (!TL_ROOM (t->mem, t->first, &t->first_room, t->count + 1))
      return TL_E_NOMEM;
    mark += ++t->count;
  }
  tl_numbers_set (&t->of, root->state, mark);
  while (f->waits > from) {
    const uint64_t state = tl_numbers_get (&f->waiting, --f->waits);
    tl_numbers_set (&t->of, state, mark);
    first = state < first ? state : first;
  }
  if (!root->leaves)
    t->first[t->count - 1] = first;
  return TL_OK;
}

// All arcs of the state at the top are noted.
static tl_status leave (finder *f) {
  const frame done = f->frame[--f->depth];
  const tl_numbers *of = &f->found->of;
  const uint64_t rank = tl_numbers_get (of, done.state);
  tl_status rc = TL_OK;
  if (done.root) {
    size_t from = f->waits;
    while (from &&
           tl_numbers_get (of, tl_numbers_get (&f->waiting, from - 1)) >= rank)
      from--;
    rc = complete (f, &done, from);
  } else if (tl_numbers_grow (&f->waiting, f->found->mem, f->waits + 1,
                              f->found->states))
    tl_numbers_set (&f->waiting, f->waits++, done.state);
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
    const uint64_t to = tl_numbers_get (&g->target, arc);
    if (tl_numbers_get (&f->found->of, to))
      note_arc (f, at, to);
    else
      rc = enter (f, to);
  }
  return rc;
}

tl_status tl_terminals_open (tl_terminals *t, tl_mem *mem,
                             const tl_arc_list *graph) {
  *t = (tl_terminals){.mem = mem, .states = graph->states};
  finder f = {.graph = graph, .found = t, .complete = t->states + 1};
  tl_status rc =
      tl_numbers_grow (&t->of, mem, (size_t)t->states, 2 * t->states + 1)
          ? find (&f)
          : TL_E_NOMEM;
  TL_DEL (mem, f.frame, f.frame_room);
  tl_numbers_close (&f.waiting, mem);
  for (uint64_t i = 0; !rc && i < t->states; i++)
    tl_numbers_set (&t->of, i, tl_numbers_get (&t->of, i) - f.complete);
  if (rc)
    tl_terminals_close (t);
  return rc;
}

void tl_terminals_close (tl_terminals *t) {
  tl_numbers_close (&t->of, t->mem);
  TL_DEL (t->mem, t->first, t->first_room);
}
