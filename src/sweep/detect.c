// Duplicate detection against the archive: which of the states that a sweep has
// found were visited in a sweep before?  What the archive has of the layer is
// read, and what may be among the candidates of the sweep is noted
// (sweep/duplicates.h).  The candidates are compared with that some at a time,
// just before they are expanded.
//
// Reading a state of the archive takes a few nanoseconds, putting it into a
// store twenty times as much.  The states of a layer may lead to others of it,
// and so duplicates are detected again and again in the same sweep.  If the
// candidates are few, and there is another sweep to come anyway, they wait for
// that; else the layer takes the states of the archive in at last.

#include "base/tuning.h"
#include "base/bits.h"
#include "sweep/layers.h"

#include <assert.h>

enum { BATCH = 64 };

void tl_layers_open_archive (tl_layers *l) {
  l->lost = tl_archive_open (&l->archive, l->queue, &l->kind);
}

void tl_layers_close_archive (tl_layers *l) {
  if (l->archive)
    l->spilled += tl_archive_spilled (l->archive);
  tl_archive_close (l->archive);
  l->archive = 0;
}

void tl_layers_lose_archive (tl_layers *l) {
  tl_layers_close_archive (l);
  l->lost = true;
}

// One that is not whole has had its new states archived when its duplicates
// were detected.
void tl_layers_archive (tl_layers *l, tl_layer *layer) {
  if (l->archive && layer->whole &&
      layer->states.count != layer->archived.total &&
      tl_archive_write (l->archive, &layer->states, &layer->archived))
    tl_layers_lose_archive (l);
}

// ---- Old states ------------------------------------------------------------

// Puts states of the archive, at most a batch, into their layer.
static tl_status take_in (tl_layers *l, tl_layer *layer, const uint64_t *keys,
                          size_t n) {
  uint8_t ignored[TL_ARCHIVE_BATCH];
  const uint64_t had = layer->states.count;
  const tl_status rc =
      tl_pool_put (&layer->states, &l->kind,
                   &(tl_batch){.count = n, .keys = keys, .isnew = ignored});
  l->stored += layer->states.count - had;
  return rc;
}

static tl_status add_candidates (tl_layers *l, const tl_layer *layer,
                                 tl_duplicates *duplicates) {
  tl_status rc;
  const uint64_t *record;
  size_t n;
  for (uint64_t block = 0;
       !(rc = tl_backlog_show (&layer->candidates, &l->backlogs, block, &record,
                               &n)) &&
       n;
       block++)
    tl_duplicates_add_candidates (duplicates, record, l->backlogs.words, n);
  return rc;
}

// Reads what the archive had of the layer when the sweep came to it.  What was
// added since is among its states.
static tl_status add_visited (tl_layers *l, tl_layer *layer, bool whole,
                              tl_duplicates *duplicates) {
  tl_status rc = TL_OK;
  const uint64_t *keys;
  size_t n;
  for (tl_archive_cursor c = TL_ARCHIVE_CURSOR (layer->before);
       !rc && !(rc = tl_archive_read (l->archive, &c, &keys, &n)) && n;) {
    l->looked_up += n;
    rc = tl_duplicates_add_visited (duplicates, keys, n);
    if (!rc && whole)
      rc = take_in (l, layer, keys, n);
  }
  return rc;
}

// Finds the duplicates of a layer.
static tl_status find_duplicates (tl_layers *l, tl_layer *layer, bool whole) {
  tl_duplicates *duplicates;
  if (!TL_NEW (l->queue, duplicates, 1))
    return TL_E_NOMEM;
  layer->duplicates = duplicates;
  tl_status rc = tl_duplicates_open (
      duplicates, l->queue, l->kind.spec.key_words,
      tl_pool_key_bytes (&l->kind), tl_backlog_left (&layer->candidates));
  if (!rc)
    rc = add_candidates (l, layer, duplicates);
  if (!rc && (rc = add_visited (l, layer, whole, duplicates)) == TL_E_IO) {
    tl_layers_lose_archive (l);
    rc = TL_OK;
  }
  if (!rc)
    rc = tl_duplicates_index (duplicates);
  if (rc)
    tl_layer_close_duplicates (l, layer);
  return rc;
}

void tl_layer_close_duplicates (tl_layers *l, tl_layer *layer) {
  if (!layer->duplicates)
    return;
  tl_duplicates_close (layer->duplicates);
  TL_DEL (l->queue, layer->duplicates, 1);
}

// ---- New states ------------------------------------------------------------

// Of some that are to be expanded only the new ones remain, and go to the
// archive.
static void drop_old (tl_layers *l, tl_layer *layer) {
  const size_t words = l->backlogs.words;
  tl_backlog *todo = &layer->todo;
  uint64_t *record = todo->record;
  uint8_t isnew[BATCH];
  size_t taken = 0;
  for (size_t from = 0; from < todo->count; from += BATCH) {
    const size_t some = todo->count - from < BATCH ? todo->count - from : BATCH;
    tl_duplicates_look (layer->duplicates, record + from * words, words, some,
                        isnew);
    for (size_t i = 0; i < some; i++) {
      tl_copy_words (record + taken * words, record + (from + i) * words,
                     words);
      taken += isnew[i];
    }
  }
  l->unprocessed -= todo->count - taken;
  todo->count = taken;
  if (l->archive &&
      tl_archive_append (l->archive, &layer->archived, record, words, taken))
    tl_layers_lose_archive (l);
}

tl_status tl_layers_take_new (tl_layers *l, tl_layer *layer) {
  const tl_status rc =
      tl_backlog_move (&layer->checked, &layer->todo, &l->backlogs);
  if (rc)
    return rc;
  if (layer->duplicates)
    drop_old (l, layer);
  if (!tl_backlog_left (&layer->checked))
    tl_layer_close_duplicates (l, layer);
  assert (tl_layer_is_legal (layer));
  return TL_OK;
}

// ---- States that wait ------------------------------------------------------

static bool may_wait (const tl_layers *l, const tl_layer *layer) {
  return l->archive && !l->keep_all && l->roots && layer->passes &&
         tl_backlog_left (&layer->candidates) <
             layer->archived.total / TL_SWEEP_WAIT;
}

// A candidate becomes a root of the next sweep.
static tl_status make_root (tl_layers *l, tl_layer *layer, uint64_t *record) {
  uint8_t ignored;
  size_t n;
  tl_status rc = tl_layers_push_root (l, layer, record);
  if (rc)
    return rc;
  rc = tl_layers_keep (
      l, layer, &(tl_batch){.count = 1, .keys = record, .isnew = &ignored});
  if (rc) {
    tl_backlog_pop (&layer->roots, &l->backlogs, 1, record, &n);
    l->roots--;
    return rc;
  }
  layer->twice++;
  l->stored--;
  l->unprocessed--;
  return TL_OK;
}

static tl_status make_wait (tl_layers *l, tl_layer *layer) {
  uint64_t record[l->backlogs.words];
  tl_status rc = TL_OK;
  for (size_t n; !rc && tl_backlog_left (&layer->candidates);) {
    if ((rc = tl_backlog_pop (&layer->candidates, &l->backlogs, 1, record, &n)))
      return rc;
    if ((rc = make_root (l, layer, record)))
      tl_backlog_push (&layer->candidates, &l->backlogs,
                       record); // it fits there
  }
  return rc;
}

bool tl_layers_fit (const tl_layers *l, uint64_t keys) {
  const tl_mem *root = tl_mem_root (l->queue);
  return !root->limit || (root->used < root->limit &&
                          keys < (root->limit - root->used) /
                                     (2 * tl_pool_key_bytes (&l->kind)));
}

// Takes the layer in what the archive has of it?  What is whole was visited: no
// state of it may wait.
static bool should_be_whole (const tl_layers *l, const tl_layer *layer) {
  const bool waits = layer->twice, often = layer->passes == TL_SWEEP_PASSES;
  return (often && !waits && tl_layers_fit (l, layer->before.total)) ||
         l->keep_all || !l->kind.store->looks;
}

tl_status tl_layers_detect (tl_layers *l, tl_layer *layer) {
  const bool whole = should_be_whole (l, layer);
  if (may_wait (l, layer))
    return make_wait (l, layer);
  const tl_status rc = l->archive ? find_duplicates (l, layer, whole) : TL_OK;
  if (layer->states.count > l->largest)
    l->largest = layer->states.count;
  if (rc)
    return rc;
  const tl_backlog none = layer->checked;
  layer->checked = layer->candidates;
  layer->candidates = none;
  if (layer->passes < TL_SWEEP_PASSES)
    layer->passes++;
  layer->whole = whole || !l->archive;
  assert (tl_layer_is_legal (layer));
  return TL_OK;
}
