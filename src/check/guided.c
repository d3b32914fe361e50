#include "check/guided.h"

#include "base/clock.h"
#include "check/culprits.h"
#include "check/led.h"
#include "check/pump.h"
#include "check/smaller.h"
#include "check/unbounded.h"
#include "explore/best.h"
#include "explore/random_walk.h"
#include "logic/distance.h"
#include "logic/effort.h"
#include "net/origin.h"
#include "structure/structure.h"

#include <stdlib.h>

enum {
  FIRST_WALK = 256,  // steps
  MOST_PLACES = 256, // of which one is to get two tokens
  FAR = 256          // tokens
};

// How a target is searched for: to the nearest first, in tokens or in steps, or
// by walks that are led.  One after the other, as long as nothing is found.
typedef enum means { BY_TOKENS, BY_STEPS, BY_WALKS, MEANS } means;

// What is looked for.
typedef struct target {
  tl_goals *goals;
  tl_asked *asked;
  tl_mem mem;
  tl_arena arena;
  tl_smaller small; // the net in which it is looked for
  tl_trace way;     // there, in the net
  tl_goal *goal;    // of the question, or null
  uint64_t sum;     // of a bound: at least that
  uint32_t node;    // a transition, as people see it
  tl_part *part;    // of a formula about time
  bool needed;      // of its clue: a marking of this kind is needed
  tl_predicate program;
  tl_attractor *attractor;
  tl_distance distance;
  tl_effort effort;
  means by;
  double seconds;
  uint64_t seed; // of walks
  bool reached;
  bool exhausted; // it cannot be reached
  bool fault;     // the way does not lead there
} target;

// ---- Which -----------------------------------------------------------------

// Is there a clue that was not looked for so far, or may what is needed be
// missing?
static bool may_hit (const tl_part *p) {
  return p->clue.target && !p->missed;
}

static bool may_miss (const tl_part *p) {
  return p->clue.needed && !p->met;
}

// The next part that one marking may decide, or null.
static tl_part *open_part (const tl_asked *a) {
  for (uint32_t i = 0; i < a->parts.count; i++) {
    tl_part *p = a->parts.part + (a->turn + i) % a->parts.count;
    if (may_hit (p) || may_miss (p))
      return p;
  }
  return 0;
}

bool tl_guided_may_decide (const tl_checking *c, const tl_asked *a) {
  if (!tl_net_has_arcs (c->goals->net) || tl_goals_is_decided (a))
    return false;
  switch (a->question->kind) {
  case TL_ASK_FORMULA:
    if (a->beyond_reach)
      return open_part (a);
    return a->plan.goals > a->plan.homes;
  case TL_ASK_DEADLOCK: return a->plan.goals > a->plan.homes;
  case TL_ASK_BOUND: return !a->answer->unknown_why && !a->question->finite;
  case TL_ASK_ONE_SAFE:
  case TL_ASK_QUASI_LIVE:
  case TL_ASK_STABLE_MARKING: return true;
  case TL_ASK_LIVE: return c->goals->returns || !a->turn;
  case TL_ASK_HOME_STATE: break;
  }
  return false;
}

// The next goal of the question that is open.
static tl_formula *aim_at_goal (target *t) {
  tl_asked *a = t->asked;
  for (uint32_t i = 0; i < a->plan.goals; i++) {
    const uint32_t at = a->turn++ % a->plan.goals;
    t->goal = t->goals->goal + a->first_goal + at;
    if (!t->goal->home && t->goal->verdict == TL_VERDICT_UNKNOWN)
      return a->plan.goal[at];
  }
  t->goal = 0;
  return 0;
}

// sum of the terms >= least
static tl_formula *at_least (target *t, const tl_summand *term, uint32_t count,
                             uint64_t least) {
  tl_summand *negative;
  bool overflow;
  if (least > INT64_MAX || !TL_ARENA_NEW (&t->arena, negative, count))
    return 0;
  for (uint32_t i = 0; i < count; i++)
    negative[i] = (tl_summand){term[i].place, -term[i].coefficient};
  return tl_formula_compare (&t->arena, negative, count, -(int64_t)least,
                             &overflow);
}

// The middle between what was seen and what cannot be, or without such a limit
// twice what was seen; and every other time just a little more.  Walks that are
// led go as far as it may be, at first.
static tl_formula *aim_at_bound (target *t) {
  const tl_asked *a = t->asked;
  const uint64_t seen = a->answer->value;
  const bool limited = a->most != UINT64_MAX;
  t->sum = limited && t->by == BY_WALKS && a->tries / MEANS % 2 == 0 ? a->most
           : a->turn % 2                                             ? seen + 1
           : limited ? seen + (a->most - seen + 1) / 2
                     : 2 * seen + 1;
  t->asked->turn++;
  return at_least (t, a->question->term, a->question->term_count, t->sum);
}

// What somebody claims is to be found out.
static uint64_t proven_bound (const tl_structure *s, uint32_t place) {
  return s && s->source[place] != TL_BOUND_CLAIM ? s->bound[place]
                                                 : TL_NO_BOUND;
}

// A place that may have two tokens has.
static tl_formula *aim_at_two_tokens (target *t,
                                      const tl_structure *structure) {
  const tl_net *net = t->goals->net;
  tl_formula *part[MOST_PLACES];
  size_t parts = 0;
  for (uint32_t p = 0; p < tl_shown_places (net); p++) {
    const tl_node_range places = tl_shown_place (net, p);
    uint64_t most = 0;
    tl_summand *term;
    if (!TL_ARENA_NEW (&t->arena, term, places.count))
      return 0;
    for (uint32_t i = 0; i < places.count; i++) {
      const uint32_t place = places.first + i;
      const uint64_t bound = proven_bound (structure, place);
      term[i] = (tl_summand){place, 1};
      most = bound > 1 ? 2 : most + bound;
    }
    if (most < 2)
      continue;
    if (parts == MOST_PLACES)
      return 0;
    if (!(part[parts++] = at_least (t, term, places.count, 2)))
      return 0;
  }
  return parts ? tl_formula_nary (&t->arena, TL_OR, part, parts) : 0;
}

// Of the parts in turn the marking that decides one, and what it needs.
static tl_formula *aim_at_clue (target *t) {
  tl_part *p = t->part = open_part (t->asked);
  if (!p)
    return 0;
  t->asked->turn = (uint32_t)(p - t->asked->parts.part) + 1;
  t->needed = may_miss (p) && (!may_hit (p) || p->turn++ % 2);
  return t->needed ? p->clue.needed : p->clue.target;
}

// The next transition that was not enabled so far.
static tl_formula *aim_at_transition (target *t) {
  const tl_net *net = t->goals->net;
  const uint32_t count = tl_shown_transitions (net);
  for (uint32_t i = 0; i < count; i++) {
    t->node = t->asked->turn++ % count;
    const tl_node_range same = tl_shown_transition (net, t->node);
    if (!same.count || t->goals->fired[same.first])
      continue;
    uint32_t *list;
    if (!TL_ARENA_NEW (&t->arena, list, same.count))
      return 0;
    for (uint32_t k = 0; k < same.count; k++)
      list[k] = same.first + k;
    return tl_formula_fireable (&t->arena, list, same.count);
  }
  return 0;
}

// The next place that had the same number of tokens so far has another.
static tl_formula *aim_at_change (target *t) {
  const tl_net *net = t->goals->net;
  const uint32_t count = tl_shown_places (net);
  uint32_t i = 0;
  while (i < count && t->goals->changed[t->asked->turn % count]) {
    t->asked->turn++;
    i++;
  }
  if (i == count)
    return 0;
  t->node = t->asked->turn++ % count;
  const tl_node_range places = tl_shown_place (net, t->node);
  tl_summand *term;
  uint64_t before = 0;
  bool overflow;
  if (!TL_ARENA_NEW (&t->arena, term, places.count))
    return 0;
  for (uint32_t k = 0; k < places.count; k++) {
    term[k] = (tl_summand){places.first + k, 1};
    before += net->initial[places.first + k];
  }
  tl_formula *more = at_least (t, term, places.count, before + 1);
  return !before ? more
                 : tl_formula_binary (
                       &t->arena, TL_OR, more,
                       tl_formula_compare (&t->arena, term, places.count,
                                           (int64_t)before - 1, &overflow));
}

static tl_formula *aim (target *t, const tl_structure *structure) {
  switch (t->asked->question->kind) {
  case TL_ASK_BOUND: return aim_at_bound (t);
  case TL_ASK_ONE_SAFE: return aim_at_two_tokens (t, structure);
  case TL_ASK_QUASI_LIVE: return aim_at_transition (t);
  case TL_ASK_STABLE_MARKING: return aim_at_change (t);
  case TL_ASK_LIVE:
    return t->goals->returns ? aim_at_transition (t)
                             : tl_formula_deadlock (&t->arena);
  default: return t->asked->beyond_reach ? aim_at_clue (t) : aim_at_goal (t);
  }
}

static tl_status open_target (target *t, tl_structure *structure) {
  t->arena = TL_ARENA (&t->mem);
  tl_formula *wanted = aim (t, structure);
  if (!wanted)
    return TL_E_LIMIT;
  tl_status rc = tl_smaller_open (&t->small, &t->mem, &t->arena, t->goals->net,
                                  structure, wanted, t->seconds);
  const tl_net *net = t->small.net;
  tl_formula *f = t->small.formula;
  if (!rc)
    rc = tl_predicate_open (&t->program, &t->mem, net, f);
  if (!rc)
    rc = tl_attractor_open (&t->attractor, &t->arena, net, f);
  return rc;
}

static void close_target (target *t) {
  if (t->program.mem)
    tl_predicate_close (&t->program);
  tl_smaller_close (&t->small);
  tl_trace_close (&t->way);
  tl_arena_close (&t->arena);
}

// ---- Searching -------------------------------------------------------------

static void unpack (tl_goals *g, const tl_visit *v, const uint32_t *place,
                    size_t places) {
  for (size_t i = 0; i < places; i++)
    g->marking[place[i]] = tl_layout_tokens (v->layout, v->state, place[i]);
}

static uint64_t rank (void *context, const tl_visit *v) {
  target *t = context;
  uint64_t *marking = t->goals->marking;
  if (t->by == BY_STEPS) {
    tl_layout_unpack (v->layout, v->state, marking);
    return tl_effort_of (&t->effort, marking, v->enabled, v->enabled_count);
  }
  unpack (t->goals, v, t->distance.place, t->distance.places);
  return tl_distance_of (&t->distance, marking, v->enabled, v->enabled_count);
}

// The way that was found, perhaps in the smaller net, in the net.
static tl_visit_verdict note_way (target *t, const tl_visit *v) {
  const tl_reduced *r = t->small.reduced;
  tl_trace way = {0};
  tl_status rc = tl_goals_trace (v, r ? &way : &t->way);
  if (!rc && way.transition) // else it is lost
    rc = tl_reduced_trace (r, &way, &t->way);
  tl_trace_close (&way);
  return rc ? TL_VISIT_FAILED : TL_VISIT_STOP;
}

static tl_visit_verdict visit_target (void *context, const tl_visit *v) {
  target *t = context;
  tl_goals *g = t->goals;
  unpack (g, v, t->program.place, t->program.places);
  if (t->program.reads_enabled)
    tl_goals_set_enabled (g, v, true);
  t->reached = tl_predicate_run (&t->program, g->marking, g->enabled);
  if (t->program.reads_enabled)
    tl_goals_set_enabled (g, v, false);
  if (!t->reached)
    return TL_VISIT_CONTINUE;
  if (t->small.reduced || t->asked->beyond_reach)
    return note_way (t, v);
  return tl_goals_visit (g, v) == TL_VISIT_FAILED ? TL_VISIT_FAILED
                                                  : TL_VISIT_STOP;
}

// What a search is prepared with does not count.
static void start_clock (tl_search *s, double seconds) {
  s->start = tl_clock ();
  s->deadline = s->start + seconds;
}

static tl_visit_verdict begin_search (void *context, tl_search *s) {
  target *t = context;
  start_clock (s, t->seconds);
  if (t->by == BY_WALKS) {
    tl_led_run (s, &t->mem, t->small.formula, t->seed);
    return TL_VISIT_STOP;
  }
  const tl_best_guide guide = {.context = t,
                               .lists = t->by == BY_STEPS
                                            ? t->effort.reads_enabled
                                            : t->distance.reads_enabled,
                               .rank = rank};
  t->exhausted = !tl_best_run (s, &guide);
  return TL_VISIT_STOP;
}

static void attract (void *context, const tl_visit *v, tl_stubborn *set) {
  const target *t = context;
  (void)v; // the set knows the state
  tl_attract (t->attractor, set);
}

// What that decides is decided; the rest may still be found.
static tl_visit_verdict hear_unbounded (tl_goals *g, const tl_trace *run) {
  return tl_unbounded_known (g, run) == TL_VISIT_STOP ? TL_VISIT_STOP
                                                      : TL_VISIT_CONTINUE;
}

static tl_visit_verdict unbounded (void *context, const tl_trace *run) {
  const target *t = context;
  // The run in a smaller net is one of another net.
  return t->small.reduced ? TL_VISIT_CONTINUE : hear_unbounded (t->goals, run);
}

// What a search in the smaller net has seen, as if it were the net.
static tl_status tell_in_net (const tl_net *net, const tl_reduced *r,
                              tl_exploration *run) {
  uint64_t *most = calloc (net->places + 1, sizeof *most);
  uint8_t *fired = calloc (net->transitions + 1, sizeof *fired);
  for (uint32_t p = 0; most && run->place_max && p < r->net->places; p++)
    most[r->place[p]] = run->place_max[p];
  free (run->place_max);
  free (run->fired);
  run->place_max = most;
  run->fired = fired;
  run->places = net->places;
  run->transitions = net->transitions;
  run->unbounded_place = run->unbounded_place < r->net->places
                             ? r->place[run->unbounded_place]
                             : 0;
  tl_trace_close (&run->deadlock);
  tl_trace_close (&run->unbounded);
  run->deadlock = run->unbounded = (tl_trace){0};
  return most && fired ? TL_OK : TL_E_NOMEM;
}

// A search of its own, which leaves half of the memory to the one beside it; in
// the net or in a smaller one.
static tl_status explore (tl_guided *g, const char *name, bool reduced,
                          const tl_reduced *r, const tl_visitor *visitor) {
  tl_checking *c = g->checking;
  tl_options how = *c->options;
  tl_mem share = tl_checking_share (c, name);
  how.order = "bfs";
  how.store = "auto";
  how.disk = 0;
  how.stubborn = reduced ? "property" : "none";
  how.monotone = how.exact_count = how.trim = false;
  how.on_progress = 0;
  how.timeout = 0;
  tl_exploration run;
  c->goals->by = name;
  c->goals->by_reduced = reduced;
  tl_status rc = tl_explore_on (&share, r ? r->net : c->goals->net, &how,
                                visitor, &run, 0);
  c->goals->by = 0;
  c->goals->by_reduced = false;
  g->full |= !rc && run.stop == TL_STOP_STATES;
  if (!rc && r && (rc = tell_in_net (c->goals->net, r, &run)))
    tl_exploration_close (&run);
  if (!rc && g->alone) {
    run.complete = false;
    tl_checking_take (c, &run, false);
  } else if (!rc)
    tl_exploration_close (&run);
  return rc == TL_E_NOMEM ? TL_OK : rc;
}

// ---- What follows ----------------------------------------------------------

static void conclude_bound (target *t) {
  tl_asked *a = t->asked;
  a->most = t->sum - 1;
  if (a->answer->value >= a->most)
    tl_goals_answer (t->goals, a, TL_VERDICT_BOUND);
}

static void conclude_dead (target *t) {
  tl_goals *g = t->goals;
  tl_goals_decide (g, TL_ASK_QUASI_LIVE, TL_VERDICT_FALSE, 0);
  tl_culprits_begin (g)[t->node] = 1;
  tl_culprits_name (g, TL_ASK_QUASI_LIVE);
  tl_goals_not_live (g);
  tl_culprits_name (g, TL_ASK_LIVE);
}

static void conclude_stable (target *t) {
  tl_goals *g = t->goals;
  g->asks_stable = false;
  tl_goals_decide (g, TL_ASK_STABLE_MARKING, TL_VERDICT_TRUE, 0);
  tl_culprits_begin (g)[t->node] = 1;
  tl_culprits_name (g, TL_ASK_STABLE_MARKING);
}

static void miss_clue (target *t) {
  tl_part *p = t->part;
  *(t->needed ? &p->met : &p->missed) = true; // nothing more is known
  if (t->needed || p->clue.decides)
    tl_goals_settle_part (t->goals, t->asked, p,
                          t->needed ? p->clue.without : !p->clue.holds);
}

// There is no marking that shows the target.
static void conclude (target *t) {
  switch (t->asked->question->kind) {
  case TL_ASK_BOUND: conclude_bound (t); break;
  case TL_ASK_ONE_SAFE:
    tl_goals_decide (t->goals, TL_ASK_ONE_SAFE, TL_VERDICT_TRUE, 0);
    break;
  case TL_ASK_QUASI_LIVE: conclude_dead (t); break;
  case TL_ASK_STABLE_MARKING: conclude_stable (t); break;
  case TL_ASK_LIVE:
    if (t->goals->returns)
      conclude_dead (t);
    t->asked->turn = 1; // nothing more is known
    break;
  default:
    if (t->asked->beyond_reach) {
      miss_clue (t);
      break;
    }
    t->goal->verdict = TL_VERDICT_FALSE;
    tl_goals_look (t->goals);
  }
}

// The marking that a clue is about was reached.
static void take_clue (target *t) {
  tl_asked *a = t->asked;
  tl_part *p = t->part;
  *(t->needed ? &p->met : &p->missed) = true;
  if (t->needed)
    return;
  // Nothing more is known if the way is lost or too short.
  if (p->clue.shows && (!t->way.transition || t->way.length < p->clue.least))
    return;
  if (p->clue.shows && p->formula == a->small.formula && !a->small.unshown) {
    a->answer->trace = t->way;
    t->way = (tl_trace){0};
  }
  tl_goals_settle_part (t->goals, a, p, p->clue.holds);
}

static tl_visit_verdict begin_way (void *context, tl_search *s) {
  target *t = context;
  t->fault = tl_walk_along (s, &t->way) == TL_E_INTERNAL;
  return TL_VISIT_STOP;
}

static tl_visit_verdict visit_way (void *context, const tl_visit *v) {
  const target *t = context;
  t->goals->by_reduced = true;
  return tl_goals_visit (t->goals, v);
}

// The target was reached in the smaller net: in the net the same way leads
// there.
static tl_status go_there (tl_guided *g, target *t) {
  const tl_visitor visitor = {.context = t,
                              .begin = begin_way,
                              .visit = visit_way,
                              .structure = g->structure};
  const tl_status rc = explore (g, "guided", false, 0, &visitor);
  return t->fault ? TL_E_INTERNAL : rc;
}

static tl_status open_guide (target *t) {
  const tl_net *net = t->small.net;
  return t->by == BY_TOKENS
             ? tl_distance_open (&t->distance, &t->mem, net, t->small.formula)
         : t->by == BY_STEPS
             ? tl_effort_open (&t->effort, &t->mem, net, t->small.formula)
             : TL_OK;
}

static void close_guide (target *t) {
  if (t->by == BY_TOKENS)
    tl_distance_close (&t->distance);
  else if (t->by == BY_STEPS)
    tl_effort_close (&t->effort);
}

static tl_status search_target (tl_guided *g, target *t) {
  const tl_visitor visitor = {.context = t,
                              .begin = begin_search,
                              .visit = visit_target,
                              .unbounded = unbounded,
                              .attract = attract,
                              .structure = t->small.structure};
  tl_status rc = open_guide (t);
  if (!rc)
    rc = explore (g, "guided", t->by != BY_WALKS, t->small.reduced, &visitor);
  close_guide (t);
  return rc;
}

// Where a bound is far from what was seen, walks go first.
static means next_means (const tl_asked *a) {
  const bool far =
      a->question->kind == TL_ASK_BOUND && a->most - a->answer->value > FAR;
  return (a->tries + (far ? BY_WALKS : BY_TOKENS)) % MEANS;
}

// Looks for the next target; `told`: something is known of it now.
static tl_status try_target (tl_guided *g, tl_asked *a, double seconds,
                             bool *told) {
  tl_goals *goals = g->checking->goals;
  target t = {.goals = goals,
              .asked = a,
              .seconds = seconds,
              .seed = g->seed++,
              .by = next_means (a),
              .mem = TL_MEM (g->checking->root, "target")};
  tl_status rc = open_target (&t, g->structure);
  if (!rc)
    rc = search_target (g, &t);
  if (!rc && t.way.transition && !a->beyond_reach)
    rc = go_there (g, &t);
  *told = t.exhausted || t.reached;
  a->tries += !*told;
  goals->by = "guided";
  goals->by_reduced = true;
  if (!rc && t.exhausted && !t.reached)
    conclude (&t);
  else if (!rc && t.reached && a->beyond_reach)
    take_clue (&t);
  goals->by = 0;
  goals->by_reduced = false;
  close_target (&t);
  return rc == TL_E_NOMEM ? TL_E_LIMIT : rc;
}

// A run that shows that a sum has no bound.
static tl_status try_pump (tl_guided *g, tl_asked *a, double seconds) {
  tl_goals *goals = g->checking->goals;
  const tl_question *q = a->question;
  tl_mem mem = TL_MEM (g->checking->root, "pump");
  tl_trace run;
  bool found;
  a->tries++;
  tl_status rc = tl_pump_find (&mem, goals->net, q->term, q->term_count,
                               g->seed++, seconds, &run, &found);
  goals->by = "guided";
  if (!rc && found && tl_unbounded_known (goals, &run) == TL_VISIT_FAILED)
    rc = TL_E_NOMEM;
  goals->by = 0;
  tl_trace_close (&run);
  return rc == TL_E_NOMEM ? TL_E_LIMIT : TL_OK;
}

static bool is_for_pump (const tl_asked *a) {
  return a->question->kind == TL_ASK_BOUND && a->most == UINT64_MAX &&
         next_means (a) == BY_WALKS;
}

tl_status tl_guided_try (tl_guided *g, tl_asked *a, double seconds) {
  if (is_for_pump (a))
    return try_pump (g, a, seconds);
  const double end = tl_clock () + seconds;
  double left = seconds;
  bool told;
  tl_status rc;
  do {
    rc = try_target (g, a, left, &told);
    left = end - tl_clock ();
  } while (!rc && told && left > 0 && tl_guided_may_decide (g->checking, a) &&
           !tl_budget_look (g->checking->root));
  return rc;
}

// ---- Walks -----------------------------------------------------------------

static tl_visit_verdict begin_walks (void *context, tl_search *s) {
  tl_guided *g = context;
  start_clock (s, g->seconds);
  const tl_walks how = {
      .seed = g->seed++, .steps = UINT64_MAX, .first = FIRST_WALK};
  tl_walks_run (s, &how);
  return TL_VISIT_STOP;
}

static tl_visit_verdict visit_all (void *context, const tl_visit *v) {
  const tl_guided *g = context;
  return tl_goals_visit (g->checking->goals, v);
}

static tl_visit_verdict unbounded_walk (void *context, const tl_trace *run) {
  const tl_guided *g = context;
  return hear_unbounded (g->checking->goals, run);
}

tl_status tl_guided_walk (tl_guided *g, double seconds) {
  if (!tl_net_has_arcs (g->checking->goals->net))
    return TL_OK; // walks fire transitions by their arcs
  const tl_visitor visitor = {.context = g,
                              .begin = begin_walks,
                              .visit = visit_all,
                              .unbounded = unbounded_walk,
                              .structure = g->structure};
  g->seconds = seconds;
  return explore (g, "walk", false, 0, &visitor);
}
