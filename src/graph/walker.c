#include "graph/walker.h"

#include "net/marking.h"

#include <string.h>

// Of what can be seen of a state under a rule.
enum { RULE_WIDTH = 32 };

// Places that no transition changes are not in a state.
static void choose_widths (tl_walker *w, const uint64_t *most) {
  if (w->net->rule)
    memset (w->width, RULE_WIDTH, w->net->places);
  for (uint32_t t = 0; t < w->net->transitions; t++)
    for (tl_change c = tl_net_change (w->net, t); tl_net_change_next (&c);)
      w->width[c.place] = 1;
  for (uint32_t p = 0; !w->net->rule && p < w->net->places; p++) {
    const unsigned bits = tl_bits_for (most[p]);
    if (w->width[p] && bits)
      w->width[p] =
          (uint8_t)(bits < TL_FIELD_MAX_WIDTH ? bits : TL_FIELD_MAX_WIDTH);
  }
}

// ---- Under a rule ----------------------------------------------------------

// What went wrong there: it did not when the graph was built.
static tl_status failed (const tl_walker *w) {
  const tl_rule *rule = w->net->rule;
  return !rule || !rule->failed       ? TL_OK
         : rule->failed == TL_E_NOMEM ? TL_E_NOMEM
                                      : TL_E_SYNTAX;
}

static tl_status begin_rule (tl_walker *w) {
  tl_rule *rule = w->net->rule;
  rule->watched = true;
  w->ruled = true;
  return rule->kind->begin (rule, TL_KEYS_NUMBERS, w->mem, w->mem) ? failed (w)
                                                                   : TL_OK;
}

static tl_status set_initial_key (tl_walker *w) {
  tl_rule *rule = w->net->rule;
  uint64_t *key = w->state + w->layout.fields;
  const tl_status rc = rule->kind->initial (rule, key);
  if (rc)
    return rc;
  rule->kind->observe (rule, key, w->tokens);
  return tl_layout_set (&w->layout, w->tokens, w->state) ? failed (w)
                                                         : TL_E_SYNTAX;
}

// Longer keys: the state at hand gets one.
static tl_status widen (tl_walker *w) {
  tl_rule *rule = w->net->rule;
  tl_layout before = w->layout;
  uint64_t *state = w->state;
  w->state = 0;
  w->layout = (tl_layout){0};
  tl_status rc = rule->kind->widen (rule);
  if (!rc)
    rc = tl_layout_open (&w->layout, w->mem, w->net, w->width);
  if (!rc && !TL_NEW (w->mem, w->state, w->layout.words))
    rc = TL_E_NOMEM;
  if (!rc) {
    memcpy (w->state, state, before.fields * sizeof *state);
    rule->kind->convert (rule, state + before.fields,
                         w->state + w->layout.fields);
  }
  TL_DEL (w->mem, state, before.words);
  tl_layout_close (&before);
  return rc;
}

// ----------------------------------------------------------------------------

static tl_status set_initial (tl_walker *w) {
  if (w->net->rule)
    return set_initial_key (w);
  tl_marking_initial (w->net, w->tokens);
  return tl_layout_pack (&w->layout, w->tokens, w->state) ? TL_OK : TL_E_SYNTAX;
}

tl_status tl_walker_open (tl_walker *w, const uint64_t *most) {
  const tl_net *net = w->net;
  const size_t most_enabled = (size_t)tl_net_most_enabled (net) + 1;
  w->below = UINT64_MAX;
  if (!TL_NEW (w->mem, w->width, net->places + 1) ||
      !TL_NEW (w->mem, w->tokens, net->places + 1) ||
      !TL_NEW (w->mem, w->enabled, most_enabled) ||
      !TL_NEW (w->mem, w->shown, net->rule ? most_enabled : 1) ||
      !TL_NEW (w->mem, w->target, w->graph->widest + 1))
    return TL_E_NOMEM;
  choose_widths (w, most);
  tl_status rc = net->rule ? begin_rule (w) : TL_OK;
  if (!rc)
    rc = tl_layout_open (&w->layout, w->mem, net, w->width);
  if (!rc)
    rc = tl_fire_open (&w->fire, w->mem, &w->layout, 0);
  if (!rc && !TL_NEW (w->mem, w->state, w->layout.words))
    rc = TL_E_NOMEM;
  return rc ? rc : set_initial (w);
}

void tl_walker_close (tl_walker *w) {
  const tl_net *net = w->net;
  const size_t most_enabled = (size_t)tl_net_most_enabled (net) + 1;
  tl_fire_close (w->fire);
  TL_DEL (w->mem, w->state, w->layout.words);
  tl_layout_close (&w->layout);
  TL_DEL (w->mem, w->width, net->places + 1);
  TL_DEL (w->mem, w->tokens, net->places + 1);
  TL_DEL (w->mem, w->enabled, most_enabled);
  TL_DEL (w->mem, w->shown, net->rule ? most_enabled : 1);
  if (w->target)
    TL_DEL (w->mem, w->target, w->graph->widest + 1);
  if (w->ruled)
    net->rule->kind->end (net->rule);
}

// The visit of the state at hand, which enables as many as it has arcs.
static tl_status show (tl_walker *w, uint64_t number, uint64_t depth) {
  const bool ruled = w->net->rule;
  const tl_walk_visit visit = {
      .visit = {.layout = &w->layout,
                .state = w->state,
                .enabled = ruled ? w->shown : w->enabled,
                .enabled_count =
                    ruled ? tl_rule_transitions (w->net->rule, w->enabled,
                                                 w->count, w->shown)
                          : w->count},
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
  w->count = tl_fire_enabled (w->fire, w->state, w->enabled);
  const tl_status rc = failed (w);
  if (rc)
    return rc;
  // Under a rule it is seen when one is fired.
  if (degree != w->count ||
      (!w->net->rule &&
       tl_fire_fits (w->fire, w->state, w->enabled, w->count) != w->count))
    return TL_E_SYNTAX;
  return show (w, number, depth);
}

tl_status tl_walker_step (tl_walker *w, uint32_t step) {
  tl_status rc = TL_OK;
  while (!rc && w->net->rule && !tl_fire_fits (w->fire, w->state, &step, 1))
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
