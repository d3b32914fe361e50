#include "graph/walker.h"

#include "net/marking.h"

// Places that no transition changes are not in a state.
static void choose_widths (tl_walker *w, const uint64_t *most) {
  for (uint32_t t = 0; t < w->net->transitions; t++)
    for (tl_change c = tl_net_change (w->net, t); tl_net_change_next (&c);)
      w->width[c.place] = 1;
  for (uint32_t p = 0; p < w->net->places; p++) {
    const unsigned bits = tl_bits_for (most[p]);
    if (w->width[p] && bits)
      w->width[p] =
          (uint8_t)(bits < TL_FIELD_MAX_WIDTH ? bits : TL_FIELD_MAX_WIDTH);
  }
}

tl_status tl_walker_open (tl_walker *w, const uint64_t *most) {
  const tl_net *net = w->net;
  w->below = UINT64_MAX;
  if (!TL_NEW (w->mem, w->width, net->places + 1) ||
      !TL_NEW (w->mem, w->tokens, net->places + 1) ||
      !TL_NEW (w->mem, w->enabled, net->transitions + 1) ||
      !TL_NEW (w->mem, w->target, w->graph->widest + 1))
    return TL_E_NOMEM;
  choose_widths (w, most);
  tl_status rc = tl_layout_open (&w->layout, w->mem, net, w->width);
  if (!rc)
    rc = tl_fire_open (&w->fire, w->mem, &w->layout, 0);
  if (!rc && !TL_NEW (w->mem, w->state, w->layout.words))
    rc = TL_E_NOMEM;
  if (rc)
    return rc;
  tl_marking_initial (net, w->tokens);
  return tl_layout_pack (&w->layout, w->tokens, w->state) ? TL_OK : TL_E_SYNTAX;
}

void tl_walker_close (tl_walker *w) {
  const tl_net *net = w->net;
  tl_fire_close (w->fire);
  if (w->state)
    TL_DEL (w->mem, w->state, w->layout.words);
  tl_layout_close (&w->layout);
  if (w->width)
    TL_DEL (w->mem, w->width, net->places + 1);
  if (w->tokens)
    TL_DEL (w->mem, w->tokens, net->places + 1);
  if (w->enabled)
    TL_DEL (w->mem, w->enabled, net->transitions + 1);
  if (w->target)
    TL_DEL (w->mem, w->target, w->graph->widest + 1);
}

tl_status tl_walker_visit (tl_walker *w, tl_graph_cursor *cursor,
                           uint64_t depth) {
  const uint64_t number = cursor->state,
                 degree = tl_graph_step (cursor, w->target);
  w->count = tl_fire_enabled (w->fire, w->state, w->enabled);
  if (degree != w->count ||
      tl_fire_fits (w->fire, w->state, w->enabled, w->count) != w->count)
    return TL_E_SYNTAX;
  const tl_walk_visit visit = {.visit = {.layout = &w->layout,
                                         .state = w->state,
                                         .enabled = w->enabled,
                                         .enabled_count = w->count},
                               .number = number,
                               .depth = depth,
                               .target = w->target,
                               .below = &w->below};
  return w->step (w->context, &visit);
}
