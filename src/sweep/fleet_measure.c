// How several ranks come to make one sweep: the first one chooses the measure
// and tells it to the others; and how their figures become one.

#include "explore/parallel.h"
#include "explore/together.h"
#include "sweep/fleet.h"

// ---- The measure -----------------------------------------------------------

static const char *refusal (const tl_search *s, const tl_measure *m) {
  const char *why = tl_parallel_refusal (s);
  return why ? why : !m->weight ? "a measure that is not linear has one" : 0;
}

// Of those that the tool would try the first one is left.
static void keep_first (const tl_search *s, tl_measures *list) {
  tl_measures_move_up (list, tl_sweep_first_trial (s, list), 0);
  while (list->count > 1)
    tl_measures_drop_last (list);
}

// Tells the measure; the others make a list of it.
static tl_status tell_measure (tl_search *s, tl_measures *list) {
  tl_cluster *all = s->cluster;
  uint64_t said[2] = {0};
  tl_measure m = {.name = "none"};
  if (!all->rank)
    m = *list->measure;
  said[0] = m.parts;
  said[1] = m.window;
  all->tell (all, 0, said, sizeof said);
  const size_t weights = (size_t)said[0] * s->net->places;
  if (!all->rank) {
    all->tell (all, 0, m.weight, weights * sizeof *m.weight);
    return TL_OK;
  }
  m.parts = (uint32_t)said[0];
  m.window = said[1];
  if (!TL_NEW (&s->engine, m.weight, weights))
    all->abandon (all, 3, "no memory for what rank 0 tells");
  all->tell (all, 0, m.weight, weights * sizeof *m.weight);
  const tl_status rc = tl_measures_open_again (list, &s->engine, s->net, &m);
  TL_DEL (&s->engine, m.weight, weights);
  if (!rc)
    tl_measures_drop_last (list);
  return rc;
}

// The others have been told to leave.
static void go_alone (tl_search *s, const char *why) {
  s->result->ranks_why = why;
  s->cluster = 0;
  s->spec.part = s->spec.parts = 0;
}

// Breadth-first search has its own way to begin together: each rank begins for
// itself, and the others look at nothing.
static void part_again (tl_search *s) {
  s->met = false;
  if (s->cluster->rank)
    s->visitor = 0;
}

// All that the first rank has to say of how it goes on.
static tl_status tell_way (tl_search *s, tl_measures *list) {
  tl_cluster *all = s->cluster;
  if (!all->rank)
    keep_first (s, list);
  const tl_status told = tell_measure (s, list),
                  rc = tl_together_agree (s, told);
  if (rc && !told)
    tl_measures_close (list);
  if (!rc && list->measure->window == TL_WINDOW_ALL)
    part_again (s);
  return rc;
}

tl_status tl_fleet_measures (tl_search *s, tl_measures *list,
                             const tl_measure_request *request) {
  const unsigned rank = s->cluster->rank;
  const char *why = 0;
  tl_status rc = rank ? TL_OK
                      : tl_measures_open (list, &s->engine, s->structure,
                                          request, s->error);
  if (!rank && !rc)
    why = refusal (s, list->measure + tl_sweep_first_trial (s, list));
  // Also with a first rank that has ended before it came here.
  const tl_status met = tl_together_meet (s, !rc && !why, rc);
  if (rc || why) {
    go_alone (s, why);
    return rc;
  }
  if (met && !rank)
    tl_measures_close (list);
  return met ? met : tell_way (s, list);
}

// ---- What all have in common -----------------------------------------------

void tl_fleet_agree_archive (tl_sweeping *w) {
  tl_cluster *all = w->search->cluster;
  uint64_t lacks = w->layers.lost;
  all->raise (all, &lacks, 1);
  if (lacks)
    tl_layers_lose_archive (&w->layers);
}

tl_status tl_fleet_again (tl_search *s, tl_status rc) {
  rc = tl_together_agree (s, rc);
  return rc ? rc : tl_together_brief (s);
}

void tl_fleet_add_up (tl_search *s) {
  tl_cluster *all = s->cluster;
  tl_exploration *r = s->result;
  tl_sweep *sweep = &r->sweep;
  uint64_t sums[] = {sweep->explored, sweep->peak_states, sweep->persistent},
           most[] = {sweep->layers, !sweep->monotone, !r->counted};
  all->add_up (all, sums, sizeof sums / sizeof *sums);
  all->raise (all, most, sizeof most / sizeof *most);
  sweep->explored = sums[0];
  sweep->peak_states = sums[1];
  sweep->persistent = sums[2];
  sweep->layers = most[0];
  sweep->monotone = !most[1];
  r->counted = !most[2];
  s->visits = s->census.states;
  tl_together_add_up (s);
}
