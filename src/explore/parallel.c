#include "explore/parallel.h"

#include "base/tuning.h"
#include "explore/choose.h"
#include "explore/on_device.h"
#include "explore/parallel_parts.h"
#include "explore/together.h"

// ---- Meetings --------------------------------------------------------------

// What one thread wants the visitor to do.
static tl_status run_errand (tl_mate *m) {
  tl_crew *c = m->crew;
  tl_search *s = c->search;
  const tl_visitor *v = s->visitor;
  tl_status rc = TL_OK;
  c->asked = m->here;
  if (m->failed) {
    s->fault = *m->worker.generator->fault;
    rc = tl_search_failed (s);
  } else if (m->visit)
    rc = c->post ? tl_crew_note_shown (c, m)
                 : tl_search_heed (s, v->visit (v->context, m->visit));
  else if (m->turns)
    rc = tl_search_heed (s, v->turn (v->context, s));
  m->visit = 0;
  m->turns = false;
  return rc;
}

// All wait, and the lock is held.
static void hold_meeting (tl_crew *c) {
  if (!c->rc && c->crowded)
    tl_crew_make_room (c);
  c->crowded = false;
  for (unsigned i = 0; !c->rc && i < c->size; i++)
    c->rc = run_errand (c->mate + i);
  c->waiting = 0;
  c->meetings++;
  __atomic_store_n (&c->halt, c->rc ? TL_STOP : 0, __ATOMIC_RELAXED);
  pthread_cond_broadcast (&c->met);
}

static tl_status meet (tl_crew *c, bool crowded) {
  tl_lock_soon (&c->lock);
  c->crowded |= crowded;
  const uint64_t before = c->meetings;
  __atomic_fetch_or (&c->halt, TL_MEET, __ATOMIC_RELAXED);
  if (++c->waiting == c->running)
    hold_meeting (c);
  while (c->meetings == before)
    pthread_cond_wait (&c->met, &c->lock);
  const tl_status rc = c->rc;
  pthread_mutex_unlock (&c->lock);
  return rc;
}

tl_status tl_mate_meet (tl_mate *m) {
  return meet (m->crew, false);
}

tl_status tl_mate_crowded (tl_mate *m) {
  return meet (m->crew, true);
}

// Work is over for this thread; where something went wrong, for all.
static void leave (tl_crew *c, tl_status rc) {
  tl_lock_soon (&c->lock);
  if (rc && !c->rc)
    c->rc = rc;
  if (c->rc)
    __atomic_fetch_or (&c->halt, TL_STOP, __ATOMIC_RELAXED);
  c->running--;
  if (c->waiting && c->waiting == c->running)
    hold_meeting (c);
  pthread_mutex_unlock (&c->lock);
}

// ---- A round ---------------------------------------------------------------

static tl_status put_round (tl_mate *m, bool all) {
  tl_crew *c = m->crew;
  const tl_worker *w = &m->worker;
  const uint32_t first = m->who * m->deal.shards / c->size;
  tl_shards *shards = 0;
  tl_deal_begin (&m->deal, w->gathered);
  for (;;) {
    if (shards != c->shards) { // the first time, or there is another store
      shards = c->shards;
      tl_deal_sort (&m->deal, &c->shards, w->keys, w->events, w->gathered,
                    first);
    }
    tl_status rc = all ? tl_deal_put (&m->deal, c->patient)
                       : tl_deal_put_free (&m->deal, c->patient, TL_ROUND_LEFT);
    if (rc != TL_E_NOMEM || (rc = meet (c, true)))
      return rc;
  }
}

static tl_status found (tl_mate *m, uint64_t parent, size_t i) {
  const tl_worker *w = &m->worker;
  const uint64_t *key = w->keys + i * w->key_words;
  tl_status rc;
  while ((rc = tl_mate_found (m, parent, key, w->events[i])) == TL_E_NOMEM)
    if (meet (m->crew, true))
      return rc;
  return rc;
}

// A successor that waits moves to the beginning: it is in the next round.
static void keep (tl_mate *m, size_t from, size_t to) {
  tl_worker *w = &m->worker;
  tl_copy_words (w->keys + to * w->key_words, w->keys + from * w->key_words,
                 w->key_words);
  w->events[to] = w->events[from];
  m->parent[to] = m->parent[from];
}

// Notes those that are new.
static tl_status take_new (tl_mate *m) {
  const uint32_t *list;
  const size_t count = tl_deal_marked (&m->deal, m->worker.gathered, &list);
  tl_status rc = TL_OK;
  size_t waiting = 0;
  for (size_t k = 0; !rc && k < count; k++)
    if (m->deal.isnew[list[k]] == TL_DEAL_NEW)
      rc = found (m, m->parent[list[k]], list[k]);
    else
      keep (m, list[k], waiting++);
  m->worker.gathered = m->known = waiting;
  m->own = m->crew->post ? waiting : 0;
  return rc;
}

// Where there are checkpoints all end the block they are at, and nothing of
// that is lost.
static tl_status look_at_budgets (tl_crew *c) {
  tl_search *s = c->search;
  const tl_status rc = tl_search_poll (s);
  if (!s->saving || (rc && s->stop == TL_STOP_DONE))
    return rc;
  if (!rc && !tl_saving_is_due (s->saving))
    return TL_OK;
  __atomic_store_n (&c->pause, true, __ATOMIC_RELAXED);
  if (c->post && !c->told_to_pause)
    tl_post_stop (c->post, TL_POST_PAUSE); // whom it does not reach goes on
  c->told_to_pause = true;
  return TL_OK;
}

// States that wait, as far as can be told while others are at work: by the
// blocks of the level that somebody has taken.
static uint64_t waiting (const tl_crew *c) {
  const size_t taken = __atomic_load_n (&c->taken, __ATOMIC_RELAXED);
  const double left = taken < c->tickets
                          ? (double)(c->tickets - taken) / (double)c->tickets
                          : 0;
  return tl_search_seen (c->search) - c->seen +
         (uint64_t)(left * (double)c->width);
}

// The thread that began the search looks at the budgets for all.
static tl_status look_up (tl_mate *m) {
  tl_crew *c = m->crew;
  tl_search *s = c->search;
  const uint64_t arcs = m->worker.census.arcs;
  __atomic_fetch_add (&c->arcs, arcs - m->told, __ATOMIC_RELAXED);
  m->told = arcs;
  if (m->who)
    return TL_OK;
  s->queued = waiting (c);
  const tl_visitor *v = s->visitor;
  m->turns = !c->post && v && v->is_due && v->is_due (v->context, s);
  const tl_status rc = m->turns ? meet (c, false) : TL_OK;
  return rc ? rc : look_at_budgets (c);
}

// The parent of those gathered since the last time.
static void note_parent (tl_mate *m) {
  for (; m->known < m->worker.gathered; m->known++)
    m->parent[m->known] = m->here;
}

tl_status tl_mate_put (tl_mate *m, bool all) {
  const tl_status rc = put_round (m, all);
  tl_shards_add (m->crew->shards, m->deal.added);
  return rc ? rc : take_new (m);
}

// With several ranks what belongs to others is sent there, and what is left
// waits for what comes from them.
static tl_status flush (tl_mate *m, bool all) {
  const tl_crew *c = m->crew;
  tl_status rc = c->post ? tl_mate_send (m) : tl_mate_put (m, all);
  if (!rc)
    rc = look_up (m);
  return rc || !c->post ? rc : tl_mate_exchange (m);
}

// ---- A level ---------------------------------------------------------------

static tl_status put_hook (void *mate) {
  note_parent (mate);
  return flush (mate, false);
}

static tl_status widen_hook (void *mate, uint32_t event) {
  const tl_mate *m = mate;
  return m->worker.generator->fault->failed ? tl_mate_fail (mate)
                                            : tl_mate_defer (mate, event);
}

static const tl_worker_hooks hooks = {
    .put = put_hook, .widen = widen_hook, .defers = true};

static tl_status expand_next (tl_mate *m) {
  const tl_crew *c = m->crew;
  tl_worker *w = &m->worker;
  m->here = m->reader.number;
  const uint32_t by = tl_lane_next (&m->reader, w->key);
  const uint64_t dead = w->census.deadlocks;
  tl_worker_load (w);
  tl_status rc = tl_worker_visit (w);
  if (rc)
    return rc;
  m->visited++;
  if (w->census.deadlocks > dead && !m->dead)
    m->dead = m->here + 1;
  if (c->prunes && by < c->search->generator->most_events)
    tl_worker_prune (w, by);
  rc = tl_worker_fire (w, w->enabled, w->count, &hooks, m);
  note_parent (m);
  return rc;
}

tl_status tl_mate_heed (const tl_mate *m) {
  tl_crew *c = m->crew;
  const unsigned halt = __atomic_load_n (&c->halt, __ATOMIC_RELAXED);
  return !halt ? TL_OK : halt & TL_STOP ? TL_E_CANCEL : meet (c, false);
}

// Expands the states that the reader has.
static tl_status expand_read (tl_mate *m) {
  enum { OFTEN = 256 }; // states between two looks at the clock
  const tl_crew *c = m->crew;
  tl_status rc = TL_OK;
  memset (m->worker.key, 0, m->worker.key_words * sizeof *m->worker.key);
  while (!rc && m->reader.number < m->reader.end) {
    if ((rc = tl_mate_heed (m)) || (rc = expand_next (m)))
      break;
    if (m->worker.gathered - m->own >= c->gather)
      rc = flush (m, false);
    else if (!(m->visited % OFTEN))
      rc = look_up (m);
  }
  return rc;
}

static tl_status expand_block (tl_mate *m, const tl_ticket *t) {
  tl_crew *c = m->crew;
  tl_status rc = tl_lane_read (&m->reader, t->lane, t->block);
  if (c->sharing.on)
    tl_crew_ask (c);
  if (!rc)
    rc = expand_read (m);
  return rc || !c->sharing.on ? rc : flush (m, false);
}

// Expands what other ranks give.
static tl_status expand_given (tl_mate *m) {
  tl_packet *block = 0;
  tl_status rc;
  while (!(rc = tl_mate_await (m, &block)) && block) {
    tl_mate_read_given (m, block);
    rc = expand_read (m);
    tl_post_give_back (m->crew->post, block);
    if (rc || (rc = flush (m, true)))
      break;
  }
  return rc;
}

static void work (void *crew, unsigned who) {
  tl_crew *c = crew;
  tl_mate *m = c->mate + who;
  tl_status rc = TL_OK;
  if (c->workers > 1 || c->post)
    tl_growing_help (&c->growing, c->shards);
  for (size_t i; !rc && (i = tl_crew_take_ticket (c)) < c->tickets;) {
    m->next.mark = i;
    rc = expand_block (m, c->ticket + i);
  }
  if (!rc)
    rc = flush (m, true);
  if (!rc && c->sharing.on)
    rc = expand_given (m);
  if (!rc && c->post)
    rc = tl_mate_attend (m);
  leave (c, rc);
}

static tl_status run_blocks (tl_crew *c) {
  c->patient = true;
  c->running = c->workers;
  c->pause = c->told_to_pause = false;
  if (c->post)
    tl_crew_begin_sharing (c);
  if (c->workers == 1)
    work (c, 0);
  else
    tl_threads_run (c->team, work, c);
  return c->rc;
}

// All blocks, with a pause where a checkpoint is to be made.
static tl_status run_level (tl_crew *c) {
  tl_search *s = c->search;
  tl_status rc = TL_OK;
  if (s->saving)
    tl_crew_save (c);
  do {
    rc = s->saving ? tl_search_poll (s) : TL_OK;
    if (!rc && !(rc = run_blocks (c)) && c->pause)
      tl_crew_save (c);
  } while (!rc && c->taken < c->tickets);
  return rc;
}

// ---- Between levels --------------------------------------------------------

// The way to the first dead state that somebody has met.
tl_status tl_crew_trace_deadlock (tl_crew *c) {
  tl_search *s = c->search;
  for (unsigned i = 0; i < c->size; i++) {
    tl_mate *m = c->mate + i;
    c->asked = m->dead - 1;
    if (m->dead && !s->result->deadlock.transition &&
        tl_search_trace (s, &s->result->deadlock) == TL_E_NOMEM)
      return TL_E_NOMEM;
  }
  return TL_OK;
}

static tl_status end_level (tl_crew *c) {
  tl_search *s = c->search;
  if (c->lost)
    tl_crew_drop_logs (c);
  tl_status rc = tl_crew_trace_deadlock (c);
  if (!rc)
    rc = tl_crew_widen (c);
  if (!rc && tl_choose_should_try (s))
    rc = tl_choose_try (s);
  c->shards = (tl_shards *)s->store;
  return rc || s->saving ? rc : tl_search_poll (s);
}

// A device makes the search anew.  TL_E_ARG: it does not, and the crew goes on.
static tl_status go_on_device (tl_crew *c) {
  for (unsigned i = 0; i < c->size; i++)
    tl_mate_close_parts (c->mate + i); // what was counted is the search's now
  tl_status rc = tl_on_device_run (c->search);
  for (unsigned i = 0; rc == TL_E_ARG && i < c->size; i++)
    if (tl_mate_open_parts (c->mate + i))
      rc = TL_E_NOMEM;
  return rc;
}

static tl_status run_levels (tl_crew *c, uint64_t width) {
  tl_search *s = c->search;
  tl_status rc = TL_OK;
  while (!rc && width) {
    if (!c->post && tl_on_device_pays (s) &&
        (rc = go_on_device (c)) != TL_E_ARG)
      return rc;
    rc = tl_crew_begin_level (c, width);
    if (rc && !c->post)
      return rc;
    if (c->post && s->saving)
      rc = tl_crew_run_saved (c, rc, run_blocks);
    else if (!rc)
      rc = run_level (c);
    const tl_status ended = c->post ? tl_crew_end_together (c, rc)
                            : rc    ? tl_crew_trace_deadlock (c)
                                    : end_level (c);
    if (c->post)
      rc = ended;
    if (rc || (rc = ended))
      break;
    width = tl_crew_turn (c);
    if (c->post)
      c->post->cluster->add_up (c->post->cluster, &width, 1);
    if (width) {
      tl_levels_add (&s->levels, width, tl_search_seen (s));
      s->depth++;
    }
  }
  return rc;
}

// ---- The crew --------------------------------------------------------------

static size_t room_words (const tl_search *s) {
  return s->visitor ? s->visitor->skips_room : 0;
}

static tl_status open_mate (tl_mate *m, tl_crew *c, unsigned who) {
  tl_search *s = c->search;
  *m = (tl_mate){.crew = c,
                 .who = who,
                 .packer = TL_PACKER (&s->engine),
                 .reader = TL_LANE_READER (&s->engine)};
  if (who && s->generator->kind->beside && tl_hand_open (&m->hand, s))
    return TL_E_NOMEM;
  if (s->log && tl_log_open (&m->log, &s->trace, &m->packer))
    return TL_E_NOMEM;
  if (m->log)
    tl_log_share (m->log, c->size);
  if (s->saving)
    m->stream = tl_saving_stream (s->saving, s);
  if (!TL_NEW (&s->engine, m->parent, c->room) ||
      !TL_NEW (&s->engine, m->room, room_words (s)))
    return TL_E_NOMEM;
  return tl_mate_open_parts (m);
}

static void close_mate (tl_mate *m) {
  tl_search *s = m->crew->search;
  if (m->log)
    s->spilled += tl_log_spilled (m->log);
  s->spilled += m->now.blocks.written + m->next.blocks.written;
  tl_log_close (m->log);
  tl_mate_close_parts (m);
  tl_hand_close (&m->hand);
  tl_lane_close (&m->now);
  tl_lane_close (&m->next);
  tl_lane_reader_close (&m->reader);
  tl_packer_close (&m->packer);
  TL_DEL (&s->engine, m->parent, m->crew->room);
  TL_DEL (&s->engine, m->room, room_words (s));
  TL_DEL (&s->engine, m->misfit, m->misfit_room);
}

static void share_accounts (tl_search *s, bool shared) {
  if (s->saving)
    tl_saving_share (s->saving, shared);
  tl_mem *const account[] = {&s->engine, &s->states, &s->queue, &s->trace};
  for (size_t i = 0; i < sizeof account / sizeof *account; i++)
    tl_mem_share (account[i], shared);
}

static void close_crew (tl_crew *c) {
  tl_mem *mem = &c->search->engine;
  tl_threads_close (c->team);
  share_accounts (c->search, false);
  for (unsigned i = 0; c->mate && i < c->size; i++)
    if (c->mate[i].crew)
      close_mate (c->mate + i);
  if (c->search->generator->kind->unshare)
    c->search->generator->kind->unshare (c->search->generator);
  if (c->later.words) {
    c->search->spilled += c->later.blocks.written;
    tl_lane_close (&c->later);
  }
  TL_DEL (mem, c->mate, c->size);
  TL_DEL (mem, c->ticket, c->ticket_room);
  tl_growing_close (&c->growing);
  tl_crew_close_post (c);
  pthread_mutex_destroy (&c->lock);
  pthread_cond_destroy (&c->met);
}

static tl_status open_crew (tl_crew *c, tl_search *s) {
  *c = (tl_crew){.search = s, .size = 1, .room = tl_crew_room (s)};
  pthread_mutex_init (&c->lock, 0);
  pthread_cond_init (&c->met, 0);
  share_accounts (s, true);
  const unsigned wanted = tl_parallel_threads (s);
  if (wanted < (s->cluster ? 1 : 2))
    return TL_E_NOMEM;
  const uint64_t threads = s->cluster ? s->all_threads : wanted;
  tl_status rc =
      tl_choose_shards (s, tl_crew_shard_bits (s, threads), &c->before);
  if (rc)
    return rc;
  c->shards = (tl_shards *)s->store;
  if ((rc = tl_growing_open (&c->growing, &s->engine, c->shards)))
    return rc;
  c->prunes = s->sleep.row || s->prunes_events;
  c->looks = s->cluster ? &s->watch : s->visitor;
  if ((rc = tl_threads_open (&c->team, &s->engine, wanted)))
    return rc;
  if (s->cluster && (rc = tl_crew_open_post (c)))
    return rc;
  const unsigned size = tl_threads_size (c->team);
  if (!TL_NEW (&s->engine, c->mate, size))
    return TL_E_NOMEM;
  c->size = c->holders = c->workers = size;
  const tl_model_kind *kind = s->generator->kind;
  if (kind->share && kind->share (s->generator, size))
    return TL_E_NOMEM;
  for (unsigned i = 0; !rc && i < c->size; i++)
    rc = open_mate (c->mate + i, c, i);
  return rc;
}

static void tell_progress (const tl_search *s, tl_progress *progress) {
  const tl_crew *c = s->order_context;
  progress->arcs += __atomic_load_n (&c->arcs, __ATOMIC_RELAXED);
}

// How even the work was: what a thread did on an average, as a share of what
// the busiest did.
static void tell (const tl_crew *c) {
  tl_exploration *r = c->search->result;
  uint64_t sum = 0, most = 0;
  for (unsigned i = 0; i < c->size; i++) {
    const uint64_t visited = c->mate[i].visited;
    sum += visited;
    most = visited > most ? visited : most;
  }
  r->threads = c->size;
  r->balance = most ? (double)sum / (double)most / c->size : 1;
  c->search->visits = sum;
}

// Without threads the search has the store that it had.
static void keep_one_store (tl_crew *c, bool shards) {
  tl_search *s = c->search;
  if (!c->before)
    return;
  tl_store *gone = shards ? c->before : s->store;
  s->store = shards ? s->store : c->before;
  gone->kind->close (gone);
  c->before = 0;
}

tl_status tl_parallel_run (tl_search *s, const tl_handover *waiting) {
  tl_crew c;
  void *const order = s->order_context;
  tl_status rc = open_crew (&c, s);
  if (s->cluster)
    rc = tl_together_agree (s, rc);
  const bool open = !rc && (s->cluster || c.size > 1);
  if (open) {
    s->flush = 0;
    s->trace_here = s->cluster ? tl_crew_trace_together : tl_crew_trace;
    s->order_context = &c;
    s->tell_progress = tell_progress;
    const bool resumes = s->cluster && tl_saving_resumes (s->saving);
    uint64_t width = waiting->count;
    c.before_all = waiting->first + width;
    rc = resumes ? TL_OK : tl_crew_take_over (&c, waiting);
    keep_one_store (&c, true);
    if (s->cluster)
      rc = tl_crew_begin_together (&c, rc);
    if (!rc && resumes)
      rc = tl_crew_restore (&c, &width);
    if (!rc)
      rc = run_levels (&c, width);
    if (s->cluster && s->saving)
      tl_crew_end_saving (&c, rc);
    if (!s->on_device)
      tell (&c);
    s->tell_progress = 0;
    s->order_context = order;
  }
  if (!open)
    s->one_thread =
        rc ? "there was no memory for more" : "the system gave no more";
  keep_one_store (&c, false);
  close_crew (&c);
  s->spec.owner_bits = s->owner_bits = 0;
  s->spec.parts = s->spec.part = 0;
  if (open && s->cluster)
    tl_together_add_up (s);
  return open ? rc : s->cluster ? TL_E_NOMEM : TL_E_ARG;
}
