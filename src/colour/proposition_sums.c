#include "colour/proposition_parts.h"
#include "colour/uses.h"

#include <string.h>

// Numbers over a marking as sums of places.

static tl_status too_large (tl_translator *t, const tl_term *term) {
  return TL_CANNOT_SAY (t, term, "a number in it is too large");
}

static tl_status add_constant (tl_translator *t, const tl_term *term,
                               int64_t factor, int64_t value,
                               tl_token_sum *sum) {
  int64_t product;
  if (__builtin_mul_overflow (factor, value, &product) ||
      __builtin_add_overflow (sum->constant, product, &sum->constant))
    return too_large (t, term);
  return TL_OK;
}

static bool one_at_most (const tl_translator *t, uint32_t place) {
  return t->coloured->place[place].capacity == 1;
}

static tl_status add_place (tl_translator *t, tl_token_sum *sum, uint32_t place,
                            int64_t factor) {
  if (!factor)
    return TL_OK;
  if (!TL_ROOM (t->mem, sum->summand, &sum->room, sum->count + 1))
    return tl_fail (t->error, TL_E_NOMEM, "out of memory");
  sum->summand[sum->count++] = (tl_summand){place, factor};
  return TL_OK;
}

// CARD and MULT of a place.
static tl_status add_all (tl_translator *t, const tl_term *term, int64_t factor,
                          tl_token_sum *sum) {
  const uint32_t *first = t->origin->place_first + term->place;
  tl_status s = TL_OK;
  for (uint32_t p = first[0]; p < first[1] && !s; p++)
    s = add_place (t, sum, p, factor);
  if (!one_at_most (t, term->place))
    *(term->kind == TL_TERM_PLACE_CARD ? &sum->says : &sum->counts) = true;
  return s;
}

typedef struct iteration {
  tl_token_sum *sum;
  int64_t factor;
} iteration;

// One more iteration of CARD, MULT or SUM.
static tl_status add_iteration (tl_expansion *x) {
  tl_translator *const t = x->translator;
  const tl_term *term = x->term;
  const iteration *const it = x->with;
  const tl_term *condition = term->operands ? term->operand[0] : 0;
  int64_t yes = true, value = 1;
  tl_status s;
  if (condition && (s = tl_translate_constant (t, condition, &yes)))
    return s;
  if (!yes)
    return TL_OK;
  if (!x->presents)
    return term->kind == TL_TERM_SUM
               ? tl_translate_number (t, term->operand[1], it->factor, it->sum)
               : add_constant (t, term, it->factor, 1, it->sum);
  if (x->presents > 1)
    return TL_CANNOT_SAY (t, term, "it counts pairs of tokens");
  if (term->kind == TL_TERM_SUM &&
      (s = tl_translate_constant (t, term->operand[1], &value)))
    return s;
  if (__builtin_mul_overflow (value, it->factor, &value))
    return too_large (t, term);
  if (!one_at_most (t, tl_origin_place (t->origin, x->present[0])))
    *(term->kind == TL_TERM_MULT ? &it->sum->counts : &it->sum->says) = true;
  return add_place (t, it->sum, x->present[0], value);
}

static tl_status multiply (tl_translator *t, const tl_term *term,
                           int64_t factor, tl_token_sum *sum) {
  const bool left = tl_term_reads_marking (term->operand[0]);
  int64_t value;
  const tl_status s = tl_translate_constant (t, term->operand[left], &value);
  if (s)
    return s;
  if (__builtin_mul_overflow (value, factor, &value))
    return too_large (t, term);
  return tl_translate_number (t, term->operand[!left], value, sum);
}

static tl_status negate (tl_translator *t, const tl_term *whole,
                         const tl_term *term, int64_t factor,
                         tl_token_sum *sum) {
  if (factor == INT64_MIN)
    return too_large (t, whole);
  return tl_translate_number (t, term, -factor, sum);
}

static bool is_integer (const tl_type *type) {
  return type->kind == TL_TYPE_RANGE && type->first <= INT32_MIN &&
         type->last >= INT32_MAX;
}

// These never wrap.
static bool counts_tokens (tl_term_kind kind) {
  return kind == TL_TERM_PLACE_CARD || kind == TL_TERM_PLACE_MULT ||
         kind == TL_TERM_CARD || kind == TL_TERM_MULT;
}

tl_status tl_translate_number (tl_translator *t, const tl_term *term,
                               int64_t factor, tl_token_sum *sum) {
  tl_status s;
  if (!tl_term_reads_marking (term)) {
    int64_t value;
    s = tl_translate_constant (t, term, &value);
    return s ? s : add_constant (t, term, factor, value, sum);
  }
  iteration it = {sum, factor};
  if (term->type->kind != TL_TYPE_RANGE && !counts_tokens (term->kind))
    return TL_CANNOT_SAY (t, term, "it computes with a type that wraps");
  switch (term->kind) {
  case TL_TERM_PLACE_CARD:
  case TL_TERM_PLACE_MULT: return add_all (t, term, factor, sum);
  case TL_TERM_CARD:
  case TL_TERM_MULT:
  case TL_TERM_SUM:
    return tl_expand (&(tl_expansion){
        .translator = t, .term = term, .visit = add_iteration, .with = &it});
  case TL_TERM_CHECK:
  case TL_TERM_CAST:
    if (is_integer (term->type))
      return tl_translate_number (t, term->operand[0], factor, sum);
    break;
  case TL_TERM_ADD:
  case TL_TERM_SUBTRACT:
    s = tl_translate_number (t, term->operand[0], factor, sum);
    if (s || term->kind == TL_TERM_ADD)
      return s ? s : tl_translate_number (t, term->operand[1], factor, sum);
    return negate (t, term, term->operand[1], factor, sum);
  case TL_TERM_MINUS: return negate (t, term, term->operand[0], factor, sum);
  case TL_TERM_MULTIPLY: return multiply (t, term, factor, sum);
  default: break;
  }
  return TL_CANNOT_SAY (t, term, "it is not a sum of numbers of tokens");
}

static tl_status compare (tl_translator *t, const tl_term *term,
                          const tl_summand *summand, size_t count,
                          int64_t bound, tl_formula **formula) {
  bool overflow = false;
  *formula = tl_formula_compare (t->arena, summand, count, bound, &overflow);
  t->size += 1 + count;
  if (*formula)
    return TL_OK;
  return overflow ? too_large (t, term)
                  : tl_fail (t->error, TL_E_NOMEM, "out of memory");
}

// Is one of these there, are all of them?
static tl_status some_or_all (tl_translator *t, const tl_term *term,
                              const tl_token_sum *sum, bool all, bool negated,
                              tl_formula **formula) {
  tl_formula **there;
  tl_status s = TL_OK;
  if (!TL_NEW (t->mem, there, sum->count))
    return tl_fail (t->error, TL_E_NOMEM, "out of memory");
  for (size_t i = 0; i < sum->count && !s; i++)
    s = compare (t, term, &(tl_summand){sum->summand[i].place, -1}, 1, -1,
                 there + i);
  if (!s) {
    *formula =
        tl_formula_nary (t->arena, all ? TL_AND : TL_OR, there, sum->count);
    if (negated)
      *formula = tl_formula_unary (t->arena, TL_NOT, *formula);
    if (!*formula)
      s = tl_fail (t->error, TL_E_NOMEM, "out of memory");
  }
  TL_DEL (t->mem, there, sum->count);
  return s;
}

// A sum of tokens that are there or not, with weights of one sign: at least
// `least` of the weights.
static tl_status at_least (tl_translator *t, const tl_term *term,
                           const tl_token_sum *sum, __int128 least,
                           bool negated, tl_formula **formula) {
  __int128 total = 0, smallest = INT64_MAX;
  for (size_t i = 0; i < sum->count; i++) {
    const __int128 c = sum->summand[i].coefficient, weight = c < 0 ? -c : c;
    total += weight;
    smallest = weight < smallest ? weight : smallest;
  }
  if (least <= 0 || least > total) {
    *formula = tl_formula_constant (t->arena, (least <= 0) != negated);
    return *formula ? TL_OK : tl_fail (t->error, TL_E_NOMEM, "out of memory");
  }
  if (least <= smallest)
    return some_or_all (t, term, sum, false, negated, formula);
  if (least > total - smallest)
    return some_or_all (t, term, sum, true, negated, formula);
  return TL_CANNOT_SAY (t, term,
                        "the number of distinct tokens cannot be counted in a "
                        "place of a larger capacity than 1");
}

tl_status tl_translate_at_most (tl_translator *t, const tl_term *term,
                                const tl_token_sum *sum, tl_formula **formula) {
  if (sum->constant == INT64_MIN)
    return too_large (t, term);
  if (!sum->says || !sum->count)
    return compare (t, term, sum->summand, sum->count, -sum->constant, formula);
  bool up = false, down = false;
  for (size_t i = 0; i < sum->count; i++)
    *(sum->summand[i].coefficient > 0 ? &up : &down) = true;
  if (sum->counts || (up && down))
    return TL_CANNOT_SAY (t, term,
                          "it compares distinct tokens with others, in places "
                          "of a larger capacity than 1");
  // up: sum <= -c is not sum >= 1 - c;  down: sum >= c
  const __int128 c = sum->constant;
  return up ? at_least (t, term, sum, 1 - c, true, formula)
            : at_least (t, term, sum, c, false, formula);
}
