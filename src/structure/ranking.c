#include "structure/ranking.h"

#include "structure/lp.h"
#include "structure/rational.h"
#include "structure/semiflow.h"

#define MAX_ITERATIONS 20000
// What is not more than nothing.
#define SMALL 1e-7

// A row for each transition: what it adds to the sum is -1 at most, or its
// column makes up for it, at a cost.
static tl_status load (tl_ranking *r) {
  const tl_incidence *c = r->structure->incidence;
  const tl_status rc =
      tl_lp_open (&r->lp, r->mem, c->transitions, c->places + c->transitions,
                  c->entries + c->transitions);
  for (uint32_t t = 0; !rc && t < c->transitions; t++)
    tl_lp_row (r->lp, t, -TL_LP_INFINITY, -1);
  for (uint32_t p = 0; !rc && p < c->places; p++)
    tl_lp_column (r->lp, 0, TL_LP_INFINITY, 0, tl_incidence_place (c, p));
  for (uint32_t t = 0; !rc && t < c->transitions; t++)
    tl_lp_column (r->lp, 0, TL_LP_INFINITY, 1,
                  (tl_vector){&(tl_entry){t, -1}, 1});
  return rc;
}

tl_status tl_ranking_open (tl_ranking *r, tl_mem *mem,
                           const tl_structure *structure) {
  const tl_net *net = structure->net;
  *r = (tl_ranking){.mem = mem, .structure = structure};
  const tl_status rc = TL_NEW (mem, r->gone, net->transitions) &&
                               TL_NEW (mem, r->weight, net->places)
                           ? load (r)
                           : TL_E_NOMEM;
  if (rc)
    tl_ranking_close (r);
  return rc;
}

void tl_ranking_close (tl_ranking *r) {
  const tl_net *net = r->structure->net;
  tl_lp_close (r->lp);
  r->lp = 0;
  TL_DEL (r->mem, r->gone, net->transitions);
  TL_DEL (r->mem, r->weight, net->places);
}

void tl_ranking_drop (tl_ranking *r, uint32_t t) {
  r->gone[t] = 1;
  tl_lp_row (r->lp, t, -TL_LP_INFINITY, TL_LP_INFINITY);
}

static bool round_weights (tl_ranking *r) {
  const uint32_t places = r->structure->net->places;
  const double *y = tl_lp_primal (r->lp);
  int64_t common = 1;
  for (uint32_t p = 0; p < places; p++)
    if (!tl_rational_join (y[p], &common))
      return false;
  for (uint32_t p = 0; p < places; p++)
    if (!tl_rational_over (y[p], common, r->weight + p) || r->weight[p] < 0 ||
        r->weight[p] > TL_MAX_WEIGHT)
      return false;
  return true;
}

// Does each transition of the set make the sum smaller?  All of its arcs count,
// also where the matrix leaves it out.
static bool is_proof (const tl_ranking *r) {
  const tl_net *net = r->structure->net;
  for (uint32_t t = 0; t < net->transitions; t++) {
    __int128 sum = 0;
    for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);)
      sum += (__int128)r->weight[c.place] * c.amount;
    if (!r->gone[t] && sum >= 0)
      return false;
  }
  return true;
}

bool tl_ranking_ends (tl_ranking *r, double seconds) {
  const tl_lp_method method = r->solved ? TL_LP_PRIMAL : TL_LP_DUAL;
  r->solved =
      tl_lp_solve (r->lp, method, MAX_ITERATIONS, seconds) == TL_LP_OPTIMAL;
  return r->solved && tl_lp_value (r->lp) < SMALL && round_weights (r) &&
         is_proof (r);
}

bool tl_ranking_counts (const tl_ranking *r, uint32_t t) {
  const double x = r->solved ? tl_lp_dual (r->lp)[t] : 0;
  return !r->gone[t] && (x > SMALL || x < -SMALL);
}

// ---- A few transitions -----------------------------------------------------

// Does it take from a place that none of them gives to?
static bool runs_dry (const tl_net *net, const uint32_t *list, uint32_t count,
                      uint32_t t) {
  for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);) {
    bool dry = c.amount < 0;
    for (uint32_t i = 0; dry && i < count; i++)
      dry = tl_net_change_of (net, list[i], c.place) <= 0;
    if (dry)
      return true;
  }
  return false;
}

bool tl_transitions_end (const tl_net *net, uint32_t *list, uint32_t count) {
  for (uint32_t i = 0; i < count;)
    if (runs_dry (net, list, count, list[i])) {
      list[i] = list[--count];
      i = 0;
    } else
      i++;
  return !count;
}

// ---- All of them -----------------------------------------------------------

typedef struct drying {
  const tl_incidence *incidence;
  uint32_t *givers; // [places] transitions left that give to it
  uint8_t *ended;   // [transitions] cannot fire for ever
  uint32_t *dry;    // [places] to which nobody gives, a list
  uint32_t left, count;
} drying;

static void end_one (drying *d, uint32_t t) {
  const tl_vector change = tl_incidence_transition (d->incidence, t);
  if (d->ended[t])
    return;
  d->ended[t] = 1;
  d->left--;
  for (uint32_t i = 0; i < change.count; i++)
    if (change.term[i].factor > 0 && !--d->givers[change.term[i].index])
      d->dry[d->count++] = change.term[i].index;
}

static void dry_out (drying *d) {
  const tl_incidence *c = d->incidence;
  for (uint32_t p = 0; p < c->places; p++) {
    const tl_vector row = tl_incidence_place (c, p);
    for (uint32_t i = 0; i < row.count; i++)
      d->givers[p] += row.term[i].factor > 0;
    if (!d->givers[p])
      d->dry[d->count++] = p;
  }
  while (d->count) {
    const tl_vector row = tl_incidence_place (c, d->dry[--d->count]);
    for (uint32_t i = 0; i < row.count; i++)
      if (row.term[i].factor < 0)
        end_one (d, row.term[i].index);
  }
}

bool tl_net_runs_dry (const tl_structure *structure, tl_mem *mem) {
  const tl_net *net = structure->net;
  drying d = {.incidence = structure->incidence};
  // A column that is left out is of a transition that never fires; one without
  // change may go on for ever.
  for (uint32_t t = 0; t < net->transitions; t++) {
    tl_change change = tl_net_change (net, t);
    d.left += tl_incidence_transition (d.incidence, t).count > 0 ||
              !tl_net_change_next (&change);
  }
  if (TL_NEW (mem, d.givers, net->places) && TL_NEW (mem, d.dry, net->places) &&
      TL_NEW (mem, d.ended, net->transitions))
    dry_out (&d);
  TL_DEL (mem, d.givers, net->places);
  TL_DEL (mem, d.dry, net->places);
  TL_DEL (mem, d.ended, net->transitions);
  return !d.left;
}
