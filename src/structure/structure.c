#include "structure/structure.h"
#include "base/budget.h"
#include "base/error.h"
#include "net/origin.h"
#include "structure/exclude.h"
#include "structure/grow.h"
#include "structure/invariant.h"

static tl_status say (tl_status rc, tl_error *err) {
  return rc == TL_E_NOMEM
             ? tl_fail (err, rc,
                        "no memory to analyse the structure of the net")
         : rc ? tl_fail (err, rc, "%s", tl_status_text (rc))
              : TL_OK;
}

tl_status tl_structure_open (tl_structure **out, tl_mem *mem, const tl_net *net,
                             double seconds, tl_error *err) {
  *out = 0;
  tl_structure *s;
  if (!TL_NEW (mem, s, 1))
    return say (TL_E_NOMEM, err);
  *s = (tl_structure){.mem = mem, .net = net};
  tl_status rc =
      tl_incidence_open (&s->incidence, mem, net, TL_COLUMNS_FIREABLE);
  if (!rc)
    rc = tl_semiflows_open (&s->semiflows, mem, s->incidence, net->initial);
  if (!rc)
    rc = tl_bounds_open (&s->bounds, mem, net, &s->semiflows, seconds);
  if (rc) {
    tl_structure_close (s);
    return say (rc, err);
  }
  s->bound = s->bounds.bound;
  s->source = s->bounds.source;
  *out = s;
  return TL_OK;
}

void tl_structure_close (tl_structure *s) {
  if (!s)
    return;
  tl_bounds_close (&s->bounds);
  tl_semiflows_close (&s->semiflows);
  tl_incidence_close (s->incidence);
  TL_DEL (s->mem, s, 1);
}

void tl_structure_adopt (tl_structure *s, const tl_structure *from,
                         const uint32_t *place) {
  for (uint32_t p = 0; p < s->net->places; p++)
    if (from->bound[place[p]] < s->bound[p]) {
      s->bounds.bound[p] = from->bound[place[p]];
      s->bounds.source[p] = from->source[place[p]];
    }
}

bool tl_structure_may_exceed (const tl_structure *s, uint32_t place) {
  const uint32_t *capacity = s->net->origin ? s->net->origin->capacity : 0;
  return capacity && s->bound[place] > capacity[place];
}

bool tl_structure_keeps_capacities (const tl_structure *s) {
  for (uint32_t p = 0; p < s->net->places; p++)
    if (tl_structure_may_exceed (s, p))
      return false;
  return true;
}

tl_status tl_structure_eliminate (const tl_structure *s, const uint32_t *cost,
                                  tl_elimination **out, tl_error *err) {
  return say (tl_elimination_open (out, s->mem, s->incidence, s->net->initial,
                                   cost, TL_ELIMINATION_WORK),
              err);
}

tl_status tl_structure_extend_semiflows (tl_structure *s, tl_error *err) {
  bool complete;
  if (s->semiflows_extended)
    return TL_OK;
  const tl_status rc =
      tl_semiflows_find (&s->semiflows, TL_SEMIFLOW_WORK / 20, &complete);
  s->semiflows_extended = !rc;
  return say (rc, err);
}

tl_status tl_structure_groups (tl_structure *s, tl_groups *groups,
                               tl_error *err) {
  *groups = (tl_groups){0};
  const tl_status rc = tl_structure_extend_semiflows (s, err);
  return rc ? rc
            : say (tl_groups_open (groups, s->mem, s->net, &s->semiflows), err);
}

static bool equal (tl_vector a, tl_vector b) {
  uint32_t i = 0;
  while (a.count == b.count && i < a.count &&
         a.term[i].index == b.term[i].index &&
         a.term[i].factor == b.term[i].factor)
    i++;
  return a.count == b.count && i == a.count;
}

static bool is_new (const tl_semiflows *semiflows, tl_vector y) {
  size_t i = 0;
  while (i < semiflows->count && !equal (tl_semiflows_terms (semiflows, i), y))
    i++;
  return i == semiflows->count;
}

// Semiflows found so far bound every place, but often a place has a shorter one
// of its own that says more.
static tl_status grow_from_all (tl_structure *s) {
  tl_grower g;
  tl_semiflow_kind kind;
  tl_status rc = tl_grower_open (&g, s->mem, s->incidence, s->net->initial);
  for (uint32_t p = 0;
       !rc && p < s->net->places && g.work < TL_EXCLUSION_WORK / 10 &&
       !tl_budget_look (s->mem);
       p++)
    if (tl_grow (&g, p, 1000) &&
        is_new (&s->semiflows, (tl_vector){g.member, g.members}))
      rc = tl_semiflows_add (&s->semiflows, g.member, g.members, &kind);
  tl_grower_close (&g);
  return rc;
}

tl_status tl_structure_exclusive_groups (tl_structure *s, tl_groups *groups,
                                         tl_error *err) {
  tl_exclusion e = {0};
  *groups = (tl_groups){0};
  tl_status rc = tl_structure_extend_semiflows (s, err);
  if (rc || s->net->places > TL_EXCLUSION_PLACES)
    return rc;
  rc = grow_from_all (s);
  if (!rc)
    rc = tl_exclusion_open (&e, s->mem, &s->semiflows, s->net->places,
                            TL_EXCLUSION_WORK);
  if (!rc)
    rc = tl_exclusion_groups (&e, s->bound, groups);
  tl_exclusion_close (&e);
  return say (rc, err);
}

static tl_status find_semiflows (const tl_structure *s, tl_semiflow_report *r) {
  const tl_net *net = s->net;
  tl_status rc = tl_incidence_open (&r->incidence, r->mem, net, TL_COLUMNS_ALL);
  if (rc)
    return rc;
  r->transposed = tl_incidence_transposed (r->incidence);
  if (!TL_NEW (r->mem, r->no_tokens, net->transitions))
    return TL_E_NOMEM;
  if ((rc =
           tl_semiflows_open (&r->place, r->mem, r->incidence, net->initial)) ||
      (rc = tl_semiflows_open (&r->transition, r->mem, &r->transposed,
                               r->no_tokens)) ||
      (rc = tl_semiflows_find (&r->place, TL_SEMIFLOW_WORK,
                               &r->place_complete)) ||
      (rc = tl_semiflows_find (&r->transition, TL_SEMIFLOW_WORK,
                               &r->transition_complete)))
    return rc;
  return TL_OK;
}

tl_status tl_structure_semiflows (const tl_structure *s, tl_semiflow_report *r,
                                  tl_error *err) {
  *r = (tl_semiflow_report){.mem = s->mem};
  const tl_status rc = find_semiflows (s, r);
  if (rc)
    tl_semiflow_report_close (r);
  return say (rc, err);
}

void tl_semiflow_report_close (tl_semiflow_report *r) {
  if (!r->mem)
    return;
  tl_semiflows_close (&r->place);
  tl_semiflows_close (&r->transition);
  if (r->incidence)
    TL_DEL (r->mem, r->no_tokens, r->incidence->transitions);
  tl_incidence_close (r->incidence);
  *r = (tl_semiflow_report){0};
}
