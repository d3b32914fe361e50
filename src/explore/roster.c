#include "explore/roster.h"

#include "base/bits.h"
#include "store/ascending.h"
#include "store/sorting.h"

#include <pthread.h>
#include <stdlib.h>

enum {
  PART = 1024,                   // entries of a worker
  LEAST = 64 << 10,              // bytes of the buffer
  MOST = 64 << 20,               // the same: sorting takes as much again
  SHARE = 16,                    // of a budget of memory, both together
  SPILL_SHARE = 8,               // of the memory of the run, for runs
  READ = 256,                    // entries of a run that are read at once
  BLOCK = 2 * TL_ASCENDING_BYTES // room for a block of a run
};

// A run: blocks of the spill.
typedef struct run {
  uint64_t first, end;
} run;

// A run that is read.
typedef struct cursor {
  tl_spill *spill;
  run left;
  unsigned char *block; // the one at hand
  size_t at, length, room;
  tl_ascending_reader reader;
  uint64_t *entry; // [READ]
  size_t next, count;
} cursor;

struct tl_roster {
  tl_mem mem;
  tl_packer packer;
  pthread_mutex_t lock;
  tl_status rc; // the first failure
  uint32_t key_words, key_bits, words;
  uint64_t *entry, *other; // [room] entries; the second is for sorting
  size_t count, room;
  tl_spill spill;
  uint64_t spilled; // bytes, before keys got longer
  run *runs;
  size_t run_count, run_room;
  cursor *cursors; // [run_count], while they are merged
  uint32_t *heap;  // cursors that have an entry, the least first
  size_t heap_size;
};

// ---- Open and close --------------------------------------------------------

static size_t buffer_bytes (const tl_mem *mem) {
  const size_t limit = tl_mem_root (mem)->limit, part = limit / (2 * SHARE);
  return !limit || part > MOST ? MOST : part < LEAST ? LEAST : part;
}

static void set_words (tl_roster *r, uint32_t key_words, uint32_t key_bits) {
  r->key_words = key_words;
  r->key_bits = key_bits;
  r->words = key_words + 1;
}

static void release_buffers (tl_roster *r) {
  TL_DEL (&r->mem, r->entry, r->room * r->words);
  TL_DEL (&r->mem, r->other, r->room * r->words);
  r->room = r->count = 0;
}

// The buffer grows up to its size; false: there is no memory.
static bool grow (tl_roster *r) {
  const size_t bytes = r->words * sizeof *r->entry,
               most = buffer_bytes (&r->mem) / bytes + PART,
               wanted = r->room ? 4 * r->room : 4 * PART,
               room = wanted < most ? wanted : most;
  if (room <= r->room)
    return false;
  uint64_t *entry = tl_mem_resize (&r->mem, r->entry, r->room * r->words,
                                   room * r->words, sizeof *r->entry);
  if (!entry)
    return false;
  r->entry = entry;
  uint64_t *other = tl_mem_resize (&r->mem, r->other, r->room * r->words,
                                   room * r->words, sizeof *r->other);
  if (!other) { // the first one gets its old size back, which cannot fail
    r->entry = tl_mem_resize (&r->mem, entry, room * r->words,
                              r->room * r->words, sizeof *r->entry);
    return false;
  }
  r->other = other;
  r->room = room;
  return true;
}

tl_status tl_roster_open (tl_roster **out, tl_mem *parent, uint32_t key_words,
                          uint32_t key_bits) {
  tl_roster *r = calloc (1, sizeof *r);
  *out = r;
  if (!r)
    return TL_E_NOMEM;
  r->mem = TL_MEM (parent, "certificate");
  r->packer = TL_PACKER (&r->mem);
  pthread_mutex_init (&r->lock, 0);
  set_words (r, key_words, key_bits);
  tl_spill_open (&r->spill, &r->mem, 0, SPILL_SHARE);
  r->spill.raw = true;
  return TL_OK;
}

static void close_cursors (tl_roster *r) {
  for (size_t i = 0; r->cursors && i < r->run_count; i++) {
    cursor *c = r->cursors + i;
    tl_ascending_close (&c->reader);
    TL_DEL (&r->mem, c->block, c->room);
    TL_DEL (&r->mem, c->entry, (size_t)READ * r->words);
  }
  TL_DEL (&r->mem, r->cursors, r->run_count);
  TL_DEL (&r->mem, r->heap, r->run_count);
}

void tl_roster_close (tl_roster *r) {
  if (!r)
    return;
  close_cursors (r);
  release_buffers (r);
  TL_DEL (&r->mem, r->runs, r->run_room);
  tl_spill_close (&r->spill);
  tl_packer_close (&r->packer);
  pthread_mutex_destroy (&r->lock);
  free (r);
}

uint64_t tl_roster_spilled (const tl_roster *r) {
  return r->spilled + r->spill.written;
}

const tl_mem *tl_roster_account (const tl_roster *r) {
  return &r->mem;
}

// ---- Sorting ---------------------------------------------------------------

static void sort (tl_roster *r) {
  uint64_t *sorted =
      tl_sort_keys (r->entry, r->other, r->count, r->words, r->key_bits);
  r->other = sorted == r->entry ? r->other : r->entry;
  r->entry = sorted;
}

static tl_status append (void *spill, const void *bytes, size_t length) {
  return tl_spill_append (spill, bytes, length);
}

// Makes a run of the buffer.
static tl_status put_away (tl_roster *r) {
  tl_ascending_writer w;
  if (!r->count)
    return TL_OK;
  if (!TL_ROOM (&r->mem, r->runs, &r->run_room, r->run_count + 1))
    return TL_E_NOMEM;
  sort (r);
  tl_status rc =
      tl_ascending_create (&w, &r->mem, &r->packer, 64 + r->key_bits, 1,
                           (tl_ascending_sink){&r->spill, append});
  if (rc)
    return rc;
  const uint64_t first = r->spill.count;
  rc = tl_ascending_write (&w, r->entry, r->count);
  if (!rc)
    rc = tl_ascending_flush (&w);
  tl_ascending_end (&w);
  if (!rc)
    r->runs[r->run_count++] = (run){first, r->spill.count};
  r->count = 0;
  return rc == TL_E_ARG ? TL_E_INTERNAL : rc; // a state came twice
}

// ---- Noting ----------------------------------------------------------------

static tl_status add (tl_roster *r, const uint64_t *entries, size_t count) {
  if (r->count + count > r->room && !grow (r)) {
    const tl_status rc = r->room ? put_away (r) : TL_E_NOMEM;
    if (rc)
      return rc;
  }
  memcpy (r->entry + r->count * r->words, entries,
          count * r->words * sizeof *entries);
  r->count += count;
  return TL_OK;
}

void tl_roster_hand_over (tl_roster *r, tl_roster_part *part) {
  if (!part->entry)
    return;
  pthread_mutex_lock (&r->lock);
  if (!r->rc)
    r->rc = add (r, part->entry, part->count);
  tl_mem_put (&r->mem, part->entry, (size_t)PART * part->words,
              sizeof *part->entry);
  pthread_mutex_unlock (&r->lock);
  *part = (tl_roster_part){0};
}

static tl_status open_part (tl_roster *r, tl_roster_part *part) {
  part->words = r->words;
  pthread_mutex_lock (&r->lock);
  TL_NEW (&r->mem, part->entry, (size_t)PART * part->words);
  const tl_status rc = r->rc;
  pthread_mutex_unlock (&r->lock);
  return rc ? rc : part->entry ? TL_OK : TL_E_NOMEM;
}

tl_status tl_roster_note (tl_roster *r, tl_roster_part *part,
                          const uint64_t *key, uint64_t depth) {
  if (part->count == PART)
    tl_roster_hand_over (r, part);
  const tl_status rc = part->entry ? TL_OK : open_part (r, part);
  if (rc)
    return rc;
  uint64_t *entry = part->entry + part->count++ * part->words;
  entry[0] = depth;
  tl_copy_words (entry + 1, key, part->words - 1);
  return TL_OK;
}

// ---- Merging ---------------------------------------------------------------

static tl_status read_blocks (void *context, void *bytes, size_t length,
                              size_t *got) {
  cursor *c = context;
  unsigned char *to = bytes;
  *got = 0;
  while (*got < length) {
    if (c->at == c->length) {
      if (c->left.first == c->left.end)
        break;
      c->at = 0;
      const tl_status rc = tl_spill_read (c->spill, c->left.first++, c->block,
                                          c->room, &c->length);
      if (rc)
        return rc;
    }
    const size_t rest = c->length - c->at, wanted = length - *got,
                 n = rest < wanted ? rest : wanted;
    memcpy (to + *got, c->block + c->at, n);
    *got += n;
    c->at += n;
  }
  return TL_OK;
}

static tl_status fill (cursor *c) {
  c->next = 0;
  return tl_ascending_read (&c->reader, c->entry, READ, &c->count);
}

static tl_status open_cursor (tl_roster *r, cursor *c, run which) {
  c->spill = &r->spill;
  c->left = which;
  // Longer only by the head, the first key and one difference.
  c->room = BLOCK + 32 * (size_t)r->words;
  if (!TL_NEW (&r->mem, c->block, c->room) ||
      !TL_NEW (&r->mem, c->entry, (size_t)READ * r->words))
    return TL_E_NOMEM;
  const tl_status rc =
      tl_ascending_open (&c->reader, &r->mem, &r->packer, 64 + r->key_bits,
                         (tl_ascending_source){c, read_blocks});
  return rc ? rc : fill (c);
}

static const uint64_t *head (const tl_roster *r, size_t i) {
  const cursor *c = r->cursors + r->heap[i];
  return c->entry + c->next * r->words;
}

static void sift_down (tl_roster *r, size_t i) {
  for (size_t child; (child = 2 * i + 1) < r->heap_size; i = child) {
    if (child + 1 < r->heap_size &&
        tl_key_less (head (r, child + 1), head (r, child), r->words))
      child++;
    if (!tl_key_less (head (r, child), head (r, i), r->words))
      return;
    const uint32_t swapped = r->heap[i];
    r->heap[i] = r->heap[child];
    r->heap[child] = swapped;
  }
}

tl_status tl_roster_begin (tl_roster *r) {
  tl_status rc = r->rc ? r->rc : put_away (r);
  release_buffers (r);
  if (rc)
    return rc;
  if (!TL_NEW (&r->mem, r->cursors, r->run_count) ||
      !TL_NEW (&r->mem, r->heap, r->run_count))
    return TL_E_NOMEM;
  for (size_t i = 0; !rc && i < r->run_count; i++) {
    rc = open_cursor (r, r->cursors + i, r->runs[i]);
    r->heap[i] = (uint32_t)i;
  }
  r->heap_size = r->run_count;
  for (size_t i = r->heap_size; !rc && i-- > 0;)
    sift_down (r, i);
  return rc;
}

tl_status tl_roster_next (tl_roster *r, uint64_t *key, uint64_t *depth,
                          bool *there) {
  *there = r->heap_size;
  if (!*there)
    return TL_OK;
  const uint64_t *entry = head (r, 0);
  *depth = entry[0];
  tl_copy_words (key, entry + 1, r->key_words);
  cursor *c = r->cursors + r->heap[0];
  tl_status rc = TL_OK;
  if (++c->next == c->count && !(rc = fill (c)) && !c->count)
    r->heap[0] = r->heap[--r->heap_size];
  sift_down (r, 0);
  return rc == TL_E_SYNTAX ? TL_E_IO : rc;
}

// ---- Longer keys -----------------------------------------------------------

static tl_status move_all (tl_roster *old, tl_roster *new,
                           const tl_widening *how, uint64_t *old_key,
                           uint64_t *key) {
  tl_roster_part part = {0};
  bool there = true;
  tl_status rc = tl_roster_begin (old);
  while (!rc && there) {
    uint64_t depth;
    rc = tl_roster_next (old, old_key, &depth, &there);
    if (rc || !there)
      break;
    tl_widening_key (how, old_key, key);
    rc = tl_roster_note (new, &part, key, depth);
  }
  tl_roster_hand_over (new, &part);
  return rc;
}

tl_status tl_roster_move (tl_roster **roster, const tl_widening *how) {
  tl_roster *old = *roster, *new;
  const tl_code *code = &how->search->code;
  uint64_t *old_key, *key = 0;
  tl_status rc =
      tl_roster_open (&new, old->mem.parent, code->key_words, code->key_bits);
  if (rc)
    return rc;
  new->spilled = tl_roster_spilled (old);
  tl_mem *mem = &how->search->engine;
  if (!TL_NEW (mem, old_key, old->key_words) ||
      !TL_NEW (mem, key, new->key_words))
    rc = TL_E_NOMEM;
  if (!rc)
    rc = move_all (old, new, how, old_key, key);
  TL_DEL (mem, old_key, old->key_words);
  TL_DEL (mem, key, new->key_words);
  tl_roster_close (old);
  *roster = new;
  return rc;
}
