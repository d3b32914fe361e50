#include "logic/simplify.h"

#include <stdlib.h>
#include <string.h>

// ---- Atoms -----------------------------------------------------------------

static int64_t gcd (int64_t a, int64_t b) {
  while (b) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

static int64_t divide_down (int64_t n, int64_t by) {
  return n / by - (n % by < 0);
}

// A sum that is at most, or with `negated` more than, its bound.  Common
// factors go; tokens are never negative, so the signs may decide it.
static tl_formula *comparison (tl_arena *arena, const tl_formula *f,
                               bool negated) {
  int64_t factor = 0;
  bool positive = false, negative = false;
  for (uint32_t i = 0; i < f->count; i++) {
    factor = gcd (factor, f->term[i].coefficient);
    *((f->term[i].coefficient < 0) != negated ? &negative : &positive) = true;
  }
  // not s <= b  is  -s <= -b - 1
  const int64_t bound = divide_down (negated ? ~f->bound : f->bound, factor);
  if (!positive && bound >= 0)
    return tl_formula_constant (arena, true);
  if (!negative && bound < 0)
    return tl_formula_constant (arena, false);
  tl_summand *term;
  if (!TL_ARENA_NEW (arena, term, f->count))
    return 0;
  for (uint32_t i = 0; i < f->count; i++)
    term[i] = (tl_summand){f->term[i].place, f->term[i].coefficient / factor *
                                                 (negated ? -1 : 1)};
  bool overflow; // not possible with smaller coefficients
  return tl_formula_compare (arena, term, f->count, bound, &overflow);
}

// ---- AND and OR ------------------------------------------------------------

typedef struct list {
  tl_arena *arena;
  tl_op op;
  tl_formula **member;
  size_t count;
} list;

static tl_formula *join (list *);

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
static bool take (list *from, inside *kind, list *taken) {
  *taken = (list){.arena = from->arena, .op = from->op};
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

static tl_formula *any_fireable (const list *atoms) {
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

static tl_formula *temporal_of (tl_arena *, tl_op, tl_formula *);
static tl_formula *quantified (tl_arena *, tl_op, tl_formula *);

// Makes members of a kind one; false when there is no memory.
static bool merge_kinds (list *l) {
  tl_arena *arena = l->arena;
  const tl_op temporal = l->op == TL_OR ? TL_FINALLY : TL_GLOBALLY;
  const tl_op quantifier = l->op == TL_OR ? TL_EXISTS : TL_ALL;
  list taken;
  if (!take (l, inside_fireable, &taken) ||
      (taken.count && !(l->member[l->count++] = any_fireable (&taken))))
    return false;
  if (!take (l, inside_temporal, &taken) ||
      (taken.count &&
       !(l->member[l->count++] = temporal_of (arena, temporal, join (&taken)))))
    return false;
  return take (l, inside_quantified, &taken) &&
         (!taken.count || (l->member[l->count++] = quantified (
                               arena, quantifier,
                               temporal_of (arena, temporal, join (&taken)))));
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
static void sort_members (list *l) {
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
static bool flatten (list *l) {
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

// The AND or OR of simple members.
static tl_formula *join (list *l) {
  const tl_op neutral = l->op == TL_AND ? TL_TRUE : TL_FALSE;
  const tl_op deciding = l->op == TL_AND ? TL_FALSE : TL_TRUE;
  if (!flatten (l))
    return 0;
  size_t n = 0;
  for (size_t i = 0; i < l->count; i++)
    if (l->member[i]->op == deciding)
      return l->member[i];
    else if (l->member[i]->op != neutral)
      l->member[n++] = l->member[i];
  l->count = n;
  if (!merge_kinds (l))
    return 0;
  sort_members (l);
  return tl_formula_nary (l->arena, l->op, l->member, l->count);
}

// ---- Temporal operators ----------------------------------------------------

static bool begins_with (const tl_formula *f, tl_op quantifier,
                         tl_op temporal) {
  return f->op == quantifier && f->operand[0]->op == temporal;
}

// What is left under an F: it swallows other Fs, also those in an OR under it;
// with `quantified` it is an EF and swallows other EFs.  The same for G, AND
// and AG.
static tl_formula *swallow (tl_arena *arena, tl_op temporal, tl_formula *f,
                            bool quantified) {
  const tl_op spread = temporal == TL_FINALLY ? TL_OR : TL_AND;
  const tl_op quantifier = temporal == TL_FINALLY ? TL_EXISTS : TL_ALL;
  list l = {.arena = arena, .op = spread};
  const bool many = f->op == spread;
  l.count = many ? f->count : 1;
  if (!TL_ARENA_NEW (arena, l.member, l.count))
    return 0;
  for (size_t i = 0; i < l.count; i++) {
    tl_formula *member = many ? f->operand[i] : f;
    if (quantified && begins_with (member, quantifier, temporal))
      member = member->operand[0];
    l.member[i] = member->op == temporal ? member->operand[0] : member;
  }
  return join (&l);
}

// F or G of a simple formula.
static tl_formula *temporal_of (tl_arena *arena, tl_op op, tl_formula *f) {
  f = f ? swallow (arena, op, f, false) : 0;
  if (!f || f->op == TL_TRUE || f->op == TL_FALSE)
    return f;
  return tl_formula_unary (arena, op, f);
}

static tl_formula *until (tl_arena *arena, tl_op op, tl_formula *left,
                          tl_formula *right) {
  if (!left || !right)
    return 0;
  // What makes left say nothing, and what makes it have no need of time.
  const bool release = op == TL_RELEASE;
  if (right->op == TL_TRUE || right->op == TL_FALSE ||
      left->op == (release ? TL_TRUE : TL_FALSE) ||
      !tl_formula_order (left, right))
    return right;
  if (left->op == (release ? TL_FALSE : TL_TRUE))
    return temporal_of (arena, release ? TL_GLOBALLY : TL_FINALLY, right);
  return tl_formula_binary (arena, op, left, right);
}

// E or A of a simple path formula.
static tl_formula *quantified (tl_arena *arena, tl_op op, tl_formula *f) {
  if (!f || !tl_formula_is_path (f))
    return f; // every marking has a run
  const tl_op spread = op == TL_EXISTS ? TL_OR : TL_AND;
  const tl_op temporal = op == TL_EXISTS ? TL_FINALLY : TL_GLOBALLY;
  if (f->op == spread) {
    list l = {.arena = arena, .op = spread, .count = f->count};
    if (!TL_ARENA_NEW (arena, l.member, l.count))
      return 0;
    for (size_t i = 0; i < l.count; i++)
      if (!(l.member[i] = quantified (arena, op, f->operand[i])))
        return 0;
    return join (&l);
  }
  if (f->op == temporal) {
    tl_formula *rest = swallow (arena, temporal, f->operand[0], true);
    if (!rest || rest->op == TL_TRUE || rest->op == TL_FALSE)
      return rest;
    f = tl_formula_unary (arena, temporal, rest);
  }
  return tl_formula_unary (arena, op, f);
}

// ---- All of it -------------------------------------------------------------

static tl_op dual (tl_op op) {
  switch (op) {
  case TL_AND: return TL_OR;
  case TL_OR: return TL_AND;
  case TL_EXISTS: return TL_ALL;
  case TL_ALL: return TL_EXISTS;
  case TL_FINALLY: return TL_GLOBALLY;
  case TL_GLOBALLY: return TL_FINALLY;
  case TL_UNTIL: return TL_RELEASE;
  case TL_RELEASE: return TL_UNTIL;
  default: return op;
  }
}

static tl_formula *simple (tl_arena *, tl_formula *, bool negated);

static tl_formula *simple_list (tl_arena *arena, tl_op op, tl_formula *f,
                                bool negated) {
  list l = {.arena = arena, .op = op, .count = f->count};
  if (!TL_ARENA_NEW (arena, l.member, l.count))
    return 0;
  for (uint32_t i = 0; i < f->count; i++)
    if (!(l.member[i] = simple (arena, f->operand[i], negated)))
      return 0;
  return join (&l);
}

static tl_formula *simple (tl_arena *arena, tl_formula *f, bool negated) {
  const tl_op op = negated ? dual (f->op) : f->op;
  switch (f->op) {
  case TL_TRUE:
  case TL_FALSE:
    return tl_formula_constant (arena, (f->op == TL_TRUE) != negated);
  case TL_COMPARE: return comparison (arena, f, negated);
  case TL_FIREABLE:
  case TL_DEADLOCK: return negated ? tl_formula_unary (arena, TL_NOT, f) : f;
  case TL_NOT: return simple (arena, f->operand[0], !negated);
  case TL_AND:
  case TL_OR: return simple_list (arena, op, f, negated);
  case TL_EXISTS:
  case TL_ALL:
    if (f->operand[0]->op == TL_NEXT)
      return tl_formula_unary (
          arena, op,
          tl_formula_unary (
              arena, TL_NEXT,
              simple (arena, f->operand[0]->operand[0], negated)));
    return quantified (arena, op, simple (arena, f->operand[0], negated));
  case TL_NEXT:
    f = tl_formula_unary (arena, TL_NEXT, simple (arena, f->operand[0], false));
    return negated ? tl_formula_unary (arena, TL_NOT, f) : f;
  case TL_FINALLY:
  case TL_GLOBALLY:
    return temporal_of (arena, op, simple (arena, f->operand[0], negated));
  case TL_UNTIL:
  case TL_RELEASE:
    return until (arena, op, simple (arena, f->operand[0], negated),
                  simple (arena, f->operand[1], negated));
  }
  return 0;
}

tl_formula *tl_formula_simplify (tl_arena *arena, tl_formula *f) {
  return simple (arena, f, false);
}

tl_formula *tl_formula_negate (tl_arena *arena, tl_formula *f) {
  return simple (arena, f, true);
}
