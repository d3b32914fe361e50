// Expanding a level: each thread takes the next page of it that nobody has, and
// gathers the successors of its states.  When there is no more room they are
// sorted; if they are still many, they become a pile.

#include "disk/disk.h"

enum { GATHER = TL_DISK_ROOM / 2, OFTEN = 256 };

// ---- Gathering -------------------------------------------------------------

static tl_status add_pile (tl_disk *d, const tl_sorted_run *run) {
  pthread_mutex_lock (&d->lock);
  const bool there =
      TL_ROOM (&d->search->engine, d->pile, &d->pile_room, d->piles + 1);
  if (there)
    d->pile[d->piles++] = *run;
  d->spilled += there;
  pthread_mutex_unlock (&d->lock);
  return there ? TL_OK : TL_E_NOMEM;
}

static tl_status write_pile (tl_disk_hand *h) {
  tl_disk *d = h->disk;
  const tl_successor_form *f = &d->record;
  uint64_t key[f->words];
  tl_sorted_run run = {0};
  tl_status rc = TL_OK;
  tl_run_writer_begin (&h->found, &run);
  for (size_t i = 0; !rc && i < h->count; i++) {
    const uint64_t *record = h->gathered + i * f->size;
    tl_successor_key (f, record, key);
    rc = tl_run_write (&h->found, key, tl_successor_event (f, record));
  }
  if (!rc)
    rc = tl_run_writer_end (&h->found);
  if (!rc)
    rc = add_pile (d, &run);
  if (rc)
    tl_run_close (&run, &d->pages, &d->form);
  h->count = 0;
  return rc;
}

static void sort (tl_disk_hand *h) {
  h->count =
      tl_successors_sort (&h->disk->record, h->gathered, h->count, h->spare);
}

// Many may be the same.
static tl_status make_room (tl_disk_hand *h) {
  sort (h);
  return h->count > h->disk->room / 2 ? write_pile (h) : TL_OK;
}

static tl_status take_successors (void *hand) {
  tl_disk_hand *h = hand;
  const tl_disk *d = h->disk;
  const tl_successor_form *f = &d->record;
  tl_worker *w = &h->worker;
  for (size_t i = 0; i < w->gathered; i++) {
    tl_status rc;
    if (h->count == d->room && (rc = make_room (h)))
      return rc;
    tl_successor_make (f, w->keys + i * f->words, w->events[i],
                       h->gathered + h->count++ * f->size);
  }
  w->gathered = 0;
  return TL_OK;
}

// ---- States ----------------------------------------------------------------

// One thread is to do something while the others wait; and they go on.
static void stop_others (tl_disk *d) {
  if (d->size < 2)
    return;
  pthread_rwlock_unlock (&d->visits);
  pthread_rwlock_wrlock (&d->visits);
}

static void let_others (tl_disk *d) {
  if (d->size < 2)
    return;
  pthread_rwlock_unlock (&d->visits);
  pthread_rwlock_rdlock (&d->visits);
}

static void ask_for (tl_disk *d, const uint64_t *key) {
  tl_copy_words (d->asked, key, d->form.words);
  d->asked_depth = d->search->depth;
}

static tl_status show (void *hand, const tl_visit *visit) {
  tl_disk_hand *h = hand;
  tl_disk *d = h->disk;
  tl_search *s = d->search;
  const tl_visitor *v = s->visitor;
  if (v->skips && v->skips (v->context, visit, h->room))
    return TL_OK;
  stop_others (d);
  ask_for (d, h->worker.key);
  const tl_status rc = tl_disk_halts (d)
                           ? TL_E_CANCEL
                           : tl_search_heed (s, v->visit (v->context, visit));
  let_others (d);
  return rc;
}

static void note_dead (tl_disk_hand *h) {
  if (h->dead)
    return;
  h->dead = true;
  h->dead_depth = h->disk->search->depth;
  tl_copy_words (h->dead_key, h->worker.key, h->disk->form.words);
}

// A successor does not fit its fields: the search begins anew with wider ones.
static tl_status misfit (void *hand, uint32_t event) {
  tl_disk_hand *h = hand;
  tl_disk *d = h->disk;
  stop_others (d);
  if (!d->misfit && TL_NEW (&d->search->engine, d->misfit, d->form.words)) {
    tl_copy_words (d->misfit, h->worker.key, d->form.words);
    d->misfit_event = event;
  }
  const tl_status rc = d->misfit ? TL_E_ARG : TL_E_NOMEM;
  let_others (d);
  return rc;
}

static const tl_worker_hooks hooks = {.put = take_successors, .widen = misfit};

static tl_status expand_state (tl_disk_hand *h, const uint64_t *key,
                               uint32_t found_by) {
  const tl_disk *d = h->disk;
  tl_worker *w = &h->worker;
  const uint64_t dead = w->census.deadlocks;
  tl_copy_words (w->key, key, d->form.words);
  tl_worker_load (w);
  tl_status rc = tl_worker_visit (w);
  if (rc)
    return rc;
  if (w->census.deadlocks > dead)
    note_dead (h);
  if (d->prunes && found_by < d->search->net->transitions)
    tl_worker_prune (w, found_by);
  rc = tl_worker_fire (w, w->enabled, w->count, &hooks, h);
  if (!rc && w->gathered >= GATHER)
    rc = take_successors (h);
  return rc ? rc : ++h->visited % OFTEN ? TL_OK : tl_disk_poll (h);
}

// The visitor wants to do something else.
static tl_status take_turn (tl_disk_hand *h) {
  tl_disk *d = h->disk;
  tl_search *s = d->search;
  const tl_visitor *v = s->visitor;
  if (h->who || !v || !v->is_due || !v->is_due (v->context, s))
    return TL_OK;
  stop_others (d);
  const tl_status rc = tl_search_heed (s, v->turn (v->context, s));
  let_others (d);
  return rc;
}

static tl_status expand_batch (tl_disk_hand *h, size_t count) {
  tl_disk *d = h->disk;
  tl_status rc = TL_OK;
  if (d->size > 1)
    pthread_rwlock_rdlock (&d->visits);
  for (size_t i = 0; !rc && i < count; i++)
    rc = tl_disk_halts (d)
             ? TL_E_CANCEL
             : expand_state (h, h->batch + i * d->form.words, h->event[i]);
  if (!rc)
    rc = take_turn (h);
  if (d->size > 1)
    pthread_rwlock_unlock (&d->visits);
  return rc;
}

static tl_status expand_page (tl_disk_hand *h, size_t page) {
  const tl_disk *d = h->disk;
  const tl_sorted_run *level = d->level + d->search->depth;
  tl_status rc = tl_run_seek_page (&h->with_events, level, page);
  for (size_t count = 1; !rc && count;) {
    rc = tl_run_read (&h->with_events, TL_DISK_BATCH, h->batch, h->event,
                      &count);
    if (!rc)
      rc = expand_batch (h, count);
  }
  return rc;
}

static void expand (void *disk, unsigned who) {
  tl_disk *d = disk;
  tl_disk_hand *h = d->hand + who;
  tl_status rc = TL_OK;
  for (size_t page; !rc && (page = __atomic_fetch_add (
                                &d->taken, 1, __ATOMIC_RELAXED)) < d->parts;)
    rc = expand_page (h, page);
  if (!rc)
    rc = take_successors (h);
  if (!rc)
    sort (h);
  tl_disk_leave (d, rc);
}

tl_status tl_disk_expand (tl_disk *d) {
  const tl_sorted_run *level = d->level + d->search->depth;
  d->parts = level->pages;
  return tl_disk_together (d, expand,
                           level->count < d->search->parallel_narrow);
}

tl_worker_plan tl_disk_plan (tl_disk_hand *h) {
  return (tl_worker_plan){.mem = &h->disk->search->engine,
                          .room = TL_DISK_ROOM,
                          .visits = true,
                          .apart = true,
                          .show = show,
                          .order = h,
                          .lists = true,
                          .events = true};
}
