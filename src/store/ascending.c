#include "store/ascending.h"

#include "base/bits.h"

#include <string.h>

enum { HEAD = TL_ASCENDING_HEAD, GROUP = 7, GROUPS = 9 };

static void write_half (unsigned char *at, size_t n) {
  const uint32_t half = htole32 ((uint32_t)n);
  memcpy (at, &half, sizeof half);
}

static uint32_t read_half (const unsigned char *at) {
  uint32_t half;
  memcpy (&half, at, sizeof half);
  return le32toh (half);
}

static uint32_t words_for (uint32_t bits) {
  return bits ? (bits + 63) / 64 : 1;
}

static uint32_t bytes_for (uint32_t bits) {
  return bits ? (bits + 7) / 8 : 1;
}

// The bytes of the largest difference.
static size_t longest (uint32_t words) {
  return ((size_t)words * 64 + GROUP - 1) / GROUP;
}

// ---- Writing ---------------------------------------------------------------

tl_status tl_ascending_create (tl_ascending_writer *w, tl_mem *mem,
                               tl_packer *packer, uint32_t key_bits, int level,
                               tl_ascending_sink sink) {
  return tl_ascending_create_small (w, mem, packer, key_bits, level, sink,
                                    TL_ASCENDING_BYTES);
}

tl_status tl_ascending_create_small (tl_ascending_writer *w, tl_mem *mem,
                                     tl_packer *packer, uint32_t key_bits,
                                     int level, tl_ascending_sink sink,
                                     size_t bytes) {
  *w = (tl_ascending_writer){.mem = mem,
                             .packer = packer,
                             .sink = sink,
                             .level = level,
                             .most = bytes,
                             .key_words = words_for (key_bits),
                             .key_bytes = bytes_for (key_bits)};
  w->start = HEAD + w->key_bytes;
  // Words are written whole, so there are some bytes more.
  w->room = w->start + bytes + longest (w->key_words) + 8;
  if (TL_NEW (mem, w->last, 2 * (size_t)w->key_words) &&
      TL_NEW (mem, w->block, w->room))
    return TL_OK;
  tl_ascending_end (w);
  return TL_E_NOMEM;
}

void tl_ascending_end (tl_ascending_writer *w) {
  TL_DEL (w->mem, w->last, 2 * (size_t)w->key_words);
  TL_DEL (w->mem, w->block, w->room);
}

tl_status tl_ascending_flush (tl_ascending_writer *w) {
  if (!w->keys)
    return TL_OK;
  size_t packed = w->length;
  if (w->length && w->packer) {
    const tl_status rc = tl_packer_pack (
        w->packer, w->level, w->block + w->start, w->length, &packed);
    if (rc)
      return rc;
  }
  if (packed < w->length)
    memcpy (w->block + w->start, w->packer->room, packed);
  else
    packed = w->length;
  write_half (w->block, w->keys);
  write_half (w->block + 4, w->length);
  write_half (w->block + 8, packed);
  w->keys = 0;
  w->length = 0;
  return w->sink.write (w->sink.context, w->block, w->start + packed);
}

static void begin_block (tl_ascending_writer *w, const uint64_t *key) {
  tl_write_words (w->block + HEAD, key, w->key_words);
  w->keys = 1;
}

static unsigned char *write_difference (unsigned char *to, uint64_t less_one) {
  for (; less_one >> GROUP; less_one >>= GROUP)
    *to++ = (unsigned char)(less_one | 1u << GROUP);
  *to++ = (unsigned char)less_one;
  return to;
}

// The same for keys of several words; the difference is in `gap`.
static unsigned char *write_long (unsigned char *to, const uint64_t *gap,
                                  uint32_t words) {
  while (words > 1 && !gap[words - 1])
    words--;
  if (words == 1)
    return write_difference (to, *gap);
  const uint32_t bits = 64 * (words - 1) + tl_bits_for (gap[words - 1]);
  for (uint32_t at = 0; at < bits; at += GROUP) {
    const uint32_t w = at / 64, shift = at % 64;
    uint64_t group = gap[w] >> shift;
    if (shift + GROUP > 64 && w + 1 < words)
      group |= gap[w + 1] << (64 - shift);
    const bool last = at + GROUP >= bits;
    *to++ = (unsigned char)((group & tl_low_bits (GROUP)) |
                            (last ? 0 : 1u << GROUP));
  }
  return to;
}

// gap = key - last - 1
static void subtract (uint64_t *gap, const uint64_t *key, const uint64_t *last,
                      uint32_t words) {
  uint64_t borrow = 1;
  for (uint32_t w = 0; w < words; w++) {
    const uint64_t less = key[w] - last[w];
    gap[w] = less - borrow;
    borrow = (key[w] < last[w]) | (less < borrow);
  }
}

static tl_status write_key (tl_ascending_writer *w, const uint64_t *key) {
  if (w->count && !tl_key_less (w->last, key, w->key_words))
    return TL_E_ARG;
  if (w->length >= w->most) {
    const tl_status rc = tl_ascending_flush (w);
    if (rc)
      return rc;
  }
  if (!w->keys)
    begin_block (w, key);
  else {
    unsigned char *from = w->block + w->start + w->length, *to;
    uint64_t *gap = w->last + w->key_words;
    if (w->key_words == 1)
      to = write_difference (from, *key - *w->last - 1);
    else {
      subtract (gap, key, w->last, w->key_words);
      to = write_long (from, gap, w->key_words);
    }
    w->length += (size_t)(to - from);
    w->keys++;
  }
  tl_copy_words (w->last, key, w->key_words);
  w->count++;
  return TL_OK;
}

tl_status tl_ascending_write (tl_ascending_writer *w, const uint64_t *keys,
                              size_t count) {
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < count; i++)
    rc = write_key (w, keys + i * w->key_words);
  return rc;
}

// ---- Reading ---------------------------------------------------------------

tl_status tl_ascending_open (tl_ascending_reader *r, tl_mem *mem,
                             tl_packer *packer, uint32_t key_bits,
                             tl_ascending_source source) {
  return tl_ascending_open_small (r, mem, packer, key_bits, source,
                                  TL_ASCENDING_BYTES);
}

tl_status tl_ascending_open_small (tl_ascending_reader *r, tl_mem *mem,
                                   tl_packer *packer, uint32_t key_bits,
                                   tl_ascending_source source, size_t bytes) {
  *r = (tl_ascending_reader){.mem = mem,
                             .packer = packer,
                             .source = source,
                             .key_bits = key_bits,
                             .key_words = words_for (key_bits),
                             .key_bytes = bytes_for (key_bits)};
  r->room = bytes + longest (r->key_words);
  r->packed_room = HEAD + r->key_bytes + r->room + 8;
  if (TL_NEW (mem, r->last, 2 * (size_t)r->key_words) &&
      (!packer || TL_NEW (mem, r->block, r->room)) &&
      TL_NEW (mem, r->packed, r->packed_room))
    return TL_OK;
  tl_ascending_close (r);
  return TL_E_NOMEM;
}

void tl_ascending_close (tl_ascending_reader *r) {
  TL_DEL (r->mem, r->last, 2 * (size_t)r->key_words);
  TL_DEL (r->mem, r->block, r->room);
  TL_DEL (r->mem, r->packed, r->packed_room);
}

// Has the key bits that no key has?
static bool is_too_large (const tl_ascending_reader *r, const uint64_t *key) {
  const uint32_t top = r->key_bits - 64 * (r->key_words - 1);
  return r->key_bits ? key[r->key_words - 1] & ~tl_low_bits (top) : *key != 0;
}

// Takes so many bytes behind those that are there.
static tl_status take (tl_ascending_reader *r, size_t at, size_t length) {
  size_t got;
  const tl_status rc =
      r->source.read (r->source.context, r->packed + at, length, &got);
  return rc || got == length ? rc : TL_E_SYNTAX;
}

static tl_status take_first (tl_ascending_reader *r) {
  uint64_t *first = r->last + r->key_words;
  tl_read_words (r->packed + HEAD, r->key_bytes, first, r->key_words);
  if (is_too_large (r, first) ||
      (r->begun && !tl_key_less (r->last, first, r->key_words)))
    return TL_E_SYNTAX;
  tl_copy_words (r->last, first, r->key_words);
  r->begun = r->fresh = true;
  return TL_OK;
}

static tl_status expand (tl_ascending_reader *r, size_t start, size_t packed,
                         size_t length) {
  r->at = r->packed + start;
  if (packed < length && !r->packer)
    return TL_E_SYNTAX;
  if (packed < length) {
    size_t got;
    const tl_status rc =
        tl_packer_unpack (r->packer, r->at, packed, r->block, r->room, &got);
    if (rc)
      return rc == TL_E_IO ? TL_E_SYNTAX : rc;
    if (got != length)
      return TL_E_SYNTAX;
    r->at = r->block;
  }
  r->end = r->at + length;
  return TL_OK;
}

// At the end of the stream there are no keys in it.
static tl_status take_block (tl_ascending_reader *r) {
  size_t got;
  tl_status rc = r->source.read (r->source.context, r->packed, HEAD, &got);
  r->keys = 0;
  if (rc || !got)
    return rc;
  const uint32_t keys = read_half (r->packed),
                 length = read_half (r->packed + 4),
                 packed = read_half (r->packed + 8);
  if (got < HEAD || length > r->room || packed > length || !keys ||
      keys - 1 > length)
    return TL_E_SYNTAX;
  rc = take (r, HEAD, r->key_bytes + packed);
  if (!rc)
    rc = take_first (r);
  if (!rc)
    rc = expand (r, HEAD + r->key_bytes, packed, length);
  if (!rc)
    r->keys = keys;
  return rc;
}

// Adds what is in the next groups, in words that begin with key[from].  False:
// there is no room for it.
static bool add (uint64_t *key, uint32_t words, uint32_t from, uint64_t more) {
  for (uint32_t w = from; more; w++) {
    if (w >= words)
      return false;
    key[w] += more;
    more = key[w] < more;
  }
  return true;
}

// Adds the next difference to a key of any length.
static bool add_long (tl_ascending_reader *r, uint64_t *key) {
  const uint32_t words = r->key_words;
  bool fits = add (key, words, 0, 1), more = true;
  for (uint32_t at = 0; more; at += GROUP * GROUPS) {
    uint64_t value = 0;
    for (unsigned i = 0; more && i < GROUPS; i++) {
      if (r->at == r->end)
        return false;
      value |= (*r->at & tl_low_bits (GROUP)) << i * GROUP;
      more = *r->at++ >> GROUP;
    }
    const uint32_t w = at / 64, shift = at % 64;
    fits = fits && add (key, words, w, value << shift) &&
           add (key, words, w + 1, shift ? value >> (64 - shift) : 0);
  }
  return fits && !is_too_large (r, key);
}

// Adds the next difference to a key of one word.
static inline bool add_short (tl_ascending_reader *r, uint64_t *key) {
  if (r->at == r->end)
    return false;
  uint64_t gap = *r->at;
  if (!(gap >> GROUP))
    r->at++;
  else if (r->end - r->at > 1 && !(r->at[1] >> GROUP)) {
    gap = (gap & tl_low_bits (GROUP)) | (uint64_t)r->at[1] << GROUP;
    r->at += 2;
  } else
    return add_long (r, key);
  *key += gap + 1;
  return *key > gap;
}

// Where the next eight differences have one byte each, this is all to be done.
#define LONGER 0x8080808080808080u

static tl_status read_short (tl_ascending_reader *r, uint64_t *keys,
                             size_t count) {
  uint64_t key = *r->last;
  size_t i = 0;
  while (i < count) {
    uint64_t eight;
    if (count - i >= 8 && r->end - r->at >= 8 &&
        !((eight = tl_read_word (r->at)) & LONGER)) {
      const uint64_t before = key;
      for (unsigned k = 0; k < 8; k++, eight >>= 8)
        keys[i + k] = key += (eight & 0xff) + 1;
      if (key < before)
        return TL_E_SYNTAX;
      r->at += 8;
      i += 8;
    } else {
      if (!add_short (r, &key))
        return TL_E_SYNTAX;
      keys[i++] = key;
    }
  }
  *r->last = key;
  return is_too_large (r, &key) ? TL_E_SYNTAX : TL_OK;
}

static tl_status read_long (tl_ascending_reader *r, uint64_t *keys,
                            size_t count) {
  for (size_t i = 0; i < count; i++, keys += r->key_words) {
    if (!add_long (r, r->last))
      return TL_E_SYNTAX;
    tl_copy_words (keys, r->last, r->key_words);
  }
  return TL_OK;
}

// Reads some of the keys of the block at hand.
static tl_status read_block (tl_ascending_reader *r, uint64_t *keys,
                             size_t count) {
  r->keys -= (uint32_t)count;
  if (r->fresh) {
    tl_copy_words (keys, r->last, r->key_words);
    keys += r->key_words;
    count--;
    r->fresh = false;
  }
  const tl_status rc = r->key_words == 1 ? read_short (r, keys, count)
                                         : read_long (r, keys, count);
  return rc || r->keys || r->at == r->end ? rc : TL_E_SYNTAX;
}

tl_status tl_ascending_read (tl_ascending_reader *r, uint64_t *keys,
                             size_t most, size_t *count) {
  tl_status rc = TL_OK;
  *count = 0;
  while (!rc && *count < most) {
    if (!r->keys) {
      rc = take_block (r);
      if (rc || !r->keys)
        break;
    }
    const size_t left = most - *count, n = left < r->keys ? left : r->keys;
    rc = read_block (r, keys + *count * r->key_words, n);
    *count += n;
  }
  return rc;
}

static tl_status read_memory (void *context, void *bytes, size_t length,
                              size_t *got) {
  tl_memory_source *m = context;
  *got = length < m->length ? length : m->length;
  memcpy (bytes, m->bytes, *got);
  m->bytes += *got;
  m->length -= *got;
  return TL_OK;
}

tl_ascending_source tl_ascending_memory (tl_memory_source *m) {
  return (tl_ascending_source){.context = m, .read = read_memory};
}
