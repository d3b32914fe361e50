// Reading checkpoints: what they say, and how a search goes on from there.

#include "base/clock.h"
#include "base/error.h"
#include "explore/how.h"
#include "explore/saving_parts.h"
#include "explore/worker.h"

enum { BATCH = 256, MOST_CODES = 1 << 16, MOST_STREAMS = 1 << 16 };

// ---- What it says ----------------------------------------------------------

void tl_saved_search_close (tl_saving *v) {
  tl_saved_search *d = &v->saved;
  for (size_t i = 0; d->code && i < d->codes; i++)
    tl_saved_code_close (d->code + i, &v->mem, v->net);
  TL_DEL (&v->mem, d->code, d->codes);
  TL_DEL (&v->mem, d->place_max, v->net->places);
  TL_DEL (&v->mem, d->fired, v->net->transitions);
  TL_DEL (&v->mem, d->mark.part, d->mark.room);
  TL_DEL (&v->mem, d->states, d->mark.room);
  tl_trace_close (&d->deadlock);
  tl_trace_close (&d->unbounded);
  TL_DEL (&v->mem, v->bytes, v->length);
}

static tl_status another (const tl_saving *v, const char *what) {
  return tl_fail_at (v->error, TL_E_ARG, v->folder.path, 0, 0,
                     "the checkpoint is of a search %s", what);
}

// Is it of the search that is to go on?
static tl_status check_head (tl_saving *v, tl_unparcel *u, const tl_search *s) {
  if (tl_unparcel_number (u) != TL_SAVED_VERSION)
    return tl_fail_at (v->error, TL_E_SYNTAX, v->folder.path, 0, 0,
                       "the checkpoint is of another version of tideline");
  tl_unparcel_text (u); // who has written it does not matter
  const char *order = tl_unparcel_text (u), *stubborn = tl_unparcel_text (u),
             *ours = tl_reduction_name (s->how->stubborn);
  const uint64_t sum = tl_unparcel_number (u);
  const uint64_t part = tl_unparcel_count (u, UINT32_MAX - 1);
  v->before = tl_unparcel_real (u);
  if (u->failed)
    return TL_OK;
  v->result->checkpoints.part = (uint32_t)part + 1;
  const bool ranks = !strcmp (order, "ranks");
  return sum != v->sum          ? another (v, "of another net")
         : ranks && !s->cluster ? another (v, "of several ranks: mpirun is to "
                                              "start as many")
         : !ranks && s->cluster ? another (v, "of one rank")
         : strcmp (order, tl_saving_order (s)) ? another (v, "in another order")
         : strcmp (stubborn, ours ? ours : "")
             ? another (v, "with other stubborn sets")
             : TL_OK;
}

static void unparcel_mark (tl_unparcel *u, tl_mark *m) {
  m->states = tl_unparcel_number (u);
  m->arcs = tl_unparcel_number (u);
  m->followed = tl_unparcel_number (u);
  m->deadlocks = tl_unparcel_number (u);
  m->depth = tl_unparcel_number (u);
  m->found = tl_unparcel_number (u);
  for (size_t i = 0; i < TL_LEVELS; i++)
    m->levels.width[i] = tl_unparcel_real (u);
  for (size_t i = 0; i < TL_GUESSES; i++)
    m->levels.guess[i] = tl_unparcel_real (u);
}

static tl_status unparcel_most (tl_unparcel *u, tl_saving *v) {
  tl_saved_search *d = &v->saved;
  const tl_net *net = v->net;
  if (!TL_NEW (&v->mem, d->place_max, net->places) ||
      !TL_NEW (&v->mem, d->fired, net->transitions))
    return TL_E_NOMEM;
  d->max_tokens = tl_unparcel_number (u);
  for (uint32_t q = 0; q < net->places; q++)
    d->place_max[q] = tl_unparcel_number (u);
  for (uint32_t t = 0; t < net->transitions; t++)
    d->fired[t] = tl_unparcel_number (u) != 0;
  const tl_status rc = tl_unparcel_trace (u, net->transitions, &d->deadlock);
  return rc ? rc : tl_unparcel_trace (u, net->transitions, &d->unbounded);
}

// What visits have shown.
static tl_status unparcel_visits (tl_unparcel *u, const tl_saving *v,
                                  const tl_search *s) {
  size_t length;
  const unsigned char *bytes = tl_unparcel_bytes (u, &length);
  tl_unparcel shown = {.at = bytes, .end = bytes + length};
  if (u->failed)
    return TL_OK;
  const tl_visitor *visitor = s->visitor;
  const tl_status rc = !length != !visitor ? TL_E_ARG
                       : visitor ? visitor->restore (visitor->context, &shown)
                                 : TL_OK;
  u->failed |= shown.failed || (!rc && shown.at != shown.end);
  return rc == TL_E_ARG ? another (v, "for other questions") : rc;
}

// All codes are in one list of bytes, each by itself.
static tl_status unparcel_codes (tl_unparcel *u, tl_saving *v) {
  tl_saved_search *d = &v->saved;
  const size_t count = (size_t)tl_unparcel_count (u, MOST_CODES);
  size_t length;
  const unsigned char *all = tl_unparcel_bytes (u, &length);
  tl_unparcel codes = {.at = all, .end = all + length, .failed = u->failed};
  u->failed |= !count;
  if (u->failed)
    return TL_OK;
  if (!TL_NEW (&v->mem, d->code, count))
    return TL_E_NOMEM;
  d->codes = count;
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < count; i++) {
    const unsigned char *bytes = tl_unparcel_bytes (&codes, &length);
    tl_unparcel one = {
        .at = bytes, .end = bytes + length, .failed = codes.failed};
    rc = tl_unparcel_code (&one, &v->mem, v->net, d->code + i);
    u->failed |= one.failed || one.at != one.end;
  }
  u->failed |= codes.at != codes.end;
  return rc;
}

static tl_status unparcel_streams (tl_unparcel *u, tl_saving *v) {
  tl_saved_search *d = &v->saved;
  tl_mark *m = &d->mark;
  uint64_t expanded = 0;
  d->length = tl_unparcel_number (u);
  m->streams = m->room = (size_t)tl_unparcel_count (u, MOST_STREAMS);
  u->failed |= !m->streams;
  if (!TL_NEW (&v->mem, m->part, m->room) ||
      !TL_NEW (&v->mem, d->states, m->room))
    return TL_E_NOMEM;
  for (size_t i = 0; i < m->streams; i++) {
    m->part[i].expanded = tl_unparcel_number (u);
    m->part[i].level = tl_unparcel_number (u);
    d->states[i] = tl_unparcel_count (u, (uint64_t)1 << TL_STREAM_BIT);
    u->failed |= m->part[i].expanded > m->part[i].level ||
                 m->part[i].level > d->states[i];
    expanded += m->part[i].expanded;
    v->result->checkpoints.states += d->states[i];
  }
  u->failed |= expanded != m->states;
  return TL_OK;
}

// What the order has said, or a journal.
static tl_status unparcel_states (tl_unparcel *u, tl_saving *v) {
  tl_saved_search *d = &v->saved;
  size_t length;
  for (size_t i = 0; i < TL_FOLDER_KINDS; i++) {
    const uint64_t number = d->number[i] = v->folder.number[i] =
        tl_unparcel_number (u);
    v->number = number > v->number ? number : v->number;
  }
  d->body.at = tl_unparcel_bytes (u, &length);
  d->body.end = d->body.at + length;
  if (!length)
    return unparcel_streams (u, v);
  v->result->checkpoints.states = d->mark.found;
  return TL_OK;
}

static tl_status unparcel_all (tl_unparcel *u, tl_saving *v,
                               const tl_search *s) {
  tl_saved_search *d = &v->saved;
  unparcel_mark (u, &d->mark);
  d->store = tl_unparcel_text (u);
  d->next_choice = tl_unparcel_number (u);
  d->widened = tl_unparcel_count (u, UINT32_MAX);
  tl_status rc = unparcel_most (u, v);
  d->unbounded_place = tl_unparcel_count (u, UINT32_MAX);
  if (!rc)
    rc = unparcel_visits (u, v, s);
  if (!rc)
    rc = unparcel_codes (u, v);
  if (!rc)
    rc = unparcel_states (u, v);
  u->failed |= u->at != u->end || !tl_store_find (d->store);
  return rc;
}

tl_status tl_saving_read (tl_saving *v, const tl_search *s) {
  tl_unparcel u = {.at = v->bytes, .end = v->bytes + v->length};
  tl_status rc = check_head (v, &u, s);
  if (!rc && !u.failed)
    rc = unparcel_all (&u, v, s);
  if (!rc && u.failed)
    rc = tl_fail_at (v->error, TL_E_SYNTAX, v->folder.path, 0, 0,
                     "the checkpoint is damaged");
  return rc;
}

// ---- Preparing the search --------------------------------------------------

bool tl_saving_fields (tl_saving *v, tl_search *s) {
  if (!tl_saving_resumes (v))
    return false;
  const tl_saved_search *d = &v->saved;
  const tl_saved_code *code = d->code + d->codes - 1;
  memcpy (s->width, code->width, s->net->places);
  memcpy (s->most, code->most, s->net->places * sizeof *s->most);
  s->result->widened = (uint32_t)d->widened;
  if (!s->how->store) {
    s->store_kind = tl_store_find (d->store);
    s->next_choice = d->next_choice;
    s->result->store_why = "chosen before the search was resumed";
  }
  return true;
}

bool tl_saving_digits (tl_saving *v, const tl_digits **digits) {
  if (!tl_saving_resumes (v) || v->ready)
    return false;
  const tl_saved_code *code = v->saved.code + v->saved.codes - 1;
  *digits = code->identity ? 0 : &code->digits;
  return true;
}

// ---- Going on --------------------------------------------------------------

// A code that keys had before fields got wider.
typedef struct old_code {
  tl_layout layout;
  tl_code code;
} old_code;

typedef struct restoring {
  tl_saving *saving;
  tl_search *search;
  const tl_restoring *to;
  old_code *old; // [codes - 1]
  tl_journal_form *form;
  uint64_t *state; // room
  size_t state_words;
  // Where the states of each stream begin that were expanded, are of this
  // level, of the next one.
  uint64_t (*offset)[3]; // [streams]
  uint64_t expanded, level, all;
  uint64_t number; // of the next state
  // Where there is one stream, states come level by level, and stores of
  // differences are told so: the level of those gathered, and its first state.
  bool by_level;
  uint64_t depth, first;
  tl_stream *stream;
  uint64_t *keys, *parent;
  uint32_t *event;
  uint8_t isnew[BATCH];
  size_t count;
} restoring;

tl_status tl_saving_damaged (const tl_saving *v) {
  return tl_fail_at (v->error, TL_E_SYNTAX, v->folder.path, 0, 0,
                     "the states of the checkpoint are damaged");
}

static tl_status damaged (const restoring *r) {
  return tl_saving_damaged (r->saving);
}

static void set_offsets (restoring *r) {
  const tl_mark *m = &r->saving->saved.mark;
  const uint64_t *states = r->saving->saved.states;
  uint64_t next = 0;
  for (size_t k = 0; k < 3; k++) {
    for (size_t i = 0; i < m->streams; i++) {
      const tl_saved_part p = m->part[i];
      r->offset[i][k] = next;
      next += k == 0   ? p.expanded
              : k == 1 ? p.level - p.expanded
                       : states[i] - p.level;
    }
    *(k == 0 ? &r->expanded : k == 1 ? &r->level : &r->all) = next;
  }
}

// The new number of a state; false: there is none such.
static bool renumber (const restoring *r, uint64_t old, uint64_t *number) {
  const tl_saved_search *d = &r->saving->saved;
  const uint64_t stream = old >> TL_STREAM_BIT,
                 n = (old & tl_low_bits (TL_STREAM_BIT)) - (stream != 0);
  if (stream >= d->mark.streams || n >= d->states[stream])
    return false;
  const tl_saved_part p = d->mark.part[stream];
  const uint64_t *offset = r->offset[stream];
  *number = n < p.expanded ? offset[0] + n
            : n < p.level  ? offset[1] + (n - p.expanded)
                           : offset[2] + (n - p.level);
  return true;
}

// Puts those that were gathered.
static tl_status put (restoring *r) {
  tl_search *s = r->search;
  const size_t words = s->code.key_words;
  tl_batch batch = {.count = r->count,
                    .keys = r->keys,
                    .events = r->by_level && r->depth ? r->event : 0,
                    .depth = r->depth,
                    .isnew = r->isnew};
  tl_status rc = r->count ? tl_search_put (s, &batch) : TL_OK;
  for (size_t i = 0; !rc && i < r->count; i++, r->number++) {
    const uint64_t *key = r->keys + i * words;
    if (!r->isnew[i])
      return damaged (r);
    if (r->number)
      tl_search_log (s, r->parent[i], r->event[i]);
    if (r->stream)
      tl_stream_add (r->stream, key, r->parent[i], r->event[i]);
    if (r->number >= r->expanded)
      rc = r->to->waits (r->to->context, key);
  }
  r->count = 0;
  s->queued = s->store->count;
  return rc ? rc : tl_search_poll (s);
}

// Does a new level begin with a state of that parent?  Its first states are
// found from those of the level before it.
static bool begins_level (const restoring *r, uint64_t parent) {
  return r->by_level && r->number + r->count && parent >= r->first;
}

// The key of a state as keys are now.
static void read_key (const restoring *r, const tl_found *found,
                      uint64_t *key) {
  const tl_code *code = &r->search->code;
  if (found->code + 1 == r->saving->saved.codes)
    tl_copy_words (key, found->key, code->key_words);
  else
    code->kind->convert_key (code, &r->old[found->code].code, found->key,
                             r->state, key);
}

static tl_status take (void *context, const tl_found *found) {
  restoring *r = context;
  uint64_t parent;
  if (!renumber (r, found->parent, &parent))
    return damaged (r);
  if (begins_level (r, parent)) {
    const tl_status rc = put (r);
    if (rc)
      return rc;
    r->first = r->number;
    r->depth++;
  }
  read_key (r, found, r->keys + r->count * r->search->code.key_words);
  r->parent[r->count] = parent;
  r->event[r->count] = found->event;
  return ++r->count == BATCH ? put (r) : TL_OK;
}

static tl_status show_all (restoring *r, tl_journal_reader *reader) {
  const tl_saved_search *d = &r->saving->saved;
  const tl_journal_forms forms = {r->form, d->codes};
  tl_status rc = TL_OK;
  for (size_t k = 0; k < 3; k++)
    for (uint32_t i = 0; !rc && i < d->mark.streams; i++) {
      const tl_saved_part p = d->mark.part[i];
      const uint64_t from[] = {0, p.expanded, p.level, d->states[i]};
      rc = tl_journal_show (reader, &forms, i, from[k], from[k + 1], take, r,
                            r->saving->error);
    }
  return rc ? rc : put (r);
}

const char *tl_saving_before (const tl_saving *v, tl_folder_kind kind,
                              char path[TL_FOLDER_PATH]) {
  return tl_folder_path (&v->folder, kind, v->saved.number[kind], path);
}

// A journal of which so much counts, with so many states of each stream; the
// path is in use until it is closed, in any case.
static tl_status open_reader (tl_saving *v, uint64_t length,
                              const uint64_t *states, size_t streams,
                              char path[TL_FOLDER_PATH],
                              tl_journal_reader **reader) {
  tl_status rc = tl_journal_read (reader, &v->mem,
                                  tl_saving_before (v, TL_FOLDER_STATES, path),
                                  length, v->error);
  for (uint32_t i = 0; !rc && i < streams; i++)
    if (tl_journal_states (*reader, i) != states[i])
      rc = tl_saving_damaged (v);
  return rc;
}

static tl_status read_journal (restoring *r) {
  tl_saving *v = r->saving;
  const tl_saved_search *d = &v->saved;
  char path[TL_FOLDER_PATH];
  tl_journal_reader *reader;
  tl_status rc =
      open_reader (v, d->length, d->states, d->mark.streams, path, &reader);
  if (!rc)
    rc = show_all (r, reader);
  tl_journal_reader_close (reader);
  return rc;
}

// Opens the codes of the past, and tells the forms of all.
static tl_status open_codes (restoring *r) {
  tl_saving *v = r->saving;
  const tl_search *s = r->search;
  const tl_saved_search *d = &v->saved;
  const size_t last = d->codes - 1;
  if (!TL_NEW (&v->mem, r->old, last) || !TL_NEW (&v->mem, r->form, d->codes))
    return TL_E_NOMEM;
  for (size_t i = 0; i < d->codes; i++) {
    const tl_saved_code *c = d->code + i;
    old_code *old = r->old + i;
    tl_status rc = TL_OK;
    if (i < last)
      rc = tl_layout_open (&old->layout, &v->mem, v->net, c->width, 0);
    if (!rc && i < last)
      rc = tl_code_open (&old->code, &v->mem, &old->layout,
                         c->identity ? 0 : &c->digits);
    if (rc)
      return rc;
    const tl_code *code = i < last ? &old->code : &s->code;
    if (i < last && old->layout.words > r->state_words)
      r->state_words = old->layout.words;
    r->form[i] = (tl_journal_form){.code = (uint32_t)i,
                                   .words = code->key_words,
                                   .bits = code->key_bits,
                                   .events = v->net->transitions};
  }
  return TL_NEW (&v->mem, r->state, r->state_words) ? TL_OK : TL_E_NOMEM;
}

static tl_status open_restoring (restoring *r) {
  tl_mem *mem = &r->saving->mem;
  if (!TL_NEW (mem, r->offset, r->saving->saved.mark.streams) ||
      !TL_NEW (mem, r->keys, BATCH * r->search->code.key_words) ||
      !TL_NEW (mem, r->parent, BATCH) || !TL_NEW (mem, r->event, BATCH))
    return TL_E_NOMEM;
  return open_codes (r);
}

static void close_restoring (restoring *r) {
  tl_mem *mem = &r->saving->mem;
  const size_t codes = r->saving->saved.codes;
  for (size_t i = 0; r->old && i + 1 < codes; i++) {
    tl_code_close (&r->old[i].code);
    tl_layout_close (&r->old[i].layout);
  }
  TL_DEL (mem, r->old, codes - 1);
  TL_DEL (mem, r->form, codes);
  TL_DEL (mem, r->state, r->state_words);
  TL_DEL (mem, r->offset, r->saving->saved.mark.streams);
  TL_DEL (mem, r->keys, BATCH * r->search->code.key_words);
  TL_DEL (mem, r->parent, BATCH);
  TL_DEL (mem, r->event, BATCH);
}

// The figures at the mark.
static void restore_figures (tl_saving *v, tl_search *s) {
  tl_saved_search *d = &v->saved;
  tl_census *c = &s->census;
  c->states = d->mark.states;
  c->arcs = d->mark.arcs;
  c->followed = d->mark.followed;
  c->deadlocks = d->mark.deadlocks;
  c->max_tokens = d->max_tokens;
  memcpy (c->place_max, d->place_max, v->net->places * sizeof *d->place_max);
  memcpy (c->fired, d->fired, v->net->transitions);
  s->depth = d->mark.depth;
  s->levels = d->mark.levels;
  s->result->deadlock = d->deadlock;
  d->deadlock = (tl_trace){0};
  if (!s->result->unbounded.transition) {
    s->result->unbounded = d->unbounded;
    s->result->unbounded_place = (uint32_t)d->unbounded_place;
    d->unbounded = (tl_trace){0};
  }
}

tl_unparcel tl_saving_peek (const tl_saving *v) {
  return v->saved.body;
}

tl_unparcel tl_saving_body (tl_saving *v, tl_search *s) {
  restore_figures (v, s);
  v->resumes = false; // from now on it is a search as any other
  return v->saved.body;
}

// ---- Several ranks ---------------------------------------------------------

typedef struct showing {
  restoring codes;
  uint64_t *key; // room
  uint32_t stream;
  tl_saved_taker *taker;
  void *context;
} showing;

static tl_status show (void *context, const tl_found *found) {
  const showing *w = context;
  read_key (&w->codes, found, w->key);
  return w->taker (w->context, w->stream, w->key, found->parent, found->event);
}

tl_status tl_saving_show (tl_saving *v, tl_search *s, uint64_t length,
                          const uint64_t *states, uint32_t streams,
                          tl_saved_taker *taker, void *context) {
  showing w = {
      .codes = {.saving = v, .search = s}, .taker = taker, .context = context};
  char path[TL_FOLDER_PATH];
  tl_journal_reader *reader = 0;
  tl_status rc = open_restoring (&w.codes);
  w.key = w.codes.keys;
  if (!rc)
    rc = open_reader (v, length, states, streams, path, &reader);
  const tl_journal_forms forms = {w.codes.form, v->saved.codes};
  for (; !rc && w.stream < streams; w.stream++)
    rc = tl_journal_show (reader, &forms, w.stream, 0, states[w.stream], show,
                          &w, v->error);
  tl_journal_reader_close (reader);
  close_restoring (&w.codes);
  return rc;
}

// ---- One rank --------------------------------------------------------------

tl_status tl_saving_restore (tl_saving *v, tl_search *s, tl_stream **stream,
                             const tl_restoring *to, tl_saved_part *part) {
  restoring r = {.saving = v,
                 .search = s,
                 .to = to,
                 .by_level = v->saved.mark.streams == 1};
  tl_status rc =
      v->saved.mark.streams ? open_restoring (&r) : tl_saving_damaged (v);
  if (!rc) {
    set_offsets (&r);
    r.stream = *stream = tl_saving_stream (v, s);
    restore_figures (v, s);
    rc = read_journal (&r);
  }
  *part = (tl_saved_part){r.expanded, r.level};
  close_restoring (&r);
  if (rc)
    return rc;
  tl_saving_mark (v, s, (tl_censuses){0}, part, 1);
  tl_saving_write (v, s, (tl_censuses){0});
  return TL_OK;
}
