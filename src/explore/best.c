#include "explore/best.h"

enum {
  ROOM = 256,   // successors put at once
  EXACT = 8192, // ranks below have a bucket each
  STEPS = 8,    // and so many of them each octave above
  BUCKETS = EXACT + STEPS * 54,
  OLDEST = 32, // of these, each so many states one that waited longest
  POLL = 8,    // states expanded between two looks at the clock
  RANKS = 16   // the same, of ranks, which may take long
};

// States of about the same rank: the words of the key, and the number.
typedef struct bucket {
  uint64_t *record;
  size_t room;        // words
  size_t first, last; // records in use
} bucket;

// A new successor of the state at hand.
typedef struct successor {
  uint64_t rank;
  uint32_t at; // among those put
  uint64_t number;
} successor;

typedef struct best {
  tl_search *search;
  const tl_best_guide *guide;
  tl_mem *mem;
  tl_worker worker;
  bucket *waiting; // [BUCKETS]
  uint32_t least;  // no bucket before this has states
  uint64_t count;  // of states that wait
  uint64_t number; // of the state at hand
  uint64_t found;  // states so far
  uint64_t expanded;
  uint32_t *list;  // [most enabled] of a successor
  uint64_t *state; // of a successor
  uint8_t isnew[ROOM];
  successor next[ROOM]; // those that rank most first
} best;

static uint32_t bucket_of (uint64_t rank) {
  if (rank < EXACT)
    return (uint32_t)rank;
  const unsigned octave = 63 - (unsigned)__builtin_clzll (rank),
                 base = 63 - (unsigned)__builtin_clzll (EXACT);
  const uint64_t part = (rank >> (octave - 3)) & (STEPS - 1);
  return EXACT + (octave - base) * STEPS + (uint32_t)part;
}

// ---- States that wait ------------------------------------------------------

static uint32_t record_words (const best *b) {
  return b->search->code.key_words + 1;
}

static tl_status push (best *b, uint32_t rank, const uint64_t *key,
                       uint64_t number) {
  bucket *to = b->waiting + rank;
  const uint32_t words = record_words (b);
  if (to->first == to->last)
    to->first = to->last = 0;
  if (!TL_ROOM (b->mem, to->record, &to->room, (to->last + 1) * words))
    return TL_E_NOMEM;
  uint64_t *record = to->record + to->last++ * words;
  tl_copy_words (record, key, words - 1);
  record[words - 1] = number;
  b->least = rank < b->least ? rank : b->least;
  b->count++;
  return TL_OK;
}

// The next one becomes the one at hand; there is one.  Far away, where states
// of one bucket are not as near, one that waited long would lead back to where
// the bucket begins.
static void pop (best *b) {
  const uint32_t words = record_words (b);
  while (b->waiting[b->least].first == b->waiting[b->least].last)
    b->least++;
  bucket *from = b->waiting + b->least;
  const bool oldest = b->least < EXACT && b->expanded % OLDEST == 0;
  const size_t at = oldest ? from->first++ : --from->last;
  const uint64_t *record = from->record + at * words;
  tl_copy_words (b->worker.key, record, words - 1);
  b->number = record[words - 1];
  b->count--;
}

// The layout was too small: moves the keys to the new one.
static tl_status move_bucket (best *b, bucket *old, uint32_t rank,
                              uint32_t old_words, const tl_widening *m) {
  tl_status rc = TL_OK;
  for (size_t i = old->first; !rc && i < old->last; i++) {
    const uint64_t *record = old->record + i * old_words;
    tl_widening_key (m, record, b->worker.key);
    rc = push (b, rank, b->worker.key, record[old_words - 1]);
  }
  return rc;
}

static tl_status move (void *order, const tl_widening *m, uint64_t *old_key) {
  best *b = order;
  const uint32_t old_words = m->code.key_words + 1;
  (void)old_key;
  tl_status rc = TL_OK;
  b->count = 0;
  for (uint32_t r = 0; r < BUCKETS; r++) {
    bucket old = b->waiting[r];
    b->waiting[r] = (bucket){0};
    if (!rc)
      rc = move_bucket (b, &old, r, old_words, m);
    TL_DEL (b->mem, old.record, old.room);
  }
  return rc;
}

// ---- Successors ------------------------------------------------------------

static uint64_t rank (best *b, const uint64_t *key) {
  tl_search *s = b->search;
  tl_visit visit = {s, &s->layout, b->state, b->list, 0};
  tl_code_state (&s->code, key, b->state);
  if (b->guide->lists)
    visit.enabled_count =
        tl_fire_enabled (s->fire, b->state, b->list, b->worker.scratch);
  return b->guide->rank (b->guide->context, &visit);
}

static void sort_in (successor *next, uint32_t count, successor s) {
  for (; count && next[count - 1].rank < s.rank; count--)
    next[count] = next[count - 1];
  next[count] = s;
}

// Puts the successors gathered, all of the state at hand.  States far away
// share a bucket though not all are as near: of this one's, the nearest waits
// last.
static tl_status put (void *order) {
  best *b = order;
  tl_search *s = b->search;
  tl_worker *w = &b->worker;
  tl_batch batch = {.count = w->gathered,
                    .keys = w->keys,
                    .events = w->events,
                    .isnew = b->isnew};
  tl_status rc = tl_search_put (s, &batch), late = TL_OK;
  uint32_t count = 0;
  w->gathered = 0;
  for (size_t i = 0;
       !late && (i = tl_next_marked (b->isnew, i, batch.done)) < batch.done;
       i++) {
    const uint64_t *key = w->keys + i * s->code.key_words;
    tl_search_log (s, b->number, w->events[i]);
    sort_in (b->next, count++,
             (successor){rank (b, key), (uint32_t)i, b->found++});
    late = b->found % RANKS ? TL_OK : tl_search_poll (s);
  }
  rc = rc ? rc : late;
  for (uint32_t k = 0; !rc && k < count; k++)
    rc = push (b, bucket_of (b->next[k].rank),
               w->keys + b->next[k].at * s->code.key_words, b->next[k].number);
  s->queued = b->count;
  return rc;
}

static tl_status resize_state (best *b, uint32_t words) {
  TL_DEL (b->mem, b->state, words);
  return TL_NEW (b->mem, b->state, b->search->layout.words) ? TL_OK
                                                            : TL_E_NOMEM;
}

static tl_status widen (void *order, uint32_t transition) {
  best *b = order;
  tl_status rc = b->worker.gathered ? put (b) : TL_OK;
  const uint32_t words = b->search->layout.words;
  if (!rc)
    rc = tl_worker_widen (&b->worker, transition, move, b);
  return b->search->layout.words == words ? rc
         : rc ? (TL_DEL (b->mem, b->state, words), rc)
              : resize_state (b, words);
}

static const tl_worker_hooks hooks = {.put = put, .widen = widen};

static tl_status expand (best *b) {
  tl_worker *w = &b->worker;
  pop (b);
  b->expanded++;
  tl_worker_load (w);
  tl_status rc = tl_worker_visit (w);
  if (!rc)
    rc = tl_worker_fire (w, w->enabled, w->count, &hooks, b);
  if (!rc && w->gathered)
    rc = put (b);
  return rc || b->expanded % POLL ? rc : tl_search_poll (b->search);
}

// ---- Running ---------------------------------------------------------------

static tl_status trace_here (tl_search *s, tl_trace *trace) {
  const best *b = s->order_context;
  return tl_search_log_trace (s, b->number, trace);
}

static tl_status begin (best *b) {
  tl_search *s = b->search;
  const uint32_t most = s->generator->most_enabled;
  tl_status rc = tl_worker_open (&b->worker, s,
                                 &(tl_worker_plan){.mem = &s->engine,
                                                   .room = ROOM,
                                                   .visits = true,
                                                   .lists = true,
                                                   .events = true});
  if (!rc && (!TL_NEW (b->mem, b->waiting, BUCKETS) ||
              !TL_NEW (b->mem, b->list, most) ||
              !TL_NEW (b->mem, b->state, s->layout.words)))
    rc = TL_E_NOMEM;
  if (!rc)
    rc = tl_worker_begin (&b->worker);
  if (!rc)
    rc = tl_search_put (
        s, &(tl_batch){.count = 1, .keys = b->worker.key, .isnew = b->isnew});
  return rc ? rc : push (b, 0, b->worker.key, b->found++);
}

static void end (best *b) {
  tl_search *s = b->search;
  for (uint32_t r = 0; b->waiting && r < BUCKETS; r++)
    TL_DEL (b->mem, b->waiting[r].record, b->waiting[r].room);
  TL_DEL (b->mem, b->waiting, BUCKETS);
  TL_DEL (b->mem, b->list, s->generator->most_enabled);
  TL_DEL (b->mem, b->state, s->layout.words);
  tl_worker_close (&b->worker);
  s->trace_here = 0;
  s->order_context = 0;
}

tl_status tl_best_run (tl_search *s, const tl_best_guide *guide) {
  best *b;
  if (!TL_NEW (&s->engine, b, 1))
    return TL_E_NOMEM;
  b->search = s;
  b->guide = guide;
  b->mem = &s->queue;
  s->trace_here = trace_here;
  s->order_context = b;
  tl_status rc = begin (b);
  while (!rc && b->count)
    rc = expand (b);
  end (b);
  TL_DEL (&s->engine, b, 1);
  return rc;
}
