#include "explore/merge.h"

#include "base/bits.h"

#include <assert.h>

enum {
  BLOCK_BYTES = 1 << 15,
  HEAD_BYTES = 15, // of a record, before the difference, at most
  PART = 16,       // of the memory of the run the blocks may take one part
  MOST_WAYS = 512
};

// Blocks first .. end-1.
typedef struct tl_run {
  uint64_t first, end;
} run;

// A run being read, and the record at hand.
typedef struct tl_run_reader {
  uint64_t next, end; // blocks
  uint64_t *key;
  uint32_t number;
  unsigned char *bytes;
  size_t at, size;
} reader;

// Words are written, and read, beyond the last record.
static size_t block_room (const tl_merge *m) {
  return m->block + sizeof (uint64_t);
}

tl_status tl_merge_open (tl_merge *m, tl_mem *mem, tl_packer *packer,
                         uint32_t words, size_t key_bytes, size_t memory) {
  *m = (tl_merge){
      .mem = mem, .words = words, .key_bytes = key_bytes, .memory = memory};
  m->block = key_bytes + HEAD_BYTES;
  if (m->block < BLOCK_BYTES)
    m->block = BLOCK_BYTES;
  tl_spill_open (&m->blocks, mem, packer, PART);
  if (TL_NEW (mem, m->last, words) && TL_NEW (mem, m->taken, words) &&
      TL_NEW (mem, m->bytes, block_room (m)))
    return TL_OK;
  tl_merge_close (m);
  return TL_E_NOMEM;
}

static void close_readers (tl_merge *m) {
  if (m->reader)
    TL_DEL (m->mem, m->reader, m->ways);
  if (m->read_bytes)
    TL_DEL (m->mem, m->read_bytes, m->ways * block_room (m));
  if (m->read_keys)
    TL_DEL (m->mem, m->read_keys, m->ways * m->words);
  if (m->heap)
    TL_DEL (m->mem, m->heap, m->ways);
}

void tl_merge_close (tl_merge *m) {
  if (!m->mem)
    return;
  tl_spill_close (&m->blocks);
  close_readers (m);
  if (m->last)
    TL_DEL (m->mem, m->last, m->words);
  if (m->taken)
    TL_DEL (m->mem, m->taken, m->words);
  if (m->bytes)
    TL_DEL (m->mem, m->bytes, block_room (m));
  if (m->run)
    TL_DEL (m->mem, m->run, m->run_room);
  *m = (tl_merge){0};
}

// ---- Writing a run ---------------------------------------------------------

// In as few groups of seven bits as the number takes.
static unsigned char *write_number (unsigned char *at, uint64_t n) {
  for (; n > 127; n >>= 7)
    *at++ = (unsigned char)(n | 128);
  *at++ = (unsigned char)n;
  return at;
}

// Writes how much larger the key is than the last one; returns the end.
//     | bytes of the difference | difference |
static unsigned char *write_difference (tl_merge *m, unsigned char *at,
                                        const uint64_t *key) {
  uint64_t *last = m->last, borrow = 0;
  size_t bytes = 0;
  // The last key is overwritten by the difference, and that by the key.
  for (uint32_t w = 0; w < m->words; w++) {
    uint64_t d;
    const bool less = __builtin_sub_overflow (key[w], last[w], &d);
    const bool lent = __builtin_sub_overflow (d, borrow, &last[w]);
    borrow = less | lent;
    if (last[w])
      bytes = 8 * (size_t)w + (tl_bits_for (last[w]) + 7) / 8;
  }
  assert (!borrow);
  at = write_number (at, bytes);
  for (uint32_t w = 0; w < m->words; w++) {
    if (8 * (size_t)w < bytes)
      tl_write_word (at + 8 * (size_t)w, last[w]);
    last[w] = key[w];
  }
  return at + bytes;
}

static tl_status end_block (tl_merge *m) {
  const tl_status rc =
      m->used ? tl_spill_append (&m->blocks, m->bytes, m->used) : TL_OK;
  if (!rc)
    m->used = 0;
  return rc;
}

tl_status tl_merge_write (tl_merge *m, const uint64_t *key, uint32_t number) {
  tl_status rc;
  if (m->used + HEAD_BYTES + m->key_bytes > m->block && (rc = end_block (m)))
    return rc;
  unsigned char *at = write_number (m->bytes + m->used, number);
  at = write_difference (m, at, key);
  m->used = (size_t)(at - m->bytes);
  return TL_OK;
}

void tl_merge_begin (tl_merge *m) {
  m->begun = m->blocks.count;
  m->used = 0;
  memset (m->last, 0, m->words * sizeof *m->last);
}

tl_status tl_merge_end (tl_merge *m) {
  if (!TL_ROOM (m->mem, m->run, &m->run_room, m->runs + 1))
    return TL_E_NOMEM;
  const tl_status rc = end_block (m);
  if (!rc)
    m->run[m->runs++] = (run){m->begun, m->blocks.count};
  return rc;
}

// ---- Reading a run ---------------------------------------------------------

static uint64_t read_number (reader *r) {
  uint64_t n = 0;
  unsigned shift = 0;
  unsigned char byte;
  do {
    byte = r->bytes[r->at++];
    n |= (uint64_t)(byte & 127) << shift;
    shift += 7;
  } while (byte & 128 && r->at < r->size && shift < 63);
  return n;
}

// Adds `bytes` bytes to the key.
static void add_difference (const tl_merge *m, reader *r, size_t bytes) {
  const unsigned char *at = r->bytes + r->at;
  uint64_t carry = 0;
  for (uint32_t w = 0; w < m->words; w++) {
    const size_t done = 8 * (size_t)w, left = bytes > done ? bytes - done : 0;
    uint64_t d = 0;
    if (left)
      d = tl_read_word (at + done) &
          tl_low_bits (left < 8 ? 8 * (unsigned)left : 64);
    const bool more = __builtin_add_overflow (r->key[w], d, &d);
    const bool carried = __builtin_add_overflow (d, carry, &r->key[w]);
    carry = more | carried;
  }
  r->at += bytes;
}

// Goes on to the next record; *more is false at the end.
static tl_status read_record (tl_merge *m, reader *r, bool *more) {
  if (r->at >= r->size) {
    *more = r->next < r->end;
    if (!*more)
      return TL_OK;
    const tl_status rc =
        tl_spill_read (&m->blocks, r->next++, r->bytes, m->block, &r->size);
    if (rc)
      return rc;
    r->at = 0;
  }
  *more = true;
  const uint64_t number = read_number (r);
  const uint64_t bytes = r->at < r->size ? read_number (r) : UINT64_MAX;
  if (bytes > m->key_bytes || bytes > r->size - r->at || number > UINT32_MAX)
    return TL_E_IO; // not what was written
  r->number = (uint32_t)number;
  add_difference (m, r, (size_t)bytes);
  return TL_OK;
}

// ---- Merging ---------------------------------------------------------------

// Takes the memory to merge up to `ways` runs, or fewer if it is short.
static tl_status open_readers (tl_merge *m, size_t ways) {
  for (; ways > 1; ways = ways == 3 ? 2 : ways / 2) {
    m->ways = ways;
    if (TL_NEW (m->mem, m->reader, ways) &&
        TL_NEW (m->mem, m->read_bytes, ways * block_room (m)) &&
        TL_NEW (m->mem, m->read_keys, ways * m->words) &&
        TL_NEW (m->mem, m->heap, ways))
      return TL_OK;
    close_readers (m);
  }
  return TL_E_NOMEM;
}

static int compare (const tl_merge *m, uint32_t i, uint32_t k) {
  const uint64_t *x = m->reader[i].key, *y = m->reader[k].key;
  for (uint32_t w = m->words; w--;)
    if (x[w] != y[w])
      return x[w] < y[w] ? -1 : 1;
  return 0;
}

// The reader at position `at` of the heap may be too large for it.
static void sink (tl_merge *m, size_t at) {
  const uint32_t moved = m->heap[at];
  for (size_t child; (child = 2 * at + 1) < m->heaped; at = child) {
    if (child + 1 < m->heaped &&
        compare (m, m->heap[child + 1], m->heap[child]) < 0)
      child++;
    if (compare (m, moved, m->heap[child]) <= 0)
      break;
    m->heap[at] = m->heap[child];
  }
  m->heap[at] = moved;
}

// Begins to read the oldest runs, as many as there is memory for.
static tl_status begin_reading (tl_merge *m) {
  const size_t there = m->runs - m->first,
               ways = there < m->ways ? there : m->ways;
  m->heaped = 0;
  for (uint32_t i = 0; i < ways; i++) {
    reader *r = m->reader + i;
    const run *from = m->run + m->first++;
    *r = (reader){.next = from->first,
                  .end = from->end,
                  .bytes = m->read_bytes + i * block_room (m),
                  .key = m->read_keys + (size_t)i * m->words};
    memset (r->key, 0, m->words * sizeof *r->key);
    bool more;
    const tl_status rc = read_record (m, r, &more);
    if (rc)
      return rc;
    if (more)
      m->heap[m->heaped++] = i;
  }
  for (size_t i = m->heaped / 2; i--;)
    sink (m, i);
  return TL_OK;
}

// Merges some of the runs, or all if there are few.
static tl_status merge_some (tl_merge *m, tl_merge_take take, void *context) {
  const size_t bytes = m->words * sizeof *m->taken;
  tl_status rc = begin_reading (m);
  for (bool first = true; !rc && m->heaped; first = false) {
    reader *r = m->reader + m->heap[0];
    if (first || memcmp (r->key, m->taken, bytes)) {
      memcpy (m->taken, r->key, bytes);
      if ((rc = take (context, r->key, r->number)))
        break;
    }
    bool more;
    if ((rc = read_record (m, r, &more)))
      break;
    if (!more)
      m->heap[0] = m->heap[--m->heaped];
    if (m->heaped)
      sink (m, 0);
  }
  return rc;
}

static tl_status take_to_run (void *merge, const uint64_t *key,
                              uint32_t number) {
  return tl_merge_write (merge, key, number);
}

// Makes one run of some.
static tl_status merge_to_run (tl_merge *m) {
  tl_merge_begin (m);
  tl_status rc = merge_some (m, take_to_run, m);
  if (!rc)
    rc = tl_merge_end (m);
  if (!rc)
    tl_spill_forget (&m->blocks, m->run[m->first].first);
  return rc;
}

tl_status tl_merge_all (tl_merge *m, tl_merge_take take, void *context) {
  size_t ways = m->memory / block_room (m);
  ways = ways > MOST_WAYS ? MOST_WAYS : ways;
  ways = ways > m->runs ? m->runs : ways;
  tl_status rc = open_readers (m, ways < 2 ? 2 : ways);
  while (!rc && m->runs - m->first > m->ways)
    rc = merge_to_run (m);
  return rc ? rc : merge_some (m, take, context);
}
