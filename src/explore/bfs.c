// Breadth-first search.  States are expanded in the order in which they were
// found.  The successors of several states are gathered before they are put,
// so that the store has many memory accesses on the way at once.

#include "base/bits.h"
#include "explore/queue.h"
#include "explore/search.h"

#include <string.h>

enum {
  GATHER = 1024, // put as soon as that many successors are there
  ROOM = 2048    // successors the buffers take
};

typedef struct bfs {
  tl_search *search;
  // States found and not yet expanded.  A store that hands keys back by their
  // number is the queue itself; for the others the keys are kept.
  bool keeps_keys;
  tl_queue queue;
  uint64_t next;      // number of the next state to expand
  uint64_t reported;  // states whose successors the visitor knows
  uint64_t level_end; // number of the first state of the next level

  uint64_t *state, *key;           // being expanded
  uint32_t state_words, key_words; // of these buffers
  uint32_t *enabled;               // [transitions]
  uint64_t *keys;                  // [ROOM] of the successors
  uint32_t events[ROOM];           // the transitions to the successors
  uint8_t isnew[ROOM];
  uint64_t numbers[ROOM]; // of the successors, where somebody wants to know
  size_t gathered;
  size_t ends[ROOM]; // for each state expanded: successors gathered by then
  size_t expanded;
} bfs;

static void release_buffers (bfs *b) {
  tl_mem *mem = &b->search->engine;
  TL_DEL (mem, b->state, b->state_words);
  TL_DEL (mem, b->key, b->key_words);
  TL_DEL (mem, b->keys, (size_t)ROOM * b->key_words);
}

static tl_status take_buffers (bfs *b) {
  const tl_search *s = b->search;
  tl_mem *mem = &b->search->engine;
  b->state_words = s->layout.words;
  b->key_words = s->code.key_words;
  b->state = b->key = b->keys = 0;
  return TL_NEW (mem, b->state, s->layout.words) &&
                 TL_NEW (mem, b->key, s->code.key_words) &&
                 TL_NEW (mem, b->keys, (size_t)ROOM * s->code.key_words)
             ? TL_OK
             : TL_E_NOMEM;
}

// Gives up the log when there is no memory for it.
static void log_or_drop (tl_search *s, tl_status rc) {
  if (rc)
    tl_search_drop_log (s);
}

static tl_status found (bfs *b, size_t i) {
  tl_search *s = b->search;
  if (s->log)
    log_or_drop (s, tl_log_child (s->log, b->events[i]));
  return b->keeps_keys
             ? tl_queue_push (&b->queue, b->keys + i * s->code.key_words)
             : TL_OK;
}

// Puts what was gathered.  If memory runs out, what was put before is kept.
static tl_status put_gathered (bfs *b) {
  tl_search *s = b->search;
  tl_batch batch = {.count = b->gathered,
                    .keys = b->keys,
                    .events = b->events,
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
    b->reported += k < b->expanded;
    const size_t put = end < batch.done ? end : batch.done;
    for (; (i = tl_next_marked (b->isnew, i, put)) < put; i++) {
      const tl_status pushed = found (b, i);
      rc = rc ? rc : pushed;
    }
    if (k < b->expanded && s->log)
      log_or_drop (s, tl_log_end (s->log));
  }
  b->gathered = b->expanded = 0;
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

// The layout was too small: moves what is held here to the new one.
// `old_key` has room for an old one.
static tl_status move_queue (bfs *b, const tl_widening *m, uint64_t *old_key) {
  tl_queue old = b->queue;
  open_queue (b);
  tl_status rc = TL_OK;
  while (!rc && old.count && !(rc = tl_queue_pop (&old, old_key))) {
    tl_widening_key (m, old_key, b->key);
    rc = tl_queue_push (&b->queue, b->key);
  }
  close_queue (b->search, &old);
  return rc;
}

static tl_status widen (bfs *b, uint32_t transition) {
  tl_search *s = b->search;
  tl_widening widening;
  // The log must know all states found before the way here can be told.
  tl_status rc = put_gathered (b);
  if (rc || (rc = tl_search_widen (s, b->state, transition, &widening)))
    return rc;
  bfs old = *b;
  if (!(rc = take_buffers (b))) {
    tl_widening_state (&widening, old.state, b->state);
    if (b->keeps_keys)
      rc = move_queue (b, &widening, old.key);
    tl_code_key (&s->code, b->state, b->key);
  }
  release_buffers (&old);
  tl_widening_close (&widening);
  return rc;
}

// Gathers the successors of the state.
static tl_status fire_all (bfs *b, uint32_t count) {
  tl_search *s = b->search;
  for (uint32_t from = 0; from < count;) {
    const size_t room = ROOM - b->gathered;
    const uint32_t want = count - from < room ? count - from : (uint32_t)room;
    const uint32_t *list = b->enabled + from;
    const uint32_t got = tl_fire_fits (s->fire, b->state, list, want);
    tl_code_steps (&s->code, b->key, list, got,
                   b->keys + b->gathered * s->code.key_words);
    memcpy (b->events + b->gathered, list, got * sizeof *list);
    b->gathered += got;
    from += got;
    tl_status rc = TL_OK;
    if (got < want)
      rc = widen (b, b->enabled[from]);
    else if (b->gathered == ROOM)
      rc = put_gathered (b);
    if (rc)
      return rc;
  }
  b->ends[b->expanded++] = b->gathered;
  return TL_OK;
}

// Who need not fire at the state being expanded?  That depends on what led to
// it, which the log knows.  Nothing led to the first.
static uint32_t prune (bfs *b, uint32_t count) {
  tl_search *s = b->search;
  uint32_t by;
  if (!s->sleep.row || b->next == 1)
    return count;
  if (s->log && !tl_log_follow (s->log, &by))
    return tl_search_prune (s, by, b->enabled, count);
  tl_sleep_close (&s->sleep);
  return count;
}

static tl_status expand_next (bfs *b) {
  tl_search *s = b->search;
  tl_status rc = TL_OK;
  if (b->keeps_keys)
    rc = tl_queue_pop (&b->queue, b->key);
  else
    s->store->get (s->store, b->next, b->key);
  if (rc)
    return rc;
  tl_code_state (&s->code, b->key, b->state);
  b->next++;
  uint32_t count = tl_fire_enabled (s->fire, b->state, b->enabled);
  rc = tl_search_visit (s, b->state, b->enabled, &count);
  return rc ? rc : fire_all (b, prune (b, count));
}

static tl_status trace_here (tl_search *s, tl_trace *trace) {
  const bfs *b = s->order_context;
  if (!s->log)
    return TL_E_LIMIT;
  const tl_status rc = tl_log_trace (s->log, b->next - 1, trace);
  if (rc != TL_E_IO)
    return rc;
  tl_search_drop_log (s); // the disk failed; the states are all there
  return TL_E_LIMIT;
}

static tl_status put_initial (bfs *b) {
  tl_search *s = b->search;
  tl_status rc = tl_search_initial (s, b->state);
  if (rc)
    return rc;
  tl_code_key (&s->code, b->state, b->key);
  tl_batch batch = {.count = 1, .keys = b->key, .isnew = b->isnew};
  rc = tl_search_put (s, &batch);
  return !rc && b->keeps_keys ? tl_queue_push (&b->queue, b->key) : rc;
}

static tl_status run (bfs *b) {
  tl_search *s = b->search;
  tl_status rc = take_buffers (b);
  if (!rc && !TL_NEW (&s->engine, b->enabled, s->generator->most_enabled))
    rc = TL_E_NOMEM;
  if (!rc)
    rc = put_initial (b);
  while (!rc && b->next < b->level_end) {
    while (!rc && b->next < b->level_end && b->gathered < GATHER &&
           b->expanded < ROOM)
      rc = expand_next (b);
    if (!rc)
      rc = put_gathered (b);
    if (!rc && b->next == b->level_end && b->next < s->store->count) {
      b->level_end = s->store->count;
      s->depth++;
    }
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
  open_queue (b);
  tl_search_open_sleep (s, 0);
  s->trace_here = trace_here;
  s->order_context = b;
  const tl_status rc = run (b);
  close_queue (s, &b->queue);
  release_buffers (b);
  TL_DEL (&s->engine, b->enabled, s->generator->most_enabled);
  TL_DEL (&s->engine, b, 1);
  return rc;
}

const tl_order tl_order_bfs = {.name = "bfs", .run = bfs_run};
