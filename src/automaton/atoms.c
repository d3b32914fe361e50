#include "automaton/atoms.h"

#include "logic/simplify.h"

static tl_path fail (tl_atoms *a, tl_status rc) {
  if (!a->paths->rc)
    a->paths->rc = rc;
  return TL_PATH_NONE;
}

static uint32_t find (const tl_atoms *a, const tl_formula *f) {
  uint32_t i = 0;
  while (i < a->count && tl_formula_order (a->atom[i], f))
    i++;
  return i;
}

static tl_path literal (tl_atoms *a, tl_formula *f, bool negated) {
  for (; f->op == TL_NOT; negated = !negated)
    f = f->operand[0];
  // What E and A mean depends on more than the formula after them.
  if (!tl_formula_has_temporal (f)) {
    tl_formula *not = tl_formula_negate (a->arena, f);
    if (!not || !(f = tl_formula_simplify (a->arena, f)))
      return fail (a, TL_E_NOMEM);
    if (f->op == TL_TRUE || f->op == TL_FALSE)
      return (f->op == TL_TRUE) != negated ? TL_PATH_TRUE : TL_PATH_FALSE;
    const uint32_t there = find (a, not );
    if (there < a->count)
      return tl_path_literal (a->paths, there, !negated);
  }
  const uint32_t number = find (a, f);
  if (number == a->most) {
    a->too_many = true;
    return fail (a, TL_E_LIMIT);
  }
  if (number == a->count)
    a->atom[a->count++] = f;
  return tl_path_literal (a->paths, number, negated);
}

static tl_path list (tl_atoms *a, const tl_formula *f, bool negated) {
  tl_formula **now;
  tl_path *member;
  uint32_t states = 0, members = 0;
  if (!TL_ARENA_NEW (&a->paths->arena, member, f->count + 1) ||
      !TL_ARENA_NEW (a->arena, now, f->count))
    return fail (a, TL_E_NOMEM);
  for (uint32_t i = 0; i < f->count; i++)
    if (!tl_formula_is_path (f->operand[i]))
      now[states++] = f->operand[i];
    else if (!(member[members++] = tl_atoms_path (a, f->operand[i], negated)))
      return TL_PATH_NONE;
  if (states) {
    tl_formula *joined = tl_formula_nary (a->arena, f->op, now, states);
    if (!joined)
      return fail (a, TL_E_NOMEM);
    member[members++] = literal (a, joined, negated);
  }
  return tl_path_join (a->paths,
                       (f->op == TL_AND) != negated ? TL_PATH_AND : TL_PATH_OR,
                       member, members);
}

tl_path tl_atoms_path (tl_atoms *a, const tl_formula *f, bool negated) {
  tl_paths *t = a->paths;
  if (t->rc)
    return TL_PATH_NONE;
  if (!tl_formula_is_path (f))
    return literal (a, (tl_formula *)f, negated);
  if (f->op == TL_NOT)
    return tl_atoms_path (a, f->operand[0], !negated);
  if (f->op == TL_AND || f->op == TL_OR)
    return list (a, f, negated);
  const tl_path right = tl_atoms_path (a, f->operand[f->count - 1], negated);
  if (f->op == TL_NEXT)
    return tl_path_next (t, right);
  const bool until = (f->op == TL_FINALLY || f->op == TL_UNTIL) != negated;
  const tl_path left = f->op == TL_UNTIL || f->op == TL_RELEASE
                           ? tl_atoms_path (a, f->operand[0], negated)
                           : (until ? TL_PATH_TRUE : TL_PATH_FALSE);
  return tl_path_temporal (t, until ? TL_PATH_UNTIL : TL_PATH_RELEASE, left,
                           right);
}
