#include "net/trace.h"

#include <stdlib.h>

void tl_trace_close (tl_trace *trace) {
  free (trace->transition);
  free (trace->step);
  *trace = (tl_trace){0};
}

bool tl_trace_extend (tl_trace *trace, uint32_t transition) {
  uint32_t *longer =
      realloc (trace->transition, (trace->length + 1) * sizeof *longer);
  if (!longer)
    return false;
  trace->transition = longer;
  trace->transition[trace->length++] = transition;
  return true;
}

const char *tl_trace_step (const tl_net *net, const tl_trace *trace,
                           uint64_t number) {
  if (!net || !trace || number >= trace->length)
    return 0;
  return trace->step ? trace->step[number]
                     : tl_net_step_name (net, trace->transition[number]);
}
