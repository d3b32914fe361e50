#include "verify/key_stream.h"

#include "base/bits.h"
#include "base/error.h"

enum {
  HEAD = 12,            // bytes before the first key
  DIFFERENCES = 1 << 14 // bytes of these in a block, but for the last one
};

static uint32_t half_at (const unsigned char *at) {
  uint32_t half;
  memcpy (&half, at, sizeof half);
  return le32toh (half);
}

static tl_status damaged (const tl_key_stream *s, tl_error *err) {
  return tl_fail (err, TL_E_MODEL, "%s: a block of states is not well formed",
                  s->path);
}

// Bytes of differences in a block at most.
static size_t room_of (const tl_key_stream *s) {
  return DIFFERENCES + 16 * (size_t)s->words + 16;
}

// The parts of a block.
typedef struct parts {
  uint32_t keys, length, packed, width, least;
  const unsigned char *differences, *depths;
  size_t packed_depths;
} parts;

// A number of seven bits a byte; null: there is none.
static const unsigned char *take_number (const unsigned char *at,
                                         const unsigned char *end,
                                         uint64_t *number) {
  *number = 0;
  for (unsigned shift = 0; at < end && shift < 63; shift += 7) {
    *number |= (uint64_t)(*at & 0x7f) << shift;
    if (!(*at++ >> 7))
      return at;
  }
  return 0;
}

static bool part_block (const tl_key_stream *s, const tl_key_block *b,
                        parts *p) {
  const unsigned char *at = b->bytes, *end = at + b->size;
  if (b->size < HEAD + s->key_bytes)
    return false;
  *p = (parts){.keys = half_at (at),
               .length = half_at (at + 4),
               .packed = half_at (at + 8)};
  at += HEAD + s->key_bytes;
  if (p->length > room_of (s) || p->packed > p->length ||
      (size_t)(end - at) < p->packed || !p->keys || p->keys - 1 > p->length)
    return false;
  p->differences = at;
  at += p->packed;
  uint64_t least, width, packed;
  if (!(at = take_number (at, end, &least)) ||
      !(at = take_number (at, end, &width)) ||
      !(at = take_number (at, end, &packed)))
    return false;
  p->least = (uint32_t)least;
  p->width = (uint32_t)width;
  p->depths = at;
  p->packed_depths = (size_t)(end - at);
  return least <= UINT32_MAX && (width == 1 || width == 2 || width == 4) &&
         packed == p->packed_depths;
}

// ---- The blocks ------------------------------------------------------------

static tl_status add_block (tl_key_stream *s, const tl_record_reader *r,
                            const unsigned char *base, tl_cert_source *from) {
  const size_t size = r->length;
  const tl_key_block b = {base + (r->at - 8 - size), size, s->states};
  parts p;
  if (!part_block (s, &b, &p))
    return tl_cert_malformed (from, "a block of states is not one");
  if (!TL_ROOM (s->mem, s->block, &s->block_room, s->blocks + 1))
    return tl_cert_no_memory (from);
  const size_t depths = (size_t)p.keys * p.width;
  if (depths > s->most_depths)
    s->most_depths = depths;
  s->block[s->blocks++] = b;
  s->states += p.keys;
  return TL_OK;
}

tl_status tl_key_stream_open (tl_key_stream *s, tl_mem *mem,
                              tl_cert_source *from, const unsigned char *base,
                              uint32_t key_bits) {
  tl_record_reader *r = from->records;
  *s = (tl_key_stream){.mem = mem,
                       .path = r->path,
                       .packer = TL_PACKER (mem),
                       .words = key_bits > 64 ? (key_bits - 1) / 64 + 1 : 1,
                       .key_bytes = key_bits ? (key_bits - 1) / 8 + 1 : 1};
  tl_status rc = TL_OK;
  while (!rc && r->length) {
    rc = add_block (s, r, base, from);
    if (!rc)
      rc = tl_records_next (r, from->error);
  }
  return rc;
}

void tl_key_stream_close (tl_key_stream *s) {
  if (!s->mem)
    return;
  TL_DEL (s->mem, s->block, s->block_room);
  tl_packer_close (&s->packer);
}

static void first_key (const tl_key_stream *s, size_t block, uint64_t *key) {
  const unsigned char *bytes = s->block[block].bytes + HEAD;
  unsigned char last[8] = {0};
  const uint32_t top = s->words - 1;
  for (uint32_t w = 0; w < top; w++)
    key[w] = tl_read_word (bytes + 8 * w);
  memcpy (last, bytes + 8 * top, s->key_bytes - 8 * top);
  key[top] = tl_read_word (last);
}

static int compare (const uint64_t *a, const uint64_t *b, uint32_t words) {
  for (uint32_t w = words; w-- > 0;)
    if (a[w] != b[w])
      return a[w] < b[w] ? -1 : 1;
  return 0;
}

// ---- Cursors ---------------------------------------------------------------

size_t tl_key_cursor_bytes (const tl_key_stream *s) {
  return room_of (s) + s->most_depths + 32 * (size_t)s->words;
}

tl_status tl_key_cursor_open (tl_key_cursor *c, tl_key_stream *s) {
  *c = (tl_key_cursor){.stream = s, .block = SIZE_MAX};
  if (TL_NEW (s->mem, c->key, 3 * (size_t)s->words) &&
      TL_NEW (s->mem, c->room, room_of (s)) &&
      TL_NEW (s->mem, c->depths, s->most_depths + 4))
    return TL_OK;
  tl_key_cursor_close (c);
  return TL_E_NOMEM;
}

void tl_key_cursor_close (tl_key_cursor *c) {
  const tl_key_stream *s = c->stream;
  if (!s)
    return;
  TL_DEL (s->mem, c->key, 3 * (size_t)s->words);
  TL_DEL (s->mem, c->room, room_of (s));
  TL_DEL (s->mem, c->depths, s->most_depths + 4);
  c->stream = 0;
}

// Expands the differences of a block; the first key is the one at hand.
static tl_status load (tl_key_cursor *c, size_t block, tl_error *err) {
  tl_key_stream *s = c->stream;
  parts p;
  c->block = block;
  if (!part_block (s, s->block + block, &p))
    return damaged (s, err);
  c->at = p.differences;
  if (p.packed < p.length) {
    size_t got;
    const tl_status rc = tl_packer_unpack (&s->packer, p.differences, p.packed,
                                           c->room, room_of (s), &got);
    if (rc == TL_E_NOMEM)
      return tl_fail (err, rc, "no memory to expand states");
    if (rc || got != p.length)
      return damaged (s, err);
    c->at = c->room;
  }
  c->end = c->at + p.length;
  c->left = p.keys - 1;
  c->number = s->block[block].first;
  c->width = 0;
  first_key (s, block, c->key);
  c->next = c->key + s->words;
  c->last = block + 1 == s->blocks;
  if (!c->last)
    first_key (s, block + 1, c->next);
  return TL_OK;
}

// Adds `more` to the words from key[w] on; false: it is too much.
static bool add (uint64_t *key, uint32_t words, uint32_t w, uint64_t more) {
  for (; more && w < words; w++) {
    key[w] += more;
    more = key[w] < more;
  }
  return !more;
}

// Adds a difference of more than one byte.
static bool add_long (tl_key_cursor *c) {
  const uint32_t words = c->stream->words;
  bool more = true, fits = add (c->key, words, 0, 1);
  for (uint32_t bit = 0; more && fits; bit += 7) {
    if (c->at == c->end)
      return false;
    const uint64_t seven = *c->at & 0x7f;
    const uint32_t w = bit / 64, shift = bit % 64;
    more = *c->at++ >> 7;
    fits = add (c->key, words, w, seven << shift) &&
           add (c->key, words, w + 1, shift > 57 ? seven >> (64 - shift) : 0);
  }
  return fits;
}

// The next key of the block; false: there is none such.
static inline bool step (tl_key_cursor *c) {
  if (c->at == c->end)
    return false;
  c->left--;
  c->number++;
  if (*c->at >> 7)
    return add_long (c);
  const uint64_t more = (uint64_t)*c->at++ + 1;
  c->key[0] += more;
  return c->key[0] >= more || add (c->key, c->stream->words, 1, 1);
}

tl_status tl_key_next (tl_key_cursor *c, bool *there, tl_error *err) {
  tl_key_stream *s = c->stream;
  *there = true;
  if (c->left)
    return step (c) ? TL_OK : damaged (s, err);
  if (c->block != SIZE_MAX && c->at != c->end)
    return damaged (s, err);
  const bool begun = c->block != SIZE_MAX;
  *there = c->block + 1 < s->blocks;
  if (!*there)
    return TL_OK;
  uint64_t *before = c->key + 2 * s->words;
  memcpy (before, c->key, s->words * sizeof *before);
  const tl_status rc = load (c, c->block + 1, err);
  if (!rc && begun && compare (before, c->key, s->words) >= 0)
    return tl_fail (err, TL_E_MODEL, "keys do not ascend");
  return rc;
}

// Goes to the last block that can have the key, if that is behind the one at
// hand.
static tl_status skip (tl_key_cursor *c, const uint64_t *key, tl_error *err) {
  const tl_key_stream *s = c->stream;
  uint64_t *first = c->key + 2 * s->words;
  size_t block = c->block;
  while (block + 1 < s->blocks) {
    first_key (s, block + 1, first);
    if (compare (first, key, s->words) > 0)
      break;
    block++;
  }
  return block == c->block ? TL_OK : load (c, block, err);
}

// Steps through the block at hand.
static inline bool scan (tl_key_cursor *c, const uint64_t *key, int *order) {
  const uint32_t words = c->stream->words;
  if (words == 1) {
    while (c->key[0] < *key && c->left)
      if (!step (c))
        return false;
    *order = (c->key[0] > *key) - (c->key[0] < *key);
    return true;
  }
  while ((*order = compare (c->key, key, words)) < 0 && c->left)
    if (!step (c))
      return false;
  return true;
}

tl_status tl_key_find (tl_key_cursor *c, const uint64_t *key, bool *there,
                       tl_error *err) {
  tl_key_stream *s = c->stream;
  *there = false;
  if (c->block == SIZE_MAX ||
      (!c->last && compare (c->next, key, s->words) <= 0)) {
    const tl_status rc = skip (c, key, err);
    if (rc || c->block == SIZE_MAX)
      return rc;
  }
  int order;
  if (!scan (c, key, &order))
    return damaged (s, err);
  *there = !order;
  return TL_OK;
}

tl_status tl_key_depth (tl_key_cursor *c, uint32_t *depth, tl_error *err) {
  tl_key_stream *s = c->stream;
  if (!c->width) {
    parts p;
    size_t got;
    if (!part_block (s, s->block + c->block, &p))
      return damaged (s, err);
    const tl_status rc = tl_packer_unpack (
        &s->packer, p.depths, p.packed_depths, c->depths, s->most_depths, &got);
    if (rc == TL_E_NOMEM)
      return tl_fail (err, rc, "no memory to expand states");
    if (rc || got != (size_t)p.keys * p.width)
      return damaged (s, err);
    c->width = p.width;
    c->least = p.least;
  }
  uint32_t above = 0;
  memcpy (&above,
          c->depths + (size_t)(c->number - s->block[c->block].first) * c->width,
          c->width);
  *depth = c->least + le32toh (above);
  return TL_OK;
}
