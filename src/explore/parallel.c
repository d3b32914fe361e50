#include "explore/parallel.h"

#include "base/tuning.h"
#include "explore/ahead.h"
#include "explore/choose.h"
#include "explore/how.h"
#include "explore/on_device.h"
#include "explore/parallel_parts.h"
#include "explore/together.h"
#include "store/kinds.h"

#include <stdlib.h>

// ---- Who may ---------------------------------------------------------------

void tl_parallel_plan (tl_search *s) {
  const uint64_t from = s->options->parallel_from;
  s->parallel_from = from ? from : TL_PARALLEL_FROM;
  const uint64_t narrow = (uint64_t)TL_PARALLEL_NARROW * s->how->threads;
  s->parallel_narrow = from && from < narrow ? from : narrow;
}

const char *tl_parallel_refusal (const tl_search *s) {
  return s->spec.numbered ? "graphs are built by one"
         : s->visitor && s->visitor->visit && !s->visitor->skips
             ? "who looks at the states has one"
         : s->for_property ? "stubborn sets for a property have one"
         : s->result->unbounded.transition  ? "an unbounded net has one"
         : s->capacities.count              ? "capacities are watched by one"
         : s->store_kind == &tl_store_delta ? "the store delta has one"
                                            : 0;
}

const char *tl_parallel_why (const tl_search *s) {
  const bool several = s->options->threads > 1 && s->result->threads == 1,
             in_turn = s->spec.numbered || s->how->order == &tl_order_sweep;
  const char *why = in_turn ? tl_ahead_refusal (s) : tl_parallel_refusal (s);
  return !several                         ? 0
         : s->how->order == &tl_order_dfs ? "depth-first search has one"
         : why                            ? why
         : s->one_thread                  ? s->one_thread
         : tl_search_seen (s) < s->parallel_from
             ? "so few states are found sooner by one"
             : "so few states at a time are found sooner by one";
}

// Successors that are put at once where there are several ranks.  Where there
// is little memory they are as many as with one.
static size_t window_of (const tl_search *s) {
  enum { PART = 64, FIELDS = 8 };
  const size_t bytes =
      (size_t)TL_POST_WINDOW * 8 * (3 * s->code.key_words + FIELDS);
  return !s->root->limit || s->root->limit / PART > bytes ? TL_POST_WINDOW
                                                          : TL_ROUND;
}

// Successors that a thread gathers at most: a round, and what waits to be put.
static size_t room_of (const tl_search *s) {
  return TL_ROUND + TL_ROUND_LEFT + (s->cluster ? window_of (s) : 0);
}

// Bytes that a thread takes for itself.
static size_t mate_bytes (const tl_search *s) {
  const tl_generator *g = s->generator;
  const size_t round = room_of (s) * (3 * s->code.key_words + 4) * 8,
               known = g->kind->beside ? 3 * g->kind->known (g) : 0;
  return round + known + (2 << 20) + (size_t)s->net->transitions * 64;
}

// Threads for which there is memory.
static unsigned crew_size (const tl_search *s) {
  const unsigned wanted = s->how->threads;
  if (!s->root->limit)
    return wanted;
  const size_t used = tl_mem_used (s->root),
               left = s->root->limit > used ? s->root->limit - used : 0,
               most = left / 4 / mate_bytes (s);
  return most < wanted ? (unsigned)most : wanted;
}

unsigned tl_parallel_threads (const tl_search *s) {
  return crew_size (s);
}

// This level is wide, and levels were on an average: shards are not for one
// thread, which would expand most of the states.
bool tl_parallel_pays (const tl_search *s, uint64_t width) {
  if (s->cluster)
    return s->store->count >= s->parallel_from && !tl_parallel_refusal (s) &&
           s->code.key_bits > 1;
  return s->how->threads > 1 && !s->one_thread && width >= s->parallel_narrow &&
         s->store->count / (s->depth + 1) >= s->parallel_narrow &&
         s->store->count >= s->parallel_from && !tl_parallel_refusal (s) &&
         s->code.key_bits > 1;
}

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

// The thread that began the search looks at the budgets for all.
static tl_status look_up (tl_mate *m) {
  tl_crew *c = m->crew;
  tl_search *s = c->search;
  const uint64_t arcs = m->worker.census.arcs;
  __atomic_fetch_add (&c->arcs, arcs - m->told, __ATOMIC_RELAXED);
  m->told = arcs;
  if (m->who)
    return TL_OK;
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

static tl_status expand_block (tl_mate *m, const tl_ticket *t) {
  enum { OFTEN = 256 }; // states between two looks at the clock
  tl_crew *c = m->crew;
  tl_status rc = tl_lane_read (&m->reader, t->lane, t->block);
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

static size_t take_ticket (tl_crew *c) {
  return __atomic_load_n (&c->pause, __ATOMIC_RELAXED)
             ? c->tickets
             : __atomic_fetch_add (&c->taken, 1, __ATOMIC_RELAXED);
}

static void work (void *crew, unsigned who) {
  tl_crew *c = crew;
  tl_mate *m = c->mate + who;
  tl_status rc = TL_OK;
  if (c->workers > 1 || c->post)
    tl_growing_help (&c->growing, c->shards);
  for (size_t i; !rc && (i = take_ticket (c)) < c->tickets;) {
    m->next.mark = i;
    rc = expand_block (m, c->ticket + i);
  }
  if (!rc)
    rc = flush (m, true);
  if (!rc && c->post)
    rc = tl_mate_attend (m);
  leave (c, rc);
}

static tl_status run_blocks (tl_crew *c) {
  c->patient = true;
  c->running = c->workers;
  c->pause = c->told_to_pause = false;
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

static tl_status add_tickets (tl_crew *c, const tl_lane *l) {
  const uint64_t blocks = tl_lane_blocks (l);
  if (!TL_ROOM (&c->search->engine, c->ticket, &c->ticket_room,
                c->tickets + blocks))
    return TL_E_NOMEM;
  for (uint64_t i = 0; i < blocks; i++)
    c->ticket[c->tickets++] = (tl_ticket){l, i};
  return TL_OK;
}

// Successors of a round: fewer where only so many states are wanted.
static size_t choose_gather (const tl_crew *c) {
  const tl_search *s = c->search;
  const uint64_t most = s->options->max_states, seen = tl_search_seen (s),
                 left = most > seen ? (most - seen) / c->size : 0;
  return !most || left >= TL_ROUND ? TL_ROUND
         : left < TL_LANE_LEAST    ? TL_LANE_LEAST
                                   : (size_t)left;
}

// Successors of a packet: some packets of each rank make a window, so that what
// is put at once was found at the same time.
static size_t packet_of (const tl_crew *c) {
  enum { PACKETS = 4 };
  const size_t part = c->window / PACKETS / c->post->cluster->ranks,
               most = c->gather / 2, least = c->gather / 32;
  return part > most ? most : part < least ? least : part;
}

// Those that have to do with this level.  Of many narrow levels each should
// take no longer than with one thread.
static unsigned concerned (const tl_crew *c) {
  return c->holders > c->workers ? c->holders : c->workers;
}

// What of so many states is this rank's.
static uint64_t part_of (const tl_crew *c, uint64_t states) {
  return c->post ? states / c->post->cluster->ranks : states;
}

uint64_t tl_crew_first_number (const tl_crew *c, unsigned who) {
  const uint64_t before = c->post ? c->first_mate[c->post->cluster->rank] : 0;
  return (before + who + 1) << TL_MATE_BIT;
}

// Which block was begun first?  So the states of a level are expanded in the
// order of their parents, or nearly so, as by one thread.  Sleep sets prune
// more then: of two ways to a state, the one after which less is to be followed
// is mostly the first.
static int compare_tickets (const void *one, const void *other) {
  const tl_ticket *a = one, *b = other;
  const uint64_t from = tl_lane_mark (a->lane, a->block),
                 against = tl_lane_mark (b->lane, b->block);
  return from != against      ? (from > against) - (from < against)
         : a->lane != b->lane ? (a->lane->first > b->lane->first) -
                                    (a->lane->first < b->lane->first)
                              : (a->block > b->block) - (a->block < b->block);
}

// Shards grow that will be full soon, the last time by as much as it will take.
// While levels get wider nobody can tell.
static void choose_growing (tl_crew *c) {
  const tl_search *s = c->search;
  const uint64_t seen = tl_search_seen (s);
  const double all = tl_levels_estimate (&s->levels, seen, c->width);
  c->widest = c->width > c->widest ? c->width : c->widest;
  const bool told =
      all < (double)seen * 2 && c->width < c->widest - c->widest / 16;
  tl_shards_foresee (c->shards, told ? (uint64_t)all : 0);
  tl_growing_choose (&c->growing, c->shards, c->width,
                     told ? (uint64_t)all - seen : UINT64_MAX, c->workers);
}

// A few states are expanded sooner by one thread than by all.
static tl_status begin_level (tl_crew *c, uint64_t width) {
  const uint64_t part = part_of (c, width) / (c->size * TL_LANE_PARTS);
  tl_status rc = TL_OK;
  c->attending = 0;
  if (c->post)
    tl_post_begin (c->post);
  c->width = width;
  c->workers = part_of (c, width) < c->search->parallel_narrow ? 1 : c->size;
  c->gather = choose_gather (c);
  if (c->post) {
    c->window = window_of (c->search) / TL_ROUND * c->gather;
    c->post->most = packet_of (c);
  }
  if (c->workers > 1 || c->post)
    choose_growing (c);
  c->search->queued = width;
  c->tickets = c->taken = 0;
  for (unsigned i = 0; !rc && i < concerned (c); i++) {
    tl_mate *m = c->mate + i;
    if (!c->restored)
      tl_lane_begin (&m->next, tl_crew_first_number (c, i) + m->found + 1,
                     part < TL_LANE_LEAST ? TL_LANE_LEAST : (size_t)part);
    rc = add_tickets (c, &m->now);
    if (!rc && m->hand.generator) // there may be a program by now
      rc = m->hand.generator->kind->follow (m->hand.generator);
  }
  if (!rc && c->expands_later)
    rc = add_tickets (c, &c->later);
  if (!rc && c->tickets)
    qsort (c->ticket, c->tickets, sizeof *c->ticket, compare_tickets);
  return rc;
}

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

// The next level becomes this one; returns how wide it is.
static uint64_t turn (tl_crew *c) {
  uint64_t width = 0;
  for (unsigned i = 0; i < concerned (c); i++) {
    tl_mate *m = c->mate + i;
    const tl_lane lane = m->now;
    m->now = m->next;
    m->next = lane;
    width += m->now.count;
    if (i >= c->workers) // it may be long before it is used again
      tl_lane_begin (&m->next, 0, TL_LANE_LEAST);
  }
  c->holders = c->restored ? c->size : c->workers;
  c->restored = false;
  if (c->expands_later)
    tl_lane_close (&c->later);
  c->expands_later = c->later.count;
  return width + c->later.count;
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
    rc = begin_level (c, width);
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
    width = turn (c);
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

// Shards for so many threads, as a power of two; fewer than there are keys.
static unsigned shard_bits (const tl_search *s, uint64_t threads) {
  enum { RANKS_BITS = 15 }; // of all ranks
  const unsigned each = s->code.lengths ? TL_SHARDS_FEW : TL_SHARDS_EACH,
                 most = s->cluster ? RANKS_BITS : TL_SHARD_BITS;
  unsigned bits = 1;
  while (((uint64_t)1 << bits) < threads * each && bits < most &&
         bits + 1 < s->code.key_bits)
    bits++;
  return bits;
}

static tl_status open_crew (tl_crew *c, tl_search *s) {
  *c = (tl_crew){.search = s, .size = 1, .room = room_of (s)};
  pthread_mutex_init (&c->lock, 0);
  pthread_cond_init (&c->met, 0);
  share_accounts (s, true);
  const unsigned wanted = crew_size (s);
  if (wanted < (s->cluster ? 1 : 2))
    return TL_E_NOMEM;
  const uint64_t threads = s->cluster ? s->all_threads : wanted;
  tl_status rc = tl_choose_shards (s, shard_bits (s, threads), &c->before);
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

// Takes over states that wait, as many as that from the first on.
static tl_status take_some (tl_crew *c, const tl_handover *waiting,
                            tl_lane *lane, uint64_t first, uint64_t count) {
  tl_search *s = c->search;
  tl_status rc = TL_OK;
  uint64_t *key;
  if (!TL_NEW (&s->engine, key, s->code.key_words))
    return TL_E_NOMEM;
  const uint64_t part = count / (c->size * TL_LANE_PARTS);
  tl_lane_begin (lane, first,
                 part < TL_LANE_LEAST ? TL_LANE_LEAST : (size_t)part);
  for (uint64_t i = 0; !rc && i < count; i++) {
    uint32_t event;
    if ((rc = waiting->next (waiting->context, c->before, key, &event)))
      break;
    if (event > s->generator->most_events)
      event = s->generator->most_events;
    while ((rc = tl_lane_push (lane, key, event)) == TL_E_NOMEM &&
           !tl_crew_relieve (c))
      continue;
  }
  TL_DEL (&s->engine, key, s->code.key_words);
  return rc;
}

// Of several ranks each takes its part of the level.
static tl_status take_part (tl_crew *c, const tl_handover *waiting) {
  tl_search *s = c->search;
  const tl_cluster *all = s->cluster;
  const uint64_t count = waiting->count, from = count * all->rank / all->ranks,
                 to = count * (all->rank + 1) / all->ranks;
  tl_status rc = TL_OK;
  uint64_t *key;
  if (!TL_NEW (&s->engine, key, s->code.key_words))
    return TL_E_NOMEM;
  for (uint64_t i = 0; !rc && i < from; i++) {
    uint32_t event;
    rc = waiting->next (waiting->context, c->before, key, &event);
  }
  TL_DEL (&s->engine, key, s->code.key_words);
  return rc ? rc
            : take_some (c, waiting, &c->mate->now, waiting->first + from,
                         to - from);
}

static tl_status take_over (tl_crew *c, const tl_handover *waiting) {
  const uint64_t first = waiting->first, count = waiting->count;
  if (c->post)
    return take_part (c, waiting);
  const tl_status rc = take_some (c, waiting, &c->mate->now, first, count);
  if (rc || !waiting->later)
    return rc;
  tl_mate_open_lane (c->mate, &c->later);
  return take_some (c, waiting, &c->later, first + count, waiting->later);
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
    s->trace_here = tl_crew_trace;
    s->order_context = &c;
    s->tell_progress = tell_progress;
    const bool resumes = s->cluster && tl_saving_resumes (s->saving);
    uint64_t width = waiting->count;
    c.before_all = waiting->first + width;
    rc = resumes ? TL_OK : take_over (&c, waiting);
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
