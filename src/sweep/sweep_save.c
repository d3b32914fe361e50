// Checkpoints of a sweep: the measure, where the line stands, and all that is
// in memory, written when the successors of all states that were taken are in
// their layers.  What only grows, the archive and how states were found, is in
// files of its own, which get longer.
//
//     checkpoint   | measure | sweep | how much of log and archive counts
//     states.N     | layers (layers_save.c)
//     log.N        | a journal, of keys that are all 0
//     archive.N    | states that were left behind
//
// An interrupt and the end of a budget wait until such a moment has come. Where
// memory is short there is none: the checkpoint before stands.

#include "base/clock.h"
#include "base/error.h"
#include "sweep/sweep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const tl_record_kind kind = {"swep", 2, "list of the states of a sweep"};
#define SECTION "layr"

// ---- The trail -------------------------------------------------------------

// Keys of eight bytes, all of them 0: they take nothing in the file, and blocks
// have fewer states, for small budgets.
static tl_journal_form trail_form (const tl_search *s) {
  return (tl_journal_form){
      .words = 1, .bits = 64, .events = s->net->transitions};
}

void tl_sweep_open_saving (tl_sweeping *w) {
  tl_search *s = w->search;
  const tl_journal_form form = trail_form (s);
  char path[TL_FOLDER_PATH];
  tl_error why;
  s->save = tl_sweep_save;
  s->defers = true;
  if (!tl_journal_open (&w->trail, &s->trace,
                        tl_saving_next (s->saving, TL_FOLDER_LOG, path), &why))
    tl_journal_stream (w->trail, &form, &w->stream);
}

void tl_sweep_close_saving (tl_sweeping *w) {
  tl_journal_close (w->trail);
  w->trail = 0;
  w->stream = 0;
  w->search->save = 0;
  w->search->defers = false;
}

// ---- When ------------------------------------------------------------------

bool tl_sweep_is_due (const tl_sweeping *w) {
  const tl_search *s = w->search;
  return s->save && (s->stop != TL_STOP_DONE || tl_saving_is_due (s->saving));
}

tl_status tl_sweep_save_here (tl_sweeping *w) {
  tl_search *s = w->search;
  const tl_censuses none = {0};
  if (!s->save)
    return TL_OK;
  const bool due = tl_sweep_is_due (w);
  tl_saving_mark (s->saving, s, none, 0, 0);
  if (due)
    tl_saving_write (s->saving, s, none);
  return s->stop == TL_STOP_DONE ? TL_OK : TL_E_LIMIT;
}

// ---- Writing ---------------------------------------------------------------

// A measure that is not linear is made again of what was asked for.
static void parcel_measure (tl_parcel *p, const tl_measure *m,
                            const tl_net *net) {
  tl_parcel_text (p, m->name);
  tl_parcel_number (p, m->parts);
  tl_parcel_number (p, m->window);
  tl_parcel_bytes (
      p, m->weight,
      m->weight ? (size_t)m->parts * net->places * sizeof *m->weight : 0);
}

static void parcel_progress (tl_parcel *p, const tl_sweeping *w) {
  const tl_sweep *told = &w->search->result->sweep;
  const uint64_t numbers[] = {
      w->sweep,          w->freed,        w->begun,
      w->longest,        w->begins,       w->has_furthest,
      w->has_gone,       w->lost,         told->explored,
      told->peak_states, told->discarded, w->layers.archive != 0};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    tl_parcel_number (p, numbers[i]);
  for (size_t i = 0; i < TL_MEASURE_PARTS; i++) {
    tl_parcel_number (p, (uint64_t)w->furthest[i]);
    tl_parcel_number (p, (uint64_t)w->gone[i]);
  }
}

static void parcel_timeline (tl_parcel *p, const tl_timeline *t) {
  tl_parcel_number (p, t->point ? t->count : 0);
  tl_parcel_number (p, t->stride);
  tl_parcel_number (p, t->in_last);
  for (size_t i = 0; t->point && i < t->count; i++) {
    const tl_sweep_point *at = t->point + i;
    tl_parcel_number (p, at->sweep);
    tl_parcel_number (p, (uint64_t)at->progress);
    tl_parcel_number (p, at->stored);
    tl_parcel_number (p, at->unprocessed);
    tl_parcel_number (p, at->persistent);
  }
}

// How much of the trail counts; 0: it is lost, and there will be no traces.
static tl_status parcel_trail (tl_parcel *p, tl_sweeping *w, tl_error *why) {
  int sys = 0;
  const tl_status rc =
      w->stream ? tl_journal_flush (w->trail, &sys) : TL_E_NOMEM;
  if (rc == TL_E_NOMEM)
    w->stream = 0;
  if (rc == TL_E_IO)
    return tl_fail (why, rc, "%s", strerror (sys));
  tl_parcel_number (p, rc ? 0 : tl_journal_length (w->trail));
  return TL_OK;
}

static tl_status parcel_archive (tl_parcel *p, tl_sweeping *w, tl_error *why) {
  tl_archive *a = w->layers.archive;
  char path[TL_FOLDER_PATH] = "";
  tl_archive_copy copy = {0};
  tl_status rc = TL_OK;
  if (a && !tl_archive_is_copied (a))
    tl_saving_next (w->search->saving, TL_FOLDER_ARCHIVE, path);
  if (a)
    rc = tl_archive_save (a, path, &copy, why);
  tl_parcel_number (p, copy.blocks);
  tl_parcel_number (p, copy.block);
  tl_parcel_number (p, copy.tail);
  tl_parcel_bytes (p, a ? tl_archive_tail (a) : 0, copy.tail);
  return rc;
}

static tl_status write_states (tl_sweeping *w, tl_mem *mem, tl_error *why) {
  char path[TL_FOLDER_PATH];
  tl_record_writer file;
  tl_status rc = tl_records_create (
      &file, mem, tl_saving_next (w->search->saving, TL_FOLDER_STATES, path),
      &kind, why);
  if (rc)
    return rc;
  tl_records_begin (&file, SECTION);
  rc = tl_layers_save (&w->layers, &file);
  return tl_records_finish (&file, rc, why);
}

tl_status tl_sweep_save (tl_search *s, tl_parcel *p, tl_error *why) {
  tl_sweeping *w = s->order_context;
  tl_status rc = tl_layers_settle_checked (&w->layers);
  if (rc)
    return tl_fail (why, rc, "there is no memory to write it");
  tl_parcel_number (p, w->archives);
  parcel_measure (p, w->measure, s->net);
  parcel_progress (p, w);
  parcel_timeline (p, &w->timeline);
  rc = parcel_trail (p, w, why);
  if (!rc)
    rc = parcel_archive (p, w, why);
  return rc ? rc : write_states (w, p->mem, why);
}

// ---- Reading ---------------------------------------------------------------

// A measure as it is told; its weights lie in the parcel.
static void unparcel_measure (tl_unparcel *u, const tl_net *net,
                              tl_measure *m) {
  size_t length;
  *m = (tl_measure){.name = tl_unparcel_text (u)};
  m->parts = (uint32_t)tl_unparcel_count (u, TL_MEASURE_PARTS);
  m->window = tl_unparcel_number (u);
  m->weight = (int64_t *)tl_unparcel_bytes (u, &length);
  u->failed |=
      !m->parts ||
      (length && length != (size_t)m->parts * net->places * sizeof *m->weight);
  m->weight = length ? m->weight : 0;
}

tl_status tl_sweep_saved_measures (tl_search *s, tl_measures *list,
                                   const tl_measure_request *request) {
  tl_unparcel u = tl_saving_peek (s->saving);
  tl_measure m;
  tl_unparcel_number (&u); // see below
  unparcel_measure (&u, s->net, &m);
  if (u.failed)
    return tl_saving_damaged (s->saving);
  if (!m.weight)
    return tl_measures_open (list, &s->engine, s->structure, request, s->error);
  const tl_status rc = tl_measures_open_again (list, &s->engine, s->net, &m);
  return rc == TL_E_LIMIT ? tl_saving_damaged (s->saving) : rc;
}

static void unparcel_progress (tl_unparcel *u, tl_sweeping *w, bool *archive) {
  tl_sweep *told = &w->search->result->sweep;
  told->sweeps = w->sweep = tl_unparcel_number (u);
  w->freed = tl_unparcel_number (u);
  w->begun = tl_unparcel_number (u);
  w->longest = tl_unparcel_number (u);
  w->begins = tl_unparcel_number (u);
  w->has_furthest = tl_unparcel_number (u);
  w->has_gone = tl_unparcel_number (u);
  w->lost = tl_unparcel_number (u);
  told->explored = tl_unparcel_number (u);
  told->peak_states = tl_unparcel_number (u);
  told->discarded = (uint32_t)tl_unparcel_number (u);
  *archive = tl_unparcel_number (u);
  for (size_t i = 0; i < TL_MEASURE_PARTS; i++) {
    w->furthest[i] = (int64_t)tl_unparcel_number (u);
    w->gone[i] = (int64_t)tl_unparcel_number (u);
  }
}

// Without memory for it there is less of a picture.
static void unparcel_timeline (tl_unparcel *u, tl_timeline *t) {
  const size_t count = (size_t)tl_unparcel_count (u, TL_TIMELINE_POINTS);
  const uint64_t stride = tl_unparcel_number (u),
                 in_last = tl_unparcel_number (u);
  for (size_t i = 0; i < count; i++) {
    const uint64_t sweep = tl_unparcel_number (u);
    const int64_t progress = (int64_t)tl_unparcel_number (u);
    const uint64_t stored = tl_unparcel_number (u),
                   unprocessed = tl_unparcel_number (u),
                   persistent = tl_unparcel_number (u);
    t->stride = 1;
    t->in_last = 1;
    tl_timeline_add (
        t, &(tl_sweep_point){sweep, progress, stored, unprocessed, persistent});
  }
  t->stride = stride;
  t->in_last = in_last;
}

static tl_status take_step (void *context, const tl_found *found) {
  tl_sweeping *w = context;
  const uint64_t number = tl_stream_states (w->stream);
  if (number)
    tl_search_log (w->search, found->parent, found->event);
  tl_stream_add (w->stream, found->key, found->parent, found->event);
  return number % 1024 ? TL_OK : tl_search_poll (w->search);
}

// The log as it was, and the trail anew; without one there are no traces.
static tl_status restore_trail (tl_sweeping *w, uint64_t length) {
  tl_search *s = w->search;
  const tl_journal_form form = trail_form (s);
  char path[TL_FOLDER_PATH];
  tl_journal_reader *reader;
  if (!length || !w->stream) {
    w->stream = 0;
    tl_search_drop_log (s);
    return TL_OK;
  }
  tl_status rc = tl_journal_read (
      &reader, &s->trace, tl_saving_before (s->saving, TL_FOLDER_LOG, path),
      length, s->error);
  if (rc)
    return rc;
  rc = tl_journal_states (reader, 0) != w->begins
           ? tl_saving_damaged (s->saving)
           : tl_journal_show (reader, &(tl_journal_forms){&form, 1}, 0, 0,
                              w->begins, take_step, w, s->error);
  tl_journal_reader_close (reader);
  return rc;
}

static tl_status restore_archive (tl_sweeping *w, tl_unparcel *u, bool has) {
  tl_search *s = w->search;
  char path[TL_FOLDER_PATH];
  const uint64_t blocks = tl_unparcel_number (u),
                 block = tl_unparcel_number (u), used = tl_unparcel_number (u);
  size_t length;
  const unsigned char *tail = tl_unparcel_bytes (u, &length);
  if (u->failed || length != used || u->at != u->end)
    return tl_saving_damaged (s->saving);
  if (!has)
    return TL_OK;
  tl_layers_open_archive (&w->layers);
  const tl_archive_copy copy = {blocks, (size_t)block, length};
  return w->layers.lost
             ? TL_E_NOMEM
             : tl_archive_restore (
                   w->layers.archive,
                   tl_saving_before (s->saving, TL_FOLDER_ARCHIVE, path), &copy,
                   tail, s->error);
}

static tl_status restore_states (tl_sweeping *w) {
  tl_search *s = w->search;
  char path[TL_FOLDER_PATH];
  tl_record_reader file;
  tl_saving_before (s->saving, TL_FOLDER_STATES, path);
  tl_status rc = tl_records_open (&file, &s->queue, path, &kind, s->error);
  if (!rc)
    rc = tl_records_expect (&file, SECTION, s->error);
  if (!rc)
    rc = tl_layers_restore (&w->layers, &file, s->error);
  if (!rc)
    rc = tl_records_done (&file, s->error);
  if (!rc)
    rc = tl_records_expect (&file, "", s->error);
  tl_records_close (&file);
  return rc;
}

bool tl_sweep_has_archived (const tl_search *s) {
  tl_unparcel u = tl_saving_peek (s->saving);
  return tl_unparcel_number (&u);
}

tl_status tl_sweep_restore (tl_sweeping *w) {
  tl_search *s = w->search;
  tl_unparcel u = tl_saving_body (s->saving, s);
  tl_measure m;
  bool archive;
  w->archives = tl_unparcel_number (&u);
  unparcel_measure (&u, s->net, &m);
  unparcel_progress (&u, w, &archive);
  unparcel_timeline (&u, &w->timeline);
  const uint64_t length = tl_unparcel_number (&u);
  tl_status rc = restore_archive (w, &u, archive);
  if (!rc)
    rc = restore_states (w);
  return rc ? rc : restore_trail (w, length);
}
