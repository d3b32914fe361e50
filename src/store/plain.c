// The plain store: whole keys, no compression.  The yardstick the other stores
// are measured against, and the oracle they are tested against.
//
// Keys of one word lie in the table itself, sent through a bijection so that
// they spread: 8 bytes / load, one cache line a probe.
//
// Longer keys lie side by side in one array in the order of their numbers; the
// table holds numbers, with hash bits beside them so that a probe compares
// hardly ever a key in vain: 8 bytes a word of the key + 8 / load.
//
//     slot   | 30 bits of hash | number + 1, 34 bits |

#include "base/tuning.h"
#include "store/kinds.h"
#include "store/slots.h"

#include <string.h>
#include <xxhash.h>

typedef struct plain {
  tl_store base;
  tl_slots slots;
  uint64_t salt; // see tl_store_spec
  bool has_zero; // one word: the key whose mixed form is 0 is in the set
  tl_map keys;   // long keys, by number
} plain;

#define NUMBER_BITS 34
#define NUMBER_MASK (((uint64_t)1 << NUMBER_BITS) - 1)

static void plain_close (tl_store *base) {
  plain *s = (plain *)base;
  if (!s)
    return;
  tl_slots_close (&s->slots);
  tl_map_close (&s->keys);
  tl_mem *mem = base->mem;
  TL_DEL (mem, s, 1);
}

static const uint64_t *key_at (const plain *s, uint64_t number) {
  return (const uint64_t *)s->keys.base + number * s->base.spec.key_words;
}

static void long_get (const tl_store *base, uint64_t number, uint64_t *key) {
  memcpy (key, key_at ((const plain *)base, number),
          base->spec.key_words * sizeof *key);
}

static tl_status plain_open (tl_store **out, tl_mem *mem,
                             const tl_store_spec *spec) {
  *out = 0;
  plain *s;
  if (!TL_NEW (mem, s, 1))
    return TL_E_NOMEM;
  const bool one_word = spec->key_words == 1 && !spec->numbered;
  s->base = (tl_store){.kind = &tl_store_plain,
                       .mem = mem,
                       .spec = *spec,
                       .get = one_word ? 0 : long_get};
  s->salt = tl_mix (spec->salt);
  const bool small = spec->lean || spec->owner_bits;
  tl_status rc = tl_slots_open (&s->slots, mem,
                                one_word ? ~(uint64_t)0 : ~NUMBER_MASK, small);
  if (!one_word && small)
    tl_map_open_small (&s->keys, mem);
  else if (!rc && !one_word)
    rc = tl_map_open (&s->keys, mem);
  if (rc) {
    plain_close (&s->base);
    return rc;
  }
  *out = &s->base;
  return TL_OK;
}

// ---- Keys of one word ------------------------------------------------------

static tl_status add_word (plain *s, uint64_t mixed, bool look,
                           uint8_t *isnew) {
  tl_slots *slots = &s->slots;
  if (!mixed) {
    *isnew = !s->has_zero;
    if (!look)
      s->has_zero = true;
    return TL_OK;
  }
  const uint64_t home = tl_slots_home (slots, mixed);
  uint64_t at = home;
  for (uint64_t seen; (seen = slots->slot[at]); at++)
    if (seen == mixed) {
      *isnew = 0;
      return TL_OK;
    }
  *isnew = 1;
  if (look)
    return TL_OK;
  if (tl_slots_full (slots)) {
    const tl_status rc = tl_slots_grow (slots);
    return rc ? rc : add_word (s, mixed, false, isnew);
  }
  tl_slots_fill (slots, home, at, mixed);
  return TL_OK;
}

static tl_status put_words (plain *s, tl_batch *batch) {
  const uint64_t salt = s->salt;
  uint64_t mixed[TL_PLAIN_GROUP];
  for (size_t from = 0; from < batch->count; from += TL_PLAIN_GROUP) {
    const size_t left = batch->count - from,
                 n = left < TL_PLAIN_GROUP ? left : TL_PLAIN_GROUP;
    for (size_t i = 0; i < n; i++) {
      mixed[i] = tl_mix (batch->keys[from + i] ^ salt);
      __builtin_prefetch (s->slots.slot + tl_slots_home (&s->slots, mixed[i]));
    }
    for (size_t i = 0; i < n; i++, batch->done++) {
      const tl_status rc =
          add_word (s, mixed[i], batch->look, batch->isnew + from + i);
      if (rc)
        return rc;
      if (!batch->look)
        s->base.count += batch->isnew[from + i];
    }
  }
  return TL_OK;
}

static size_t each_word (plain *s, uint64_t *cursor, size_t most,
                         uint64_t *keys, bool drain) {
  // Cursor 0 is the zero key, cursor n + 1 is slot n.
  size_t n = 0;
  if (!s->base.count) // often so in a table, and its memory was never touched
    return 0;
  if (!*cursor && most) {
    if (s->has_zero)
      keys[n++] = tl_unmix (0) ^ s->salt;
    ++*cursor;
  }
  const uint64_t end = tl_slots_end (&s->slots) + 1;
  for (; n < most && *cursor < end; ++*cursor)
    if (s->slots.slot[*cursor - 1])
      keys[n++] = tl_unmix (s->slots.slot[*cursor - 1]) ^ s->salt;
  if (drain)
    tl_map_discard (&s->slots.map, (size_t)(*cursor - 1) * sizeof (uint64_t));
  return n;
}

// ---- Longer keys -----------------------------------------------------------

static tl_status append_key (plain *s, const uint64_t *key) {
  const size_t bytes = s->base.spec.key_words * sizeof *key,
               need = (size_t)(s->base.count + 1) * bytes;
  if (need > s->keys.size) {
    if (s->base.count >= NUMBER_MASK)
      return TL_E_NOMEM;
    // The map grows in place, nothing is copied, or it is small.
    if ((!s->base.spec.lean || tl_map_grow (&s->keys, need + need / 32)) &&
        tl_map_grow_ahead (&s->keys, need))
      return TL_E_NOMEM;
  }
  memcpy (s->keys.base + s->base.count * bytes, key, bytes);
  return TL_OK;
}

// The first slot from `at` on that is empty or has the hash bits of `tag`.
static uint64_t next_like (const tl_slots *slots, uint64_t tag, uint64_t at) {
  while (slots->slot[at] && (slots->slot[at] & ~NUMBER_MASK) != tag)
    at++;
  return at;
}

static inline bool has_key (const plain *s, uint64_t number,
                            const uint64_t *key) {
  const uint64_t *there = key_at (s, number);
  const size_t words = s->base.spec.key_words;
  return *there == *key && (words == 1 || !memcmp (there + 1, key + 1,
                                                   (words - 1) * sizeof *key));
}

static tl_status add_long (plain *s, const uint64_t *key, uint64_t tag,
                           uint64_t at, bool look, uint8_t *isnew,
                           uint64_t *number) {
  tl_slots *slots = &s->slots;
  for (;; at++) {
    at = next_like (slots, tag, at);
    if (!slots->slot[at])
      break;
    *number = (slots->slot[at] & NUMBER_MASK) - 1;
    if (has_key (s, *number, key)) {
      *isnew = 0;
      return TL_OK;
    }
  }
  *isnew = 1;
  if (look)
    return TL_OK;
  if (tl_slots_full (slots)) {
    const tl_status rc = tl_slots_grow (slots);
    return rc ? rc
              : add_long (s, key, tag, tl_slots_home (slots, tag), false, isnew,
                          number);
  }
  const tl_status rc = append_key (s, key);
  if (rc)
    return rc;
  tl_slots_fill (slots, tl_slots_home (slots, tag), at,
                 tag | (s->base.count + 1));
  *number = s->base.count;
  return TL_OK;
}

static uint64_t hash_of (const uint64_t *key, size_t words) {
  return words == 1 ? tl_mix (*key) : XXH3_64bits (key, words * sizeof *key);
}

static tl_status put_long (plain *s, tl_batch *batch) {
  const size_t words = s->base.spec.key_words;
  uint64_t tag[TL_PLAIN_GROUP], at[TL_PLAIN_GROUP], like[TL_PLAIN_GROUP];
  for (size_t from = 0; from < batch->count; from += TL_PLAIN_GROUP) {
    const size_t left = batch->count - from,
                 n = left < TL_PLAIN_GROUP ? left : TL_PLAIN_GROUP;
    const uint64_t *keys = batch->keys + from * words;
    for (size_t i = 0; i < n; i++) {
      tag[i] = hash_of (keys + i * words, words) & ~NUMBER_MASK;
      at[i] = tl_slots_home (&s->slots, tag[i]);
      __builtin_prefetch (s->slots.slot + at[i]);
    }
    for (size_t i = 0; i < n; i++) {
      at[i] = next_like (&s->slots, tag[i], at[i]);
      like[i] = s->slots.slot[at[i]] & NUMBER_MASK;
      if (like[i])
        __builtin_prefetch (key_at (s, like[i] - 1));
    }
    const uint64_t homes = s->slots.homes;
    for (size_t i = 0; i < n; i++, batch->done++) {
      const uint64_t *key = keys + i * words;
      uint64_t number = like[i] - 1;
      if (like[i] && has_key (s, number, key))
        batch->isnew[from + i] = 0;
      else {
        // Growth inside the group moves everything.
        const uint64_t start =
            homes == s->slots.homes ? at[i] : tl_slots_home (&s->slots, tag[i]);
        number = 0;
        const tl_status rc = add_long (s, key, tag[i], start, batch->look,
                                       batch->isnew + from + i, &number);
        if (rc)
          return rc;
        if (!batch->look)
          s->base.count += batch->isnew[from + i];
      }
      if (batch->numbers)
        batch->numbers[from + i] = number;
    }
  }
  return TL_OK;
}

static size_t each_long (plain *s, uint64_t *cursor, size_t most,
                         uint64_t *keys, bool drain) {
  if (drain)
    tl_slots_close (&s->slots);
  const uint64_t left = s->base.count - *cursor;
  const size_t n = left < most ? (size_t)left : most;
  if (n) // an empty store has no keys to point at
    memcpy (keys, key_at (s, *cursor),
            n * s->base.spec.key_words * sizeof *keys);
  *cursor += n;
  if (drain)
    tl_map_discard (&s->keys,
                    (size_t)*cursor * s->base.spec.key_words * sizeof *keys);
  return n;
}

// ---- The kind --------------------------------------------------------------

static tl_status plain_put (tl_store *base, tl_batch *batch) {
  batch->done = 0;
  return base->get ? put_long ((plain *)base, batch)
                   : put_words ((plain *)base, batch);
}

static size_t plain_each (tl_store *base, uint64_t *cursor, size_t most,
                          uint64_t *keys, bool drain) {
  plain *s = (plain *)base;
  return s->base.get ? each_long (s, cursor, most, keys, drain)
                     : each_word (s, cursor, most, keys, drain);
}

const tl_store_kind tl_store_plain = {.name = "plain",
                                      .unit = 64,
                                      .steps = 16,
                                      .looks = true,
                                      .open = plain_open,
                                      .put = plain_put,
                                      .each = plain_each,
                                      .close = plain_close};
