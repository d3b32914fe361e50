// Place/transition nets: firing is given by arcs.

#include "model/model.h"
#include "net/marking.h"
#include "net/origin.h"

#include <stdlib.h>

// ---- The generator ---------------------------------------------------------

static tl_status open_pt (tl_generator **out, const tl_net *net,
                          const tl_generator_request *request,
                          tl_fault *fault) {
  tl_generator *g;
  if (!TL_NEW (request->engine, g, 1))
    return TL_E_NOMEM;
  *g = (tl_generator){.kind = &tl_model_pt,
                      .net = net,
                      .mem = request->engine,
                      .most_events = net->transitions,
                      .most_enabled = net->transitions,
                      .fault = fault};
  *out = g;
  return TL_OK;
}

static void close_pt (tl_generator *g) {
  TL_DEL (g->mem, g, 1);
}

// Places that no transition changes are not in a state.
static void widths (const tl_generator *g, const uint64_t *most,
                    uint8_t *width) {
  for (uint32_t p = 0; p < g->net->places; p++)
    width[p] = 0;
  for (uint32_t t = 0; t < g->net->transitions; t++)
    for (tl_change c = tl_net_change (g->net, t); tl_net_change_next (&c);)
      width[c.place] = 1;
  for (uint32_t p = 0; p < g->net->places; p++) {
    const unsigned bits = tl_bits_for (most[p]);
    if (width[p] && bits)
      width[p] =
          (uint8_t)(bits < TL_FIELD_MAX_WIDTH ? bits : TL_FIELD_MAX_WIDTH);
  }
}

static tl_status layout (const tl_generator *g, tl_mem *mem,
                         const uint8_t *width, tl_layout *l) {
  return tl_layout_open (l, mem, g->net, width, 0);
}

static tl_status code (tl_generator *g, tl_mem *mem, const tl_layout *l,
                       const tl_digits *digits, tl_code *c) {
  (void)g;
  return tl_code_open (c, mem, l, digits);
}

static tl_status fire (tl_generator *g, tl_mem *mem, const tl_layout *l,
                       const uint32_t *sample, tl_fire **f) {
  (void)g;
  return tl_fire_open (f, mem, l, sample);
}

// TL_E_LIMIT: it does not fit.
static tl_status initial (tl_generator *g, const tl_layout *l,
                          uint64_t *state) {
  uint64_t *tokens;
  if (!TL_NEW (g->mem, tokens, g->net->places + 1))
    return TL_E_NOMEM;
  tl_marking_initial (g->net, tokens);
  const bool fits = tl_layout_pack (l, tokens, state);
  TL_DEL (g->mem, tokens, g->net->places + 1);
  return fits ? TL_OK : TL_E_LIMIT;
}

static const char *event_name (tl_generator *g, uint32_t event) {
  return tl_net_step_name (g->net, event);
}

static void tell (const tl_generator *g, tl_exploration *r) {
  for (uint32_t p = 0; p < g->net->places; p++)
    if (r->place_max[p] > r->max_tokens_in_place)
      r->max_tokens_in_place = r->place_max[p];
}

static tl_status marking (tl_generator *g, const tl_layout *l,
                          const uint64_t *state, tl_marking_told *told,
                          void *context) {
  const tl_origin *o = g->net->origin;
  tl_status rc = TL_OK;
  for (uint32_t p = 0; !rc && p < g->net->places; p++) {
    const uint64_t tokens = tl_layout_tokens (l, state, p);
    if (tokens)
      rc = told (context, o ? tl_origin_place (o, p) : p, g->net->place_id[p],
                 tokens);
  }
  return rc;
}

// ---- Traces ----------------------------------------------------------------

// Does the loop lead back?
static bool returns (const tl_net *net, const tl_trace *trace) {
  int64_t *gain = calloc (net->places + 1, sizeof *gain);
  bool back = gain && trace->loop_from < trace->length;
  for (uint64_t i = trace->loop_from; back && i < trace->length; i++)
    for (tl_change c = tl_net_change (net, trace->transition[i]);
         tl_net_change_next (&c);)
      gain[c.place] += c.amount;
  for (uint32_t p = 0; back && p < net->places; p++)
    back = !gain[p];
  free (gain);
  return back;
}

static bool replay (const tl_net *net, const tl_trace *trace, bool closes,
                    uint64_t *marking) {
  tl_marking_initial (net, marking);
  return tl_marking_run (net, marking, trace->transition, trace->length) &&
         (!closes || !trace->loop || returns (net, trace));
}

static tl_status path (const tl_net *net, tl_mem *mem, tl_trace *trace) {
  (void)mem;
  uint64_t *marking = calloc (net->places + 1, sizeof *marking);
  if (!marking)
    return TL_E_NOMEM;
  tl_status rc = TL_OK;
  tl_marking_initial (net, marking);
  for (uint64_t i = 0; !rc && i < trace->length; i++) {
    const uint32_t t = tl_marking_enabled (net, marking, trace->transition[i]);
    trace->transition[i] = t;
    if (t == net->transitions)
      rc = TL_E_ARG;
    else
      tl_marking_fire (net, marking, t);
  }
  free (marking);
  return rc;
}

const tl_model_kind tl_model_pt = {.name = "pt",
                                   .open = open_pt,
                                   .close = close_pt,
                                   .widths = widths,
                                   .layout = layout,
                                   .code = code,
                                   .fire = fire,
                                   .initial = initial,
                                   .event_name = event_name,
                                   .tell = tell,
                                   .replay = replay,
                                   .path = path,
                                   .marking = marking};
