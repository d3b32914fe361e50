#include "sweep/layers.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

enum { MOVE_BATCH = 256, FIRST_SLOTS = 64, PERSISTENT_SALT = 1 << 15 };

// ---- Heaps -----------------------------------------------------------------

int tl_layers_compare (const tl_layers *l, const int64_t *a, const int64_t *b) {
  return tl_progress_compare (a, b, l->parts);
}

static bool before (const tl_layers *l, const tl_layer *a, const tl_layer *b) {
  return tl_layers_compare (l, a->value, b->value) < 0;
}

static tl_status heap_push (tl_layers *l, tl_layer_heap *h, tl_layer *layer) {
  if (!TL_ROOM (l->queue, h->layer, &h->room, h->count + 1))
    return TL_E_NOMEM;
  size_t at = h->count++;
  for (; at && before (l, layer, h->layer[(at - 1) / 2]); at = (at - 1) / 2)
    h->layer[at] = h->layer[(at - 1) / 2];
  h->layer[at] = layer;
  return TL_OK;
}

static void heap_pop (const tl_layers *l, tl_layer_heap *h) {
  tl_layer *last = h->layer[--h->count];
  size_t at = 0;
  for (size_t child; (child = 2 * at + 1) < h->count; at = child) {
    if (child + 1 < h->count &&
        before (l, h->layer[child + 1], h->layer[child]))
      child++;
    if (!before (l, h->layer[child], last))
      break;
    h->layer[at] = h->layer[child];
  }
  h->layer[at] = last;
}

// ---- The layer of a value --------------------------------------------------

static size_t home_of (const tl_layers *l, const int64_t *value) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < l->parts; i++)
    hash = (hash + (uint64_t)value[i]) * 0xd6e8feb86659fd93u;
  return (size_t)tl_mix (hash) & (l->slots - 1);
}

static size_t find_slot (const tl_layers *l, const int64_t *value) {
  size_t at = home_of (l, value);
  while (l->slot[at] && tl_layers_compare (l, l->slot[at]->value, value))
    at = (at + 1) & (l->slots - 1);
  return at;
}

static tl_status enlarge (tl_layers *l) {
  tl_layers more = *l;
  more.slots = l->slots ? 2 * l->slots : FIRST_SLOTS;
  if (!TL_NEW (l->queue, more.slot, more.slots))
    return TL_E_NOMEM;
  for (size_t i = 0; i < l->slots; i++)
    if (l->slot[i])
      more.slot[find_slot (&more, l->slot[i]->value)] = l->slot[i];
  TL_DEL (l->queue, l->slot, l->slots);
  *l = more;
  return TL_OK;
}

// Takes a layer out of the table; those behind it move up, so that a search
// that ends at a free slot still finds them.
static void forget (tl_layers *l, const tl_layer *layer) {
  const size_t mask = l->slots - 1;
  size_t hole = find_slot (l, layer->value);
  for (size_t at = (hole + 1) & mask; l->slot[at]; at = (at + 1) & mask) {
    const size_t home = home_of (l, l->slot[at]->value);
    if (((at - home) & mask) >= ((at - hole) & mask)) {
      l->slot[hole] = l->slot[at];
      hole = at;
    }
  }
  l->slot[hole] = 0;
  l->count--;
}

tl_status tl_layers_at (tl_layers *l, const int64_t *value, tl_layer **out) {
  if (2 * l->count >= l->slots && enlarge (l))
    return TL_E_NOMEM;
  const size_t at = find_slot (l, value);
  if (!(*out = l->slot[at])) {
    tl_layer *layer;
    if (!TL_NEW (l->queue, layer, 1))
      return TL_E_NOMEM;
    memcpy (layer->value, value, l->parts * sizeof *value);
    *out = l->slot[at] = layer;
    l->count++;
  }
  return TL_OK;
}

tl_layer *tl_layers_find (const tl_layers *l, const int64_t *value) {
  return l->slots ? l->slot[find_slot (l, value)] : 0;
}

// ---- The whole -------------------------------------------------------------

static tl_pool_kind kind_that_looks (const tl_pool_kind *kind) {
  tl_pool_kind looking = *kind;
  looking.spec.salt ^= PERSISTENT_SALT;
  if (!kind->store->looks)
    looking.store = tl_store_find ("table");
  return looking;
}

static tl_backlog_kind backlogs_of (const tl_pool_kind *kind, tl_mem *mem) {
  const tl_store_spec *spec = &kind->spec;
  return (tl_backlog_kind){.mem = mem,
                           .words = spec->key_words + 1 + spec->numbered,
                           .key_words = spec->key_words,
                           .key_bytes = (spec->key_bits + 7) / 8};
}

tl_layers tl_layers_init (const tl_pool_kind *kind, tl_mem *queue,
                          uint32_t parts) {
  return (tl_layers){.queue = queue,
                     .kind = *kind,
                     .persistent_kind = kind_that_looks (kind),
                     .backlogs = backlogs_of (kind, queue),
                     .parts = parts};
}

static void close_backlog (tl_layers *l, tl_backlog *b) {
  l->spilled += tl_backlog_close (b, &l->backlogs);
}

static void close_layer (tl_layers *l, tl_layer *layer) {
  tl_pool_clear (&layer->states, l->kind.mem);
  close_backlog (l, &layer->todo);
  close_backlog (l, &layer->candidates);
  close_backlog (l, &layer->checked);
  tl_layer_close_duplicates (l, layer);
  close_backlog (l, &layer->roots);
  tl_pool_clear (&layer->ahead, l->kind.mem);
  TL_DEL (l->queue, layer, 1);
}

void tl_layers_close (tl_layers *l) {
  for (size_t i = 0; i < l->slots; i++)
    if (l->slot[i])
      close_layer (l, l->slot[i]);
  TL_DEL (l->queue, l->slot, l->slots);
  TL_DEL (l->queue, l->todo.layer, l->todo.room);
  TL_DEL (l->queue, l->open.layer, l->open.room);
  tl_pool_clear (&l->persistent, l->kind.mem);
  tl_backlog_kind_close (&l->backlogs);
  tl_layers_close_archive (l);
  l->count = l->slots = 0;
}

tl_status tl_layers_arrange (tl_layers *l, tl_layer *layer) {
  tl_status rc = layer->open ? heap_push (l, &l->open, layer) : TL_OK;
  if (!rc && layer->waiting)
    rc = heap_push (l, &l->todo, layer);
  return rc;
}

tl_status tl_layers_enter (tl_layers *l, tl_layer *layer) {
  if (layer->open)
    return TL_OK;
  const tl_status rc = heap_push (l, &l->open, layer);
  if (rc)
    return rc;
  layer->open = true;
  layer->whole = !l->archive || !layer->archived.total;
  layer->before = layer->archived;
  l->seen++;
  assert (tl_layer_is_legal (layer));
  return TL_OK;
}

// Those of the new keys that were kept before are not new, and have the names
// they have there; how many they are.
static uint64_t forget_persistent (tl_layers *l, tl_layer *layer,
                                   tl_batch *batch) {
  enum { SOME = 64 };
  const uint32_t words = l->kind.spec.key_words;
  uint64_t keys[SOME * words], kept[SOME];
  uint8_t isnew[SOME];
  size_t number[SOME], count = 0;
  uint64_t known = 0;
  for (size_t i = 0; i < batch->done; i++) {
    if (batch->isnew[i]) {
      memcpy (keys + count * words, batch->keys + i * words,
              words * sizeof *keys);
      number[count++] = i;
    }
    if (count < SOME && i + 1 < batch->done)
      continue;
    tl_pool_put (&l->persistent, &l->persistent_kind,
                 &(tl_batch){.count = count,
                             .keys = keys,
                             .look = true,
                             .isnew = isnew,
                             .numbers = batch->numbers ? kept : 0});
    for (size_t k = 0; k < count; k++) {
      batch->isnew[number[k]] = isnew[k];
      known += !isnew[k];
      if (!isnew[k] && batch->numbers)
        layer->states.name[batch->numbers[number[k]]] =
            l->persistent.name[kept[k]];
    }
    count = 0;
  }
  return known;
}

// Puts a batch, having made room for its names.
static tl_status put_named (tl_pool *pool, const tl_pool_kind *kind,
                            tl_batch *batch) {
  batch->done = 0;
  return kind->spec.numbered &&
                 !TL_ROOM (kind->mem, pool->name, &pool->name_room,
                           (size_t)pool->count + batch->count)
             ? TL_E_NOMEM
             : tl_pool_put (pool, kind, batch);
}

static void count_added (tl_layers *l, tl_layer *layer, uint64_t added,
                         uint64_t kept) {
  l->stored += added - kept;
  layer->twice += kept;
  if (layer->states.count > l->largest)
    l->largest = layer->states.count;
}

tl_status tl_layers_put (tl_layers *l, tl_layer *layer, tl_batch *batch) {
  const uint64_t had = layer->states.count;
  const tl_status rc = put_named (&layer->states, &l->kind, batch);
  const uint64_t added = layer->states.count - had;
  count_added (l, layer, added,
               l->persistent_before ? forget_persistent (l, layer, batch) : 0);
  return rc;
}

void tl_layers_settle (tl_layers *l, tl_layer *layer, uint64_t added,
                       uint64_t kept) {
  layer->states.count = layer->states.store->count;
  count_added (l, layer, added, kept);
}

tl_pool_kind tl_layers_kind_ahead (const tl_layers *l) {
  tl_pool_kind kind = l->kind;
  kind.spec.salt += TL_SWEEP_SALT;
  return kind;
}

tl_status tl_layers_keep (tl_layers *l, tl_layer *layer, tl_batch *batch) {
  tl_pool *pool = l->archive ? &layer->ahead : &l->persistent;
  const tl_pool_kind kind =
      l->archive ? tl_layers_kind_ahead (l) : l->persistent_kind;
  const uint64_t had = pool->count;
  const tl_status rc = put_named (pool, &kind, batch);
  l->stored += pool->count - had;
  return rc;
}

uint64_t tl_layers_persistent (const tl_layers *l) {
  return l->archive ? l->roots : l->persistent.count - l->has_initial;
}

tl_status tl_layers_push (tl_layers *l, tl_layer *layer,
                          const uint64_t *record) {
  tl_status rc = TL_OK;
  if (!layer->waiting)
    rc = heap_push (l, &l->todo, layer);
  layer->waiting |= !rc;
  if (!rc)
    rc = tl_backlog_push (layer->whole ? &layer->todo : &layer->candidates,
                          &l->backlogs, record);
  l->unprocessed += !rc;
  return rc;
}

tl_status tl_layers_push_root (tl_layers *l, tl_layer *layer,
                               const uint64_t *record) {
  const tl_status rc = tl_backlog_push (&layer->roots, &l->backlogs, record);
  l->roots += !rc;
  return rc;
}

bool tl_layers_flush (tl_layers *l) {
  bool gave = l->archive && tl_archive_flush (l->archive);
  for (size_t i = 0; i < l->slots; i++) {
    tl_layer *layer = l->slot[i];
    if (!layer)
      continue;
    gave |= tl_backlog_flush (&layer->todo, &l->backlogs);
    gave |= tl_backlog_flush (&layer->candidates, &l->backlogs);
    gave |= tl_backlog_flush (&layer->checked, &l->backlogs);
    gave |= tl_backlog_flush (&layer->roots, &l->backlogs);
  }
  return gave;
}

tl_status tl_layers_pop_some (tl_layers *l, tl_layer *layer, size_t most,
                              uint64_t *records, size_t *n) {
  const tl_status rc =
      tl_backlog_pop (&layer->todo, &l->backlogs, most, records, n);
  l->unprocessed -= *n;
  return rc;
}

tl_status tl_layers_pop (tl_layers *l, tl_layer *layer, uint64_t *record) {
  size_t n;
  return tl_layers_pop_some (l, layer, 1, record, &n);
}

uint64_t tl_layer_left (const tl_layer *layer) {
  return tl_backlog_left (&layer->todo);
}

uint64_t tl_layer_checked (const tl_layer *layer) {
  return tl_backlog_left (&layer->checked);
}

tl_layer *tl_layers_line (tl_layers *l) {
  while (l->todo.count) {
    tl_layer *layer = l->todo.layer[0];
    if (tl_backlog_left (&layer->todo) ||
        tl_backlog_left (&layer->candidates) ||
        tl_backlog_left (&layer->checked))
      return layer;
    layer->waiting = false;
    close_backlog (l, &layer->todo);
    close_backlog (l, &layer->candidates);
    close_backlog (l, &layer->checked);
    heap_pop (l, &l->todo);
  }
  return 0;
}

tl_layer *tl_layers_least (const tl_layers *l) {
  return l->open.count ? l->open.layer[0] : 0;
}

void tl_layers_free_least (tl_layers *l) {
  tl_layer *layer = l->open.layer[0];
  heap_pop (l, &l->open);
  tl_layers_archive (l, layer);
  l->stored -= layer->states.count - layer->twice;
  layer->twice = 0;
  tl_pool_clear (&layer->states, l->kind.mem);
  layer->open = layer->whole = false;
  layer->passes = 0;
  assert (tl_layer_is_legal (layer));
  if (!tl_backlog_left (&layer->roots) &&
      !(l->archive && layer->archived.total)) {
    forget (l, layer);
    close_layer (l, layer);
  }
}

// The roots of a layer are next.  It is not in memory: states that are found in
// memory do not become roots.
static tl_status begin_with_roots (tl_layers *l, tl_layer *layer) {
  const tl_status rc = tl_layers_enter (l, layer);
  if (rc)
    return rc;
  assert (!layer->states.count);
  layer->states = layer->ahead;
  layer->ahead = (tl_pool){0};
  if (layer->states.count > l->largest)
    l->largest = layer->states.count;
  tl_backlog *next = layer->whole ? &layer->todo : &layer->candidates;
  const tl_backlog none = *next;
  *next = layer->roots;
  layer->roots = none;
  l->unprocessed += tl_backlog_left (next);
  layer->waiting = true;
  return heap_push (l, &l->todo, layer);
}

// It has none: nothing that was kept there is needed.
static void forget_ahead (tl_layers *l, tl_layer *layer) {
  l->stored -= layer->ahead.count;
  tl_pool_clear (&layer->ahead, l->kind.mem);
}

tl_status tl_layers_restart (tl_layers *l, bool *any) {
  *any = false;
  tl_layers_line (l); // layers that have nothing left leave the heap
  while (l->open.count && !l->keep_all)
    tl_layers_free_least (l);
  if (tl_layers_persistent (l) > l->most_persistent)
    l->most_persistent = tl_layers_persistent (l);
  l->persistent_before = l->persistent.count;
  l->roots = 0;
  l->kind.spec.salt += TL_SWEEP_SALT;
  l->looked_up += l->slots;
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < l->slots; i++)
    if (l->slot[i] && tl_backlog_left (&l->slot[i]->roots)) {
      rc = begin_with_roots (l, l->slot[i]);
      *any = true;
    } else if (l->slot[i])
      forget_ahead (l, l->slot[i]);
  return rc;
}

// ---- Keys of another shape -------------------------------------------------

typedef struct move {
  tl_layers *from, *to;
  void (*convert) (const void *, const uint64_t *old, uint64_t *key);
  const void *context;
  uint64_t *old, *new; // [MOVE_BATCH] records
} move;

static tl_status move_pool (const move *m, tl_pool *pool,
                            const tl_pool_kind *kind) {
  const uint32_t old_words = m->from->kind.spec.key_words,
                 words = m->to->kind.spec.key_words;
  tl_pool moved = {0};
  uint64_t cursor = 0;
  uint8_t isnew[MOVE_BATCH];
  tl_status rc = TL_OK;
  for (size_t n; !rc && (n = tl_pool_each (pool, &m->from->kind, &cursor,
                                           MOVE_BATCH, m->old));) {
    for (size_t i = 0; i < n; i++)
      m->convert (m->context, m->old + i * old_words, m->new + i *words);
    rc = tl_pool_put (&moved, kind,
                      &(tl_batch){.count = n, .keys = m->new, .isnew = isnew});
  }
  // Keys come and go in their order, and so do their names.
  moved.name = pool->name;
  moved.name_room = pool->name_room;
  pool->name = 0;
  tl_pool_clear (pool, m->from->kind.mem);
  *pool = moved;
  return rc;
}

static tl_status move_backlog (const move *m, tl_backlog *backlog) {
  const uint32_t old_words = m->from->kind.spec.key_words,
                 words = m->to->kind.spec.key_words;
  tl_backlog moved = {0};
  size_t n;
  tl_status rc = TL_OK;
  while (!rc && tl_backlog_left (backlog) &&
         !(rc = tl_backlog_pop (backlog, &m->from->backlogs, 1, m->old, &n))) {
    m->convert (m->context, m->old, m->new);
    memcpy (m->new + words, m->old + old_words,
            (m->from->backlogs.words - old_words) * sizeof *m->new);
    rc = tl_backlog_push (&moved, &m->to->backlogs, m->new);
  }
  close_backlog (m->from, backlog);
  *backlog = moved;
  return rc;
}

static tl_status expand_checked (tl_layers *l, tl_layer *layer) {
  tl_backlog sure = layer->todo;
  uint64_t record[l->backlogs.words];
  size_t n;
  tl_status rc = TL_OK;
  layer->todo = (tl_backlog){0};
  while (!rc && tl_layer_checked (layer) &&
         !(rc = tl_layers_take_new (l, layer)))
    while (!rc && tl_layer_left (layer) &&
           !(rc = tl_backlog_pop (&layer->todo, &l->backlogs, 1, record, &n)))
      rc = tl_backlog_push (&sure, &l->backlogs, record);
  close_backlog (l, &layer->todo);
  layer->todo = sure;
  return rc;
}

tl_status tl_layers_settle_checked (tl_layers *l) {
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < l->slots; i++)
    if (l->slot[i] && tl_layer_checked (l->slot[i]))
      rc = expand_checked (l, l->slot[i]);
  return rc;
}

// What is in the archive.
static tl_status move_archived (const move *m, tl_layer *layer) {
  const uint32_t old_words = m->from->kind.spec.key_words,
                 words = m->to->kind.spec.key_words;
  tl_archived moved = {0};
  tl_status rc = TL_OK;
  const uint64_t *keys;
  size_t n;
  for (tl_archive_cursor c = TL_ARCHIVE_CURSOR (layer->archived);
       !rc && !(rc = tl_archive_read (m->from->archive, &c, &keys, &n)) && n;) {
    for (size_t i = 0; i < n; i++)
      m->convert (m->context, keys + i * old_words, m->new + i *words);
    rc = tl_archive_append (m->to->archive, &moved, m->new, words, n);
  }
  layer->archived = layer->before = moved;
  return rc;
}

static tl_status move_all (const move *m) {
  const tl_pool_kind ahead = tl_layers_kind_ahead (m->to);
  tl_status rc = move_pool (m, &m->to->persistent, &m->to->persistent_kind);
  for (size_t i = 0; !rc && i < m->from->slots; i++) {
    tl_layer *layer = m->from->slot[i];
    if (!layer)
      continue;
    if (m->to->archive && move_archived (m, layer))
      tl_layers_lose_archive (m->to);
    if (!rc)
      rc = move_pool (m, &layer->states, &m->to->kind);
    if (!rc)
      rc = move_pool (m, &layer->ahead, &ahead);
    if (!rc)
      rc = move_backlog (m, &layer->todo);
    if (!rc)
      rc = move_backlog (m, &layer->roots);
    if (!rc)
      rc = move_backlog (m, &layer->candidates);
  }
  return rc;
}

tl_status tl_layers_move (tl_layers *l, const tl_pool_kind *kind,
                          void (*convert) (const void *, const uint64_t *old,
                                           uint64_t *key),
                          const void *context) {
  tl_status rc = tl_layers_settle_checked (l);
  if (rc)
    return rc;
  tl_layers to = *l;
  to.kind = *kind;
  to.persistent_kind = kind_that_looks (kind);
  to.backlogs = backlogs_of (kind, l->queue);
  to.archive = 0;
  if (l->archive)
    tl_layers_open_archive (&to);
  move m = {.from = l, .to = &to, .convert = convert, .context = context};
  const size_t old_room = MOVE_BATCH * l->backlogs.words,
               room = MOVE_BATCH * to.backlogs.words;
  rc = TL_E_NOMEM;
  if (TL_NEW (l->queue, m.old, old_room) && TL_NEW (l->queue, m.new, room))
    rc = move_all (&m);
  TL_DEL (l->queue, m.old, old_room);
  TL_DEL (l->queue, m.new, room);
  tl_backlog_kind_close (&l->backlogs);
  tl_layers_close_archive (l);
  to.spilled = l->spilled;
  *l = to;
  return rc;
}
