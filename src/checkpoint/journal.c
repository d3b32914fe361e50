#include "checkpoint/journal.h"

#include "base/bits.h"
#include "base/error.h"
#include "base/packer.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum {
  BLOCK_BYTES = 1 << 16, // about, of keys and events
  PARENT_BYTES = 10,     // at most
  HEAD_WORDS = 6,
  HEAD = 8 * HEAD_WORDS,
  LEVEL = 1,
  MOST_STATES = 1 << 20, // of a block
  MOST_STREAMS = 1 << 16
};

// A block that waits for the disk.
typedef struct waiting {
  unsigned char *bytes;
  size_t size;
} waiting;

struct tl_journal {
  tl_mem *mem;
  int file;
  uint64_t end;
  pthread_mutex_t lock; // of all below
  waiting *waiting;
  size_t waits, waiting_room;
  int sys;   // why the last block could not be written; 0: it could
  bool lost; // a block is missing
  tl_stream *stream;
  uint32_t streams;
};

// ---- The form of a block ---------------------------------------------------

static unsigned bytes_for (unsigned bits) {
  return bits ? (bits + 7) / 8 : 1;
}

static size_t record_bytes (const tl_journal_form *f) {
  return 8 * (size_t)(f->words - 1) + bytes_for (f->bits - 64 * (f->words - 1));
}

static size_t event_bytes (const tl_journal_form *f) {
  return bytes_for (tl_bits_for (f->events));
}

static unsigned char *write_number (unsigned char *at, uint64_t value) {
  for (; value > 127; value >>= 7)
    *at++ = (unsigned char)(value | 128);
  *at++ = (unsigned char)value;
  return at;
}

// False: it goes beyond the end.
static bool read_number (const unsigned char **at, const unsigned char *end,
                         uint64_t *value) {
  *value = 0;
  for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
    const unsigned char byte = *(*at)++;
    *value |= (uint64_t)(byte & 127) << shift;
    if (!(byte & 128))
      return true;
  }
  return false;
}

// Small numbers for small changes, forth or back.
static uint64_t fold (uint64_t change) {
  return change >> 63 ? ~(change << 1) : change << 1;
}

static uint64_t unfold (uint64_t folded) {
  return folded & 1 ? ~(folded >> 1) : folded >> 1;
}

typedef struct head {
  uint32_t stream, code;
  uint64_t first;
  uint32_t count, raw, packed;
  uint64_t sum;
} head;

static uint64_t head_sum (const unsigned char *bytes, uint64_t at) {
  return XXH3_64bits_withSeed (bytes, HEAD - 8, at);
}

static uint64_t payload_sum (const unsigned char *bytes, size_t size,
                             uint64_t at) {
  return XXH3_64bits_withSeed (bytes, size, at);
}

// The head of a block that will stand at that place of the file, with its
// payload behind it.
static void seal (unsigned char *block, size_t size, uint64_t at) {
  tl_write_word (block + 32, payload_sum (block + HEAD, size - HEAD, at));
  tl_write_word (block + 40, head_sum (block, at));
}

static void write_head (unsigned char *to, const head *h) {
  tl_write_word (to, h->stream | (uint64_t)h->code << 32);
  tl_write_word (to + 8, h->first);
  tl_write_word (to + 16, h->count | (uint64_t)h->raw << 32);
  tl_write_word (to + 24, h->packed);
}

static bool read_head (const unsigned char *bytes, uint64_t at, head *h) {
  const uint64_t which = tl_read_word (bytes), size = tl_read_word (bytes + 16),
                 packed = tl_read_word (bytes + 24);
  *h = (head){.stream = (uint32_t)which,
              .code = (uint32_t)(which >> 32),
              .first = tl_read_word (bytes + 8),
              .count = (uint32_t)size,
              .raw = (uint32_t)(size >> 32),
              .packed = (uint32_t)packed,
              .sum = tl_read_word (bytes + 32)};
  return tl_read_word (bytes + 40) == head_sum (bytes, at) &&
         packed == h->packed && h->count && h->count <= MOST_STATES;
}

// ---- The file --------------------------------------------------------------

tl_status tl_journal_open (tl_journal **out, tl_mem *mem, const char *path,
                           tl_error *error) {
  tl_journal *j;
  *out = 0;
  if (!TL_NEW (mem, j, 1))
    return TL_E_NOMEM;
  j->mem = mem;
  j->file = open (path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (j->file < 0) {
    TL_DEL (mem, j, 1);
    return tl_fail_at (error, TL_E_IO, path, 0, 0, "cannot write: %s",
                       strerror (errno));
  }
  pthread_mutex_init (&j->lock, 0);
  *out = j;
  return TL_OK;
}

uint64_t tl_journal_length (const tl_journal *j) {
  return j->end;
}

// Writing beyond this limit would send a signal.
static bool may_write (uint64_t end) {
  struct rlimit limit;
  return getrlimit (RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY ||
         end <= limit.rlim_cur;
}

// Writes a block at the end; false, and j->sys: it cannot be written.
static bool append (tl_journal *j, unsigned char *block, size_t size) {
  seal (block, size, j->end);
  j->sys = may_write (j->end + size) ? 0 : EFBIG;
  for (size_t done = 0; !j->sys && done < size;) {
    const ssize_t n =
        pwrite (j->file, block + done, size - done, (off_t)(j->end + done));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      j->sys = n < 0 ? errno : ENOSPC;
    else
      done += (size_t)n;
  }
  j->end += j->sys ? 0 : size;
  return !j->sys;
}

static void drop_waiting (tl_journal *j, size_t first) {
  if (!first)
    return;
  for (size_t i = 0; i < first; i++)
    TL_DEL (j->mem, j->waiting[i].bytes, j->waiting[i].size);
  memmove (j->waiting, j->waiting + first,
           (j->waits - first) * sizeof *j->waiting);
  j->waits -= first;
}

// Those that wait come first.  True: none does any more.
static bool write_waiting (tl_journal *j) {
  size_t done = 0;
  while (done < j->waits &&
         append (j, j->waiting[done].bytes, j->waiting[done].size))
    done++;
  drop_waiting (j, done);
  return !j->waits;
}

// Keeps a block until it can be written.
static bool keep (tl_journal *j, const unsigned char *block, size_t size) {
  waiting w = {.size = size};
  if (!TL_ROOM (j->mem, j->waiting, &j->waiting_room, j->waits + 1) ||
      !TL_NEW (j->mem, w.bytes, size))
    return false;
  memcpy (w.bytes, block, size);
  j->waiting[j->waits++] = w;
  return true;
}

// Without this there is no sense in all that follows.
static void lose (tl_journal *j) {
  j->lost = true;
  drop_waiting (j, j->waits);
}

static void put_block (tl_journal *j, unsigned char *block, size_t size) {
  pthread_mutex_lock (&j->lock);
  if (!j->lost && !(write_waiting (j) && append (j, block, size)) &&
      !keep (j, block, size))
    lose (j);
  pthread_mutex_unlock (&j->lock);
}

static void give_up (tl_journal *j) {
  pthread_mutex_lock (&j->lock);
  lose (j);
  pthread_mutex_unlock (&j->lock);
}

// ---- Streams ---------------------------------------------------------------

static size_t raw_room (const tl_stream *s) {
  return s->limit * (s->record + s->event_bytes + PARENT_BYTES) + 8;
}

// What a block takes at most: what does not get smaller gets a little larger.
static size_t block_room (const tl_stream *s) {
  return HEAD + raw_room (s) + raw_room (s) / 128 + 1024;
}

static void close_buffers (tl_stream *s) {
  tl_mem *mem = s->journal->mem;
  TL_DEL (mem, s->keys, s->limit * s->record + 8);
  TL_DEL (mem, s->events, s->limit * s->event_bytes + 8);
  TL_DEL (mem, s->parents, s->limit * PARENT_BYTES);
  TL_DEL (mem, s->raw, raw_room (s));
  TL_DEL (mem, s->block, block_room (s));
  TL_DEL (mem, s->last, s->form.words);
}

// All that writing takes is had now: states may be found when memory is short.
static bool open_buffers (tl_stream *s, const tl_journal_form *form) {
  tl_mem *mem = s->journal->mem;
  s->form = *form;
  s->record = record_bytes (form);
  s->event_bytes = event_bytes (form);
  s->limit = BLOCK_BYTES / (s->record + s->event_bytes) + 1;
  return TL_NEW (mem, s->keys, s->limit * s->record + 8) &&
         TL_NEW (mem, s->events, s->limit * s->event_bytes + 8) &&
         TL_NEW (mem, s->parents, s->limit * PARENT_BYTES) &&
         TL_NEW (mem, s->raw, raw_room (s)) &&
         TL_NEW (mem, s->block, block_room (s)) &&
         TL_NEW (mem, s->last, form->words) &&
         !tl_packer_prepare (&s->packer, block_room (s));
}

tl_status tl_journal_stream (tl_journal *j, const tl_journal_form *form,
                             tl_stream **out) {
  tl_stream *s;
  *out = 0;
  if (!TL_NEW (j->mem, s, 1))
    return TL_E_NOMEM;
  *s = (tl_stream){.journal = j, .packer = TL_PACKER (j->mem)};
  if (!open_buffers (s, form)) {
    close_buffers (s);
    tl_packer_close (&s->packer);
    TL_DEL (j->mem, s, 1);
    return TL_E_NOMEM;
  }
  s->number = j->streams++;
  s->next = j->stream;
  j->stream = s;
  *out = s;
  return TL_OK;
}

uint32_t tl_journal_streams (const tl_journal *j) {
  return j->streams;
}

tl_stream *tl_journal_number (const tl_journal *j, uint32_t stream) {
  tl_stream *s = j->stream;
  while (s && s->number != stream)
    s = s->next;
  return s;
}

void tl_journal_close (tl_journal *j) {
  if (!j)
    return;
  for (tl_stream *s = j->stream, *next; s; s = next) {
    next = s->next;
    close_buffers (s);
    tl_packer_close (&s->packer);
    TL_DEL (j->mem, s, 1);
  }
  drop_waiting (j, j->waits);
  TL_DEL (j->mem, j->waiting, j->waiting_room);
  pthread_mutex_destroy (&j->lock);
  close (j->file);
  TL_DEL (j->mem, j, 1);
}

// Puts what a block has into one row of bytes.
static size_t join (const tl_stream *s) {
  const size_t keys = s->count * s->record, events = s->count * s->event_bytes;
  memcpy (s->raw, s->keys, keys);
  memcpy (s->raw + keys, s->events, events);
  memcpy (s->raw + keys + events, s->parents, s->parent_bytes);
  return keys + events + s->parent_bytes;
}

static void end_block (tl_stream *s) {
  if (!s->count)
    return;
  const size_t raw = join (s);
  size_t packed;
  if (tl_packer_pack (&s->packer, LEVEL, s->raw, raw, &packed) ||
      HEAD + packed > block_room (s))
    give_up (s->journal);
  else {
    write_head (s->block, &(head){.stream = s->number,
                                  .code = s->form.code,
                                  .first = s->first,
                                  .count = (uint32_t)s->count,
                                  .raw = (uint32_t)raw,
                                  .packed = (uint32_t)packed});
    memcpy (s->block + HEAD, s->packer.room, packed);
    put_block (s->journal, s->block, HEAD + packed);
  }
  s->first += s->count;
  s->count = s->parent_bytes = 0;
  s->parent = 0;
  if (s->last)
    memset (s->last, 0, s->form.words * sizeof *s->last);
}

void tl_stream_add (tl_stream *s, const uint64_t *key, uint64_t parent,
                    uint32_t event) {
  if (!s->last) // it is lost
    return;
  unsigned char *at = s->keys + s->count * s->record;
  for (uint32_t w = 0; w < s->form.words; w++, at += sizeof *key) {
    tl_write_word (at, key[w] - s->last[w]);
    s->last[w] = key[w];
  }
  at = s->events + s->count * s->event_bytes;
  for (size_t i = 0; i < s->event_bytes; i++)
    at[i] = (unsigned char)(event >> 8 * i);
  at = s->parents + s->parent_bytes;
  s->parent_bytes +=
      (size_t)(write_number (at, fold (parent - s->parent)) - at);
  s->parent = parent;
  if (++s->count == s->limit)
    end_block (s);
}

void tl_journal_reform (tl_journal *j, const tl_journal_form *form) {
  for (tl_stream *s = j->stream; s; s = s->next) {
    end_block (s);
    close_buffers (s);
    if (!open_buffers (s, form)) {
      close_buffers (s);
      give_up (j);
    }
  }
}

tl_status tl_journal_flush (tl_journal *j, int *sys) {
  for (tl_stream *s = j->stream; s; s = s->next)
    end_block (s);
  pthread_mutex_lock (&j->lock);
  const bool written = !j->lost && write_waiting (j);
  if (written && fdatasync (j->file))
    j->sys = errno;
  *sys = j->sys;
  const tl_status rc = j->lost              ? TL_E_NOMEM
                       : !written || j->sys ? TL_E_IO
                                            : TL_OK;
  pthread_mutex_unlock (&j->lock);
  return rc;
}

// ---- Reading ---------------------------------------------------------------

typedef struct block {
  head head;
  uint64_t at; // of its payload
} block;

struct tl_journal_reader {
  tl_mem *mem;
  const char *path;
  int file;
  uint64_t length;
  block *block;
  size_t blocks, block_room;
  uint64_t *states; // of each stream
  size_t streams, stream_room;
  tl_packer packer;
  unsigned char *packed, *raw;
  size_t packed_room, raw_room;
  uint64_t *key;
  size_t key_room;
};

void tl_journal_reader_close (tl_journal_reader *r) {
  if (!r)
    return;
  tl_mem *mem = r->mem;
  TL_DEL (mem, r->block, r->block_room);
  TL_DEL (mem, r->states, r->stream_room);
  TL_DEL (mem, r->packed, r->packed_room);
  TL_DEL (mem, r->raw, r->raw_room);
  TL_DEL (mem, r->key, r->key_room);
  tl_packer_close (&r->packer);
  if (r->file >= 0)
    close (r->file);
  TL_DEL (mem, r, 1);
}

static tl_status damaged (const tl_journal_reader *r, tl_error *error,
                          const char *what) {
  return tl_fail_at (error, TL_E_SYNTAX, r->path, 0, 0, "%s", what);
}

static bool read_at (const tl_journal_reader *r, uint64_t at, void *to,
                     size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t n = pread (r->file, (unsigned char *)to + done, size - done,
                             (off_t)(at + done));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    done += (size_t)n;
  }
  return true;
}

static tl_status add_block (tl_journal_reader *r, const head *h, uint64_t at,
                            tl_error *error) {
  if (h->stream >= MOST_STREAMS || h->first != tl_journal_states (r, h->stream))
    return damaged (r, error, "the states of a checkpoint are damaged");
  if (!TL_ROOM (r->mem, r->states, &r->stream_room, h->stream + 1) ||
      !TL_ROOM (r->mem, r->block, &r->block_room, r->blocks + 1))
    return TL_E_NOMEM;
  while (r->streams <= h->stream)
    r->states[r->streams++] = 0;
  r->block[r->blocks++] = (block){*h, at};
  r->states[h->stream] += h->count;
  return TL_OK;
}

// Makes the list of blocks.
static tl_status scan (tl_journal_reader *r, tl_error *error) {
  tl_status rc = TL_OK;
  for (uint64_t at = 0; !rc && at < r->length;) {
    unsigned char bytes[HEAD];
    head h;
    if (r->length - at < HEAD || !read_at (r, at, bytes, HEAD))
      return damaged (r, error, "the states of a checkpoint are cut off");
    if (!read_head (bytes, at, &h) || h.packed > r->length - at - HEAD)
      return damaged (r, error, "the states of a checkpoint are damaged");
    rc = add_block (r, &h, at + HEAD, error);
    at += HEAD + h.packed;
  }
  return rc;
}

tl_status tl_journal_read (tl_journal_reader **out, tl_mem *mem,
                           const char *path, uint64_t length, tl_error *error) {
  tl_journal_reader *r;
  struct stat status;
  *out = 0;
  if (!TL_NEW (mem, r, 1))
    return TL_E_NOMEM;
  *r = (tl_journal_reader){
      .mem = mem, .path = path, .length = length, .packer = TL_PACKER (mem)};
  r->file = open (path, O_RDONLY | O_CLOEXEC);
  tl_status rc = TL_OK;
  if (r->file < 0 || fstat (r->file, &status))
    rc = tl_fail_at (error, TL_E_SYNTAX, path, 0, 0,
                     "the states of a checkpoint cannot be read: %s",
                     strerror (errno));
  else if ((uint64_t)status.st_size < length)
    rc = damaged (r, error, "the states of a checkpoint are cut off");
  if (!rc)
    rc = scan (r, error);
  if (rc)
    tl_journal_reader_close (r);
  else
    *out = r;
  return rc;
}

uint64_t tl_journal_states (const tl_journal_reader *r, uint32_t stream) {
  return stream < r->streams ? r->states[stream] : 0;
}

// Fetches a block into r->raw; false in *sound: it is not what was written.
static tl_status fetch (tl_journal_reader *r, const block *b, bool *sound) {
  const head *h = &b->head;
  size_t size = 0;
  *sound = false;
  if (!TL_ROOM (r->mem, r->packed, &r->packed_room, h->packed) ||
      !TL_ROOM (r->mem, r->raw, &r->raw_room, (size_t)h->raw + 8))
    return TL_E_NOMEM;
  if (!read_at (r, b->at, r->packed, h->packed) ||
      payload_sum (r->packed, h->packed, b->at - HEAD) != h->sum)
    return TL_OK;
  const tl_status rc = tl_packer_unpack (&r->packer, r->packed, h->packed,
                                         r->raw, h->raw, &size);
  *sound = !rc && size == h->raw;
  return rc == TL_E_NOMEM ? rc : TL_OK;
}

// The parts of a block that was fetched.
typedef struct parts {
  const unsigned char *key, *event, *parent, *end;
  uint64_t from; // parent
} parts;

static bool take_apart (const tl_journal_reader *r, const head *h,
                        const tl_journal_form *f, parts *p) {
  const size_t keys = h->count * record_bytes (f),
               events = h->count * event_bytes (f);
  if (keys + events > h->raw)
    return false;
  *p = (parts){.key = r->raw,
               .event = r->raw + keys,
               .parent = r->raw + keys + events,
               .end = r->raw + h->raw};
  return true;
}

static bool next_state (parts *p, const tl_journal_form *f, uint64_t *key,
                        tl_found *found) {
  const size_t record = record_bytes (f), events = event_bytes (f);
  const unsigned char *at = p->key;
  uint64_t change;
  for (uint32_t w = 0; w < f->words; w++, at += sizeof *key)
    key[w] += tl_read_word (at);
  key[f->words - 1] &=
      tl_low_bits (8 * (unsigned)(record % 8 ? record % 8 : 8));
  found->event = 0;
  for (size_t i = 0; i < events; i++)
    found->event |= (uint32_t)p->event[i] << 8 * i;
  if (!read_number (&p->parent, p->end, &change) || found->event > f->events)
    return false;
  found->parent = p->from += unfold (change);
  p->key += record;
  p->event += events;
  return true;
}

typedef struct showing {
  uint64_t from, end;
  tl_status (*take) (void *, const tl_found *);
  void *context;
} showing;

static tl_status show_block (tl_journal_reader *r, const tl_journal_forms *f,
                             const block *b, const showing *s,
                             tl_error *error) {
  const head *h = &b->head;
  bool sound;
  parts p;
  tl_status rc = fetch (r, b, &sound);
  if (rc)
    return rc;
  if (!sound || h->code >= f->count ||
      !take_apart (r, h, f->form + h->code, &p))
    return damaged (r, error, "the states of a checkpoint are damaged");
  const tl_journal_form *form = f->form + h->code;
  if (!TL_ROOM (r->mem, r->key, &r->key_room, form->words))
    return TL_E_NOMEM;
  memset (r->key, 0, form->words * sizeof *r->key);
  tl_found found = {.code = h->code, .key = r->key};
  for (uint64_t i = h->first; !rc && i < h->first + h->count && i < s->end;
       i++) {
    if (!next_state (&p, form, r->key, &found))
      return damaged (r, error, "the states of a checkpoint are damaged");
    if (i >= s->from)
      rc = s->take (s->context, &found);
  }
  return rc;
}

tl_status tl_journal_show (tl_journal_reader *r, const tl_journal_forms *forms,
                           uint32_t stream, uint64_t from, uint64_t end,
                           tl_status (*take) (void *, const tl_found *),
                           void *context, tl_error *error) {
  const showing s = {from, end, take, context};
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && from < end && i < r->blocks; i++) {
    const block *b = r->block + i;
    if (b->head.stream == stream && b->head.first < end &&
        b->head.first + b->head.count > from)
      rc = show_block (r, forms, b, &s, error);
  }
  return rc;
}
