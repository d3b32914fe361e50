#include "verify/invariants.h"

#include "base/error.h"
#include "verify/columns.h"
#include "verify/fireable.h"

typedef struct checking {
  tl_cert_source *source;
  const tl_cert_net *net;
  tl_reasoning *reasoning;
  const bool *fireable;
  tl_cert_columns columns;
  __int128 *gain; // [transitions] all 0 between two facts
  bool *member;   // [places] all false
  uint64_t number;
} checking;

static tl_status refuse (const checking *c, const char *what, uint32_t t) {
  return tl_fail (
      c->source->error, TL_E_MODEL, "fact %llu is none: transition %s %s",
      (unsigned long long)c->number, c->net->transition[t].id, what);
}

// By what is known so far.
static bool is_dead (const checking *c, uint32_t t) {
  const tl_cert_transition *of = c->net->transition + t;
  for (uint32_t i = 0; i < of->pres; i++) {
    const int64_t below = c->reasoning->value[2 * of->pre[i].place + 1];
    if (below != TL_REASON_OPEN && -below < (int64_t)of->pre[i].weight)
      return true;
  }
  return !c->fireable[t];
}

// ---- Sums ------------------------------------------------------------------

static tl_status check_gains (const checking *c, const tl_cert_term *term,
                              uint32_t count) {
  const tl_cert_columns *l = &c->columns;
  for (uint32_t i = 0; i < count; i++)
    for (uint64_t k = l->start[term[i].place]; k < l->start[term[i].place + 1];
         k++)
      c->gain[l->transition[k]] += (__int128)term[i].factor * l->amount[k];
  tl_status rc = TL_OK;
  for (uint32_t i = 0; i < count; i++)
    for (uint64_t k = l->start[term[i].place]; k < l->start[term[i].place + 1];
         k++) {
      const uint32_t t = l->transition[k];
      if (!rc && c->gain[t] < 0 && !is_dead (c, t))
        rc = refuse (c, "makes the sum smaller", t);
      c->gain[t] = 0;
    }
  return rc;
}

static tl_status read_sum (checking *c) {
  uint32_t count;
  const tl_cert_term *term;
  __int128 start = 0;
  tl_status rc = tl_cert_read_terms (c->source, c->net, false, &count, &term);
  if (!rc)
    rc = check_gains (c, term, count);
  if (rc)
    return rc;
  for (uint32_t i = 0; i < count; i++)
    start += (__int128)term[i].factor * c->net->initial[term[i].place];
  if (start >= TL_CERT_LARGE || start <= -TL_CERT_LARGE)
    return tl_cert_malformed (c->source, "a sum is too large");
  tl_reasoning_rule (c->reasoning, -(int64_t)start, TL_REASON_NONE);
  for (uint32_t i = 0; i < count; i++)
    tl_reasoning_term (c->reasoning, term[i].place, -term[i].factor);
  return TL_OK;
}

// ---- Traps -----------------------------------------------------------------

static bool touches (const checking *c, const tl_cert_arc *arc,
                     uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (c->member[arc[i].place])
      return true;
  return false;
}

static tl_status check_trap (const checking *c) {
  for (uint32_t t = 0; t < c->net->transitions; t++) {
    const tl_cert_transition *of = c->net->transition + t;
    if (touches (c, of->pre, of->pres) && !touches (c, of->post, of->posts) &&
        !is_dead (c, t))
      return refuse (c, "takes from the trap and gives nothing to it", t);
  }
  return TL_OK;
}

static tl_status read_trap (checking *c) {
  uint32_t count, *place = 0;
  uint64_t tokens = 0;
  tl_status rc = tl_cert_count (c->source, &count);
  if (!rc && count && !TL_ARENA_NEW (c->source->arena, place, count))
    rc = tl_cert_no_memory (c->source);
  if (!rc)
    tl_reasoning_rule (c->reasoning, -1, TL_REASON_NONE);
  for (uint32_t i = 0; !rc && i < count; i++) {
    rc = tl_cert_index (c->source, c->net->places, place + i);
    if (!rc && i && place[i] <= place[i - 1])
      rc = tl_cert_malformed (c->source, "places are not in order");
    if (rc)
      break;
    c->member[place[i]] = true;
    tokens += c->net->initial[place[i]];
    tl_reasoning_term (c->reasoning, place[i], -1);
  }
  if (!rc)
    rc = check_trap (c);
  if (!rc && !tokens)
    rc = tl_fail (c->source->error, TL_E_MODEL,
                  "fact %llu is none: the trap is not marked at the start",
                  (unsigned long long)c->number);
  for (uint32_t i = 0; !rc && i < count; i++)
    c->member[place[i]] = false;
  return rc;
}

// ---- All of them -----------------------------------------------------------

static tl_status open (checking *c) {
  const tl_cert_net *net = c->net;
  tl_arena *arena = c->source->arena;
  if (!(c->fireable = tl_cert_fireable (arena, net)) ||
      !TL_ARENA_NEW (arena, c->gain, net->transitions) ||
      !TL_ARENA_NEW (arena, c->member, net->places))
    return tl_cert_no_memory (c->source);
  for (uint32_t p = 0; p < net->places; p++)
    tl_reasoning_variable (c->reasoning, false);
  return tl_cert_list_columns (c->source, net, c->fireable, &c->columns);
}

static tl_status read_fact (checking *c) {
  uint64_t trap;
  tl_status rc = tl_cert_number (c->source, 1, &trap);
  if (!rc && !c->reasoning->rc) // dead transitions are those known before it
    tl_reasoning_follow (c->reasoning);
  if (!rc && !c->reasoning->rc)
    rc = trap ? read_trap (c) : read_sum (c);
  return rc ? rc : tl_reasoning_told (c->reasoning, c->source->error);
}

tl_status tl_invariants_read (tl_cert_source *s, const tl_cert_net *net,
                              tl_reasoning *reasoning) {
  checking c = {.source = s, .net = net, .reasoning = reasoning};
  uint32_t count = 0;
  tl_status rc = open (&c);
  if (!rc)
    rc = tl_cert_count (s, &count);
  for (c.number = 0; !rc && c.number < count; c.number++)
    rc = read_fact (&c);
  if (!rc)
    rc = tl_records_done (s->records, s->error);
  if (!rc)
    tl_reasoning_follow (reasoning);
  return rc ? rc : tl_reasoning_told (reasoning, s->error);
}
