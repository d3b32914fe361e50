#include "base/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <xxhash.h>

enum {
  LEVEL = 1,
  PACKER_PART = 32,  // of a budget it may take one part
  LEAST = 256 << 10, // this much stays in memory in any case
  PAGE = 4096,       // of a file, where space can be given back
  NOT_MADE = -1,
  CANNOT_BE_MADE = -2
};

// There may be many: they are kept small.
typedef struct tl_spill_block {
  union {
    unsigned char *bytes;
    uint64_t sum; // where they are in the file
  };
  uint64_t at; // there
  uint32_t size;
  bool packed, in_file;
} block;

// ---- The file --------------------------------------------------------------

static int open_file (void) {
  const char *folder = getenv ("TMPDIR");
  if (!folder || !*folder)
    folder = P_tmpdir;
  int file = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0)
    return file;
  // Not every file system can do that.
  char path[4096];
  const int n = snprintf (path, sizeof path, "%s/tideline-XXXXXX", folder);
  if (n < 0 || (size_t)n >= sizeof path)
    return CANNOT_BE_MADE;
  file = mkostemp (path, O_CLOEXEC);
  if (file < 0)
    return CANNOT_BE_MADE;
  unlink (path);
  return file;
}

static uint64_t whole_pages (uint64_t size) {
  return (size + PAGE - 1) / PAGE * PAGE;
}

// Writing beyond this limit would send a signal.
static bool may_write (uint64_t end) {
  struct rlimit limit;
  return getrlimit (RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY ||
         end <= limit.rlim_cur;
}

// Writes a block at the end of the file; on failure the file is as long as
// before.
static bool write_file (tl_spill *s, block *b, const unsigned char *bytes) {
  const size_t size = b->size;
  if (s->file == NOT_MADE)
    s->file = open_file ();
  if (s->file < 0 || !may_write (s->end + size))
    return false;
  for (size_t done = 0; done < size;) {
    const ssize_t n =
        pwrite (s->file, bytes + done, size - done, (off_t)(s->end + done));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    done += (size_t)n;
  }
  b->at = s->end;
  b->sum = XXH3_64bits (bytes, size);
  b->in_file = true;
  s->end += whole_pages (size);
  s->written += size;
  s->in_file++;
  return true;
}

// False: it cannot be read, or is not what was written.
static bool read_file (const tl_spill *s, const block *b,
                       unsigned char *bytes) {
  for (size_t done = 0; done < b->size;) {
    const ssize_t n =
        pread (s->file, bytes + done, b->size - done, (off_t)(b->at + done));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    done += (size_t)n;
  }
  return XXH3_64bits (bytes, b->size) == b->sum;
}

// The bytes are not needed any more.  Only space is lost where this fails.
static void give_back_file (tl_spill *s, uint64_t at, size_t size) {
  const uint64_t whole = whole_pages (size);
  if (at + whole == s->end)
    s->end = at;
  else
    fallocate (s->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)at,
               (off_t)whole);
  if (!--s->in_file && !ftruncate (s->file, 0))
    s->end = 0;
}

// ---- Blocks ----------------------------------------------------------------

void tl_spill_open (tl_spill *s, tl_mem *mem, tl_packer *packer,
                    unsigned part) {
  *s = (tl_spill){.mem = mem, .packer = packer, .part = part, .file = NOT_MADE};
}

static block *block_at (const tl_spill *s, uint64_t number) {
  return s->block + (number - s->base);
}

static void drop_bytes (tl_spill *s, unsigned char *bytes, size_t size) {
  s->in_memory -= size;
  TL_DEL (s->mem, bytes, size);
}

static void drop (tl_spill *s, block *b) {
  if (!b->in_file)
    drop_bytes (s, b->bytes, b->size);
  else
    give_back_file (s, b->at, b->size);
}

void tl_spill_close (tl_spill *s) {
  for (uint64_t i = s->first; i < s->count; i++) {
    const block *b = block_at (s, i);
    if (!b->in_file)
      drop_bytes (s, b->bytes, b->size);
  }
  TL_DEL (s->mem, s->block, s->capacity);
  if (s->file >= 0)
    close (s->file);
  *s = (tl_spill){.file = NOT_MADE};
}

// How much may be in memory, by what the whole run holds.
static size_t share (const tl_spill *s) {
  const size_t bytes = tl_mem_used (tl_mem_root (s->mem)) / s->part;
  return bytes > LEAST ? bytes : LEAST;
}

static bool keep (tl_spill *s, block *b, const unsigned char *bytes) {
  if (!TL_NEW (s->mem, b->bytes, b->size))
    return false;
  memcpy (b->bytes, bytes, b->size);
  s->in_memory += b->size;
  return true;
}

// Moves the list of blocks to its beginning when half of it is behind us.
static void close_ranks (tl_spill *s) {
  const size_t gone = (size_t)(s->first - s->base);
  if (gone < 64 || gone < s->capacity / 2)
    return;
  memmove (s->block, s->block + gone,
           (size_t)(s->count - s->first) * sizeof *s->block);
  s->base = s->first;
}

// In a small budget what compressing takes would be missed by others: with a
// little more memory less could be stored.
static bool should_pack (const tl_spill *s) {
  const size_t limit = tl_mem_root (s->mem)->limit;
  return s->packer->compressor || !limit ||
         limit / PACKER_PART >= TL_PACKER_BYTES;
}

// In memory, as long as that is a small part of it, else in the file.
static bool put_away (tl_spill *s, block *b, const unsigned char *bytes) {
  const bool fits = s->in_memory + b->size <= share (s);
  return (fits && keep (s, b, bytes)) || write_file (s, b, bytes) ||
         (!fits && keep (s, b, bytes));
}

static tl_status append (tl_spill *s, block *b, const void *bytes) {
  if (s->raw)
    return put_away (s, b, bytes) ? TL_OK : TL_E_NOMEM;
  if (!should_pack (s) && write_file (s, b, bytes))
    return TL_OK;
  size_t packed;
  const tl_status rc =
      tl_packer_pack (s->packer, LEVEL, bytes, b->size, &packed);
  if (rc)
    return rc;
  *b = (block){.size = (uint32_t)packed, .packed = true};
  return put_away (s, b, s->packer->room) ? TL_OK : TL_E_NOMEM;
}

tl_status tl_spill_append (tl_spill *s, const void *bytes, size_t size) {
  close_ranks (s);
  if (!TL_ROOM (s->mem, s->block, &s->capacity,
                (size_t)(s->count - s->base) + 1))
    return TL_E_NOMEM;
  block b = {.size = (uint32_t)size};
  const tl_status rc = append (s, &b, bytes);
  if (!rc)
    *block_at (s, s->count++) = b;
  return rc;
}

static tl_status read_raw (const tl_spill *s, const block *b, void *bytes,
                           size_t room, size_t *size) {
  *size = b->size;
  if (b->size > room)
    return TL_E_IO;
  if (b->in_file)
    return read_file (s, b, bytes) ? TL_OK : TL_E_IO;
  memcpy (bytes, b->bytes, b->size);
  return TL_OK;
}

tl_status tl_spill_read (tl_spill *s, uint64_t number, void *bytes, size_t room,
                         size_t *size) {
  return tl_spill_read_with (s, s->packer, number, bytes, room, size);
}

tl_status tl_spill_read_with (const tl_spill *s, tl_packer *p, uint64_t number,
                              void *bytes, size_t room, size_t *size) {
  const block *b = block_at (s, number);
  if (!b->packed)
    return read_raw (s, b, bytes, room, size);
  const tl_status rc = tl_packer_prepare (p, b->in_file ? b->size : 0);
  if (rc)
    return rc;
  if (b->in_file && !read_file (s, b, p->room))
    return TL_E_IO;
  const unsigned char *packed = b->in_file ? p->room : b->bytes;
  return tl_packer_unpack (p, packed, b->size, bytes, room, size);
}

void tl_spill_forget (tl_spill *s, uint64_t number) {
  for (; s->first < number; s->first++)
    drop (s, block_at (s, s->first));
}

void tl_spill_drop_last (tl_spill *s) {
  drop (s, block_at (s, --s->count));
}

bool tl_spill_flush (tl_spill *s) {
  const size_t before = s->in_memory;
  for (uint64_t i = s->first; i < s->count; i++) {
    block *b = block_at (s, i);
    if (b->in_file)
      continue;
    unsigned char *bytes = b->bytes;
    if (!write_file (s, b, bytes))
      break;
    drop_bytes (s, bytes, b->size);
  }
  return s->in_memory < before;
}
