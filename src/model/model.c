#include "model/model.h"

#include "net/trace.h"

#include <stdlib.h>
#include <string.h>

const tl_model_kind *tl_model_of (const tl_net *net) {
  return tl_net_has_arcs (net) ? &tl_model_pt : &tl_model_coloured;
}

tl_status tl_generator_open (tl_generator **g, const tl_net *net,
                             const tl_generator_request *request,
                             tl_fault *fault) {
  *g = 0;
  *fault = (tl_fault){.event = TL_NO_EVENT};
  return tl_model_of (net)->open (g, net, request, fault);
}

void tl_generator_close (tl_generator *g) {
  if (g)
    g->kind->close (g);
}

uint32_t tl_generator_shown (const tl_generator *g, const uint32_t **events,
                             uint32_t count, uint32_t *room) {
  if (!g->kind->transition)
    return count;
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t t = g->kind->transition (g, (*events)[i]);
    if (!n || room[n - 1] != t)
      room[n++] = t;
  }
  *events = room;
  return n;
}

// ---- Traces that leave ------------------------------------------------------

// Gives a trace the words of its steps; closes it if there is no memory.
static tl_status set_words (tl_trace *trace, const char **word) {
  char **step =
      word ? tl_trace_words ((const char *const *)word, trace->length) : 0;
  free (trace->step);
  trace->step = step;
  if (!step)
    tl_trace_close (trace);
  return step ? TL_OK : TL_E_NOMEM;
}

tl_status tl_generator_release (tl_generator *g, tl_trace *trace) {
  if (!g->kind->transition || !trace->transition)
    return TL_OK;
  const char **word = calloc (trace->length + 1, sizeof *word);
  for (uint64_t i = 0; word && i < trace->length; i++)
    word[i] = g->kind->event_name (g, trace->transition[i]);
  const tl_status rc = set_words (trace, word);
  free (word);
  for (uint64_t i = 0; !rc && i < trace->length; i++)
    trace->transition[i] = g->kind->transition (g, trace->transition[i]);
  return rc;
}

tl_status tl_generator_append (tl_generator *g, tl_trace *trace,
                               uint32_t event) {
  if (!tl_trace_extend (trace, tl_generator_transition (g, event))) {
    tl_trace_close (trace);
    return TL_E_NOMEM;
  }
  if (!g->kind->transition)
    return TL_OK;
  const char **word = calloc (trace->length, sizeof *word);
  for (uint64_t i = 0; word && i + 1 < trace->length; i++)
    word[i] = trace->step[i];
  if (word)
    word[trace->length - 1] = g->kind->event_name (g, event);
  const tl_status rc = set_words (trace, word);
  free (word);
  return rc;
}
