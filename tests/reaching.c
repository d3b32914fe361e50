#include "reaching.h"

#include "logic/eval.h"
#include "random_formula.h"

#include <stdlib.h>

// ---- Questions -------------------------------------------------------------

static uint32_t below (tl_random *r, uint32_t n) {
  return (uint32_t)tl_random_below (r, n);
}

static tl_question *add (tl_questions *list, tl_question_kind kind) {
  tl_question *q = tl_questions_add (list, "random");
  if (!q)
    abort ();
  *q = (tl_question){.kind = kind, .name = q->name};
  return q;
}

static tl_formula *make_formula (tl_questions *list, tl_random *r) {
  tl_arena *arena = &list->arena;
  tl_formula *f =
      random_formula (arena, list->net, RANDOM_STATE, below (r, 4), r);
  const bool always = below (r, 2);
  f = tl_formula_unary (arena, always ? TL_GLOBALLY : TL_FINALLY, f);
  return tl_formula_unary (arena, always ? TL_ALL : TL_EXISTS, f);
}

static void add_formula (tl_questions *list, tl_random *r) {
  add (list, TL_ASK_FORMULA)->formula = make_formula (list, r);
}

void reaching_add_joined (tl_questions *list, tl_random *r) {
  const tl_op op = below (r, 2) ? TL_AND : TL_OR;
  tl_formula *left = make_formula (list, r), *right = make_formula (list, r);
  add (list, TL_ASK_FORMULA)->formula =
      tl_formula_binary (&list->arena, op, left, right);
}

static void add_sum (tl_questions *list, tl_random *r) {
  tl_question *q = add (list, TL_ASK_BOUND);
  q->term_count = 1 + below (r, 3);
  if (!TL_ARENA_NEW (&list->arena, q->term, q->term_count))
    abort ();
  for (uint32_t i = 0; i < q->term_count; i++)
    q->term[i] = (tl_summand){below (r, list->net->places), 1 + below (r, 2)};
}

tl_questions *reaching_questions (const tl_net *net, unsigned formulas,
                                  unsigned sums, tl_random *r) {
  tl_questions *list;
  if (tl_questions_open (&list, net, 0))
    abort ();
  for (unsigned i = 0; i < formulas; i++)
    add_formula (list, r);
  for (unsigned i = 0; i < sums; i++)
    add_sum (list, r);
  add (list, TL_ASK_DEADLOCK);
  add (list, TL_ASK_ONE_SAFE);
  add (list, TL_ASK_QUASI_LIVE);
  add (list, TL_ASK_STABLE_MARKING);
  return list;
}

// ---- What is right ---------------------------------------------------------

static bool some_marking (const brute *b, const tl_formula *f) {
  for (uint64_t i = 0; i < b->states; i++)
    if (tl_formula_holds (f, b->net, brute_marking (b, i)))
      return true;
  return false;
}

static uint64_t largest (const brute *b, const tl_question *q) {
  uint64_t most = 0;
  for (uint64_t i = 0; i < b->states; i++) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < q->term_count; k++)
      sum += (uint64_t)q->term[k].coefficient *
             brute_marking (b, i)[q->term[k].place];
    most = sum > most ? sum : most;
  }
  return most;
}

static bool formula_holds (const brute *b, const tl_formula *f) {
  if (f->op == TL_AND || f->op == TL_OR) {
    const bool left = formula_holds (b, f->operand[0]),
               right = formula_holds (b, f->operand[1]);
    return f->op == TL_AND ? left && right : left || right;
  }
  tl_mem mem = TL_MEM (0, "formula");
  tl_arena arena = TL_ARENA (&mem);
  tl_formula *inner = f->operand[0]->operand[0];
  const bool always = f->op == TL_ALL;
  const tl_formula *seek =
      always ? tl_formula_unary (&arena, TL_NOT, inner) : inner;
  const bool found = some_marking (b, seek);
  tl_arena_close (&arena);
  return always ? !found : found;
}

static bool has_stable_place (const brute *b) {
  for (uint32_t p = 0; p < b->net->places; p++)
    if (b->place_min[p] == b->place_max[p])
      return true;
  return false;
}

const char *reaching_judge (const brute *b, const tl_question *q,
                            const tl_answer *a) {
  const bool yes = a->verdict == TL_VERDICT_TRUE;
  if (a->verdict == TL_VERDICT_UNKNOWN)
    return "is not decided";
  if (a->trace.length && !tl_trace_replay (b->net, &a->trace))
    return "has a trace that does not replay";
  switch (q->kind) {
  case TL_ASK_FORMULA:
    return yes == formula_holds (b, q->formula) ? 0 : "is wrong";
  case TL_ASK_BOUND:
    return a->value == largest (b, q) ? 0 : "has another bound";
  case TL_ASK_DEADLOCK: return yes == (b->deadlocks > 0) ? 0 : "is wrong";
  case TL_ASK_ONE_SAFE: return yes == (b->max_in_place <= 1) ? 0 : "is wrong";
  case TL_ASK_STABLE_MARKING:
    return yes == has_stable_place (b) ? 0 : "is wrong";
  default: return yes == !b->dead_transitions ? 0 : "is wrong";
  }
}
