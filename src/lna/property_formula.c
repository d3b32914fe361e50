// Properties as formulas.

#include "lna/property.h"

typedef struct making {
  tl_arena *arena;
  tl_formula *const *proposition;
  bool too_large;
} making;

// A formula, and its size and depth when it is written out
typedef struct made {
  tl_formula *formula;
  uint64_t size;
  uint32_t depth;
} made;

static void measure (const tl_formula *f, uint64_t *size, uint32_t *depth) {
  ++*size;
  uint32_t deepest = 0;
  for (uint32_t i = 0; i < tl_formula_operands (f); i++) {
    uint32_t below;
    measure (f->operand[i], size, &below);
    deepest = below > deepest ? below : deepest;
  }
  *depth = deepest + 1;
}

static made given (tl_formula *f) {
  made m = {.formula = f};
  measure (f, &m.size, &m.depth);
  return m;
}

static tl_op operator_of (tl_property_op op) {
  switch (op) {
  case TL_PROPERTY_NOT: return TL_NOT;
  case TL_PROPERTY_ALWAYS: return TL_GLOBALLY;
  case TL_PROPERTY_EVENTUALLY: return TL_FINALLY;
  case TL_PROPERTY_AND: return TL_AND;
  case TL_PROPERTY_UNTIL: return TL_UNTIL;
  default: return TL_OR;
  }
}

static tl_formula *equivalence (tl_arena *arena, tl_formula *a, tl_formula *b) {
  return tl_formula_binary (
      arena, TL_OR, tl_formula_binary (arena, TL_AND, a, b),
      tl_formula_binary (arena, TL_AND, tl_formula_unary (arena, TL_NOT, a),
                         tl_formula_unary (arena, TL_NOT, b)));
}

static made make (making *, const tl_property_tree *);

// Sizes and depths are those of the worst case, an equivalence.
static made make_operator (making *k, const tl_property_tree *t) {
  const bool two = t->op >= TL_PROPERTY_AND;
  const bool twice = t->op == TL_PROPERTY_EQUIVALENT;
  const made a = make (k, t->operand[0]);
  const made b = two && a.formula ? make (k, t->operand[1]) : (made){.size = 0};
  if (!a.formula || (two && !b.formula))
    return (made){.formula = 0};
  made m = {.size = (a.size + b.size) * (twice ? 2 : 1) + (two ? 5 : 1),
            .depth = (a.depth > b.depth ? a.depth : b.depth) + (two ? 3 : 1)};
  if (m.size > TL_FORMULA_SIZE || m.depth > TL_FORMULA_DEPTH) {
    k->too_large = true;
    return m;
  }
  if (!two)
    m.formula = tl_formula_unary (k->arena, operator_of (t->op), a.formula);
  else if (twice)
    m.formula = equivalence (k->arena, a.formula, b.formula);
  else
    m.formula =
        tl_formula_binary (k->arena, operator_of (t->op),
                           t->op == TL_PROPERTY_IMPLIES
                               ? tl_formula_unary (k->arena, TL_NOT, a.formula)
                               : a.formula,
                           b.formula);
  return m;
}

static made make (making *k, const tl_property_tree *t) {
  switch (t->op) {
  case TL_PROPERTY_TRUE:
  case TL_PROPERTY_FALSE:
    return (made){tl_formula_constant (k->arena, t->op == TL_PROPERTY_TRUE), 1,
                  1};
  case TL_PROPERTY_PROPOSITION: return given (k->proposition[t->proposition]);
  case TL_PROPERTY_DEADLOCK:
    return (made){tl_formula_deadlock (k->arena), 1, 1};
  default: return make_operator (k, t);
  }
}

tl_status tl_property_formula (const tl_property *p, tl_arena *arena,
                               tl_formula *const *proposition,
                               tl_formula **formula) {
  making k = {.arena = arena, .proposition = proposition};
  tl_formula *f = make (&k, p->tree).formula;
  if (f && !p->linear)
    f = tl_formula_unary (arena, TL_GLOBALLY, f);
  *formula = f ? tl_formula_unary (arena, TL_ALL, f) : 0;
  return *formula ? TL_OK : k.too_large ? TL_E_LIMIT : TL_E_NOMEM;
}
