#include "certify/targets.h"

#include "logic/eval.h"

// Numbers of certificates are smaller in size.
#define LARGE ((int64_t)1 << 60)

static bool is_ef (const tl_formula *f) {
  return f->op == TL_EXISTS && f->operand[0]->op == TL_FINALLY;
}

static bool is_ag (const tl_formula *f) {
  return f->op == TL_ALL && f->operand[0]->op == TL_GLOBALLY;
}

static bool is_joint (tl_op op) {
  return op == TL_NOT || op == TL_AND || op == TL_OR;
}

static bool is_large (int64_t x) {
  return x >= LARGE || x <= -LARGE;
}

static bool has_large (const tl_summand *term, uint32_t count, int64_t bound) {
  bool large = is_large (bound);
  for (uint32_t i = 0; i < count; i++)
    large |= is_large (term[i].coefficient);
  return large;
}

// Why the formula has no goals; null: it has, and they are counted.
static const char *look_at (const tl_formula *f, bool inside, uint32_t *goals) {
  if (f->op == TL_COMPARE)
    return has_large (f->term, f->count, f->bound) ? "its numbers are too large"
                                                   : 0;
  if (f->op < TL_NOT)
    return 0;
  if (!inside && (is_ef (f) || is_ag (f))) {
    ++*goals;
    return look_at (f->operand[0]->operand[0], true, goals);
  }
  if (!is_joint (f->op))
    return "it is about runs, not about single markings";
  const char *why = 0;
  for (uint32_t i = 0; !why && i < f->count; i++)
    why = look_at (f->operand[i], inside, goals);
  return why;
}

static tl_certify_goal *list_goals (tl_formula *f, tl_certify_goal *next) {
  if (is_ef (f) || is_ag (f)) {
    *next = (tl_certify_goal){.formula = f->operand[0]->operand[0],
                              .negated = is_ag (f)};
    return next + 1;
  }
  for (uint32_t i = 0; is_joint (f->op) && i < f->count; i++)
    next = list_goals (f->operand[i], next);
  return next;
}

static bool make_room (tl_arena *arena, tl_certify_question *q,
                       uint32_t goals) {
  q->goals = goals;
  return TL_ARENA_NEW (arena, q->goal, goals + (size_t)1);
}

static tl_verdict as_verdict (bool is) {
  return is ? TL_VERDICT_TRUE : TL_VERDICT_FALSE;
}

static bool split_formula (tl_arena *arena, tl_certify_question *q) {
  tl_formula *f = q->question->formula;
  uint32_t goals = 0;
  q->why_not = look_at (f, false, &goals);
  if (q->why_not)
    return true;
  if (!make_room (arena, q, goals))
    return false;
  (void)list_goals (f, q->goal);
  if (is_ef (f) || is_ag (f))
    q->goal->guess =
        as_verdict (is_ef (f) == (q->answer->verdict == TL_VERDICT_TRUE));
  return true;
}

// The sum is at most that, negated: it is more.
static bool set_more (tl_arena *arena, const tl_question *q, int64_t than,
                      tl_verdict guess, tl_certify_goal *g) {
  tl_formula *f;
  if (!TL_ARENA_NEW (arena, f, 1))
    return false;
  *f = (tl_formula){.op = TL_COMPARE, .count = q->term_count};
  f->term = q->term;
  f->bound = than;
  *g = (tl_certify_goal){.formula = f, .negated = true, .guess = guess};
  return true;
}

static bool is_ordered (const tl_question *q) {
  for (uint32_t i = 1; i < q->term_count; i++)
    if (q->term[i].place <= q->term[i - 1].place)
      return false;
  return true;
}

static bool split_bound (tl_arena *arena, tl_certify_question *q) {
  const tl_question *of = q->question;
  const uint64_t value = q->answer->value;
  if (q->answer->infinite)
    q->why_not = "that a sum has no bound is not certified";
  else if (!is_ordered (of))
    q->why_not = "its terms are not in order";
  else if (value >= LARGE - 1 || has_large (of->term, of->term_count, 0))
    q->why_not = "its numbers are too large";
  if (q->why_not)
    return true;
  q->value = value;
  if (!make_room (arena, q, of->finite ? 1 : 2))
    return false;
  if (of->finite)
    return set_more (arena, of, (int64_t)value, TL_VERDICT_FALSE, q->goal);
  return set_more (arena, of, (int64_t)value - 1, TL_VERDICT_TRUE, q->goal) &&
         set_more (arena, of, (int64_t)value, TL_VERDICT_FALSE, q->goal + 1);
}

static tl_formula *compare (tl_arena *arena, uint32_t place, int64_t factor,
                            int64_t bound) {
  bool overflow;
  const tl_summand term = {place, factor};
  return tl_formula_compare (arena, &term, 1, bound, &overflow);
}

// An OR as the verifier has it, of one operand, too.
static tl_formula *make_or (tl_arena *arena, uint32_t count) {
  tl_formula *f;
  if (!TL_ARENA_NEW (arena, f, 1))
    return 0;
  *f = (tl_formula){.op = TL_OR, .count = count};
  return TL_ARENA_NEW (arena, f->operand, count + (size_t)1) ? f : 0;
}

// Two tokens in a place; or other tokens than at the start.
static tl_formula *unsafe (tl_arena *arena, const tl_net *net) {
  tl_formula *f = make_or (arena, net->places);
  for (uint32_t p = 0; f && p < net->places; p++)
    if (!(f->operand[p] = compare (arena, p, -1, -2)))
      return 0;
  return f;
}

static tl_formula *changed (tl_arena *arena, const tl_net *net, uint32_t p) {
  const int64_t at_first = net->initial[p];
  tl_formula *f = make_or (arena, 2);
  return f && (f->operand[0] = compare (arena, p, 1, at_first - 1)) &&
                 (f->operand[1] = compare (arena, p, -1, -at_first - 1))
             ? f
             : 0;
}

static bool split_named (tl_arena *arena, const tl_net *net,
                         tl_certify_question *q) {
  const tl_question_kind kind = q->question->kind;
  const bool each = kind == TL_ASK_QUASI_LIVE || kind == TL_ASK_STABLE_MARKING;
  const bool holds = q->answer->verdict == TL_VERDICT_TRUE,
             somewhere = kind == TL_ASK_QUASI_LIVE ? !holds : holds;
  if (!make_room (arena, q,
                  kind == TL_ASK_QUASI_LIVE ? net->transitions
                  : each                    ? net->places
                                            : 1))
    return false;
  for (uint32_t i = 0; i < q->goals; i++) {
    tl_formula *f = kind == TL_ASK_DEADLOCK   ? tl_formula_deadlock (arena)
                    : kind == TL_ASK_ONE_SAFE ? unsafe (arena, net)
                    : kind == TL_ASK_QUASI_LIVE
                        ? tl_formula_fireable (arena, &i, 1)
                        : changed (arena, net, i);
    if (!f)
      return false;
    q->goal[i] = (tl_certify_goal){
        .formula = f,
        .guess = each && somewhere         ? TL_VERDICT_UNKNOWN
                 : each                    ? TL_VERDICT_TRUE
                 : kind == TL_ASK_DEADLOCK ? as_verdict (holds)
                                           : as_verdict (!holds)};
  }
  return true;
}

bool tl_certify_split (tl_arena *arena, const tl_net *net,
                       tl_certify_question *q) {
  const tl_question_kind kind = q->question->kind;
  if (q->answer->verdict == TL_VERDICT_UNKNOWN)
    q->why_not = "it is not answered";
  else if (kind == TL_ASK_LIVE || kind == TL_ASK_HOME_STATE)
    q->why_not = "it is about runs, not about single markings";
  else if (net->origin && kind != TL_ASK_FORMULA && kind != TL_ASK_BOUND &&
           kind != TL_ASK_DEADLOCK)
    q->why_not = "it is about the nodes of a coloured net";
  if (q->why_not)
    return true;
  return kind == TL_ASK_FORMULA ? split_formula (arena, q)
         : kind == TL_ASK_BOUND ? split_bound (arena, q)
                                : split_named (arena, net, q);
}

// ---- What follows ----------------------------------------------------------

static tl_verdict opposite (tl_verdict v) {
  return v == TL_VERDICT_TRUE    ? TL_VERDICT_FALSE
         : v == TL_VERDICT_FALSE ? TL_VERDICT_TRUE
                                 : v;
}

static tl_verdict either (tl_verdict a, tl_verdict b) {
  return a == TL_VERDICT_TRUE || b == TL_VERDICT_TRUE     ? TL_VERDICT_TRUE
         : a == TL_VERDICT_FALSE && b == TL_VERDICT_FALSE ? TL_VERDICT_FALSE
                                                          : TL_VERDICT_UNKNOWN;
}

typedef struct judging {
  const tl_net *net;
  const uint64_t *initial;
  const tl_certify_goal *goal; // the next one
} judging;

static tl_verdict value_of (judging *j, const tl_formula *f) {
  if (is_ef (f))
    return j->goal++->reached;
  if (is_ag (f))
    return opposite (j->goal++->reached);
  if (!is_joint (f->op))
    return as_verdict (tl_formula_holds (f, j->net, j->initial));
  const bool joined = f->op == TL_AND;
  tl_verdict v = TL_VERDICT_FALSE;
  for (uint32_t i = 0; i < f->count; i++) {
    const tl_verdict one = value_of (j, f->operand[i]);
    v = either (v, joined ? opposite (one) : one);
  }
  return joined || f->op == TL_NOT ? opposite (v) : v;
}

static tl_verdict any_goal (const tl_certify_question *q, bool reached) {
  tl_verdict v = TL_VERDICT_FALSE;
  for (uint32_t i = 0; i < q->goals; i++)
    v = either (v,
                reached ? q->goal[i].reached : opposite (q->goal[i].reached));
  return v;
}

static tl_verdict bound_of (const tl_certify_question *q) {
  const tl_verdict above = q->goal[q->goals - 1].reached;
  const bool met = q->goals == 1 || q->goal->reached == TL_VERDICT_TRUE;
  return !met || above != TL_VERDICT_FALSE ? TL_VERDICT_UNKNOWN
         : q->goals == 1                   ? TL_VERDICT_TRUE
                                           : TL_VERDICT_BOUND;
}

tl_verdict tl_certify_verdict (const tl_net *net, const tl_certify_question *q,
                               const uint64_t *initial) {
  judging j = {net, initial, q->goal};
  switch (q->question->kind) {
  case TL_ASK_FORMULA: return value_of (&j, q->question->formula);
  case TL_ASK_BOUND: return bound_of (q);
  case TL_ASK_DEADLOCK: return any_goal (q, true);
  case TL_ASK_STABLE_MARKING: return any_goal (q, false);
  default: return opposite (any_goal (q, q->question->kind == TL_ASK_ONE_SAFE));
  }
}
