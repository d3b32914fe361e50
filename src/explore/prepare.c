// Preparing a search: what the structure of the net allows becomes widths of
// fields, a layout, a code, a successor generator and a store.

#include "base/tuning.h"
#include "explore/choose.h"
#include "explore/covering.h"
#include "explore/how.h"
#include "explore/roster.h"
#include "explore/saving.h"
#include "explore/together.h"
#include "explore/widths.h"

// About how long the structure of a large net is studied.
#define ANALYSIS_SECONDS 0.5

static tl_status make_code (tl_search *s, const tl_digits *digits) {
  if (s->saving)
    tl_saving_code (s->saving, s, digits);
  return s->generator->kind->code (s->generator, &s->engine, &s->layout, digits,
                                   &s->code);
}

// Opens the shortest key there is, or one with every place; for a store of
// whole keys the working state itself where the key would not save a word.
static tl_status open_code (tl_search *s) {
  const bool whole = s->store_kind && s->store_kind->whole;
  const tl_digits *before;
  if (s->saving && tl_saving_digits (s->saving, &before))
    return make_code (s, before);
  if (!tl_net_has_arcs (s->net) || (whole && s->layout.words == 1))
    return make_code (s, 0);
  tl_digits digits;
  tl_status rc =
      s->options->every_place
          ? tl_digits_open_each (&digits, &s->engine, &s->layout, s->most)
          : tl_digits_open (&digits, &s->engine, &s->layout, s->structure,
                            s->most);
  if (rc)
    return rc;
  rc = make_code (s, &digits);
  tl_digits_close (&s->digits);
  s->digits = digits;
  const bool shorter = s->code.key_words < s->layout.words;
  if (!s->options->certificate || (whole && !shorter))
    tl_digits_close (&s->digits);
  if (rc || !whole || shorter)
    return rc;
  tl_code_close (&s->code);
  return make_code (s, 0);
}

static bool undo_step (const void *code, uint32_t transition, uint64_t *key) {
  return tl_code_undo (code, transition, key);
}

static void redo_step (const void *code, uint32_t event, uint64_t *key) {
  tl_code_steps (code, key, &event, 1, key);
}

static uint64_t hash_of (const void *code, const uint64_t *key) {
  return ((const tl_code *)code)->kind->hash (code, key);
}

static uint64_t change_of (const void *code, uint32_t event) {
  return ((const tl_code *)code)->kind->change (code, event);
}

static tl_steps steps_of (const tl_search *s) {
  if (!s->code.kind->hash)
    return (tl_steps){
        .context = &s->code, .undo = undo_step, .events = s->net->transitions};
  return (tl_steps){.context = &s->code,
                    .undo = undo_step,
                    .hash = hash_of,
                    .change = change_of,
                    .redo = redo_step};
}

static bool all_bounded (const tl_structure *structure) {
  for (uint32_t p = 0; p < structure->net->places; p++)
    if (structure->bound[p] == TL_NO_BOUND)
      return false;
  return true;
}

// May a walk show that the net has no end of states?
static bool may_be_unbounded (const tl_search *s) {
  return !all_bounded (s->structure) && !s->capacities.count;
}

// A sample of markings is a help, not a need: without memory for the walk the
// search goes on.
static tl_status take_sample (tl_search *s, bool look) {
  if (!TL_NEW (&s->engine, s->sample, s->net->places))
    return TL_E_NOMEM;
  bool found;
  if (tl_covering_walk (&s->engine, s->net, s->options->seed, TL_WALK_WORK,
                        s->sample, look, &s->result->unbounded, &found,
                        &s->result->unbounded_place))
    tl_trace_close (&s->result->unbounded);
  return TL_OK;
}

tl_status tl_search_shape (tl_search *s) {
  const bool numbered = s->visitor && s->visitor->arcs;
  const tl_model_kind *kind = s->generator->kind;
  tl_status rc = kind->layout (s->generator, &s->engine, s->width, &s->layout);
  if (numbered && !s->store_kind)
    s->store_kind = tl_choose_store (s); // the code suits it
  if (!rc)
    rc = open_code (s);
  if (!rc && !s->sample && tl_net_has_arcs (s->net) &&
      tl_fire_wants_sample (&s->layout))
    rc = take_sample (s, false);
  if (!rc)
    rc = kind->fire (s->generator, &s->engine, &s->layout, s->sample, &s->fire);
  if (rc)
    return rc;
  if (!s->store_kind)
    s->store_kind = tl_choose_store (s);
  s->spec = (tl_store_spec){.key_words = s->code.key_words,
                            .salt = s->result->widened,
                            .key_bits = s->code.key_bits,
                            .steps = steps_of (s),
                            .numbered = numbered,
                            .lengths = s->code.lengths,
                            .owner_bits = s->owner_bits,
                            .part = s->cluster ? s->cluster->rank : 0,
                            .parts = s->cluster ? s->cluster->ranks : 0,
                            .delta_k = s->options->delta_k};
  return s->sweeping || s->external || s->store
             ? TL_OK
             : tl_store_open (&s->store, s->store_kind, &s->states, &s->spec);
}

static tl_status open_generator (tl_search *s) {
  const tl_status rc =
      tl_generator_open (&s->generator, s->net,
                         &(tl_generator_request){.form = s->how->keys,
                                                 .measured = s->sweeping,
                                                 .states = &s->states,
                                                 .engine = &s->engine},
                         &s->fault);
  if (rc && rc != TL_E_NOMEM && tl_search_is_late (s))
    return TL_E_LIMIT;
  if (rc == TL_E_ARG && s->error)
    *s->error = s->fault.error;
  return rc == TL_E_ARG ? TL_E_MODEL : rc;
}

static void leave_nothing_out (tl_search *s) {
  s->result->stubborn = 0;
  s->result->counted = true;
  s->for_property = false;
}

// Stubborn sets might leave out the states in which a capacity is exceeded.
static tl_status watch_capacities (tl_search *s) {
  const tl_status rc =
      tl_capacities_open (&s->capacities, &s->engine, s->net, s->structure);
  if (s->capacities.count)
    leave_nothing_out (s);
  return rc;
}

// Without arcs there is nothing to be learned about fields.
static tl_status choose_fields (tl_search *s) {
  if (!TL_NEW (&s->engine, s->width, s->net->places) ||
      !TL_NEW (&s->engine, s->most, s->net->places))
    return TL_E_NOMEM;
  if (!tl_net_has_arcs (s->net)) {
    s->generator->kind->widths (s->generator, s->most, s->width);
    return TL_OK;
  }
  const tl_status rc =
      s->saving && tl_saving_fields (s->saving, s)
          ? TL_OK
          : tl_widths_choose (&s->engine, s->structure, s->width, s->most);
  return !rc && may_be_unbounded (s) ? take_sample (s, true) : rc;
}

static tl_status study (tl_search *s) {
  if (s->visitor && s->visitor->structure) {
    s->structure = s->visitor->structure;
    return TL_OK;
  }
  const bool follows = s->cluster && s->cluster->rank;
  const tl_status rc =
      tl_structure_open (&s->own_structure, &s->engine, s->net,
                         follows ? 0 : ANALYSIS_SECONDS, s->error);
  s->structure = s->own_structure;
  return rc;
}

// Of several ranks all have done that, or none goes on.
static tl_status look_at_net (tl_search *s) {
  tl_status rc = open_generator (s);
  if (!rc)
    rc = study (s);
  return s->cluster ? tl_together_agree (s, rc) : rc;
}

// What can fail for one of several ranks.
static tl_status prepare (tl_search *s) {
  tl_status rc = s->cluster ? tl_together_study (s, s->structure) : TL_OK;
  if (rc || (rc = watch_capacities (s)) || (rc = choose_fields (s)))
    return rc;
  if ((rc = tl_census_open (&s->census, &s->engine, s->generator)))
    return rc;
  if ((rc = tl_search_shape (s)))
    return rc;
  if (s->options->certificate &&
      (rc = tl_roster_open (&s->roster, s->root, s->code.key_words,
                            s->code.key_bits)))
    return rc;
  if (!tl_net_has_arcs (s->net) && !tl_coarse_is_for (s->net->folded->coloured))
    leave_nothing_out (s);
  s->reduces = s->result->stubborn;
  if (s->reduces && tl_net_has_arcs (s->net) &&
      (rc = tl_interference_open (&s->interference, &s->engine, s->net)))
    return rc;
  return TL_OK;
}

tl_status tl_search_open (tl_search *s) {
  tl_status rc = look_at_net (s);
  if (rc)
    return rc;
  rc = prepare (s);
  if (s->cluster)
    rc = tl_together_opened (s, rc);
  if (rc)
    return rc;
  if (!s->external) // its levels are the log
    tl_search_open_log (s);
  // The analysis has taken and freed many small things.
  s->trims = s->options->trim;
  if (s->sweeping || s->external)
    tl_search_trim (s);
  return s->result->unbounded.transition ? tl_search_unbounded (s) : TL_OK;
}

void tl_search_close (tl_search *s) {
  tl_search_drop_log (s);
  tl_roster_close (s->roster);
  tl_digits_close (&s->digits);
  tl_packer_close (&s->packer);
  if (s->store)
    s->store->kind->close (s->store);
  tl_census_close (&s->census);
  tl_capacities_close (&s->capacities);
  if (s->reduces && tl_net_has_arcs (s->net))
    tl_interference_close (&s->interference);
  tl_sleep_close (&s->sleep);
  tl_fire_close (s->fire);
  tl_code_close (&s->code);
  tl_layout_close (&s->layout);
  TL_DEL (&s->engine, s->width, s->net->places);
  TL_DEL (&s->engine, s->most, s->net->places);
  tl_structure_close (s->own_structure);
  TL_DEL (&s->engine, s->sample, s->net->places);
  tl_generator_close (s->generator);
}

tl_status tl_search_initial (tl_search *s, uint64_t *state) {
  return s->generator->kind->initial (s->generator, &s->layout, state);
}
