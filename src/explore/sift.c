// The attic of the layers: which of the states that a sweep has found were
// visited in a sweep before.  Some bits for each state of a layer that may be
// new are a filter.  What the attic has of the layer is read, and what passes
// the filter is a set for the moment: all that are in it are old, and few
// others.  Of the states that may be new those are that are not in the set.
//
// Reading a state of the attic takes some ten nanoseconds, putting it into a
// store ten times as much.  The states of a layer may lead to others of it, and
// so it is sifted again and again in the same sweep.  If these are few, and
// there is another sweep to come anyway, they wait for that; else the layer
// takes the states of the attic in at last.

#include "base/bits.h"
#include "explore/layers.h"

enum {
  MOST_PASSES = 8, // over the attic, of a layer in a sweep
  FEW = 32,  // one state that waits costs as much as so many that are read
  BITS = 16, // of the filter, for each state
  BATCH = TL_ATTIC_BATCH
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

// ---- The filter ------------------------------------------------------------

typedef struct filter {
  tl_mem *mem;
  uint64_t *bits;
  uint64_t mask; // its length in bits, a power of two, - 1
} filter;

// A state has two bits, in the two halves of this.
static inline uint64_t hash_of (const uint64_t *key, uint32_t words) {
  uint64_t hash = 0;
  for (uint32_t w = 0; w < words; w++) {
    hash = (hash ^ key[w]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash;
}

static inline uint64_t has_bit (const filter *f, uint64_t n) {
  return f->bits[(n & f->mask) / 64] >> n % 64 & 1;
}

static inline void set_bit (filter *f, uint64_t n) {
  f->bits[(n & f->mask) / 64] |= (uint64_t)1 << n % 64;
}

static void close_filter (filter *f) {
  if (f->bits)
    TL_DEL (f->mem, f->bits, f->mask / 64 + 1);
}

// For the states of a layer that are not sure.
static tl_status open_filter (filter *f, tl_layers *l, const tl_layer *layer) {
  const uint64_t wish = tl_backlog_left (&layer->unsure) * BITS;
  const size_t words = l->backlogs.words;
  *f = (filter){.mem = l->queue, .mask = tl_low_bits (tl_bits_for (wish | 63))};
  if (!TL_NEW (f->mem, f->bits, f->mask / 64 + 1))
    return TL_E_NOMEM;
  tl_status rc = TL_OK;
  const uint64_t *record;
  size_t n;
  for (uint64_t block = 0; !(rc = tl_backlog_show (&layer->unsure, &l->backlogs,
                                                   block, &record, &n)) &&
                           n;
       block++)
    for (size_t i = 0; i < n; i++) {
      const uint64_t hash =
          hash_of (record + i * words, l->kind.spec.key_words);
      set_bit (f, hash);
      set_bit (f, hash >> 32);
    }
  if (rc)
    close_filter (f);
  return rc;
}

// ---- Old states ------------------------------------------------------------

// Puts those of some keys that pass the filter into the set.
static tl_status add_old (tl_layers *l, const filter *f, tl_pool *old,
                          const uint64_t *keys, size_t n) {
  const uint32_t words = l->kind.spec.key_words;
  uint64_t found[BATCH * words];
  uint8_t ignored[BATCH];
  size_t count = 0;
  // Which of them pass cannot be predicted: no branch.
  for (size_t i = 0; i < n; i++) {
    const uint64_t hash = hash_of (keys + i * words, words);
    tl_copy_words (found + count * words, keys + i * words, words);
    count += has_bit (f, hash) & has_bit (f, hash >> 32);
  }
  return tl_pool_put (
      old, &l->kept_kind,
      &(tl_batch){.count = count, .keys = found, .isnew = ignored});
}

// Puts states of the attic into their layer.
static tl_status take_in (tl_layers *l, tl_layer *layer, const uint64_t *keys,
                          size_t n) {
  uint8_t ignored[BATCH];
  const uint64_t had = layer->states.count;
  const tl_status rc =
      tl_pool_put (&layer->states, &l->kind,
                   &(tl_batch){.count = n, .keys = keys, .isnew = ignored});
  l->stored += layer->states.count - had;
  return rc;
}

// Reads what the attic has of a layer.
static tl_status find_old (tl_layers *l, tl_layer *layer, bool whole,
                           tl_pool *old) {
  filter f;
  tl_status rc = open_filter (&f, l, layer);
  if (rc)
    return rc;
  size_t n;
  for (tl_attic_cursor c = TL_ATTIC_CURSOR (layer->stowed);
       !rc && !(rc = tl_attic_read (l->attic, &c, &n)) && n;) {
    const uint64_t *keys = tl_attic_keys (l->attic);
    l->sifted += n;
    rc = add_old (l, &f, old, keys, n);
    if (!rc && whole)
      rc = take_in (l, layer, keys, n);
  }
  close_filter (&f);
  return rc;
}

// ---- New states ------------------------------------------------------------

// Some records, and the keys of these.
typedef struct records {
  uint64_t *record, *keys;
  size_t count;
} records;

// Which of some records are new?
static void look_up (const tl_layers *l, tl_pool *old, const records *r,
                     uint8_t *isnew) {
  const uint32_t words = l->kind.spec.key_words;
  for (size_t i = 0; i < r->count; i++)
    tl_copy_words (r->keys + i * words, r->record + i * l->backlogs.words,
                   words);
  tl_pool_put (
      old, &l->kept_kind,
      &(tl_batch){
          .count = r->count, .keys = r->keys, .look = true, .isnew = isnew});
}

// Takes those that were not visited before.  On failure the others are where
// they were.
static tl_status take_new (tl_layers *l, tl_layer *layer, const records *r,
                           const uint8_t *isnew) {
  const uint32_t words = l->kind.spec.key_words;
  tl_status rc = TL_OK;
  size_t taken = 0;
  for (size_t i = 0; i < r->count; i++) {
    const uint64_t *record = r->record + i * l->backlogs.words;
    l->unprocessed -= !isnew[i];
    if (isnew[i] && !rc)
      rc = tl_backlog_push (&layer->todo, &l->backlogs, record);
    if (isnew[i] && rc) // it fits there
      tl_backlog_push (&layer->unsure, &l->backlogs, record);
    else if (isnew[i]) {
      tl_copy_words (r->keys + taken * words, record, words);
      taken++;
    }
  }
  if (l->attic && tl_attic_add (l->attic, &layer->stowed, r->keys, taken))
    tl_layers_lose_attic (l);
  return rc;
}

// All that are not sure are new, but for the old ones.
static tl_status take_others (tl_layers *l, tl_layer *layer, tl_pool *old) {
  uint64_t record[BATCH * l->backlogs.words],
      keys[BATCH * l->kind.spec.key_words];
  records r = {.record = record, .keys = keys};
  uint8_t isnew[BATCH];
  tl_status rc = TL_OK;
  if (l->attic && tl_attic_begin (l->attic, &layer->stowed))
    tl_layers_lose_attic (l);
  while (!rc && tl_backlog_left (&layer->unsure) &&
         !(rc = tl_backlog_pop (&layer->unsure, &l->backlogs, BATCH, record,
                                &r.count))) {
    look_up (l, old, &r, isnew);
    rc = take_new (l, layer, &r, isnew);
  }
  return rc;
}

// ---- States that wait ------------------------------------------------------

static bool may_wait (const tl_layers *l, const tl_layer *layer) {
  return l->attic && !l->hoards && l->roots && layer->sifted &&
         tl_backlog_left (&layer->unsure) < layer->stowed.total / FEW;
}

// The states that are not sure become roots of the next sweep.
static tl_status make_wait (tl_layers *l, tl_layer *layer) {
  uint64_t record[l->backlogs.words];
  uint8_t isnew = 0;
  tl_batch one = {.count = 1, .keys = record, .isnew = &isnew};
  tl_status rc = TL_OK;
  for (size_t n; !rc && tl_backlog_left (&layer->unsure);) {
    if ((rc = tl_backlog_pop (&layer->unsure, &l->backlogs, 1, record, &n)))
      return rc;
    if ((rc = tl_layers_push_root (l, layer, record)))
      tl_backlog_push (&layer->unsure, &l->backlogs, record); // it fits there
    else {
      l->unprocessed--;
      // Without memory for that it may become a root twice.
      if (!tl_layers_keep (l, &one) && isnew) {
        layer->twice++;
        l->stored--;
      }
    }
  }
  return rc;
}

tl_status tl_layers_sift (tl_layers *l, tl_layer *layer) {
  const bool whole =
      layer->sifted == MOST_PASSES || l->hoards || !l->kind.store->looks;
  tl_pool old = {0};
  if (may_wait (l, layer))
    return make_wait (l, layer);
  tl_status rc = l->attic ? find_old (l, layer, whole, &old) : TL_OK;
  if (rc == TL_E_IO) {
    tl_layers_lose_attic (l);
    rc = TL_OK;
  }
  if (!rc)
    rc = take_others (l, layer, &old);
  tl_pool_clear (&old, l->kept_kind.mem);
  if (!rc) {
    layer->sifted++;
    layer->whole = whole || !l->attic;
  }
  if (layer->states.count > l->largest)
    l->largest = layer->states.count;
  return rc;
}
