#include "graph/way.h"

#include "model/model.h"
#include "net/trace.h"

#include <stdlib.h>

// The arcs of the way, from its end on.
static tl_status arcs_back (const tl_graph *g, uint64_t state,
                            tl_trace *trace) {
  tl_status rc = TL_OK;
  while (!rc && state) {
    uint64_t arc;
    rc = tl_graph_parent (g, state, &state, &arc);
    if (!rc && !tl_trace_extend (trace, (uint32_t)arc))
      rc = TL_E_NOMEM;
  }
  return rc;
}

// Turns these into transitions in firing order.
static tl_status name_arcs (const tl_net *net, tl_trace *trace) {
  uint32_t *list = trace->transition;
  for (uint64_t i = 0; i < trace->length / 2; i++) {
    const uint32_t last = list[trace->length - 1 - i];
    list[trace->length - 1 - i] = list[i];
    list[i] = last;
  }
  tl_mem mem = TL_MEM (0, "path");
  const tl_status rc = tl_model_of (net)->path (net, &mem, trace);
  return rc == TL_E_ARG ? TL_E_SYNTAX : rc;
}

static tl_status go_on (const tl_graph *g, uint64_t state,
                        const tl_graph_arc *arc, tl_trace *trace) {
  uint64_t *target = calloc ((size_t)g->widest + 1, sizeof *target);
  tl_graph_cursor cursor;
  if (!target)
    return TL_E_NOMEM;
  tl_graph_seek (&cursor, g, state);
  const bool there = arc->number < tl_graph_step (&cursor, target);
  if (there)
    *arc->target = target[arc->number];
  free (target);
  if (!there)
    return TL_E_LIMIT;
  return tl_trace_extend (trace, (uint32_t)arc->number) ? TL_OK : TL_E_NOMEM;
}

tl_status tl_graph_way (const tl_graph *g, const tl_net *net, uint64_t state,
                        tl_trace *trace) {
  return tl_graph_way_on (g, net, state, 0, trace);
}

tl_status tl_graph_way_on (const tl_graph *g, const tl_net *net, uint64_t state,
                           const tl_graph_arc *arc, tl_trace *trace) {
  // The empty way has a list, too.
  *trace = (tl_trace){.transition = calloc (1, sizeof *trace->transition)};
  tl_status rc = !trace->transition ? TL_E_NOMEM
                 : arc              ? go_on (g, state, arc, trace)
                                    : TL_OK;
  if (!rc)
    rc = arcs_back (g, state, trace);
  if (!rc)
    rc = name_arcs (net, trace);
  if (rc)
    tl_trace_close (trace);
  return rc;
}
