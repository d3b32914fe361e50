#include "symbolic/symbolic.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "base/error.h"
#include "explore/explore.h"
#include "net/origin.h"
#include "symbolic/figures.h"
#include "symbolic/variable_order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// As long may it take to find bounds and groups.
#define ANALYSIS_SECONDS 0.5
// How long each order is tried at first, and how much longer the next time.
#define FIRST_SLICE 0.1
#define LONGER 3
#define MOST_ORDERS 16

// An order that is tried.
typedef struct trial {
  const tl_order_kind *kind;
  uint32_t *order;
  bool failed; // it takes too much memory
} trial;

typedef struct symbolic {
  const tl_net *net;
  const tl_options *options;
  const tl_symbolic_stress *stress;
  tl_exploration *result;
  tl_error *error;
  tl_mem *root;
  tl_mem engine, nodes; // accounts
  tl_structure *structure;
  tl_variables variables;
  tl_touching touching;
  trial trial[MOST_ORDERS];
  size_t trials;
  tl_events events;
  tl_diagram diagram;
  tl_set reached;
  double start, next_report;
} symbolic;

// ---- Orders ----------------------------------------------------------------

static bool is_there (const symbolic *s, const uint32_t *order) {
  for (size_t i = 0; i < s->trials; i++)
    if (!memcmp (s->trial[i].order, order, s->variables.count * sizeof *order))
      return true;
  return false;
}

static tl_status make_orders (symbolic *s) {
  size_t count;
  const tl_order_kind *kind = tl_variable_orders (&count);
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < count && s->trials < MOST_ORDERS; i++) {
    uint32_t *order;
    if (!TL_NEW (&s->engine, order, s->variables.count))
      return TL_E_NOMEM;
    rc = tl_variable_order (&s->touching, &s->variables, kind + i, order);
    if (rc || is_there (s, order))
      TL_DEL (&s->engine, order, s->variables.count);
    else
      s->trial[s->trials++] = (trial){kind + i, order, false};
  }
  return rc;
}

// ---- Trying them -----------------------------------------------------------

static tl_status look (void *context, const tl_diagram *d) {
  symbolic *s = context;
  const double now = tl_clock ();
  if (!s->options->on_progress || now < s->next_report)
    return TL_OK;
  const tl_progress progress = {.size = sizeof progress,
                                .bytes = s->root->used,
                                .budget = s->root->limit,
                                .seconds = now - s->start,
                                .most_seconds = s->options->timeout,
                                .nodes = d->nodes};
  s->next_report = now + 0.1;
  if (!s->options->on_progress (s->options->context, &progress))
    return TL_OK;
  tl_cancel (s->options->cancel);
  return TL_E_CANCEL;
}

static void drop (symbolic *s) {
  tl_diagram_close (&s->diagram);
  tl_events_close (&s->events);
}

static void tell_outgrown (symbolic *s, uint32_t level) {
  const tl_variables *v = &s->variables;
  s->result->stop = TL_STOP_TOKENS;
  s->result->unbounded_place = v->place[v->variable[s->events.at[level]].first];
}

// Saturates with one order; what is left open is dropped.
static tl_status try_order (symbolic *s, const uint32_t *order) {
  tl_status rc = tl_events_open (&s->events, &s->engine, &s->variables, order);
  if (rc || (rc = tl_diagram_open (&s->diagram, &s->nodes,
                                   s->stress ? &s->stress->limits : 0))) {
    drop (s);
    return rc;
  }
  s->diagram.look = look;
  s->diagram.context = s;
  tl_saturation saturation = {&s->diagram, &s->events, 0};
  rc = tl_saturate (&saturation, &s->reached);
  assert (rc || tl_diagram_is_sound (&s->diagram));
  if (saturation.outgrown)
    tell_outgrown (s, saturation.outgrown);
  s->result->symbolic.collections += s->diagram.collections;
  if (s->diagram.peak > s->result->symbolic.peak_nodes)
    s->result->symbolic.peak_nodes = s->diagram.peak;
  if (rc)
    drop (s);
  return rc;
}

// TL_OK: the set is there; TL_E_LIMIT: the slice or the whole time is over, or
// a place has too many tokens.
static tl_status try_for (symbolic *s, trial *t, double seconds) {
  const tl_budget slice = tl_budget_part (s->root, seconds);
  s->nodes.budget = &slice;
  const tl_status rc = try_order (s, t->order);
  s->nodes.budget = 0;
  s->result->symbolic.tried++;
  if (!rc)
    s->result->symbolic.order = t->kind->name;
  t->failed |= rc == TL_E_NOMEM;
  return rc;
}

// The orders in turn, each for a slice of time, then for longer ones.
static tl_status try_all (symbolic *s) {
  const size_t first = s->stress ? s->stress->first_order : 0;
  for (double slice = FIRST_SLICE;; slice *= LONGER) {
    bool failed = true;
    for (size_t i = 0; i < s->trials; i++) {
      trial *t = s->trial + (i + first) % s->trials;
      if (t->failed)
        continue;
      const tl_status rc = try_for (s, t, slice);
      if (rc != TL_E_NOMEM && rc != TL_E_LIMIT)
        return rc;
      if (s->result->stop == TL_STOP_TOKENS || tl_budget_look (s->root))
        return TL_E_LIMIT;
      failed &= t->failed;
    }
    if (failed)
      return TL_E_NOMEM;
  }
}

// ---- What it tells ---------------------------------------------------------

static tl_status number (tl_natural n, uint64_t *clipped, char **text) {
  *clipped = tl_natural_clipped (n);
  if (n.count > 1 && !(*text = tl_natural_text (n)))
    return TL_E_NOMEM;
  return TL_OK;
}

static tl_status tell_figures (symbolic *s, tl_listing *l) {
  tl_exploration *r = s->result;
  tl_natural arcs;
  tl_status rc = number (tl_listing_states (l), &r->states, &r->states_text);
  if (!rc)
    rc = tl_listing_tokens (l, &s->events, r->place_max,
                            &r->max_tokens_per_marking);
  if (!rc)
    rc = tl_listing_arcs (l, &s->events, r->fired, &arcs);
  if (!rc)
    rc = number (arcs, &r->arcs, &r->arcs_text);
  r->symbolic.nodes = l->count;
  return rc;
}

static tl_status count_dead (symbolic *s) {
  tl_exploration *r = s->result;
  tl_listing l;
  const tl_set dead = tl_dead (&s->diagram, &s->events, s->reached);
  tl_status rc = s->diagram.status;
  if (rc || !dead)
    return rc;
  rc = tl_listing_open (&l, &s->engine, &s->diagram, s->events.levels, dead);
  if (rc)
    return rc;
  rc = number (tl_listing_states (&l), &r->deadlocks, &r->deadlocks_text);
  tl_listing_close (&l);
  return rc;
}

// An unfolded net may have capacities.
static tl_status check_capacities (symbolic *s) {
  const tl_origin *o = s->net->origin;
  for (uint32_t p = 0; o && o->capacity && p < s->net->places; p++)
    if (s->result->place_max[p] > o->capacity[p])
      return tl_fail (s->error, TL_E_MODEL,
                      "capacity exceeded: place %s gets %llu tokens of one "
                      "value, and its capacity is %u; --engine explicit "
                      "shows how",
                      s->net->place_name[p],
                      (unsigned long long)s->result->place_max[p],
                      o->capacity[p]);
  return TL_OK;
}

static tl_status tell (symbolic *s) {
  tl_listing l;
  tl_status rc = tl_listing_open (&l, &s->engine, &s->diagram, s->events.levels,
                                  s->reached);
  if (rc)
    return rc;
  rc = tell_figures (s, &l);
  tl_listing_close (&l);
  if (rc || (rc = check_capacities (s)))
    return rc;
  rc = count_dead (s);
  if (rc == TL_E_NOMEM || rc == TL_E_LIMIT) {
    s->result->deadlocks_unknown = true; // all else is known
    rc = TL_OK;
  }
  return rc;
}

// ---- The result ------------------------------------------------------------

static tl_status open_result (symbolic *s) {
  tl_exploration *r = s->result;
  const tl_net *net = s->net;
  r->places = net->places;
  r->transitions = net->transitions;
  r->place_max = calloc (net->places + 1, sizeof *r->place_max);
  r->fired = calloc (net->transitions + 1, 1);
  return r->place_max && r->fired ? TL_OK : TL_E_NOMEM;
}

// Only the initial marking counts where the set is not known.
static void tell_little (symbolic *s) {
  tl_exploration *r = s->result;
  free (r->states_text);
  free (r->arcs_text);
  r->states_text = r->arcs_text = 0;
  r->states = 1;
  r->arcs = r->max_tokens_per_marking = 0;
  memset (r->fired, 0, s->net->transitions);
  for (uint32_t p = 0; p < s->net->places; p++) {
    r->place_max[p] = s->net->initial[p];
    r->max_tokens_per_marking += s->net->initial[p];
  }
}

static void fill_result (symbolic *s) {
  tl_exploration *r = s->result;
  r->complete = r->stop == TL_STOP_DONE;
  if (!r->complete)
    tell_little (s);
  for (uint32_t p = 0; p < s->net->places; p++) {
    r->bits += tl_bits_for (r->place_max[p]);
    r->plain_bits += 8 * ((tl_bits_for (r->place_max[p]) + 7) / 8);
    if (r->place_max[p] > r->max_tokens_in_place)
      r->max_tokens_in_place = r->place_max[p];
  }
  for (uint32_t t = 0; t < tl_shown_transitions (s->net); t++) {
    const tl_node_range same = tl_shown_transition (s->net, t);
    r->dead_transitions +=
        !same.count || !memchr (r->fired + same.first, 1, same.count);
  }
  r->symbolic.variables = s->variables.count;
  r->store_bytes = s->nodes.peak;
  r->bytes_per_state = (double)r->store_bytes / (double)r->states;
  tl_exploration_add_row (r, s->nodes.name, s->nodes.peak, 0);
  tl_exploration_add_row (r, s->engine.name, s->engine.peak, 0);
  r->peak_rss_bytes = tl_mem_peak_resident ();
  r->seconds = tl_clock () - s->start;
}

// ---- All of it -------------------------------------------------------------

static tl_status prepare (symbolic *s) {
  tl_status rc = open_result (s);
  if (rc ||
      (rc = tl_structure_open (&s->structure, &s->engine, s->net,
                               ANALYSIS_SECONDS, s->error)) ||
      (rc = tl_variables_open (&s->variables, &s->engine, s->structure,
                               s->error)))
    return rc;
  if (s->variables.count > TL_SET_LEVELS)
    return tl_fail (s->error, TL_E_MODEL,
                    "the symbolic engine takes %d variables at most, and this "
                    "net has %u; try --engine explicit",
                    TL_SET_LEVELS, s->variables.count);
  rc = tl_touching_open (&s->touching, &s->engine, &s->variables);
  return rc ? rc : make_orders (s);
}

static void close_all (symbolic *s) {
  drop (s);
  for (size_t i = 0; i < s->trials; i++)
    TL_DEL (&s->engine, s->trial[i].order, s->variables.count);
  tl_touching_close (&s->touching);
  tl_variables_close (&s->variables);
  tl_structure_close (s->structure);
}

// Running out of something is a result.
static tl_status end (symbolic *s, tl_status rc) {
  tl_exploration *r = s->result;
  if (rc == TL_E_NOMEM)
    r->stop = TL_STOP_MEMORY;
  else if (rc == TL_E_CANCEL || tl_cancelled (s->options->cancel))
    r->stop = TL_STOP_CANCEL;
  else if (rc == TL_E_LIMIT && r->stop != TL_STOP_TOKENS)
    r->stop = TL_STOP_TIME;
  else if (rc && rc != TL_E_LIMIT)
    return rc;
  return r->place_max && r->fired ? TL_OK : TL_E_NOMEM;
}

tl_status tl_symbolic_explore (tl_mem *root, const tl_net *net,
                               const tl_options *options,
                               const tl_symbolic_stress *stress,
                               tl_exploration *result, tl_error *error) {
  *result = (tl_exploration){.size = sizeof *result,
                             .threads = 1,
                             .counted = true,
                             .engine = "symbolic",
                             .order = "saturation",
                             .store = "diagram"};
  const double now = tl_clock ();
  symbolic s = {.net = net,
                .options = options,
                .stress = stress,
                .result = result,
                .error = error,
                .root = root,
                .engine = TL_MEM (root, "engine"),
                .nodes = TL_MEM (root, "nodes"),
                .start = now,
                .next_report = now + 0.1};
  tl_status rc = tl_net_want_arcs (net, "the symbolic engine", error);
  if (!rc)
    rc = prepare (&s);
  if (!rc && !(rc = try_all (&s)))
    rc = tell (&s);
  rc = end (&s, rc);
  if (!rc)
    fill_result (&s);
  close_all (&s);
  if (rc)
    tl_exploration_close (result);
  return rc == TL_E_NOMEM
             ? tl_fail (error, rc,
                        "the memory budget is too small to start with")
             : rc;
}
