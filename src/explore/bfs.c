// Breadth-first search.  States are expanded in the order in which they were
// found.  The successors of several states are gathered before they are put,
// so that the store has many memory accesses on the way at once.

#include "base/tuning.h"
#include "explore/ahead.h"
#include "explore/how.h"
#include "explore/least.h"
#include "explore/on_device.h"
#include "explore/parallel.h"
#include "explore/queue.h"
#include "explore/saving.h"
#include "explore/together.h"
#include "explore/worker.h"

typedef struct bfs {
  tl_search *search;
  // States found and not yet expanded.  A store that hands keys back by their
  // number is the queue itself; for the others the keys are kept.
  bool keeps_keys;
  tl_queue queue;
  uint64_t next;      // number of the next state to expand
  uint64_t reported;  // states all of whose successors were put
  uint64_t level_end; // number of the first state of the next level
  tl_stream *stream;  // of the journal; null: there are no checkpoints

  tl_worker worker;
  bool prunes; // by sleep sets
  tl_least least;
  uint8_t isnew[TL_BFS_ROOM];
  // Of the successors, where somebody wants to know; and for each state
  // expanded: successors gathered by then.
  uint64_t numbers[TL_BFS_ROOM];
  size_t ends[TL_BFS_ROOM];
  size_t expanded;

  // Where states are numbered, several threads expand those that are next.
  tl_ahead *ahead;
  bool no_ahead; // there was no memory for that
  bool taking;   // states that were expanded so: the one at hand is `reported`
} bfs;

static tl_status push (bfs *b, const uint64_t *key) {
  tl_status rc = TL_OK;
  while (b->keeps_keys && (rc = tl_queue_push (&b->queue, key)) == TL_E_NOMEM &&
         tl_search_give_way (b->search))
    continue;
  return rc;
}

static tl_status found (bfs *b, size_t i) {
  tl_search *s = b->search;
  const tl_worker *w = &b->worker;
  const uint64_t *key = w->keys + i * s->code.key_words;
  tl_search_log (s, b->reported, w->events[i]);
  if (b->stream)
    tl_stream_add (b->stream, key, b->reported, w->events[i]);
  return push (b, key);
}

// Of the same states those found by the least events; where there are few
// states the first way is good enough.  A store that is the queue has them in
// the order of the first ways.
static void take_least (bfs *b, size_t put) {
  const tl_search *s = b->search;
  const tl_worker *w = &b->worker;
  if (b->keeps_keys && s->sleep.row && s->store->count >= s->parallel_from)
    tl_least_choose (&b->least, &s->sleep, w->keys, s->code.key_words,
                     w->events, b->isnew, put);
}

// Puts what was gathered.  If memory runs out, what was put before is kept.
static tl_status put_all (bfs *b) {
  tl_search *s = b->search;
  tl_batch batch = {.count = b->worker.gathered,
                    .keys = b->worker.keys,
                    .events = b->worker.events,
                    .depth = s->depth + 1,
                    .isnew = b->isnew,
                    .numbers = s->spec.numbered ? b->numbers : 0};
  tl_status rc = tl_search_put (s, &batch);
  take_least (b, batch.done);
  size_t i = 0;
  for (size_t k = 0; k <= b->expanded; k++) {
    const size_t end = k < b->expanded ? b->ends[k] : batch.done;
    if (s->spec.numbered && !rc)
      rc = tl_search_arcs (s, b->reported, b->numbers + i, end - i,
                           k < b->expanded);
    const size_t put = end < batch.done ? end : batch.done;
    for (; (i = tl_next_marked (b->isnew, i, put)) < put; i++) {
      const tl_status pushed = found (b, i);
      rc = rc ? rc : pushed;
    }
    b->reported += k < b->expanded;
  }
  b->worker.gathered = b->expanded = 0;
  s->queued = s->store->count - b->next;
  return rc;
}

static tl_status put_gathered (bfs *b) {
  const tl_status rc = put_all (b);
  return rc ? rc : tl_search_poll (b->search);
}

// The successors of all states expanded are there: a checkpoint may be made.
static void mark (bfs *b) {
  tl_saving *v = b->search->saving;
  tl_saving_mark (v, b->search, (tl_censuses){0},
                  &(tl_saved_part){b->reported, b->level_end}, 1);
  if (tl_saving_is_due (v))
    tl_saving_write (v, b->search, (tl_censuses){0});
}

// Several ranks have checkpoints when they have met.
static bool is_saved (const tl_search *s) {
  return s->saving && !s->cluster;
}

static void open_queue (bfs *b) {
  tl_search *s = b->search;
  tl_queue_init (&b->queue, &s->queue, &s->packer, s->code.key_words,
                 s->code.key_bits);
}

static void close_queue (tl_search *s, tl_queue *queue) {
  s->spilled += queue->middle.written;
  tl_queue_close (queue);
}

// The layout was too small: moves the keys in the queue to the new one.
static tl_status move_queue (void *order, const tl_widening *m,
                             uint64_t *old_key) {
  bfs *b = order;
  tl_queue old = b->queue;
  open_queue (b);
  tl_status rc = TL_OK;
  while (!rc && old.count && !(rc = tl_queue_pop (&old, old_key))) {
    tl_widening_key (m, old_key, b->worker.key);
    rc = tl_queue_push (&b->queue, b->worker.key);
  }
  close_queue (b->search, &old);
  return rc;
}

static tl_status put_hook (void *order) {
  return put_gathered (order);
}

static tl_status widen (void *order, uint32_t transition) {
  bfs *b = order;
  // The log must know all states found before the way here can be told.
  const tl_status rc = put_gathered (b);
  return rc ? rc
            : tl_worker_widen (&b->worker, transition,
                               b->keeps_keys ? move_queue : 0, b);
}

static const tl_worker_hooks hooks = {.put = put_hook, .widen = widen};

// Who need not fire at the state being expanded?  That depends on what led to
// it, which the log knows.  Nothing led to the first.
static void prune (bfs *b) {
  tl_search *s = b->search;
  uint32_t by;
  if (!b->prunes || b->next == 1)
    return;
  b->prunes = s->log && !tl_log_follow (s->log, &by);
  if (b->prunes)
    tl_worker_prune (&b->worker, by);
}

// The key of the next state.
static inline tl_status take_next (bfs *b, const tl_store *store,
                                   uint64_t *key) {
  tl_status rc = TL_OK;
  if (b->keeps_keys)
    rc = tl_queue_pop (&b->queue, key);
  else
    store->get (store, b->next, key);
  b->next += !rc;
  return rc;
}

// Expands the state of the key at hand.
static tl_status expand (bfs *b) {
  tl_worker *w = &b->worker;
  tl_worker_load (w);
  tl_status rc = tl_worker_visit (w);
  if (rc)
    return rc;
  prune (b);
  rc = tl_worker_fire (w, w->enabled, w->count, &hooks, b);
  b->ends[b->expanded] = w->gathered;
  b->expanded += !rc;
  return rc;
}

static tl_status expand_next (bfs *b) {
  const tl_status rc = take_next (b, b->search->store, b->worker.key);
  return rc ? rc : expand (b);
}

static bool flush (tl_search *s) {
  bfs *b = s->order_context;
  return tl_queue_flush (&b->queue);
}

static tl_status trace_here (tl_search *s, tl_trace *trace) {
  const bfs *b = s->order_context;
  return tl_search_log_trace (s, b->taking ? b->reported : b->next - 1, trace);
}

static tl_status put_initial (bfs *b) {
  const uint64_t *key = b->worker.key;
  tl_status rc = tl_worker_begin (&b->worker);
  if (rc)
    return rc;
  tl_batch batch = {.count = 1, .keys = key, .isnew = b->isnew};
  rc = tl_search_put (b->search, &batch);
  if (!rc && is_saved (b->search) &&
      (b->stream = tl_saving_stream (b->search->saving, b->search)))
    tl_stream_add (b->stream, key, 0, b->search->net->transitions);
  return rc ? rc : push (b, key);
}

static tl_status push_waiting (void *order, const uint64_t *key) {
  return push (order, key);
}

// The end of a level.
static void begin_level (bfs *b) {
  tl_search *s = b->search;
  tl_levels_add (&s->levels, s->store->count - b->level_end, s->store->count);
  b->level_end = s->store->count;
  s->depth++;
}

// Goes on from a checkpoint.
static tl_status restore (bfs *b) {
  tl_search *s = b->search;
  tl_saved_part part;
  const tl_status rc = tl_saving_restore (
      s->saving, s, &b->stream, &(tl_restoring){b, push_waiting}, &part);
  b->next = b->reported = part.expanded;
  b->level_end = part.level;
  // The log is read behind the states that are expanded.
  for (uint64_t i = 1; !rc && b->prunes && i < b->next; i++) {
    uint32_t by;
    b->prunes = s->log && !tl_log_follow (s->log, &by);
  }
  if (!rc && b->next == b->level_end && b->next < s->store->count)
    begin_level (b);
  return rc;
}

// ---- Several threads -------------------------------------------------------

static tl_status next_waiting (void *order, const tl_store *store,
                               uint64_t *key, uint32_t *event) {
  bfs *b = order;
  tl_search *s = b->search;
  *event = TL_NO_EVENT;
  if (b->next && b->prunes)
    b->prunes = s->log && !tl_log_follow (s->log, event);
  return take_next (b, store, key);
}

static tl_status open_worker (bfs *b) {
  tl_search *s = b->search;
  return tl_worker_open (&b->worker, s,
                         &(tl_worker_plan){.mem = &s->engine,
                                           .room = TL_BFS_ROOM,
                                           .visits = true,
                                           .lists = true,
                                           .events = true});
}

// Somebody else was to go on, and did not if that is TL_E_ARG: this one does.
static tl_status go_on (bfs *b, tl_status rc) {
  return rc == TL_E_ARG && open_worker (b) ? TL_E_NOMEM : rc;
}

// Several threads go on.  TL_E_ARG: there are none, and this one does.
static tl_status hand_over (bfs *b) {
  tl_search *s = b->search;
  const tl_handover waiting = {.context = b,
                               .first = b->next,
                               .count = b->level_end - b->next,
                               .later = s->store->count - b->level_end,
                               .next = next_waiting};
  tl_worker_close (&b->worker);
  tl_status rc = s->cluster ? tl_together_meet (s, true, TL_OK) : TL_OK;
  if (!rc)
    rc = tl_parallel_run (s, &waiting);
  return go_on (b, rc);
}

// A device makes the search anew.  TL_E_ARG: it does not, and this goes on.
static tl_status go_on_device (bfs *b) {
  tl_worker_close (&b->worker);
  return go_on (b, tl_on_device_run (b->search));
}

// ---- States that are numbered ----------------------------------------------

static tl_status show (bfs *b, uint64_t state) {
  tl_search *s = b->search;
  tl_worker *w = &b->worker;
  s->store->get (s->store, state, w->key);
  tl_worker_load (w);
  const tl_visit visit = tl_worker_shown (w);
  return tl_search_heed (s, s->visitor->visit (s->visitor->context, &visit));
}

static tl_status ahead_take (void *order, const tl_chunk *c) {
  bfs *b = order;
  tl_search *s = b->search;
  tl_status rc = TL_OK;
  for (uint32_t k = 0; !rc && k < c->done; k++) {
    rc = tl_worker_adopt (&b->worker, c->arcs[k], c->followed[k]);
    if (!rc && c->shows[k])
      rc = show (b, b->reported);
    b->reported++;
  }
  s->queued = s->store->count - b->reported;
  return rc;
}

static void log_found (tl_search *s, const tl_chunk *c) {
  uint32_t k = 0;
  for (size_t i = 0; i < c->found; i++) {
    while (c->end[k] <= c->which[i])
      k++;
    tl_search_log (s, c->first + k, c->events[i]);
  }
}

static tl_visit_verdict ahead_tell (void *order, const tl_chunk *c) {
  const bfs *b = order;
  tl_search *s = b->search;
  const tl_visitor *v = s->visitor;
  tl_visit_verdict verdict = TL_VISIT_CONTINUE;
  size_t from = 0;
  log_found (s, c);
  for (uint32_t k = 0; !c->told && verdict == TL_VISIT_CONTINUE && k < c->done;
       k++) {
    verdict = v->arcs (v->context, c->first + k, c->numbers + from,
                       c->end[k] - from, true);
    from = c->end[k];
  }
  return verdict;
}

// Has several threads go on with this level, if that pays.
static tl_status go_ahead (bfs *b) {
  tl_search *s = b->search;
  if (!s->spec.numbered || b->no_ahead ||
      !tl_ahead_pays (s, b->level_end - b->next))
    return TL_OK;
  const tl_ahead_plan plan = {
      .order = b, .take = ahead_take, .tell = ahead_tell};
  if (!b->ahead && tl_ahead_open (&b->ahead, s, &plan)) {
    b->no_ahead = true;
    return TL_OK;
  }
  b->taking = true;
  const tl_status rc = tl_ahead_run (b->ahead, &b->next, b->level_end);
  b->taking = false;
  b->no_ahead = rc == TL_E_ARG;
  return b->no_ahead ? TL_OK : rc;
}

// Goes on by itself until successors have been put.
static tl_status go_alone (bfs *b) {
  tl_search *s = b->search;
  tl_status rc = TL_OK;
  while (!rc && b->next < b->level_end && b->worker.gathered < TL_BFS_GATHER &&
         b->expanded < TL_BFS_ROOM)
    rc = expand_next (b);
  if (!rc)
    rc = put_all (b);
  if (!rc && is_saved (s))
    mark (b);
  return rc ? rc : tl_search_poll (s);
}

static tl_status run (bfs *b) {
  tl_search *s = b->search;
  tl_status rc = open_worker (b);
  if (!rc)
    rc = is_saved (s) && tl_saving_resumes (s->saving) ? restore (b)
                                                       : put_initial (b);
  while (!rc && b->next < b->level_end) {
    if (tl_on_device_pays (s) && (rc = go_on_device (b)) != TL_E_ARG)
      return rc;
    if (tl_parallel_pays (s, b->level_end - b->next) &&
        (rc = hand_over (b)) != TL_E_ARG)
      return rc;
    rc = TL_OK;
    while (!rc && b->next < b->level_end) {
      rc = go_ahead (b);
      if (!rc && b->next < b->level_end)
        rc = go_alone (b);
    }
    if (!rc && b->next < s->store->count)
      begin_level (b);
  }
  return rc;
}

// A device that gave up may have left wider keys behind.
static tl_status run_here (bfs *b) {
  tl_search *s = b->search;
  b->keeps_keys = !s->store->get;
  open_queue (b);
  s->levels = (tl_levels){0};
  s->trace_here = trace_here;
  s->flush = flush;
  const tl_status rc = run (b);
  s->flush = 0;
  tl_ahead_close (b->ahead);
  close_queue (s, &b->queue);
  return rc;
}

static tl_status bfs_run (tl_search *s) {
  bfs *b;
  if (!TL_NEW (&s->engine, b, 1))
    return TL_E_NOMEM;
  b->search = s;
  b->level_end = 1;
  tl_search_open_sleep (s, 0);
  b->prunes = s->sleep.row || s->prunes_events;
  s->order_context = b;
  tl_status rc = tl_on_device_wanted (s) ? tl_on_device_run (s) : TL_E_ARG;
  if (rc == TL_E_ARG)
    rc = run_here (b);
  tl_worker_close (&b->worker);
  TL_DEL (&s->engine, b, 1);
  return rc;
}

const tl_order tl_order_bfs = {.name = "bfs", .run = bfs_run};
