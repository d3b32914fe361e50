#include "verify/closure.h"

#include "base/budget.h"
#include "base/error.h"

#include <string.h>

// Cursors take so many bytes at most, or a part of the budget.
#define CURSOR_BYTES ((size_t)256 << 20)
enum { CURSOR_PART = 4, OFTEN = 1 << 12 };

typedef struct closure {
  tl_mem *mem;
  tl_key_code *code;
  tl_key_stream *stream;
  const tl_closure_watch *watch;
  tl_cert_figures *seen;
  tl_error *error;
  tl_key_cursor states;  // the one that goes over all of them
  tl_key_cursor *cursor; // [group] one for each transition of this round
  uint32_t group;
  uint32_t first, end;        // transitions of this round
  uint64_t *place_max;        // [places]
  uint8_t *fired;             // [transitions]
  uint64_t *found;            // a bit for each state: it has a predecessor
  uint64_t *initial, *target; // keys
  bool has_initial;
} closure;

static size_t bitmap_words (const closure *c) {
  return (size_t)(c->stream->states / 64 + 1);
}

// ---- A state ---------------------------------------------------------------

static void count_tokens (closure *c) {
  const uint64_t *tokens = c->code->tokens;
  uint64_t sum = 0;
  for (uint32_t p = 0; p < c->code->net->places; p++) {
    sum += tokens[p];
    c->place_max[p] = tokens[p] > c->place_max[p] ? tokens[p] : c->place_max[p];
  }
  if (sum > c->seen->max_tokens_per_marking)
    c->seen->max_tokens_per_marking = sum;
}

static bool is_dead (const closure *c) {
  const tl_cert_net *net = c->code->net;
  for (uint32_t t = 0; t < net->transitions; t++)
    if (tl_key_enabled (c->code, net->transition + t))
      return false;
  return true;
}

static tl_status take_initial (closure *c, uint32_t depth) {
  const bool is =
      !memcmp (c->states.key, c->initial, c->code->words * sizeof *c->initial);
  c->has_initial |= is;
  return !is || !depth ? TL_OK
                       : tl_fail (c->error, TL_E_MODEL,
                                  "the initial state has the depth %lu, not 0",
                                  (unsigned long)depth);
}

// What is looked at once.
static tl_status count_state (closure *c, uint32_t depth, bool any_enabled) {
  tl_cert_figures *f = c->seen;
  f->states++;
  f->depth = depth > f->depth ? depth : f->depth;
  f->deadlocks += !any_enabled && is_dead (c);
  count_tokens (c);
  if (c->watch)
    c->watch->see (c->watch->context, c->code->tokens);
  return take_initial (c, depth);
}

// ---- Its successors --------------------------------------------------------

static tl_status refuse (const closure *c, uint32_t t, const char *what) {
  return tl_fail (c->error, TL_E_MODEL,
                  "from state %llu transition %s leads to %s",
                  (unsigned long long)c->states.number,
                  c->code->net->transition[t].id, what);
}

static tl_status follow (closure *c, uint32_t t, uint32_t depth) {
  const tl_key_step *step = c->code->step + t;
  tl_key_cursor *to = c->cursor + (t - c->first);
  if (!tl_key_fits (c->code, step))
    return refuse (c, t, "a marking that the code of keys has no room for");
  for (uint32_t w = 0; w < c->code->words; w++)
    c->target[w] = c->states.key[w] + step->add[w];
  bool there;
  uint32_t deep;
  tl_status rc = tl_key_find (to, c->target, &there, c->error);
  if (rc)
    return rc;
  if (!there)
    return refuse (c, t, "a state that is missing");
  rc = tl_key_depth (to, &deep, c->error);
  if (rc)
    return rc;
  if (deep > (uint64_t)depth + 1)
    return refuse (c, t, "a state that is said to be deeper");
  if (deep > depth)
    c->found[to->number / 64] |= (uint64_t)1 << to->number % 64;
  return TL_OK;
}

static tl_status check_state (closure *c) {
  const tl_cert_net *net = c->code->net;
  uint32_t depth;
  tl_status rc = tl_key_decode (c->code, c->states.key, c->error);
  if (!rc)
    rc = tl_key_depth (&c->states, &depth, c->error);
  if (rc)
    return rc;
  uint64_t enabled = 0;
  for (uint32_t t = c->first; !rc && t < c->end; t++)
    if (tl_key_enabled (c->code, net->transition + t)) {
      enabled++;
      c->fired[t] = 1;
      rc = follow (c, t, depth);
    }
  c->seen->arcs += enabled;
  return rc || c->first ? rc : count_state (c, depth, enabled);
}

// ---- All of them -----------------------------------------------------------

// A round for some of the transitions.
static tl_status check_round (closure *c) {
  tl_status rc = tl_key_cursor_open (&c->states, c->stream);
  for (uint32_t i = 0; !rc && i < c->end - c->first; i++)
    rc = tl_key_cursor_open (c->cursor + i, c->stream);
  if (rc)
    tl_fail (c->error, rc, "no memory for cursors");
  bool there = true;
  while (!rc && there) {
    rc = tl_key_next (&c->states, &there, c->error);
    if (!rc && there)
      rc = check_state (c);
    if (!rc && !(c->states.number % OFTEN) && (rc = tl_budget_look (c->mem)))
      tl_fail (c->error, rc, "%s",
               rc == TL_E_CANCEL ? "interrupted"
                                 : "the time limit was reached");
  }
  tl_key_cursor_close (&c->states);
  for (uint32_t i = 0; i < c->group; i++)
    tl_key_cursor_close (c->cursor + i);
  return rc;
}

// Has every state but the initial one a predecessor?  The initial one may have
// none; none of depth 0 has.
static tl_status check_found (const closure *c) {
  uint64_t missing = 0, first = 0;
  for (uint64_t n = c->stream->states; n-- > 0;)
    if (!(c->found[n / 64] >> n % 64 & 1)) {
      missing++;
      first = n;
    }
  if (!c->has_initial)
    return tl_fail (c->error, TL_E_MODEL, "the initial state is missing");
  return missing == 1
             ? TL_OK
             : tl_fail (c->error, TL_E_MODEL,
                        "%llu states are not reached as they should be: no "
                        "state one less deep leads there; number %llu is the "
                        "first",
                        (unsigned long long)missing - 1,
                        (unsigned long long)first);
}

static void sum_up (const closure *c) {
  const tl_cert_net *net = c->code->net;
  tl_cert_figures *f = c->seen;
  for (uint32_t p = 0; p < net->places; p++)
    if (c->place_max[p] > f->max_tokens_in_place)
      f->max_tokens_in_place = c->place_max[p];
  for (uint32_t t = 0; t < net->transitions; t++)
    f->dead_transitions += !c->fired[t];
}

static tl_status check_all (closure *c) {
  const uint32_t transitions = c->code->net->transitions;
  tl_status rc = tl_key_initial (c->code, c->initial, c->error);
  do {
    c->end =
        transitions - c->first < c->group ? transitions : c->first + c->group;
    if (!rc)
      rc = check_round (c);
    c->first = c->end;
  } while (!rc && c->first < transitions);
  if (!rc)
    rc = check_found (c);
  if (!rc)
    sum_up (c);
  return rc;
}

// How many cursors fit, at least one.
static uint32_t choose_group (const closure *c) {
  const size_t limit = tl_mem_root (c->mem)->limit / CURSOR_PART,
               bytes = limit && limit < CURSOR_BYTES ? limit : CURSOR_BYTES,
               fit = bytes / tl_key_cursor_bytes (c->stream);
  const uint32_t transitions = c->code->net->transitions;
  return !fit ? 1 : fit < transitions ? (uint32_t)fit : transitions;
}

tl_status tl_closure_check (tl_mem *mem, tl_key_code *code,
                            tl_key_stream *stream,
                            const tl_closure_watch *watch,
                            tl_cert_figures *seen, tl_error *err) {
  const tl_cert_net *net = code->net;
  closure c = {.mem = mem,
               .code = code,
               .stream = stream,
               .watch = watch,
               .seen = seen,
               .error = err};
  c.group = choose_group (&c);
  tl_status rc = TL_OK;
  if (!TL_NEW (mem, c.cursor, c.group) ||
      !TL_NEW (mem, c.place_max, net->places) ||
      !TL_NEW (mem, c.fired, net->transitions) ||
      !TL_NEW (mem, c.found, bitmap_words (&c)) ||
      !TL_NEW (mem, c.initial, code->words) ||
      !TL_NEW (mem, c.target, code->words))
    rc = tl_fail (err, TL_E_NOMEM,
                  "the memory budget is too small for this certificate");
  if (!rc)
    rc = check_all (&c);
  TL_DEL (mem, c.cursor, c.group);
  TL_DEL (mem, c.place_max, net->places);
  TL_DEL (mem, c.fired, net->transitions);
  TL_DEL (mem, c.found, bitmap_words (&c));
  TL_DEL (mem, c.initial, code->words);
  TL_DEL (mem, c.target, code->words);
  return rc;
}
