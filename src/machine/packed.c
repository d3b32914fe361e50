#include "machine/parts.h"

#include <stdlib.h>
#include <string.h>

// States in the hands of a compiled kernel (compile/kernel.h): keys that are
// codes are taken apart into a packed state, on which bindings are found and
// fired, and packed again.  Tokens and local markings get no numbers, and
// events only when they are met first, by the way that finds out what they do.
//
// Where the kernel gives up, the state at hand is turned into numbers
// (tl_kernel_let_go), and all goes on as without a kernel.

// ---- Planning --------------------------------------------------------------

uint64_t tl_kernel_rank (const tl_machine *m, uint32_t place, uint32_t token) {
  return tl_leaf_rank (
      m->kernel.plan.place[place].leaf,
      (const tl_cell *)tl_intern_list (m->token + place, token),
      m->coloured->place[place].cells);
}

static uint32_t token_of (const tl_machine *m, uint32_t place, uint32_t token) {
  return 64 * m->kernel.plan.place[place].word +
         (uint32_t)tl_kernel_rank (m, place, token);
}

static int by_token (const void *a, const void *b) {
  const tl_kernel_term *x = a, *y = b;
  return x->token != y->token
             ? (x->token < y->token ? -1 : 1)
             : (x->follows > y->follows) - (x->follows < y->follows);
}

static bool is_small (int64_t n) {
  return n >= -(1 << 20) && n <= 1 << 20;
}

// What the relations of redundant places say.
static bool plan_relations (tl_machine *m) {
  const tl_coded *c = &m->coded;
  tl_kernel_plan *plan = &m->kernel.plan;
  if (c->terms > 1 << 16 || !TL_ARENA_NEW (&m->names, plan->term, c->terms + 1))
    return false;
  for (size_t i = 0; i < c->relations; i++) {
    const tl_colour_relation *r = c->relation + i;
    const uint32_t token = token_of (m, r->place, r->token);
    if (r->denominator != 1 || !is_small (r->constant))
      return false;
    plan->constant[token] = (int32_t)r->constant;
    for (size_t k = r->start; k < r->start + r->count; k++) {
      const tl_colour_term *t = c->term + k;
      if (!is_small (t->factor) || c->redundant[t->place])
        return false;
      plan->term[plan->terms++] =
          (tl_kernel_term){.token = token_of (m, t->place, t->token),
                           .follows = token,
                           .factor = (int32_t)t->factor};
    }
  }
  qsort (plan->term, plan->terms, sizeof *plan->term, by_token);
  return true;
}

void tl_kernel_open (tl_machine *m) {
  if (m->form != TL_KEYS_CODED || m->derives ||
      m->compiled.when == TL_COMPILE_NEVER ||
      !tl_kernel_plan_open (&m->kernel.plan, &m->names, m->coloured,
                            m->coded.code, m->coded.redundant) ||
      !plan_relations (m))
    return;
  m->kernel.planned = true;
  tl_compiled_plan (&m->compiled, &m->kernel.plan);
}

static bool open_state (tl_machine *m, tl_kernel_state *s) {
  const size_t words = m->kernel.plan.words;
  return TL_ARENA_NEW (&m->names, s->bits, words + 1) &&
         TL_ARENA_NEW (&m->names, s->many, 64 * words + 1) &&
         TL_ARENA_NEW (&m->names, s->total, (size_t)m->places + 1);
}

static void note_first (tl_machine *m) {
  tl_machine_kernel *u = &m->kernel;
  for (size_t i = 0; i < m->effect_start[0]; i++) {
    const tl_effect *e = m->effect + i;
    const uint32_t token = token_of (m, e->place, e->token);
    u->first.many[token] += e->change;
    u->first.bits[token / 64] |= UINT64_C (1) << token % 64;
  }
}

// There is no memory for it, and all goes on as without one.
static void end (tl_machine *m) {
  m->kernel.code = 0;
  m->compiled.plan = 0;
}

// Takes a kernel that is there; false: no memory.
static bool begin (tl_machine *m, const tl_kernel *code) {
  tl_machine_kernel *u = &m->kernel;
  const size_t transitions = (size_t)m->transitions + 1;
  // A binding may come twice; if there is no room for that, it gives up.
  u->rank_room = 2 * u->plan.most_ranks < TL_MACHINE_MOST_ENABLED
                     ? 2 * u->plan.most_ranks
                     : TL_MACHINE_MOST_ENABLED;
  if (!open_state (m, &u->now) || !open_state (m, &u->aside) ||
      !open_state (m, &u->first) ||
      !TL_ARENA_NEW (&m->names, u->key, code->code_words) ||
      !TL_ARENA_NEW (&m->names, u->event, transitions) ||
      !TL_ARENA_NEW (&m->names, u->rank, u->rank_room))
    return false;
  note_first (m);
  u->code = code;
  return true;
}

// The kernel, if there is one by now.
static const tl_kernel *kernel_now (tl_machine *m) {
  if (m->kernel.code || !m->compiled.plan)
    return m->kernel.code;
  const tl_program *program = tl_compiled_now (&m->compiled);
  if (program && program->kernel && !begin (m, program->kernel))
    end (m);
  return m->kernel.code;
}

void tl_kernel_forget_events (tl_machine *m) {
  for (uint32_t t = 0; m->kernel.event && t < m->transitions; t++) {
    TL_DEL (m->mem, m->kernel.event[t], m->kernel.plan.event[t].ranks);
    m->kernel.event[t] = 0;
  }
}

// ---- States ----------------------------------------------------------------

bool tl_kernel_load (tl_machine *m, const uint64_t *key) {
  const tl_kernel *code = kernel_now (m);
  m->kernel.holds =
      code && !code->decode (&m->kernel.now, key, &m->kernel.bits);
  return m->kernel.holds;
}

void tl_kernel_let_go (tl_machine *m) {
  if (!m->kernel.holds)
    return;
  m->kernel.holds = false;
  tl_machine_load_numbers (m, m->now_key);
}

uint32_t tl_kernel_many (const tl_machine *m, uint32_t place, uint32_t token) {
  const uint64_t rank = tl_kernel_rank (m, place, token);
  return rank == UINT64_MAX // no place holds it
             ? 0
             : (uint32_t)m->kernel.now
                   .many[64 * m->kernel.plan.place[place].word + rank];
}

bool tl_kernel_is_first (const tl_machine *m) {
  const tl_machine_kernel *u = &m->kernel;
  const size_t words = u->plan.words;
  return !memcmp (u->now.bits, u->first.bits, words * sizeof *u->now.bits) &&
         !memcmp (u->now.many, u->first.many, 64 * words * sizeof *u->now.many);
}

tl_status tl_kernel_show (tl_machine *m, uint32_t place) {
  const tl_kernel_place *at = m->kernel.plan.place + place;
  const uint32_t cells = m->coloured->place[place].cells;
  uint32_t count = 0;
  m->shown[place] = 0;
  for (uint32_t w = 0; w < at->words; w++)
    for (uint64_t bits = m->kernel.now.bits[at->word + w]; bits;
         bits &= bits - 1, count++) {
      const uint32_t rank = 64 * w + (uint32_t)__builtin_ctzll (bits);
      if (!TL_ROOM (m->mem, m->cells[place], m->cell_room + place,
                    ((size_t)count + 1) * cells + 1) ||
          !TL_ROOM (m->mem, m->many[place], m->many_room + place,
                    (size_t)count + 1))
        return TL_E_NOMEM;
      for (uint32_t i = 0; i < cells; i++)
        m->cells[place][(size_t)count * cells + i] =
            tl_leaf_cell (at->leaf + i, rank);
      m->many[place][count] =
          (uint32_t)m->kernel.now.many[64 * at->word + rank];
    }
  m->marking[place] = (tl_tokens){m->cells[place], m->many[place], count};
  return TL_OK;
}

// ---- What is enabled -------------------------------------------------------

static tl_program_call call_of (tl_kernel_state *state) {
  return (tl_program_call){.left = TL_PROGRAM_STEPS, .state = state};
}

// Ascending, each once; they mostly are.
static uint32_t sort (uint32_t *rank, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    const uint32_t mine = rank[i];
    uint32_t at = i;
    for (; at && rank[at - 1] > mine; at--)
      rank[at] = rank[at - 1];
    rank[at] = mine;
  }
  uint32_t left = 0;
  for (uint32_t i = 0; i < count; i++)
    if (!left || rank[left - 1] != rank[i])
      rank[left++] = rank[i];
  return left;
}

// The number of an event that has none yet, or that may be inhibited;
// TL_NO_EVENT: it is.
static tl_status meet_event (tl_machine *m, uint32_t transition, uint32_t rank,
                             uint32_t *event) {
  const tl_kernel_event *e = m->kernel.plan.event + transition;
  tl_cell cell[64]; // as many as a plan allows
  for (uint32_t i = 0; i < e->cells; i++)
    cell[i] = tl_leaf_cell (e->leaf + i, rank);
  tl_status rc =
      tl_machine_restore (m, transition, (const uint32_t *)(void *)cell);
  if (!rc)
    rc = tl_machine_event (m, transition, m->frame, event);
  if (rc)
    return rc;
  if (*event == TL_NO_EVENT)
    return m->coloured->transition[transition].inhibits ? TL_OK : TL_E_INTERNAL;
  m->kernel.event[transition][rank] = *event + 1;
  return TL_OK;
}

// What inhibits is looked for in the marking.
static tl_status show_inhibitors (tl_machine *m, const tl_ctransition *t) {
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < t->inhibits; i++)
    rc = tl_machine_show (m, t->inhibit[i].place);
  return rc;
}

static tl_status list_events (tl_machine *m, uint32_t transition,
                              uint32_t found, uint32_t *events,
                              uint32_t *count) {
  const tl_ctransition *t = m->coloured->transition + transition;
  const uint32_t *number = m->kernel.event[transition];
  tl_status rc = show_inhibitors (m, t);
  for (uint32_t i = 0; !rc && i < found; i++) {
    const uint32_t known = number[m->kernel.rank[i]];
    uint32_t event = known - 1;
    if (!known || t->inhibits)
      rc = meet_event (m, transition, m->kernel.rank[i], &event);
    if (event != TL_NO_EVENT)
      events[(*count)++] = event;
  }
  return rc;
}

// Is there room for the numbers of its events?
static bool has_numbers (tl_machine *m, uint32_t transition) {
  uint32_t **number = m->kernel.event + transition;
  return *number ||
         TL_NEW (m->mem, *number, m->kernel.plan.event[transition].ranks);
}

// *given_up: what is enabled is to be found otherwise.
tl_status tl_kernel_enabled (tl_machine *m, uint32_t *events, uint32_t *count,
                             bool *given_up) {
  const tl_kernel *code = m->kernel.code;
  tl_program_call call = call_of (&m->kernel.now);
  tl_status rc = TL_OK;
  *given_up = false;
  *count = 0;
  call.rank = m->kernel.rank;
  for (uint32_t t = 0; !rc && t < m->transitions; t++) {
    call.ranks = 0;
    call.room = TL_MACHINE_MOST_ENABLED - *count < m->kernel.rank_room
                    ? TL_MACHINE_MOST_ENABLED - *count
                    : m->kernel.rank_room;
    call.left = TL_PROGRAM_STEPS;
    if (code->seek[t](&call, m->frame)) {
      *given_up = true;
      return TL_OK;
    }
    if (!call.ranks)
      continue;
    if (!has_numbers (m, t)) {
      end (m);
      *given_up = true;
      return TL_OK;
    }
    call.ranks = sort (m->kernel.rank, call.ranks);
    rc = list_events (m, t, call.ranks, events, count);
  }
  return rc;
}

// ---- Firing ----------------------------------------------------------------

// The variables of the event, but for those that are computed.
static uint32_t set_frame (tl_machine *m, uint32_t event) {
  const uint32_t *list = tl_intern_list (&m->event, event);
  const tl_kernel_event *e = m->kernel.plan.event + *list;
  for (uint32_t i = 0; i < e->cells; i++)
    m->frame[e->offset[i]] = (tl_cell)list[1 + i];
  return *list;
}

// The key of a state, and how many bits it takes; false: it is too long, or
// there is none (UINT64_MAX).
static bool encode (tl_machine *m, const tl_kernel_state *state, uint64_t *key,
                    uint64_t *bits) {
  const uint32_t words = m->shape.words;
  if (m->kernel.code->encode (state, m->kernel.key, bits))
    *bits = UINT64_MAX;
  if (*bits > 64 * (uint64_t)words)
    return false;
  const size_t used = (size_t)(*bits + 63) / 64;
  memcpy (key, m->kernel.key, used * sizeof *key);
  memset (key + used, 0, (words - used) * sizeof *key);
  return true;
}

bool tl_kernel_step (tl_machine *m, uint32_t event, uint64_t *key, bool *fits) {
  const tl_kernel *code = m->kernel.code;
  tl_kernel_state *now = &m->kernel.now;
  const uint32_t transition = set_frame (m, event);
  tl_program_call call = call_of (now);
  uint64_t bits;
  if (code->fire[transition](&call, m->frame))
    return false;
  *fits = encode (m, now, key, &bits);
  call.left = TL_PROGRAM_STEPS;
  if (code->unfire[transition](&call, m->frame) || bits == UINT64_MAX)
    return false;
  if (bits > m->view.longest_code)
    m->view.longest_code = bits;
  if ((uint64_t)now->most > m->view.most_alike)
    m->view.most_alike = (uint64_t)now->most;
  return true;
}

tl_status tl_kernel_undo (tl_machine *m, uint32_t event, uint64_t *key) {
  const tl_kernel *code = m->kernel.code;
  tl_kernel_state *state = &m->kernel.aside;
  uint64_t bits;
  if (code->decode (state, key, &bits))
    return TL_E_ARG;
  tl_program_call call = call_of (state);
  return !code->unfire[set_frame (m, event)](&call, m->frame) &&
                 encode (m, state, key, &bits)
             ? TL_OK
             : TL_E_INTERNAL;
}

tl_status tl_kernel_hash (tl_machine *m, const uint64_t *key, uint64_t *hash) {
  const tl_kernel *code = kernel_now (m);
  uint64_t bits;
  if (!code || code->decode (&m->kernel.aside, key, &bits))
    return TL_E_ARG;
  *hash = code->hash (&m->kernel.aside);
  return TL_OK;
}
