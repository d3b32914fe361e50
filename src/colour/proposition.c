#include "colour/proposition_parts.h"
#include "colour/uses.h"

#include <string.h>

// Truth over a marking as formulas.

// A level of a term becomes four levels of a formula at most.
#define DEEPEST (TL_FORMULA_DEPTH / 4 - 1)

tl_status tl_translate_constant (tl_translator *t, const tl_term *term,
                                 int64_t *value) {
  if (tl_term_reads_marking (term))
    return TL_CANNOT_SAY (t, term, "it depends on the marking in two ways");
  const tl_status s =
      tl_evaluate_number (&t->evaluation, term, t->frame, value);
  if (s != TL_E_ARG)
    return s;
  t->error->code = TL_E_MODEL; // perhaps for tokens that are never there
  return TL_E_MODEL;
}

// Loops.

static tl_status expand_from (tl_expansion *x, uint32_t at);

static tl_status too_many (tl_translator *t) {
  return tl_fail (t->error, TL_E_LIMIT,
                  "the formula for the unfolded net is too large");
}

static tl_status expand_place (tl_expansion *x, const tl_loop *l, uint32_t at) {
  tl_translator *const t = x->translator;
  const uint32_t *first = t->origin->place_first + l->place,
                 cells = t->coloured->place[l->place].cells;
  tl_status s = TL_OK;
  for (uint32_t p = first[0]; p < first[1] && !s; p++) {
    if (cells)
      memcpy (t->frame + l->offset,
              t->origin->token[l->place] + (size_t)(p - first[0]) * cells,
              cells * sizeof *t->frame);
    x->present[x->presents++] = p;
    s = expand_from (x, at + 1);
    x->presents--;
  }
  return s;
}

static tl_status expand_container (tl_expansion *x, const tl_loop *l,
                                   uint32_t at) {
  tl_translator *const t = x->translator;
  tl_cell *list;
  const uint32_t room = l->container->type->cells, cells = l->type->cells;
  if (tl_term_reads_marking (l->container))
    return TL_CANNOT_SAY (t, l->container,
                          "it runs over what depends on the "
                          "marking");
  if (!TL_NEW (t->mem, list, room))
    return tl_fail (t->error, TL_E_NOMEM, "out of memory");
  tl_status s = tl_evaluate (&t->evaluation, l->container, t->frame, list);
  for (tl_cell i = 0; !s && i < list[0]; i++) {
    memcpy (t->frame + l->offset, list + 1 + (size_t)i * cells,
            cells * sizeof *list);
    s = expand_from (x, at + 1);
  }
  TL_DEL (t->mem, list, room);
  return s;
}

static tl_status expand_type (tl_expansion *x, const tl_loop *l, uint32_t at) {
  tl_translator *const t = x->translator;
  int64_t first = l->type->first, last = l->type->last;
  tl_status s = TL_OK;
  if ((l->first && (s = tl_translate_constant (t, l->first, &first))) ||
      (l->last && (s = tl_translate_constant (t, l->last, &last))))
    return s;
  if (first <= last && (first < l->type->first || last > l->type->last))
    return TL_CANNOT_SAY (t, x->term, "%s is out of range", l->name);
  for (int64_t i = first; i <= last && !s; i++) {
    t->frame[l->offset] = (tl_cell)i;
    s = expand_from (x, at + 1);
  }
  return s;
}

static tl_status expand_from (tl_expansion *x, uint32_t at) {
  tl_translator *const t = x->translator;
  if (++t->size > TL_FORMULA_SIZE)
    return too_many (t);
  if (at == x->term->loops)
    return x->visit (x);
  const tl_loop *l = x->term->loop + at;
  if (l->kind == TL_LOOP_PLACE)
    return expand_place (x, l, at);
  return l->kind == TL_LOOP_TYPE ? expand_type (x, l, at)
                                 : expand_container (x, l, at);
}

tl_status tl_expand (tl_expansion *x) {
  tl_translator *const t = x->translator;
  const uint32_t loops = x->term->loops;
  if (!TL_NEW (t->mem, x->present, loops))
    return tl_fail (t->error, TL_E_NOMEM, "out of memory");
  const tl_status s = expand_from (x, 0);
  TL_DEL (t->mem, x->present, loops);
  return s;
}

// Truth.

static tl_status translate (tl_translator *, const tl_term *, tl_formula **);

// A formula that was made, if there was memory for it.
static tl_status made (tl_translator *t, const tl_formula *f) {
  if (!f)
    return tl_fail (t->error, TL_E_NOMEM, "out of memory");
  return ++t->size > TL_FORMULA_SIZE ? too_many (t) : TL_OK;
}

typedef struct list {
  tl_formula **formula;
  size_t count, room;
} list;

// The operands of a quantifier: one for each iteration.  For `exists` the
// tokens are there and the condition holds; for `forall` a token is not there,
// or the condition does not hold, or the value does.
static tl_status add_operand (tl_expansion *x) {
  tl_translator *const t = x->translator;
  const tl_term *term = x->term;
  const bool all = term->kind == TL_TERM_FORALL;
  list *const l = x->with;
  tl_formula *one[3] = {0};
  size_t ones = 0;
  tl_status s = TL_OK;
  const tl_term *condition = term->operands ? term->operand[0] : 0;
  if (condition && (s = translate (t, condition, one + ones)))
    return s;
  ones += condition != 0;
  if (all && ones)
    one[0] = tl_formula_unary (t->arena, TL_NOT, one[0]);
  if (all && (s = translate (t, term->operand[1], one + ones)))
    return s;
  ones += all;
  tl_formula *whole =
      tl_formula_nary (t->arena, all ? TL_OR : TL_AND, one, ones);
  for (uint32_t i = 0; i < x->presents && whole; i++) {
    bool overflow;
    tl_formula *there = tl_formula_compare (
        t->arena, &(tl_summand){x->present[i], all ? 1 : -1}, 1, all ? 0 : -1,
        &overflow);
    whole = tl_formula_binary (t->arena, all ? TL_OR : TL_AND, there, whole);
  }
  if ((s = made (t, whole)))
    return s;
  if (!TL_ROOM (t->mem, l->formula, &l->room, l->count + 1))
    return tl_fail (t->error, TL_E_NOMEM, "out of memory");
  l->formula[l->count++] = whole;
  return TL_OK;
}

static tl_status quantify (tl_translator *t, const tl_term *term,
                           tl_formula **formula) {
  list l = {0};
  tl_expansion x = {
      .translator = t, .term = term, .visit = add_operand, .with = &l};
  tl_status s = tl_expand (&x);
  if (!s) {
    *formula = tl_formula_nary (t->arena,
                                term->kind == TL_TERM_FORALL ? TL_AND : TL_OR,
                                l.formula, l.count);
    s = made (t, *formula);
  }
  TL_DEL (t->mem, l.formula, l.room);
  return s;
}

// left - right + more <= 0
static tl_status at_most (tl_translator *t, const tl_term *term, bool swap,
                          int64_t more, tl_formula **formula) {
  tl_token_sum sum = {.constant = more};
  tl_status s;
  if (!(s = tl_translate_number (t, term->operand[swap], 1, &sum)) &&
      !(s = tl_translate_number (t, term->operand[!swap], -1, &sum)))
    s = tl_translate_at_most (t, term, &sum, formula);
  TL_DEL (t->mem, sum.summand, sum.room);
  return s;
}

static tl_status equal_numbers (tl_translator *t, const tl_term *term,
                                tl_formula **formula) {
  tl_formula *below, *above;
  tl_status s;
  if ((s = at_most (t, term, false, 0, &below)) ||
      (s = at_most (t, term, true, 0, &above)))
    return s;
  *formula = tl_formula_binary (t->arena, TL_AND, below, above);
  return made (t, *formula);
}

// Are two truth values the same?
static tl_status equal_truth (tl_translator *t, const tl_term *term,
                              tl_formula **formula) {
  tl_formula *a, *b;
  tl_status s;
  if ((s = translate (t, term->operand[0], &a)) ||
      (s = translate (t, term->operand[1], &b)))
    return s;
  tl_arena *const arena = t->arena;
  *formula = tl_formula_binary (
      arena, TL_OR, tl_formula_binary (arena, TL_AND, a, b),
      tl_formula_binary (arena, TL_AND, tl_formula_unary (arena, TL_NOT, a),
                         tl_formula_unary (arena, TL_NOT, b)));
  return made (t, *formula);
}

static tl_status compare (tl_translator *t, const tl_term *term,
                          tl_formula **formula) {
  const tl_type *type = term->operand[0]->type;
  const bool truth = type->root == t->coloured->boolean->root;
  tl_status s;
  if (!tl_type_is_numeric (type) && !truth)
    return TL_CANNOT_SAY (t, term,
                          "it compares values that depend on the "
                          "marking");
  switch (term->kind) {
  case TL_TERM_LESS: return at_most (t, term, false, 1, formula);
  case TL_TERM_LESS_EQUAL: return at_most (t, term, false, 0, formula);
  case TL_TERM_GREATER: return at_most (t, term, true, 1, formula);
  case TL_TERM_GREATER_EQUAL: return at_most (t, term, true, 0, formula);
  default: break;
  }
  s = truth ? equal_truth (t, term, formula) : equal_numbers (t, term, formula);
  if (s || term->kind == TL_TERM_EQUAL)
    return s;
  *formula = tl_formula_unary (t->arena, TL_NOT, *formula);
  return made (t, *formula);
}

// The right side is looked at only where it matters.
static tl_status both (tl_translator *t, const tl_term *term,
                       tl_formula **formula) {
  const bool and = term->kind == TL_TERM_AND;
  tl_formula *right;
  tl_status s = translate (t, term->operand[0], formula);
  if (s || (*formula)->op == (and? TL_FALSE : TL_TRUE))
    return s;
  if ((s = translate (t, term->operand[1], &right)))
    return s;
  *formula = tl_formula_binary (t->arena, and? TL_AND : TL_OR, *formula, right);
  return made (t, *formula);
}

static tl_status choose (tl_translator *t, const tl_term *term,
                         tl_formula **formula) {
  tl_formula *part[3];
  for (int i = 0; i < 3; i++) {
    const tl_status s = translate (t, term->operand[i], part + i);
    if (s)
      return s;
  }
  tl_arena *const a = t->arena;
  *formula = tl_formula_binary (
      a, TL_OR, tl_formula_binary (a, TL_AND, part[0], part[1]),
      tl_formula_binary (a, TL_AND, tl_formula_unary (a, TL_NOT, part[0]),
                         part[2]));
  return made (t, *formula);
}

// Those that read the marking.
static tl_status translate_inside (tl_translator *t, const tl_term *term,
                                   tl_formula **formula) {
  tl_status s;
  switch (term->kind) {
  case TL_TERM_AND:
  case TL_TERM_OR: return both (t, term, formula);
  case TL_TERM_NOT:
    if ((s = translate (t, term->operand[0], formula)))
      return s;
    *formula = tl_formula_unary (t->arena, TL_NOT, *formula);
    return made (t, *formula);
  case TL_TERM_CHECK: return translate (t, term->operand[0], formula);
  case TL_TERM_CHOOSE: return choose (t, term, formula);
  case TL_TERM_FORALL:
  case TL_TERM_EXISTS: return quantify (t, term, formula);
  default: break;
  }
  if (term->kind >= TL_TERM_EQUAL && term->kind <= TL_TERM_GREATER_EQUAL)
    return compare (t, term, formula);
  return TL_CANNOT_SAY (t, term, "it cannot be said of the unfolded net");
}

static tl_status translate (tl_translator *t, const tl_term *term,
                            tl_formula **formula) {
  tl_status s;
  int64_t value;
  if (!tl_term_reads_marking (term)) {
    if ((s = tl_translate_constant (t, term, &value)))
      return s;
    *formula = tl_formula_constant (t->arena, value);
    return made (t, *formula);
  }
  if (t->depth == DEEPEST)
    return too_many (t);
  t->depth++;
  s = translate_inside (t, term, formula);
  t->depth--;
  return s;
}

static tl_status begin (tl_translator *t, const tl_net *net, uint32_t frame,
                        tl_arena *arena, tl_error *err) {
  *t = (tl_translator){.net = net,
                       .origin = net->origin,
                       .coloured = net->origin->coloured,
                       .arena = arena,
                       .mem = arena->mem,
                       .error = err};
  tl_evaluation_open (&t->evaluation, t->mem, t->coloured->path, err);
  return TL_NEW (t->mem, t->frame, (size_t)frame + 1)
             ? TL_OK
             : tl_fail (err, TL_E_NOMEM, "out of memory");
}

static void end (tl_translator *t, uint32_t frame) {
  tl_evaluation_close (&t->evaluation);
  TL_DEL (t->mem, t->frame, (size_t)frame + 1);
}

tl_status tl_proposition_formula (const tl_net *net, const tl_term *term,
                                  uint32_t frame, tl_arena *arena,
                                  tl_formula **formula, tl_error *err) {
  tl_error own;
  tl_translator t;
  *formula = 0;
  tl_status s = begin (&t, net, frame, arena, err ? err : &own);
  if (!s)
    s = translate (&t, term, formula);
  end (&t, frame);
  return s;
}

tl_status tl_measure_sum (const tl_net *net, const tl_term *term,
                          uint32_t frame, tl_arena *arena, tl_summand **summand,
                          size_t *count, int64_t *constant, tl_error *err) {
  tl_error own;
  tl_translator t;
  tl_token_sum sum = {0};
  tl_status s = begin (&t, net, frame, arena, err ? err : &own);
  if (!s && !(s = tl_translate_number (&t, term, 1, &sum)) && sum.says)
    s = TL_CANNOT_SAY (&t, term,
                       "it counts distinct tokens of a place of a "
                       "larger capacity than 1");
  if (!s && !TL_ARENA_NEW (arena, *summand, sum.count))
    s = tl_fail (t.error, TL_E_NOMEM, "out of memory");
  if (!s && sum.count)
    memcpy (*summand, sum.summand, sum.count * sizeof **summand);
  *count = sum.count;
  *constant = sum.constant;
  TL_DEL (t.mem, sum.summand, sum.room);
  end (&t, frame);
  return s;
}
