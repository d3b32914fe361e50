#include "explore/search.h"

#include "base/clock.h"
#include "base/error.h"
#include "explore/choose.h"
#include "explore/covering.h"
#include "explore/widths.h"
#include "net/origin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// How much work the random walk at the start may do, in arcs looked at: some
// hundredths of a second.
#define WALK_WORK 4000000

// About how long the structure of a large net is studied.
#define ANALYSIS_SECONDS 0.5

// Opens the shortest key there is, or one with every place; for the plain store
// the working state itself where the key would not save a word.
static tl_status open_code (tl_search *s) {
  const bool plain = s->store_kind == tl_store_find ("plain");
  if (s->net->rule)
    return tl_code_open (&s->code, &s->engine, &s->layout, 0);
  if (plain && s->layout.words == 1)
    return tl_code_open (&s->code, &s->engine, &s->layout, 0);
  tl_digits digits;
  tl_status rc =
      s->options->every_place
          ? tl_digits_open_each (&digits, &s->engine, &s->layout, s->most)
          : tl_digits_open (&digits, &s->engine, &s->layout, s->structure,
                            s->most);
  if (rc)
    return rc;
  rc = tl_code_open (&s->code, &s->engine, &s->layout, &digits);
  tl_digits_close (&digits);
  if (rc || !plain || s->code.key_words < s->layout.words)
    return rc;
  tl_code_close (&s->code);
  return tl_code_open (&s->code, &s->engine, &s->layout, 0);
}

static bool undo_step (const void *code, uint32_t transition, uint64_t *key) {
  return tl_code_undo (code, transition, key);
}

static void redo_step (const void *code, uint32_t event, uint64_t *key) {
  tl_code_steps (code, key, &event, 1, key);
}

static uint64_t hash_of (const void *code, const uint64_t *key) {
  const tl_rule *rule = ((const tl_code *)code)->rule;
  return rule->kind->hash (rule, key);
}

static uint64_t change_of (const void *code, uint32_t event) {
  const tl_rule *rule = ((const tl_code *)code)->rule;
  return rule->kind->change (rule, event);
}

static tl_steps steps_of (const tl_search *s) {
  if (!s->net->rule)
    return (tl_steps){
        .context = &s->code, .undo = undo_step, .events = s->net->transitions};
  return (tl_steps){.context = &s->code,
                    .undo = undo_step,
                    .hash = hash_of,
                    .change = change_of,
                    .redo = redo_step};
}

tl_status tl_search_shape (tl_search *s) {
  const bool numbered = s->visitor && s->visitor->arcs;
  tl_status rc = tl_layout_open (&s->layout, &s->engine, s->net, s->width);
  if (numbered && !s->store_kind)
    s->store_kind = tl_choose_store (s); // the code suits it
  if (!rc)
    rc = open_code (s);
  if (!rc)
    rc = tl_fire_open (&s->fire, &s->engine, &s->layout, s->sample);
  if (!rc)
    rc = tl_census_settle (&s->census, &s->layout);
  if (!rc && !s->store_kind)
    s->store_kind = tl_choose_store (s);
  s->spec = (tl_store_spec){.key_words = s->code.key_words,
                            .salt = s->result->widened,
                            .key_bits = s->code.key_bits,
                            .steps = steps_of (s),
                            .numbered = numbered,
                            .delta_k = s->options->delta_k};
  if (!rc && !s->sweeping && !s->store)
    rc = s->store_kind->open (&s->store, &s->states, &s->spec);
  return rc;
}

static bool all_bounded (const tl_structure *structure) {
  for (uint32_t p = 0; p < structure->net->places; p++)
    if (structure->bound[p] == TL_NO_BOUND)
      return false;
  return true;
}

// A sample of markings is a help, not a need: without memory for the walk the
// search goes on.
static tl_status take_sample (tl_search *s) {
  if (!TL_NEW (&s->engine, s->sample, s->net->places))
    return TL_E_NOMEM;
  bool found;
  if (tl_covering_walk (
          &s->engine, s->net, s->options->seed, WALK_WORK, s->sample,
          !all_bounded (s->structure) && !s->capacities.count,
          &s->result->unbounded, &found, &s->result->unbounded_place))
    tl_trace_close (&s->result->unbounded);
  return TL_OK;
}

// What can be seen of a state under a rule is counted in fields of this width.
enum { RULE_WIDTH = 32 };

// The form of keys under a rule goes by the name of the store.
static tl_key_form form_of (const char *store) {
  static const char *const collapsing[] = {"collapse", "delta",
                                           "delta+collapse"};
  for (size_t i = 0; i < sizeof collapsing / sizeof *collapsing; i++)
    if (!strcmp (collapsing[i], store))
      return TL_KEYS_COLLAPSED;
  return strcmp (store, "auto") ? TL_KEYS_CODED : TL_KEYS_NUMBERS;
}

// A net with a rule: there is no structure to study.
static tl_status open_rule (tl_search *s) {
  tl_rule *p = s->net->rule;
  p->watched = s->visitor || s->sweeping;
  tl_status rc =
      p->kind->begin (p, form_of (s->options->store), &s->states, &s->engine);
  if (rc == TL_E_ARG && s->error)
    *s->error = p->error;
  if (rc)
    return rc == TL_E_ARG ? TL_E_MODEL : rc;
  if ((rc = tl_structure_open (&s->structure, &s->engine, s->net,
                               ANALYSIS_SECONDS, s->error)))
    return rc;
  if (!TL_NEW (&s->engine, s->width, s->net->places) ||
      !TL_NEW (&s->engine, s->fired, p->most_enabled))
    return TL_E_NOMEM;
  memset (s->width, RULE_WIDTH, s->net->places);
  if (!(rc = tl_census_open (&s->census, &s->engine, s->net)))
    rc = tl_search_shape (s);
  if (!rc && tl_log_open (&s->log, &s->trace, &s->packer))
    s->log = 0;
  return rc;
}

// Stubborn sets might leave out the states in which a capacity is exceeded.
static tl_status watch_capacities (tl_search *s) {
  const tl_status rc =
      tl_capacities_open (&s->capacities, &s->engine, s->net, s->structure);
  if (!s->capacities.count)
    return rc;
  s->result->stubborn = 0;
  s->result->counted = true;
  s->for_property = false;
  return rc;
}

static tl_status open_search (tl_search *s) {
  if (s->net->rule)
    return open_rule (s);
  tl_status rc = tl_structure_open (&s->structure, &s->engine, s->net,
                                    ANALYSIS_SECONDS, s->error);
  if (rc || (rc = watch_capacities (s)))
    return rc;
  if (!TL_NEW (&s->engine, s->width, s->net->places) ||
      !TL_NEW (&s->engine, s->most, s->net->places))
    return TL_E_NOMEM;
  if ((rc = tl_widths_choose (&s->engine, s->structure, s->width, s->most)))
    return rc;
  if ((rc = take_sample (s)))
    return rc;
  if ((rc = tl_census_open (&s->census, &s->engine, s->net)))
    return rc;
  if ((rc = tl_search_shape (s)))
    return rc;
  if (s->result->stubborn &&
      (rc = tl_stubborn_open (&s->stubborn, &s->engine, &s->layout)))
    return rc;
  // A trace is a help, not a need: without memory for it the search goes on.
  if (tl_log_open (&s->log, &s->trace, &s->packer))
    s->log = 0;
  tl_mem_trim (); // the analysis has taken and freed many small things
  return s->result->unbounded.transition ? tl_search_unbounded (s) : TL_OK;
}

void tl_search_drop_log (tl_search *s) {
  if (!s->log)
    return;
  s->spilled += tl_log_spilled (s->log);
  tl_log_close (s->log);
  s->log = 0;
}

tl_status tl_search_leave_layers (tl_search *s) {
  s->sweeping = false;
  if (tl_log_open (&s->log, &s->trace, &s->packer))
    s->log = 0;
  return s->store_kind->open (&s->store, &s->states, &s->spec);
}

void tl_search_enter_layers (tl_search *s) {
  tl_search_drop_log (s);
  s->store->kind->close (s->store);
  s->store = 0;
  if (!strcmp (s->options->store, "auto")) // it may have changed on the way
    s->store_kind = tl_choose_store (s);
  s->sweeping = true;
  s->found = s->depth = s->queued = s->enough = 0;
}

static void close_search (tl_search *s) {
  tl_search_drop_log (s);
  tl_packer_close (&s->packer);
  if (s->store)
    s->store->kind->close (s->store);
  tl_census_close (&s->census);
  tl_capacities_close (&s->capacities);
  tl_stubborn_close (s->stubborn);
  tl_sleep_close (&s->sleep);
  tl_fire_close (s->fire);
  tl_code_close (&s->code);
  tl_layout_close (&s->layout);
  TL_DEL (&s->engine, s->width, s->net->places);
  TL_DEL (&s->engine, s->most, s->net->places);
  tl_structure_close (s->structure);
  TL_DEL (&s->engine, s->sample, s->net->places);
  if (s->fired)
    TL_DEL (&s->engine, s->fired, s->net->rule->most_enabled);
  if (s->net->rule)
    s->net->rule->kind->end (s->net->rule);
}

// The same for a net with a rule.
static tl_status initial_key (tl_search *s, uint64_t *state) {
  tl_rule *p = s->net->rule;
  uint64_t *key;
  if (!TL_NEW (&s->engine, key, p->key_words))
    return TL_E_NOMEM;
  const tl_status rc = p->kind->initial (p, key);
  if (!rc)
    tl_code_state (&s->code, key, state);
  TL_DEL (&s->engine, key, p->key_words);
  return rc == TL_E_ARG ? tl_search_failed (s) : rc;
}

tl_status tl_search_initial (tl_search *s, uint64_t *state) {
  uint64_t *tokens;
  if (s->net->rule)
    return initial_key (s, state);
  if (!TL_NEW (&s->engine, tokens, s->net->places))
    return TL_E_NOMEM;
  for (uint32_t p = 0; p < s->net->places; p++)
    tokens[p] = s->net->initial[p];
  tl_layout_pack (&s->layout, tokens, state);
  TL_DEL (&s->engine, tokens, s->net->places);
  return TL_OK;
}

// Puts what is left of a batch.
static tl_status put_rest (tl_search *s, tl_batch *batch) {
  tl_batch rest = *batch;
  const size_t done = batch->done;
  rest.count -= done;
  rest.keys += done * s->code.key_words;
  rest.isnew += done;
  if (rest.events)
    rest.events += done;
  if (rest.numbers)
    rest.numbers += done;
  const tl_status rc = s->store->kind->put (s->store, &rest);
  batch->done += rest.done;
  return rc;
}

tl_status tl_search_put (tl_search *s, tl_batch *batch) {
  tl_status rc = s->store->kind->put (s->store, batch);
  while (rc == TL_E_NOMEM && s->log) {
    // States matter more than traces.
    if (!tl_log_flush (s->log))
      tl_search_drop_log (s);
    rc = put_rest (s, batch);
  }
  if (rc == TL_E_NOMEM && !tl_choose_leaner (s))
    rc = put_rest (s, batch);
  return !rc && tl_choose_due (s) ? tl_choose_again (s) : rc;
}

// ---- The result ------------------------------------------------------------

static void add_row (tl_exploration *r, const tl_mem *account,
                     size_t would_be) {
  tl_exploration_add_row (r, account->name, account->peak, would_be);
}

static tl_status fill_result (tl_search *s) {
  tl_exploration *r = s->result;
  const tl_net *net = s->net;
  r->stop = s->stop;
  r->complete = s->stop == TL_STOP_DONE;
  tl_census_settle (&s->census, 0);
  r->states = tl_search_seen (s) > s->found ? tl_search_seen (s) : s->found;
  if (!r->states)
    r->states = 1; // a walk proved the net unbounded before anything was stored
  r->arcs = s->census.arcs;
  r->followed = s->followed;
  r->deadlocks = s->census.deadlocks;
  r->max_tokens_per_marking = s->census.max_tokens;
  r->places = net->places;
  r->transitions = net->transitions;
  r->place_max = malloc ((net->places + 1) * sizeof *r->place_max);
  r->fired = malloc (net->transitions + 1);
  if (!r->place_max || !r->fired)
    return TL_E_NOMEM;
  memcpy (r->place_max, s->census.place_max,
          net->places * sizeof *r->place_max);
  memcpy (r->fired, s->census.fired, net->transitions);
  for (uint32_t p = 0; p < net->places && !net->rule; p++)
    if (r->place_max[p] > r->max_tokens_in_place)
      r->max_tokens_in_place = r->place_max[p];
  if (net->rule)
    r->max_tokens_in_place = net->rule->most_alike;
  for (uint32_t t = 0; t < tl_shown_transitions (net); t++) {
    const tl_node_range same = tl_shown_transition (net, t);
    r->dead_transitions +=
        !same.count || !memchr (r->fired + same.first, 1, same.count);
  }
  r->depth = s->depth;
  r->store = s->store_kind->name;
  if (net->rule && strcmp (s->options->store, "auto"))
    r->store = tl_store_name (s->options->store);
  if (s->store && s->store_kind->figures)
    s->store_kind->figures (s->store, &r->delta);
  r->bits = s->code.bits;
  if (net->rule && net->rule->coded_states)
    r->code_bytes =
        (double)net->rule->coded_bytes / (double)net->rule->coded_states;
  r->plain_bits = s->layout.plain_bits;
  r->store_bytes = s->states.peak;
  r->bytes_per_state =
      r->states ? (double)r->store_bytes / (double)r->states : 0;
  add_row (r, &s->states,
           (size_t)(r->states * ((s->layout.plain_bits + 7) / 8 + 8)));
  add_row (r, &s->queue, 0);
  add_row (r, &s->trace, 0);
  add_row (r, &s->engine, 0);
  if (s->components.peak)
    add_row (r, &s->components, 0);
  r->spilled_bytes = s->spilled + (s->log ? tl_log_spilled (s->log) : 0);
  r->seconds = tl_clock () - s->start;
  r->peak_rss_bytes = tl_mem_peak_resident ();
  return TL_OK;
}

// The keys of a store, whose memory is given back.
typedef struct draining {
  tl_store *store;
  uint64_t cursor;
} draining;

static size_t drain (void *context, size_t most, uint64_t *keys) {
  draining *d = context;
  return d->store->kind->each (d->store, &d->cursor, most, keys, true);
}

// The search is complete.
static tl_status finalise_all (tl_search *s) {
  tl_search_drop_log (s); // there are no traces any more
  draining d = {.store = s->store};
  return tl_search_finalise_all (
      s, &(tl_finalised){.context = &d, .next = drain, .store = s->store});
}

static tl_status begin (tl_search *s) {
  const tl_visitor *v = s->visitor;
  if (s->stop != TL_STOP_DONE || !v || !v->begin)
    return TL_OK;
  const tl_status rc = tl_search_heed (s, v->begin (v->context, s));
  return !rc && s->stop != TL_STOP_DONE ? TL_E_LIMIT : rc;
}

static tl_status run (tl_search *s, const tl_order *order) {
  tl_status rc = open_search (s);
  if (!rc)
    rc = begin (s);
  if (!rc && s->stop == TL_STOP_DONE)
    rc = order->run (s);
  if (!rc && s->stop == TL_STOP_DONE && !order->finalises &&
      tl_search_finalises (s))
    rc = finalise_all (s);
  if (rc == TL_E_NOMEM && (s->store || s->found || s->expanded)) {
    s->stop = TL_STOP_MEMORY; // what was found until then is a result
    rc = TL_OK;
  }
  if (rc == TL_E_LIMIT && s->stop != TL_STOP_DONE)
    rc = TL_OK;
  if (!rc)
    rc = fill_result (s);
  if (rc == TL_E_IO) {
    errno = EIO; // whatever the read made of it: a fault of the machine
    return tl_fail (s->error, rc, "a temporary file cannot be read back");
  }
  return rc == TL_E_NOMEM
             ? tl_fail (s->error, TL_E_NOMEM,
                        "the memory budget is too small to start with")
             : rc;
}

// The kinds of stubborn sets; null: none, or not known.
static const char *stubborn_name (const char *name) {
  static const char *const names[] = {"deadlock", "property"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp (names[i], name))
      return names[i];
  return 0;
}

static bool for_property (const tl_exploration *r) {
  return r->stubborn && !strcmp (r->stubborn, "property");
}

tl_status tl_explore_on (tl_mem *root, const tl_net *net,
                         const tl_options *options, const tl_visitor *visitor,
                         tl_exploration *result, tl_error *error) {
  *result =
      (tl_exploration){.size = sizeof *result, .threads = 1, .counted = true};
  const tl_order *order = tl_order_find (options->order);
  const bool any_store = !strcmp (options->store, "auto");
  const tl_store_kind *store = any_store ? 0 : tl_store_find (options->store);
  if (!order)
    return tl_fail (error, TL_E_ARG, "unknown order '%s'", options->order);
  if (!store && !any_store)
    return tl_fail (error, TL_E_ARG, "unknown store '%s'", options->store);
  if (net->rule && strcmp (options->stubborn, "none"))
    return tl_fail (error, TL_E_ARG,
                    "stubborn sets are for nets that can be unfolded");
  if (options->delta_k < 1 || options->delta_k > 255)
    return tl_fail (error, TL_E_ARG, "delta_k is not a number from 1 to 255");
  result->stubborn = stubborn_name (options->stubborn);
  result->counted = !result->stubborn;
  if (!result->stubborn && strcmp (options->stubborn, "none"))
    return tl_fail (error, TL_E_ARG, "unknown stubborn sets '%s'",
                    options->stubborn);
  if (for_property (result) && !(visitor && visitor->attract))
    return tl_fail (error, TL_E_ARG,
                    "stubborn sets for a property need a property");
  if (visitor && visitor->arcs &&
      (order == &tl_order_dfs || (store && store != tl_store_find ("plain"))))
    return tl_fail (
        error, TL_E_ARG,
        "a graph needs the order bfs or sweep, and the store plain");
  if (options->threads > 1)
    return tl_fail (error, TL_E_ARG,
                    "this version searches with one thread only");
  const double now = tl_clock ();
  tl_search s = {.net = net,
                 .options = options,
                 .visitor = visitor,
                 .result = result,
                 .error = error,
                 .root = root,
                 .engine = TL_MEM (root, "engine"),
                 .states = TL_MEM (root, "states"),
                 .queue = TL_MEM (root, "queue"),
                 .trace = TL_MEM (root, "trace log"),
                 .components = TL_MEM (root, "components"),
                 .store_kind = store,
                 .sweeping = order == &tl_order_sweep,
                 .for_property = for_property (result),
                 .start = now,
                 .next_report = now + 0.1,
                 .deadline = options->timeout > 0 ? now + options->timeout : 0};
  result->order = order->name;
  s.packer = TL_PACKER (&s.engine);
  const tl_status rc = run (&s, order);
  close_search (&s);
  if (rc)
    tl_exploration_close (result);
  return rc;
}
