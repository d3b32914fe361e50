// The questions that have a name, on the set of all markings.

#include "check/culprits.h"
#include "check/symbolic_parts.h"
#include "net/marking.h"
#include "net/origin.h"
#include "symbolic/backward.h"
#include "symbolic/route.h"

// ---- Tokens of places ------------------------------------------------------

// The tokens of a place that people see, as a sum.
static tl_summand *tokens_of (tl_asking *q, uint32_t p, uint32_t *count) {
  const tl_node_range same = tl_shown_place (q->goals->net, p);
  tl_summand *term;
  *count = same.count;
  if (!TL_NEW (&q->mem, term, same.count)) {
    q->d->status = TL_E_NOMEM;
    return 0;
  }
  for (uint32_t i = 0; i < same.count; i++)
    term[i] = (tl_summand){same.first + i, 1};
  return term;
}

// The least and the most of them.
static bool range_of (tl_asking *q, uint32_t p, __int128 *least,
                      __int128 *most) {
  uint32_t count;
  tl_weighing *w = &q->sets.weighing;
  tl_summand *term = tokens_of (q, p, &count);
  if (!term)
    return false;
  tl_weighing_begin (w, term, count);
  const bool known = tl_weighing_range (w, q->reach->reached, least, most);
  tl_weighing_end (w, term, count);
  TL_DEL (&q->mem, term, count);
  return known;
}

// The markings with two of them at least.
static tl_set several (tl_asking *q, uint32_t p) {
  uint32_t count;
  const tl_set all = q->reach->reached;
  tl_weighing *w = &q->sets.weighing;
  tl_summand *term = tokens_of (q, p, &count);
  if (!term)
    return TL_EMPTY_SET;
  tl_weighing_begin (w, term, count);
  const tl_set few = tl_weighing_at_most (w, all, 1);
  tl_weighing_end (w, term, count);
  TL_DEL (&q->mem, term, count);
  if (!tl_diagram_push (q->d, few, 0))
    return TL_EMPTY_SET;
  const tl_set rest = tl_difference (q->d, all, few);
  q->d->slots--;
  return rest;
}

tl_status tl_asking_one_safe (tl_asking *q, tl_asked *a) {
  const uint32_t places = tl_shown_places (q->goals->net);
  __int128 least, most = 0;
  uint32_t p = 0;
  while (p < places && range_of (q, p, &least, &most) && most <= 1)
    p++;
  if (q->d->status)
    return q->d->status;
  if (p == places) {
    tl_goals_answer (q->goals, a, TL_VERDICT_TRUE);
    return TL_OK;
  }
  const tl_set there = several (q, p);
  if (q->d->status)
    return q->d->status;
  tl_asking_note (q, a, there);
  tl_goals_answer (q->goals, a, TL_VERDICT_FALSE);
  tl_culprits_begin (q->goals)[p] = 1;
  tl_culprits_name (q->goals, TL_ASK_ONE_SAFE);
  return TL_OK;
}

tl_status tl_asking_name_unsafe (tl_asking *q, const tl_trace *trace) {
  const tl_net *net = q->goals->net;
  uint64_t *marking = q->goals->marking;
  uint8_t *mark = tl_culprits_begin (q->goals);
  tl_marking_initial (net, marking);
  if (!tl_marking_run (net, marking, trace->transition, trace->length))
    return TL_E_INTERNAL;
  for (uint32_t p = 0; p < tl_shown_places (net); p++) {
    const tl_node_range same = tl_shown_place (net, p);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < same.count; i++)
      sum += marking[same.first + i];
    mark[p] = sum > 1;
  }
  tl_culprits_name (q->goals, TL_ASK_ONE_SAFE);
  return TL_OK;
}

tl_status tl_asking_stable (tl_asking *q, tl_asked *a) {
  const uint32_t places = tl_shown_places (q->goals->net);
  uint8_t *mark = tl_culprits_begin (q->goals);
  __int128 least, most;
  bool some = false;
  for (uint32_t p = 0; p < places && range_of (q, p, &least, &most); p++) {
    mark[p] = least == most;
    some |= mark[p];
  }
  if (q->d->status)
    return q->d->status;
  tl_goals_answer (q->goals, a, some ? TL_VERDICT_TRUE : TL_VERDICT_FALSE);
  tl_culprits_name (q->goals, TL_ASK_STABLE_MARKING);
  return TL_OK;
}

// ---- Transitions -----------------------------------------------------------

static tl_set enabled (tl_asking *q, uint32_t t) {
  const tl_node_range same = tl_shown_transition (q->goals->net, t);
  return tl_set_enabling (q->reach, q->reach->reached, same.first, same.count);
}

// Marks the transitions that are never enabled; *some: there are.
static tl_status find_dead (tl_asking *q, bool *some) {
  uint8_t *mark = tl_culprits_begin (q->goals);
  *some = false;
  for (uint32_t t = 0;
       t < tl_shown_transitions (q->goals->net) && !q->d->status; t++) {
    mark[t] = !enabled (q, t);
    *some |= mark[t];
  }
  return q->d->status;
}

tl_status tl_asking_quasi_live (tl_asking *q, tl_asked *a) {
  bool some;
  const tl_status rc = find_dead (q, &some);
  if (rc)
    return rc;
  tl_goals_answer (q->goals, a, some ? TL_VERDICT_FALSE : TL_VERDICT_TRUE);
  tl_culprits_name (q->goals, TL_ASK_QUASI_LIVE);
  return TL_OK;
}

// The markings from which those of a set, which was just made, can be reached.
static tl_set leading (tl_asking *q, tl_set set) {
  if (!tl_diagram_push (q->d, set, 0))
    return TL_EMPTY_SET;
  const tl_set from = tl_backward (q->d, q->events, q->reach->reached, set);
  q->d->slots--;
  return from;
}

// Can the initial marking be reached from everywhere?
static tl_status find_returns (tl_asking *q, bool *always) {
  if (!q->knows_returns) {
    const tl_set from =
        leading (q, tl_single (q->d, q->events, q->reach->variables.initial));
    if (q->d->status)
      return q->d->status;
    tl_diagram_hold (q->d, &q->returns, from);
    q->knows_returns = true;
  }
  *always = q->returns.set == q->reach->reached;
  return TL_OK;
}

// The first transition that is dead from some marking on, and these markings.
static tl_status find_not_live (tl_asking *q, uint32_t *t, tl_set *there) {
  const tl_set all = q->reach->reached;
  for (*t = 0; *t < tl_shown_transitions (q->goals->net); ++*t) {
    const tl_set from = leading (q, enabled (q, *t));
    if (q->d->status)
      return q->d->status;
    if (from == all)
      continue;
    if (tl_diagram_push (q->d, from, 0)) {
      *there = tl_difference (q->d, all, from);
      q->d->slots--;
    }
    return q->d->status;
  }
  return TL_OK;
}

// Where the net can always return, what is enabled somewhere is live.
tl_status tl_asking_live (tl_asking *q, tl_asked *a) {
  bool some, always = false;
  tl_set there = q->reach->reached;
  tl_status rc = find_dead (q, &some);
  if (!rc && !some)
    rc = find_returns (q, &always);
  uint32_t t = tl_shown_transitions (q->goals->net);
  if (!rc && !some && !always) {
    rc = find_not_live (q, &t, &there);
    some = t < tl_shown_transitions (q->goals->net);
    if (some)
      tl_culprits_begin (q->goals)[t] = 1;
  }
  if (rc)
    return rc;
  if (some)
    tl_asking_note (q, a, there);
  tl_goals_answer (q->goals, a, some ? TL_VERDICT_FALSE : TL_VERDICT_TRUE);
  tl_culprits_name (q->goals, TL_ASK_LIVE);
  return TL_OK;
}

// ---- Home markings ---------------------------------------------------------

// Values of some marking of a set.
static void pick (const tl_asking *q, tl_set set, uint32_t *value) {
  for (uint32_t level = q->events->levels; level; level--) {
    const tl_set_node *n = tl_diagram_node (q->d, set);
    value[q->events->at[level]] = n->edge[0].value;
    set = n->edge[0].to;
  }
}

// From a marking on, down to a component that nothing leaves: what can be
// reached from it but does not lead back lies further down (after Xie and
// Beerel 2000).  On a slot.
static tl_status find_bottom (tl_asking *q, uint32_t *value) {
  tl_diagram *d = q->d;
  const size_t base = d->slots;
  for (;;) {
    tl_set ahead;
    d->slots = base;
    tl_status rc = tl_saturate (d, q->events, value, &ahead);
    if (rc)
      return rc;
    const tl_set back =
        tl_diagram_push (d, tl_single (d, q->events, value), 0)
            ? tl_backward (d, q->events, ahead, d->slot[base + 1].to)
            : TL_EMPTY_SET;
    if (d->status || back == ahead) {
      d->slots = base + 1;
      return d->status;
    }
    if (!tl_diagram_push (d, back, 0))
      return d->status;
    const tl_set rest = tl_difference (d, ahead, back);
    if (d->status)
      return d->status;
    pick (q, rest, value);
  }
}

tl_status tl_asking_home_state (tl_asking *q, tl_asked *a) {
  tl_diagram *d = q->d;
  const uint32_t count = q->reach->variables.count;
  const size_t base = d->slots;
  bool always;
  tl_status rc = find_returns (q, &always);
  uint32_t *value;
  if (rc)
    return rc;
  if (always) {
    tl_asking_note (q, a, q->reach->reached);
    tl_goals_answer (q->goals, a, TL_VERDICT_TRUE);
    return TL_OK;
  }
  if (!TL_NEW (&q->mem, value, count + 1))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < count; i++)
    value[i] = q->reach->variables.initial[i];
  rc = find_bottom (q, value);
  TL_DEL (&q->mem, value, count + 1);
  if (rc)
    return rc;
  const tl_set bottom = d->slot[base].to,
               from = tl_backward (d, q->events, q->reach->reached, bottom);
  if (d->status)
    return d->status;
  const bool home = from == q->reach->reached;
  if (home)
    tl_asking_note (q, a, bottom);
  tl_goals_answer (q->goals, a, home ? TL_VERDICT_TRUE : TL_VERDICT_FALSE);
  return TL_OK;
}
