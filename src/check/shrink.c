#include "check/shrink.h"

#include "base/budget.h"
#include "base/clock.h"
#include "check/reaching.h"
#include "check/staying.h"
#include "logic/initial.h"
#include "logic/linear.h"
#include "logic/reach.h"
#include "logic/returning.h"
#include "logic/stepless.h"
#include "net/origin.h"

#include <string.h>

// About how long structure and equation are studied.
#define STRUCTURE_SECONDS 0.5
#define EQUATION_SECONDS 5.0
// In haste: a part of it.  What takes longer has its time when the net turns
// out to be not small (check/review.h).
#define HASTY_PART 0.2
// Where a search will soon have decided all of it: of the time for whether the
// net can always return, or end.
#define SOON_PART (1.0 / 3)
// Larger nets are not asked about each of their transitions.
#define MANY_TRANSITIONS 3000
// Where one has decided, others are looked for as long as this, and no longer
// than a part of what finding it took.
#define NAMING_SECONDS 0.02
#define NAMING_PART 0.25
// Runs that stay where something holds: more for each transition, up to a
// limit.
#define STAYING_SECONDS 0.05
#define TRANSITION_SECONDS 0.0002
#define MOST_STAYING 1.0
// Places that keep their tokens though transitions change them.
#define KEPT_SECONDS 0.1

static double seconds_for_equation (const tl_options *options) {
  const double share = options->timeout / 10;
  return options->timeout > 0 && share < EQUATION_SECONDS ? share
                                                          : EQUATION_SECONDS;
}

static double seconds_for_staying (const tl_shrinker *k) {
  const double share = seconds_for_equation (k->options) / 2,
               most = share < MOST_STAYING ? share : MOST_STAYING,
               wanted = STAYING_SECONDS +
                        TRANSITION_SECONDS * (double)k->net->transitions;
  return wanted < most ? wanted : most;
}

static bool find_structure (tl_shrinker *k) {
  if (!k->structure)
    k->structure = k->given;
  return k->structure || !tl_structure_open (&k->structure, k->mem, k->net,
                                             STRUCTURE_SECONDS, 0);
}

static bool keeps_capacities (tl_shrinker *k) {
  const tl_net *net = k->net;
  if (!net->origin || !net->origin->capacity)
    return true;
  if (k->asked_capacities)
    return k->keeps_capacities;
  k->asked_capacities = true;
  k->keeps_capacities =
      find_structure (k) && tl_structure_keeps_capacities (k->structure);
  if (!k->keeps_capacities)
    tl_shrinker_close (k);
  return k->keeps_capacities;
}

// Nets without arcs, or with capacities that the search watches at every
// state, are beyond what is looked at here.
static bool can_be_aided (tl_shrinker *k) {
  return !k->options->unaided && tl_net_has_arcs (k->net) &&
         keeps_capacities (k);
}

// Null: there are none.  Facts are a help, not a need: without memory or time
// for them the questions are asked as they are.
static tl_facts *study (tl_shrinker *k) {
  if (tl_budget_look (k->mem))
    return 0;
  const double seconds = seconds_for_equation (k->options);
  if (!k->studied && can_be_aided (k) && find_structure (k) &&
      tl_facts_open (&k->facts, k->mem, k->structure,
                     k->hasty ? HASTY_PART * seconds : seconds, k->hasty))
    tl_shrinker_close (k);
  if (!k->studied) {
    k->for_staying = seconds_for_staying (k);
    k->facts.refuter.for_returns *= k->soon ? SOON_PART : 1;
  }
  k->studied = true;
  k->facts.assumed.cancel = k->options->cancel;
  return k->structure ? &k->facts : 0;
}

void tl_shrinker_finish (tl_shrinker *k) {
  tl_facts_close (&k->facts);
  k->facts = (tl_facts){0};
}

void tl_shrinker_close (tl_shrinker *k) {
  tl_shrinker_finish (k);
  if (k->structure != k->given)
    tl_structure_close (k->structure);
  k->structure = 0;
}

// ---- Formulas --------------------------------------------------------------

static tl_next next_of (const tl_shrunk *s) {
  return s->linear ? TL_NEXT_LTL : TL_NEXT_CTL;
}

// False when there is no memory.
static bool rewrite (tl_shrinker *k, tl_shrunk *s) {
  return s->formula && (s->formula = tl_formula_simplify_as (
                            k->arena, s->formula, next_of (s)));
}

static bool look_at_initial (tl_shrinker *k, tl_shrunk *s) {
  if (can_be_aided (k))
    s->formula =
        tl_formula_at (k->arena, s->formula, k->net, k->initial, next_of (s));
  return rewrite (k, s);
}

// A formula that is about one marking is within reach of all that follows; but
// in a first look, runs are to be shown.
static bool leave_out_steps (tl_shrinker *k, tl_shrunk *s) {
  if (!k->given || s->linear || !can_be_aided (k) ||
      !tl_formula_has_step (s->formula))
    return true;
  s->unshown = true;
  s->formula = tl_formula_stepless (k->arena, k->net, s->formula);
  return s->formula && look_at_initial (k, s);
}

static bool apply_facts (tl_shrinker *k, tl_shrunk *s) {
  tl_facts *facts = study (k);
  if (!facts)
    return true;
  s->formula = tl_facts_apply (facts, k->arena, s->formula, next_of (s));
  return rewrite (k, s) && look_at_initial (k, s);
}

static bool take_out_parts (tl_shrinker *k, tl_shrunk *s) {
  tl_facts *facts =
      s->linear || !tl_formula_may_return (s->formula) ? 0 : study (k);
  if (!facts || !tl_facts_return (facts))
    return true;
  s->unshown = s->returns = true;
  s->formula = tl_formula_returning (k->arena, s->formula, next_of (s));
  return s->formula && look_at_initial (k, s);
}

// In a second look, runs to be shown were looked for in vain.
static bool leave_out_reached (tl_shrinker *k, tl_shrunk *s) {
  tl_facts *facts = k->hasty || s->linear ? 0 : study (k);
  if (!facts)
    return true;
  const tl_formula *before = s->formula;
  s->formula = tl_reaching_apply (facts, k->arena, s->formula, !k->given);
  if (!rewrite (k, s) || !look_at_initial (k, s))
    return false;
  s->unshown |= tl_formula_order (before, s->formula) != 0;
  return true;
}

static bool leave_out_stays (tl_shrinker *k, tl_shrunk *s) {
  tl_facts *facts = k->hasty ? 0 : study (k);
  if (!facts)
    return true;
  tl_staying staying = {facts, k->arena, k->for_staying, s->linear};
  s->formula = tl_staying_apply (&staying, s->formula);
  k->for_staying = staying.seconds;
  return rewrite (k, s) && look_at_initial (k, s);
}

// Is it proven that the automaton of the formula accepts no run?
static bool has_no_run (tl_shrinker *k, tl_staying *staying,
                        const tl_shrunk *s) {
  tl_labels labels = {0};
  tl_sat *sat = 0;
  const tl_sat_ways ways = {.arena = k->arena,
                            .mem = k->mem,
                            .labels = &labels,
                            .linear = s->linear,
                            .automata = true};
  const bool none = !tl_labels_open (&labels, k->mem, k->net) &&
                    !tl_sat_open (&sat, &ways, s->formula) &&
                    sat->kind == TL_SAT_PATH &&
                    tl_staying_accepts_none (staying, sat);
  tl_sat_close (sat);
  tl_labels_close (&labels);
  return none;
}

// What one quantifier says of runs.
static bool look_for_runs (tl_shrinker *k, tl_shrunk *s) {
  const bool always = s->formula->op == TL_ALL;
  tl_facts *facts =
      k->hasty || (!always && s->formula->op != TL_EXISTS) ? 0 : study (k);
  if (!facts)
    return true;
  tl_staying staying = {facts, k->arena, k->for_staying, s->linear};
  if (has_no_run (k, &staying, s))
    s->formula = tl_formula_constant (k->arena, always);
  k->for_staying = staying.seconds;
  return s->formula;
}

static bool is_decided (tl_shrunk *s, const char *engine) {
  if (s->formula->op == TL_TRUE || s->formula->op == TL_FALSE)
    s->engine = engine;
  return s->engine;
}

tl_status tl_shrink (tl_shrinker *k, const tl_question *q, tl_shrunk *s) {
  *s = (tl_shrunk){.formula = q->formula,
                   .linear = q->linear || tl_formula_fragment (q->formula) >
                                              TL_FRAGMENT_CTL};
  if (s->linear)
    s->formula = tl_formula_linear (k->arena, s->formula, q->linear);
  static const struct {
    bool (*step) (tl_shrinker *, tl_shrunk *);
    const char *engine;
  } way[] = {{rewrite, "rewrite"},           {look_at_initial, "initial"},
             {leave_out_steps, "rewrite"},   {apply_facts, "structure"},
             {take_out_parts, "structure"},  {leave_out_reached, "structure"},
             {leave_out_stays, "structure"}, {look_for_runs, "structure"}};
  for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
    if (!way[i].step (k, s))
      return TL_E_NOMEM;
    if (is_decided (s, way[i].engine))
      break;
  }
  return TL_OK;
}

// ---- Other questions -------------------------------------------------------

static double naming_ends (double begun) {
  const double now = tl_clock (), part = NAMING_PART * (now - begun);
  return now + (part < NAMING_SECONDS ? part : NAMING_SECONDS);
}

// Which transitions are known to be dead: all of them in nets in which that
// takes no time.
static void find_dead (tl_shrinker *k, tl_facts *facts, uint8_t *dead) {
  const double begun = tl_clock ();
  double end = 0;
  for (uint32_t t = 0; t < tl_shown_transitions (k->net); t++) {
    dead[t] = tl_facts_never_enabled (facts, t);
    if (dead[t] && end <= 0)
      end = naming_ends (begun);
    if (end > 0 && tl_clock () > end)
      break;
  }
  k->no_dead = end <= 0;
}

static bool has_dead_transition (tl_shrinker *k, tl_facts *facts,
                                 uint8_t *mark) {
  const uint32_t count = tl_shown_transitions (k->net);
  if (k->net->transitions > MANY_TRANSITIONS || k->no_dead)
    return false;
  if (!k->dead) {
    if (!TL_ARENA_NEW (k->arena, k->dead, count))
      return false;
    find_dead (k, facts, k->dead);
  }
  if (!k->no_dead)
    memcpy (mark, k->dead, count);
  return !k->no_dead;
}

// What no transition changes; or else the first that cases show to be kept.
static bool has_stable_place (const tl_net *net, tl_facts *facts,
                              uint8_t *mark) {
  const uint32_t places = tl_shown_places (net);
  const double end = tl_clock () + KEPT_SECONDS;
  bool any = false;
  for (uint32_t p = 0; p < places; p++)
    any |= mark[p] = tl_facts_stable_place (facts, p);
  for (uint32_t p = 0; !any && p < places && tl_clock () < end; p++)
    any |= mark[p] = tl_facts_kept_place (facts, p);
  return any;
}

tl_verdict tl_shrink_named (tl_shrinker *k, tl_question_kind kind,
                            uint8_t *mark) {
  tl_facts *facts = study (k);
  if (!facts)
    return TL_VERDICT_UNKNOWN;
  switch (kind) {
  case TL_ASK_ONE_SAFE:
    return tl_facts_one_safe (facts) ? TL_VERDICT_TRUE : TL_VERDICT_UNKNOWN;
  case TL_ASK_STABLE_MARKING:
    return has_stable_place (k->net, facts, mark) ? TL_VERDICT_TRUE
                                                  : TL_VERDICT_UNKNOWN;
  case TL_ASK_QUASI_LIVE:
  case TL_ASK_LIVE:
    return has_dead_transition (k, facts, mark) ? TL_VERDICT_FALSE
                                                : TL_VERDICT_UNKNOWN;
  default: return TL_VERDICT_UNKNOWN;
  }
}

bool tl_shrink_returns (tl_shrinker *k) {
  tl_facts *facts = study (k);
  return facts && tl_facts_return (facts);
}

bool tl_shrink_bound (tl_shrinker *k, const tl_question *q, uint64_t *most) {
  tl_facts *facts = study (k);
  return facts && tl_facts_most (facts, q->term, q->term_count, most);
}
