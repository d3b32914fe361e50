// Breadth-first search.  States are expanded in the order in which they were
// found.  The successors of several states are gathered before they are put,
// so that the store has many memory accesses on the way at once.

#include "base/tuning.h"
#include "explore/parallel.h"
#include "explore/queue.h"
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

  tl_worker worker;
  bool prunes; // by sleep sets
  uint8_t isnew[TL_BFS_ROOM];
  // Of the successors, where somebody wants to know; and for each state
  // expanded: successors gathered by then.
  uint64_t numbers[TL_BFS_ROOM];
  size_t ends[TL_BFS_ROOM];
  size_t expanded;
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
  tl_search_log (s, b->reported, w->events[i]);
  return push (b, w->keys + i * s->code.key_words);
}

// Puts what was gathered.  If memory runs out, what was put before is kept.
static tl_status put_gathered (bfs *b) {
  tl_search *s = b->search;
  tl_batch batch = {.count = b->worker.gathered,
                    .keys = b->worker.keys,
                    .events = b->worker.events,
                    .depth = s->depth + 1,
                    .isnew = b->isnew,
                    .numbers = s->spec.numbered ? b->numbers : 0};
  tl_status rc = tl_search_put (s, &batch);
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
  return rc ? rc : tl_search_poll (s);
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

static tl_status expand_next (bfs *b) {
  tl_worker *w = &b->worker;
  tl_status rc = take_next (b, b->search->store, w->key);
  if (rc)
    return rc;
  tl_worker_load (w);
  if ((rc = tl_worker_visit (w)))
    return rc;
  prune (b);
  rc = tl_worker_fire (w, w->enabled, w->count, &hooks, b);
  b->ends[b->expanded] = w->gathered;
  b->expanded += !rc;
  return rc;
}

static bool flush (tl_search *s) {
  bfs *b = s->order_context;
  return tl_queue_flush (&b->queue);
}

static tl_status trace_here (tl_search *s, tl_trace *trace) {
  const bfs *b = s->order_context;
  return tl_search_log_trace (s, b->next - 1, trace);
}

static tl_status put_initial (bfs *b) {
  const uint64_t *key = b->worker.key;
  tl_status rc = tl_worker_begin (&b->worker);
  if (rc)
    return rc;
  tl_batch batch = {.count = 1, .keys = key, .isnew = b->isnew};
  rc = tl_search_put (b->search, &batch);
  return rc ? rc : push (b, key);
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

// Several threads go on.  TL_E_ARG: there are none, and this one does.
static tl_status hand_over (bfs *b) {
  tl_search *s = b->search;
  const tl_handover waiting = {.context = b,
                               .first = b->next,
                               .count = b->level_end - b->next,
                               .next = next_waiting};
  tl_worker_close (&b->worker);
  const tl_status rc = tl_parallel_run (s, &waiting);
  if (rc != TL_E_ARG)
    return rc;
  s->parallel_from = UINT64_MAX;
  return open_worker (b) ? TL_E_NOMEM : TL_E_ARG;
}

// The end of a level.
static void begin_level (bfs *b) {
  tl_search *s = b->search;
  tl_levels_add (&s->levels, s->store->count - b->level_end, s->store->count);
  b->level_end = s->store->count;
  s->depth++;
}

static tl_status run (bfs *b) {
  tl_search *s = b->search;
  tl_status rc = open_worker (b);
  if (!rc)
    rc = put_initial (b);
  while (!rc && b->next < b->level_end) {
    if (tl_parallel_pays (s) && (rc = hand_over (b)) != TL_E_ARG)
      return rc;
    rc = TL_OK;
    while (!rc && b->next < b->level_end) {
      while (!rc && b->next < b->level_end &&
             b->worker.gathered < TL_BFS_GATHER && b->expanded < TL_BFS_ROOM)
        rc = expand_next (b);
      if (!rc)
        rc = put_gathered (b);
    }
    if (!rc && b->next < s->store->count)
      begin_level (b);
  }
  return rc;
}

static tl_status bfs_run (tl_search *s) {
  bfs *b;
  if (!TL_NEW (&s->engine, b, 1))
    return TL_E_NOMEM;
  b->search = s;
  b->keeps_keys = !s->store->get;
  b->level_end = 1;
  s->levels = (tl_levels){0};
  open_queue (b);
  tl_search_open_sleep (s, 0);
  b->prunes = s->sleep.row || s->prunes_events;
  s->trace_here = trace_here;
  s->flush = flush;
  s->order_context = b;
  const tl_status rc = run (b);
  s->flush = 0;
  close_queue (s, &b->queue);
  tl_worker_close (&b->worker);
  TL_DEL (&s->engine, b, 1);
  return rc;
}

const tl_order tl_order_bfs = {.name = "bfs", .run = bfs_run};
