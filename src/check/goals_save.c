#include "check/goals_save.h"

#include "check/culprits.h"
#include "check/formula_words.h"
#include "net/origin.h"

#include <string.h>

// ---- Writing ---------------------------------------------------------------

static void save_culprits (tl_goals *g, const tl_answer *answer, tl_parcel *p) {
  tl_culprits_mark (g, &answer->culprits);
  tl_parcel_bytes (p, g->culprit,
                   answer->culprits.count ? tl_culprits_room (g->net) : 0);
}

static void save_answer (tl_goals *g, const tl_answer *answer, tl_parcel *p) {
  tl_parcel_text (p, answer->engine);
  tl_parcel_number (p, answer->infinite);
  tl_parcel_number (p, answer->reduced);
  tl_parcel_real (p, answer->seconds);
  tl_parcel_trace (p, &answer->trace);
  save_culprits (g, answer, p);
}

static void save_formula (const tl_formula *f, tl_parcel *p) {
  uint64_t *words = 0;
  size_t count = 0, room = 0;
  tl_packing packing = {
      .mem = p->mem, .words = &words, .count = &count, .room = &room};
  tl_pack_formula (&packing, f);
  p->failed |= packing.failed;
  tl_parcel_number (p, count);
  for (size_t i = 0; i < count; i++)
    tl_parcel_number (p, words[i]);
  TL_DEL (p->mem, words, room);
}

static void save_goals (const tl_goals *g, const tl_asked *a, tl_parcel *p) {
  tl_parcel_number (p, a->plan.goals);
  if (!a->plan.goals)
    return;
  save_formula (a->small.formula, p);
  for (uint32_t i = 0; i < a->plan.goals; i++) {
    const tl_goal *goal = g->goal + a->first_goal + i;
    tl_parcel_number (p, goal->verdict);
    tl_parcel_trace (p, &goal->trace);
  }
}

void tl_goals_save (void *goals, tl_parcel *p) {
  tl_goals *g = goals;
  tl_parcel_number (p, g->count);
  for (size_t i = 0; i < g->count; i++) {
    const tl_asked *a = g->asked + i;
    tl_parcel_text (p, a->answer->formula);
    tl_parcel_number (p, a->answer->verdict);
    tl_parcel_number (p, a->answer->value);
    if (tl_goals_is_decided (a))
      save_answer (g, a->answer, p);
    else
      save_goals (g, a, p);
  }
  tl_parcel_number (p, g->unsafe);
  tl_parcel_number (p, g->unbounded);
  tl_parcel_number (p, g->patience);
  tl_parcel_number (p, g->open);
  tl_parcel_bytes (p, g->changed, tl_shown_places (g->net));
  tl_parcel_bytes (p, g->fired, g->net->transitions);
}

// ---- Reading ---------------------------------------------------------------

// Names of engines last as long as the program.
static const char *engine_of (const char *name) {
  static const char *const engines[] = {"reach",   "bounds",   "structure",
                                        "initial", "rewrite",  "guided",
                                        "walk",    "symbolic", "home"};
  for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
    if (!strcmp (engines[i], name))
      return engines[i];
  return "checkpoint";
}

// Marks what is named; false: nothing is.
static bool restore_culprits (tl_goals *g, tl_unparcel *u) {
  const size_t room = tl_culprits_room (g->net);
  size_t length;
  const uint8_t *marks = tl_unparcel_bytes (u, &length);
  u->failed |= length && length != room;
  if (u->failed || !length)
    return false;
  uint8_t *to = tl_culprits_begin (g);
  for (size_t i = 0; i < room; i++)
    to[i] = marks[i] != 0;
  return true;
}

static tl_status restore_answer (tl_goals *g, tl_asked *a, tl_verdict verdict,
                                 uint64_t value, tl_unparcel *u) {
  tl_answer *answer = a->answer;
  const char *engine = engine_of (tl_unparcel_text (u));
  const bool infinite = tl_unparcel_number (u),
             reduced = tl_unparcel_number (u);
  const double seconds = tl_unparcel_real (u);
  tl_trace trace;
  const tl_status rc = tl_unparcel_trace (u, g->net->transitions, &trace);
  const bool named = restore_culprits (g, u);
  if (rc || u->failed || tl_goals_is_decided (a)) {
    tl_trace_close (&trace);
    return rc;
  }
  answer->value = value;
  answer->infinite = infinite;
  answer->trace = trace;
  g->by = engine;
  g->by_reduced = reduced;
  tl_goals_answer (g, a, verdict);
  g->by = 0;
  g->by_reduced = false;
  answer->seconds = seconds;
  if (named)
    tl_culprits_name (g, a->question->kind);
  return TL_OK;
}

// The formula that was looked for; null: it is none.
static tl_status restore_formula (tl_goals *g, tl_unparcel *u,
                                  tl_formula **formula) {
  const uint64_t count =
      tl_unparcel_count (u, (uint64_t)(u->end - u->at) / sizeof count);
  uint64_t *words;
  if (!TL_NEW (g->mem, words, count))
    return TL_E_NOMEM;
  for (uint64_t i = 0; i < count; i++)
    words[i] = tl_unparcel_number (u);
  tl_unpacking unpacking = {
      .arena = &g->arena, .net = g->net, .at = words, .end = words + count};
  *formula = u->failed ? 0 : tl_unpack_formula (&unpacking);
  u->failed |= unpacking.failed;
  TL_DEL (g->mem, words, count);
  return TL_OK;
}

// The question is looked for as it was.
static tl_status restore_plan (tl_goals *g, tl_asked *a, uint32_t goals,
                               tl_unparcel *u) {
  tl_formula *formula;
  tl_status rc = restore_formula (g, u, &formula);
  if (rc || u->failed || tl_goals_is_decided (a))
    return rc;
  if (!a->plan.goals || tl_formula_order (formula, a->small.formula))
    rc = tl_goals_replan (g, a, formula);
  u->failed |= rc == TL_E_MODEL || (!rc && a->plan.goals != goals);
  return rc == TL_E_MODEL ? TL_OK : rc;
}

static tl_status restore_goals (tl_goals *g, tl_asked *a, tl_unparcel *u) {
  const uint32_t goals = (uint32_t)tl_unparcel_count (u, UINT32_MAX);
  tl_status rc = goals ? restore_plan (g, a, goals, u) : TL_OK;
  for (uint32_t i = 0; !rc && !u->failed && i < goals; i++) {
    const uint64_t verdict = tl_unparcel_count (u, TL_VERDICT_BOUND);
    tl_trace trace;
    rc = tl_unparcel_trace (u, g->net->transitions, &trace);
    if (rc || u->failed || tl_goals_is_decided (a))
      tl_trace_close (&trace);
    else {
      g->goal[a->first_goal + i].verdict = (tl_verdict)verdict;
      g->goal[a->first_goal + i].trace = trace;
    }
  }
  return rc;
}

static tl_status restore_open (tl_goals *g, tl_asked *a, uint64_t value,
                               tl_unparcel *u) {
  if (!tl_goals_is_decided (a) && value > a->answer->value)
    a->answer->value = value;
  const tl_status rc = restore_goals (g, a, u);
  if (!rc && a->question->kind == TL_ASK_BOUND && !tl_goals_is_decided (a) &&
      a->answer->value >= a->most)
    tl_goals_answer (g, a, TL_VERDICT_BOUND);
  return rc;
}

static tl_status restore_question (tl_goals *g, tl_asked *a, tl_unparcel *u) {
  const char *formula = tl_unparcel_text (u);
  const tl_verdict verdict =
      (tl_verdict)tl_unparcel_count (u, TL_VERDICT_BOUND);
  const uint64_t value = tl_unparcel_number (u);
  return u->failed                              ? TL_OK
         : strcmp (formula, a->answer->formula) ? TL_E_ARG
         : verdict == TL_VERDICT_UNKNOWN
             ? restore_open (g, a, value, u)
             : restore_answer (g, a, verdict, value, u);
}

// Whether something open asks for it.
static bool asks (const tl_goals *g, tl_question_kind kind) {
  for (size_t i = 0; i < g->count; i++)
    if (g->asked[i].question->kind == kind &&
        !tl_goals_is_decided (g->asked + i))
      return true;
  return false;
}

// What was seen of the nodes of the net.
static void restore_nodes (tl_goals *g, tl_unparcel *u) {
  const tl_net *net = g->net;
  const uint32_t places = tl_shown_places (net);
  size_t changed_length, fired_length;
  const uint8_t *changed = tl_unparcel_bytes (u, &changed_length),
                *fired = tl_unparcel_bytes (u, &fired_length);
  u->failed |= changed_length != places || fired_length != net->transitions;
  for (uint32_t p = 0; !u->failed && p < places; p++)
    if (changed[p] && !g->changed[p]) {
      g->changed[p] = 1;
      g->constant--;
    }
  for (uint32_t t = 0; !u->failed && t < net->transitions; t++)
    if (fired[t] && !g->fired[t]) {
      tl_goals_mark_all (g, g->fired, t);
      g->unfired--;
    }
}

tl_status tl_goals_restore (void *goals, tl_unparcel *u) {
  tl_goals *g = goals;
  tl_status rc = tl_unparcel_number (u) == g->count ? TL_OK : TL_E_ARG;
  for (size_t i = 0; !rc && !u->failed && i < g->count; i++)
    rc = restore_question (g, g->asked + i, u);
  if (rc)
    return rc;
  g->unsafe = tl_unparcel_number (u);
  g->unbounded = tl_unparcel_number (u);
  g->patience = tl_unparcel_number (u);
  g->open = (size_t)tl_unparcel_number (u);
  restore_nodes (g, u);
  // What is named belongs to the trace that is there.
  g->asks_safe = g->asks_safe && asks (g, TL_ASK_ONE_SAFE);
  if (!u->failed)
    tl_goals_look (g);
  return TL_OK;
}
