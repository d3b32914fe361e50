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
  const tl_status rc = tl_model_of (net)->path (net, trace);
  return rc == TL_E_ARG ? TL_E_SYNTAX : rc;
}

tl_status tl_graph_way (const tl_graph *g, const tl_net *net, uint64_t state,
                        tl_trace *trace) {
  // The empty way has a list, too.
  *trace = (tl_trace){.transition = calloc (1, sizeof *trace->transition)};
  tl_status rc = trace->transition ? arcs_back (g, state, trace) : TL_E_NOMEM;
  if (!rc)
    rc = name_arcs (net, trace);
  if (rc)
    tl_trace_close (trace);
  return rc;
}
