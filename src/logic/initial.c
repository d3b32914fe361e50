#include "logic/initial.h"

#include "logic/eval.h"
#include "net/marking.h"

typedef struct place_in_time {
  tl_arena *arena;
  const tl_net *net;
  const uint64_t *marking;
  tl_next next;
  bool dead;
} place_in_time;

static tl_formula *at (const place_in_time *, tl_formula *);

static tl_formula *list (const place_in_time *now, const tl_formula *f) {
  const tl_op neutral = f->op == TL_AND ? TL_TRUE : TL_FALSE;
  const tl_op deciding = f->op == TL_AND ? TL_FALSE : TL_TRUE;
  tl_formula **member;
  size_t count = 0;
  if (!TL_ARENA_NEW (now->arena, member, f->count))
    return 0;
  for (uint32_t i = 0; i < f->count; i++) {
    tl_formula *one = at (now, f->operand[i]);
    if (!one || one->op == deciding)
      return one;
    if (one->op != neutral)
      member[count++] = one;
  }
  return tl_formula_nary (now->arena, f->op, member, count);
}

static tl_formula * not(const place_in_time *now, const tl_formula *f) {
  tl_formula *one = at (now, f->operand[0]);
  if (one && (one->op == TL_TRUE || one->op == TL_FALSE))
    return tl_formula_constant (now->arena, one->op == TL_FALSE);
  return tl_formula_unary (now->arena, TL_NOT, one);
}

static tl_formula *quantified (const place_in_time *now, tl_formula *f) {
  tl_formula *path = f->operand[0];
  if (path->op == TL_NEXT && now->next != TL_NEXT_LTL)
    return now->dead ? tl_formula_constant (now->arena, f->op == TL_ALL) : f;
  path = at (now, path);
  return path && tl_formula_is_path (path)
             ? tl_formula_unary (now->arena, f->op, path)
             : path;
}

// F, G, U and R: now, or later.
static tl_formula *temporal (const place_in_time *now, tl_formula *f) {
  const bool all = f->op == TL_GLOBALLY || f->op == TL_RELEASE;
  tl_formula *right = at (now, f->operand[f->count - 1]);
  if (!right || now->dead || right->op == (all ? TL_FALSE : TL_TRUE))
    return right;
  if (f->count == 1)
    return f;
  const tl_formula *left = at (now, f->operand[0]);
  return !left ? 0 : left->op == (all ? TL_TRUE : TL_FALSE) ? right : f;
}

static tl_formula *at (const place_in_time *now, tl_formula *f) {
  if (!tl_formula_has_temporal (f))
    return tl_formula_constant (now->arena,
                                tl_formula_holds (f, now->net, now->marking));
  switch (f->op) {
  case TL_NOT: return not(now, f);
  case TL_AND:
  case TL_OR: return list (now, f);
  case TL_EXISTS:
  case TL_ALL: return quantified (now, f);
  case TL_NEXT: return now->dead ? at (now, f->operand[0]) : f;
  default: return temporal (now, f);
  }
}

tl_formula *tl_formula_at (tl_arena *arena, tl_formula *f, const tl_net *net,
                           const uint64_t *marking, tl_next next) {
  const place_in_time now = {.arena = arena,
                             .net = net,
                             .marking = marking,
                             .next = next,
                             .dead = tl_marking_enabled (net, marking, 0) ==
                                     net->transitions};
  return at (&now, f);
}
