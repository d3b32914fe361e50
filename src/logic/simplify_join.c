// AND and OR: flat, sorted, without repetitions, and without members that
// others make needless.

#include "logic/simplify_parts.h"

#include <stdlib.h>
#include <string.h>

// What a member is of, when members of this kind can be made one: in an OR
// those that say EF, F or FIREABLE, in an AND those that say AG, G or NOT
// FIREABLE.
typedef tl_formula *inside (const tl_formula *, tl_op joined_by);

static tl_formula *inside_temporal (const tl_formula *f, tl_op op) {
  return f->op == (op == TL_OR ? TL_FINALLY : TL_GLOBALLY) ? f->operand[0] : 0;
}

static tl_formula *inside_quantified (const tl_formula *f, tl_op op) {
  return f->op == (op == TL_OR ? TL_EXISTS : TL_ALL)
             ? inside_temporal (f->operand[0], op)
             : 0;
}

static tl_formula *inside_fireable (const tl_formula *f, tl_op op) {
  tl_formula *atom = op == TL_AND && f->op == TL_NOT ? f->operand[0]
                     : op == TL_OR                   ? (tl_formula *)f
                                                     : 0;
  return atom && atom->op == TL_FIREABLE ? atom : 0;
}

// Takes the members of a kind out of the list, if they are two or more, and
// gives what is inside of them.
static bool take (tl_members *from, inside *kind, tl_members *taken) {
  *taken = (tl_members){.arena = from->arena, .op = from->op};
  size_t count = 0, rest = 0;
  for (size_t i = 0; i < from->count; i++)
    count += kind (from->member[i], from->op) != 0;
  if (count < 2)
    return true;
  if (!TL_ARENA_NEW (from->arena, taken->member, count))
    return false;
  for (size_t i = 0; i < from->count; i++) {
    tl_formula *found = kind (from->member[i], from->op);
    if (found)
      taken->member[taken->count++] = found;
    else
      from->member[rest++] = from->member[i];
  }
  from->count = rest;
  return true;
}

static tl_formula *any_fireable (const tl_members *atoms) {
  size_t count = 0;
  for (size_t i = 0; i < atoms->count; i++)
    count += atoms->member[i]->count;
  uint32_t *all;
  if (!TL_ARENA_NEW (atoms->arena, all, count))
    return 0;
  count = 0;
  for (size_t i = 0; i < atoms->count; i++) {
    const tl_formula *atom = atoms->member[i];
    memcpy (all + count, atom->transition, atom->count * sizeof *all);
    count += atom->count;
  }
  tl_formula *f = tl_formula_fireable (atoms->arena, all, count);
  return atoms->op == TL_OR ? f : tl_formula_unary (atoms->arena, TL_NOT, f);
}

// Makes members of a kind one; false when there is no memory.
static bool merge_kinds (tl_members *l) {
  tl_arena *arena = l->arena;
  const tl_op temporal = l->op == TL_OR ? TL_FINALLY : TL_GLOBALLY;
  const tl_op quantifier = l->op == TL_OR ? TL_EXISTS : TL_ALL;
  tl_members taken;
  if (!take (l, inside_fireable, &taken) ||
      (taken.count && !(l->member[l->count++] = any_fireable (&taken))))
    return false;
  if (!take (l, inside_temporal, &taken) ||
      (taken.count && !(l->member[l->count++] = tl_simple_temporal (
                            arena, temporal, tl_simple_join (&taken)))))
    return false;
  return take (l, inside_quantified, &taken) &&
         (!taken.count ||
          (l->member[l->count++] = tl_simple_quantified (
               arena, quantifier,
               tl_simple_temporal (arena, temporal, tl_simple_join (&taken)))));
}

static int by_order (const void *left, const void *right) {
  return tl_formula_order (*(tl_formula *const *)left,
                           *(tl_formula *const *)right);
}

static bool same_sum (const tl_formula *l, const tl_formula *r) {
  if (l->op != TL_COMPARE || r->op != TL_COMPARE || l->count != r->count)
    return false;
  for (uint32_t i = 0; i < l->count; i++)
    if (l->term[i].place != r->term[i].place ||
        l->term[i].coefficient != r->term[i].coefficient)
      return false;
  return true;
}

// Sorts, and leaves one of equal members; of comparisons of the same sum, which
// stand in the order of their bounds, the first decides an AND and the last an
// OR.
static void sort_members (tl_members *l) {
  qsort (l->member, l->count, sizeof *l->member, by_order);
  size_t n = 0;
  for (size_t i = 0; i < l->count; i++) {
    tl_formula *f = l->member[i];
    if (n && same_sum (l->member[n - 1], f))
      l->member[n - 1] = l->op == TL_AND ? l->member[n - 1] : f;
    else if (!n || tl_formula_order (l->member[n - 1], f))
      l->member[n++] = f;
  }
  l->count = n;
}

// Operands of operands with the same operator become members themselves.
static bool flatten (tl_members *l) {
  size_t count = 0;
  for (size_t i = 0; i < l->count; i++)
    count += l->member[i]->op == l->op ? l->member[i]->count : 1;
  tl_formula **flat;
  if (!TL_ARENA_NEW (l->arena, flat, count))
    return false;
  count = 0;
  for (size_t i = 0; i < l->count; i++) {
    tl_formula *f = l->member[i];
    if (f->op == l->op)
      for (uint32_t k = 0; k < f->count; k++)
        flat[count++] = f->operand[k];
    else
      flat[count++] = f;
  }
  l->member = flat;
  l->count = count;
  return true;
}

// ---- Members that others make needless -------------------------------------

// Pairs of members are looked at in lists of up to this many.
enum { PAIRS = 64 };

// The sums of the comparisons are the same but for the sign.
static bool opposite_sums (const tl_formula *l, const tl_formula *r) {
  if (l->op != TL_COMPARE || r->op != TL_COMPARE || l->count != r->count)
    return false;
  for (uint32_t i = 0; i < l->count; i++)
    if (l->term[i].place != r->term[i].place ||
        l->term[i].coefficient != -r->term[i].coefficient)
      return false;
  return true;
}

// Do two members without time contradict each other, or with OR leave nothing
// out?
static bool decide_together (const tl_formula *l, const tl_formula *r,
                             tl_op op) {
  if (opposite_sums (l, r)) {
    const __int128 gap = (__int128)l->bound + r->bound;
    return op == TL_AND ? gap < 0 : gap >= -1;
  }
  return r->op == TL_NOT && l->op < TL_NOT &&
         !tl_formula_order (l, r->operand[0]);
}

// With OR: is the member an AND of which another member is an operand?
static bool is_absorbed (const tl_members *l, const tl_formula *f) {
  if (f->op != (l->op == TL_OR ? TL_AND : TL_OR))
    return false;
  for (uint32_t k = 0; k < f->count; k++)
    for (size_t i = 0; i < l->count; i++)
      if (!tl_formula_order (l->member[i], f->operand[k]))
        return true;
  return false;
}

// True: the members decide it.
static bool compare_pairs (tl_members *l) {
  if (l->count > PAIRS)
    return false;
  for (size_t i = 0; i < l->count; i++)
    for (size_t k = 0; k < l->count; k++)
      if (decide_together (l->member[i], l->member[k], l->op))
        return true;
  for (size_t i = l->count; i--;)
    if (is_absorbed (l, l->member[i]))
      memmove (l->member + i, l->member + i + 1,
               (--l->count - i) * sizeof *l->member);
  return false;
}

// ---- All of it -------------------------------------------------------------

// Leaves constants out; true: one of them decides it.
static bool fold_constants (tl_members *l) {
  size_t n = 0;
  for (size_t i = 0; i < l->count; i++)
    if (l->member[i]->op == (l->op == TL_AND ? TL_FALSE : TL_TRUE))
      return true;
    else if (!tl_formula_is_constant (l->member[i]))
      l->member[n++] = l->member[i];
  l->count = n;
  return false;
}

// Has a merged member become a constant, or a list that can be flattened?
static bool is_settled (const tl_members *l) {
  for (size_t i = 0; i < l->count; i++)
    if (tl_formula_is_constant (l->member[i]) || l->member[i]->op == l->op)
      return false;
  return true;
}

tl_formula *tl_simple_join (tl_members *l) {
  for (size_t i = 0; i < l->count; i++)
    if (!l->member[i])
      return 0;
  do {
    if (!flatten (l))
      return 0;
    if (fold_constants (l))
      return tl_formula_constant (l->arena, l->op == TL_OR);
    if (!merge_kinds (l))
      return 0;
  } while (!is_settled (l));
  sort_members (l);
  if (compare_pairs (l))
    return tl_formula_constant (l->arena, l->op == TL_OR);
  return tl_formula_nary (l->arena, l->op, l->member, l->count);
}
