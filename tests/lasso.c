#include "lasso.h"

#include <stdlib.h>
#include <string.h>

void lasso_random (lasso *w, unsigned atoms, tl_random *r) {
  w->length = 1 + (unsigned)tl_random_below (r, LASSO_LETTERS);
  w->loop = (unsigned)tl_random_below (r, w->length);
  // Also words in which some atoms nearly always hold, or hardly ever do.
  const uint64_t often = tl_random_next (r), seldom = tl_random_next (r);
  for (unsigned i = 0; i < w->length; i++)
    w->letter[i] =
        (uint8_t)((((tl_random_next (r) | (often & tl_random_next (r))) &
                    (~seldom | tl_random_next (r)))) &
                  tl_low_bits (atoms));
}

static unsigned after (const lasso *w, unsigned at) {
  return at + 1 < w->length ? at + 1 : w->loop;
}

// ---- Formulas --------------------------------------------------------------

// left U right, or with `release` left R right, at a position.
static bool until (const lasso *w, const bool *left, const bool *right,
                   bool release, unsigned at) {
  for (unsigned steps = 0; steps <= w->length; steps++, at = after (w, at)) {
    if (right[at] != release)
      return !release;
    if ((left ? left[at] : !release) == release)
      return release;
  }
  return release;
}

static void evaluate (const lasso *w, const tl_formula *f, bool *value) {
  bool of[2][LASSO_LETTERS];
  const bool dual = f->op == TL_GLOBALLY || f->op == TL_RELEASE;
  const bool unary = f->op == TL_FINALLY || f->op == TL_GLOBALLY;
  for (unsigned i = 0; i < w->length; i++)
    value[i] = f->op == TL_TRUE || f->op == TL_AND;
  for (unsigned i = 0; f->op == TL_FIREABLE && i < w->length; i++)
    for (uint32_t k = 0; k < f->count; k++)
      value[i] |= w->letter[i] >> f->transition[k] & 1;
  for (uint32_t k = 0; k < tl_formula_operands (f); k++) {
    evaluate (w, f->operand[k], of[k % 2]);
    for (unsigned i = 0; i < w->length; i++)
      value[i] = f->op == TL_AND  ? value[i] & of[k % 2][i]
                 : f->op == TL_OR ? value[i] | of[k % 2][i]
                                  : value[i];
  }
  for (unsigned i = 0; i < w->length; i++)
    if (f->op == TL_NOT)
      value[i] = !of[0][i];
    else if (f->op == TL_NEXT)
      value[i] = of[0][after (w, i)];
    else if (f->op > TL_NEXT)
      value[i] = until (w, unary ? 0 : of[0], unary ? of[0] : of[1], dual, i);
}

bool lasso_satisfies (const lasso *w, const tl_formula *f) {
  bool value[LASSO_LETTERS];
  evaluate (w, f, value);
  return value[0];
}

tl_formula *lasso_formula (tl_arena *arena, unsigned atoms, unsigned size,
                           bool next, tl_random *r) {
  tl_formula *f;
  const uint32_t atom = (uint32_t)tl_random_below (r, atoms);
  const unsigned left = size > 1 ? (unsigned)tl_random_below (r, size - 1) : 0;
  const uint64_t which = tl_random_below (r, next ? 9 : 8);
  if (size <= 1) {
    f = tl_formula_fireable (arena, &atom, 1);
    if (which < 3)
      f = tl_formula_unary (arena, TL_NOT, f);
  } else if (size == 2 || which < 3 || which == 8) {
    const tl_op op[] = {TL_NOT, TL_FINALLY, TL_GLOBALLY};
    f = tl_formula_unary (arena, which == 8 ? TL_NEXT : op[which % 3],
                          lasso_formula (arena, atoms, size - 1, next, r));
  } else {
    const tl_op op[] = {TL_AND, TL_OR, TL_UNTIL, TL_RELEASE, TL_UNTIL};
    tl_formula *g = lasso_formula (arena, atoms, left, next, r);
    f = tl_formula_binary (
        arena, op[which - 3], g,
        lasso_formula (arena, atoms, size - 1 - left, next, r));
  }
  if (!f)
    abort ();
  return f;
}

// ---- Automata --------------------------------------------------------------

typedef struct product {
  const lasso *w;
  const tl_automaton *a;
  uint64_t values[LASSO_LETTERS]; // of the atoms of the automaton
  bool *alive, *reaches;          // by state and position
} product;

static size_t node (const product *p, uint32_t state, unsigned at) {
  return (size_t)state * p->w->length + at;
}

// Has the state an edge in the set to one that is marked?
static bool goes_to (const product *p, uint32_t state, unsigned at,
                     uint64_t set, const bool *marked) {
  const tl_automaton *a = p->a;
  for (uint32_t e = a->first[state];
       (e = tl_automaton_next (a, state, e, p->values[at])) <
       a->first[state + 1];
       e++)
    if ((a->edge[e].sets & set) == set &&
        marked[node (p, a->edge[e].to, after (p->w, at))])
      return true;
  return false;
}

// Leaves alive what reaches an edge in the set to a node that is alive, by way
// of nodes that are alive; true if some died.
static bool kill (product *p, uint64_t set) {
  const size_t nodes = (size_t)p->a->states * p->w->length;
  memset (p->reaches, 0, nodes * sizeof *p->reaches);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t s = p->a->states; s-- > 0;)
      for (unsigned at = p->w->length; at-- > 0;) {
        bool *there = p->reaches + node (p, s, at);
        if (!*there && p->alive[node (p, s, at)] &&
            (goes_to (p, s, at, set, p->alive) ||
             goes_to (p, s, at, 0, p->reaches)))
          changed = *there = true;
      }
  }
  bool died = false;
  for (size_t i = 0; i < nodes; i++)
    died |= p->alive[i] && !p->reaches[i];
  memcpy (p->alive, p->reaches, nodes * sizeof *p->alive);
  return died;
}

bool lasso_accepted (const lasso *w, const tl_automaton *a,
                     tl_formula *const *atom, unsigned atoms) {
  const size_t nodes = (size_t)a->states * w->length;
  product p = {.w = w,
               .a = a,
               .alive = malloc (nodes * sizeof (bool)),
               .reaches = malloc (nodes * sizeof (bool))};
  if (!p.alive || !p.reaches)
    abort ();
  for (unsigned i = 0; i < w->length; i++) {
    const lasso here = {.length = 1, .letter = {w->letter[i]}};
    for (unsigned k = 0; k < atoms; k++)
      p.values[i] |= (uint64_t)lasso_satisfies (&here, atom[k]) << k;
  }
  memset (p.alive, 1, nodes * sizeof *p.alive);
  bool changed;
  do {
    changed = false;
    for (uint32_t set = 0; set < a->sets || (!set && !a->sets); set++)
      changed |= kill (&p, a->sets ? (uint64_t)1 << set : 0);
  } while (changed);
  const bool accepted = p.alive[0];
  free (p.alive);
  free (p.reaches);
  return accepted;
}
