#include "explore/random_walk.h"

#include "base/random.h"

#include <stdlib.h>
#include <string.h>

enum {
  POLL = 256,
  DOUBLINGS = 10, // of the length of a walk, before it is short again
  BLIND = 3,      // each so many walks one is
  PLANS = 16,     // in a row that do not begin with what is enabled
  MANY = 64,      // times that are fired in leaps
  STRIDES = 16    // of them, at least, where all go evenly
};

typedef struct walk {
  tl_search *search;
  tl_mem *mem;
  tl_worker worker;
  tl_random random;
  uint32_t *step; // the way to the state at hand
  size_t room, length;
  uint32_t *fired; // [transitions] how often
  bool blind;
  const tl_lead *lead; // or null
  uint64_t *times;     // [transitions] each is to fire
  uint64_t *planned;   // [transitions] of these, when there was a plan
  bool evenly;         // all in step with the plan
} walk;

static tl_status trace_here (tl_search *s, tl_trace *trace) {
  const walk *w = s->order_context;
  *trace = (tl_trace){.length = w->length};
  trace->transition = calloc (w->length + 1, sizeof *trace->transition);
  if (!trace->transition)
    return TL_E_NOMEM;
  for (size_t i = 0; i < w->length; i++)
    trace->transition[i] = w->step[i];
  return TL_OK;
}

// Of two that are picked, the one that was fired less.
static uint32_t choose (walk *w) {
  const tl_worker *k = &w->worker;
  const uint32_t a = k->enabled[tl_random_below (&w->random, k->count)];
  if (w->blind)
    return a;
  const uint32_t b = k->enabled[tl_random_below (&w->random, k->count)];
  return w->fired[b] < w->fired[a] ? b : a;
}

static tl_status step (walk *w, uint32_t t) {
  tl_worker *k = &w->worker;
  tl_status rc = TL_OK;
  while (!rc && !tl_fire_fits (w->search->fire, k->state, &t, 1))
    rc = tl_worker_widen (k, t, 0, 0);
  if (!rc && !TL_ROOM (w->mem, w->step, &w->room, w->length + 1))
    rc = TL_E_NOMEM;
  if (rc)
    return rc;
  tl_fire_step (w->search->fire, t, k->state);
  w->step[w->length++] = t;
  w->fired[t]++;
  return TL_OK;
}

static tl_status walk_once (walk *w, uint64_t most, uint64_t *left) {
  w->length = 0;
  tl_status rc = tl_worker_begin (&w->worker);
  while (!rc && *left && w->length <= most) {
    tl_worker_list (&w->worker);
    rc = tl_worker_visit (&w->worker);
    if (!rc && --*left % POLL == 0)
      rc = tl_search_poll (w->search);
    if (!rc && !w->worker.count)
      break;
    if (!rc)
      rc = step (w, choose (w));
  }
  return rc;
}

// ---- That are led ----------------------------------------------------------

// Is the second one behind the first?
static bool is_behind (const walk *w, uint32_t a, uint32_t b) {
  return w->evenly ? (double)w->times[b] * (double)w->planned[a] >
                         (double)w->times[a] * (double)w->planned[b]
                   : w->times[b] > w->times[a];
}

// One that is to be fired: of two, the one that is to be fired more often; or
// of all the one that is behind the plan, for what is needed all the time and
// comes back later would be gone if some went first.
static bool pick (walk *w, uint32_t *t) {
  const tl_worker *k = &w->worker;
  uint32_t found = 0;
  for (uint32_t i = 0; i < k->count; i++)
    if (w->times[k->enabled[i]])
      k->enabled[found++] = k->enabled[i];
  if (!found)
    return false;
  uint32_t best = k->enabled[tl_random_below (&w->random, found)];
  for (uint32_t i = 0; i < (w->evenly ? found : 1); i++) {
    const uint32_t other =
        w->evenly ? k->enabled[i]
                  : k->enabled[tl_random_below (&w->random, found)];
    best = is_behind (w, best, other) ? other : best;
  }
  *t = best;
  w->times[*t]--;
  return true;
}

static bool find_step (walk *w, uint32_t *t) {
  uint32_t plans = 0;
  while (!pick (w, t)) {
    const tl_visit here = tl_worker_shown (&w->worker);
    if (plans++ == PLANS ||
        !w->lead->plan (w->lead->context, &here, w->times) ||
        tl_search_poll (w->search))
      return false;
    memcpy (w->planned, w->times,
            w->search->net->transitions * sizeof *w->times);
    tl_worker_list (&w->worker);
  }
  return true;
}

static uint64_t tokens_in (const walk *w, uint32_t place) {
  return tl_layout_tokens (&w->search->layout, w->worker.state, place);
}

// How often the transition, which is enabled, can fire in a row, at most.
static uint64_t times_in_a_row (const walk *w, uint32_t t, uint64_t most) {
  const tl_net *net = w->search->net;
  const tl_arcs pre = tl_net_pre (net, t),
                inhibitors = tl_net_inhibitors (net, t);
  for (uint32_t i = 0; i < pre.count; i++) {
    const int64_t gain = tl_net_change_of (net, t, pre.arc[i].place);
    const uint64_t spare = tokens_in (w, pre.arc[i].place) - pre.arc[i].weight;
    if (gain < 0 && spare / (0 - (uint64_t)gain) < most)
      most = 1 + spare / (0 - (uint64_t)gain);
  }
  for (uint32_t i = 0; i < inhibitors.count; i++) {
    const int64_t gain = tl_net_change_of (net, t, inhibitors.arc[i].place);
    const uint64_t room =
        inhibitors.arc[i].weight - 1 - tokens_in (w, inhibitors.arc[i].place);
    if (gain > 0 && room / (uint64_t)gain < most)
      most = 1 + room / (uint64_t)gain;
  }
  return most;
}

// Of what is to be fired many times a part goes at once: what is in between
// differs too little to be looked at.
static uint64_t length_of_leap (const walk *w, uint32_t t) {
  if (w->times[t] < MANY)
    return 1;
  if (!w->evenly)
    return times_in_a_row (w, t, w->times[t] / 2);
  const uint64_t stride = w->planned[t] / STRIDES + 1, left = w->times[t];
  const uint64_t row = times_in_a_row (w, t, stride < left ? stride : left);
  return (row + 1) / 2; // some of what it needs is left
}

static tl_status leap (walk *w, uint32_t t) {
  const uint64_t times = length_of_leap (w, t);
  tl_status rc = TL_OK;
  for (uint64_t i = 0; !rc && i < times; i++) {
    rc = step (w, t);
    w->times[t] -= i != 0; // the first one was counted when it was picked
    if (!rc && i % POLL == POLL - 1)
      rc = tl_search_poll (w->search);
  }
  return rc;
}

static tl_status walk_led (walk *w, uint64_t *left) {
  uint32_t t;
  memset (w->times, 0, w->search->net->transitions * sizeof *w->times);
  w->length = 0;
  tl_status rc = tl_worker_begin (&w->worker);
  while (!rc && *left) {
    tl_worker_list (&w->worker);
    rc = tl_worker_visit (&w->worker);
    if (!rc && --*left % POLL == 0)
      rc = tl_search_poll (w->search);
    if (!rc && !find_step (w, &t))
      break;
    if (!rc)
      rc = leap (w, t);
  }
  return rc ? rc : tl_search_poll (w->search);
}

static tl_status walk_all (walk *w, const tl_walks *how) {
  uint64_t left = how->steps;
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && left; i++) {
    w->blind = i % BLIND == BLIND - 1;
    w->evenly = i % 2;
    rc = w->lead ? walk_led (w, &left)
                 : walk_once (w, how->first << i % DOUBLINGS, &left);
  }
  return rc;
}

// ---- Along a way -----------------------------------------------------------

static bool is_enabled (const tl_worker *k, uint32_t t) {
  uint32_t i = 0;
  while (i < k->count && k->enabled[i] != t)
    i++;
  return i < k->count;
}

// Steps are those of the list, as far as they are enabled.
static tl_status walk_along (walk *w, const tl_trace *way) {
  tl_worker *k = &w->worker;
  tl_status rc = tl_worker_begin (k);
  for (uint64_t i = 0; !rc; i++) {
    tl_worker_list (k);
    rc = tl_worker_visit (k);
    if (rc || i == way->length)
      break;
    rc = is_enabled (k, way->transition[i]) ? step (w, way->transition[i])
                                            : TL_E_INTERNAL;
    if (!rc && i % POLL == 0)
      rc = tl_search_poll (w->search);
  }
  return rc;
}

static tl_status run (tl_search *s, const tl_walks *how, const tl_lead *lead,
                      const tl_trace *way) {
  walk w = {.search = s,
            .mem = &s->engine,
            .random = {how ? how->seed : 0},
            .lead = lead};
  s->trace_here = trace_here;
  s->order_context = &w;
  tl_status rc = tl_worker_open (
      &w.worker, s,
      &(tl_worker_plan){
          .mem = w.mem, .room = 1, .visits = true, .lists = true});
  if (!rc && (!TL_NEW (w.mem, w.fired, s->net->transitions) ||
              (lead && (!TL_NEW (w.mem, w.times, s->net->transitions) ||
                        !TL_NEW (w.mem, w.planned, s->net->transitions)))))
    rc = TL_E_NOMEM;
  if (!rc)
    rc = way ? walk_along (&w, way) : walk_all (&w, how);
  TL_DEL (w.mem, w.fired, s->net->transitions);
  TL_DEL (w.mem, w.times, s->net->transitions);
  TL_DEL (w.mem, w.planned, s->net->transitions);
  TL_DEL (w.mem, w.step, w.room);
  tl_worker_close (&w.worker);
  s->trace_here = 0;
  s->order_context = 0;
  return rc;
}

tl_status tl_walks_run (tl_search *s, const tl_walks *how) {
  return run (s, how, 0, 0);
}

tl_status tl_walks_led (tl_search *s, const tl_walks *how,
                        const tl_lead *lead) {
  return run (s, how, lead, 0);
}

tl_status tl_walk_along (tl_search *s, const tl_trace *way) {
  return run (s, 0, 0, way);
}
