#include "sweep/backlog.h"

#include "base/bits.h"
#include "base/tuning.h"

#include <string.h>

enum {
  BLOCK = 1024,              // records
  RECENT_BITS = 7,           // of the number of a difference seen lately
  LITERAL = 1 << RECENT_BITS // instead of that: the key follows
};

// ---- Room for blocks -------------------------------------------------------

static size_t packed_room (const tl_backlog_kind *kind) {
  const size_t others = (kind->words - kind->key_words) * sizeof (uint64_t);
  return 1 + BLOCK * (1 + kind->key_bytes + others) + sizeof (uint64_t);
}

static size_t recent_room (const tl_backlog_kind *kind) {
  return LITERAL * kind->key_words + kind->words;
}

void tl_backlog_kind_close (tl_backlog_kind *kind) {
  TL_DEL (kind->mem, kind->packed, packed_room (kind));
  TL_DEL (kind->mem, kind->shown, BLOCK * kind->words);
  TL_DEL (kind->mem, kind->recent, recent_room (kind));
}

static bool open_room (tl_backlog_kind *kind) {
  return (kind->packed ||
          TL_NEW (kind->mem, kind->packed, packed_room (kind))) &&
         (kind->shown ||
          TL_NEW (kind->mem, kind->shown, BLOCK * kind->words)) &&
         (kind->recent || TL_NEW (kind->mem, kind->recent, recent_room (kind)));
}

// ---- Packing ---------------------------------------------------------------

// Begins a block: no differences seen.  Returns the record before the first.
static const uint64_t *begin (const tl_backlog_kind *kind) {
  memset (kind->recent, 0, recent_room (kind) * sizeof *kind->recent);
  return kind->recent + LITERAL * kind->key_words;
}

// Where the difference of two keys belongs among those seen lately.
static inline size_t slot_of (size_t words, const uint64_t *last,
                              const uint64_t *key) {
  uint64_t hash = 0;
  for (size_t w = 0; w < words; w++)
    hash = (hash ^ (key[w] - last[w])) * 0x9e3779b97f4a7c15u;
  return hash >> (64 - RECENT_BITS);
}

// Is that the difference?  It is in any case afterwards.
static inline bool remember (uint64_t *recent, size_t words,
                             const uint64_t *last, const uint64_t *key) {
  bool known = true;
  for (size_t w = 0; w < words; w++) {
    known &= recent[w] == key[w] - last[w];
    recent[w] = key[w] - last[w];
  }
  return known;
}

// Small differences of either sign as small numbers, and back.
static inline uint64_t fold (uint64_t by) {
  return by << 1 ^ (by >> 63 ? UINT64_MAX : 0);
}

static inline uint64_t unfold (uint64_t n) {
  return n >> 1 ^ (n & 1 ? UINT64_MAX : 0);
}

// Bytes that hold the differences of all words that are no part of a key.
static inline unsigned difference_bytes (const uint64_t *record,
                                         size_t key_words, size_t words) {
  uint64_t all = 0;
  for (size_t w = key_words; w < words; w++) {
    all |= fold (record[w]);
    for (size_t i = 1; i < BLOCK; i++)
      all |= fold (record[i * words + w] - record[(i - 1) * words + w]);
  }
  return (tl_bits_for (all) + 7) / 8;
}

static inline size_t pack_words (const tl_backlog_kind *kind,
                                 const uint64_t *record, size_t key_words,
                                 size_t words) {
  const unsigned bytes = difference_bytes (record, key_words, words);
  const uint64_t *last = begin (kind);
  uint64_t *recent = kind->recent;
  const size_t key_bytes = kind->key_bytes;
  unsigned char *at = kind->packed;
  *at++ = (unsigned char)bytes;
  for (size_t i = 0; i < BLOCK; i++, last = record, record += words) {
    const size_t slot = slot_of (key_words, last, record);
    if (remember (recent + slot * key_words, key_words, last, record))
      *at++ = (unsigned char)slot;
    else {
      *at++ = LITERAL;
      tl_write_words (at, record, key_words);
      at += key_bytes;
    }
    for (size_t w = key_words; w < words; w++, at += bytes)
      tl_write_word (at, fold (record[w] - last[w]));
  }
  return (size_t)(at - kind->packed);
}

static inline void unpack_words (const tl_backlog_kind *kind, uint64_t *record,
                                 size_t key_words, size_t words) {
  const uint64_t *last = begin (kind);
  uint64_t *recent = kind->recent;
  const size_t key_bytes = kind->key_bytes;
  const unsigned char *at = kind->packed;
  const unsigned bytes = *at++;
  const uint64_t mask = tl_low_bits (8 * bytes);
  for (size_t i = 0; i < BLOCK; i++, last = record, record += words) {
    const size_t slot = *at++;
    if (slot < LITERAL)
      for (size_t w = 0; w < key_words; w++)
        record[w] = last[w] + recent[slot * key_words + w];
    else {
      tl_read_words (at, key_bytes, record, key_words);
      at += key_bytes;
      remember (recent + slot_of (key_words, last, record) * key_words,
                key_words, last, record);
    }
    for (size_t w = key_words; w < words; w++, at += bytes)
      record[w] = last[w] + unfold (tl_read_word (at) & mask);
  }
}

// Packs a block into kind->packed.  Most records are a short key and a word,
// and loops of known length are none.
static size_t pack (const tl_backlog_kind *kind, const uint64_t *record) {
  return kind->words == 2
             ? pack_words (kind, record, 1, 2)
             : pack_words (kind, record, kind->key_words, kind->words);
}

// And back.
static void unpack (const tl_backlog_kind *kind, uint64_t *record) {
  if (kind->words == 2)
    unpack_words (kind, record, 1, 2);
  else
    unpack_words (kind, record, kind->key_words, kind->words);
}

// ---- Blocks ----------------------------------------------------------------

static bool open_rest (tl_backlog *b, const tl_backlog_kind *kind) {
  if (!b->rest && TL_NEW (kind->mem, b->rest, 1)) {
    tl_spill_open (b->rest, kind->mem, 0, TL_BACKLOG_PART);
    b->rest->raw = true;
  }
  return b->rest;
}

// A backlog has a file of its own, and of these there are few.
static bool is_worth_file (const tl_backlog *b, const tl_backlog_kind *kind) {
  return b->rest && b->rest->in_memory > kind->mem->used / TL_BACKLOGS_FILES;
}

bool tl_backlog_flush (tl_backlog *b, const tl_backlog_kind *kind) {
  return is_worth_file (b, kind) && tl_spill_flush (b->rest);
}

// There are thousands of backlogs, each of them small, and the line comes to
// few of them soon: where all take much, the large ones go to the disk.
static bool take_much (const tl_backlog_kind *kind) {
  const tl_mem *root = tl_mem_root (kind->mem);
  const size_t all = kind->mem->used, budget = root->limit / TL_BACKLOGS_BUDGET;
  const size_t least =
      budget && budget < TL_BACKLOGS_LEAST ? budget : TL_BACKLOGS_LEAST;
  return all > least && all > root->used / TL_BACKLOGS_PART;
}

// Packs a full array.
static tl_status put_away (tl_backlog *b, tl_backlog_kind *kind) {
  if (!open_rest (b, kind) || !open_room (kind))
    return TL_E_NOMEM;
  const tl_status rc =
      tl_spill_append (b->rest, kind->packed, pack (kind, b->record));
  if (rc)
    return rc;
  b->packed += BLOCK;
  b->count = 0;
  if (take_much (kind))
    tl_backlog_flush (b, kind);
  return TL_OK;
}

static tl_status read_block (const tl_backlog *b, const tl_backlog_kind *kind,
                             uint64_t number, uint64_t *record) {
  size_t size;
  const tl_status rc =
      tl_spill_read (b->rest, number, kind->packed, packed_room (kind), &size);
  if (!rc)
    unpack (kind, record);
  return rc;
}

// The last block becomes the array.
static tl_status fetch (tl_backlog *b, const tl_backlog_kind *kind) {
  if (b->count || !b->packed)
    return TL_OK;
  if (!TL_ROOM (kind->mem, b->record, &b->room, BLOCK * kind->words))
    return TL_E_NOMEM;
  const tl_status rc = read_block (b, kind, b->rest->count - 1, b->record);
  if (rc)
    return rc;
  tl_spill_drop_last (b->rest);
  b->count = BLOCK;
  b->packed -= BLOCK;
  return TL_OK;
}

// ---- Records ---------------------------------------------------------------

tl_status tl_backlog_push (tl_backlog *b, tl_backlog_kind *kind,
                           const uint64_t *record) {
  const size_t words = kind->words;
  if (b->count == BLOCK) {
    const tl_status rc = put_away (b, kind);
    if (rc)
      return rc;
  }
  if (!TL_ROOM (kind->mem, b->record, &b->room, (b->count + 1) * words))
    return TL_E_NOMEM;
  tl_copy_words (b->record + b->count++ * words, record, words);
  return TL_OK;
}

tl_status tl_backlog_pop (tl_backlog *b, tl_backlog_kind *kind, size_t most,
                          uint64_t *records, size_t *n) {
  const size_t words = kind->words;
  *n = 0;
  const tl_status rc = fetch (b, kind);
  if (rc)
    return rc;
  *n = b->count < most ? b->count : most;
  b->count -= *n;
  tl_copy_words (records, b->record + b->count * words, *n * words);
  return TL_OK;
}

tl_status tl_backlog_move (tl_backlog *from, tl_backlog *to,
                           const tl_backlog_kind *kind) {
  const tl_status rc = fetch (from, kind);
  if (rc)
    return rc;
  uint64_t *record = to->record;
  const size_t room = to->room;
  to->record = from->record;
  to->room = from->room;
  to->count = from->count;
  from->record = record;
  from->room = room;
  from->count = 0;
  return TL_OK;
}

tl_status tl_backlog_show (const tl_backlog *b, tl_backlog_kind *kind,
                           uint64_t block, const uint64_t **records,
                           size_t *n) {
  const uint64_t blocks = b->packed / BLOCK;
  *records = block < blocks ? kind->shown : b->record;
  *n = block < blocks ? BLOCK : block > blocks ? 0 : b->count;
  return block < blocks ? read_block (b, kind, block, kind->shown) : TL_OK;
}

uint64_t tl_backlog_close (tl_backlog *b, const tl_backlog_kind *kind) {
  uint64_t written = 0;
  TL_DEL (kind->mem, b->record, b->room);
  if (b->rest) {
    written = b->rest->written;
    tl_spill_close (b->rest);
    TL_DEL (kind->mem, b->rest, 1);
  }
  *b = (tl_backlog){0};
  return written;
}
