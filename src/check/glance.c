// Several threads look for goals: does a state show anything new?  Nothing is
// changed here.  A state that does is visited while the other threads wait, and
// these are few: each shows a goal, a larger bound, or a transition or a place
// that was not seen to change before.

#include "check/goals.h"
#include "check/home.h"
#include "net/origin.h"

size_t tl_goals_room (const tl_goals *g) {
  return g->net->places + g->net->transitions / 64 + 1;
}

static void set_enabled (const tl_visit *v, uint64_t *enabled, bool on) {
  for (uint32_t i = 0; i < v->enabled_count; i++) {
    const uint64_t bit = (uint64_t)1 << v->enabled[i] % 64;
    if (on)
      enabled[v->enabled[i] / 64] |= bit;
    else
      enabled[v->enabled[i] / 64] = 0;
  }
}

static bool shows_goal (const tl_goals *g, const uint64_t *marking,
                        const uint64_t *enabled) {
  for (size_t i = 0; i < g->goals; i++) {
    const tl_goal *goal = g->goal + i;
    if (!goal->home && !goal->moot && goal->verdict == TL_VERDICT_UNKNOWN &&
        tl_predicate_run (&goal->program, marking, enabled))
      return true;
  }
  return false;
}

static bool shows_bound (const tl_goals *g, const uint64_t *marking) {
  for (size_t i = 0; i < g->count; i++) {
    const tl_asked *a = g->asked + i;
    const tl_question *q = a->question;
    if (q->kind != TL_ASK_BOUND || tl_goals_is_decided (a))
      continue;
    __int128 sum = 0;
    for (uint32_t k = 0; k < q->term_count; k++)
      sum += (__int128)q->term[k].coefficient * marking[q->term[k].place];
    if (sum > a->answer->value)
      return true;
  }
  return false;
}

// More than one token in a place, or a place that changes for the first time.
static bool shows_place (const tl_goals *g, const tl_visit *v) {
  const tl_net *net = g->net;
  for (uint32_t p = 0; p < tl_shown_places (net); p++) {
    const tl_node_range places = tl_shown_place (net, p);
    uint64_t here = 0, initial = 0;
    for (uint32_t i = 0; i < places.count; i++) {
      here += tl_layout_tokens (v->layout, v->state, places.first + i);
      initial += net->initial[places.first + i];
    }
    if ((g->asks_safe && g->unsafe && here > 1) ||
        (g->asks_stable && !g->changed[p] && here != initial))
      return true;
  }
  return false;
}

static bool shows_transition (const tl_goals *g, const tl_visit *v) {
  for (uint32_t i = 0; i < v->enabled_count; i++)
    if (!g->fired[v->enabled[i]])
      return true;
  return false;
}

// Of an unbounded net only so many states are visited; the last of them with
// care.
static bool is_patient (tl_goals *g) {
  enum { LAST = 1 << 14 };
  uint64_t *patience = &g->patience;
  const uint64_t left = __atomic_load_n (patience, __ATOMIC_RELAXED);
  if (g->open != g->undecided || left < LAST)
    return false;
  if (left != UINT64_MAX)
    __atomic_fetch_sub (patience, 1, __ATOMIC_RELAXED);
  return true;
}

bool tl_goals_skips (void *goals, const tl_visit *v, uint64_t *room) {
  tl_goals *g = goals;
  uint64_t *marking = room, *enabled = room + g->net->places;
  for (size_t i = 0; i < g->places; i++)
    marking[g->place[i]] = tl_layout_tokens (v->layout, v->state, g->place[i]);
  if (g->reads_enabled)
    set_enabled (v, enabled, true);
  bool shows = shows_goal (g, marking, enabled);
  if (g->reads_enabled)
    set_enabled (v, enabled, false);
  shows = shows || (g->asks_bounds && shows_bound (g, marking)) ||
          ((g->asks_safe || g->asks_stable) && shows_place (g, v)) ||
          (g->asks_fired && shows_transition (g, v)) ||
          (!v->enabled_count && tl_home_is_open (g));
  return !shows && g->undecided && (!g->unbounded || is_patient (g));
}
