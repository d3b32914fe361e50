// Several threads sweep (explore/ahead.h).  They expand states of the line that
// are next, and put successors into layers that are large, each into the shards
// of its own.  Who takes the states lists those that were new, and distributes
// what belongs to other layers: to those that are small, that lie behind the
// line or are not there yet.

#include "base/tuning.h"
#include "explore/how.h"
#include "store/shards.h"
#include "sweep/sweep.h"

enum {
  KNOWN,
  NEW,        // it was put
  WAITS,      // it is still to be put
  SHARDS = 2, // for each thread
};

// Transitions of a class lead from the line to one layer.
typedef struct tl_lead {
  tl_layer *layer;   // null: successors are left to who takes the states
  tl_shards *shards; // of its states
  uint64_t added;    // states that were new,
  uint64_t kept;     // but for these, which were persistent
} tl_lead;

// The successors of one shard, by classes.
typedef struct tl_dealt {
  size_t *next; // [classes + 1] where those of each class end
  size_t room, words;
  uint64_t *part;  // [words]
  uint64_t *which; // [room] chunk and place there
  uint8_t *isnew;
  size_t isnew_room;
} tl_dealt;

static uint64_t left (void *order) {
  tl_sweeping *w = order;
  return tl_layers_line (&w->layers) == w->line
             ? tl_layer_left (w->line) + tl_layer_checked (w->line)
             : 0;
}

static tl_status next (void *order, uint64_t *record, uint32_t *by) {
  return tl_expand_pop (order, record, by);
}

// ---- Where successors belong -----------------------------------------------

// The layer of such successors, if it is not behind the line and has shards.
static tl_layer *layer_of (const tl_sweeping *w, const int64_t *offset) {
  int64_t value[TL_MEASURE_PARTS];
  for (uint32_t i = 0; i < w->layers.parts; i++)
    if (__builtin_add_overflow (w->line->value[i], offset[i], value + i))
      return 0;
  if (tl_layers_compare (&w->layers, value, w->line->value) < 0)
    return 0;
  tl_layer *layer = tl_layers_find (&w->layers, value);
  const tl_store *store = layer ? layer->states.store : 0;
  return store && layer->open && store->spec.owner_bits == w->search->owner_bits
             ? layer
             : 0;
}

// Layers that were filled in a sweep before have another salt: one is enough to
// deal with.
static void prepare (void *order) {
  tl_sweeping *w = order;
  w->dealer = 0;
  for (uint32_t i = 0; i < w->classes; i++) {
    tl_layer *layer = layer_of (w, w->offset[i]);
    tl_store *store = layer ? layer->states.store : 0;
    if (store && !w->dealer)
      w->dealer = store;
    if (store && store->spec.salt != w->dealer->spec.salt)
      layer = 0;
    w->lead[i] =
        (tl_lead){.layer = layer, .shards = layer ? (tl_shards *)store : 0};
  }
}

// Deals the successors of a chunk to the shards.
static void look (void *order, tl_chunk *c, unsigned who) {
  (void)who;
  const tl_sweeping *w = order;
  const uint32_t shards = 1u << w->search->owner_bits;
  uint16_t *owner = (uint16_t *)c->seen;
  memset (c->bound, 0, (shards + 1) * sizeof *c->bound);
  if (!c->count)
    return;
  memset (c->isnew, WAITS, c->count);
  if (!w->dealer)
    return;
  tl_shards_split ((const tl_shards *)w->dealer, c->keys, c->count, owner,
                   c->parts);
  for (size_t i = 0; i < c->count; i++)
    if (w->lead[w->class_of[c->events[i]]].layer) {
      c->isnew[i] = KNOWN;
      c->bound[owner[i]]++;
    }
  for (uint32_t k = 1; k <= shards; k++) // they end there,
    c->bound[k] += c->bound[k - 1];
  for (size_t i = c->count; i-- > 0;) // and now they begin there
    if (c->isnew[i] == KNOWN)
      c->place[--c->bound[owner[i]]] = (uint32_t)i;
}

// ---- Putting ---------------------------------------------------------------

static bool make_room (tl_sweeping *w, tl_dealt *d, size_t count) {
  tl_mem *mem = &w->search->engine;
  return TL_ROOM (mem, d->part, &d->words, count * w->key_words) &&
         TL_ROOM (mem, d->which, &d->room, count) &&
         TL_ROOM (mem, d->isnew, &d->isnew_room, count);
}

// How many successors of each class belong to the shard: where they will end.
static size_t count_classes (const tl_sweeping *w, const tl_dealt *d,
                             const tl_chunk *chunk, size_t chunks,
                             uint32_t shard) {
  memset (d->next, 0, (w->classes + 1) * sizeof *d->next);
  for (const tl_chunk *c = chunk; c < chunk + chunks; c++)
    for (uint32_t k = c->bound[shard]; k < c->bound[shard + 1]; k++)
      d->next[w->class_of[c->events[c->place[k]]] + 1]++;
  for (uint32_t i = 0; i < w->classes; i++)
    d->next[i + 1] += d->next[i];
  return d->next[w->classes];
}

static void sort_by_class (const tl_sweeping *w, tl_dealt *d,
                           const tl_chunk *chunk, size_t chunks,
                           uint32_t shard) {
  const uint32_t words = tl_shards_words ((const tl_shards *)w->dealer);
  for (size_t i = 0; i < chunks; i++) {
    const tl_chunk *c = chunk + i;
    for (uint32_t k = c->bound[shard]; k < c->bound[shard + 1]; k++) {
      const uint32_t at = c->place[k];
      const size_t to = d->next[w->class_of[c->events[at]]]++;
      tl_copy_words (d->part + to * words, c->parts + at * words, words);
      d->which[to] = (uint64_t)i << 32 | at;
    }
  }
}

// Those of the new ones that were persistent before this sweep are not new; how
// many they are.
static uint64_t forget_kept (const tl_sweeping *w, tl_dealt *d,
                             const tl_chunk *chunk, size_t from, size_t end) {
  enum { SOME = 64 };
  const tl_layers *l = &w->layers;
  const uint32_t words = w->key_words;
  uint64_t keys[SOME * words], kept = 0;
  size_t place[SOME], count;
  uint8_t isnew[SOME];
  for (size_t i = from; i < end;) {
    for (count = 0;
         count < SOME && (i = tl_next_marked (d->isnew, i, end)) < end; i++) {
      const tl_chunk *c = chunk + (d->which[i] >> 32);
      tl_copy_words (keys + count * words,
                     c->keys + (uint32_t)d->which[i] * words, words);
      place[count++] = i;
    }
    if (count)
      tl_pool_look (&l->persistent, &l->persistent_kind, keys, count, isnew);
    for (size_t k = 0; k < count; k++) {
      d->isnew[place[k]] = isnew[k];
      kept += !isnew[k];
    }
  }
  return kept;
}

// Puts those of one class that belong to the shard.
static void put_class (tl_sweeping *w, tl_dealt *d, tl_chunk *chunk,
                       uint32_t class, uint32_t shard, size_t from) {
  tl_lead *t = w->lead + class;
  const size_t end = d->next[class];
  tl_batch batch = {.count = end - from,
                    .keys = d->part + from * tl_shards_words (t->shards),
                    .isnew = d->isnew + from,
                    .patient = true};
  tl_shards_put (t->shards, shard, &batch);
  const size_t done = from + batch.done;
  uint64_t added = 0, kept = 0;
  for (size_t i = from; i < done; i++)
    added += d->isnew[i];
  if (w->layers.persistent_before)
    kept = forget_kept (w, d, chunk, from, done);
  for (size_t i = from; i < end; i++)
    chunk[d->which[i] >> 32].isnew[(uint32_t)d->which[i]] =
        i < done ? d->isnew[i] : WAITS;
  __atomic_fetch_add (&t->added, added, __ATOMIC_RELAXED);
  __atomic_fetch_add (&t->kept, kept, __ATOMIC_RELAXED);
}

static void leave_all (tl_chunk *chunk, size_t chunks, uint32_t shard) {
  for (tl_chunk *c = chunk; c < chunk + chunks; c++)
    for (uint32_t k = c->bound[shard]; k < c->bound[shard + 1]; k++)
      c->isnew[c->place[k]] = WAITS;
}

static void put (void *order, tl_chunk *chunk, size_t chunks, uint32_t shard,
                 unsigned who) {
  tl_sweeping *w = order;
  tl_dealt *d = w->dealt + who;
  if (!w->dealer)
    return;
  const size_t count = count_classes (w, d, chunk, chunks, shard);
  if (!make_room (w, d, count)) {
    leave_all (chunk, chunks, shard);
    return;
  }
  sort_by_class (w, d, chunk, chunks, shard);
  for (uint32_t i = 0; i < w->classes; i++) {
    const size_t from = i ? d->next[i - 1] : 0;
    if (from < d->next[i])
      put_class (w, d, chunk, i, shard, from);
  }
}

static void settle (void *order) {
  tl_sweeping *w = order;
  for (uint32_t i = 0; i < w->classes; i++) {
    const tl_lead *t = w->lead + i;
    if (!t->layer)
      continue;
    tl_shards_add (t->shards, t->added);
    tl_layers_settle (&w->layers, t->layer, t->added, t->kept);
  }
  tl_expand_tell (w);
}

// ---- Taking ----------------------------------------------------------------

// The state as it was expanded, where somebody looks at it.
static tl_status see (tl_sweeping *w, const uint64_t *record, bool shows) {
  tl_search *s = w->search;
  tl_worker *worker = &w->worker;
  if (!shows && !w->touch_start)
    return TL_OK;
  tl_copy_words (worker->key, record, worker->key_words);
  tl_worker_load (worker);
  if (w->touch_start)
    tl_sweep_read (w, worker->state);
  if (!shows)
    return TL_OK;
  const tl_visit visit = tl_worker_shown (worker);
  return tl_search_heed (s, s->visitor->visit (s->visitor->context, &visit));
}

// A successor that is new, or may be.
static tl_status take_successor (tl_sweeping *w, const tl_chunk *c, size_t i) {
  const uint32_t words = w->key_words;
  const uint64_t *key = c->keys + i * words;
  if (c->isnew[i] == WAITS)
    return tl_expand_gather (w, key, c->events + i, 1);
  uint64_t record[words + 1];
  tl_copy_words (record, key, words);
  record[words] = w->number << w->event_bits | c->events[i];
  tl_layer *layer = w->lead[w->class_of[c->events[i]]].layer;
  tl_status rc;
  while ((rc = tl_layers_push (&w->layers, layer, record)) == TL_E_NOMEM &&
         tl_sweep_relieve (w))
    continue;
  return rc;
}

static tl_status take (void *order, tl_chunk *c) {
  tl_sweeping *w = order;
  const uint32_t words = w->key_words;
  tl_status rc = TL_OK;
  size_t i = 0;
  for (uint32_t k = 0; !rc && k < c->done; k++) {
    const uint64_t *record = c->record + (size_t)k * (words + 1);
    tl_expand_begin (w, record[words]);
    rc = tl_worker_adopt (&w->worker, c->arcs[k], c->followed[k]);
    if (!rc)
      rc = see (w, record, c->shows[k]);
    for (; !rc && (i = tl_next_marked (c->isnew, i, c->end[k])) < c->end[k];
         i++)
      rc = take_successor (w, c, i);
  }
  return rc ? rc : tl_search_poll (w->search);
}

static tl_status alone (void *order, const uint64_t *record, uint32_t by) {
  (void)by;
  tl_sweeping *w = order;
  tl_copy_words (w->worker.key, record, w->key_words + 1);
  const tl_status rc = tl_expand_here (w);
  return rc ? rc : tl_expand_distribute (w);
}

// ---- Threads ---------------------------------------------------------------

static tl_status open_parts (tl_sweeping *w) {
  tl_mem *mem = &w->search->engine;
  const unsigned threads = tl_ahead_threads (w->ahead);
  if (!TL_NEW (mem, w->lead, w->classes) || !TL_NEW (mem, w->dealt, threads))
    return TL_E_NOMEM;
  for (unsigned i = 0; i < threads; i++)
    if (!TL_NEW (mem, w->dealt[i].next, w->classes + 1))
      return TL_E_NOMEM;
  return TL_OK;
}

// Stores of layers that become large have so many shards from now on.
static void set_shards (tl_sweeping *w, unsigned bits) {
  tl_search *s = w->search;
  s->owner_bits = s->spec.owner_bits = w->layers.kind.spec.owner_bits = bits;
}

static unsigned shard_bits (const tl_search *s) {
  unsigned bits = 1;
  while ((1u << bits) < SHARDS * s->how->threads &&
         bits + 1 < s->code.key_bits && bits < TL_SHARD_BITS)
    bits++;
  return bits;
}

static tl_status open (tl_sweeping *w) {
  const unsigned bits = shard_bits (w->search);
  const tl_ahead_plan plan = {.order = w,
                              .behind = 1,
                              .left = left,
                              .next = next,
                              .prepare = prepare,
                              .look = look,
                              .tasks = 1u << bits,
                              .put = put,
                              .settle = settle,
                              .take = take,
                              .alone = alone};
  tl_status rc = tl_ahead_open (&w->ahead, w->search, &plan);
  if (!rc)
    set_shards (w, bits);
  if (!rc && (rc = open_parts (w)))
    tl_sweep_close_ahead (w);
  return rc;
}

void tl_sweep_close_ahead (tl_sweeping *w) {
  tl_mem *mem = &w->search->engine;
  const unsigned threads = w->ahead ? tl_ahead_threads (w->ahead) : 0;
  if (!w->ahead)
    return;
  for (unsigned i = 0; w->dealt && i < threads; i++) {
    tl_dealt *d = w->dealt + i;
    TL_DEL (mem, d->next, w->classes + 1);
    TL_DEL (mem, d->part, d->words);
    TL_DEL (mem, d->which, d->room);
    TL_DEL (mem, d->isnew, d->isnew_room);
  }
  TL_DEL (mem, w->dealt, threads);
  TL_DEL (mem, w->lead, w->classes);
  set_shards (w, 0);
  tl_ahead_close (w->ahead);
  w->ahead = 0;
}

bool tl_sweep_goes_ahead (tl_sweeping *w) {
  const tl_search *s = w->search;
  if (s->spec.numbered || w->no_ahead || s->code.key_bits < 3 ||
      !tl_ahead_pays (s, left (w)))
    return false;
  w->no_ahead = !w->ahead && open (w);
  return !w->no_ahead;
}

tl_status tl_sweep_go_ahead (tl_sweeping *w) {
  const tl_status rc = tl_ahead_run (w->ahead);
  return rc ? rc : tl_expand_distribute (w);
}
