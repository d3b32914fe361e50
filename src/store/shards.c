#include "store/shards.h"

#include "base/bits.h"
#include "base/threads.h"
#include "store/kinds.h"
#include "store/lengths.h"

#include <assert.h>
#include <xxhash.h>

enum {
  LINE = 64, // bytes: what two threads should not both write to
  READ = 64  // parts told at once
};

typedef struct shard {
  pthread_mutex_t lock;
  tl_store *store;
} __attribute__ ((aligned (LINE))) shard;

struct tl_shards {
  tl_store base;
  tl_store_kind kind;  // that of the shards, for all of them
  unsigned bits;       // that say which shard
  uint32_t first, own; // those that are here
  uint32_t parts;      // that the shards are dealt to
  unsigned head_bits;  // of the first word that go through the bijection
  bool whole;          // keys are kept as they are
  uint64_t salt;
  uint32_t words; // of a part
  uint64_t *part; // room for READ
  void *block;    // the shards, with room to align them
  shard *shard;   // [own]
};

static size_t block_bytes (const tl_shards *s) {
  return sizeof (shard) * s->own + LINE;
}

uint32_t tl_shards_count (const tl_shards *s) {
  return s->own;
}

uint32_t tl_shards_words (const tl_shards *s) {
  return s->words;
}

// ---- Keys and parts --------------------------------------------------------

static uint64_t tail_hash (const tl_shards *s, const uint64_t *key) {
  const uint32_t words = s->base.spec.key_words;
  return words == 1 ? 0 : XXH3_64bits (key + 1, (words - 1) * sizeof *key);
}

// The bits of the head that are left, and then those of the other words.
static void join (const tl_shards *s, uint64_t head, const uint64_t *key,
                  uint64_t *part) {
  const uint32_t words = s->base.spec.key_words;
  uint64_t low = head;
  for (uint32_t w = 0; w < s->words; w++) {
    const uint64_t next = w + 1 < words ? key[w + 1] : 0;
    part[w] = low | next << (64 - s->bits);
    low = next >> s->bits;
  }
}

static void take_apart (const tl_shards *s, const uint64_t *part,
                        uint64_t *key) {
  const uint32_t words = s->base.spec.key_words;
  for (uint32_t w = 1; w < words; w++)
    key[w] =
        part[w - 1] >> (64 - s->bits) | (w < s->words ? part[w] << s->bits : 0);
}

static uint16_t split_long (const tl_shards *s, const uint64_t *key,
                            uint64_t *part) {
  const unsigned rest = 64 - s->bits;
  const uint64_t head = tl_mix (*key ^ s->salt ^ tail_hash (s, key));
  if (s->whole)
    memcpy (part, key, s->words * sizeof *key);
  else
    join (s, head & tl_low_bits (rest), key, part);
  return (uint16_t)(head >> rest);
}

void tl_shards_split (const tl_shards *s, const uint64_t *keys, size_t count,
                      uint16_t *owner, uint64_t *parts) {
  const uint32_t words = s->base.spec.key_words;
  const uint16_t first = (uint16_t)s->first;
  if (words > 1 || s->whole) {
    for (size_t i = 0; i < count; i++)
      owner[i] =
          (uint16_t)(split_long (s, keys + i * words, parts + i * s->words) -
                     first);
    return;
  }
  const unsigned bits = s->head_bits, rest = bits - s->bits;
  const uint64_t mask = tl_low_bits (rest), salt = s->salt;
  for (size_t i = 0; i < count; i++) {
    const uint64_t head = tl_mix_bits (keys[i] ^ salt, bits);
    owner[i] = (uint16_t)((head >> rest) - first);
    parts[i] = head & mask;
  }
}

// ---- Parts of the shards ---------------------------------------------------

static uint32_t first_of (uint32_t part, uint32_t parts, unsigned bits) {
  return (uint32_t)((((uint64_t)part << bits) + parts - 1) / parts);
}

void tl_shards_owners (const tl_shards *s, const uint64_t *keys, size_t count,
                       uint16_t *part) {
  const uint32_t words = s->base.spec.key_words, parts = s->parts;
  const unsigned bits = s->bits, head_bits = s->head_bits;
  const uint64_t salt = s->salt;
  if (words > 1 || s->whole)
    for (size_t i = 0; i < count; i++) {
      const uint64_t *key = keys + i * words,
                     owner = tl_mix (*key ^ salt ^ tail_hash (s, key)) >>
                             (64 - bits);
      part[i] = (uint16_t)(owner * parts >> bits);
    }
  else
    for (size_t i = 0; i < count; i++) {
      const uint64_t owner =
          tl_mix_bits (keys[i] ^ salt, head_bits) >> (head_bits - bits);
      part[i] = (uint16_t)(owner * parts >> bits);
    }
}

static void key_of (const tl_shards *s, uint64_t owner, const uint64_t *part,
                    uint64_t *key) {
  if (s->whole) {
    memcpy (key, part, s->words * sizeof *key);
    return;
  }
  const unsigned rest = s->head_bits - s->bits;
  const uint64_t head = owner << rest | (*part & tl_low_bits (rest));
  take_apart (s, part, key);
  *key = tl_unmix_bits (head, s->head_bits) ^ s->salt ^ tail_hash (s, key);
}

// ---- Several threads -------------------------------------------------------

bool tl_shards_try (tl_shards *s, uint32_t number) {
  return !pthread_mutex_trylock (&s->shard[number].lock);
}

void tl_shards_claim (tl_shards *s, uint32_t number) {
  tl_lock_soon (&s->shard[number].lock);
}

void tl_shards_release (tl_shards *s, uint32_t number) {
  pthread_mutex_unlock (&s->shard[number].lock);
}

void tl_shards_call (const tl_shards *s, uint32_t number, const uint64_t *parts,
                     size_t count) {
  const tl_store *store = s->shard[number].store;
  if (store->kind->call)
    store->kind->call (store, parts, count);
}

tl_status tl_shards_put (tl_shards *s, uint32_t number, tl_batch *batch) {
  tl_store *store = s->shard[number].store;
  return store->kind->put (store, batch);
}

double tl_shards_fill (const tl_shards *s, uint32_t number, uint64_t more) {
  const tl_store *store = s->shard[number].store;
  return store->kind->fill ? store->kind->fill (store, more >> s->bits) : 0;
}

void tl_shards_grow (tl_shards *s, uint32_t number) {
  tl_store *store = s->shard[number].store;
  store->kind->grow (store);
}

void tl_shards_foresee (tl_shards *s, uint64_t keys) {
  for (uint32_t i = 0; i < tl_shards_count (s); i++)
    s->shard[i].store->foreseen = keys >> s->bits;
}

void tl_shards_add (tl_shards *s, uint64_t count) {
  __atomic_fetch_add (&s->base.count, count, __ATOMIC_RELAXED);
}

// ---- One thread ------------------------------------------------------------

static tl_status shards_put (tl_store *base, tl_batch *batch) {
  tl_shards *s = (tl_shards *)base;
  const uint32_t words = base->spec.key_words;
  tl_status rc = TL_OK;
  for (batch->done = 0; !rc && batch->done < batch->count;) {
    const size_t i = batch->done;
    tl_batch one = *batch;
    uint16_t number;
    tl_shards_split (s, batch->keys + i * words, 1, &number, s->part);
    one.count = 1;
    one.keys = s->part;
    one.isnew = batch->isnew + i;
    if (number >= s->own) { // it is somebody else's
      *one.isnew = 0;
      batch->done++;
    } else if (!(rc = tl_shards_put (s, number, &one))) {
      base->count += *one.isnew && !batch->look;
      batch->done++;
    }
  }
  return rc;
}

// The number of the shard stands in these bits of a cursor: those of the kinds
// leave them out.
enum { SHARD_BIT = 44, SHARD_BITS = 12 };
#define SHARD_MASK (tl_low_bits (SHARD_BITS) << SHARD_BIT)

static size_t shards_each (tl_store *base, uint64_t *cursor, size_t most,
                           uint64_t *keys, bool drain) {
  const tl_shards *s = (const tl_shards *)base;
  const uint32_t words = base->spec.key_words;
  uint64_t number = (*cursor & SHARD_MASK) >> SHARD_BIT,
           inner = *cursor & ~SHARD_MASK;
  size_t n = 0;
  while (n < most && number < tl_shards_count (s)) {
    tl_store *store = s->shard[number].store;
    const size_t room = most - n < READ ? most - n : READ,
                 told = store->kind->each (store, &inner, room, s->part, drain);
    for (size_t i = 0; i < told; i++)
      key_of (s, s->first + number, s->part + i * s->words, keys + n++ * words);
    assert (!(inner & SHARD_MASK));
    if (!told) {
      number++;
      inner = 0;
    }
  }
  *cursor = inner | number << SHARD_BIT;
  return n;
}

static void shards_close (tl_store *base) {
  tl_shards *s = (tl_shards *)base;
  if (!s)
    return;
  tl_mem *mem = base->mem;
  for (uint32_t i = 0; s->block && i < tl_shards_count (s); i++) {
    if (s->shard[i].store)
      s->shard[i].store->kind->close (s->shard[i].store);
    pthread_mutex_destroy (&s->shard[i].lock);
  }
  tl_mem_put (mem, s->block, block_bytes (s), 1);
  TL_DEL (mem, s->part, READ * base->spec.key_words);
  TL_DEL (mem, s, 1);
}

static bool has_lengths (const tl_store_kind *kind, const tl_store_spec *spec) {
  return spec->lengths && kind->unit;
}

static tl_status open_shards (tl_shards *s, const tl_store_kind *kind) {
  const tl_store_spec *spec = &s->base.spec;
  tl_mem *mem = s->base.mem;
  tl_store_spec part = *spec;
  part.key_words = s->words;
  part.key_bits -= s->whole ? 0 : s->bits;
  if (!TL_NEW (mem, s->part, READ * spec->key_words) ||
      !(s->block = tl_mem_get (mem, block_bytes (s), 1)))
    return TL_E_NOMEM;
  s->shard = (shard *)(((uintptr_t)s->block + LINE - 1) / LINE * LINE);
  tl_status rc = TL_OK;
  for (uint32_t i = 0; i < tl_shards_count (s); i++) {
    pthread_mutex_init (&s->shard[i].lock, 0);
    if (!rc)
      rc = (has_lengths (kind, spec)
                ? tl_lengths_open (&s->shard[i].store, kind, mem, &part)
                : kind->open (&s->shard[i].store, mem, &part));
  }
  return rc;
}

tl_status tl_shards_open (tl_store **out, const tl_store_kind *kind,
                          tl_mem *mem, const tl_store_spec *spec) {
  tl_shards *s;
  *out = 0;
  assert (spec->owner_bits < spec->key_bits && spec->owner_bits < 16);
  if (!TL_NEW (mem, s, 1))
    return TL_E_NOMEM;
  s->kind = (tl_store_kind){.name = kind->name,
                            .looks = kind->looks,
                            .put = shards_put,
                            .each = shards_each,
                            .close = shards_close};
  s->base = (tl_store){.kind = &s->kind, .mem = mem, .spec = *spec};
  s->bits = spec->owner_bits;
  s->parts = spec->parts ? spec->parts : 1;
  s->first = first_of (spec->part, s->parts, s->bits);
  s->own = first_of (spec->part + 1, s->parts, s->bits) - s->first;
  assert (s->own <= 1u << SHARD_BITS);
  s->head_bits = spec->key_bits < 64 ? spec->key_bits : 64;
  s->whole = kind == &tl_store_tree || has_lengths (kind, spec);
  s->salt = tl_mix (spec->salt + 1) & tl_low_bits (s->head_bits);
  s->words = s->whole ? spec->key_words : (spec->key_bits - s->bits + 63) / 64;
  const tl_status rc = open_shards (s, kind);
  if (rc) {
    shards_close (&s->base);
    return rc;
  }
  *out = &s->base;
  return TL_OK;
}
