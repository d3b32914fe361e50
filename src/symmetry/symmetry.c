#include "symmetry/symmetry.h"

#include "base/bits.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "base/error.h"
#include "encode/code.h"
#include "explore/explore.h"
#include "explore/widths.h"
#include "fire/fire.h"
#include "store/store.h"
#include "symmetry/canonical.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// About how long the structure of a large net is studied.
#define ANALYSIS_SECONDS 0.5

enum { POLL = 256 }; // states between two looks at the clock

typedef struct search {
  const tl_net *net;
  const tl_options *options;
  tl_exploration *result;
  tl_error *error;
  tl_mem states, engine;
  double start, deadline, next_report;
  tl_classes classes;
  tl_canonical canonical;
  tl_structure *structure;
  uint8_t *width; // [places]
  uint64_t *most; // [places]
  tl_layout layout;
  tl_code code;
  tl_fire *fire;
  tl_store *store; // gives a state by its number: it is the queue, too
  uint64_t *scratch, *state, *next;
  uint64_t *tokens, *image; // [places]
  uint64_t *key;
  uint32_t *enabled; // [transitions]
  uint64_t *keys;    // [transitions] of the successors
  uint8_t *isnew;
} search;

// ---- Opening ---------------------------------------------------------------

static tl_status open_form (search *s) {
  tl_digits digits;
  tl_status rc = tl_widths_choose (&s->engine, s->structure, s->width, s->most);
  if (!rc)
    rc = tl_layout_open (&s->layout, &s->engine, s->net, s->width, 0);
  if (!rc)
    rc =
        tl_digits_open (&digits, &s->engine, &s->layout, s->structure, s->most);
  if (rc)
    return rc;
  rc = tl_code_open (&s->code, &s->engine, &s->layout, &digits);
  tl_digits_close (&digits);
  if (!rc)
    rc = tl_fire_open (&s->fire, &s->engine, &s->layout, 0);
  if (!rc)
    rc = tl_store_open_numbered (&s->store, &s->states, s->code.key_words,
                                 s->code.key_bits);
  return rc;
}

static tl_status open_room (search *s) {
  const size_t transitions = (size_t)s->net->transitions + 1;
  return TL_NEW (&s->engine, s->scratch, s->fire->scratch_words + 1) &&
                 TL_NEW (&s->engine, s->state, s->layout.words) &&
                 TL_NEW (&s->engine, s->next, s->layout.words) &&
                 TL_NEW (&s->engine, s->key, s->code.key_words) &&
                 TL_NEW (&s->engine, s->enabled, transitions) &&
                 TL_NEW (&s->engine, s->isnew, transitions) &&
                 TL_NEW (&s->engine, s->keys, transitions * s->code.key_words)
             ? TL_OK
             : TL_E_NOMEM;
}

static tl_status open_search (search *s) {
  tl_exploration *r = s->result;
  const uint32_t places = s->net->places;
  r->places = places;
  r->transitions = s->net->transitions;
  r->place_max = calloc (places + 1, sizeof *r->place_max);
  r->fired = calloc (s->net->transitions + 1, 1);
  if (!r->place_max || !r->fired ||
      !TL_NEW (&s->engine, s->width, places + 1) ||
      !TL_NEW (&s->engine, s->most, places + 1) ||
      !TL_NEW (&s->engine, s->tokens, places + 1) ||
      !TL_NEW (&s->engine, s->image, places + 1))
    return TL_E_NOMEM;
  tl_status rc = tl_classes_open (&s->classes, &s->engine, s->net);
  if (!rc)
    rc = tl_canonical_open (&s->canonical, &s->engine, &s->classes);
  if (!rc)
    rc = tl_structure_open (&s->structure, &s->engine, s->net, ANALYSIS_SECONDS,
                            s->error);
  if (!rc)
    rc = open_form (s);
  return rc ? rc : open_room (s);
}

static void close_search (search *s) {
  const size_t transitions = (size_t)s->net->transitions + 1,
               places = (size_t)s->net->places + 1;
  if (s->fire)
    TL_DEL (&s->engine, s->scratch, s->fire->scratch_words + 1);
  TL_DEL (&s->engine, s->state, s->layout.words);
  TL_DEL (&s->engine, s->next, s->layout.words);
  TL_DEL (&s->engine, s->key, s->code.key_words);
  TL_DEL (&s->engine, s->enabled, transitions);
  TL_DEL (&s->engine, s->isnew, transitions);
  TL_DEL (&s->engine, s->keys, transitions * s->code.key_words);
  TL_DEL (&s->engine, s->tokens, places);
  TL_DEL (&s->engine, s->image, places);
  TL_DEL (&s->engine, s->width, places);
  TL_DEL (&s->engine, s->most, places);
  if (s->store)
    s->store->kind->close (s->store);
  tl_fire_close (s->fire);
  tl_code_close (&s->code);
  tl_layout_close (&s->layout);
  tl_structure_close (s->structure);
  tl_canonical_close (&s->canonical);
  tl_classes_close (&s->classes);
}

// ---- Searching -------------------------------------------------------------

static tl_status look (search *s, uint64_t visited) {
  if (tl_cancelled (s->options->cancel))
    return TL_E_CANCEL;
  const double now = tl_clock ();
  if (s->deadline > 0 && now > s->deadline)
    return TL_E_LIMIT;
  if (!s->options->on_progress || now < s->next_report)
    return TL_OK;
  const tl_progress progress = {.size = sizeof progress,
                                .states = s->store->count,
                                .queued = s->store->count - visited,
                                .arcs = s->result->arcs,
                                .bytes = s->states.parent->used,
                                .budget = s->states.parent->limit,
                                .seconds = now - s->start,
                                .most_seconds = s->options->timeout};
  s->next_report = now + 0.1;
  if (!s->options->on_progress (s->options->context, &progress))
    return TL_OK;
  tl_cancel (s->options->cancel);
  return TL_E_CANCEL;
}

static tl_status too_symmetric (search *s) {
  return tl_fail (s->error, TL_E_ARG,
                  "a marking can be arranged in more than %d ways by its "
                  "symmetries, or there are 2^64 markings or more: --engine "
                  "symmetry cannot count them",
                  TL_MOST_ARRANGEMENTS);
}

// The key of the orbit of a working state.
static tl_status key_of (search *s, uint64_t *state, uint64_t *key,
                         uint64_t *orbit) {
  tl_layout_unpack (&s->layout, state, s->image);
  if (tl_canonical_of (&s->canonical, s->image, orbit))
    return too_symmetric (s);
  if (!tl_layout_pack (&s->layout, s->image, state))
    return TL_E_INTERNAL;
  tl_code_key (&s->code, state, key);
  return TL_OK;
}

static tl_status put (search *s, const uint64_t *keys, uint32_t count) {
  tl_batch batch = {.count = count, .keys = keys, .isnew = s->isnew};
  const tl_status rc = s->store->kind->put (s->store, &batch);
  const uint64_t most = s->options->max_states;
  if (rc || !most || s->store->count <= most)
    return rc;
  s->result->stop = TL_STOP_STATES;
  return TL_E_LIMIT;
}

static tl_status check_capacity (search *s, uint32_t p) {
  const uint32_t *capacity = s->net->origin->capacity;
  return capacity && s->tokens[p] > capacity[p]
             ? tl_fail (s->error, TL_E_MODEL,
                        "capacity exceeded: place %s gets %llu tokens of one "
                        "value, and its capacity is %u; --engine explicit "
                        "shows how",
                        s->net->place_name[p], (unsigned long long)s->tokens[p],
                        capacity[p])
             : TL_OK;
}

static bool add_times (uint64_t *sum, uint64_t times, uint64_t what) {
  uint64_t product;
  return !__builtin_mul_overflow (times, what, &product) &&
         !__builtin_add_overflow (*sum, product, sum);
}

// Counts the state at hand, and all of its orbit.
static tl_status count (search *s, uint32_t enabled) {
  tl_exploration *r = s->result;
  uint64_t orbit, all = 0;
  memcpy (s->image, s->tokens, s->net->places * sizeof *s->image);
  if (tl_canonical_of (&s->canonical, s->image, &orbit) ||
      !add_times (&r->states, orbit, 1) ||
      !add_times (&r->arcs, orbit, enabled) ||
      !add_times (&r->deadlocks, orbit, !enabled))
    return too_symmetric (s);
  for (uint32_t p = 0; p < s->net->places; p++) {
    const tl_status rc = check_capacity (s, p);
    if (rc)
      return rc;
    all += s->tokens[p];
    if (s->tokens[p] > r->place_max[p])
      r->place_max[p] = s->tokens[p];
  }
  if (all > r->max_tokens_per_marking)
    r->max_tokens_per_marking = all;
  for (uint32_t i = 0; i < enabled; i++)
    r->fired[s->enabled[i]] = 1;
  r->followed += enabled;
  return TL_OK;
}

// A place without a known bound gets more tokens than its field can hold.
static tl_status outgrown (search *s, uint32_t transition) {
  for (tl_change c = tl_net_change (s->net, transition);
       tl_net_change_next (&c);)
    if (c.amount > 0 && s->tokens[c.place] + (uint64_t)c.amount >
                            tl_low_bits (s->width[c.place]))
      s->result->unbounded_place = c.place;
  s->result->stop = TL_STOP_TOKENS;
  return TL_E_LIMIT;
}

static tl_status expand (search *s, uint64_t number) {
  const uint32_t words = s->code.key_words;
  uint64_t orbit;
  s->store->get (s->store, number, s->key);
  tl_code_state (&s->code, s->key, s->state);
  tl_layout_unpack (&s->layout, s->state, s->tokens);
  const uint32_t n =
      tl_fire_enabled (s->fire, s->state, s->enabled, s->scratch);
  const uint32_t fit = tl_fire_fits (s->fire, s->state, s->enabled, n);
  tl_status rc = fit < n ? outgrown (s, s->enabled[fit]) : count (s, n);
  for (uint32_t i = 0; !rc && i < n; i++) {
    memcpy (s->next, s->state, s->layout.words * sizeof *s->next);
    tl_fire_step (s->fire, s->enabled[i], s->next);
    rc = key_of (s, s->next, s->keys + (size_t)i * words, &orbit);
  }
  return rc || !n ? rc : put (s, s->keys, n);
}

// Level by level: numbers are given in the order of finding.
static tl_status run (search *s) {
  uint64_t orbit, level_end = 1;
  for (uint32_t p = 0; p < s->net->places; p++)
    s->tokens[p] = s->net->initial[p];
  if (!tl_layout_pack (&s->layout, s->tokens, s->state))
    return TL_E_INTERNAL;
  tl_status rc = key_of (s, s->state, s->key, &orbit);
  if (!rc)
    rc = put (s, s->key, 1);
  for (uint64_t n = 0; !rc && n < s->store->count; n++) {
    if (n == level_end) {
      s->result->depth++;
      level_end = s->store->count;
    }
    if (n % POLL || !(rc = look (s, n)))
      rc = expand (s, n);
  }
  return rc;
}

// ---- The result ------------------------------------------------------------

// Until nothing is new.  Neighbours in a class are enough.
static tl_status spread (search *s) {
  tl_swapper swapper;
  tl_status rc = tl_swapper_open (&swapper, &s->engine, s->net);
  for (bool news = true; !rc && news;) {
    news = false;
    for (uint32_t k = 0; k < s->classes.classes; k++) {
      const tl_value_class *class = s->classes.class + k;
      for (uint32_t i = 1; i < class->values; i++) {
        const tl_cell *value = s->classes.value + class->first + i;
        news |= tl_swap_spread (&swapper, class->type, value[-1], value[0],
                                s->result->place_max, s->result->fired);
      }
    }
  }
  tl_swapper_close (&swapper);
  return rc;
}

static char *describe (const tl_classes *c) {
  char *text = 0;
  size_t size;
  FILE *f = open_memstream (&text, &size);
  if (!f)
    return 0;
  for (uint32_t k = 0; k < c->classes; k++)
    fprintf (f, "%s%u of %s", k ? ", " : "", c->class[k].values,
             c->class[k].type->name ? c->class[k].type->name : "a type");
  if (!c->classes)
    fputs ("none", f);
  return fclose (f) ? free (text), (char *)0 : text;
}

static void fill_result (search *s) {
  tl_exploration *r = s->result;
  r->complete = r->stop == TL_STOP_DONE;
  r->symmetry.classes = describe (&s->classes);
  r->symmetry.stored = s->store ? s->store->count : 0;
  r->bits = s->code.key_bits;
  r->plain_bits = s->layout.plain_bits;
  for (uint32_t p = 0; p < s->net->places; p++)
    if (r->place_max[p] > r->max_tokens_in_place)
      r->max_tokens_in_place = r->place_max[p];
  for (uint32_t t = 0; t < tl_shown_transitions (s->net); t++) {
    const tl_node_range same = tl_shown_transition (s->net, t);
    r->dead_transitions +=
        !same.count || !memchr (r->fired + same.first, 1, same.count);
  }
  r->store_bytes = s->states.peak;
  r->bytes_per_state =
      r->states ? (double)r->store_bytes / (double)r->states : 0;
  tl_exploration_add_row (r, s->states.name, s->states.peak, 0);
  tl_exploration_add_row (r, s->engine.name, s->engine.peak, 0);
  r->peak_rss_bytes = tl_mem_peak_resident ();
  r->seconds = tl_clock () - s->start;
}

// Running out of something is a result.
static tl_status end (search *s, tl_status rc) {
  tl_exploration *r = s->result;
  if (rc == TL_E_NOMEM && s->store)
    r->stop = TL_STOP_MEMORY;
  else if (rc == TL_E_CANCEL || (rc && tl_cancelled (s->options->cancel)))
    r->stop = TL_STOP_CANCEL;
  else if (rc == TL_E_LIMIT && r->stop == TL_STOP_DONE)
    r->stop = TL_STOP_TIME;
  else if (rc && rc != TL_E_LIMIT)
    return rc;
  return r->place_max && r->fired ? TL_OK : TL_E_NOMEM;
}

static tl_status want_colours (const tl_net *net, tl_error *error) {
  const tl_status rc = tl_net_want_arcs (net, "--engine symmetry", error);
  return rc            ? rc
         : net->origin ? TL_OK
                       : tl_fail (error, TL_E_ARG,
                                  "--engine symmetry is for coloured nets, and "
                                  "%s has no colours",
                                  tl_net_name (net));
}

tl_status tl_symmetry_explore (tl_mem *root, const tl_net *net,
                               const tl_options *options,
                               tl_exploration *result, tl_error *error) {
  const double now = tl_clock ();
  *result = (tl_exploration){.size = sizeof *result,
                             .threads = 1,
                             .counted = true,
                             .engine = "symmetry",
                             .order = "bfs",
                             .store = "plain"};
  search s = {.net = net,
              .options = options,
              .result = result,
              .error = error,
              .states = TL_MEM (root, "states"),
              .engine = TL_MEM (root, "engine"),
              .start = now,
              .deadline = options->timeout > 0 ? now + options->timeout : 0,
              .next_report = now + 0.1};
  tl_status rc = want_colours (net, error);
  if (rc)
    return rc;
  rc = open_search (&s);
  if (!rc)
    rc = run (&s);
  if (!rc)
    rc = spread (&s);
  rc = end (&s, rc);
  if (!rc)
    fill_result (&s);
  else
    tl_exploration_close (result);
  close_search (&s);
  return rc == TL_E_NOMEM
             ? tl_fail (error, rc,
                        "the memory budget is too small to start with")
             : rc;
}
