#include "sweep/archive.h"

#include "base/bits.h"
#include "base/error.h"
#include "base/tuning.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <xxhash.h>

enum {
  MOST = 1 << 16, // bytes of a block
  LEAST = 1 << 12,
  PADDING = 8, // behind a block, for keys that are read by words
  BATCH = 64   // keys of a pool on their way
};

struct tl_archive {
  tl_mem *mem;
  tl_pool_kind kind;
  size_t size;    // bytes of a key
  size_t block;   // and of a block
  uint64_t *keys; // [BATCH] on the way; and one that lies in two blocks
  tl_spill blocks;
  unsigned char *tail; // the block being filled
  size_t used;
  unsigned char *read; // the block read last
  uint64_t number;     // of that, + 1; 0: none
  size_t reserve;      // bytes, for when memory is short
  int copy;            // a file, for checkpoints; -1: there is none
  uint64_t copied;     // blocks of it
};

void tl_archive_close (tl_archive *a) {
  if (!a)
    return;
  tl_mem *mem = a->mem;
  tl_spill_close (&a->blocks);
  tl_mem_discharge (mem, a->reserve);
  TL_DEL (mem, a->tail, a->block + PADDING);
  TL_DEL (mem, a->read, a->block + PADDING);
  TL_DEL (mem, a->keys, (size_t)BATCH * a->kind.spec.key_words);
  if (a->copy >= 0)
    close (a->copy);
  TL_DEL (mem, a, 1);
}

// There are two blocks, which are a small part of a budget.
static size_t block_within (size_t limit) {
  const size_t share = limit / TL_ARCHIVE_BLOCK_PART;
  return !limit || share > MOST ? MOST : share < LEAST ? LEAST : share;
}

tl_status tl_archive_open (tl_archive **out, tl_mem *mem,
                           const tl_pool_kind *kind) {
  *out = 0;
  tl_archive *a;
  if (!TL_NEW (mem, a, 1))
    return TL_E_NOMEM;
  *a = (tl_archive){.mem = mem,
                    .kind = *kind,
                    .copy = -1,
                    .size = tl_pool_key_bytes (kind),
                    .block = block_within (tl_mem_root (mem)->limit)};
  tl_spill_open (&a->blocks, mem, 0, TL_ARCHIVE_PART);
  a->blocks.raw = true;
  if (!TL_NEW (mem, a->tail, a->block + PADDING) ||
      !TL_NEW (mem, a->read, a->block + PADDING) ||
      !TL_NEW (mem, a->keys, (size_t)BATCH * kind->spec.key_words)) {
    tl_archive_close (a);
    return TL_E_NOMEM;
  }
  *out = a;
  return TL_OK;
}

bool tl_archive_flush (tl_archive *a) {
  return tl_spill_flush (&a->blocks);
}

uint64_t tl_archive_spilled (const tl_archive *a) {
  return a->blocks.written;
}

// ---- The stream ------------------------------------------------------------

static uint64_t end_of (const tl_archive *a) {
  return a->blocks.count * a->block + a->used;
}

static void take_reserve (tl_archive *a) {
  if (!a->reserve && tl_mem_charge (a->mem, a->block))
    a->reserve = a->block;
}

static bool use_reserve (tl_archive *a) {
  const bool has = a->reserve;
  tl_mem_discharge (a->mem, a->reserve);
  a->reserve = 0;
  return has;
}

// The block being filled may be full.  Layers are written because memory is
// short, and the list of blocks takes some.
static tl_status put_away (tl_archive *a) {
  if (a->used < a->block)
    return TL_OK;
  take_reserve (a);
  tl_status rc = tl_spill_append (&a->blocks, a->tail, a->block);
  if (rc && use_reserve (a))
    rc = tl_spill_append (&a->blocks, a->tail, a->block);
  a->used = rc ? a->used : 0;
  return rc;
}

static tl_status append (tl_archive *a, const void *from, size_t size) {
  const unsigned char *bytes = from;
  tl_status rc = TL_OK;
  while (!rc && size) {
    const size_t room = a->block - a->used, n = size < room ? size : room;
    memcpy (a->tail + a->used, bytes, n);
    a->used += n;
    bytes += n;
    size -= n;
    rc = put_away (a);
  }
  return rc;
}

// The bytes of the stream from there on, and how many are in the same block.
static tl_status show_at (tl_archive *a, uint64_t at,
                          const unsigned char **bytes, size_t *room) {
  const uint64_t number = at / a->block;
  const size_t from = (size_t)(at % a->block);
  *room = a->block - from;
  *bytes = a->tail + from;
  if (number == a->blocks.count)
    return TL_OK;
  *bytes = a->read + from;
  if (a->number == number + 1)
    return TL_OK;
  size_t got;
  const tl_status rc =
      tl_spill_read (&a->blocks, number, a->read, a->block, &got);
  a->number = rc ? 0 : number + 1;
  return rc;
}

static tl_status read_at (tl_archive *a, uint64_t at, void *to, size_t size) {
  unsigned char *bytes = to;
  while (size) {
    const unsigned char *from;
    size_t room;
    const tl_status rc = show_at (a, at, &from, &room);
    if (rc)
      return rc;
    const size_t n = size < room ? size : room;
    memcpy (bytes, from, n);
    bytes += n;
    at += n;
    size -= n;
  }
  return TL_OK;
}

// ---- Keys ------------------------------------------------------------------

// A piece begins with where the one before it is, and how many keys that has.
enum { HEAD = 16 };

static tl_status begin (tl_archive *a, tl_archived *archived) {
  unsigned char head[HEAD];
  tl_write_word (head, archived->at);
  tl_write_word (head + 8, archived->count);
  archived->at = end_of (a);
  archived->count = 0;
  return append (a, head, HEAD);
}

static tl_status add_one (tl_archive *a, const uint64_t *key) {
  const uint32_t words = a->kind.spec.key_words;
  unsigned char bytes[words * sizeof *key];
  tl_write_words (bytes, key, words);
  return append (a, bytes, a->size);
}

// Keys go to the block being filled as far as they fit; the next one goes to
// two blocks.
static tl_status add_keys (tl_archive *a, tl_archived *archived,
                           const uint64_t *records, size_t stride, size_t n) {
  const uint32_t words = a->kind.spec.key_words;
  tl_status rc = TL_OK;
  archived->count += n;
  archived->total += n;
  for (size_t i = 0; !rc && i < n;) {
    // Up to seven bytes more are written.
    const size_t fit = (a->block - a->used) / a->size,
                 end = n - i < fit ? n : i + fit;
    for (; i < end; i++, a->used += a->size)
      tl_write_words (a->tail + a->used, records + i * stride, words);
    rc = put_away (a);
    if (!rc && i < n)
      rc = add_one (a, records + i++ * stride);
  }
  return rc;
}

tl_status tl_archive_append (tl_archive *a, tl_archived *archived,
                             const uint64_t *records, size_t stride, size_t n) {
  const bool goes_on =
      archived->total &&
      archived->at + HEAD + archived->count * a->size == end_of (a);
  const tl_status rc = goes_on || !n ? TL_OK : begin (a, archived);
  return rc ? rc : add_keys (a, archived, records, stride, n);
}

tl_status tl_archive_write (tl_archive *a, const tl_pool *pool,
                            tl_archived *archived) {
  const uint32_t words = a->kind.spec.key_words;
  uint64_t cursor = 0;
  *archived = (tl_archived){0};
  tl_status rc = begin (a, archived);
  for (size_t n;
       !rc && (n = tl_pool_each (pool, &a->kind, &cursor, BATCH, a->keys));)
    rc = add_keys (a, archived, a->keys, words, n);
  return rc;
}

static tl_status next_piece (tl_archive *a, tl_archive_cursor *c) {
  unsigned char head[HEAD];
  const tl_status rc = read_at (a, c->next.at, head, HEAD);
  if (rc)
    return rc;
  c->at = c->next.at + HEAD;
  c->left = c->next.count;
  c->next.total -= c->next.count;
  c->next.at = tl_read_word (head);
  c->next.count = tl_read_word (head + 8);
  return TL_OK;
}

tl_status tl_archive_read (tl_archive *a, tl_archive_cursor *c,
                           const unsigned char **keys, size_t *n) {
  tl_status rc = TL_OK;
  size_t room;
  *n = 0;
  while (!rc && !c->left && c->next.total)
    rc = next_piece (a, c);
  if (rc || !c->left || (rc = show_at (a, c->at, keys, &room)))
    return rc;
  size_t some = room / a->size;
  if (!some) {
    rc = read_at (a, c->at, a->keys, a->size);
    *keys = (unsigned char *)a->keys;
    some = 1;
  }
  *n = rc ? 0 : c->left < some ? (size_t)c->left : some;
  c->at += *n * a->size;
  c->left -= *n;
  return rc;
}

// ---- Checkpoints -----------------------------------------------------------

// In the copy each block has its sum behind it, which begins with its number.
enum { SUM = 8 };

bool tl_archive_is_copied (const tl_archive *a) {
  return a->copy >= 0;
}

const unsigned char *tl_archive_tail (const tl_archive *a) {
  return a->tail;
}

// Writing beyond this limit would send a signal.
static bool may_write (uint64_t end) {
  struct rlimit limit;
  return getrlimit (RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY ||
         end <= limit.rlim_cur;
}

static tl_status copy_block (tl_archive *a, tl_error *error) {
  const uint64_t at = a->copied * (a->block + SUM);
  const unsigned char *bytes;
  unsigned char sum[SUM];
  size_t room;
  const tl_status rc = show_at (a, a->copied * a->block, &bytes, &room);
  if (rc)
    return rc;
  tl_write_word (sum, XXH3_64bits_withSeed (bytes, a->block, a->copied));
  errno = may_write (at + a->block + SUM) ? ENOSPC : EFBIG;
  if (errno == EFBIG ||
      pwrite (a->copy, bytes, a->block, (off_t)at) != (ssize_t)a->block ||
      pwrite (a->copy, sum, SUM, (off_t)(at + a->block)) != SUM)
    return tl_fail (error, TL_E_IO, "%s", strerror (errno));
  a->copied++;
  return TL_OK;
}

tl_status tl_archive_save (tl_archive *a, const char *path,
                           tl_archive_copy *copy, tl_error *error) {
  tl_status rc = TL_OK;
  if (a->copy < 0)
    a->copy = open (path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (a->copy < 0)
    return tl_fail (error, TL_E_IO, "%s", strerror (errno));
  while (!rc && a->copied < a->blocks.count)
    rc = copy_block (a, error);
  if (!rc && fdatasync (a->copy))
    rc = tl_fail (error, TL_E_IO, "%s", strerror (errno));
  *copy = (tl_archive_copy){a->blocks.count, a->block, a->used};
  return rc;
}

static tl_status restore_blocks (tl_archive *a, int file,
                                 const tl_archive_copy *copy,
                                 unsigned char *room, const char *path,
                                 tl_error *error) {
  const size_t size = copy->block + SUM;
  tl_status rc = TL_OK;
  for (uint64_t i = 0; !rc && i < copy->blocks; i++) {
    if (pread (file, room, size, (off_t)(i * size)) != (ssize_t)size ||
        tl_read_word (room + copy->block) !=
            XXH3_64bits_withSeed (room, copy->block, i))
      return tl_fail_at (error, TL_E_SYNTAX, path, 0, 0,
                         "the file is damaged, or cut off");
    rc = append (a, room, copy->block);
  }
  return rc;
}

tl_status tl_archive_restore (tl_archive *a, const char *path,
                              const tl_archive_copy *copy,
                              const unsigned char *tail, tl_error *error) {
  const size_t size = copy->block + SUM;
  unsigned char *room;
  if (copy->block > MOST || !copy->block || copy->tail >= copy->block)
    return tl_fail_at (error, TL_E_SYNTAX, path, 0, 0, "it is damaged");
  const int file = open (path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return tl_fail_at (error, TL_E_SYNTAX, path, 0, 0, "cannot be read: %s",
                       strerror (errno));
  tl_status rc = TL_NEW (a->mem, room, size) ? TL_OK : TL_E_NOMEM;
  if (!rc)
    rc = restore_blocks (a, file, copy, room, path, error);
  if (!rc)
    rc = append (a, tail, copy->tail);
  TL_DEL (a->mem, room, size);
  close (file);
  return rc;
}
