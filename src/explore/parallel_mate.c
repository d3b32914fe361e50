// What one thread of a parallel search keeps of the states it finds, and how
// all of them make room when memory is short.

#include "base/tuning.h"
#include "explore/choose.h"
#include "explore/parallel_parts.h"

#include <stdlib.h>

// ---- Parts -----------------------------------------------------------------

void tl_mate_open_lane (tl_mate *m, tl_lane *lane) {
  tl_search *s = m->crew->search;
  tl_lane_open (lane, &s->queue, &m->packer, s->code.key_words,
                s->code.key_bits, s->generator->most_events,
                2 * TL_QUEUE_PART * m->crew->size); // two lanes each
}

tl_status tl_mate_open_parts (tl_mate *m) {
  tl_search *s = m->crew->search;
  tl_status rc = tl_hand_follow (&m->hand, s);
  if (!rc)
    rc = tl_worker_open (
        &m->worker, s,
        &(tl_worker_plan){.mem = &s->engine,
                          .room = m->crew->room,
                          .visits = true,
                          .apart = true,
                          .hand = m->hand.generator ? &m->hand : 0,
                          .show = tl_mate_show,
                          .fail = tl_mate_fail,
                          .order = m,
                          .lists = true,
                          .events = true});
  m->told = 0;
  if (!m->now.words)
    tl_mate_open_lane (m, &m->now);
  if (!m->next.words)
    tl_mate_open_lane (m, &m->next);
  if (!rc && m->crew->post && tl_outbox_open (&m->outbox, m->crew->post))
    return TL_E_NOMEM;
  return rc ? rc
            : tl_deal_open (&m->deal, &s->engine,
                            tl_shards_count ((tl_shards *)s->store), 1,
                            m->crew->room, s->code.key_words,
                            s->sleep.row ? s->generator->most_events : 0);
}

void tl_mate_close_parts (tl_mate *m) {
  tl_worker_close (&m->worker);
  tl_deal_close (&m->deal);
  tl_outbox_close (&m->outbox);
  if (m->hand.generator)
    m->hand.generator->kind->report (m->hand.generator);
}

tl_status tl_mate_show (void *mate, const tl_visit *visit) {
  tl_mate *m = mate;
  const tl_visitor *v = m->crew->looks;
  if (v->skips (v->context, visit, m->room))
    return TL_OK;
  m->visit = visit;
  return tl_mate_meet (m);
}

tl_status tl_mate_fail (void *mate) {
  tl_mate *m = mate;
  m->failed = true;
  return tl_mate_meet (m);
}

// ---- States that are found -------------------------------------------------

static void log_state (tl_mate *m, uint64_t parent, uint32_t event) {
  bool *lost = &m->crew->lost;
  if (m->log && !__atomic_load_n (lost, __ATOMIC_RELAXED) &&
      tl_log_add (m->log, parent, event))
    __atomic_store_n (lost, true, __ATOMIC_RELAXED);
}

void tl_mate_note (tl_mate *m, uint64_t parent, const uint64_t *key,
                   uint32_t event) {
  m->found++;
  if (m->stream)
    tl_stream_add (m->stream, key, parent, event);
  log_state (m, parent, event);
}

tl_status tl_mate_found (tl_mate *m, uint64_t parent, const uint64_t *key,
                         uint32_t event) {
  const tl_status rc = tl_lane_push (&m->next, key, event);
  if (!rc)
    tl_mate_note (m, parent, key, event);
  return rc;
}

tl_status tl_mate_defer (tl_mate *m, uint32_t event) {
  const tl_worker *w = &m->worker;
  if (!TL_ROOM (&m->crew->search->engine, m->misfit, &m->misfit_room,
                m->misfits + 2 + w->key_words))
    return TL_E_NOMEM;
  uint64_t *at = m->misfit + m->misfits;
  at[0] = m->here;
  at[1] = event;
  tl_copy_words (at + 2, w->key, w->key_words);
  m->misfits += 2 + w->key_words;
  return TL_OK;
}

// ---- Room ------------------------------------------------------------------

void tl_crew_drop_logs (tl_crew *c) {
  tl_search_drop_log (c->search);
  for (unsigned i = 0; i < c->size; i++) {
    tl_mate *m = c->mate + i;
    if (m->log)
      c->search->spilled += tl_log_spilled (m->log);
    tl_log_close (m->log);
    m->log = 0;
  }
}

// Moves to the disk what can be there, or else gives up the logs.  False:
// nothing gave way.
static bool give_way (tl_crew *c) {
  tl_search *s = c->search;
  bool gave = s->log && tl_log_flush (s->log);
  for (unsigned i = 0; i < c->size; i++) {
    tl_mate *m = c->mate + i;
    gave |= m->log && tl_log_flush (m->log);
    gave |= tl_lane_flush (&m->now);
    gave |= tl_lane_flush (&m->next);
  }
  gave |= c->later.words && tl_lane_flush (&c->later);
  if (gave || !s->log)
    return gave;
  tl_crew_drop_logs (c);
  return true;
}

void tl_crew_make_room (tl_crew *c) {
  tl_search *s = c->search;
  if (give_way (c))
    return;
  if (c->patient)
    c->patient = false;
  else if (!tl_choose_should_save (s) || tl_choose_leaner (s))
    c->rc = TL_E_NOMEM;
  c->shards = (tl_shards *)s->store;
}

tl_status tl_crew_relieve (tl_crew *c) {
  tl_crew_make_room (c);
  return c->rc;
}

// ---- Traces ----------------------------------------------------------------

tl_status tl_mate_step_back (tl_mate *m, uint64_t *state, uint32_t *event) {
  const uint64_t number = *state & tl_low_bits (TL_MATE_BIT);
  return m->log ? tl_log_find (m->log, number, state, event) : TL_E_LIMIT;
}

// A step further back, of a state that was found by several threads.
static tl_status step_back (tl_crew *c, uint64_t *state, uint32_t *event) {
  return c->post ? tl_crew_step_back (c, state, event)
                 : tl_mate_step_back (c->mate + (*state >> TL_MATE_BIT) - 1,
                                      state, event);
}

// Of several ranks all go that way: one that cannot ends the run.
static tl_status extend_back (const tl_crew *c, tl_trace *back,
                              uint32_t event) {
  if (tl_trace_extend (back, event))
    return TL_OK;
  if (c->post)
    c->post->cluster->abandon (c->post->cluster, 3, "no memory for a trace");
  return TL_E_NOMEM;
}

static tl_status append_back (tl_trace *trace, const tl_trace *back) {
  for (uint64_t i = back->length; i-- > 0;)
    if (!tl_trace_extend (trace, back->transition[i])) {
      tl_trace_close (trace);
      return TL_E_NOMEM;
    }
  return TL_OK;
}

tl_status tl_crew_trace (tl_search *s, tl_trace *trace) {
  tl_crew *c = s->order_context;
  tl_trace back = {0};
  uint64_t state = c->asked;
  for (unsigned i = 0; i < c->size; i++)
    if (c->mate[i].log)
      tl_log_look_again (c->mate[i].log);
  tl_status rc = s->log && !c->lost ? TL_OK : TL_E_LIMIT;
  if (!rc && s->generator->kind->catch_up)
    rc = s->generator->kind->catch_up (s->generator);
  while (!rc && state >> TL_MATE_BIT) {
    uint32_t event = 0;
    if (!(rc = step_back (c, &state, &event)))
      rc = extend_back (c, &back, event);
  }
  if (rc == TL_E_IO) { // the disk failed; the states are all there
    tl_crew_drop_logs (c);
    rc = TL_E_LIMIT;
  }
  if (!rc)
    rc = tl_search_log_trace (s, state, trace);
  if (!rc)
    rc = append_back (trace, &back);
  tl_trace_close (&back);
  return rc;
}
