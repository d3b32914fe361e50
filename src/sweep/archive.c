#include "sweep/archive.h"

#include "base/bits.h"
#include "base/error.h"
#include "base/tuning.h"
#include "store/ascending.h"
#include "store/sorting.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <xxhash.h>

enum {
  MOST = 1 << 16, // bytes of a block
  LEAST = 1 << 12,
  RUN_MOST = 1 << 20, // bytes of the keys of a run
  RUN_PART = 4,       // it has so much less of a budget than a block
  LEVEL = 1,          // of compression
  BATCH = TL_ARCHIVE_BATCH
};

struct tl_archive {
  tl_mem *mem;
  tl_pool_kind kind;
  uint32_t key_bits; // of runs
  size_t block;      // its bytes
  uint64_t *keys;    // [BATCH] on the way
  tl_packer packer;
  tl_ascending_writer writer;
  tl_ascending_reader reader;
  uint64_t from;  // what that reads next in the stream
  uint64_t piece; // where the last one begins, + 1; 0: it was written before
  uint64_t *waiting, *other; // [room] keys of that; the second is for sorting
  size_t waits, room;
  bool broken; // a run was not written as a whole
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
  TL_DEL (mem, a->tail, a->block);
  TL_DEL (mem, a->read, a->block);
  TL_DEL (mem, a->keys, (size_t)BATCH * a->kind.spec.key_words);
  TL_DEL (mem, a->waiting, a->room * a->kind.spec.key_words);
  TL_DEL (mem, a->other, a->room * a->kind.spec.key_words);
  tl_ascending_end (&a->writer);
  tl_ascending_close (&a->reader);
  tl_packer_close (&a->packer);
  if (a->copy >= 0)
    close (a->copy);
  TL_DEL (mem, a, 1);
}

// A small part of a budget.
static size_t within (size_t limit, size_t most) {
  const size_t share = limit / TL_ARCHIVE_BLOCK_PART;
  return !limit || share > most ? most : share < LEAST ? LEAST : share;
}

static tl_status write_run (void *, const void *bytes, size_t length);
static tl_status read_run (void *, void *bytes, size_t length, size_t *got);

// In a small budget runs are not packed, and have smaller blocks.
static bool is_small (const tl_archive *a) {
  const size_t limit = tl_mem_root (a->mem)->limit;
  return limit && limit / TL_ARCHIVE_PART < TL_PACKER_BYTES;
}

static tl_status open_reader (tl_archive *a, bool small, size_t bytes) {
  return tl_ascending_open_small (&a->reader, a->mem, small ? 0 : &a->packer,
                                  a->key_bits,
                                  (tl_ascending_source){a, read_run}, bytes);
}

// Memory is short when layers are written: what packing them takes is taken
// now.
static tl_status open_runs (tl_archive *a) {
  const tl_store_spec *spec = &a->kind.spec;
  const size_t limit = tl_mem_root (a->mem)->limit / RUN_PART,
               bytes = within (limit, TL_ASCENDING_BYTES);
  const bool small = is_small (a);
  a->room = within (limit, RUN_MOST) / sizeof *a->waiting / spec->key_words;
  a->room = a->room < BATCH ? BATCH : a->room;
  if (!TL_NEW (a->mem, a->waiting, a->room * spec->key_words) ||
      !TL_NEW (a->mem, a->other, a->room * spec->key_words) ||
      (!small && tl_packer_prepare (&a->packer, 2 * TL_ASCENDING_BYTES)) ||
      tl_ascending_create_small (&a->writer, a->mem, small ? 0 : &a->packer,
                                 a->key_bits, LEVEL,
                                 (tl_ascending_sink){a, write_run}, bytes))
    return TL_E_NOMEM;
  return open_reader (a, small, bytes);
}

// Keys may have a word more than their bits ask for, as those of nets that are
// not unfolded have where these fill the one before.
static uint32_t run_bits (const tl_store_spec *spec) {
  const bool fit = (spec->key_bits + 63) / 64 == spec->key_words;
  return fit ? spec->key_bits : 64 * spec->key_words;
}

tl_status tl_archive_open (tl_archive **out, tl_mem *mem,
                           const tl_pool_kind *kind) {
  *out = 0;
  tl_archive *a;
  if (!TL_NEW (mem, a, 1))
    return TL_E_NOMEM;
  *a = (tl_archive){.mem = mem,
                    .kind = *kind,
                    .key_bits = run_bits (&kind->spec),
                    .copy = -1,
                    .packer = TL_PACKER (mem),
                    .writer = {.mem = mem},
                    .reader = {.mem = mem},
                    .block = within (tl_mem_root (mem)->limit, MOST)};
  tl_spill_open (&a->blocks, mem, 0, TL_ARCHIVE_PART);
  a->blocks.raw = true;
  if (!TL_NEW (mem, a->tail, a->block) || !TL_NEW (mem, a->read, a->block) ||
      !TL_NEW (mem, a->keys, (size_t)BATCH * kind->spec.key_words) ||
      open_runs (a)) {
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

// A piece begins with where the one before it is, and how many keys that has; a
// run with how many it has.
enum { HEAD = 16, RUN_HEAD = 8 };

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

// ---- Runs ------------------------------------------------------------------

static tl_status write_run (void *archive, const void *bytes, size_t length) {
  return append (archive, bytes, length);
}

static tl_status read_run (void *archive, void *bytes, size_t length,
                           size_t *got) {
  tl_archive *a = archive;
  const uint64_t left = end_of (a) - a->from;
  *got = left < length ? (size_t)left : length;
  const tl_status rc = read_at (a, a->from, bytes, *got);
  a->from += *got;
  return rc;
}

// Keys that wait become a run.
static tl_status end_run (tl_archive *a) {
  unsigned char count[RUN_HEAD];
  if (!a->waits || a->broken)
    return a->broken ? TL_E_NOMEM : TL_OK;
  uint64_t *sorted = tl_sort_keys (a->waiting, a->other, a->waits,
                                   a->kind.spec.key_words, a->key_bits);
  a->other = sorted == a->waiting ? a->other : a->waiting;
  a->waiting = sorted;
  tl_write_word (count, a->waits);
  tl_ascending_write_anew (&a->writer);
  tl_status rc = append (a, count, RUN_HEAD);
  if (!rc)
    rc = tl_ascending_write (&a->writer, sorted, a->waits);
  if (!rc)
    rc = tl_ascending_flush (&a->writer);
  a->waits = 0;
  a->broken = rc;
  return rc;
}

// ---- Keys ------------------------------------------------------------------

static tl_status begin (tl_archive *a, tl_archived *archived) {
  unsigned char head[HEAD];
  const tl_status rc = end_run (a);
  if (rc)
    return rc;
  tl_write_word (head, archived->at);
  tl_write_word (head + 8, archived->count);
  archived->at = end_of (a);
  archived->count = 0;
  a->piece = archived->at + 1;
  return append (a, head, HEAD);
}

static tl_status add_keys (tl_archive *a, tl_archived *archived,
                           const uint64_t *records, size_t stride, size_t n) {
  const uint32_t words = a->kind.spec.key_words;
  tl_status rc = TL_OK;
  archived->count += n;
  archived->total += n;
  for (size_t i = 0; !rc && i < n; i++) {
    tl_copy_words (a->waiting + a->waits++ * words, records + i * stride,
                   words);
    rc = a->waits == a->room ? end_run (a) : TL_OK;
  }
  return rc;
}

tl_status tl_archive_append (tl_archive *a, tl_archived *archived,
                             const uint64_t *records, size_t stride, size_t n) {
  const bool goes_on = archived->total && archived->at + 1 == a->piece;
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
  c->last = c->next.at + 1 == a->piece;
  c->left = c->next.count;
  c->next.total -= c->next.count;
  c->next.at = tl_read_word (head);
  c->next.count = tl_read_word (head + 8);
  return TL_OK;
}

static tl_status next_run (tl_archive *a, tl_archive_cursor *c) {
  unsigned char count[RUN_HEAD];
  const tl_status rc = read_at (a, c->at, count, RUN_HEAD);
  c->at += RUN_HEAD;
  c->run = rc ? 0 : tl_read_word (count);
  tl_ascending_read_anew (&a->reader);
  return rc || c->run ? rc : TL_E_IO;
}

// Keys of the last piece that are in no run so far.
static void show_waiting (const tl_archive *a, tl_archive_cursor *c,
                          const uint64_t **keys, size_t *n) {
  const size_t rest = a->waits - (size_t)c->waiting;
  *keys = a->waiting + c->waiting * a->kind.spec.key_words;
  *n = rest < BATCH ? rest : BATCH;
  c->waiting += *n;
  if (c->waiting == a->waits)
    c->left = 0;
}

// Runs are read as a whole, also where fewer keys were noted.
static tl_status show_run (tl_archive *a, tl_archive_cursor *c,
                           const uint64_t **keys, size_t *n) {
  tl_status rc = c->run ? TL_OK : next_run (a, c);
  if (rc)
    return rc;
  a->from = c->at;
  rc = tl_ascending_read (&a->reader, a->keys, c->run < BATCH ? c->run : BATCH,
                          n);
  c->at = a->from;
  *keys = a->keys;
  c->run -= *n;
  c->left -= *n < c->left ? *n : c->left;
  c->left += !c->left && c->run; // the rest of the run comes, too
  return rc == TL_E_SYNTAX || (!rc && !*n) ? TL_E_IO : rc;
}

tl_status tl_archive_read (tl_archive *a, tl_archive_cursor *c,
                           const uint64_t **keys, size_t *n) {
  tl_status rc = a->broken ? TL_E_IO : TL_OK;
  *n = 0;
  while (!rc && !c->left && c->next.total)
    rc = next_piece (a, c);
  if (rc || !c->left)
    return rc;
  if (c->last && !c->run && c->at == end_of (a)) {
    show_waiting (a, c, keys, n);
    return *n ? TL_OK : TL_E_IO;
  }
  rc = show_run (a, c, keys, n);
  *n = rc ? 0 : *n;
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
  tl_status rc = end_run (a);
  if (rc)
    return rc;
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
  unsigned char *room = 0;
  if (copy->block > MOST || !copy->block || copy->tail >= copy->block)
    return tl_fail_at (error, TL_E_SYNTAX, path, 0, 0, "it is damaged");
  const int file = open (path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return tl_fail_at (error, TL_E_SYNTAX, path, 0, 0, "cannot be read: %s",
                       strerror (errno));
  // The budget may have been another one.
  tl_ascending_close (&a->reader);
  tl_status rc = open_reader (a, false, TL_ASCENDING_BYTES);
  if (!rc)
    rc = TL_NEW (a->mem, room, size) ? TL_OK : TL_E_NOMEM;
  if (!rc)
    rc = restore_blocks (a, file, copy, room, path, error);
  if (!rc)
    rc = append (a, tail, copy->tail);
  TL_DEL (a->mem, room, size);
  close (file);
  return rc;
}
