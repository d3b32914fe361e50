#include "random_formula.h"

#include "logic/simplify.h"

#include <stdlib.h>

typedef struct maker {
  tl_arena *arena;
  const tl_net *net;
  tl_random *random;
} maker;

static unsigned below (maker *m, unsigned n) {
  return (unsigned)tl_random_below (m->random, n);
}

static tl_formula *or_end (tl_formula *f) {
  if (!f)
    abort ();
  return f;
}

static tl_formula *comparison (maker *m) {
  tl_summand term[4];
  const unsigned count = 1 + below (m, below (m, 2) ? 2 : 4);
  for (unsigned i = 0; i < count; i++) {
    term[i].place = below (m, m->net->places);
    term[i].coefficient = below (m, 3) ? 1 - 2 * (int64_t)below (m, 2)
                                       : (int64_t)below (m, 9) - 4;
  }
  bool overflow;
  return or_end (tl_formula_compare (m->arena, term, count,
                                     (int64_t)below (m, 9) - 4, &overflow));
}

// sum = bound or sum != bound, as the two comparisons they are.
static tl_formula *equality (maker *m) {
  tl_formula *low = comparison (m);
  if (low->op != TL_COMPARE)
    return low;
  const bool equal = below (m, 2);
  tl_summand term[4];
  for (uint32_t i = 0; i < low->count; i++)
    term[i] = (tl_summand){low->term[i].place, -low->term[i].coefficient};
  bool overflow;
  tl_formula *high = or_end (tl_formula_compare (
      m->arena, term, low->count, -low->bound - (equal ? 0 : 2), &overflow));
  return or_end (
      tl_formula_binary (m->arena, equal ? TL_AND : TL_OR, low, high));
}

static tl_formula *atom (maker *m) {
  uint32_t transition[3];
  switch (below (m, 10)) {
  case 0: return or_end (tl_formula_constant (m->arena, below (m, 2)));
  case 1: return or_end (tl_formula_deadlock (m->arena));
  case 2:
  case 3:
    for (unsigned i = 0; i < 3; i++)
      transition[i] = below (m, m->net->transitions);
    return or_end (
        tl_formula_fireable (m->arena, transition, 1 + below (m, 3)));
  case 4: return equality (m);
  default: return comparison (m);
  }
}

static tl_formula *formula (maker *, random_logic, unsigned depth);

static tl_formula *boolean (maker *m, random_logic logic, unsigned depth) {
  tl_formula *operand[4];
  if (!below (m, 3))
    return or_end (
        tl_formula_unary (m->arena, TL_NOT, formula (m, logic, depth)));
  const unsigned count = 2 + below (m, 3);
  for (unsigned i = 0; i < count; i++)
    operand[i] = formula (m, logic, depth);
  return or_end (tl_formula_nary (m->arena, below (m, 2) ? TL_AND : TL_OR,
                                  operand, count));
}

static tl_formula *temporal (maker *m, random_logic logic, unsigned depth) {
  const unsigned which = below (m, 5);
  tl_formula *f = formula (m, logic, depth);
  if (which < 3)
    return or_end (tl_formula_unary (m->arena, TL_NEXT + which, f));
  return or_end (tl_formula_binary (m->arena, TL_NEXT + which, f,
                                    formula (m, logic, depth)));
}

static tl_formula *formula (maker *m, random_logic logic, unsigned depth) {
  if (!depth || !below (m, 6))
    return atom (m);
  const tl_op quantifier = below (m, 2) ? TL_EXISTS : TL_ALL;
  depth--;
  if (logic == RANDOM_STATE || below (m, 2))
    return boolean (m, logic, depth);
  if (logic == RANDOM_PATH || (logic == RANDOM_CTL_STAR && below (m, 3)))
    return temporal (m, logic, depth);
  // What CTL has in one step
  return or_end (tl_formula_unary (m->arena, quantifier,
                                   logic == RANDOM_CTL
                                       ? temporal (m, logic, depth)
                                       : formula (m, logic, depth)));
}

tl_formula *random_formula (tl_arena *arena, const tl_net *net,
                            random_logic logic, unsigned depth,
                            tl_random *random) {
  maker m = {arena, net, random};
  return formula (&m, logic, depth);
}

tl_formula *random_ctl (tl_arena *arena, const tl_net *net, unsigned number,
                        tl_random *random) {
  tl_formula *f =
      random_formula (arena, net, RANDOM_CTL, 2 + number % 4, random);
  if (number % 3 == 0)
    f = tl_formula_unary (arena, number % 2 ? TL_EXISTS : TL_ALL,
                          tl_formula_unary (arena, TL_NEXT, f));
  f = tl_formula_simplify (arena, f);
  if (!f)
    abort ();
  return f;
}
