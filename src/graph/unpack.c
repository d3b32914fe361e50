#include "graph/unpack.h"

// Where the arcs of a state begin is known when all degrees before it are.  So
// blocks are read twice: for their degrees, which is soon done, and for arcs.

enum { CHUNK = 64 }; // blocks that a thread takes at once

typedef struct unpacking {
  tl_arc_list *list;
  const tl_graph *graph;
  tl_graph_reader *reader; // [size] of each thread
  unsigned size;
  bool arcs;      // not degrees
  uint64_t taken; // blocks
} unpacking;

// Of the states of a block, where their arcs end, counted from its first.
static void note_degrees (unpacking *u, const tl_graph_reader *r) {
  for (uint32_t i = 0; i < r->count; i++)
    u->list->first[r->first + i + 1] = r->end[i + 1];
}

static void note_arcs (unpacking *u, const tl_graph_reader *r) {
  const uint64_t first = u->list->first[r->first];
  for (uint64_t a = 0; a < r->end[r->count]; a++)
    tl_numbers_set (&u->list->target, first + a, r->target[a]);
}

static void work (void *context, unsigned who) {
  unpacking *u = context;
  tl_graph_reader *r = u->reader + who;
  const uint64_t blocks = u->graph->blocks;
  for (uint64_t at;
       (at = __atomic_fetch_add (&u->taken, CHUNK, __ATOMIC_RELAXED)) < blocks;)
    for (uint64_t b = at; b < blocks && b < at + CHUNK; b++)
      if (u->arcs) {
        tl_graph_read (r, b);
        note_arcs (u, r);
      } else {
        tl_graph_read_degrees (r, b);
        note_degrees (u, r);
      }
}

static void run (unpacking *u, tl_threads *team, bool arcs) {
  u->arcs = arcs;
  u->taken = 0;
  if (team)
    tl_threads_run (team, work, u);
  else
    work (u, 0);
}

static void add_up (tl_arc_list *l) {
  uint64_t before = 0;
  for (uint64_t i = 0; i < l->states; i++) {
    if (i % TL_GRAPH_BLOCK == 0)
      before = l->first[i];
    l->first[i + 1] += before;
  }
}

static tl_status fill (tl_arc_list *l, const tl_graph *g, tl_threads *team) {
  unpacking u = {
      .list = l, .graph = g, .size = team ? tl_threads_size (team) : 1};
  tl_status rc = TL_NEW (l->mem, u.reader, u.size) ? TL_OK : TL_E_NOMEM;
  for (unsigned i = 0; !rc && i < u.size; i++)
    rc = tl_graph_reader_open (u.reader + i, g);
  if (!rc) {
    run (&u, team, false);
    add_up (l);
    run (&u, team, true);
  }
  for (unsigned i = 0; u.reader && i < u.size; i++)
    tl_graph_reader_close (u.reader + i);
  TL_DEL (l->mem, u.reader, u.size);
  return rc;
}

tl_status tl_arc_list_open (tl_arc_list *l, tl_mem *mem, const tl_graph *g,
                            tl_threads *team) {
  *l = (tl_arc_list){.mem = mem, .states = g->states, .arcs = g->arcs};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, l->first, (size_t)g->states + 1) &&
      tl_numbers_grow (&l->target, mem, (size_t)g->arcs + 1, g->states))
    rc = fill (l, g, team);
  if (rc)
    tl_arc_list_close (l);
  return rc;
}

void tl_arc_list_close (tl_arc_list *l) {
  TL_DEL (l->mem, l->first, (size_t)l->states + 1);
  tl_numbers_close (&l->target, l->mem);
}
