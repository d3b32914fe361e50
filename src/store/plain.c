// The plain store: whole keys, no compression.  The yardstick the other stores
// are measured against, and the oracle they are tested against.

#include "base/tuning.h"
#include "store/kinds.h"
#include "store/plain.h"

static void plain_close (tl_store *base) {
  tl_plain *s = (tl_plain *)base;
  if (!s)
    return;
  tl_slots_close (&s->slots);
  tl_map_close (&s->keys);
  tl_mem *mem = base->mem;
  TL_DEL (mem, s, 1);
}

static void long_get (const tl_store *base, uint64_t number, uint64_t *key) {
  memcpy (key, tl_plain_key ((const tl_plain *)base, number),
          base->spec.key_words * sizeof *key);
}

static tl_status plain_open (tl_store **out, tl_mem *mem,
                             const tl_store_spec *spec) {
  *out = 0;
  tl_plain *s;
  if (!TL_NEW (mem, s, 1))
    return TL_E_NOMEM;
  const bool one_word = spec->key_words == 1 && !spec->numbered;
  s->base = (tl_store){.kind = &tl_store_plain,
                       .mem = mem,
                       .spec = *spec,
                       .get = one_word ? 0 : long_get};
  s->salt = tl_mix (spec->salt);
  const bool small = spec->lean || spec->owner_bits;
  tl_status rc = tl_slots_open (
      &s->slots, mem, one_word ? ~(uint64_t)0 : ~TL_NUMBER_MASK, small);
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

static tl_status add_word (tl_plain *s, uint64_t mixed, bool look,
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

static tl_status put_words (tl_plain *s, tl_batch *batch) {
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

static size_t each_word (tl_plain *s, uint64_t *cursor, size_t most,
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

tl_status tl_plain_room (tl_plain *s, uint64_t count) {
  const size_t bytes = s->base.spec.key_words * sizeof (uint64_t),
               need = (size_t)count * bytes;
  if (need <= s->keys.size)
    return TL_OK;
  if (count > TL_NUMBER_MASK)
    return TL_E_NOMEM;
  // The map grows in place, nothing is copied, or it is small.
  return s->base.spec.lean && !tl_map_grow (&s->keys, need + need / 32)
             ? TL_OK
             : tl_map_grow_ahead (&s->keys, need);
}

static tl_status append_key (tl_plain *s, const uint64_t *key) {
  const tl_status rc = tl_plain_room (s, s->base.count + 1);
  if (!rc)
    memcpy (tl_plain_key (s, s->base.count), key,
            s->base.spec.key_words * sizeof *key);
  return rc;
}

// The first slot from `at` on that is empty or has the hash bits of `tag`.
static uint64_t next_like (const tl_slots *slots, uint64_t tag, uint64_t at) {
  while (slots->slot[at] && (slots->slot[at] & ~TL_NUMBER_MASK) != tag)
    at++;
  return at;
}

static inline bool has_key (const tl_plain *s, uint64_t number,
                            const uint64_t *key) {
  return tl_plain_equal (tl_plain_key (s, number), key, s->base.spec.key_words);
}

static tl_status add_long (tl_plain *s, const uint64_t *key, uint64_t tag,
                           uint64_t at, bool look, uint8_t *isnew,
                           uint64_t *number) {
  tl_slots *slots = &s->slots;
  for (;; at++) {
    at = next_like (slots, tag, at);
    if (!slots->slot[at])
      break;
    *number = (slots->slot[at] & TL_NUMBER_MASK) - 1;
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

static tl_status put_long (tl_plain *s, tl_batch *batch) {
  const size_t words = s->base.spec.key_words;
  uint64_t tag[TL_PLAIN_GROUP], at[TL_PLAIN_GROUP], like[TL_PLAIN_GROUP];
  for (size_t from = 0; from < batch->count; from += TL_PLAIN_GROUP) {
    const size_t left = batch->count - from,
                 n = left < TL_PLAIN_GROUP ? left : TL_PLAIN_GROUP;
    const uint64_t *keys = batch->keys + from * words;
    for (size_t i = 0; i < n; i++) {
      tag[i] = tl_plain_tag (keys + i * words, words);
      at[i] = tl_slots_home (&s->slots, tag[i]);
      __builtin_prefetch (s->slots.slot + at[i]);
    }
    for (size_t i = 0; i < n; i++) {
      at[i] = next_like (&s->slots, tag[i], at[i]);
      like[i] = s->slots.slot[at[i]] & TL_NUMBER_MASK;
      if (like[i])
        __builtin_prefetch (tl_plain_key (s, like[i] - 1));
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

static size_t each_long (tl_plain *s, uint64_t *cursor, size_t most,
                         uint64_t *keys, bool drain) {
  if (drain)
    tl_slots_close (&s->slots);
  const uint64_t left = s->base.count - *cursor;
  const size_t n = left < most ? (size_t)left : most;
  if (n) // an empty store has no keys to point at
    memcpy (keys, tl_plain_key (s, *cursor),
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
  return base->get ? put_long ((tl_plain *)base, batch)
                   : put_words ((tl_plain *)base, batch);
}

static size_t plain_each (tl_store *base, uint64_t *cursor, size_t most,
                          uint64_t *keys, bool drain) {
  tl_plain *s = (tl_plain *)base;
  return s->base.get ? each_long (s, cursor, most, keys, drain)
                     : each_word (s, cursor, most, keys, drain);
}

const tl_store_kind tl_store_plain = {.name = "plain",
                                      .unit = 64,
                                      .steps = 16,
                                      .looks = true,
                                      .numbers = true,
                                      .whole = true,
                                      .open = plain_open,
                                      .put = plain_put,
                                      .each = plain_each,
                                      .close = plain_close};
