#include "explore/archive.h"

#include "base/bits.h"
#include "base/sort.h"
#include "explore/merge.h"

enum {
  COUNT_BYTES = 4, // of the number of successors
  LEAST = 256 << 10,
  MOST = 64 << 20, // bytes of the buffer
  PART = 16        // of the memory of the run it may take one part
};

struct tl_archive {
  tl_mem *mem;
  uint32_t words;
  unsigned last_bytes; // of the last word of a key
  size_t key_bytes, record;
  unsigned char *buffer;
  size_t room, most; // bytes it has, and may get
  size_t count;      // records in it
  uint64_t *key;     // room for one
  tl_merge runs;
};

static size_t buffer_most (const tl_mem *mem) {
  while (mem->parent)
    mem = mem->parent;
  const size_t bytes = mem->limit ? mem->limit / PART : MOST;
  return bytes < LEAST ? LEAST : bytes > MOST ? MOST : bytes;
}

// A word is written, and read, beyond the last record.
static size_t buffer_bytes (const tl_archive *a, size_t records) {
  return records * a->record + sizeof (uint64_t);
}

tl_status tl_archive_open (tl_archive **out, tl_mem *mem, tl_packer *packer,
                           uint32_t key_words, uint32_t key_bits) {
  *out = 0;
  tl_archive *a;
  if (!TL_NEW (mem, a, 1))
    return TL_E_NOMEM;
  const unsigned last_bits = key_bits - 64 * (key_words - 1);
  *a = (tl_archive){.mem = mem, .words = key_words, .most = buffer_most (mem)};
  a->last_bytes = last_bits ? (last_bits + 7) / 8 : 1;
  a->key_bytes = 8 * (size_t)(key_words - 1) + a->last_bytes;
  a->record = a->key_bytes + COUNT_BYTES;
  if (a->most < buffer_bytes (a, 2))
    a->most = buffer_bytes (a, 2);
  if (!TL_NEW (mem, a->key, key_words) ||
      tl_merge_open (&a->runs, mem, packer, key_words, a->key_bytes, a->most)) {
    tl_archive_close (a);
    return TL_E_NOMEM;
  }
  *out = a;
  return TL_OK;
}

static void close_buffer (tl_archive *a) {
  if (a->buffer)
    TL_DEL (a->mem, a->buffer, a->room);
  a->room = 0;
}

void tl_archive_close (tl_archive *a) {
  if (!a)
    return;
  tl_mem *mem = a->mem;
  tl_merge_close (&a->runs);
  close_buffer (a);
  if (a->key)
    TL_DEL (mem, a->key, a->words);
  TL_DEL (mem, a, 1);
}

uint64_t tl_archive_spilled (const tl_archive *a) {
  return a->runs.blocks.written;
}

// ---- The buffer ------------------------------------------------------------

static unsigned char *record_at (const tl_archive *a, size_t n) {
  return a->buffer + n * a->record;
}

static uint32_t successors_at (const tl_archive *a, size_t n) {
  const unsigned char *at = record_at (a, n) + a->key_bytes;
  return (uint32_t)tl_read_word (at);
}

static void key_at (const tl_archive *a, size_t n, uint64_t *key) {
  const unsigned char *at = record_at (a, n);
  for (uint32_t w = 0; w < a->words; w++, at += sizeof *key)
    key[w] = tl_read_word (at);
  key[a->words - 1] &= tl_low_bits (8 * a->last_bytes);
}

// Sorts what is there and keeps each state once.
static void tidy (tl_archive *a) {
  tl_sort_records (a->buffer, a->count, a->record, a->key_bytes);
  size_t kept = 0;
  for (size_t i = 0; i < a->count; i++)
    if (!kept ||
        memcmp (record_at (a, i), record_at (a, kept - 1), a->key_bytes)) {
      if (kept != i)
        memcpy (record_at (a, kept), record_at (a, i), a->record);
      kept++;
    }
  a->count = kept;
}

static tl_status write_buffer (tl_archive *a) {
  tl_status rc = TL_OK;
  tl_merge_begin (&a->runs);
  for (size_t i = 0; !rc && i < a->count; i++) {
    key_at (a, i, a->key);
    rc = tl_merge_write (&a->runs, a->key, successors_at (a, i));
  }
  a->count = 0;
  return rc ? rc : tl_merge_end (&a->runs);
}

// Doubles the buffer; false: it is as large as may be.
static bool grow_buffer (tl_archive *a) {
  size_t bytes = a->room ? 2 * a->room : LEAST + a->record;
  bytes = bytes < a->most ? bytes : a->most;
  if (bytes <= a->room)
    return false;
  unsigned char *more = tl_mem_resize (a->mem, a->buffer, a->room, bytes, 1);
  if (!more)
    return false;
  a->buffer = more;
  a->room = bytes;
  return true;
}

static tl_status make_room (tl_archive *a) {
  if (grow_buffer (a))
    return TL_OK;
  if (!a->buffer)
    return TL_E_NOMEM;
  tidy (a);
  return buffer_bytes (a, 2 * a->count + 1) <= a->room ? TL_OK
                                                       : write_buffer (a);
}

tl_status tl_archive_add (tl_archive *a, const uint64_t *key,
                          uint32_t successors) {
  tl_status rc;
  if (buffer_bytes (a, a->count + 1) > a->room && (rc = make_room (a)))
    return rc;
  unsigned char *at = record_at (a, a->count++);
  for (uint32_t w = 0; w + 1 < a->words; w++, at += sizeof *key)
    tl_write_word (at, key[w]);
  tl_write_word (at, key[a->words - 1]);
  tl_write_word (at + a->last_bytes, successors);
  return TL_OK;
}

// ---- The end ---------------------------------------------------------------

tl_status tl_archive_drain (tl_archive *a, tl_merge_take take, void *context) {
  tl_status rc = TL_OK;
  if (a->count)
    tidy (a);
  if (a->runs.runs) {
    rc = a->count ? write_buffer (a) : TL_OK;
    close_buffer (a); // its memory is needed now
    return rc ? rc : tl_merge_all (&a->runs, take, context);
  }
  for (size_t i = 0; !rc && i < a->count; i++) {
    key_at (a, i, a->key);
    rc = take (context, a->key, successors_at (a, i));
  }
  return rc;
}

typedef struct tally {
  uint64_t states, arcs, deadlocks;
} tally;

static tl_status count (void *context, const uint64_t *key,
                        uint32_t successors) {
  (void)key;
  tally *t = context;
  t->states++;
  t->arcs += successors;
  t->deadlocks += !successors;
  return TL_OK;
}

tl_status tl_archive_settle (tl_archive *a, uint64_t *states, uint64_t *arcs,
                             uint64_t *deadlocks) {
  tally t = {0};
  const tl_status rc = tl_archive_drain (a, count, &t);
  if (rc)
    return rc;
  *states = t.states;
  *arcs = t.arcs;
  *deadlocks = t.deadlocks;
  return TL_OK;
}
