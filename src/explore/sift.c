// The attic of the layers: which of the states that a sweep has found were
// visited in a sweep before.  The states of a layer that may be new are in
// memory; what the attic has of the layer is read once and looked up among
// them.  Those that are found there, the old ones, are a set of their own for
// the moment, and of the others each is new.
//
// A layer that is sifted a second time in the same sweep takes the states of
// the attic in, so that there is no third time.

#include "explore/layers.h"

#include <string.h>

void tl_layers_open_attic (tl_layers *l) {
  l->lost = tl_attic_open (&l->attic, l->queue, l->packer, &l->kind);
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

// Puts those of some keys that are not new into the set.
static tl_status add_old (tl_layers *l, tl_pool *old, const uint64_t *keys,
                          const uint8_t *isnew, size_t n) {
  const uint32_t words = l->kind.spec.key_words;
  uint64_t found[TL_ATTIC_BATCH * words];
  uint8_t ignored[TL_ATTIC_BATCH];
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    if (!isnew[i])
      memcpy (found + count++ * words, keys + i * words, words * sizeof *found);
  return tl_pool_put (
      old, &l->kept_kind,
      &(tl_batch){.count = count, .keys = found, .isnew = ignored});
}

// Reads what the attic has of a layer.
static tl_status find_old (tl_layers *l, tl_layer *layer, bool whole,
                           tl_pool *old) {
  uint8_t isnew[TL_ATTIC_BATCH];
  tl_status rc = TL_OK;
  size_t n;
  for (tl_attic_cursor c = TL_ATTIC_CURSOR (layer->stowed);
       !rc && !(rc = tl_attic_read (l->attic, &c, &n)) && n;) {
    tl_batch batch = {.count = n,
                      .keys = tl_attic_keys (l->attic),
                      .look = !whole,
                      .isnew = isnew};
    const uint64_t had = layer->states.count;
    rc = tl_pool_put (&layer->states, &l->kind, &batch);
    l->stored += layer->states.count - had;
    l->sifted += n;
    if (!rc)
      rc = add_old (l, old, batch.keys, isnew, n);
  }
  return rc;
}

// A state that was not visited before.
static tl_status take_new (tl_layers *l, tl_layer *layer,
                           const uint64_t *record) {
  const tl_status rc = tl_backlog_push (&layer->todo, &l->backlogs, record);
  if (rc)
    tl_backlog_push (&layer->unsure, &l->backlogs, record); // it fits there
  else if (l->attic && tl_attic_add (l->attic, &layer->stowed, record))
    tl_layers_lose_attic (l);
  return rc;
}

// All that are not sure are new, but for the old ones.
static tl_status take_others (tl_layers *l, tl_layer *layer, tl_pool *old) {
  uint64_t record[l->backlogs.words];
  uint8_t isnew;
  tl_status rc = TL_OK;
  if (l->attic && tl_attic_begin (l->attic, &layer->stowed))
    tl_layers_lose_attic (l);
  while (!rc && tl_backlog_left (&layer->unsure) &&
         !(rc = tl_backlog_pop (&layer->unsure, &l->backlogs, record))) {
    tl_pool_put (
        old, &l->kept_kind,
        &(tl_batch){.count = 1, .keys = record, .look = true, .isnew = &isnew});
    if (isnew)
      rc = take_new (l, layer, record);
    else
      l->unprocessed--;
  }
  return rc;
}

tl_status tl_layers_sift (tl_layers *l, tl_layer *layer) {
  const bool whole = layer->sifted || l->hoards || !l->kind.store->looks;
  tl_pool old = {0};
  tl_status rc = l->attic ? find_old (l, layer, whole, &old) : TL_OK;
  if (rc == TL_E_IO) {
    tl_layers_lose_attic (l);
    rc = TL_OK;
  }
  if (!rc)
    rc = take_others (l, layer, &old);
  tl_pool_clear (&old, l->kept_kind.mem);
  if (!rc) {
    layer->sifted = true;
    layer->whole = whole || !l->attic;
  }
  if (layer->states.count > l->largest)
    l->largest = layer->states.count;
  return rc;
}
