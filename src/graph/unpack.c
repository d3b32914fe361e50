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
      l->target[arcs++] = (uint32_t)r.target[a];
  }
  tl_graph_reader_close (&r);
  return rc;
}

tl_status tl_arc_list_open (tl_arc_list *l, tl_mem *mem, const tl_graph *g) {
  *l = (tl_arc_list){.mem = mem, .states = g->states, .arcs = g->arcs};
  if (g->states > UINT32_MAX)
    return TL_E_LIMIT;
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, l->first, (size_t)g->states + 1) &&
      TL_NEW (mem, l->target, (size_t)g->arcs + 1))
    rc = fill (l, g);
  if (rc)
    tl_arc_list_close (l);
  return rc;
}

void tl_arc_list_close (tl_arc_list *l) {
  TL_DEL (l->mem, l->first, (size_t)l->states + 1);
  TL_DEL (l->mem, l->target, (size_t)l->arcs + 1);
}
