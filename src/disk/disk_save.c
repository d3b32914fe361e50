// Checkpoints of a search with its states on disk.  The levels and tiers of
// finished levels are in the file already, or are written there now, and the
// file has got a name; so a checkpoint only says which pages are theirs.  These
// are many: the places of all are in pages of their own, the index, and the
// checkpoint has the places of those.
//
//     checkpoint   | form of runs | levels | tiers | places of the index
//     index        | keys | pages | place, size, sum, first key | ...  of each
//
// What was done of the level at hand is done again.

#include "base/clock.h"
#include "base/error.h"
#include "disk/disk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

// ---- Runs one after the other ----------------------------------------------

static size_t run_count (const tl_disk *d) {
  return d->levels + d->tiers;
}

static tl_sorted_run *run_at (const tl_disk *d, size_t i) {
  return i < d->levels ? d->level + i : d->tier + (i - d->levels);
}

// ---- Writing ---------------------------------------------------------------

// The index being written.
typedef struct index_writer {
  tl_disk *disk;
  tl_page *page; // [pages]
  size_t pages, room;
  unsigned char *buffer; // [pages.most]
  size_t used;
  tl_status rc;
} index_writer;

static void put_page (index_writer *w) {
  tl_disk *d = w->disk;
  if (!w->rc && !TL_ROOM (&d->search->engine, w->page, &w->room, w->pages + 1))
    w->rc = TL_E_NOMEM;
  if (!w->rc)
    w->rc = tl_pages_write (&d->pages, w->buffer, w->used, w->page + w->pages);
  w->pages += !w->rc;
  w->used = 0;
}

static void put_word (index_writer *w, uint64_t word) {
  if (w->used + sizeof word > w->disk->pages.most)
    put_page (w);
  tl_write_word (w->buffer + w->used, word);
  w->used += sizeof word;
}

static void put_run (index_writer *w, tl_sorted_run *r) {
  tl_disk *d = w->disk;
  const uint32_t words = d->form.words;
  put_word (w, r->count);
  put_word (w, r->pages);
  for (size_t i = 0; !w->rc && i < r->pages; i++) {
    tl_page *p = r->page + i;
    if ((w->rc = tl_pages_save (&d->pages, p)))
      return;
    put_word (w, p->at);
    put_word (w, p->size);
    put_word (w, p->sum);
    for (uint32_t k = 0; k < words; k++)
      put_word (w, r->first[i * words + k]);
  }
}

static void close_index (tl_disk *d, tl_page *page, size_t count, size_t room) {
  for (size_t i = 0; i < count; i++)
    tl_pages_drop (&d->pages, page + i);
  TL_DEL (&d->search->engine, page, room);
}

void tl_disk_close_index (tl_disk *d) {
  close_index (d, d->index, d->indices, d->index_room);
}

// Writes all that is not in the file; on failure there is no index.
static tl_status write_index (index_writer *w) {
  tl_disk *d = w->disk;
  if (!TL_NEW (&d->search->engine, w->buffer, d->pages.most))
    return TL_E_NOMEM;
  for (size_t i = 0; !w->rc && i < run_count (d); i++)
    put_run (w, run_at (d, i));
  put_page (w);
  if (!w->rc)
    w->rc = tl_pages_sync (&d->pages);
  TL_DEL (&d->search->engine, w->buffer, d->pages.most);
  if (w->rc)
    close_index (d, w->page, w->pages, w->room);
  return w->rc;
}

// The file gets a name, and the folder of checkpoints a link to it.  The link
// is made first: so the file is found whatever happens.
static tl_status name_file (tl_disk *d, tl_error *why) {
  tl_saving *v = d->search->saving;
  char link[TL_FOLDER_PATH], path[TL_PAGES_PATH + 64];
  double now = tl_clock ();
  uint64_t id;
  char *folder = realpath (d->pages.folder, 0);
  memcpy (&id, &now, sizeof id);
  tl_saving_next (v, TL_FOLDER_DISK, link);
  snprintf (path, sizeof path, "%.4095s/tideline-%016" PRIx64,
            folder ? folder : d->pages.folder,
            tl_mix (id ^ (uint64_t)getpid () << 40));
  free (folder);
  if (symlink (path, link))
    return tl_fail_at (why, TL_E_IO, link, 0, 0, "%s", strerror (errno));
  if (tl_pages_name (&d->pages, path)) {
    unlink (link);
    return tl_fail_at (why, TL_E_IO, path, 0, 0, "%s", strerror (d->pages.sys));
  }
  d->named = true;
  return TL_OK;
}

static void parcel_disk (const tl_disk *d, tl_parcel *p) {
  tl_parcel_number (p, d->form.words);
  tl_parcel_number (p, d->form.key_bits);
  tl_parcel_number (p, d->form.event_bytes);
  tl_parcel_number (p, d->pages.most);
  tl_parcel_number (p, d->levels);
  tl_parcel_number (p, d->tiers);
  tl_parcel_number (p, d->indices);
  for (size_t i = 0; i < d->indices; i++) {
    tl_parcel_number (p, d->index[i].at);
    tl_parcel_number (p, d->index[i].size);
    tl_parcel_number (p, d->index[i].sum);
  }
}

tl_status tl_disk_save (tl_search *s, tl_parcel *p, tl_error *why) {
  tl_disk *d = s->order_context;
  index_writer w = {.disk = d};
  tl_status rc = d->named ? TL_OK : name_file (d, why);
  if (rc)
    return rc;
  if ((rc = write_index (&w)))
    return rc == TL_E_NOMEM
               ? tl_fail (why, rc, "there is no memory to write it")
               : tl_fail (why, rc, "%s", strerror (d->pages.sys));
  d->index = w.page;
  d->indices = w.pages;
  d->index_room = w.room;
  parcel_disk (d, p);
  return TL_OK;
}

// What is in the checkpoint that stands may not be written over; what was in
// the one before may.
static void keep (tl_disk *d) {
  for (size_t i = 0; i < run_count (d); i++) {
    tl_sorted_run *r = run_at (d, i);
    for (size_t k = 0; k < r->pages; k++)
      r->page[k].kept = true;
  }
  tl_pages_leave (&d->pages);
}

static void write_now (tl_disk *d) {
  tl_search *s = d->search;
  tl_page *const index = d->index;
  const size_t indices = d->indices, room = d->index_room;
  const tl_censuses counted = {&d->hand->worker.census, d->size,
                               sizeof *d->hand};
  if (tl_saving_write (s->saving, s, counted)) {
    keep (d);
    close_index (d, index, indices, room);
  } else if (d->index != index) {
    tl_disk_close_index (d);
    d->index = index;
    d->indices = indices;
    d->index_room = room;
  }
}

void tl_disk_mark (tl_disk *d) {
  tl_search *s = d->search;
  tl_saving_mark (
      s->saving, s,
      (tl_censuses){&d->hand->worker.census, d->size, sizeof *d->hand}, 0, 0);
}

void tl_disk_save_if_due (tl_disk *d) {
  if (tl_saving_is_due (d->search->saving))
    write_now (d);
}

// Where the next level was found, and the mark is of this one, the tiers know
// too much.
void tl_disk_save_last (tl_disk *d) {
  if (d->levels == d->search->depth + 1)
    write_now (d);
}

// ---- Reading ---------------------------------------------------------------

// The index being read.
typedef struct index_reader {
  tl_disk *disk;
  unsigned char *room; // [pages.most]
  const unsigned char *at, *end;
  size_t next; // page
  tl_status rc;
} index_reader;

static void fetch_page (index_reader *r) {
  tl_disk *d = r->disk;
  const tl_page *page = d->index + r->next;
  r->rc = r->next++ < d->indices && page->size % 8 == 0
              ? tl_pages_get (&d->pages, page, r->room, &r->at)
              : TL_E_IO;
  r->end = r->rc ? 0 : r->at + page->size;
}

static uint64_t take_word (index_reader *r) {
  if (!r->rc && r->at == r->end)
    fetch_page (r);
  if (r->rc)
    return 0;
  const uint64_t word = tl_read_word (r->at);
  r->at += sizeof word;
  return word;
}

// A page that was written before; TL_E_IO: it is not as it was.
static tl_status take_page (tl_disk *d, uint64_t at, uint64_t size,
                            uint64_t sum, tl_page *page) {
  if (!size || size > d->pages.most)
    return TL_E_IO;
  *page = (tl_page){.at = at,
                    .sum = sum,
                    .size = (uint32_t)size,
                    .in_file = true,
                    .kept = true};
  return TL_OK;
}

static tl_status take_run (index_reader *r, tl_sorted_run *run,
                           unsigned char *room) {
  tl_disk *d = r->disk;
  const uint32_t words = d->form.words;
  const unsigned char *bytes;
  run->count = take_word (r);
  const uint64_t pages = take_word (r);
  if (!r->rc && pages > run->count)
    r->rc = TL_E_IO;
  if (!r->rc &&
      (!TL_ROOM (d->pages.mem, run->page, &run->page_room, pages) ||
       !TL_ROOM (d->pages.mem, run->first, &run->first_room, pages * words)))
    r->rc = TL_E_NOMEM;
  for (size_t i = 0; !r->rc && i < pages; i++) {
    const uint64_t at = take_word (r), size = take_word (r),
                   sum = take_word (r);
    for (uint32_t k = 0; k < words; k++)
      run->first[i * words + k] = take_word (r);
    if (!r->rc)
      r->rc = take_page (d, at, size, sum, run->page + i);
    run->pages += !r->rc;
    if (!r->rc)
      r->rc = tl_pages_get (&d->pages, run->page + i, room, &bytes);
  }
  return r->rc;
}

// Tells the pages which places of the file are in use.  Without memory for that
// the file gets longer than it need be.
static void use_places (tl_disk *d) {
  tl_mem *mem = &d->search->engine;
  size_t count = d->indices, n = 0;
  tl_place *place;
  for (size_t i = 0; i < run_count (d); i++)
    count += run_at (d, i)->pages;
  if (!TL_NEW (mem, place, count)) {
    d->pages.end = (uint64_t)lseek (d->pages.file, 0, SEEK_END);
    return;
  }
  for (size_t i = 0; i < d->indices; i++)
    place[n++] = tl_page_place (d->index + i);
  for (size_t i = 0; i < run_count (d); i++)
    for (size_t k = 0; k < run_at (d, i)->pages; k++)
      place[n++] = tl_page_place (run_at (d, i)->page + k);
  tl_pages_use (&d->pages, place, count);
  TL_DEL (mem, place, count);
}

static tl_status take_runs (tl_disk *d) {
  tl_mem *mem = &d->search->engine;
  index_reader r = {.disk = d};
  unsigned char *room = 0;
  tl_status rc =
      TL_NEW (mem, r.room, d->pages.most) && TL_NEW (mem, room, d->pages.most)
          ? TL_OK
          : TL_E_NOMEM;
  for (size_t i = 0; !rc && i < run_count (d); i++)
    rc = take_run (&r, run_at (d, i), room);
  TL_DEL (mem, r.room, d->pages.most);
  TL_DEL (mem, room, d->pages.most);
  return rc;
}

tl_status tl_disk_restore_size (const tl_unparcel *saved, size_t *page_bytes) {
  enum { MOST = 1 << 24 };
  tl_unparcel u = *saved;
  for (int i = 0; i < 3; i++)
    tl_unparcel_number (&u);
  *page_bytes = (size_t)tl_unparcel_count (&u, MOST);
  return u.failed || !*page_bytes ? TL_E_SYNTAX : TL_OK;
}

static tl_status take_head (tl_disk *d, const tl_unparcel *saved) {
  tl_mem *mem = &d->search->engine;
  tl_unparcel u = *saved;
  const uint64_t most = (uint64_t)(u.end - u.at);
  const bool same = tl_unparcel_number (&u) == d->form.words &&
                    tl_unparcel_number (&u) == d->form.key_bits &&
                    tl_unparcel_number (&u) == d->form.event_bytes &&
                    tl_unparcel_number (&u) == d->pages.most;
  const size_t levels = (size_t)tl_unparcel_count (&u, UINT32_MAX),
               tiers = (size_t)tl_unparcel_count (&u, levels),
               indices = (size_t)tl_unparcel_count (&u, most);
  if (!same || u.failed || levels != d->search->depth + 1 || !tiers)
    return TL_E_IO;
  if (!TL_ROOM (mem, d->level, &d->level_room, levels) ||
      !TL_ROOM (mem, d->tier, &d->tier_room, tiers) ||
      !TL_ROOM (mem, d->index, &d->index_room, indices))
    return TL_E_NOMEM;
  memset (d->level, 0, levels * sizeof *d->level);
  memset (d->tier, 0, tiers * sizeof *d->tier);
  d->levels = levels;
  d->tiers = tiers;
  for (tl_status rc = TL_OK; d->indices < indices; d->indices++) {
    const uint64_t at = tl_unparcel_number (&u), size = tl_unparcel_number (&u),
                   sum = tl_unparcel_number (&u);
    if ((rc = take_page (d, at, size, sum, d->index + d->indices)))
      return rc;
    d->index[d->indices].kept = false; // it is dropped when the next one stands
  }
  return u.failed || u.at != u.end ? TL_E_IO : TL_OK;
}

static tl_status open_file (tl_disk *d, char link[TL_FOLDER_PATH]) {
  return tl_pages_resume (
      &d->pages, tl_saving_before (d->search->saving, TL_FOLDER_DISK, link));
}

static void count_states (tl_disk *d) {
  for (size_t i = 0; i < d->levels; i++)
    d->search->found += d->level[i].count;
}

tl_status tl_disk_restore (tl_disk *d, const tl_unparcel *saved) {
  tl_error *error = d->search->error;
  char link[TL_FOLDER_PATH];
  tl_status rc = open_file (d, link);
  if (rc == TL_E_ARG)
    return tl_fail_at (error, rc, link, 0, 0, "another run has these states");
  if (rc)
    return tl_fail_at (error, TL_E_SYNTAX, link, 0, 0,
                       "the states of the checkpoint cannot be read: %s",
                       strerror (d->pages.sys));
  d->named = true;
  rc = take_head (d, saved);
  if (!rc)
    rc = take_runs (d);
  if (rc)
    return rc == TL_E_IO ? tl_saving_damaged (d->search->saving) : rc;
  use_places (d);
  count_states (d);
  return TL_OK;
}
