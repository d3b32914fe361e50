#include "graph/walker.h"
#include "net/folded.h"

#include <string.h>

// What went wrong in a state.  It did not when the graph was built, but more is
// asked now.
static tl_status failed (const tl_walker *w) {
  return !w->fault.failed                          ? TL_OK
         : w->fault.failed == TL_E_NOMEM           ? TL_E_NOMEM
         : w->net->folded && w->net->folded->asked ? TL_E_MODEL
                                                   : TL_E_SYNTAX;
}

// Layout, code and engine of the form that the generator has now.
static tl_status open_form (tl_walker *w) {
  const tl_model_kind *kind = w->generator->kind;
  tl_status rc = kind->layout (w->generator, w->mem, w->width, &w->layout);
  if (!rc)
    rc = kind->code (w->generator, w->mem, &w->layout, 0, &w->code);
  if (!rc)
    rc = kind->fire (w->generator, w->mem, &w->layout, 0, &w->fire);
  return rc || (TL_NEW (w->mem, w->state, w->layout.words) &&
                TL_NEW (w->mem, w->scratch, w->fire->scratch_words))
             ? rc
             : TL_E_NOMEM;
}

static void close_form (tl_walker *w) {
  if (w->fire)
    TL_DEL (w->mem, w->scratch, w->fire->scratch_words);
  tl_fire_close (w->fire);
  tl_code_close (&w->code);
  TL_DEL (w->mem, w->state, w->layout.words);
  tl_layout_close (&w->layout);
}

// Longer keys: the state at hand gets one.
static tl_status widen (tl_walker *w) {
  tl_walker old = *w;
  w->state = w->scratch = 0;
  w->fire = 0;
  w->code = (tl_code){0};
  w->layout = (tl_layout){0};
  old.code.layout = &old.layout;
  old.fire->layout = &old.layout;
  tl_status rc = w->generator->kind->widen (w->generator);
  if (!rc)
    rc = open_form (w);
  if (!rc)
    w->code.kind->convert_state (&w->code, &old.code, old.state, w->tokens,
                                 w->state);
  close_form (&old);
  return rc;
}

tl_status tl_walker_open (tl_walker *w, const uint64_t *most) {
  const tl_net *net = w->net;
  w->below = UINT64_MAX;
  tl_status rc = tl_generator_open (
      &w->generator, net,
      &(tl_generator_request){
          .form = TL_KEYS_NUMBERS, .states = w->mem, .engine = w->mem},
      &w->fault);
  if (rc)
    return w->fault.failed ? failed (w) : rc;
  w->most_enabled = (size_t)w->generator->most_enabled + 1;
  if (!TL_NEW (w->mem, w->width, net->places + 1) ||
      !TL_NEW (w->mem, w->tokens, net->places + 1) ||
      !TL_NEW (w->mem, w->enabled, w->most_enabled) ||
      !TL_NEW (w->mem, w->shown, w->most_enabled) ||
      !TL_NEW (w->mem, w->target, w->graph->widest + 1))
    return TL_E_NOMEM;
  w->generator->kind->widths (w->generator, most, w->width);
  if (!(rc = open_form (w)))
    rc = w->generator->kind->initial (w->generator, &w->layout, w->state);
  return !rc ? failed (w) : rc == TL_E_NOMEM ? rc : TL_E_SYNTAX;
}

void tl_walker_close (tl_walker *w) {
  const tl_net *net = w->net;
  close_form (w);
  TL_DEL (w->mem, w->width, net->places + 1);
  TL_DEL (w->mem, w->tokens, net->places + 1);
  TL_DEL (w->mem, w->enabled, w->most_enabled);
  TL_DEL (w->mem, w->shown, w->most_enabled);
  TL_DEL (w->mem, w->target, w->graph->widest + 1);
  tl_generator_close (w->generator);
}

// The visit of the state at hand, which enables as many as it has arcs.
static tl_status show (tl_walker *w, uint64_t number, uint64_t depth) {
  const uint32_t *enabled = w->enabled;
  const uint32_t count =
      tl_generator_shown (w->generator, &enabled, w->count, w->shown);
  const tl_walk_visit visit = {.visit = {.layout = &w->layout,
                                         .state = w->state,
                                         .enabled = enabled,
                                         .enabled_count = count},
                               .generator = w->generator,
                               .number = number,
                               .depth = depth,
                               .step = w->enabled,
                               .target = w->target,
                               .arcs = w->count,
                               .below = &w->below};
  return w->step (w->context, &visit);
}

tl_status tl_walker_visit (tl_walker *w, tl_graph_cursor *cursor,
                           uint64_t depth) {
  const uint64_t number = cursor->state,
                 degree = tl_graph_step (cursor, w->target);
  w->count = tl_fire_enabled (w->fire, w->state, w->enabled, w->scratch);
  const tl_status rc = failed (w);
  if (rc)
    return rc;
  // Keys that get longer do so when the step is fired.
  if (degree != w->count ||
      (!w->generator->kind->widen &&
       tl_fire_fits (w->fire, w->state, w->enabled, w->count) != w->count))
    return TL_E_SYNTAX;
  return show (w, number, depth);
}

tl_status tl_walker_step (tl_walker *w, uint32_t step) {
  tl_status rc = TL_OK;
  while (!rc && w->generator->kind->widen &&
         !tl_fire_fits (w->fire, w->state, &step, 1))
    if (!(rc = failed (w)))
      rc = widen (w);
  if (rc)
    return rc;
  tl_fire_step (w->fire, step, w->state);
  return failed (w);
}

tl_status tl_walker_undo (tl_walker *w, uint32_t step) {
  tl_fire_undo (w->fire, step, w->state);
  return failed (w);
}
