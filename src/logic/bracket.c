#include "logic/bracket.h"

typedef struct bracket {
  tl_arena *arena;
  tl_next next;
} bracket;

static tl_formula *side (const bracket *, tl_formula *, bool above);

static tl_formula *pair (const bracket *b, tl_op op, tl_formula *left,
                         tl_formula *right) {
  return left && right ? tl_formula_binary (b->arena, op, left, right) : 0;
}

// Where a run ends, it stays: what is below f is then below all that f has to
// be for ever.
static tl_formula *dead (const bracket *b, tl_formula *f) {
  return pair (b, TL_AND, tl_formula_deadlock (b->arena), f);
}

// EX f is false in a dead marking, and AX f true; nothing else is known of what
// comes next.
static tl_formula *next (const bracket *b, tl_op quantifier, bool above) {
  const bool exists = quantifier == TL_EXISTS;
  if (b->next != TL_NEXT_CTL || exists != above)
    return tl_formula_constant (b->arena, above);
  tl_formula *end = tl_formula_deadlock (b->arena);
  return exists && end ? tl_formula_unary (b->arena, TL_NOT, end) : end;
}

// Is a part of the path about more than one of its markings?
static bool is_nested (const tl_formula *path) {
  for (uint32_t i = 0; i < path->count; i++)
    if (tl_formula_is_path (path->operand[i]))
      return true;
  return false;
}

// E or A of one operator; nothing is known of others.
static tl_formula *quantified (const bracket *b, const tl_formula *f,
                               bool above) {
  const tl_formula *path = f->operand[0];
  if (path->op < TL_NEXT || is_nested (path))
    return tl_formula_constant (b->arena, above);
  if (path->op == TL_NEXT)
    return next (b, f->op, above);
  if (path->op == TL_FINALLY && above)
    return tl_formula_constant (b->arena, true);
  tl_formula *last = side (b, path->operand[path->count - 1], above);
  if (path->op == TL_FINALLY || (path->op == TL_UNTIL && !above))
    return last;
  if (path->op == TL_UNTIL)
    return pair (b, TL_OR, side (b, path->operand[0], true), last);
  if (above)
    return last;
  tl_formula *end = dead (b, last);
  return path->op == TL_GLOBALLY
             ? end
             : pair (b, TL_OR, end,
                     pair (b, TL_AND, side (b, path->operand[0], false), last));
}

static tl_formula *side (const bracket *b, tl_formula *f, bool above) {
  if (!tl_formula_has_temporal (f))
    return f;
  if (f->op != TL_AND && f->op != TL_OR)
    return quantified (b, f, above);
  tl_formula **part;
  if (!TL_ARENA_NEW (b->arena, part, f->count))
    return 0;
  for (uint32_t i = 0; i < f->count; i++)
    if (!(part[i] = side (b, f->operand[i], above)))
      return 0;
  return tl_formula_nary (b->arena, f->op, part, f->count);
}

static tl_formula *simplified (tl_arena *arena, tl_formula *f, tl_next next,
                               bool above) {
  const bracket b = {arena, next};
  tl_formula *s = side (&b, f, above);
  return s ? tl_formula_simplify (arena, s) : 0;
}

tl_formula *tl_formula_above (tl_arena *arena, tl_formula *f, tl_next next) {
  return simplified (arena, f, next, true);
}

tl_formula *tl_formula_below (tl_arena *arena, tl_formula *f, tl_next next) {
  return simplified (arena, f, next, false);
}
