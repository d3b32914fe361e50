#include "logic/clue.h"

// The formula behind E X E X ... or E X X ..., with `op` for E, and how many X
// there are.
static tl_formula *skip_next (tl_formula *f, tl_op op, uint64_t *steps) {
  *steps = 0;
  for (;; f = f->operand[0])
    if (f->op == TL_NEXT)
      ++*steps;
    else if (f->op != op)
      return f;
}

// What a run says that stays where it satisfies the same for ever: GF f and FG
// f are f there.  Null: the formula speaks of more than the end of a run, or
// there is no memory.
static tl_formula *at_the_end (tl_arena *arena, tl_formula *f) {
  if ((f->op == TL_FINALLY && f->operand[0]->op == TL_GLOBALLY) ||
      (f->op == TL_GLOBALLY && f->operand[0]->op == TL_FINALLY))
    return tl_formula_has_temporal (f->operand[0]->operand[0])
               ? 0
               : f->operand[0]->operand[0];
  tl_formula **part;
  if ((f->op != TL_AND && f->op != TL_OR) ||
      !TL_ARENA_NEW (arena, part, f->count))
    return 0;
  for (uint32_t i = 0; i < f->count; i++)
    if (!(part[i] = at_the_end (arena, f->operand[i])))
      return 0;
  return tl_formula_nary (arena, f->op, part, f->count);
}

// The marking that shows it satisfies f, or with `all` not f.
static tl_formula *shown_by (tl_arena *arena, tl_formula *f, bool all) {
  return !f    ? 0
         : all ? tl_formula_negate (arena, f)
               : tl_formula_simplify (arena, f);
}

// The same, dead.
static tl_formula *shown_dead (tl_arena *arena, tl_formula *f, bool all) {
  tl_formula *both[] = {tl_formula_deadlock (arena), shown_by (arena, f, all)};
  return both[0] && both[1]
             ? tl_formula_simplify (arena,
                                    tl_formula_nary (arena, TL_AND, both, 2))
             : 0;
}

bool tl_clue_returns (const tl_formula *f) {
  const tl_op outer = f->op == TL_ALL ? TL_FINALLY : TL_GLOBALLY,
              inner = f->op == TL_ALL ? TL_GLOBALLY : TL_FINALLY;
  const tl_formula *path =
      f->op == TL_EXISTS || f->op == TL_ALL ? f->operand[0] : 0;
  return path && path->op == outer && path->operand[0]->op == inner &&
         !tl_formula_has_temporal (path->operand[0]->operand[0]);
}

tl_status tl_clue_find (tl_arena *arena, tl_formula *f, bool returns,
                        tl_clue *h) {
  *h = (tl_clue){0};
  if (f->op != TL_EXISTS && f->op != TL_ALL)
    return TL_OK;
  const bool all = f->op == TL_ALL, again = returns && tl_clue_returns (f);
  tl_formula *rest = skip_next (f, f->op, &h->least), *end;
  h->holds = !all;
  h->shows = !again;
  rest = again ? rest->operand[0] : rest;
  h->decides = again || (rest->op == (all ? TL_GLOBALLY : TL_FINALLY) &&
                         !tl_formula_has_temporal (rest->operand[0]));
  if (h->decides)
    h->target = shown_by (arena, rest->operand[0], all);
  else if (!h->least && (end = at_the_end (arena, rest)))
    h->target = shown_dead (arena, end, all);
  else
    return TL_OK;
  if (!h->target)
    return TL_E_NOMEM;
  if (h->target->op == TL_TRUE || h->target->op == TL_FALSE)
    h->target = 0;
  return TL_OK;
}
