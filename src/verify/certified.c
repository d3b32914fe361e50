#include "verify/certified.h"

#include "base/error.h"

#include <string.h>

tl_status tl_cert_number (tl_cert_source *s, uint64_t most, uint64_t *number) {
  return tl_records_read_number (s->records, most, number, s->error);
}

tl_status tl_cert_count (tl_cert_source *s, uint32_t *count) {
  const uint64_t most = s->bytes < UINT32_MAX ? s->bytes : UINT32_MAX - 1;
  uint64_t number = 0;
  const tl_status rc = tl_cert_number (s, most, &number);
  *count = (uint32_t)number;
  return rc;
}

tl_status tl_cert_index (tl_cert_source *s, uint32_t below, uint32_t *index) {
  uint64_t number = 0;
  if (!below)
    return tl_cert_malformed (s, "it speaks of what is not there");
  const tl_status rc = tl_cert_number (s, below - 1, &number);
  *index = (uint32_t)number;
  return rc;
}

tl_status tl_cert_malformed (const tl_cert_source *s, const char *what) {
  return tl_fail_at (s->error, TL_E_SYNTAX, s->records->path, 0, 0,
                     "the section '%s' is not well formed: %s",
                     s->records->type, what);
}

tl_status tl_cert_no_memory (const tl_cert_source *s) {
  return tl_fail (s->error, TL_E_NOMEM,
                  "the memory budget is too small for this certificate");
}

// ---- The net ---------------------------------------------------------------

tl_status tl_cert_read_text (tl_cert_source *s, const char **out) {
  uint32_t length;
  char *text = 0;
  tl_status rc = tl_cert_count (s, &length);
  if (!rc && !TL_ARENA_NEW (s->arena, text, (size_t)length + 1))
    rc = tl_cert_no_memory (s);
  if (!rc)
    rc = tl_records_read (s->records, text, length, s->error);
  if (!rc && memchr (text, 0, length))
    rc = tl_cert_malformed (s, "a name has a zero in it");
  *out = text;
  return rc;
}

static tl_status read_arcs (tl_cert_source *s, uint32_t places, uint32_t *count,
                            const tl_cert_arc **out) {
  tl_cert_arc *arc = 0;
  tl_status rc = tl_cert_count (s, count);
  if (!rc && *count && !TL_ARENA_NEW (s->arena, arc, *count))
    rc = tl_cert_no_memory (s);
  for (uint32_t i = 0; !rc && i < *count; i++) {
    uint64_t weight = 0;
    rc = tl_cert_index (s, places, &arc[i].place);
    if (!rc)
      rc = tl_cert_number (s, TL_MAX_TOKENS, &weight);
    if (!rc && (!weight || (i && arc[i].place <= arc[i - 1].place)))
      rc = tl_cert_malformed (s, "arcs are not in order");
    arc[i].weight = (uint32_t)weight;
  }
  *out = arc;
  return rc;
}

// What firing it changes: post less pre.
static tl_status set_changes (tl_cert_source *s, tl_cert_transition *t) {
  tl_cert_change *change = 0;
  const size_t most = (size_t)t->pres + t->posts;
  if (most && !TL_ARENA_NEW (s->arena, change, most))
    return tl_cert_no_memory (s);
  for (uint32_t i = 0, k = 0; i < t->pres || k < t->posts;) {
    const uint32_t before = i < t->pres ? t->pre[i].place : UINT32_MAX,
                   after = k < t->posts ? t->post[k].place : UINT32_MAX,
                   place = before < after ? before : after;
    int64_t amount = 0;
    if (before == place)
      amount -= t->pre[i++].weight;
    if (after == place)
      amount += t->post[k++].weight;
    if (amount)
      change[t->changes++] = (tl_cert_change){place, amount};
  }
  t->change = change;
  return TL_OK;
}

static tl_status read_transition (tl_cert_source *s, uint32_t places,
                                  tl_cert_transition *t) {
  tl_status rc = tl_cert_read_text (s, &t->id);
  if (!rc)
    rc = read_arcs (s, places, &t->pres, &t->pre);
  if (!rc)
    rc = read_arcs (s, places, &t->posts, &t->post);
  if (!rc)
    rc = read_arcs (s, places, &t->inhibitors, &t->inhibitor);
  return rc ? rc : set_changes (s, t);
}

static tl_status read_places (tl_cert_source *s, tl_cert_net *net) {
  tl_status rc = tl_cert_count (s, &net->places);
  if (rc)
    return rc;
  if (!TL_ARENA_NEW (s->arena, net->place_id, net->places) ||
      !TL_ARENA_NEW (s->arena, net->initial, net->places))
    return tl_cert_no_memory (s);
  for (uint32_t p = 0; !rc && p < net->places; p++) {
    uint64_t tokens = 0;
    rc = tl_cert_read_text (s, net->place_id + p);
    if (!rc)
      rc = tl_cert_number (s, TL_MAX_TOKENS, &tokens);
    net->initial[p] = (uint32_t)tokens;
  }
  return rc;
}

static tl_status read_transitions (tl_cert_source *s, tl_cert_net *net) {
  tl_status rc = tl_cert_count (s, &net->transitions);
  if (rc)
    return rc;
  if (!TL_ARENA_NEW (s->arena, net->transition, net->transitions))
    return tl_cert_no_memory (s);
  for (uint32_t t = 0; !rc && t < net->transitions; t++)
    rc = read_transition (s, net->places, net->transition + t);
  return rc;
}

tl_status tl_cert_read_net (tl_cert_source *s, tl_cert_net *net) {
  tl_status rc = tl_records_expect (s->records, "net ", s->error);
  if (!rc)
    rc = tl_cert_read_text (s, &net->name);
  if (!rc)
    rc = read_places (s, net);
  if (!rc)
    rc = read_transitions (s, net);
  return rc ? rc : tl_records_done (s->records, s->error);
}

tl_status tl_cert_read_figures (tl_cert_source *s, tl_cert_figures *f) {
  uint64_t *const figure[] = {&f->states,
                              &f->arcs,
                              &f->deadlocks,
                              &f->dead_transitions,
                              &f->max_tokens_in_place,
                              &f->max_tokens_per_marking,
                              &f->depth};
  tl_status rc = tl_records_expect (s->records, "figs", s->error);
  for (size_t i = 0; !rc && i < sizeof figure / sizeof *figure; i++)
    rc = tl_cert_number (s, UINT64_MAX, figure[i]);
  return rc ? rc : tl_records_done (s->records, s->error);
}
