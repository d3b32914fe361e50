#include "model/model.h"

#include "net/trace.h"

#include <stdio.h>
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

// The names of all steps, one after the other, each with a zero byte behind it.
static char *write_names (tl_generator *g, const tl_trace *trace,
                          size_t *size) {
  char *text = 0;
  FILE *f = open_memstream (&text, size);
  if (!f)
    return 0;
  for (uint64_t i = 0; i < trace->length; i++) {
    const char *name = g->kind->event_name (g, trace->transition[i]);
    fwrite (name, 1, strlen (name) + 1, f);
  }
  const bool failed = ferror (f);
  if (!fclose (f) && !failed)
    return text;
  free (text);
  return 0;
}

// The list of the names, and these behind it in the same block.
static char **list_names (const char *text, size_t size, uint64_t length) {
  const size_t list = (size_t)(length + 1) * sizeof (char *);
  char **step = malloc (list + size);
  if (!step)
    return 0;
  char *at = (char *)step + list;
  memcpy (at, text, size);
  for (uint64_t i = 0; i < length; i++, at += strlen (at) + 1)
    step[i] = at;
  step[length] = 0;
  return step;
}

tl_status tl_generator_release (tl_generator *g, tl_trace *trace) {
  if (!g->kind->transition || !trace->transition)
    return TL_OK;
  size_t size = 0;
  char *text = write_names (g, trace, &size);
  trace->step = text ? list_names (text, size, trace->length) : 0;
  free (text);
  if (!trace->step) {
    tl_trace_close (trace);
    return TL_E_NOMEM;
  }
  for (uint64_t i = 0; i < trace->length; i++)
    trace->transition[i] = g->kind->transition (g, trace->transition[i]);
  return TL_OK;
}
