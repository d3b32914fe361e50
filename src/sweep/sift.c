// The attic of the layers: which of the states that a sweep has found were
// visited in a sweep before.  What the attic has of the layer is read, and
// those that may be among the states of the sweep make a sieve
// (sweep/sieve.h). The states go through it some at a time, just before they
// are expanded.
//
// Reading a state of the attic takes a few nanoseconds, putting it into a
// store twenty times as much.  The states of a layer may lead to others of it,
// and so it is sifted again and again in the same sweep.  If these are few, and
// there is another sweep to come anyway, they wait for that; else the layer
// takes the states of the attic in at last.

#include "base/bits.h"
#include "sweep/layers.h"

enum {
  MOST_PASSES = 8, // over the attic, of a layer in a sweep
  FEW = 32, // one state that waits costs as much as so many that are read
  BATCH = 64
};

void tl_layers_open_attic (tl_layers *l) {
  l->lost = tl_attic_open (&l->attic, l->queue, &l->kind);
}

void tl_layers_close_attic (tl_layers *l) {
  if (l->attic)
    l->spilled += tl_attic_spilled (l->attic);
  tl_attic_close (l->attic);
  l->attic = 0;
}

void tl_layers_lose_attic (tl_layers *l) {
  tl_layers_close_attic (l);
  l->lost = true;
}

// One that is not whole has had its new states put away when it was sifted.
void tl_layers_stow (tl_layers *l, tl_layer *layer) {
  if (l->attic && layer->whole && layer->states.count != layer->stowed.total &&
      tl_attic_stow (l->attic, &layer->states, &layer->stowed))
    tl_layers_lose_attic (l);
}

// ---- Old states ------------------------------------------------------------

// Puts states of the attic into their layer.
static tl_status take_in (tl_layers *l, tl_layer *layer,
                          const unsigned char *bytes, size_t n) {
  const uint32_t words = l->kind.spec.key_words,
                 size = tl_pool_key_bytes (&l->kind);
  uint64_t keys[BATCH * words];
  uint8_t ignored[BATCH];
  const uint64_t had = layer->states.count;
  tl_status rc = TL_OK;
  for (size_t done = 0, some; !rc && done < n; done += some) {
    some = n - done < BATCH ? n - done : BATCH;
    for (size_t i = 0; i < some; i++)
      tl_read_words (bytes + (done + i) * size, size, keys + i * words, words);
    rc = tl_pool_put (
        &layer->states, &l->kind,
        &(tl_batch){.count = some, .keys = keys, .isnew = ignored});
  }
  l->stored += layer->states.count - had;
  return rc;
}

static tl_status want_unsure (tl_layers *l, const tl_layer *layer,
                              tl_sieve *sieve) {
  tl_status rc;
  const uint64_t *record;
  size_t n;
  for (uint64_t block = 0; !(rc = tl_backlog_show (&layer->unsure, &l->backlogs,
                                                   block, &record, &n)) &&
                           n;
       block++)
    tl_sieve_want (sieve, record, l->backlogs.words, n);
  return rc;
}

// Reads what the attic had of the layer when the sweep came to it.  What was
// added since is among its states.
static tl_status tell_old (tl_layers *l, tl_layer *layer, bool whole,
                           tl_sieve *sieve) {
  tl_status rc = TL_OK;
  const unsigned char *keys;
  size_t n;
  for (tl_attic_cursor c = TL_ATTIC_CURSOR (layer->before);
       !rc && !(rc = tl_attic_read (l->attic, &c, &keys, &n)) && n;) {
    l->sifted += n;
    rc = tl_sieve_tell (sieve, keys, n);
    if (!rc && whole)
      rc = take_in (l, layer, keys, n);
  }
  return rc;
}

// Makes the sieve of a layer.
static tl_status find_old (tl_layers *l, tl_layer *layer, bool whole) {
  tl_sieve *sieve;
  if (!TL_NEW (l->queue, sieve, 1))
    return TL_E_NOMEM;
  layer->sieve = sieve;
  tl_status rc = tl_sieve_open (sieve, l->queue, l->kind.spec.key_words,
                                tl_pool_key_bytes (&l->kind),
                                tl_backlog_left (&layer->unsure));
  if (!rc)
    rc = want_unsure (l, layer, sieve);
  if (!rc && (rc = tell_old (l, layer, whole, sieve)) == TL_E_IO) {
    tl_layers_lose_attic (l);
    rc = TL_OK;
  }
  if (!rc)
    rc = tl_sieve_settle (sieve);
  if (rc)
    tl_layer_drop_sieve (l, layer);
  return rc;
}

void tl_layer_drop_sieve (tl_layers *l, tl_layer *layer) {
  if (!layer->sieve)
    return;
  tl_sieve_close (layer->sieve);
  TL_DEL (l->queue, layer->sieve, 1);
}

// ---- New states ------------------------------------------------------------

// Of some that are to be expanded only the new ones remain, and go to the
// attic.
static void drop_old (tl_layers *l, tl_layer *layer) {
  const size_t words = l->backlogs.words;
  tl_backlog *todo = &layer->todo;
  uint64_t *record = todo->record;
  uint8_t isnew[BATCH];
  size_t taken = 0;
  for (size_t from = 0; from < todo->count; from += BATCH) {
    const size_t some = todo->count - from < BATCH ? todo->count - from : BATCH;
    tl_sieve_look (layer->sieve, record + from * words, words, some, isnew);
    for (size_t i = 0; i < some; i++) {
      tl_copy_words (record + taken * words, record + (from + i) * words,
                     words);
      taken += isnew[i];
    }
  }
  l->unprocessed -= todo->count - taken;
  todo->count = taken;
  if (l->attic && tl_attic_add (l->attic, &layer->stowed, record, words, taken))
    tl_layers_lose_attic (l);
}

tl_status tl_layers_sieve (tl_layers *l, tl_layer *layer) {
  const tl_status rc =
      tl_backlog_move (&layer->mixed, &layer->todo, &l->backlogs);
  if (rc)
    return rc;
  if (layer->sieve)
    drop_old (l, layer);
  if (!tl_backlog_left (&layer->mixed))
    tl_layer_drop_sieve (l, layer);
  return TL_OK;
}

// ---- States that wait ------------------------------------------------------

static bool may_wait (const tl_layers *l, const tl_layer *layer) {
  return l->attic && !l->hoards && l->roots && layer->sifted &&
         tl_backlog_left (&layer->unsure) < layer->stowed.total / FEW;
}

// A state that is not sure becomes a root of the next sweep.
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
  for (size_t n; !rc && tl_backlog_left (&layer->unsure);) {
    if ((rc = tl_backlog_pop (&layer->unsure, &l->backlogs, 1, record, &n)))
      return rc;
    if ((rc = make_root (l, layer, record)))
      tl_backlog_push (&layer->unsure, &l->backlogs, record); // it fits there
  }
  return rc;
}

tl_status tl_layers_sift (tl_layers *l, tl_layer *layer) {
  // What is whole was visited: no state of it may wait.
  const bool waits = layer->twice, often = layer->sifted == MOST_PASSES,
             whole = (often && !waits) || l->hoards || !l->kind.store->looks;
  if (may_wait (l, layer))
    return make_wait (l, layer);
  const tl_status rc = l->attic ? find_old (l, layer, whole) : TL_OK;
  if (layer->states.count > l->largest)
    l->largest = layer->states.count;
  if (rc)
    return rc;
  const tl_backlog none = layer->mixed;
  layer->mixed = layer->unsure;
  layer->unsure = none;
  layer->sifted += !often;
  layer->whole = whole || !l->attic;
  return TL_OK;
}
