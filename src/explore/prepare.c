// Preparing a search: what the structure of the net allows becomes widths of
// fields, a layout, a code, a successor generator and a store.

#include "explore/choose.h"
#include "explore/covering.h"
#include "explore/search.h"
#include "explore/widths.h"

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

tl_status tl_search_open (tl_search *s) {
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

void tl_search_close (tl_search *s) {
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
