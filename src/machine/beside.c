#include "machine/parts.h"

#include <string.h>

// Machines of several threads.  Each has all that it needs to find bindings and
// to fire them: tokens, local markings, events, what is remembered.  But what
// goes from one to another must mean the same to both: numbers of events, and
// those that keys are made of.  These are given by ledgers (base/intern.h), and
// a machine that meets a number which it does not know looks there.  Keys that
// are codes say all by themselves, so that only events have a ledger then.

// ---- Ledgers ---------------------------------------------------------------

static bool numbers_keys (const tl_machine *m) {
  return m->form != TL_KEYS_CODED;
}

static tl_status open_ledgers (tl_machine *m, tl_ledger **ledger,
                               uint32_t *open, tl_intern *table,
                               uint32_t count) {
  if (!TL_ARENA_NEW (&m->names, *ledger, (size_t)count + 1))
    return TL_E_NOMEM;
  tl_status rc = TL_OK;
  for (*open = 0; !rc && *open < count; *open += !rc)
    rc = tl_ledger_open (*ledger + *open, m->mem, table + *open);
  return rc;
}

static void close_ledgers (tl_ledger *ledger, uint32_t count,
                           tl_intern *table) {
  for (uint32_t i = 0; i < count; i++)
    tl_ledger_close (ledger + i, table + i); // no memory: it knows less
}

// Those of sections, as far as there is one.
static void close_locals (tl_machine *m) {
  close_ledgers (m->shared->local, m->shared->locals, m->local);
  m->shared->locals = 0;
}

tl_status tl_machine_share (tl_machine *m, unsigned machines) {
  if (!TL_ARENA_NEW (&m->names, m->shared, 1))
    return TL_E_NOMEM;
  tl_shared *s = m->shared;
  tl_status rc = tl_ledger_open (&s->event, m->mem, &m->event);
  s->has_events = !rc;
  if (!rc && numbers_keys (m))
    rc = open_ledgers (m, &s->token, &s->tokens, m->token, m->places);
  if (!rc && numbers_keys (m))
    rc = open_ledgers (m, &s->local, &s->locals, m->local, m->sections);
  m->machines = machines;
  if (rc)
    tl_machine_unshare (m);
  return rc;
}

void tl_machine_unshare (tl_machine *m) {
  tl_shared *s = m->shared;
  if (!s)
    return;
  if (s->has_events) {
    tl_machine_learn (m); // no memory: there are no traces
    tl_ledger_close (&s->event, &m->event);
  }
  close_ledgers (s->token, s->tokens, m->token);
  close_locals (m);
  m->shared = 0;
  m->machines = 1;
}

// ---- Taking over what others have met --------------------------------------

tl_status tl_machine_learn_section (tl_machine *m, uint32_t section) {
  const tl_status rc = tl_intern_catch_up (m->local + section);
  return rc ? rc : tl_intern_catch_up (m->token + m->place_of[section]);
}

tl_status tl_machine_catch_up (tl_machine *m) {
  tl_status rc = m->shared ? tl_machine_learn (m) : TL_OK;
  for (uint32_t p = 0; !rc && p < m->places; p++)
    rc = tl_intern_catch_up (m->token + p);
  for (uint32_t s = 0; !rc && s < m->sections; s++)
    rc = tl_intern_catch_up (m->local + s);
  return rc;
}

tl_status tl_machine_share_sections (tl_machine *m) {
  if (!m->shared || !numbers_keys (m) || m->shared->locals == m->sections)
    return TL_OK;
  close_locals (m);
  return open_ledgers (m, &m->shared->local, &m->shared->locals, m->local,
                       m->sections);
}

// ---- A machine beside another ----------------------------------------------

// Tables of tokens that are as those of the first.
static tl_status take_tokens (tl_machine *m, const tl_machine *first) {
  tl_status rc = TL_OK;
  for (uint32_t p = 0; !rc && p < m->places; p++) {
    const tl_intern *from = first->token + p;
    if (first->shared->tokens)
      rc = tl_intern_join (m->token + p, first->shared->token + p);
    for (uint32_t i = m->token[p].count, number; !rc && i < from->count; i++)
      rc = tl_intern_put (m->token + p, tl_intern_list (from, i),
                          tl_intern_length (from, i), &number);
  }
  return rc;
}

// The same places are divided.
static tl_status take_sections (tl_machine *m, const tl_machine *first) {
  tl_status rc = tl_machine_add_sections (m, first->sections - m->sections);
  if (rc)
    return rc;
  memcpy (m->place_of, first->place_of, m->sections * sizeof *m->place_of);
  for (uint32_t p = 0; p < m->places; p++) {
    m->division[p] = first->division[p];
    m->division[p].moved = 0;
    m->division[p].moved_room = 0;
    if (tl_section_is_gone (m, p))
      m->looked_at[p] = UINT32_MAX;
  }
  for (uint32_t t = 0; !rc && t < m->transitions; t++)
    rc = tl_machine_watch (m, t);
  for (uint32_t s = 0; !rc && s < first->shared->locals; s++)
    if (!tl_section_is_gone (m, s))
      rc = tl_intern_join (m->local + s, first->shared->local + s);
  return rc;
}

static tl_status take_events (tl_machine *m, const tl_machine *first) {
  m->event.ledger = &first->shared->event;
  return tl_machine_learn (m);
}

static void take_program (tl_machine *m, const tl_machine *first) {
  m->compiled.program = first->compiled.program;
  m->compiled.plan = first->compiled.plan;
}

tl_status tl_machine_mirror (tl_machine *m, const tl_machine *first) {
  m->form = first->form;
  m->shared = first->shared;
  m->machines = first->machines;
  m->compiled.when = TL_COMPILE_NEVER; // but for what the first one has
  m->kernel.plan = first->kernel.plan;
  m->kernel.planned = first->kernel.planned;
  take_program (m, first);
  tl_status rc = take_tokens (m, first);
  if (!rc)
    rc = take_sections (m, first);
  if (!rc && first->coded.code)
    rc = tl_follow_beside (m, first);
  if (!rc)
    rc = tl_machine_begin (m);
  if (!rc)
    rc = take_events (m, first);
  if (!rc && m->form == TL_KEYS_CODED)
    rc = tl_coded_open (m);
  return rc ? rc : tl_machine_follow (m, first);
}

static bool same_shape (const tl_shape *x, const tl_shape *y) {
  return x->words == y->words && x->bits == y->bits &&
         x->sections == y->sections && !x->width == !y->width &&
         (!x->width ||
          !memcmp (x->width, y->width, x->sections * sizeof *x->width));
}

tl_status tl_machine_follow (tl_machine *m, const tl_machine *first) {
  take_program (m, first);
  if (m->sections != first->sections || m->form != first->form)
    return TL_E_ARG;
  return same_shape (&m->shape, &first->shape)
             ? TL_OK
             : tl_machine_take_shape (m, &first->shape);
}

// ---- What it has seen ------------------------------------------------------

static void raise (uint64_t *most, uint64_t to) {
  *most = to > *most ? to : *most;
}

void tl_machine_report (tl_machine *m, tl_machine *first) {
  tl_machine_view *seen = &m->view, *all = &first->view;
  raise (&all->most_alike, seen->most_alike);
  raise (&all->longest_code, seen->longest_code);
  all->coded_states += seen->coded_states;
  all->coded_bytes += seen->coded_bytes;
  first->visited += m->visited;
  seen->coded_states = seen->coded_bytes = m->visited = 0;
}
