#include "check/guided.h"

#include "base/clock.h"
#include "check/culprits.h"
#include "check/unbounded.h"
#include "explore/best.h"
#include "explore/random_walk.h"
#include "logic/distance.h"
#include "net/origin.h"
#include "structure/structure.h"

enum {
  FIRST_WALK = 256, // steps
  MOST_PLACES = 256 // of which one is to get two tokens
};

// What is looked for.
typedef struct target {
  tl_goals *goals;
  tl_asked *asked;
  tl_mem mem;
  tl_arena arena;
  tl_formula *formula;
  tl_goal *goal; // of the question, or null
  uint64_t sum;  // of a bound: at least that
  uint32_t node; // a transition, as people see it
  tl_predicate program;
  tl_attractor *attractor;
  tl_distance distance;
  double seconds;
  bool reached;
  bool exhausted; // it cannot be reached
} target;

// ---- Which -----------------------------------------------------------------

bool tl_guided_may_decide (const tl_checking *c, const tl_asked *a) {
  if (!tl_net_has_arcs (c->goals->net) || tl_goals_is_decided (a))
    return false;
  switch (a->question->kind) {
  case TL_ASK_FORMULA:
  case TL_ASK_DEADLOCK: return a->plan.goals > a->plan.homes;
  case TL_ASK_BOUND: return !a->answer->unknown_why && !a->question->finite;
  case TL_ASK_ONE_SAFE:
  case TL_ASK_QUASI_LIVE: return true;
  case TL_ASK_LIVE: return !a->turn;
  case TL_ASK_STABLE_MARKING:
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

// The middle between what was seen and what cannot be; without such a limit
// twice what was seen, as long as that is found.
static tl_formula *aim_at_bound (target *t) {
  const tl_asked *a = t->asked;
  const uint64_t seen = a->answer->value;
  if (a->most == UINT64_MAX)
    t->sum = seen + 1;
  else
    t->sum = a->turn % 2 ? seen + 1 : seen + (a->most - seen + 1) / 2;
  t->asked->turn++;
  return at_least (t, a->question->term, a->question->term_count, t->sum);
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
      const uint64_t bound = structure ? structure->bound[places.first + i] : 2;
      term[i] = (tl_summand){places.first + i, 1};
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

static tl_formula *aim (target *t, const tl_structure *structure) {
  switch (t->asked->question->kind) {
  case TL_ASK_BOUND: return aim_at_bound (t);
  case TL_ASK_ONE_SAFE: return aim_at_two_tokens (t, structure);
  case TL_ASK_QUASI_LIVE: return aim_at_transition (t);
  case TL_ASK_LIVE: return tl_formula_deadlock (&t->arena);
  default: return aim_at_goal (t);
  }
}

static tl_status open_target (target *t, const tl_structure *structure) {
  const tl_net *net = t->goals->net;
  t->arena = TL_ARENA (&t->mem);
  t->formula = aim (t, structure);
  if (!t->formula)
    return TL_E_LIMIT;
  tl_status rc = tl_predicate_open (&t->program, &t->mem, net, t->formula);
  if (!rc)
    rc = tl_attractor_open (&t->attractor, &t->arena, net, t->formula);
  if (!rc)
    rc = tl_distance_open (&t->distance, &t->mem, net, t->formula);
  return rc;
}

static void close_target (target *t) {
  if (t->formula) {
    tl_predicate_close (&t->program);
    if (t->distance.mem)
      tl_distance_close (&t->distance);
  }
  tl_arena_close (&t->arena);
}

// ---- Searching -------------------------------------------------------------

static void unpack (tl_goals *g, const tl_visit *v, const uint32_t *place,
                    size_t places) {
  for (size_t i = 0; i < places; i++)
    g->marking[place[i]] = tl_layout_tokens (v->layout, v->state, place[i]);
}

static uint64_t rank (void *context, const tl_visit *v) {
  const target *t = context;
  unpack (t->goals, v, t->distance.place, t->distance.places);
  return tl_distance_of (&t->distance, t->goals->marking, v->enabled,
                         v->enabled_count);
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
  const tl_visitor all = tl_goals_visitor (g);
  return all.visit (all.context, v) == TL_VISIT_FAILED ? TL_VISIT_FAILED
                                                       : TL_VISIT_STOP;
}

// What a search is prepared with does not count.
static void start_clock (tl_search *s, double seconds) {
  s->start = tl_clock ();
  s->deadline = s->start + seconds;
}

static tl_visit_verdict begin_best (void *context, tl_search *s) {
  target *t = context;
  start_clock (s, t->seconds);
  const tl_best_guide guide = {
      .context = t, .lists = t->distance.reads_enabled, .rank = rank};
  t->exhausted = !tl_best_run (s, &guide, UINT64_MAX);
  return TL_VISIT_STOP;
}

static void attract (void *context, const tl_visit *v, tl_stubborn *set) {
  const target *t = context;
  (void)v; // the set knows the state
  tl_attract (t->attractor, set);
}

static tl_visit_verdict unbounded (void *context, const tl_trace *run) {
  const target *t = context;
  return tl_unbounded_known (t->goals, run) == TL_VISIT_STOP
             ? TL_VISIT_STOP
             : TL_VISIT_CONTINUE;
}

// A search of its own, which leaves half of the memory to the one beside it.
static tl_status explore (tl_guided *g, const char *name, bool reduced,
                          const tl_visitor *visitor) {
  tl_checking *c = g->checking;
  tl_options how = *c->options;
  tl_mem share = TL_MEM (c->root, name);
  const tl_mem *root = tl_mem_root (c->root);
  how.order = "bfs";
  how.store = "auto";
  how.stubborn = reduced ? "property" : "none";
  how.monotone = how.exact_count = how.trim = false;
  how.on_progress = 0;
  how.timeout = 0;
  if (root->limit)
    share.limit = (root->limit - root->used) / 2 + 1;
  tl_exploration run;
  c->goals->by = name;
  c->goals->by_reduced = reduced;
  const tl_status rc =
      tl_explore_on (&share, c->goals->net, &how, visitor, &run, 0);
  c->goals->by = 0;
  c->goals->by_reduced = false;
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
}

// There is no marking that shows the target.
static void conclude (target *t) {
  switch (t->asked->question->kind) {
  case TL_ASK_BOUND: conclude_bound (t); break;
  case TL_ASK_ONE_SAFE:
    tl_goals_decide (t->goals, TL_ASK_ONE_SAFE, TL_VERDICT_TRUE, 0);
    break;
  case TL_ASK_QUASI_LIVE: conclude_dead (t); break;
  case TL_ASK_LIVE: t->asked->turn = 1; break; // nothing more is known
  default: t->goal->verdict = TL_VERDICT_FALSE; tl_goals_look (t->goals);
  }
}

tl_status tl_guided_try (tl_guided *g, tl_asked *a, double seconds) {
  tl_goals *goals = g->checking->goals;
  target t = {.goals = goals,
              .asked = a,
              .seconds = seconds,
              .mem = TL_MEM (g->checking->root, "target")};
  tl_status rc = open_target (&t, g->structure);
  if (!rc) {
    const tl_visitor visitor = {.context = &t,
                                .begin = begin_best,
                                .visit = visit_target,
                                .unbounded = unbounded,
                                .attract = attract,
                                .structure = g->structure};
    rc = explore (g, "guided", true, &visitor);
  }
  goals->by = "guided";
  goals->by_reduced = true;
  if (!rc && t.exhausted && !t.reached)
    conclude (&t);
  goals->by = 0;
  goals->by_reduced = false;
  close_target (&t);
  return rc == TL_E_NOMEM ? TL_E_LIMIT : rc;
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
  const tl_visitor all = tl_goals_visitor (g->checking->goals);
  return all.visit (all.context, v);
}

static tl_visit_verdict unbounded_walk (void *context, const tl_trace *run) {
  const tl_guided *g = context;
  return tl_unbounded_known (g->checking->goals, run) == TL_VISIT_STOP
             ? TL_VISIT_STOP
             : TL_VISIT_CONTINUE;
}

tl_status tl_guided_walk (tl_guided *g, double seconds) {
  const tl_visitor visitor = {.context = g,
                              .begin = begin_walks,
                              .visit = visit_all,
                              .unbounded = unbounded_walk,
                              .structure = g->structure};
  g->seconds = seconds;
  return explore (g, "walk", false, &visitor);
}
