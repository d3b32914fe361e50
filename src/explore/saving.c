// Writing checkpoints.

#include "base/clock.h"
#include "base/error.h"
#include "explore/how.h"
#include "explore/saving_parts.h"
#include "explore/together.h"
#include "explore/worker.h"

#include <math.h>
#include <stdio.h>

#define EVERY 600.0 // seconds

// ---- Opening ---------------------------------------------------------------

// Why this search has no checkpoints; null: it has.
static const char *refusal (const tl_search *s) {
  const tl_order *order = s->how->order;
  return !tl_net_has_arcs (s->net) ? "a net that is not unfolded has none"
         : order == &tl_order_dfs  ? "depth-first search has none"
         : s->visitor && !s->visitor->save ? "a graph has none"
         : s->visitor && s->cluster ? "questions to several ranks have none"
         : s->for_property          ? "stubborn sets for a property have none"
                                    : 0;
}

static tl_status check (tl_saving *v, const tl_search *s) {
  const char *why = refusal (s);
  if (why)
    return tl_fail (s->error, TL_E_ARG, "there are no checkpoints: %s", why);
  v->resumes = s->options->resume && tl_folder_has (&v->folder);
  return !s->options->resume && tl_folder_has (&v->folder)
             ? tl_fail_at (s->error, TL_E_ARG, v->folder.path, 0, 0,
                           "there is a checkpoint: go on with it, or remove "
                           "the folder")
             : TL_OK;
}

static tl_status open_folder (tl_saving *v, const tl_search *s,
                              const char *path) {
  tl_status rc = tl_folder_open (&v->folder, path, s->error);
  if (!rc && !(rc = check (v, s)) && v->resumes)
    rc = tl_folder_read (&v->folder, &v->mem, &v->bytes, &v->length, s->error);
  return rc;
}

// The folder of a rank other than the first is in that of the first.
static void open_inner_folder (tl_saving *v, const tl_search *s) {
  tl_cluster *all = s->cluster;
  char path[TL_FOLDER_PATH];
  tl_error why = {0};
  snprintf (path, sizeof path, "%s/" TL_FOLDER_RANK "%u",
            s->options->checkpoint, all->rank);
  if (tl_folder_open (&v->folder, path, &why))
    all->abandon (all, 2, why.text);
  v->every = v->due = INFINITY; // the first says when
}

// The first rank has the checkpoint, and tells the others.
static tl_status open_together (tl_saving *v, tl_search *s) {
  const bool first = !s->cluster->rank;
  tl_status rc = first ? open_folder (v, s, s->options->checkpoint) : TL_OK;
  if ((rc = tl_together_agree (s, rc)))
    return rc;
  if (!first)
    open_inner_folder (v, s);
  tl_together_tell (s, &v->mem, &v->bytes, &v->length);
  v->resumes = v->length;
  return tl_together_agree (s, v->resumes ? tl_saving_read (v, s) : TL_OK);
}

tl_status tl_saving_open (tl_saving **out, tl_search *s) {
  tl_saving *v;
  const tl_options *o = s->options;
  if (!TL_NEW (s->root, v, 1))
    return s->cluster ? tl_together_agree (s, TL_E_NOMEM) : TL_E_NOMEM;
  *out = v;
  v->mem = TL_MEM (s->root, "checkpoints");
  v->code = v->next_code = TL_PARCEL (&v->mem);
  v->net = s->net;
  v->result = s->result;
  v->error = s->error;
  v->folder.lock = -1;
  v->every = o->checkpoint_seconds > 0 ? o->checkpoint_seconds : EVERY;
  v->start = s->start;
  v->due = s->start + v->every;
  s->result->checkpoints.part = 1;
  v->sum = tl_net_sum (s->net);
  if (s->cluster)
    return open_together (v, s);
  const tl_status rc = open_folder (v, s, o->checkpoint);
  return rc || !v->resumes ? rc : tl_saving_read (v, s);
}

const tl_mem *tl_saving_account (const tl_saving *v) {
  return &v->mem;
}

bool tl_saving_resumes (const tl_saving *v) {
  return v && v->resumes;
}

bool tl_saving_has_journal (const tl_saving *v) {
  return tl_saving_resumes (v) && v->saved.mark.streams;
}

const char *tl_saving_next (tl_saving *v, tl_folder_kind kind,
                            char path[TL_FOLDER_PATH]) {
  v->folder.number[kind] = ++v->number;
  tl_folder_forget (&v->folder, kind, v->number);
  return tl_folder_path (&v->folder, kind, v->number, path);
}

void tl_saving_close (tl_saving *v) {
  if (!v)
    return;
  tl_mem *root = v->mem.parent;
  tl_journal_close (v->journal);
  tl_saved_search_close (v);
  TL_DEL (&v->mem, v->mark.part, v->mark.room);
  tl_parcel_close (&v->code);
  tl_parcel_close (&v->next_code);
  tl_folder_close (&v->folder);
  TL_DEL (root, v, 1);
}

// ---- Problems --------------------------------------------------------------

const char *tl_saving_problem (const tl_saving *v) {
  const char *problem = v->result->checkpoints.problem;
  return *problem ? problem : 0;
}

static void note (tl_saving *v, const char *what) {
  snprintf (v->result->checkpoints.problem,
            sizeof v->result->checkpoints.problem, "%.200s", what);
}

// There was no memory, and there is something missing for good.
static void lose (tl_saving *v) {
  v->lost = true;
  note (v, "there was no memory for what is to be written; there will be no "
           "more");
}

// ---- Codes -----------------------------------------------------------------

void tl_saving_code (tl_saving *v, const tl_search *s,
                     const tl_digits *digits) {
  tl_parcel_empty (&v->next_code);
  tl_parcel_code (&v->next_code, s->net, s->width, s->most, digits);
}

// Keys have the next code from now on.
static void take_code (tl_saving *v) {
  tl_parcel_bytes (&v->code, v->next_code.bytes, v->next_code.length);
  v->codes++;
  if (v->code.failed || v->next_code.failed)
    lose (v);
}

static tl_journal_form form_of (const tl_saving *v, const tl_search *s) {
  return (tl_journal_form){.code = v->codes - 1,
                           .words = s->code.key_words,
                           .bits = s->code.key_bits,
                           .events = s->net->transitions};
}

void tl_saving_reform (tl_saving *v, const tl_search *s) {
  if (!v->journal)
    return;
  take_code (v);
  const tl_journal_form form = form_of (v, s);
  tl_journal_reform (v->journal, &form);
}

// ---- Streams ---------------------------------------------------------------

static tl_status begin_journal (tl_saving *v) {
  char path[TL_FOLDER_PATH];
  tl_error why;
  tl_saving_next (v, TL_FOLDER_STATES, path);
  const tl_status rc = tl_journal_open (&v->journal, &v->mem, path, &why);
  if (rc)
    note (v, why.text);
  else
    take_code (v);
  return rc;
}

tl_stream *tl_saving_stream (tl_saving *v, const tl_search *s) {
  tl_stream *stream = 0;
  if (!v->lost && !v->journal && begin_journal (v))
    v->lost = true;
  if (v->lost)
    return 0;
  const tl_journal_form form = form_of (v, s);
  if (tl_journal_stream (v->journal, &form, &stream))
    lose (v);
  return stream;
}

void tl_saving_share (tl_saving *v, bool shared) {
  tl_mem_share (&v->mem, shared);
}

// ---- Marks -----------------------------------------------------------------

static const tl_census *census_at (tl_censuses c, size_t i) {
  return (const tl_census *)((const char *)c.first + i * c.stride);
}

static void count (tl_mark *m, const tl_census *c) {
  m->states += c->states;
  m->arcs += c->arcs;
  m->followed += c->followed;
  m->deadlocks += c->deadlocks;
}

static void add_up (tl_mark *m, tl_cluster *all) {
  uint64_t sums[] = {m->states, m->arcs, m->followed, m->deadlocks};
  all->add_up (all, sums, sizeof sums / sizeof *sums);
  m->states = sums[0];
  m->arcs = sums[1];
  m->followed = sums[2];
  m->deadlocks = sums[3];
}

// What one rank has lost is of no use to the others.
static bool is_lost (tl_saving *v, const tl_search *s) {
  uint64_t lost = v->lost;
  if (s->cluster)
    s->cluster->raise (s->cluster, &lost, 1);
  if (lost && !v->lost)
    note (v, "another rank had no memory for what is to be written");
  return v->lost = lost;
}

void tl_saving_mark (tl_saving *v, const tl_search *s, tl_censuses more,
                     const tl_saved_part *part, size_t streams) {
  tl_mark *m = &v->mark;
  if (is_lost (v, s))
    return;
  if (!TL_ROOM (&v->mem, m->part, &m->room, streams)) {
    lose (v);
    return;
  }
  if (streams)
    memcpy (m->part, part, streams * sizeof *part);
  m->streams = streams;
  m->states = m->arcs = m->followed = m->deadlocks = 0;
  m->found = tl_search_seen (s);
  count (m, &s->census);
  for (const tl_worker *w = s->workers; w; w = w->next)
    count (m, &w->census);
  for (size_t i = 0; i < more.count; i++)
    count (m, census_at (more, i));
  if (s->cluster)
    add_up (m, s->cluster);
  m->depth = s->depth;
  m->levels = s->levels;
  v->ready = true;
}

static void close_journal (tl_saving *v) {
  tl_journal_close (v->journal);
  v->journal = 0;
  v->codes = 0;
  tl_parcel_empty (&v->code);
}

void tl_saving_again (tl_saving *v) {
  close_journal (v);
  memset (v->folder.number, 0, sizeof v->folder.number);
  v->ready = v->resumes = false;
}

// ---- Writing ---------------------------------------------------------------

bool tl_saving_is_due (const tl_saving *v) {
  return v->ready && !v->lost && tl_clock () >= v->due;
}

const char *tl_saving_order (const tl_search *s) {
  return s->how->order == &tl_order_disk ? "disk"
         : s->cluster                    ? "ranks"
                                         : s->how->order->name;
}

static void parcel_head (const tl_saving *v, tl_parcel *p, const tl_search *s) {
  tl_parcel_number (p, TL_SAVED_VERSION);
  tl_parcel_text (p, tl_version ());
  tl_parcel_text (p, tl_saving_order (s));
  tl_parcel_text (p, tl_reduction_name (s->how->stubborn));
  tl_parcel_number (p, v->sum);
  tl_parcel_number (p, v->result->checkpoints.part);
  tl_parcel_real (p, v->before + tl_clock () - v->start);
}

// The largest numbers of tokens, and what was enabled.
typedef struct most {
  uint64_t tokens;
  uint64_t *of; // [places], then [transitions] 1 or 0
} most;

static void add_most (most *m, const tl_census *c, const tl_net *net) {
  m->tokens = c->max_tokens > m->tokens ? c->max_tokens : m->tokens;
  for (uint32_t q = 0; q < net->places; q++) {
    const uint64_t here = tl_census_most (c, q);
    m->of[q] = here > m->of[q] ? here : m->of[q];
  }
  for (uint32_t t = 0; t < net->transitions; t++)
    m->of[net->places + t] |= c->fired[t];
}

static void parcel_most (tl_parcel *p, const tl_search *s, tl_censuses more) {
  const tl_net *net = s->net;
  const size_t count = (size_t)net->places + net->transitions;
  most m = {0};
  if (!TL_NEW (p->mem, m.of, count)) {
    p->failed = true;
    if (s->cluster) // the others wait for it
      s->cluster->abandon (s->cluster, 3, "no memory for a checkpoint");
    return;
  }
  add_most (&m, &s->census, net);
  for (const tl_worker *w = s->workers; w; w = w->next)
    add_most (&m, &w->census, net);
  for (size_t i = 0; i < more.count; i++)
    add_most (&m, census_at (more, i), net);
  if (s->cluster) {
    s->cluster->raise (s->cluster, &m.tokens, 1);
    s->cluster->raise (s->cluster, m.of, count);
  }
  tl_parcel_number (p, m.tokens);
  for (size_t i = 0; i < count; i++)
    tl_parcel_number (p, m.of[i]);
  TL_DEL (p->mem, m.of, count);
}

static void parcel_mark (tl_parcel *p, const tl_mark *m) {
  tl_parcel_number (p, m->states);
  tl_parcel_number (p, m->arcs);
  tl_parcel_number (p, m->followed);
  tl_parcel_number (p, m->deadlocks);
  tl_parcel_number (p, m->depth);
  tl_parcel_number (p, m->found);
  for (size_t i = 0; i < TL_LEVELS; i++)
    tl_parcel_real (p, m->levels.width[i]);
  for (size_t i = 0; i < TL_GUESSES; i++)
    tl_parcel_real (p, m->levels.guess[i]);
}

static void parcel_streams (const tl_saving *v, tl_parcel *p,
                            uint64_t *states) {
  const uint32_t streams = tl_journal_streams (v->journal);
  tl_parcel_number (p, tl_journal_length (v->journal));
  tl_parcel_number (p, streams);
  for (uint32_t i = 0; i < streams; i++) {
    const tl_saved_part none = {0},
                        *part = i < v->mark.streams ? v->mark.part + i : &none;
    const uint64_t found = tl_stream_states (tl_journal_number (v->journal, i));
    *states += found;
    tl_parcel_number (p, part->expanded);
    tl_parcel_number (p, part->level);
    tl_parcel_number (p, found);
  }
}

static tl_status flush_journal (tl_saving *v, tl_error *why) {
  int sys = 0;
  const tl_status rc = tl_journal_flush (v->journal, &sys);
  if (rc == TL_E_NOMEM)
    lose (v);
  return rc ? tl_fail (why, rc, "%s", strerror (sys)) : TL_OK;
}

// The states and, before them, the codes of their keys.
static tl_status parcel_states (tl_saving *v, tl_search *s, tl_parcel *p,
                                uint64_t *states, tl_error *why) {
  tl_status rc = TL_OK;
  tl_parcel body = TL_PARCEL (p->mem), code = TL_PARCEL (p->mem);
  if (v->mark.streams)
    rc = flush_journal (v, why);
  else {
    rc = s->save (s, &body, why);
    tl_parcel_bytes (&code, v->next_code.bytes, v->next_code.length);
    p->failed |= body.failed || code.failed || v->next_code.failed;
    *states = v->mark.found;
  }
  tl_parcel_number (p, v->journal ? v->codes : 1);
  tl_parcel_bytes (p, v->journal ? v->code.bytes : code.bytes,
                   v->journal ? v->code.length : code.length);
  for (size_t i = 0; i < TL_FOLDER_KINDS; i++)
    tl_parcel_number (p, v->folder.number[i]);
  tl_parcel_bytes (p, body.bytes, body.length);
  if (v->mark.streams)
    parcel_streams (v, p, states);
  tl_parcel_close (&body);
  tl_parcel_close (&code);
  return rc;
}

tl_status tl_saving_flush (tl_saving *v, tl_search *s, uint64_t *length,
                           tl_error *why) {
  const tl_status rc = flush_journal (v, why);
  tl_folder_sync (&v->folder);
  *length = tl_journal_length (v->journal);
  return tl_together_agree_on (s, rc, why);
}

// Of several ranks the first one writes; then all do without what was before.
static tl_status write_file (tl_saving *v, tl_search *s, const tl_parcel *p,
                             tl_error *why) {
  if (!s->cluster)
    return tl_folder_write (&v->folder, p, why);
  tl_status rc =
      s->cluster->rank ? TL_OK : tl_folder_write (&v->folder, p, why);
  rc = tl_together_agree_on (s, rc, why);
  if (!rc && s->cluster->rank)
    tl_folder_tidy (&v->folder);
  return rc;
}

// What visits have shown; nothing without a visitor.
static void parcel_visits (tl_parcel *p, const tl_search *s) {
  tl_parcel shown = TL_PARCEL (p->mem);
  if (s->visitor)
    s->visitor->save (s->visitor->context, &shown);
  p->failed |= shown.failed;
  tl_parcel_bytes (p, shown.bytes, shown.length);
  tl_parcel_close (&shown);
}

static tl_status write_now (tl_saving *v, tl_search *s, tl_censuses more,
                            uint64_t *states, tl_error *why) {
  // A budget may be spent, and this is written all the more.
  tl_mem mem = TL_MEM (0, "checkpoint");
  tl_parcel p = TL_PARCEL (&mem);
  parcel_head (v, &p, s);
  parcel_mark (&p, &v->mark);
  tl_parcel_text (&p, s->store_kind->name);
  tl_parcel_number (&p, s->next_choice);
  tl_parcel_number (&p, s->result->widened);
  parcel_most (&p, s, more);
  tl_parcel_trace (&p, &s->result->deadlock);
  tl_parcel_trace (&p, &s->result->unbounded);
  tl_parcel_number (&p, s->result->unbounded_place);
  parcel_visits (&p, s);
  tl_status rc = parcel_states (v, s, &p, states, why);
  if (!rc)
    rc = write_file (v, s, &p, why);
  tl_parcel_close (&p);
  return rc;
}

bool tl_saving_write (tl_saving *v, tl_search *s, tl_censuses more) {
  tl_checkpoints *c = &v->result->checkpoints;
  tl_error why = {0};
  uint64_t states = 0;
  if (is_lost (v, s) || !v->ready || (!v->mark.streams && !s->save))
    return false;
  const bool stands = !write_now (v, s, more, &states, &why);
  if (stands) {
    c->written++;
    c->states = states;
    c->problem[0] = 0;
  } else if (!v->lost)
    note (v, why.text);
  v->due = tl_clock () + v->every;
  return stands;
}

bool tl_saving_is_open (tl_stop stop) {
  return stop == TL_STOP_MEMORY || stop == TL_STOP_STATES ||
         stop == TL_STOP_TIME || stop == TL_STOP_CANCEL;
}

void tl_saving_end (tl_saving *v, tl_search *s, tl_status rc) {
  if (!s->cluster && (rc || tl_saving_is_open (s->stop)))
    tl_saving_write (v, s, (tl_censuses){0});
  s->result->checkpoints.before = v->before;
  s->result->seconds += v->before;
}
