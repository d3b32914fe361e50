#include "check/leader.h"

#include "base/budget.h"

#include <string.h>

enum {
  TRIES = 8,    // choices that the equation may exclude, one after the other
  DETOURS = 24, // to where something is enabled, one after the other
  OPENERS = 8   // that are added to a plan
};

// Of a place: a transition of the plan gives to it; one that cannot fire waits
// for it.
enum { GIVEN = 1, AWAITED = 2 };

// Seconds for one way.
#define COURSE_SECONDS 0.5

tl_status tl_leader_open (tl_leader *l, tl_mem *mem, const tl_net *net,
                          uint64_t seed) {
  *l = (tl_leader){.mem = mem, .net = net, .random = {seed}};
  const tl_status rc = TL_NEW (mem, l->marking, net->places) &&
                               TL_NEW (mem, l->given, net->places) &&
                               TL_NEW (mem, l->opened, net->transitions) &&
                               TL_NEW (mem, l->before, net->transitions)
                           ? tl_course_open (&l->course, mem, net)
                           : TL_E_NOMEM;
  if (rc)
    tl_leader_close (l);
  return rc;
}

void tl_leader_close (tl_leader *l) {
  if (!l->mem)
    return;
  tl_course_close (l->course);
  TL_DEL (l->mem, l->marking, l->net->places);
  TL_DEL (l->mem, l->given, l->net->places);
  TL_DEL (l->mem, l->opened, l->net->transitions);
  TL_DEL (l->mem, l->before, l->net->transitions);
  TL_DEL (l->mem, l->term, l->term_room);
  *l = (tl_leader){0};
}

// ---- Conditions ------------------------------------------------------------

static uint64_t far (const tl_leader *l, const tl_formula *f) {
  const tl_distance d = {.net = l->net, .formula = f};
  return tl_distance_of (&d, l->marking, l->enabled, l->count);
}

static bool want_sum (tl_leader *l, const tl_formula *f) {
  const tl_summand *s = f->term;
  if (f->count == 1 && s->coefficient == 1 && f->bound >= 0) {
    tl_course_most (l->course, s->place, (uint64_t)f->bound);
    return true;
  }
  if (f->count == 1 && s->coefficient == -1 && f->bound <= 0) {
    tl_course_least (l->course, s->place, 0 - (uint64_t)f->bound);
    return true;
  }
  if (!TL_ROOM (l->mem, l->term, &l->term_room, f->count))
    return false;
  for (uint32_t i = 0; i < f->count; i++)
    l->term[i] = (tl_entry){s[i].place, s[i].coefficient};
  return !tl_course_sum (l->course, f, (tl_vector){l->term, f->count},
                         f->bound);
}

static void want_enabled (tl_leader *l, uint32_t t) {
  const tl_arcs pre = tl_net_pre (l->net, t),
                inhibitors = tl_net_inhibitors (l->net, t);
  for (uint32_t i = 0; i < pre.count; i++)
    tl_course_least (l->course, pre.arc[i].place, pre.arc[i].weight);
  for (uint32_t i = 0; i < inhibitors.count; i++)
    tl_course_most (l->course, inhibitors.arc[i].place,
                    inhibitors.arc[i].weight - 1);
}

// By the place that has to lose least, or by chance.
static bool want_disabled (tl_leader *l, uint32_t t) {
  const tl_arcs pre = tl_net_pre (l->net, t);
  if (!pre.count)
    return false;
  uint32_t best = (uint32_t)tl_random_below (&l->random, pre.count);
  for (uint32_t i = 0; !l->whim && i < pre.count; i++)
    if ((int64_t)l->marking[pre.arc[i].place] - pre.arc[i].weight <
        (int64_t)l->marking[pre.arc[best].place] - pre.arc[best].weight)
      best = i;
  tl_course_most (l->course, pre.arc[best].place, pre.arc[best].weight - 1);
  return true;
}

static bool want_dead (tl_leader *l) {
  bool may_be = true;
  for (uint32_t t = 0; may_be && t < l->net->transitions; t++)
    may_be = want_disabled (l, t);
  return may_be;
}

static uint32_t choose_transition (tl_leader *l, const tl_formula *f) {
  return f->transition[tl_random_below (&l->random, f->count)];
}

// The nearest operand, or any.
static const tl_formula *choose (tl_leader *l, const tl_formula *f) {
  const tl_formula *best = f->operand[tl_random_below (&l->random, f->count)];
  for (uint32_t i = 0; !l->whim && i < f->count; i++)
    if (far (l, f->operand[i]) < far (l, best))
      best = f->operand[i];
  return best;
}

static bool want_not (tl_leader *l, const tl_formula *f) {
  bool may_be = f->op == TL_FIREABLE || f->op == TL_DEADLOCK;
  for (uint32_t i = 0; f->op == TL_FIREABLE && may_be && i < f->count; i++)
    may_be = want_disabled (l, f->transition[i]);
  if (f->op == TL_DEADLOCK && l->net->transitions)
    want_enabled (l,
                  (uint32_t)tl_random_below (&l->random, l->net->transitions));
  return may_be;
}

// False: so it cannot be.
static bool want (tl_leader *l, const tl_formula *f) {
  bool may_be = true;
  switch (f->op) {
  case TL_TRUE: return true;
  case TL_COMPARE: return want_sum (l, f);
  case TL_FIREABLE: want_enabled (l, choose_transition (l, f)); return true;
  case TL_DEADLOCK: return want_dead (l);
  case TL_NOT: return want_not (l, f->operand[0]);
  case TL_AND:
    for (uint32_t i = 0; may_be && i < f->count; i++)
      may_be = want (l, f->operand[i]);
    return may_be;
  case TL_OR: return want (l, choose (l, f));
  default: return false;
  }
}

// ---- Ways ------------------------------------------------------------------

static bool solve (tl_leader *l, uint64_t *times) {
  return tl_course_find (l->course, tl_random_next (&l->random), COURSE_SECONDS,
                         times);
}

static bool has_given (const tl_leader *l, tl_arc a) {
  return l->given[a.place] == GIVEN || l->marking[a.place] >= a.weight;
}

// Can it ever fire, as far as places tell that had enough or were given to?
static bool opens (const tl_leader *l, uint32_t t) {
  const tl_arcs pre = tl_net_pre (l->net, t);
  uint32_t i = 0;
  while (i < pre.count && has_given (l, pre.arc[i]))
    i++;
  return i == pre.count;
}

static void give (tl_leader *l, uint32_t t) {
  const tl_arcs post = tl_net_post (l->net, t);
  l->opened[t] = 1;
  for (uint32_t i = 0; i < post.count; i++)
    l->given[post.arc[i].place] = GIVEN;
}

// Which of those that are planned can fire one after the other, if numbers of
// tokens do not count.  False: not all.
static bool open_all (tl_leader *l, const uint64_t *times) {
  const uint32_t n = l->net->transitions;
  bool more = true, all = true;
  memset (l->given, 0, l->net->places);
  memset (l->opened, 0, n);
  while (more) {
    more = false;
    all = true;
    for (uint32_t t = 0; t < n; t++) {
      if (!times[t] || l->opened[t])
        continue;
      if (opens (l, t)) {
        give (l, t);
        more = true;
      } else
        all = false;
    }
  }
  return all;
}

// What the others wait for: one of these places has to be given to by a
// transition that takes from none of them.
static void mark_awaited (tl_leader *l, const uint64_t *times) {
  for (uint32_t t = 0; t < l->net->transitions; t++) {
    const tl_arcs pre = tl_net_pre (l->net, t);
    for (uint32_t i = 0; times[t] && !l->opened[t] && i < pre.count; i++)
      if (!has_given (l, pre.arc[i]))
        l->given[pre.arc[i].place] = AWAITED;
  }
}

static bool touches_awaited (const tl_leader *l, tl_arcs arcs) {
  uint32_t i = 0;
  while (i < arcs.count && l->given[arcs.arc[i].place] != AWAITED)
    i++;
  return i < arcs.count;
}

// Adds to the plan one of the transitions of which one has to fire first; where
// there are none, one that waits cannot fire at all.
static void add_opener (tl_leader *l, const uint64_t *times) {
  uint32_t opener = 0, waiting = 0;
  uint64_t openers = 0, waits = 0;
  mark_awaited (l, times);
  for (uint32_t t = 0; t < l->net->transitions; t++) {
    if (times[t] && !l->opened[t] && !tl_random_below (&l->random, ++waits))
      waiting = t;
    if (!times[t] && !(l->avoid && l->avoid[t]) &&
        touches_awaited (l, tl_net_post (l->net, t)) &&
        !touches_awaited (l, tl_net_pre (l->net, t)) &&
        !tl_random_below (&l->random, ++openers))
      opener = t;
  }
  if (openers)
    tl_course_fires (l->course, opener);
  else
    tl_course_avoids (l->course, waiting);
}

static bool find (tl_leader *l, uint64_t *times) {
  for (uint32_t t = 0; l->avoid && t < l->net->transitions; t++)
    if (l->avoid[t])
      tl_course_avoids (l->course, t);
  if (!solve (l, times))
    return false;
  for (uint32_t i = 0; i < OPENERS && !open_all (l, times); i++) {
    memcpy (l->before, times, l->net->transitions * sizeof *times);
    add_opener (l, times);
    if (tl_budget_look (l->mem) || !solve (l, times)) {
      memcpy (times, l->before, l->net->transitions * sizeof *times);
      break;
    }
  }
  return true;
}

bool tl_leader_plan_all (tl_leader *l, tl_formula *const *all, uint32_t count,
                         uint64_t *times) {
  l->detours = 0;
  for (uint32_t i = 0; i < TRIES && !tl_budget_look (l->mem); i++) {
    tl_course_from (l->course, l->marking);
    l->whim = tl_random_below (&l->random, 2);
    bool may_be = true;
    for (uint32_t k = 0; may_be && k < count; k++)
      may_be = want (l, all[k]);
    if (may_be && find (l, times))
      return true;
  }
  return false;
}

bool tl_leader_plan (tl_leader *l, const tl_formula *f, uint64_t *times) {
  tl_formula *const one = (tl_formula *)(uintptr_t)f;
  return tl_leader_plan_all (l, &one, 1, times);
}

bool tl_leader_return (tl_leader *l, const uint64_t *marking,
                       const uint8_t *exact, uint64_t *times) {
  const uint32_t places = l->net->places;
  const bool here = !memcmp (marking, l->marking, places * sizeof *marking);
  l->detours = 0;
  for (uint32_t i = 0; i < TRIES && l->count && !tl_budget_look (l->mem); i++) {
    tl_course_from (l->course, l->marking);
    for (uint32_t p = 0; p < places; p++) {
      tl_course_least (l->course, p, marking[p]);
      if (!exact || exact[p])
        tl_course_most (l->course, p, marking[p]);
    }
    if (here)
      tl_course_repeats (l->course);
    tl_course_fires (l->course,
                     l->enabled[tl_random_below (&l->random, l->count)]);
    if (find (l, times))
      return true;
  }
  return false;
}

static uint64_t missing (const tl_leader *l, uint32_t t) {
  const tl_arcs pre = tl_net_pre (l->net, t);
  uint64_t sum = 0;
  for (uint32_t i = 0; i < pre.count; i++) {
    const uint64_t has = l->marking[pre.arc[i].place];
    sum += has < pre.arc[i].weight ? pre.arc[i].weight - has : 0;
  }
  return sum;
}

// Of those that are to be fired one that misses few tokens; false: there is
// none.
static bool find_waiting (tl_leader *l, const uint64_t *times,
                          uint32_t *which) {
  uint64_t least = UINT64_MAX, same = 0;
  for (uint32_t t = 0; t < l->net->transitions; t++) {
    const uint64_t m = times[t] ? missing (l, t) : UINT64_MAX;
    same = m < least ? 1 : same + (m == least);
    if (m < least ||
        (m == least && m < UINT64_MAX && !tl_random_below (&l->random, same)))
      *which = t;
    least = m < least ? m : least;
  }
  return least < UINT64_MAX;
}

// To where it is enabled, and there it fires.
static bool go_round (tl_leader *l, uint32_t t, uint64_t *times) {
  tl_course_from (l->course, l->marking);
  want_enabled (l, t);
  if (!find (l, times))
    return false;
  times[t]++;
  return true;
}

bool tl_leader_detour (tl_leader *l, uint64_t *times, bool *left) {
  uint32_t waiting = 0;
  *left = find_waiting (l, times, &waiting);
  return *left && l->detours++ < DETOURS && go_round (l, waiting, times);
}
