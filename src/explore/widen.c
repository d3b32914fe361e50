// A place has outgrown its field.  Either the net is unbounded, which the way
// to this state may show, or the field gets wider and all that is stored moves
// to the new layout; the search goes on as if nothing had happened.

#include "explore/covering.h"
#include "explore/roster.h"
#include "explore/saving.h"
#include "explore/search.h"
#include "explore/widths.h"

#include <string.h>

enum { MOVE_BATCH = 256 };

void tl_widening_close (tl_widening *m) {
  tl_mem *mem = &m->search->engine;
  TL_DEL (mem, m->state, m->layout.words);
  if (m->tokens)
    TL_DEL (mem, m->tokens, m->search->net->places);
  tl_code_close (&m->code);
  tl_layout_close (&m->layout);
}

void tl_widening_state (const tl_widening *m, const uint64_t *old,
                        uint64_t *state) {
  const tl_code *code = &m->search->code;
  code->kind->convert_state (code, &m->code, old, m->tokens, state);
}

void tl_widening_key (const tl_widening *m, const uint64_t *old,
                      uint64_t *key) {
  const tl_code *code = &m->search->code;
  code->kind->convert_key (code, &m->code, old, m->state, key);
}

// Does the way here show that the net is unbounded?
static tl_status ask_unbounded (tl_search *s, uint32_t transition) {
  tl_exploration *r = s->result;
  if (r->unbounded.transition || s->capacities.count)
    return TL_OK; // known, and the questions want to go on; or soon too much
  tl_trace trace;
  const tl_status rc = tl_search_trace_by (s, transition, &trace);
  if (rc)
    return rc == TL_E_LIMIT ? TL_OK : rc; // no log: it cannot be told
  bool found;
  const tl_status found_rc = tl_covering_find (&s->engine, s->net, &trace,
                                               &found, &r->unbounded_place);
  if (found_rc || !found) {
    tl_trace_close (&trace);
    return found_rc;
  }
  r->unbounded = trace;
  return tl_search_unbounded (s);
}

// Widens the fields that the transition overflows; TL_E_LIMIT where a place
// cannot be counted further.
static tl_status choose_wider (tl_search *s, const uint64_t *state,
                               uint32_t transition) {
  for (tl_change c = tl_net_change (s->net, transition);
       tl_net_change_next (&c);) {
    const uint64_t tokens =
        tl_layout_tokens (&s->layout, state, c.place) + (uint64_t)c.amount;
    while (tokens > tl_low_bits (s->width[c.place])) {
      const uint8_t wider = tl_widths_wider (s->width[c.place]);
      if (!wider) {
        s->stop = TL_STOP_TOKENS;
        s->result->unbounded_place = c.place;
        return TL_E_LIMIT;
      }
      s->width[c.place] = wider;
      s->most[c.place] = tl_low_bits (wider);
    }
  }
  return TL_OK;
}

// Other places that are likely to outgrow their fields soon get wider with
// them: to move all that is stored is expensive.
static void widen_others (tl_search *s, const tl_census *census) {
  for (uint32_t p = 0; p < s->net->places; p++) {
    const uint64_t half = tl_low_bits (s->width[p]) / 2;
    if (s->width[p] && s->structure->bound[p] == TL_NO_BOUND &&
        (census->place_max[p] > half || s->census.place_max[p] > half) &&
        tl_widths_wider (s->width[p])) {
      s->width[p] = tl_widths_wider (s->width[p]);
      s->most[p] = tl_low_bits (s->width[p]);
    }
  }
}

tl_status tl_widening_store (const tl_widening *m, tl_store *old,
                             tl_store *to) {
  tl_mem *mem = &m->search->engine;
  const size_t old_words = old->spec.key_words, words = to->spec.key_words;
  uint64_t *old_keys, *keys, cursor = 0;
  uint8_t isnew[MOVE_BATCH];
  tl_status rc = TL_OK;
  if (!TL_NEW (mem, old_keys, MOVE_BATCH * old_words))
    return TL_E_NOMEM;
  if (!TL_NEW (mem, keys, MOVE_BATCH * words))
    rc = TL_E_NOMEM;
  for (size_t n; !rc && (n = old->kind->each (old, &cursor, MOVE_BATCH,
                                              old_keys, true));) {
    for (size_t i = 0; i < n; i++)
      tl_widening_key (m, old_keys + i * old_words, keys + i * words);
    rc = to->kind->put (to,
                        &(tl_batch){.count = n, .keys = keys, .isnew = isnew});
  }
  TL_DEL (mem, keys, MOVE_BATCH * words);
  TL_DEL (mem, old_keys, MOVE_BATCH * old_words);
  return rc;
}

static void move_key (const void *widening, const uint64_t *old,
                      uint64_t *key) {
  tl_widening_key (widening, old, key);
}

// The keys get longer, or a step went wrong; or all fits, and what is not
// needed any more is forgotten.
static tl_status widen_keys (tl_search *s, bool fits) {
  const tl_model_kind *kind = s->generator->kind;
  return s->fault.failed ? tl_search_failed (s)
         : fits          ? kind->collect (s->generator)
                         : kind->widen (s->generator);
}

// Fields get wider.
static tl_status widen_fields (tl_search *s, const uint64_t *state,
                               uint32_t transition) {
  const tl_status rc = ask_unbounded (s, transition);
  return rc ? rc : choose_wider (s, state, transition);
}

static tl_status open_move (tl_search *s, tl_widening *m) {
  *m = (tl_widening){.search = s};
  if (TL_NEW (&s->engine, m->state, s->layout.words) &&
      TL_NEW (&s->engine, m->tokens, s->net->places))
    return TL_OK;
  TL_DEL (&s->engine, m->state, s->layout.words); // that has not moved yet
  return TL_E_NOMEM;
}

// Gives states another shape, for which the fields were chosen; the old one is
// that of the widening from now on.
static tl_status reshape (tl_search *s, tl_widening *m) {
  tl_fire *fire = s->fire;
  tl_store *store = s->store;
  m->layout = s->layout;
  m->code = s->code;
  m->code.layout = &m->layout;
  const bool reshaped = store && store->reshape;
  if (store && !reshaped)
    store->spec.steps.context = &m->code; // what it holds is still in this one
  s->layout = (tl_layout){0};
  s->code = (tl_code){0};
  s->fire = 0;
  s->store = reshaped ? store : 0;
  tl_status rc = tl_search_shape (s);
  const uint64_t stored = store ? store->count : 0;
  if (!rc && store)
    rc = reshaped
             ? store->reshape (store, &s->spec, &(tl_conversion){m, move_key})
         : s->move_store ? s->move_store (m, store)
                         : tl_widening_store (m, store, s->store);
  if (store && !reshaped)
    store->kind->close (store);
  if (!rc && s->roster)
    rc = tl_roster_move (&s->roster, m);
  fire->layout = &m->layout; // it was the search's when the engine was opened
  tl_fire_close (fire);
  if (rc)
    s->found = stored; // the search is over; what it found remains found
  return rc;
}

tl_status tl_search_widen (tl_search *s, tl_census *census,
                           const uint64_t *state, uint32_t transition,
                           tl_widening *m) {
  const bool longer_keys = s->generator->kind->widen;
  tl_status rc = longer_keys ? widen_keys (s, transition == TL_NO_EVENT)
                             : widen_fields (s, state, transition);
  if (rc || (rc = open_move (s, m)))
    return rc;
  if (census)
    tl_census_settle (census, 0);
  if (census && !longer_keys)
    widen_others (s, census);
  s->result->widened += transition != TL_NO_EVENT;
  if ((rc = reshape (s, m)))
    tl_widening_close (m);
  else if (s->saving)
    tl_saving_reform (s->saving, s);
  return rc;
}
