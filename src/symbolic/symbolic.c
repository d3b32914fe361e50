#include "symbolic/symbolic.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/limits.h"
#include "explore/explore.h"
#include "net/origin.h"
#include "symbolic/figures.h"
#include "symbolic/algebra.h"
#include "symbolic/weighing.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Seconds before places are looked for that follow from sums of others, and for
// that.
#define FIRST_SECONDS 0.3
#define SUMS_SECONDS 0.3

typedef struct symbolic {
  const tl_net *net;
  const tl_options *options;
  tl_exploration *result;
  tl_error *error;
  tl_mem *root;
  tl_reachable *reach;
  tl_mem merging;
  tl_merged merged;
  tl_divisions divisions;
  bool counting;
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
                                .nodes = d->nodes,
                                .peak_nodes = d->peak,
                                .events = s->reach->events.events.count,
                                .cache = d->unions.rows + d->images.rows +
                                         d->others.rows};
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

static tl_status open_listing (symbolic *s, tl_listing *l, tl_set set,
                               const tl_divisions *divisions) {
  return tl_listing_open (l, &s->reach->engine, &s->reach->diagram,
                          s->reach->events.levels, set, divisions);
}

// The tokens of a place that follows from others.
static tl_status tell_follower (symbolic *s, tl_weighing *w, uint32_t p,
                                const uint64_t *most, tl_summand *term) {
  const int64_t constant = s->merged.followers.constant[p];
  const uint32_t count = tl_merged_most (&s->merged, p, term);
  __int128 least, sum = 0;
  if (count == 1)
    sum = (__int128)most[term->place] * term->coefficient;
  else if (count) {
    tl_weighing_begin (w, term, count);
    if (!tl_weighing_range (w, s->reach->reached, &least, &sum))
      return s->reach->diagram.status;
    tl_weighing_end (w, term, count);
  }
  s->result->place_max[p] = (uint64_t)(sum + constant);
  return TL_OK;
}

// Of merged places, each part can have all tokens.
static tl_status tell_places (symbolic *s, const uint64_t *most) {
  const tl_merged *m = &s->merged;
  tl_summand *term;
  tl_weighing w;
  tl_status rc = tl_weighing_open (&w, s->reach);
  if (!TL_NEW (&s->merging, term, m->small->places + 1))
    rc = TL_E_NOMEM;
  for (uint32_t p = 0; !rc && p < s->net->places; p++)
    if (m->followers.follows[p])
      rc = tell_follower (s, &w, p, most, term);
    else
      s->result->place_max[p] = most[m->to[p]];
  TL_DEL (&s->merging, term, m->small->places + 1);
  tl_weighing_close (&w);
  s->result->max_tokens_per_marking += m->more;
  return rc;
}

static tl_status tell_merged (symbolic *s, const uint64_t *most) {
  const tl_status rc = tell_places (s, most);
  return rc ? rc
            : tl_divisions_open (&s->divisions, &s->merging, &s->merged,
                                 s->reach, most);
}

static tl_status tell_tokens (symbolic *s) {
  tl_exploration *r = s->result;
  const uint32_t places = s->reach->net->places;
  uint64_t *most = r->place_max;
  tl_listing l;
  tl_status rc = open_listing (s, &l, s->reach->reached, 0);
  if (rc)
    return rc;
  if (s->merged.small && !TL_NEW (&s->merging, most, places + 1))
    rc = TL_E_NOMEM;
  if (!rc)
    rc = tl_listing_tokens (&l, &s->reach->events,
                            s->merged.small ? s->merged.factor : 0, most,
                            &r->max_tokens_per_marking);
  r->symbolic.nodes = l.count;
  tl_listing_close (&l);
  if (!rc && s->merged.small)
    rc = tell_merged (s, most);
  if (s->merged.small)
    TL_DEL (&s->merging, most, places + 1);
  return rc;
}

static tl_status tell_counts (symbolic *s) {
  tl_exploration *r = s->result;
  tl_natural arcs;
  tl_listing l;
  tl_status rc = open_listing (s, &l, s->reach->reached,
                               s->merged.small ? &s->divisions : 0);
  if (rc)
    return rc;
  rc = number (tl_listing_states (&l), &r->states, &r->states_text);
  if (!rc)
    rc = tl_listing_arcs (&l, &s->reach->events, r->fired, &arcs);
  if (!rc)
    rc = number (arcs, &r->arcs, &r->arcs_text);
  tl_listing_close (&l);
  return rc;
}

// Some transitions do not matter for the markings that are dead.
static tl_status leave_guards (symbolic *s) {
  const uint32_t transitions = s->net->transitions;
  uint8_t *kept;
  if (!s->merged.small)
    return TL_OK;
  if (!TL_NEW (&s->merging, kept, transitions + 1))
    return TL_E_NOMEM;
  for (uint32_t t = 0; t < transitions; t++)
    kept[t] = tl_merged_counts (&s->merged, t);
  tl_events_keep_guards (&s->reach->events, kept);
  TL_DEL (&s->merging, kept, transitions + 1);
  return TL_OK;
}

static tl_status count_dead (symbolic *s) {
  tl_exploration *r = s->result;
  tl_listing l;
  tl_status rc = leave_guards (s);
  if (rc)
    return rc;
  const tl_set dead =
      tl_dead (&s->reach->diagram, &s->reach->events, s->reach->reached);
  rc = s->reach->diagram.status;
  if (rc || !dead)
    return rc;
  rc = open_listing (s, &l, dead, 0);
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
  tl_status rc = tell_tokens (s);
  if (!rc)
    rc = tell_counts (s);
  if (rc || (rc = check_capacities (s)))
    return rc;
  rc = s->counting ? count_dead (s) : TL_E_LIMIT;
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
  r->threads = s->reach->used ? s->reach->used : 1;
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

// Where places are merged, one that has outgrown stands for its parts.
static void tell_outgrown (symbolic *s) {
  uint32_t p = s->reach->outgrown_place;
  if (s->merged.small)
    for (p = 0; s->merged.to[p] != s->reach->outgrown_place;)
      p++;
  s->result->stop = TL_STOP_TOKENS;
  s->result->unbounded_place = p;
}

static void close_merged (symbolic *s) {
  tl_divisions_close (&s->divisions);
  tl_merged_close (&s->merged);
}

// How a net is looked at.
typedef struct way {
  bool merges;
  double sums; // seconds to look for places that follow from sums
  double most; // seconds for all of it; 0: any
} way;

static tl_status open_way (symbolic *s, const tl_symbolic_stress *stress,
                           way how) {
  tl_reachable_ways ways = {.variables = s->options->variables,
                            .stress = stress,
                            .threads = s->options->threads ? s->options->threads
                                                           : tl_limit_cores ()};
  const tl_status rc =
      how.merges ? tl_merged_open (&s->merged, &s->merging, s->net, how.sums)
                 : TL_OK;
  const tl_net *small = s->merged.small;
  ways.kept = small ? s->merged.several : 0;
  return rc ? rc
            : tl_reachable_open (s->reach, s->root, small ? small : s->net,
                                 &ways, s->error);
}

static void close_way (symbolic *s) {
  tl_reachable_close (s->reach);
  close_merged (s);
}

static tl_status find_in (symbolic *s, double seconds) {
  tl_reachable *r = s->reach;
  r->look = look;
  r->context = s;
  tl_status rc = tl_reachable_find (r, seconds);
  if (!rc)
    rc = tell (s);
  if (r->outgrown)
    tell_outgrown (s);
  return rc;
}

static tl_status find_by (symbolic *s, const tl_symbolic_stress *stress,
                          way how) {
  const tl_status rc = open_way (s, stress, how);
  return rc ? rc : find_in (s, how.most);
}

// Once more, without places that follow from sums of others: finding these
// takes longer than many nets do.  They stay where others, without them, are
// no longer known to share a token.
static tl_status find_by_sums (symbolic *s, const tl_symbolic_stress *stress,
                               uint32_t variables) {
  const way sums = {.merges = true, .sums = SUMS_SECONDS},
            none = {.merges = true};
  const tl_status rc = open_way (s, stress, sums);
  if (rc || s->reach->told.variables <= variables)
    return rc ? rc : find_in (s, 0);
  close_way (s);
  return find_by (s, stress, none);
}

// Has the time for a first look, or the memory, not been enough?
static bool is_hard (const symbolic *s, tl_status rc) {
  return (rc == TL_E_LIMIT || rc == TL_E_NOMEM) && s->reach->told.variables &&
         !s->reach->ended && !s->reach->outgrown && !tl_budget_look (s->root);
}

static tl_status find_merged (symbolic *s, const tl_symbolic_stress *stress) {
  if (stress && stress->sums)
    return find_by_sums (s, stress, UINT32_MAX);
  const way first = {.merges = true, .most = FIRST_SECONDS};
  const tl_status rc = find_by (s, stress, first);
  if (!is_hard (s, rc))
    return rc;
  const uint32_t variables = s->reach->told.variables;
  close_way (s);
  return find_by_sums (s, stress, variables);
}

// An order that people give is one of the places of the net.  Where the ways to
// divide tokens are too many to be counted, nothing is merged.
static tl_status find (symbolic *s, const tl_symbolic_stress *stress) {
  const bool merges = s->counting && !s->options->variables;
  tl_status rc = open_result (s);
  if (!rc)
    rc = merges ? find_merged (s, stress) : find_by (s, stress, (way){0});
  if (rc != TL_E_LIMIT || !s->merged.small || !s->reach->ended ||
      tl_budget_look (s->root))
    return rc;
  close_way (s);
  return find_by (s, stress, (way){0});
}

tl_status tl_symbolic_run (tl_mem *root, const tl_net *net,
                           const tl_options *options,
                           const tl_symbolic_stress *stress, bool counting,
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
                .merging = TL_MEM (root, "merged places"),
                .counting = counting,
                .start = now,
                .next_report = now + 0.1};
  *reach = (tl_reachable){0};
  tl_status rc = tl_net_want_arcs (net, "the symbolic engine", error);
  if (!rc)
    rc = find (&s, stress);
  rc = end (&s, rc);
  if (!rc)
    fill_result (&s);
  else
    tl_exploration_close (result);
  reach->diagram.look = 0;
  if (counting) // nobody looks at the smaller net any more
    tl_reachable_close (reach);
  close_merged (&s);
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
