#include "explore/worker.h"

// ---- Hands -----------------------------------------------------------------

static void close_parts (tl_hand *h) {
  tl_fire_close (h->fire);
  tl_code_close (&h->code);
  h->fire = 0;
  h->code = (tl_code){0};
}

static tl_status open_parts (tl_hand *h, tl_search *s) {
  const tl_model_kind *kind = h->generator->kind;
  const tl_status rc =
      kind->code (h->generator, &s->engine, &s->layout, 0, &h->code);
  return rc ? rc
            : kind->fire (h->generator, &s->engine, &s->layout, s->sample,
                          &h->fire);
}

tl_status tl_hand_open (tl_hand *h, tl_search *s) {
  *h = (tl_hand){0};
  const tl_status rc =
      s->generator->kind->beside (&h->generator, s->generator, &h->fault);
  return rc ? rc : open_parts (h, s);
}

void tl_hand_close (tl_hand *h) {
  if (!h->generator)
    return;
  h->generator->kind->report (h->generator);
  close_parts (h);
  tl_generator_close (h->generator);
  *h = (tl_hand){0};
}

tl_status tl_hand_follow (tl_hand *h, tl_search *s) {
  if (!h->generator)
    return TL_OK;
  close_parts (h);
  const tl_status rc = h->generator->kind->follow (h->generator);
  return rc ? rc : open_parts (h, s);
}

// ---- Buffers ---------------------------------------------------------------

static uint32_t most_enabled (const tl_worker *w) {
  return w->search->generator->most_enabled;
}

static void take_hand (tl_worker *w) {
  tl_search *s = w->search;
  const tl_hand *h = w->plan.hand;
  w->generator = h ? h->generator : s->generator;
  w->code = h ? &h->code : &s->code;
  w->fire = h ? h->fire : s->fire;
}

// What depends on the layout.
static void release_buffers (tl_worker *w) {
  tl_mem *mem = w->plan.mem;
  TL_DEL (mem, w->state, w->state_words);
  TL_DEL (mem, w->key, w->key_words + w->plan.behind);
  TL_DEL (mem, w->keys, w->plan.room * w->key_words);
  TL_DEL (mem, w->scratch, w->scratch_words);
}

static tl_status take_buffers (tl_worker *w) {
  const tl_search *s = w->search;
  tl_mem *mem = w->plan.mem;
  take_hand (w);
  w->state_words = s->layout.words;
  w->key_words = s->code.key_words;
  w->scratch_words = s->fire->scratch_words;
  w->state = w->key = w->keys = w->scratch = 0;
  return TL_NEW (mem, w->state, w->state_words) &&
                 TL_NEW (mem, w->key, w->key_words + w->plan.behind) &&
                 TL_NEW (mem, w->keys, w->plan.room * w->key_words) &&
                 TL_NEW (mem, w->scratch, w->scratch_words)
             ? TL_OK
             : TL_E_NOMEM;
}

static tl_status take_lists (tl_worker *w) {
  tl_mem *mem = w->plan.mem;
  const bool shows = w->search->generator->kind->transition;
  return (!w->plan.lists || TL_NEW (mem, w->enabled, most_enabled (w))) &&
                 (!w->plan.events || TL_NEW (mem, w->events, w->plan.room)) &&
                 (!shows || TL_NEW (mem, w->shown, most_enabled (w)))
             ? TL_OK
             : TL_E_NOMEM;
}

static tl_status open_census (tl_worker *w) {
  const tl_search *s = w->search;
  const tl_status rc = tl_census_open (&w->census, w->plan.mem, w->generator);
  return rc ? rc : tl_census_settle (&w->census, &s->layout);
}

// Lists the worker with those that visit states.
static void join (tl_worker *w) {
  w->next = w->search->workers;
  w->search->workers = w;
}

// Takes it off the list; false: it was not there.
static bool leave (tl_worker *w) {
  tl_worker **at = &w->search->workers;
  while (*at && *at != w)
    at = &(*at)->next;
  if (!*at)
    return false;
  *at = w->next;
  return true;
}

tl_status tl_worker_open (tl_worker *w, tl_search *s,
                          const tl_worker_plan *plan) {
  *w = (tl_worker){.search = s, .plan = *plan};
  tl_status rc = take_buffers (w);
  if (!rc)
    rc = take_lists (w);
  if (!rc && s->reduces)
    rc = tl_net_has_arcs (s->net)
             ? tl_stubborn_open (&w->stubborn, &s->engine, &s->interference,
                                 &s->layout)
             : tl_coarse_open (&w->coarse, &s->engine, s->net->folded->coloured,
                               s->generator->most_enabled);
  if (rc || !plan->visits)
    return rc;
  if (!(rc = open_census (w)) && !plan->apart)
    join (w);
  return rc;
}

void tl_worker_close (tl_worker *w) {
  if (!w->search)
    return;
  tl_mem *mem = w->plan.mem;
  tl_roster_hand_over (w->search->roster, &w->noted);
  if (leave (w) || (w->plan.apart && w->census.layout)) {
    tl_census_settle (&w->census, 0);
    tl_census_add (&w->search->census, &w->census);
  }
  if (w->census.net)
    tl_census_close (&w->census);
  tl_stubborn_close (w->stubborn);
  tl_coarse_close (w->coarse);
  release_buffers (w);
  if (w->plan.lists)
    TL_DEL (mem, w->enabled, most_enabled (w));
  TL_DEL (mem, w->events, w->plan.room);
  TL_DEL (mem, w->shown, most_enabled (w));
  *w = (tl_worker){0};
}

tl_status tl_worker_begin (tl_worker *w) {
  const tl_status rc = tl_search_initial (w->search, w->state);
  if (!rc)
    tl_code_key (w->code, w->state, w->key);
  return rc;
}

tl_status tl_worker_widen (tl_worker *w, uint32_t transition,
                           tl_worker_move *move, void *order) {
  tl_search *s = w->search;
  tl_widening widening;
  tl_roster_hand_over (s->roster, &w->noted);
  tl_status rc = tl_search_widen (s, w->plan.visits ? &w->census : 0, w->state,
                                  transition, &widening);
  if (rc)
    return rc;
  tl_worker old = *w;
  rc = take_buffers (w);
  if (!rc && w->plan.visits)
    rc = tl_census_settle (&w->census, &s->layout);
  if (!rc && move)
    rc = move (order, &widening, old.key);
  if (!rc) {
    tl_widening_state (&widening, old.state, w->state);
    tl_code_key (w->code, w->state, w->key);
  }
  release_buffers (&old);
  tl_widening_close (&widening);
  return rc;
}

// ---- A state ---------------------------------------------------------------

static void reduce_coloured (tl_worker *w) {
  const tl_search *s = w->search;
  tl_generator *g = w->generator;
  const tl_tokens *tokens = g->kind->tokens (g, &s->layout, w->state);
  uint32_t *by = tl_coarse_transitions (w->coarse);
  for (uint32_t i = 0; i < w->count; i++)
    by[i] = tl_generator_transition (g, w->enabled[i]);
  if (tokens) // else there is no memory, and nothing is left out
    w->count = tl_coarse_reduce (w->coarse, tokens, w->enabled, w->count);
}

static void reduce (tl_worker *w) {
  const tl_search *s = w->search;
  if (w->coarse)
    reduce_coloured (w);
  if (!w->stubborn)
    return;
  tl_stubborn_begin (w->stubborn, w->state, w->enabled, w->count);
  if (s->for_property) {
    const tl_visit visit = tl_worker_shown (w);
    s->visitor->attract (s->visitor->context, &visit, w->stubborn);
  } else
    tl_stubborn_add_some (w->stubborn);
  w->count = tl_stubborn_end (w->stubborn, w->enabled, w->count);
}

tl_visit tl_worker_shown (tl_worker *w) {
  tl_search *s = w->search;
  tl_visit visit = {s, &s->layout, w->state, w->enabled, w->count};
  visit.enabled_count =
      tl_generator_shown (w->generator, &visit.enabled, w->count, w->shown);
  return visit;
}

static tl_status show_visitor (tl_worker *w) {
  tl_search *s = w->search;
  if (!s->visitor || !s->visitor->visit)
    return TL_OK;
  const tl_visit visit = tl_worker_shown (w);
  if (w->plan.show)
    return w->plan.show (w->plan.order, &visit);
  return tl_search_heed (s, s->visitor->visit (s->visitor->context, &visit));
}

// A place holds more than its capacity: ends the search with the way there.
static tl_status overfull (tl_search *s) {
  s->stop = TL_STOP_FAULT;
  const tl_status rc =
      s->trace_here ? tl_search_trace (s, &s->result->fault_trace) : TL_OK;
  return rc == TL_E_NOMEM ? rc : TL_E_LIMIT;
}

// The first dead state comes with the way there.
static tl_status note_dead (const tl_worker *w) {
  tl_search *s = w->search;
  return w->census.deadlocks == 1 && !w->plan.apart &&
                 !s->result->deadlock.transition
             ? tl_search_trace (s, &s->result->deadlock)
             : TL_OK;
}

tl_status tl_worker_adopt (tl_worker *w, uint32_t enabled, uint32_t followed) {
  tl_census *c = &w->census;
  c->states++;
  c->arcs += enabled;
  c->followed += followed;
  c->deadlocks += !enabled;
  return !enabled && note_dead (w) == TL_E_NOMEM ? TL_E_NOMEM : TL_OK;
}

tl_status tl_worker_visit (tl_worker *w) {
  tl_search *s = w->search;
  if (w->generator->fault->failed)
    return w->plan.fail ? w->plan.fail (w->plan.order) : tl_search_failed (s);
  if (s->capacities.count && !tl_capacities_kept (&s->capacities, &s->layout,
                                                  w->state, &s->result->fault))
    return overfull (s);
  tl_census_count (&w->census, w->state, w->enabled, w->count);
  if (s->roster && tl_roster_note (s->roster, &w->noted, w->key, s->depth))
    return TL_E_NOMEM;
  if (!w->count && note_dead (w) == TL_E_NOMEM)
    return TL_E_NOMEM;
  const tl_status rc = show_visitor (w);
  if (rc)
    return rc;
  if (s->reduces)
    reduce (w);
  w->census.followed += w->count;
  return TL_OK;
}

void tl_worker_relist (tl_worker *w) {
  tl_worker_list (w);
  if (w->search->reduces)
    reduce (w);
}
