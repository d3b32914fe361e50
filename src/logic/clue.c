#include "logic/clue.h"

#include "logic/bracket.h"

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

static tl_formula *unless_constant (tl_formula *f) {
  return f->op == TL_TRUE || f->op == TL_FALSE ? 0 : f;
}

// F g and f U g are about g; of G f and g R f it is f that must not fail.
static tl_status bracket (tl_arena *arena, const tl_formula *path, tl_op op,
                          tl_next next, tl_clue *h) {
  const bool lasts = path->op == TL_GLOBALLY || path->op == TL_RELEASE;
  tl_formula *last = path->operand[path->count - 1];
  if (tl_formula_is_path (last))
    return TL_OK;
  last = lasts ? tl_formula_negate (arena, last) : last;
  tl_formula *above = last ? tl_formula_above (arena, last, next) : 0,
             *below = last ? tl_formula_below (arena, last, next) : 0;
  if (!above || !below)
    return TL_E_NOMEM;
  // Behind X, the end of a run decides otherwise.
  if (!h->least || lasts == (op == TL_ALL))
    h->needed = unless_constant (above);
  h->without = lasts;
  if (path->op == (op == TL_ALL ? TL_GLOBALLY : TL_FINALLY))
    h->target = unless_constant (below);
  return TL_OK;
}

static tl_status find_marking (tl_arena *arena, tl_formula *path, bool all,
                               tl_clue *h) {
  tl_formula *end = 0;
  if (h->decides)
    h->target = shown_by (arena, path->operand[0], all);
  else if (!h->least && (end = at_the_end (arena, path)))
    h->target = shown_dead (arena, end, all);
  if (!h->target)
    return h->decides || end ? TL_E_NOMEM : TL_OK;
  h->target = unless_constant (h->target);
  return TL_OK;
}

tl_status tl_clue_find (tl_arena *arena, tl_formula *f, tl_next next,
                        bool returns, tl_clue *h) {
  *h = (tl_clue){0};
  if (f->op != TL_EXISTS && f->op != TL_ALL)
    return TL_OK;
  const bool all = f->op == TL_ALL, again = returns && tl_clue_returns (f);
  tl_formula *rest = skip_next (f, f->op, &h->least);
  h->holds = !all;
  h->shows = !again;
  rest = again ? rest->operand[0] : rest;
  h->decides = again || (rest->op == (all ? TL_GLOBALLY : TL_FINALLY) &&
                         !tl_formula_has_temporal (rest->operand[0]));
  const tl_status rc = find_marking (arena, rest, all, h);
  return rc || h->target || h->decides || rest->op <= TL_NEXT
             ? rc
             : bracket (arena, rest, f->op, next, h);
}
