#include "symbolic/symbolic.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "base/error.h"
#include "explore/explore.h"
#include "net/origin.h"
#include "symbolic/figures.h"
#include "symbolic/algebra.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct symbolic {
  const tl_net *net;
  const tl_options *options;
  tl_exploration *result;
  tl_error *error;
  tl_mem *root;
  tl_reachable *reach;
  double start, next_report;
} symbolic;

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
    rc = tl_listing_tokens (l, &s->reach->events, r->place_max,
                            &r->max_tokens_per_marking);
  if (!rc)
    rc = tl_listing_arcs (l, &s->reach->events, r->fired, &arcs);
  if (!rc)
    rc = number (arcs, &r->arcs, &r->arcs_text);
  r->symbolic.nodes = l->count;
  return rc;
}

static tl_status count_dead (symbolic *s) {
  tl_exploration *r = s->result;
  tl_listing l;
  const tl_set dead =
      tl_dead (&s->reach->diagram, &s->reach->events, s->reach->reached);
  tl_status rc = s->reach->diagram.status;
  if (rc || !dead)
    return rc;
  rc = tl_listing_open (&l, &s->reach->engine, &s->reach->diagram,
                        s->reach->events.levels, dead);
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

static tl_status tell (symbolic *s, bool deadlocks) {
  tl_listing l;
  tl_status rc = tl_listing_open (&l, &s->reach->engine, &s->reach->diagram,
                                  s->reach->events.levels, s->reach->reached);
  if (rc)
    return rc;
  rc = tell_figures (s, &l);
  tl_listing_close (&l);
  if (rc || (rc = check_capacities (s)))
    return rc;
  rc = deadlocks ? count_dead (s) : TL_E_LIMIT;
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
  const uint64_t nodes = r->symbolic.nodes;
  r->symbolic = s->reach->told;
  r->symbolic.nodes = nodes;
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
  r->store_bytes = s->reach->nodes.peak;
  r->bytes_per_state = (double)r->store_bytes / (double)r->states;
  tl_exploration_add_row (r, s->reach->nodes.name, s->reach->nodes.peak, 0);
  tl_exploration_add_row (r, s->reach->engine.name, s->reach->engine.peak, 0);
  r->peak_rss_bytes = tl_mem_peak_resident ();
  r->seconds = tl_clock () - s->start;
}

// ---- All of it -------------------------------------------------------------

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

static tl_status find (symbolic *s, const tl_symbolic_stress *stress,
                       bool deadlocks) {
  tl_reachable *r = s->reach;
  tl_status rc = open_result (s);
  if (!rc)
    rc = tl_reachable_open (r, s->root, s->net, s->options->variables, stress,
                            s->error);
  r->look = look;
  r->context = s;
  if (!rc && !(rc = tl_reachable_find (r, 0)))
    rc = tell (s, deadlocks);
  if (r->outgrown) {
    s->result->stop = TL_STOP_TOKENS;
    s->result->unbounded_place = r->outgrown_place;
  }
  return rc;
}

tl_status tl_symbolic_run (tl_mem *root, const tl_net *net,
                           const tl_options *options,
                           const tl_symbolic_stress *stress, bool deadlocks,
                           tl_reachable *reach, tl_exploration *result,
                           tl_error *error) {
  *result = (tl_exploration){.size = sizeof *result,
                             .threads = 1,
                             .counted = true,
                             .engine = "symbolic",
                             .order = "saturation",
                             .store = "diagram"};
  const double now = tl_clock ();
  symbolic s = {.net = net,
                .options = options,
                .result = result,
                .error = error,
                .root = root,
                .reach = reach,
                .start = now,
                .next_report = now + 0.1};
  *reach = (tl_reachable){0};
  tl_status rc = tl_net_want_arcs (net, "the symbolic engine", error);
  if (!rc)
    rc = find (&s, stress, deadlocks);
  rc = end (&s, rc);
  if (!rc)
    fill_result (&s);
  else
    tl_exploration_close (result);
  reach->diagram.look = 0;
  return rc == TL_E_NOMEM
             ? tl_fail (error, rc,
                        "the memory budget is too small to start with")
             : rc;
}

tl_status tl_symbolic_explore (tl_mem *root, const tl_net *net,
                               const tl_options *options,
                               const tl_symbolic_stress *stress,
                               tl_exploration *result, tl_error *error) {
  tl_reachable reach;
  const tl_status rc =
      tl_symbolic_run (root, net, options, stress, true, &reach, result, error);
  tl_reachable_close (&reach);
  return rc;
}
