#include "verify/question.h"

#include "base/budget.h"
#include "base/error.h"

#include <inttypes.h>
#include <string.h>

enum { OFTEN = 1 << 12 };

typedef struct reading {
  tl_mem *mem;
  tl_cert_source *source;
  const tl_cert_net *net;
  tl_reasoning reasoning;
  tl_reason_mark facts;
  uint64_t *tokens; // [places]
} reading;

// ---- Goals -----------------------------------------------------------------

static bool is_joint (tl_cert_op op) {
  return op == TL_CERT_NOT || op == TL_CERT_AND || op == TL_CERT_OR;
}

// EF and AG of the formula, counted and, if there is room, listed.
static uint32_t list_goals (const tl_assertion *a, tl_cert_goal *goal,
                            uint32_t n) {
  if (a->op == TL_CERT_EF || a->op == TL_CERT_AG) {
    if (goal)
      goal[n] = (tl_cert_goal){a->operand, a->op == TL_CERT_AG, 0, 0};
    return n + 1;
  }
  for (uint32_t i = 0; is_joint (a->op) && i < a->count; i++)
    n = list_goals (a->operand + i, goal, n);
  return n;
}

// An assertion, or a comparison of one place, in the arena; null: there is no
// memory.
static tl_assertion *make (reading *r, tl_assertion a) {
  tl_assertion *made;
  if (TL_ARENA_NEW (r->source->arena, made, 1))
    *made = a;
  return made;
}

static bool make_place (reading *r, tl_assertion *a, uint32_t place,
                        int64_t factor, int64_t bound) {
  tl_cert_term *term;
  if (!TL_ARENA_NEW (r->source->arena, term, 1))
    return false;
  *term = (tl_cert_term){place, factor};
  *a = (tl_assertion){
      .op = TL_CERT_COMPARE, .count = 1, .term = term, .bound = bound};
  return true;
}

// Two tokens somewhere.
static const tl_assertion *make_unsafe (reading *r) {
  tl_assertion *two = 0;
  if (r->net->places && !TL_ARENA_NEW (r->source->arena, two, r->net->places))
    return 0;
  for (uint32_t p = 0; p < r->net->places; p++)
    if (!make_place (r, two + p, p, -1, -2))
      return 0;
  return make (r, (tl_assertion){.op = TL_CERT_OR,
                                 .count = r->net->places,
                                 .operand = two});
}

static const tl_assertion *make_changed (reading *r, uint32_t place) {
  const int64_t at_first = r->net->initial[place];
  tl_assertion *either;
  if (!TL_ARENA_NEW (r->source->arena, either, 2) ||
      !make_place (r, either, place, 1, at_first - 1) ||
      !make_place (r, either + 1, place, -1, -at_first - 1))
    return 0;
  return make (r,
               (tl_assertion){.op = TL_CERT_OR, .count = 2, .operand = either});
}

static const tl_assertion *make_fireable (reading *r, uint32_t transition) {
  uint32_t *list;
  if (!TL_ARENA_NEW (r->source->arena, list, 1))
    return 0;
  *list = transition;
  return make (r, (tl_assertion){
                      .op = TL_CERT_FIREABLE, .count = 1, .transition = list});
}

// The sum is at most that; the goal is that it is not.
static const tl_assertion *make_most (reading *r, const tl_cert_question *q,
                                      uint64_t most) {
  return make (r, (tl_assertion){.op = TL_CERT_COMPARE,
                                 .count = q->terms,
                                 .term = q->term,
                                 .bound = (int64_t)most});
}

static uint32_t count_goals (const reading *r, const tl_cert_question *q) {
  switch (q->kind) {
  case TL_CERT_FORMULA: return list_goals (&q->formula, 0, 0);
  case TL_CERT_MAX: return 2;
  case TL_CERT_QUASI_LIVE: return r->net->transitions;
  case TL_CERT_STABLE: return r->net->places;
  default: return 1;
  }
}

static tl_cert_goal make_goal (reading *r, const tl_cert_question *q,
                               uint32_t i) {
  switch (q->kind) {
  case TL_CERT_MAX: // of the first one it is at most one less
    return (tl_cert_goal){make_most (r, q, q->value - !i), true, 0, 0};
  case TL_CERT_FINITE:
    return (tl_cert_goal){make_most (r, q, q->value), true, 0, 0};
  case TL_CERT_ONE_SAFE: return (tl_cert_goal){make_unsafe (r), false, 0, 0};
  case TL_CERT_QUASI_LIVE:
    return (tl_cert_goal){make_fireable (r, i), false, 0, 0};
  case TL_CERT_STABLE: return (tl_cert_goal){make_changed (r, i), false, 0, 0};
  default:
    return (tl_cert_goal){make (r, (tl_assertion){.op = TL_CERT_DEADLOCK}),
                          false, 0, 0};
  }
}

static tl_status make_goals (reading *r, tl_cert_question *q) {
  q->goals = count_goals (r, q);
  if (q->goals && !TL_ARENA_NEW (r->source->arena, q->goal, q->goals))
    return tl_cert_no_memory (r->source);
  if (q->kind == TL_CERT_FORMULA)
    (void)list_goals (&q->formula, q->goal, 0);
  for (uint32_t i = 0; q->kind != TL_CERT_FORMULA && i < q->goals; i++) {
    q->goal[i] = make_goal (r, q, i);
    if (!q->goal[i].assertion)
      return tl_cert_no_memory (r->source);
  }
  return TL_OK;
}

// ---- Evidence --------------------------------------------------------------

static bool is_reached (const tl_cert_goal *g, const tl_cert_net *net,
                        const uint64_t *tokens) {
  return tl_assertion_holds (g->assertion, net, tokens) != g->negated;
}

static tl_status fire (reading *r, const tl_cert_transition *t) {
  if (!tl_cert_enabled (t, r->tokens))
    return tl_fail (r->source->error, TL_E_MODEL,
                    "a run is none: transition %s is not enabled", t->id);
  for (uint32_t i = 0; i < t->changes; i++)
    r->tokens[t->change[i].place] += (uint64_t)t->change[i].amount;
  return TL_OK;
}

static tl_status read_run (reading *r, tl_cert_goal *g) {
  uint32_t length, t;
  tl_status rc = tl_cert_count (r->source, &length);
  for (uint32_t p = 0; p < r->net->places; p++)
    r->tokens[p] = r->net->initial[p];
  for (uint32_t i = 0; !rc && i < length; i++) {
    rc = tl_cert_index (r->source, r->net->transitions, &t);
    if (!rc)
      rc = fire (r, r->net->transition + t);
    if (!rc && !(i % OFTEN) && (rc = tl_budget_look (r->mem)))
      tl_fail (r->source->error, rc, "the time limit was reached");
  }
  if (!rc && !is_reached (g, r->net, r->tokens))
    rc = tl_fail (r->source->error, TL_E_MODEL,
                  "a run leads to a marking that shows nothing");
  g->reached = TL_VERDICT_TRUE;
  return rc;
}

static tl_status read_evidence (reading *r, tl_cert_questions *all,
                                tl_cert_goal *g) {
  uint64_t evidence = 0;
  tl_status rc = tl_cert_number (r->source, TL_EVIDENCES - 1, &evidence);
  g->evidence = (uint8_t)evidence;
  if (rc)
    return rc;
  switch (evidence) {
  case TL_EVIDENCE_STEPS:
    g->reached = TL_VERDICT_FALSE;
    return tl_refutation_read (r->source, r->net, &r->reasoning, &r->facts,
                               g->assertion, g->negated);
  case TL_EVIDENCE_RUN: return read_run (r, g);
  case TL_EVIDENCE_STATES: all->needs_states = true; return TL_OK;
  default: return TL_OK;
  }
}

// ---- Reading ---------------------------------------------------------------

static tl_status read_claim (reading *r, tl_cert_question *q) {
  const bool sum = q->kind == TL_CERT_MAX || q->kind == TL_CERT_FINITE;
  uint64_t claim = 1;
  tl_status rc = TL_OK;
  if (sum)
    rc = tl_cert_number (r->source, (uint64_t)TL_CERT_LARGE - 2, &q->value);
  else
    rc = tl_cert_number (r->source, 1, &claim);
  q->claim = q->kind == TL_CERT_MAX ? TL_VERDICT_BOUND
             : claim                ? TL_VERDICT_TRUE
                                    : TL_VERDICT_FALSE;
  return rc;
}

static tl_status read_question (reading *r, tl_cert_questions *all,
                                tl_cert_question *q) {
  uint64_t kind = 0;
  tl_status rc = tl_cert_read_text (r->source, &q->name);
  if (!rc)
    rc = tl_cert_number (r->source, TL_CERT_KINDS - 1, &kind);
  q->kind = (tl_cert_kind)kind;
  if (!rc && kind == TL_CERT_FORMULA)
    rc = tl_assertion_read (r->source, r->net, &q->formula);
  if (!rc && (kind == TL_CERT_MAX || kind == TL_CERT_FINITE))
    rc = tl_cert_read_terms (r->source, r->net, true, &q->terms, &q->term);
  if (!rc)
    rc = read_claim (r, q);
  if (!rc)
    rc = make_goals (r, q);
  for (uint32_t i = 0; !rc && i < q->goals; i++)
    rc = read_evidence (r, all, q->goal + i);
  return rc;
}

static tl_status read_all (reading *r, tl_cert_questions *all) {
  tl_status rc = tl_invariants_read (r->source, r->net, &r->reasoning);
  if (!rc)
    rc = tl_records_expect (r->source->records, "asks", r->source->error);
  if (!rc)
    rc = tl_cert_count (r->source, &all->count);
  if (rc)
    return rc;
  r->facts = tl_reasoning_mark (&r->reasoning);
  all->facts = r->facts.rules;
  if (all->count && !TL_ARENA_NEW (r->source->arena, all->question, all->count))
    return tl_cert_no_memory (r->source);
  for (uint32_t i = 0; !rc && i < all->count; i++)
    rc = read_question (r, all, all->question + i);
  return rc ? rc : tl_records_done (r->source->records, r->source->error);
}

tl_status tl_cert_questions_read (tl_mem *mem, tl_cert_source *s,
                                  const tl_cert_net *net,
                                  tl_cert_questions *all) {
  reading r = {.mem = mem, .source = s, .net = net};
  *all = (tl_cert_questions){.net = net};
  tl_reasoning_open (&r.reasoning, mem);
  tl_status rc = TL_ARENA_NEW (s->arena, r.tokens, net->places)
                     ? TL_OK
                     : tl_cert_no_memory (s);
  if (!rc)
    rc = read_all (&r, all);
  tl_reasoning_close (&r.reasoning);
  return rc;
}

// ---- All markings ----------------------------------------------------------

void tl_cert_questions_see (tl_cert_questions *all, const uint64_t *tokens) {
  for (uint32_t i = 0; i < all->count; i++)
    for (uint32_t k = 0; k < all->question[i].goals; k++) {
      tl_cert_goal *g = all->question[i].goal + k;
      if (g->evidence == TL_EVIDENCE_STATES && g->reached != TL_VERDICT_TRUE &&
          is_reached (g, all->net, tokens))
        g->reached = TL_VERDICT_TRUE;
    }
}

void tl_cert_questions_seen (tl_cert_questions *all) {
  for (uint32_t i = 0; i < all->count; i++)
    for (uint32_t k = 0; k < all->question[i].goals; k++) {
      tl_cert_goal *g = all->question[i].goal + k;
      if (g->evidence == TL_EVIDENCE_STATES && g->reached != TL_VERDICT_TRUE)
        g->reached = TL_VERDICT_FALSE;
    }
}

// ---- Answers ---------------------------------------------------------------

static tl_verdict opposite (tl_verdict v) {
  return v == TL_VERDICT_TRUE    ? TL_VERDICT_FALSE
         : v == TL_VERDICT_FALSE ? TL_VERDICT_TRUE
                                 : v;
}

// Of OR of two; AND is that of the opposites.
static tl_verdict either (tl_verdict a, tl_verdict b) {
  return a == TL_VERDICT_TRUE || b == TL_VERDICT_TRUE     ? TL_VERDICT_TRUE
         : a == TL_VERDICT_FALSE && b == TL_VERDICT_FALSE ? TL_VERDICT_FALSE
                                                          : TL_VERDICT_UNKNOWN;
}

typedef struct judging {
  const tl_cert_questions *all;
  const tl_cert_goal *goal; // the next one
  const uint64_t *initial;
} judging;

static tl_verdict value_of (judging *j, const tl_assertion *a) {
  if (a->op == TL_CERT_EF)
    return j->goal++->reached;
  if (a->op == TL_CERT_AG)
    return opposite (j->goal++->reached);
  if (!is_joint (a->op))
    return tl_assertion_holds (a, j->all->net, j->initial) ? TL_VERDICT_TRUE
                                                           : TL_VERDICT_FALSE;
  const bool joined = a->op == TL_CERT_AND;
  tl_verdict v = TL_VERDICT_FALSE;
  for (uint32_t i = 0; i < a->count; i++) {
    const tl_verdict one = value_of (j, a->operand + i);
    v = either (v, joined ? opposite (one) : one);
  }
  return joined || a->op == TL_CERT_NOT ? opposite (v) : v;
}

static tl_verdict any_goal (const tl_cert_question *q, bool reached) {
  tl_verdict v = TL_VERDICT_FALSE;
  for (uint32_t i = 0; i < q->goals; i++)
    v = either (v,
                reached ? q->goal[i].reached : opposite (q->goal[i].reached));
  return v;
}

static tl_verdict verdict_of (judging *j, const tl_cert_question *q) {
  j->goal = q->goal;
  switch (q->kind) {
  case TL_CERT_FORMULA: return value_of (j, &q->formula);
  case TL_CERT_MAX: // a sum without negative terms is at least 0
    return (!q->value || q->goal[0].reached == TL_VERDICT_TRUE) &&
                   q->goal[1].reached == TL_VERDICT_FALSE
               ? TL_VERDICT_BOUND
               : TL_VERDICT_UNKNOWN;
  case TL_CERT_FINITE:
    return q->goal[0].reached == TL_VERDICT_FALSE ? TL_VERDICT_TRUE
                                                  : TL_VERDICT_UNKNOWN;
  case TL_CERT_DEAD: return any_goal (q, true);
  case TL_CERT_STABLE: return any_goal (q, false);
  default: // nothing is unsafe; no transition is never enabled
    return opposite (any_goal (q, q->kind == TL_CERT_ONE_SAFE));
  }
}

tl_status tl_cert_questions_judge (const tl_cert_questions *all, tl_mem *mem,
                                   tl_error *err) {
  uint64_t *initial;
  tl_status rc = TL_OK;
  if (!TL_NEW (mem, initial, all->net->places))
    return tl_fail (err, TL_E_NOMEM,
                    "the memory budget is too small for this certificate");
  for (uint32_t p = 0; p < all->net->places; p++)
    initial[p] = all->net->initial[p];
  judging j = {.all = all, .initial = initial};
  for (uint32_t i = 0; !rc && i < all->count; i++) {
    const tl_cert_question *q = all->question + i;
    const tl_verdict v = verdict_of (&j, q);
    if (v != q->claim)
      rc = tl_fail (err, TL_E_MODEL, "question %lu: the answer is %s",
                    (unsigned long)i + 1,
                    v == TL_VERDICT_UNKNOWN ? "not proven" : "another one");
  }
  TL_DEL (mem, initial, all->net->places);
  return rc;
}

// ---- For people ------------------------------------------------------------

void tl_cert_question_tell (const tl_cert_questions *all,
                            const tl_cert_question *q, FILE *f) {
  static const char *const word[TL_CERT_KINDS] = {
      "",         "MAX(",       "AG (",          "deadlock",
      "one-safe", "quasi-live", "stable-marking"};
  fputs (word[q->kind], f);
  if (q->kind == TL_CERT_FORMULA)
    tl_assertion_print (&q->formula, all->net, f);
  if (q->kind != TL_CERT_MAX && q->kind != TL_CERT_FINITE)
    return;
  tl_cert_print_sum (q->term, q->terms, all->net, f);
  fputs (q->kind == TL_CERT_MAX ? ")" : " < oo)", f);
}

const char *tl_cert_question_proof (const tl_cert_question *q) {
  static const char *const word[8] = {"the initial marking",
                                      "invariants",
                                      "a run",
                                      "invariants and a run",
                                      "all states",
                                      "invariants and all states",
                                      "a run and all states",
                                      "invariants, a run and all states"};
  unsigned by = 0;
  for (uint32_t i = 0; i < q->goals; i++)
    by |= q->goal[i].evidence ? 1U << (q->goal[i].evidence - 1) : 0;
  return word[by];
}
