#include "store/lengths.h"

#include "base/bits.h"
#include "store/kinds.h"

#include <assert.h>
#include <string.h>

enum {
  GROUP = 64,                 // keys that are treated together
  MOST_CLASSES = 32 + 16 * 25 // of lengths below 2^32 bits
};

typedef struct lengths {
  tl_store base;
  const tl_store_kind *kind;    // of the parts
  tl_store *part[MOST_CLASSES]; // null: no such key so far
  tl_store *failed;             // had no memory, and may have lost keys
  uint64_t *keys;               // [GROUP][key words] of one class
} lengths;

static const tl_store_kind kind_of_lengths;

// ---- Classes ---------------------------------------------------------------

// Up to twice the steps of the kind a unit is a class; from there on each
// doubling has as many classes as there are steps.
static uint32_t class_of_units (const tl_store_kind *kind, uint64_t units) {
  const unsigned steps = kind->steps;
  const unsigned above = units > 2 * steps // bits that do not count
                             ? tl_bits_for (units - 1) - tl_bits_for (steps)
                             : 0;
  return steps * above + (uint32_t)((units - 1) >> above);
}

static uint64_t units_of_class (const tl_store_kind *kind, uint32_t class) {
  const unsigned steps = kind->steps;
  return class < 2 * steps
             ? class + 1
             : (uint64_t)(class % steps + steps + 1) << (class / steps - 1);
}

static uint32_t class_of (const lengths *s, const uint64_t *key) {
  uint32_t words = s->base.spec.key_words;
  while (words > 1 && !key[words - 1])
    words--;
  const uint64_t bits =
      64 * (uint64_t)(words - 1) + tl_bits_for (key[words - 1]);
  const unsigned unit = s->kind->unit;
  return class_of_units (s->kind, bits > unit ? (bits + unit - 1) / unit : 1);
}

static tl_status open_part (lengths *s, uint32_t class) {
  tl_store_spec spec = s->base.spec;
  const uint64_t bits = units_of_class (s->kind, class) * s->kind->unit;
  spec.lengths = false;
  spec.lean = true;
  spec.key_bits = (uint32_t)bits;
  spec.key_words = (uint32_t)((bits + 63) / 64);
  const bool plain = s->kind->longest && bits > s->kind->longest;
  return (plain ? &tl_store_plain : s->kind)
      ->open (s->part + class, s->base.mem, &spec);
}

// Copies a key, of which so many words are there, to so many.
static void copy_key (const uint64_t *from, size_t words, uint64_t *to,
                      size_t room) {
  const size_t n = words < room ? words : room;
  memcpy (to, from, n * sizeof *to);
  memset (to + n, 0, (room - n) * sizeof *to);
}

// Collects the keys that `which` says; returns how many.
static size_t gather (const lengths *s, const tl_store *part,
                      const uint64_t *keys, uint64_t which) {
  const size_t words = s->base.spec.key_words, to = part->spec.key_words;
  size_t n = 0;
  for (; which; which &= which - 1)
    copy_key (keys + (size_t)__builtin_ctzll (which) * words, words,
              s->keys + n++ * to, to);
  return n;
}

// ---- Putting keys ----------------------------------------------------------

// Of a batch, up to GROUP keys from `done` on.
typedef struct group {
  const uint64_t *keys;
  uint8_t *isnew;
  size_t count;
  uint32_t class[GROUP];
} group;

// The keys of `left` that are of one class with the first.
static uint64_t alike (const group *g, uint64_t left) {
  const uint32_t class = g->class[__builtin_ctzll (left)];
  uint64_t which = 0;
  for (; left; left &= left - 1) {
    const unsigned i = (unsigned)__builtin_ctzll (left);
    which |= (uint64_t)(g->class[i] == class) << i;
  }
  return which;
}

// Looks for all keys, those of each class at once; that cannot fail where the
// part has all its keys.
static void look (const lengths *s, group *g) {
  uint8_t isnew[GROUP];
  for (uint64_t left = tl_low_bits ((unsigned)g->count), which; left;
       left &= ~which) {
    which = alike (g, left);
    tl_store *part = s->part[g->class[__builtin_ctzll (left)]];
    memset (isnew, 1, sizeof isnew);
    if (part)
      part->kind->put (part,
                       &(tl_batch){.count = gather (s, part, g->keys, which),
                                   .keys = s->keys,
                                   .look = true,
                                   .isnew = isnew});
    size_t n = 0;
    for (uint64_t w = which; w; w &= w - 1)
      g->isnew[__builtin_ctzll (w)] = isnew[n++];
  }
}

static tl_status put_one (lengths *s, const group *g, size_t i, bool patient) {
  const uint32_t class = g->class[i];
  const tl_status rc = s->part[class] ? TL_OK : open_part (s, class);
  if (rc)
    return rc;
  tl_store *part = s->part[class];
  const uint64_t before = part->count;
  gather (s, part, g->keys, (uint64_t)1 << i);
  const tl_status put =
      part->kind->put (part, &(tl_batch){.count = 1,
                                         .keys = s->keys,
                                         .patient = patient,
                                         .isnew = g->isnew + i});
  s->base.count += part->count - before;
  s->failed = put ? part : 0;
  return put;
}

// Those that are new are put one by one, so that a batch that ends for lack of
// memory ends at one key for all classes; most keys are not new.
static tl_status put_group (lengths *s, tl_batch *batch, group *g) {
  for (size_t i = 0; i < g->count; i++)
    g->class[i] = class_of (s, g->keys + i * s->base.spec.key_words);
  if (s->kind->looks)
    look (s, g);
  else
    memset (g->isnew, 1, g->count);
  for (size_t i = 0; i < g->count; i++, batch->done++) {
    const tl_status rc =
        g->isnew[i] && !batch->look ? put_one (s, g, i, batch->patient) : TL_OK;
    if (rc)
      return rc;
  }
  return TL_OK;
}

static tl_status lengths_put (tl_store *base, tl_batch *batch) {
  lengths *s = (lengths *)base;
  tl_status rc = TL_OK;
  batch->done = 0;
  if (s->failed && !batch->look) // what has lost keys takes no more
    rc = s->failed->kind->put (s->failed, &(tl_batch){.patient = batch->patient,
                                                      .isnew = batch->isnew});
  while (!rc && batch->done < batch->count) {
    const size_t left = batch->count - batch->done;
    group g = {.keys = batch->keys + batch->done * base->spec.key_words,
               .isnew = batch->isnew + batch->done,
               .count = left < GROUP ? left : GROUP};
    rc = put_group (s, batch, &g);
  }
  return rc;
}

// ---- Telling them ----------------------------------------------------------

// Cursor: that of the part at hand, and between its bits the number of the
// class: no part has so many keys that it needs these.  Shards have those above
// them.
#define CLASS_BIT 35
#define CLASS_BITS ((uint64_t)511 << CLASS_BIT)

static size_t lengths_each (tl_store *base, uint64_t *cursor, size_t most,
                            uint64_t *keys, bool drain) {
  const lengths *s = (const lengths *)base;
  const size_t words = base->spec.key_words;
  uint64_t class = (*cursor & CLASS_BITS) >> CLASS_BIT;
  uint64_t inner = *cursor & ~CLASS_BITS;
  size_t n = 0;
  for (; !n && class < MOST_CLASSES; inner = 0, class ++) {
    tl_store *part = s->part[class];
    if (!part)
      continue;
    n = part->kind->each (part, &inner, most < GROUP ? most : GROUP, s->keys,
                          drain);
    for (size_t i = 0; i < n; i++)
      copy_key (s->keys + i * part->spec.key_words, part->spec.key_words,
                keys + i * words, words);
    assert (!(inner & CLASS_BITS));
    if (n)
      break;
  }
  *cursor = inner | class << CLASS_BIT;
  return n;
}

// ---- Opening, closing, longer keys -----------------------------------------

static size_t room_for (const tl_store_kind *kind, const tl_store_spec *spec) {
  const uint64_t units = (64 * (uint64_t)spec->key_words - 1) / kind->unit + 1,
                 most = units_of_class (kind, class_of_units (kind, units));
  return GROUP * (size_t)((most * kind->unit + 63) / 64);
}

static void lengths_close (tl_store *base) {
  lengths *s = (lengths *)base;
  if (!s)
    return;
  tl_mem *mem = base->mem;
  for (uint32_t i = 0; i < MOST_CLASSES; i++)
    if (s->part[i])
      s->part[i]->kind->close (s->part[i]);
  TL_DEL (mem, s->keys, room_for (s->kind, &base->spec));
  TL_DEL (mem, s, 1);
}

// Longer keys are the same ones with zeros behind them.
static tl_status lengths_reshape (tl_store *base, const tl_store_spec *spec,
                                  const tl_conversion *how) {
  lengths *s = (lengths *)base;
  uint64_t *keys;
  (void)how;
  if (!TL_NEW (base->mem, keys, room_for (s->kind, spec)))
    return TL_E_NOMEM;
  TL_DEL (base->mem, s->keys, room_for (s->kind, &base->spec));
  s->keys = keys;
  base->spec = *spec;
  return TL_OK;
}

tl_status tl_lengths_open (tl_store **out, const tl_store_kind *kind,
                           tl_mem *mem, const tl_store_spec *spec) {
  lengths *s;
  *out = 0;
  if (!TL_NEW (mem, s, 1))
    return TL_E_NOMEM;
  s->base = (tl_store){.kind = &kind_of_lengths,
                       .mem = mem,
                       .spec = *spec,
                       .reshape = lengths_reshape};
  s->kind = kind;
  if (!TL_NEW (mem, s->keys, room_for (kind, spec))) {
    lengths_close (&s->base);
    return TL_E_NOMEM;
  }
  *out = &s->base;
  return TL_OK;
}

static const tl_store_kind kind_of_lengths = {.name = "lengths",
                                              .looks = true,
                                              .put = lengths_put,
                                              .each = lengths_each,
                                              .close = lengths_close};
