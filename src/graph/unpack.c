#include "graph/unpack.h"

static tl_status fill (tl_arc_list *l, const tl_graph *g) {
  tl_graph_reader r;
  const tl_status rc = tl_graph_reader_open (&r, g);
  uint64_t arcs = 0;
  for (uint64_t b = 0; !rc && b < g->blocks; b++) {
    tl_graph_read (&r, b);
    for (uint32_t i = 0; i < r.count; i++)
      l->first[r.first + i + 1] = arcs + r.end[i + 1];
    for (uint64_t a = 0; a < r.end[r.count]; a++)
      tl_numbers_set (&l->target, arcs++, r.target[a]);
  }
  tl_graph_reader_close (&r);
  return rc;
}

tl_status tl_arc_list_open (tl_arc_list *l, tl_mem *mem, const tl_graph *g) {
  *l = (tl_arc_list){.mem = mem, .states = g->states, .arcs = g->arcs};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, l->first, (size_t)g->states + 1) &&
      tl_numbers_grow (&l->target, mem, (size_t)g->arcs + 1, g->states))
    rc = fill (l, g);
  if (rc)
    tl_arc_list_close (l);
  return rc;
}

void tl_arc_list_close (tl_arc_list *l) {
  TL_DEL (l->mem, l->first, (size_t)l->states + 1);
  tl_numbers_close (&l->target, l->mem);
}
