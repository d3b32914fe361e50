#include "certify/evidence.h"

#include "base/budget.h"
#include "base/clock.h"
#include "base/error.h"
#include "check/check.h"
#include "check/refute.h"
#include "logic/eval.h"
#include "net/marking.h"

#include <stdlib.h>
#include <string.h>

// Seconds to study the net, for linear programs, for one proof, and for all
// those of which one is enough.
#define STRUCTURE_SECONDS 5.0
#define EQUATION_SECONDS 60.0
#define PROOF_SECONDS 10.0
#define SEARCH_SECONDS 20.0
// Farther away a bound is not looked for: it need not be the least one.
#define FAR ((int64_t)1 << 40)

// ---- Opening ---------------------------------------------------------------

tl_status tl_certifying_open (tl_certifying *c, tl_mem *root, const tl_net *net,
                              const tl_questions *questions,
                              const tl_options *options, tl_answers *answers) {
  *c = (tl_certifying){.root = root,
                       .mem = TL_MEM (root, "certificate"),
                       .net = net,
                       .options = options,
                       .count = questions->count};
  c->arena = TL_ARENA (&c->mem);
  c->proof.mem = &c->mem;
  if (!TL_NEW (&c->mem, c->question, c->count) ||
      !TL_NEW (&c->mem, c->initial, net->places) ||
      !TL_NEW (&c->mem, c->marking, net->places))
    return TL_E_NOMEM;
  tl_marking_initial (net, c->initial);
  for (size_t i = 0; i < c->count; i++) {
    c->question[i] = (tl_certify_question){.question = questions->question + i,
                                           .answer = answers->answer + i};
    if (!tl_certify_split (&c->arena, net, c->question + i))
      return TL_E_NOMEM;
  }
  return TL_OK;
}

void tl_certifying_close (tl_certifying *c) {
  for (size_t i = 0; c->question && i < c->count; i++)
    for (uint32_t k = 0; k < c->question[i].goals; k++)
      if (c->question[i].goal[k].owned)
        tl_trace_close (&c->question[i].goal[k].run);
  TL_DEL (&c->mem, c->question, c->count);
  TL_DEL (&c->mem, c->initial, c->net->places);
  TL_DEL (&c->mem, c->marking, c->net->places);
  tl_case_proof_close (&c->proof);
  tl_arena_close (&c->arena);
}

// ---- Runs ------------------------------------------------------------------

static bool is_reached (const tl_certifying *c, const tl_certify_goal *g,
                        const uint64_t *marking) {
  return tl_formula_holds (g->formula, c->net, marking) != g->negated;
}

// Does the run lead to the goal?
static bool leads (tl_certifying *c, const tl_certify_goal *g,
                   const tl_trace *run) {
  memcpy (c->marking, c->initial, c->net->places * sizeof *c->marking);
  return run->length <= UINT32_MAX &&
         tl_marking_run (c->net, c->marking, run->transition, run->length) &&
         is_reached (c, g, c->marking);
}

static void set_run (tl_certify_goal *g, tl_trace run, bool owned) {
  g->reached = TL_VERDICT_TRUE;
  g->evidence = TL_BY_RUN;
  g->run = run;
  g->owned = owned;
}

// The initial marking, and what the answer shows.
static void take_trace (tl_certifying *c, const tl_certify_question *q,
                        tl_certify_goal *g) {
  const tl_trace *shown = &q->answer->trace;
  if (is_reached (c, g, c->initial))
    set_run (g, (tl_trace){0}, false);
  else if (shown->transition && !shown->step && leads (c, g, shown))
    set_run (g, *shown, false);
}

// ---- Proofs ----------------------------------------------------------------

typedef struct proving {
  tl_structure *structure;
  tl_refuter refuter;
} proving;

// Without these there are no proofs.
static void begin_proofs (tl_certifying *c, proving *p) {
  p->refuter = (tl_refuter){.mem = &c->mem, .proof = &c->proof};
  if (tl_structure_open (&p->structure, &c->mem, c->net,
                         tl_budget_left (&c->mem, STRUCTURE_SECONDS), 0))
    return;
  p->refuter.structure = p->structure;
  (void)tl_equation_open (&p->refuter.equation, &c->mem,
                          p->structure->incidence, c->net->initial,
                          EQUATION_SECONDS);
}

static void end_proofs (proving *p) {
  tl_equation *equation = p->refuter.equation;
  if (p->structure)
    tl_refuter_close (&p->refuter);
  tl_equation_close (equation);
  tl_structure_close (p->structure);
}

static void refute (tl_certifying *c, proving *p, tl_certify_goal *g) {
  tl_case_proof *proof = &c->proof;
  const size_t literals = proof->literals, parts = proof->parts;
  g->first = proof->steps;
  proof->has_gaps = false;
  if (p->structure && !tl_budget_look (&c->mem) &&
      tl_refuter_never (&p->refuter, g->formula, g->negated, PROOF_SECONDS) &&
      !proof->has_gaps && !proof->lacks_facts) {
    g->last = proof->steps;
    g->reached = TL_VERDICT_FALSE;
    g->evidence = TL_BY_STEPS;
  } else {
    tl_case_proof_cut (proof, g->first, literals, parts);
  }
}

// Some bound of the sum that is to have one.
static bool find_bound (proving *p, const tl_certify_question *q,
                        tl_arena *arena, uint64_t *bound) {
  const tl_question *of = q->question;
  tl_entry *minus;
  int64_t least;
  if (!p->structure || !p->refuter.equation ||
      !TL_ARENA_NEW (arena, minus, of->term_count))
    return false;
  for (uint32_t i = 0; i < of->term_count; i++)
    minus[i] = (tl_entry){of->term[i].place, -of->term[i].coefficient};
  if (!tl_equation_least (p->refuter.equation,
                          (tl_vector){minus, of->term_count}, &least) ||
      least > 0 || least < -FAR)
    return false;
  *bound = (uint64_t)-least;
  return true;
}

static void prove_finite (tl_certifying *c, proving *p,
                          tl_certify_question *q) {
  if (find_bound (p, q, &c->arena, &q->value)) {
    q->goal->formula->bound = (int64_t)q->value;
    refute (c, p, q->goal);
  }
  if (!q->goal->evidence)
    q->why_not = "no invariant was found that bounds it";
}

// Of several goals of which one is enough, until one is refuted.
static void prove_one (tl_certifying *c, proving *p, tl_certify_question *q) {
  const double end = tl_clock_busy () + SEARCH_SECONDS;
  for (uint32_t i = 0; i < q->goals && tl_clock_busy () < end; i++) {
    if (q->goal[i].evidence)
      continue;
    refute (c, p, q->goal + i);
    if (q->goal[i].evidence)
      return;
  }
}

static bool is_one_of (const tl_certify_question *q) {
  return (q->question->kind == TL_ASK_QUASI_LIVE &&
          q->answer->verdict == TL_VERDICT_FALSE) ||
         (q->question->kind == TL_ASK_STABLE_MARKING &&
          q->answer->verdict == TL_VERDICT_TRUE);
}

static void prove (tl_certifying *c, proving *p, tl_certify_question *q) {
  if (q->question->kind == TL_ASK_BOUND && q->question->finite) {
    prove_finite (c, p, q);
    return;
  }
  if (is_one_of (q)) {
    prove_one (c, p, q);
    return;
  }
  for (uint32_t i = 0; i < q->goals; i++)
    if (!q->goal[i].evidence && q->goal[i].guess != TL_VERDICT_TRUE)
      refute (c, p, q->goal + i);
}

// ---- Goals that are looked for ---------------------------------------------

static bool is_wanted (const tl_certifying *c, const tl_certify_question *q,
                       const tl_certify_goal *g) {
  return !q->why_not && !g->evidence && g->guess != TL_VERDICT_FALSE &&
         !is_one_of (q) && !tl_certifying_decides (c, q);
}

static bool ask_for (tl_questions *asked, const tl_certify_goal *g) {
  tl_question *q = tl_questions_add (asked, "goal");
  tl_formula *f = !q ? 0
                  : !g->negated
                      ? g->formula
                      : tl_formula_unary (&asked->arena, TL_NOT, g->formula);
  if (!f)
    return false;
  q->kind = TL_ASK_FORMULA;
  q->formula =
      tl_formula_unary (&asked->arena, TL_EXISTS,
                        tl_formula_unary (&asked->arena, TL_FINALLY, f));
  return q->formula;
}

// Does something for each goal that has no evidence, in order.
typedef bool visit_goal (tl_certifying *, tl_certify_goal *, void *context);

static bool for_wanted (tl_certifying *c, visit_goal *visit, void *context) {
  for (size_t i = 0; i < c->count; i++)
    for (uint32_t k = 0; k < c->question[i].goals; k++) {
      tl_certify_goal *g = c->question[i].goal + k;
      if (g->owned && !visit (c, g, context))
        return false;
    }
  return true;
}

static bool put_question (tl_certifying *c, tl_certify_goal *g, void *context) {
  (void)c;
  return ask_for (context, g);
}

typedef struct taking {
  tl_answer *next;
} taking;

static bool take_answer (tl_certifying *c, tl_certify_goal *g, void *context) {
  tl_answer *a = ((taking *)context)->next++;
  g->owned = false;
  if (a->trace.transition && !a->trace.step && leads (c, g, &a->trace)) {
    set_run (g, a->trace, true);
    a->trace = (tl_trace){0};
  }
  return true;
}

static tl_status ask (tl_certifying *c, tl_questions *asked, tl_error *error) {
  tl_options how = *c->options;
  tl_answers answers;
  how.certificate = 0;
  how.on_answer = 0;
  how.stubborn = "none";
  if (!for_wanted (c, put_question, asked))
    return tl_fail (error, TL_E_NOMEM, "no memory for the certificate");
  const tl_status rc =
      tl_check_on (c->root, c->net, 0, asked, &how, &answers, error);
  if (rc)
    return rc;
  taking t = {answers.answer};
  (void)for_wanted (c, take_answer, &t);
  tl_answers_close (&answers);
  return TL_OK;
}

// Goals that are to be asked for are `owned` until they are.
static tl_status find_runs (tl_certifying *c, tl_error *error) {
  bool any = false;
  for (size_t i = 0; i < c->count; i++)
    for (uint32_t k = 0; k < c->question[i].goals; k++) {
      tl_certify_goal *g = c->question[i].goal + k;
      any |= g->owned = is_wanted (c, c->question + i, g);
    }
  tl_questions *asked;
  if (!any)
    return TL_OK;
  tl_status rc = tl_questions_open (&asked, c->net, error);
  if (!rc)
    rc = ask (c, asked, error);
  tl_questions_close (asked);
  return rc;
}

tl_status tl_certifying_find (tl_certifying *c, tl_error *error) {
  proving p = {0};
  bool begun = false;
  for (size_t i = 0; i < c->count; i++) {
    tl_certify_question *q = c->question + i;
    for (uint32_t k = 0; k < q->goals; k++)
      take_trace (c, q, q->goal + k);
    if (q->why_not || tl_certifying_decides (c, q))
      continue;
    if (!begun)
      begin_proofs (c, &p);
    begun = true;
    prove (c, &p, q);
  }
  end_proofs (&p);
  return find_runs (c, error);
}

// ---- What it comes to ------------------------------------------------------

bool tl_certifying_decides (const tl_certifying *c,
                            const tl_certify_question *q) {
  return !q->why_not &&
         tl_certify_verdict (c->net, q, c->initial) == q->answer->verdict;
}

bool tl_certifying_by_states (tl_certifying *c, bool on) {
  bool any = false;
  for (size_t i = 0; i < c->count; i++) {
    tl_certify_question *q = c->question + i;
    if (q->why_not || tl_certifying_decides (c, q))
      continue;
    for (uint32_t k = 0; k < q->goals; k++)
      if (q->goal[k].evidence == (on ? TL_WITHOUT : TL_BY_STATES)) {
        q->goal[k].evidence = on ? TL_BY_STATES : TL_WITHOUT;
        any = true;
      }
  }
  return any;
}
