// Layers in a file, for a checkpoint: what is in memory of each of them, and
// where the archive has the rest.
//
//     layers   figures | persistent | layer | layer | ...
//     layer    value, flags, counts | states | ahead | todo | candidates |
//     roots
//
// Keys are bytes as in a pool, records have what stands behind their keys as
// numbers.

#include "base/bits.h"
#include "base/error.h"
#include "sweep/layers.h"

#include <string.h>

enum { BATCH = 64, OPEN = 1, WHOLE = 2, WAITING = 4, FLAGS = 7 };

// ---- Writing ---------------------------------------------------------------

// After a failure all else does nothing, and the end of the file tells.
static void put (tl_record_writer *w, uint64_t number) {
  tl_records_write_word (w, number);
}

static void put_key (tl_record_writer *w, const tl_pool_kind *kind,
                     const uint64_t *key) {
  const uint32_t words = kind->spec.key_words;
  unsigned char bytes[8 * words];
  tl_write_words (bytes, key, words);
  tl_records_write (w, bytes, tl_pool_key_bytes (kind));
}

static void put_pool (tl_record_writer *w, const tl_pool *pool,
                      const tl_pool_kind *kind) {
  const uint32_t words = kind->spec.key_words;
  uint64_t keys[BATCH * words], cursor = 0;
  put (w, pool->count);
  for (size_t n; (n = tl_pool_each (pool, kind, &cursor, BATCH, keys));)
    for (size_t i = 0; i < n; i++)
      put_key (w, kind, keys + i * words);
}

// TL_E_IO: what was put away cannot be read back.
static tl_status put_backlog (tl_record_writer *w, const tl_backlog *b,
                              tl_layers *l) {
  const size_t words = l->backlogs.words, key_words = l->backlogs.key_words;
  const uint64_t *record;
  tl_status rc = TL_OK;
  size_t n;
  put (w, tl_backlog_left (b));
  for (uint64_t block = 0;
       !(rc = tl_backlog_show (b, &l->backlogs, block, &record, &n)) && n;
       block++)
    for (size_t i = 0; i < n; i++, record += words) {
      put_key (w, &l->kind, record);
      for (size_t k = key_words; k < words; k++)
        tl_records_write_number (w, record[k]);
    }
  return rc;
}

// What was in an archive that is lost is as good as never visited.
static void put_archived (tl_record_writer *w, const tl_layers *l,
                          tl_archived a) {
  a = l->archive ? a : (tl_archived){0};
  put (w, a.at);
  put (w, a.count);
  put (w, a.total);
}

static tl_status put_layer (tl_record_writer *w, const tl_layer *layer,
                            tl_layers *l) {
  const tl_pool_kind ahead = tl_layers_kind_ahead (l);
  for (uint32_t i = 0; i < l->parts; i++)
    put (w, (uint64_t)layer->value[i]);
  put (w, (layer->open ? OPEN : 0) | (layer->whole ? WHOLE : 0) |
              (layer->waiting ? WAITING : 0));
  put (w, layer->passes);
  put (w, layer->twice);
  put_archived (w, l, layer->archived);
  put_archived (w, l, layer->before);
  put_pool (w, &layer->states, &l->kind);
  put_pool (w, &layer->ahead, &ahead);
  tl_status rc = put_backlog (w, &layer->todo, l);
  if (!rc)
    rc = put_backlog (w, &layer->candidates, l);
  return rc ? rc : put_backlog (w, &layer->roots, l);
}

tl_status tl_layers_save (tl_layers *l, tl_record_writer *w) {
  tl_status rc = TL_OK;
  put (w, l->kind.spec.key_words);
  put (w, l->kind.spec.key_bits);
  put (w, l->parts);
  put (w, l->kind.spec.salt);
  put (w, l->persistent_kind.spec.salt);
  put (w, l->stored);
  put (w, l->persistent_before);
  put (w, l->most_persistent);
  put (w, l->roots);
  put (w, l->lost);
  put (w, l->looked_up);
  put (w, l->keep_all);
  put (w, l->largest);
  put (w, l->unprocessed);
  put (w, l->seen);
  put_pool (w, &l->persistent, &l->persistent_kind);
  put (w, l->count);
  for (size_t i = 0; !rc && i < l->slots; i++)
    if (l->slot[i])
      rc = put_layer (w, l->slot[i], l);
  return rc;
}

// ---- Reading ---------------------------------------------------------------

typedef struct reading {
  tl_layers *layers;
  tl_record_reader *file;
  tl_error *error;
  tl_status rc;
} reading;

static uint64_t take (reading *r) {
  uint64_t word = 0;
  if (!r->rc)
    r->rc = tl_records_read_word (r->file, &word, r->error);
  return r->rc ? 0 : word;
}

static void refuse (reading *r, bool wrong) {
  if (wrong && !r->rc)
    r->rc = tl_fail_at (r->error, TL_E_SYNTAX, r->file->path, 0, 0,
                        "the states of the sweep are damaged");
}

static void take_key (reading *r, uint64_t *key) {
  const tl_pool_kind *kind = &r->layers->kind;
  const uint32_t words = kind->spec.key_words;
  const size_t size = tl_pool_key_bytes (kind);
  unsigned char bytes[8 * words + 8];
  if (!r->rc)
    r->rc = tl_records_read (r->file, bytes, size, r->error);
  if (!r->rc)
    tl_read_words (bytes, size, key, words);
}

// Where memory is short, what can be on the disk goes there.
static bool should_try_again (reading *r) {
  const bool again = r->rc == TL_E_NOMEM && tl_layers_flush (r->layers);
  r->rc = again ? TL_OK : r->rc;
  return again;
}

static void put_keys (reading *r, tl_pool *pool, const tl_pool_kind *kind,
                      const uint64_t *keys, size_t n) {
  uint8_t isnew[BATCH];
  size_t done = 0;
  do {
    tl_batch batch = {.count = n - done,
                      .keys = keys + done * kind->spec.key_words,
                      .isnew = isnew + done};
    r->rc = tl_pool_put (pool, kind, &batch);
    done += batch.done;
  } while (should_try_again (r));
  for (size_t i = 0; !r->rc && i < n; i++)
    refuse (r, !isnew[i]);
}

static void take_pool (reading *r, tl_pool *pool, const tl_pool_kind *kind) {
  const uint32_t words = kind->spec.key_words;
  uint64_t keys[BATCH * words];
  for (uint64_t left = take (r), n; !r->rc && left; left -= n) {
    n = left < BATCH ? left : BATCH;
    for (size_t i = 0; i < n; i++)
      take_key (r, keys + i * words);
    if (!r->rc)
      put_keys (r, pool, kind, keys, (size_t)n);
  }
}

static void take_backlog (reading *r, tl_backlog *b) {
  tl_layers *l = r->layers;
  const size_t words = l->backlogs.words, key_words = l->backlogs.key_words;
  uint64_t record[words];
  for (uint64_t left = take (r); !r->rc && left; left--) {
    take_key (r, record);
    for (size_t k = key_words; !r->rc && k < words; k++)
      r->rc =
          tl_records_read_number (r->file, UINT64_MAX, record + k, r->error);
    if (r->rc)
      return;
    do
      r->rc = tl_backlog_push (b, &l->backlogs, record);
    while (should_try_again (r));
  }
}

static tl_archived take_archived (reading *r) {
  const uint64_t at = take (r), count = take (r), total = take (r);
  refuse (r, total && !r->layers->archive);
  return (tl_archived){at, count, total};
}

static void take_layer (reading *r) {
  tl_layers *l = r->layers;
  const tl_pool_kind ahead = tl_layers_kind_ahead (l);
  int64_t value[TL_MEASURE_PARTS];
  tl_layer *layer;
  const size_t had = l->count;
  for (uint32_t i = 0; i < l->parts; i++)
    value[i] = (int64_t)take (r);
  if (!r->rc)
    r->rc = tl_layers_at (l, value, &layer);
  if (r->rc)
    return;
  const uint64_t flags = take (r);
  refuse (r, flags > FLAGS || l->count == had);
  layer->open = flags & OPEN;
  layer->whole = flags & WHOLE;
  layer->passes = (uint8_t)take (r);
  layer->twice = take (r);
  layer->archived = take_archived (r);
  layer->before = take_archived (r);
  take_pool (r, &layer->states, &l->kind);
  take_pool (r, &layer->ahead, &ahead);
  take_backlog (r, &layer->todo);
  take_backlog (r, &layer->candidates);
  take_backlog (r, &layer->roots);
  layer->waiting = flags & WAITING;
  refuse (r, !tl_layer_is_legal (layer));
  if (!r->rc)
    r->rc = tl_layers_arrange (l, layer);
}

tl_status tl_layers_restore (tl_layers *l, tl_record_reader *file,
                             tl_error *error) {
  reading r = {.layers = l, .file = file, .error = error};
  refuse (&r, take (&r) != l->kind.spec.key_words);
  refuse (&r, take (&r) != l->kind.spec.key_bits);
  refuse (&r, take (&r) != l->parts);
  l->kind.spec.salt = (uint32_t)take (&r) + TL_SWEEP_SALT;
  l->persistent_kind.spec.salt = (uint32_t)take (&r) + TL_SWEEP_SALT;
  l->stored = take (&r);
  l->persistent_before = take (&r);
  l->most_persistent = take (&r);
  l->roots = take (&r);
  l->lost = take (&r);
  l->looked_up = take (&r);
  l->keep_all = take (&r);
  l->largest = take (&r);
  l->unprocessed = take (&r);
  l->seen = take (&r);
  take_pool (&r, &l->persistent, &l->persistent_kind);
  l->has_initial = l->persistent.count;
  for (uint64_t left = take (&r); !r.rc && left; left--)
    take_layer (&r);
  return r.rc;
}
