#include "logic/on_run.h"

#include "logic/bracket.h"

// Every operator is monotone in what it stands before: NOT is only in front of
// atoms.
static tl_formula *on_run (tl_arena *arena, tl_formula *f) {
  tl_formula **part;
  if (!tl_formula_has_temporal (f))
    return f;
  if (f->op == TL_EXISTS)
    return on_run (arena, f->operand[0]);
  if (f->op == TL_ALL)
    return tl_formula_below (arena, f, TL_NEXT_LTL);
  if (!TL_ARENA_NEW (arena, part, f->count))
    return 0;
  for (uint32_t i = 0; i < f->count; i++)
    if (!(part[i] = on_run (arena, f->operand[i])))
      return 0;
  return tl_formula_with (arena, f, part);
}

tl_formula *tl_formula_on_run (tl_arena *arena, tl_formula *f) {
  tl_formula *run = on_run (arena, f);
  run = run ? tl_formula_simplify_as (arena, run, TL_NEXT_LTL) : 0;
  return run && tl_formula_is_path (run)
             ? tl_formula_unary (arena, TL_EXISTS, run)
             : run;
}
