#include "disk/disk.h"

#include "base/error.h"
#include "explore/how.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum {
  PAGE = 8192,          // bytes, and of a small budget one part in so many
  PAGES = 128,          // for each thread
  ROOM_LEAST = 1 << 12, // records of a thread, or there are fewer threads
  ROOM_MOST = 1 << 20
};

// ---- Threads ---------------------------------------------------------------

tl_status tl_disk_together (tl_disk *d, void (*work) (void *, unsigned),
                            bool alone) {
  d->taken = 0;
  if (alone || d->size == 1)
    work (d, 0);
  else
    tl_threads_run (d->team, work, d);
  return d->rc;
}

void tl_disk_leave (tl_disk *d, tl_status rc) {
  if (!rc)
    return;
  pthread_mutex_lock (&d->lock);
  if (!d->rc || d->rc == TL_E_CANCEL)
    d->rc = rc;
  pthread_mutex_unlock (&d->lock);
  __atomic_store_n (&d->halt, 1, __ATOMIC_RELAXED);
}

tl_status tl_disk_poll (tl_disk_hand *h) {
  tl_disk *d = h->disk;
  const uint64_t arcs = h->worker.census.arcs;
  __atomic_fetch_add (&d->arcs, arcs - h->told, __ATOMIC_RELAXED);
  h->told = arcs;
  return h->who ? TL_OK : tl_search_poll (d->search);
}

static void tell_progress (const tl_search *s, tl_progress *progress) {
  const tl_disk *d = s->order_context;
  progress->arcs += __atomic_load_n (&d->arcs, __ATOMIC_RELAXED);
  progress->disk = __atomic_load_n (&d->pages.held, __ATOMIC_RELAXED);
}

// ---- Opening ---------------------------------------------------------------

static size_t room_words (const tl_search *s) {
  return s->visitor ? s->visitor->skips_room : 0;
}

static tl_status open_lists (tl_disk_hand *h) {
  const tl_disk *d = h->disk;
  tl_mem *mem = &d->search->engine;
  const size_t records = d->room * d->record.size, words = d->form.words;
  return TL_NEW (mem, h->gathered, records) &&
                 TL_NEW (mem, h->spare, records) &&
                 TL_NEW (mem, h->mark, d->room / 2) &&
                 TL_NEW (mem, h->batch, TL_DISK_BATCH * words) &&
                 TL_NEW (mem, h->ahead,
                         TL_DISK_TIERS * TL_DISK_BATCH * words) &&
                 TL_NEW (mem, h->dead_key, words) &&
                 TL_NEW (mem, h->room, room_words (d->search))
             ? TL_OK
             : TL_E_NOMEM;
}

static tl_status open_hand (tl_disk *d, unsigned who) {
  tl_disk_hand *h = d->hand + who;
  *h = (tl_disk_hand){.disk = d, .who = who};
  const tl_worker_plan plan = tl_disk_plan (h);
  tl_status rc = tl_worker_open (&h->worker, d->search, &plan);
  if (!rc)
    rc = open_lists (h);
  if (!rc)
    rc = tl_run_reader_open (&h->with_events, &d->pages, &d->form, true);
  for (size_t i = 0; !rc && i < TL_DISK_TIERS; i++)
    rc = tl_run_reader_open (h->tier + i, &d->pages, &d->form, false);
  if (!rc)
    rc = tl_run_writer_open (&h->found, &d->pages, &d->form, true);
  return rc ? rc : tl_run_writer_open (&h->known, &d->pages, &d->form, false);
}

static void close_hand (tl_disk_hand *h) {
  const tl_disk *d = h->disk;
  tl_mem *mem = &d->search->engine;
  const size_t records = d->room * d->record.size, words = d->form.words;
  tl_worker_close (&h->worker);
  TL_DEL (mem, h->gathered, records);
  TL_DEL (mem, h->spare, records);
  TL_DEL (mem, h->mark, d->room / 2);
  TL_DEL (mem, h->batch, TL_DISK_BATCH * words);
  TL_DEL (mem, h->ahead, TL_DISK_TIERS * TL_DISK_BATCH * words);
  TL_DEL (mem, h->dead_key, words);
  TL_DEL (mem, h->room, room_words (d->search));
  tl_run_reader_close (&h->with_events);
  for (size_t i = 0; i < TL_DISK_TIERS; i++)
    tl_run_reader_close (h->tier + i);
  tl_run_writer_close (&h->found);
  tl_run_writer_close (&h->known);
}

// Bytes that a thread takes beside what it gathers, and its pages.
static size_t hand_bytes (const tl_disk *d) {
  const size_t words = d->form.words;
  return sizeof (uint64_t) * (TL_DISK_ROOM * (words + 1) +
                              (TL_DISK_TIERS + 1) * TL_DISK_BATCH * words) +
         64 * (size_t)d->search->net->transitions;
}

// As many threads as have enough room for so many records in all, and take an
// eighth of the memory.
static unsigned choose_threads (const tl_disk *d, size_t left, size_t records) {
  const size_t by_room = records / ROOM_LEAST,
               by_bytes = left / 8 / hand_bytes (d),
               most = by_room < by_bytes ? by_room : by_bytes;
  return most > d->size ? d->size : most ? (unsigned)most : 1;
}

// Half of the memory that is left is for what threads gather.
static void choose_sizes (tl_disk *d) {
  tl_search *s = d->search;
  const uint64_t wanted = s->options->disk_room;
  const size_t used = tl_mem_used (s->root), limit = s->root->limit,
               left = limit > used ? limit - used : 0,
               each = 2 * sizeof (uint64_t) * d->record.size;
  const bool one = s->visitor && s->visitor->visit && !s->visitor->skips;
  d->size = one ? 1 : s->how->threads;
  const size_t all = limit ? left / 2 / each : (size_t)ROOM_MOST * d->size;
  if (!wanted && limit)
    d->size = choose_threads (d, left, all);
  d->room = wanted ? (size_t)wanted : all / d->size;
  d->room = d->room > ROOM_MOST ? ROOM_MOST : d->room < 8 ? 8 : d->room;
  if (!one && d->size == 1)
    s->one_thread = "there was no memory for more";
}

// In a small budget pages are small: each thread has a dozen at hand.
static size_t page_bytes (const tl_disk *d) {
  const tl_search *s = d->search;
  const size_t least = tl_run_page_least (&d->form), limit = s->root->limit,
               share = limit / PAGES / d->size,
               wanted = s->options->disk_room    ? 0
                        : !limit || share > PAGE ? PAGE
                                                 : share;
  return wanted > least ? wanted : least;
}

static tl_status open_team (tl_disk *d) {
  tl_mem *mem = &d->search->engine;
  if (d->size > 1) {
    const tl_status rc = tl_threads_open (&d->team, mem, d->size);
    if (rc)
      return rc;
    d->size = tl_threads_size (d->team);
  }
  return TL_NEW (mem, d->hand, d->size) ? TL_OK : TL_E_NOMEM;
}

static void open_locks (tl_disk *d) {
  pthread_rwlockattr_t fair;
  pthread_rwlockattr_init (&fair);
  pthread_rwlockattr_setkind_np (&fair,
                                 PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init (&d->visits, &fair);
  pthread_rwlockattr_destroy (&fair);
  pthread_mutex_init (&d->lock, 0);
}

static void share_accounts (tl_search *s, bool shared) {
  tl_mem_share (&s->engine, shared);
  tl_mem_share (&s->states, shared);
}

// `saved`: what a checkpoint says; null: there is none to go on from.
static tl_status open_disk (tl_disk *d, tl_search *s,
                            const tl_unparcel *saved) {
  const uint32_t events = s->net->transitions;
  *d = (tl_disk){.search = s, .prunes = s->sleep.row};
  d->form = (tl_run_form){.words = s->code.key_words,
                          .key_bits = s->code.key_bits,
                          .event_bytes = (tl_bits_for (events) + 7) / 8};
  d->record = tl_successor_form_of (d->form.words, d->form.key_bits, events);
  choose_sizes (d);
  size_t bytes = page_bytes (d);
  tl_status rc = saved ? tl_disk_restore_size (saved, &bytes) : TL_OK;
  tl_pages_open (&d->pages, &s->states, s->options->disk, bytes);
  d->pages.file_only = s->options->disk_room;
  d->pages.keeps = s->saving;
  open_locks (d);
  share_accounts (s, true);
  if (rc)
    return tl_saving_damaged (s->saving);
  if (!saved)
    rc = tl_pages_make (&d->pages);
  if (!rc)
    rc = open_team (d);
  for (unsigned i = 0; !rc && i < d->size; i++)
    rc = open_hand (d, i);
  if (!rc && !TL_NEW (&s->engine, d->asked, d->form.words))
    rc = TL_E_NOMEM;
  return rc || !saved ? rc : tl_disk_restore (d, saved);
}

static void close_runs (tl_disk *d, tl_sorted_run *run, size_t count,
                        size_t room) {
  for (size_t i = 0; i < count; i++)
    tl_run_close (run + i, &d->pages, &d->form);
  TL_DEL (&d->search->engine, run, room);
}

static void close_disk (tl_disk *d) {
  tl_search *s = d->search;
  tl_mem *mem = &s->engine;
  tl_threads_close (d->team);
  share_accounts (s, false);
  for (unsigned i = 0; d->hand && i < d->size; i++)
    if (d->hand[i].disk)
      close_hand (d->hand + i);
  TL_DEL (mem, d->hand, d->size);
  close_runs (d, d->level, d->levels, d->level_room);
  close_runs (d, d->tier, d->tiers, d->tier_room);
  close_runs (d, d->pile, d->piles, d->pile_room);
  tl_disk_close_index (d);
  tl_filter_close (&d->filter);
  TL_DEL (mem, d->cut, d->cut_room);
  TL_DEL (mem, d->asked, d->form.words);
  TL_DEL (mem, d->misfit, d->form.words);
  tl_pages_close (&d->pages);
  pthread_rwlock_destroy (&d->visits);
  pthread_mutex_destroy (&d->lock);
}

// ---- Levels ----------------------------------------------------------------

// The initial state: level 0.
static tl_status begin (tl_disk *d) {
  tl_search *s = d->search;
  tl_disk_hand *h = d->hand;
  tl_status rc = tl_worker_begin (&h->worker);
  if (rc)
    return rc;
  if (!TL_ROOM (&s->engine, d->level, &d->level_room, 1) ||
      !TL_ROOM (&s->engine, d->tier, &d->tier_room, 1))
    return TL_E_NOMEM;
  d->levels = d->tiers = 1;
  tl_run_writer_begin (&h->found, d->level);
  tl_run_writer_begin (&h->known, d->tier);
  if ((rc = tl_run_write (&h->found, h->worker.key, s->net->transitions)) ||
      (rc = tl_run_write (&h->known, h->worker.key, 0)) ||
      (rc = tl_run_writer_end (&h->found)) ||
      (rc = tl_run_writer_end (&h->known)))
    return rc;
  s->found = 1;
  return TL_OK;
}

// The way to the first dead state that somebody has met.
static tl_status trace_deadlock (tl_disk *d) {
  tl_search *s = d->search;
  for (unsigned i = 0; i < d->size; i++) {
    const tl_disk_hand *h = d->hand + i;
    if (!h->dead || s->result->deadlock.transition)
      continue;
    tl_copy_words (d->asked, h->dead_key, d->form.words);
    d->asked_depth = h->dead_depth;
    if (tl_search_trace (s, &s->result->deadlock) == TL_E_NOMEM)
      return TL_E_NOMEM;
  }
  return TL_OK;
}

static tl_status run_levels (tl_disk *d) {
  tl_search *s = d->search;
  if (s->saving)
    tl_disk_mark (d);
  for (;;) {
    s->queued = d->level[s->depth].count;
    if (s->saving)
      tl_disk_save_if_due (d);
    tl_status rc = tl_disk_expand (d);
    const tl_status traced = trace_deadlock (d);
    if (rc || (rc = traced) || (rc = tl_disk_look_up (d)))
      return rc;
    if (d->levels == s->depth + 1)
      return TL_OK; // there are no more
    s->depth++;
    tl_levels_add (&s->levels, d->level[s->depth].count, s->found);
    if (s->saving)
      tl_disk_mark (d);
    if ((rc = tl_disk_merge_tiers (d)))
      return rc;
  }
}

// ---- The order -------------------------------------------------------------

// Why the states are not on disk; null: they are.
static const char *refusal (const tl_search *s) {
  return !tl_net_has_arcs (s->net) ? "a net that is not unfolded is in memory"
         : s->spec.numbered        ? "a graph is built in memory"
         : tl_search_finalises (s) ? "components are looked for in memory"
         : s->capacities.count     ? "capacities are watched in memory"
         : s->code.lengths         ? "keys of many lengths are in memory"
         : s->for_property ? "stubborn sets for a property are in memory"
                           : 0;
}

// A place has outgrown its field: gives it a wider one.  What was visited will
// be visited again.
static tl_status widen (tl_disk *d) {
  tl_search *s = d->search;
  const size_t words = s->layout.words;
  tl_widening how;
  uint64_t *state;
  if (!TL_NEW (&s->engine, state, words))
    return TL_E_NOMEM;
  tl_code_state (&s->code, d->misfit, state);
  tl_copy_words (d->asked, d->misfit, d->form.words);
  d->asked_depth = s->depth;
  for (unsigned i = 0; i < d->size; i++)
    tl_worker_close (&d->hand[i].worker);
  tl_status rc = tl_search_widen (s, &s->census, state, d->misfit_event, &how);
  if (!rc)
    tl_widening_close (&how);
  TL_DEL (&s->engine, state, words);
  return rc;
}

static void tell (const tl_disk *d) {
  tl_exploration *r = d->search->result;
  uint64_t sum = 0, most = 0;
  for (unsigned i = 0; d->hand && i < d->size; i++) {
    const uint64_t visited = d->hand[i].visited;
    sum += visited;
    most = visited > most ? visited : most;
  }
  r->threads = d->size;
  r->balance = most ? (double)sum / (double)most / d->size : 1;
  r->disk.used = true;
  d->search->spilled += d->pages.written;
  r->disk.written += d->pages.written;
  r->disk.read += d->pages.read;
  r->disk.runs += d->spilled;
  r->disk.merges += d->merged;
  if (d->pages.peak > r->disk.peak_bytes)
    r->disk.peak_bytes = d->pages.peak;
}

// The file could not be written or read.
static tl_status fail (const tl_disk *d) {
  const tl_search *s = d->search;
  errno = d->pages.sys;
  return s->found
             ? tl_fail (s->error, TL_E_IO,
                        "states cannot be kept in %s: %s, after %" PRIu64
                        " states",
                        s->options->disk, strerror (d->pages.sys), s->found)
             : tl_fail (s->error, TL_E_IO, "states cannot be kept in %s: %s",
                        s->options->disk, strerror (d->pages.sys));
}

// A search in the layout at hand; true in *again: it is to begin anew.
static tl_status run_once (tl_search *s, bool *again) {
  tl_disk d;
  tl_unparcel saved;
  const bool resumes = tl_saving_resumes (s->saving);
  if (resumes)
    saved = tl_saving_body (s->saving, s);
  tl_search_open_sleep (s, 0);
  tl_status rc = open_disk (&d, s, resumes ? &saved : 0);
  *again = false;
  s->order_context = &d;
  s->save = tl_disk_save;
  if (!rc && !resumes)
    rc = begin (&d);
  if (!rc)
    rc = run_levels (&d);
  tell (&d);
  const bool widens = d.misfit && rc == TL_E_ARG;
  if (rc && !widens && s->saving)
    tl_disk_save_last (&d);
  if (widens) {
    rc = widen (&d);
    *again = !rc;
  }
  if (rc == TL_E_IO)
    rc = fail (&d);
  close_disk (&d);
  s->order_context = 0;
  s->save = 0;
  return rc;
}

static tl_status disk_run (tl_search *s) {
  const char *why = refusal (s);
  if (tl_saving_resumes (s->saving) &&
      !why == tl_saving_has_journal (s->saving))
    return tl_saving_damaged (s->saving);
  if (why) {
    s->result->disk_why = why;
    s->external = false;
    tl_search_open_log (s);
    const tl_status rc =
        tl_store_open (&s->store, s->store_kind, &s->states, &s->spec);
    return rc ? rc : tl_order_bfs.run (s);
  }
  s->trace_here = tl_disk_trace;
  s->tell_progress = tell_progress;
  tl_status rc;
  bool again;
  while (!(rc = run_once (s, &again)) && again) {
    tl_census_forget (&s->census);
    s->found = s->depth = 0;
    s->levels = (tl_levels){0};
    if ((rc = tl_search_again (s)))
      break;
  }
  s->trace_here = 0;
  s->tell_progress = 0;
  return rc;
}

const tl_order tl_order_disk = {.name = "bfs", .run = disk_run};
