#include "read/operands.h"

#include "base/bits.h"
#include "base/error.h"
#include "net/folded.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

void tl_operands_open (tl_operands *ops, tl_questions *questions,
                       const char *file, tl_error *err) {
  *ops = (tl_operands){.mem = &questions->mem,
                       .net = questions->net,
                       .arena = &questions->arena,
                       .file = file,
                       .err = err,
                       .sums = {.mem = &questions->mem}};
}

void tl_operands_close (tl_operands *ops) {
  tl_sums_close (&ops->sums);
  TL_DEL (ops->mem, ops->transition, ops->transition_capacity);
  TL_DEL (ops->mem, ops->operand, ops->capacity);
}

tl_status tl_operands_fail (const tl_operands *ops, tl_position at,
                            const char *format, ...) {
  char text[sizeof ops->err->text];
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  return tl_fail_at (ops->err, TL_E_SYNTAX, ops->file, at.line, at.column, "%s",
                     text);
}

tl_status tl_operands_no_memory (const tl_operands *ops) {
  return tl_fail (ops->err, TL_E_NOMEM, "no memory for the formula");
}

static tl_status push (tl_operands *ops, tl_operand operand) {
  if (!TL_ROOM (ops->mem, ops->operand, &ops->capacity, ops->count + 1))
    return tl_operands_no_memory (ops);
  ops->operand[ops->count++] = operand;
  return TL_OK;
}

static tl_status check_size (const tl_operands *ops, tl_position at,
                             const tl_operand *o) {
  if (o->depth > TL_FORMULA_DEPTH)
    return tl_operands_fail (ops, at, "the formula is nested more than %u deep",
                             TL_FORMULA_DEPTH);
  if (o->size > TL_FORMULA_SIZE)
    return tl_operands_fail (ops, at, "the formula has more than %u operators",
                             TL_FORMULA_SIZE);
  return TL_OK;
}

static tl_status push_formula (tl_operands *ops, tl_position at, tl_formula *f,
                               unsigned depth, uint64_t size) {
  if (!f)
    return tl_operands_no_memory (ops);
  const tl_operand operand = {.kind = TL_A_FORMULA,
                              .at = at,
                              .formula = f,
                              .depth = depth,
                              .size = size};
  const tl_status rc = check_size (ops, at, &operand);
  return rc ? rc : push (ops, operand);
}

// Are the operands from `first` on of this kind?
static tl_status want (const tl_operands *ops, size_t first, bool formula) {
  for (size_t i = first; i < ops->count; i++) {
    const tl_operand *o = ops->operand + i;
    if (o->kind == TL_A_MAXIMUM)
      return tl_operands_fail (ops, o->at,
                               "a maximum stands alone, it is not part of a "
                               "formula");
    if (o->kind == TL_AN_INFINITY || o->kind == TL_A_BOUND)
      return tl_operands_fail (ops, o->at,
                               "'oo' is for AG p < oo alone, which asks "
                               "whether p has a bound");
    if (formula && o->kind == TL_A_SUM)
      return tl_operands_fail (ops, o->at,
                               "this is a number of tokens, not a formula; "
                               "compare it, as in 'p >= 1'");
    if (!formula && o->kind == TL_A_FORMULA)
      return tl_operands_fail (ops, o->at,
                               "this is a formula, not a sum of places");
  }
  return TL_OK;
}

// ---- Leaves ----------------------------------------------------------------

// A proposition may be large, but its maker bounds its depth.
static void measure (const tl_formula *f, unsigned *depth, uint64_t *size) {
  unsigned deepest = 0;
  for (uint32_t i = 0; f && i < tl_formula_operands (f); i++) {
    unsigned below;
    measure (f->operand[i], &below, size);
    deepest = below > deepest ? below : deepest;
  }
  *depth = deepest + 1;
  ++*size;
}

tl_status tl_operands_formula (tl_operands *ops, tl_position at,
                               tl_formula *atom) {
  unsigned depth;
  uint64_t size = 0;
  measure (atom, &depth, &size);
  return push_formula (ops, at, atom, depth, size);
}

tl_status tl_operands_number (tl_operands *ops, tl_position at, uint64_t n) {
  if (n > (uint64_t)1 << 63)
    return tl_operands_fail (ops, at, "the number is too large");
  return push (ops,
               (tl_operand){.kind = TL_A_SUM,
                            .at = at,
                            .sum = {.first = ops->sums.count, .constant = n}});
}

tl_status tl_operands_infinity (tl_operands *ops, tl_position at) {
  return push (ops, (tl_operand){.kind = TL_AN_INFINITY,
                                 .at = at,
                                 .sum = {.first = ops->sums.count}});
}

static tl_status resolve (const tl_operands *ops, tl_position at, tl_named kind,
                          const char *id, tl_node_range *range) {
  if ((ops->ids_only ? tl_resolve_id : tl_resolve) (ops->net, kind, id, range))
    return TL_OK;
  char text[sizeof ops->err->text];
  tl_resolve_explain (ops->net, kind, id, text, sizeof text);
  return tl_operands_fail (ops, at, "%s", text);
}

tl_status tl_operands_place (tl_operands *ops, tl_position at, const char *id) {
  assert (ops->count && ops->operand[ops->count - 1].kind == TL_A_SUM);
  tl_node_range places;
  const tl_status rc = resolve (ops, at, TL_NAMED_PLACE, id, &places);
  if (rc)
    return rc;
  return tl_sums_push (&ops->sums, places) ? tl_operands_no_memory (ops)
                                           : TL_OK;
}

tl_status tl_operands_transition (tl_operands *ops, tl_position at,
                                  const char *id) {
  tl_node_range range;
  const tl_status rc = resolve (ops, at, TL_NAMED_TRANSITION, id, &range);
  if (rc)
    return rc;
  if (!TL_ROOM (ops->mem, ops->transition, &ops->transition_capacity,
                ops->transitions + range.count))
    return tl_operands_no_memory (ops);
  for (uint32_t i = 0; i < range.count; i++)
    ops->transition[ops->transitions++] = range.first + i;
  return TL_OK;
}

tl_status tl_operands_fireable (tl_operands *ops, tl_position at) {
  tl_formula *f =
      tl_formula_fireable (ops->arena, ops->transition, ops->transitions);
  ops->transitions = 0;
  return tl_operands_formula (ops, at, f);
}

// Empty places are empty when all of them together are.
static tl_formula *empty_as_initially (tl_operands *ops) {
  tl_formula *f = 0;
  tl_sum left = {.first = ops->sums.count};
  for (uint32_t p = 0; p < ops->net->places; p++)
    if (!ops->net->initial[p] &&
        tl_sums_push (&ops->sums, (tl_node_range){p, 1}))
      return 0;
  tl_sum right = {.first = ops->sums.count};
  tl_sums_compare (&ops->sums, &left, &right, TL_LESS_EQUAL, ops->arena, &f);
  return f;
}

static tl_formula *marked_as_initially (tl_operands *ops, uint32_t place) {
  tl_formula *f = 0;
  tl_sum left = {.first = ops->sums.count};
  if (tl_sums_push (&ops->sums, (tl_node_range){place, 1}))
    return 0;
  tl_sum right = {.first = ops->sums.count,
                  .constant = ops->net->initial[place]};
  tl_sums_compare (&ops->sums, &left, &right, TL_EQUAL, ops->arena, &f);
  return f;
}

// A net that is not unfolded tells itself.
static tl_status told_initially (tl_operands *ops, tl_position at) {
  const tl_summand term = {tl_folded_initial (ops->net), -1};
  bool overflow;
  return tl_operands_formula (
      ops, at, tl_formula_compare (ops->arena, &term, 1, -1, &overflow));
}

tl_status tl_operands_initial (tl_operands *ops, tl_position at) {
  const tl_net *net = ops->net;
  tl_formula **operand;
  if (net->folded)
    return told_initially (ops, at);
  if (!TL_ARENA_NEW (ops->arena, operand, (size_t)net->places + 1))
    return tl_operands_no_memory (ops);
  size_t count = 0;
  if (!(operand[count++] = empty_as_initially (ops)))
    return tl_operands_no_memory (ops);
  for (uint32_t p = 0; p < net->places; p++)
    if (net->initial[p] && !(operand[count++] = marked_as_initially (ops, p)))
      return tl_operands_no_memory (ops);
  return push_formula (ops, at,
                       tl_formula_nary (ops->arena, TL_AND, operand, count), 3,
                       3 * count + 1);
}

// ---- Sums ------------------------------------------------------------------

// What a failure of the sums means.
static tl_status sum_failed (const tl_operands *ops, tl_position at,
                             tl_status rc) {
  return rc == TL_E_NOMEM
             ? tl_operands_no_memory (ops)
             : tl_operands_fail (ops, at, "the numbers are too large");
}

// Only one factor may have places; they are the last terms either way.
static tl_status multiply (tl_operands *ops, tl_position at, tl_sum *left,
                           const tl_sum *right) {
  const bool number_first = left->first == right->first;
  if (!number_first && right->first != ops->sums.count)
    return tl_operands_fail (ops, at,
                             "a product of places is not supported; one "
                             "factor has to be a number");
  const __int128 factor = number_first ? left->constant : right->constant;
  if (number_first)
    left->constant = right->constant;
  const tl_status rc = tl_sums_scale (&ops->sums, left, factor);
  return rc ? sum_failed (ops, at, rc) : TL_OK;
}

tl_status tl_operands_arithmetic (tl_operands *ops, tl_position at,
                                  tl_arithmetic op) {
  assert (ops->count >= 2);
  tl_status rc = want (ops, ops->count - 2, false);
  if (rc)
    return rc;
  tl_sum *right = &ops->operand[--ops->count].sum;
  tl_sum *left = &ops->operand[ops->count - 1].sum;
  if (op == TL_TIMES)
    return multiply (ops, at, left, right);
  if (op == TL_MINUS)
    rc = tl_sums_scale (&ops->sums, right, -1);
  if (!rc)
    rc = tl_sums_add (left, right);
  return rc ? sum_failed (ops, at, rc) : TL_OK;
}

tl_status tl_operands_negate_sum (tl_operands *ops, tl_position at) {
  assert (ops->count);
  tl_status rc = want (ops, ops->count - 1, false);
  if (rc)
    return rc;
  tl_operand *last = ops->operand + ops->count - 1;
  last->at = at;
  rc = tl_sums_scale (&ops->sums, &last->sum, -1);
  return rc ? sum_failed (ops, at, rc) : TL_OK;
}

// sum < oo?  Then this is the last operand.
static bool bounds_sum (tl_operands *ops, tl_comparison relation) {
  tl_operand *o = ops->operand + ops->count - 2;
  if (o[0].kind != TL_A_SUM || o[1].kind != TL_AN_INFINITY ||
      (relation != TL_LESS && relation != TL_UNEQUAL))
    return false;
  o->kind = TL_A_BOUND;
  o->depth = 0;
  ops->count--;
  return true;
}

tl_status tl_operands_compare (tl_operands *ops, tl_position at,
                               tl_comparison relation) {
  assert (ops->count >= 2);
  if (bounds_sum (ops, relation))
    return TL_OK;
  tl_status rc = want (ops, ops->count - 2, false);
  if (rc)
    return rc;
  tl_operand *o = ops->operand + (ops->count -= 2);
  tl_formula *f;
  rc = tl_sums_compare (&ops->sums, &o[0].sum, &o[1].sum, relation, ops->arena,
                        &f);
  const bool two = relation == TL_EQUAL || relation == TL_UNEQUAL;
  return rc ? sum_failed (ops, at, rc)
            : push_formula (ops, o->at, f, two ? 2 : 1, two ? 3 : 1);
}

tl_status tl_operands_maximum (tl_operands *ops, tl_position at) {
  assert (ops->count);
  tl_operand *last = ops->operand + ops->count - 1;
  const tl_status rc = want (ops, ops->count - 1, false);
  if (rc)
    return rc;
  if (last->sum.constant)
    return tl_operands_fail (ops, at,
                             "a maximum is of places, without a "
                             "number added");
  last->kind = TL_A_MAXIMUM;
  last->at = at;
  return TL_OK;
}

// ---- Formulas --------------------------------------------------------------

tl_status tl_operands_unary (tl_operands *ops, tl_position at, tl_op op) {
  assert (ops->count);
  tl_operand *last = ops->operand + ops->count - 1;
  if (last->kind == TL_A_BOUND && last->depth < 2 &&
      op == (last->depth ? TL_ALL : TL_GLOBALLY)) {
    last->depth++;
    return TL_OK;
  }
  tl_status rc = want (ops, ops->count - 1, true);
  if (rc)
    return rc;
  const tl_operand o = ops->operand[--ops->count];
  rc = push_formula (ops, at, tl_formula_unary (ops->arena, op, o.formula),
                     o.depth + 1, o.size + 1);
  if (rc || op != TL_NOT || !o.chain.count)
    return rc;
  last->chain = o.chain;
  last->chain.even ^= true;
  return TL_OK;
}

static tl_formula *write_out (tl_arena *arena, tl_connective op, tl_formula *a,
                              tl_formula *b) {
  if (op == TL_STRONG_UNTIL)
    return tl_formula_binary (arena, TL_UNTIL, a, b);
  if (op == TL_RELEASED_BY)
    return tl_formula_binary (arena, TL_RELEASE, a, b);
  if (op == TL_WEAK_UNTIL) // b R (a OR b)
    return tl_formula_binary (arena, TL_RELEASE, b,
                              tl_formula_binary (arena, TL_OR, a, b));
  tl_formula *not_a = tl_formula_unary (arena, TL_NOT, a);
  if (op == TL_IMPLIES)
    return tl_formula_binary (arena, TL_OR, not_a, b);
  tl_formula *not_b = tl_formula_unary (arena, TL_NOT, b);
  return tl_formula_binary (
      arena, TL_OR,
      tl_formula_binary (arena, TL_AND, a, op == TL_IFF ? b : not_b),
      tl_formula_binary (arena, TL_AND, not_a, op == TL_IFF ? not_b : b));
}

tl_status tl_operands_binary (tl_operands *ops, tl_position at,
                              tl_connective op) {
  assert (ops->count >= 2 && op != TL_IFF && op != TL_XOR);
  const tl_status rc = want (ops, ops->count - 2, true);
  if (rc)
    return rc;
  const tl_operand *o = ops->operand + (ops->count -= 2);
  const bool plain = op == TL_STRONG_UNTIL || op == TL_RELEASED_BY;
  const unsigned depth = o[0].depth > o[1].depth ? o[0].depth : o[1].depth;
  uint64_t size = o[0].size + o[1].size + (plain ? 1 : 2);
  if (op == TL_WEAK_UNTIL) // written out it has the right one twice
    size += o[1].size;
  return push_formula (ops, at,
                       write_out (ops->arena, op, o[0].formula, o[1].formula),
                       depth + (plain ? 1 : 2), size);
}

// A formula that is no chain is one of a single link.
static tl_status as_chain (tl_operands *ops, tl_operand *o) {
  if (o->chain.count)
    return TL_OK;
  tl_joined *link;
  if (!TL_ARENA_NEW (ops->arena, link, 1))
    return tl_operands_no_memory (ops);
  *link =
      (tl_joined){.formula = o->formula, .depth = o->depth, .size = o->size};
  o->chain = (tl_chain){.first = link, .last = link, .count = 1};
  return TL_OK;
}

// Both are associative, so that the next `count` links can be joined in halves.
// From left to right each would double the size.  The formula is null where it
// is too large or there is no memory.
static tl_joined join_links (tl_arena *arena, tl_connective top,
                             tl_connective op, const tl_joined **next,
                             size_t count) {
  if (count == 1) {
    const tl_joined *link = *next;
    *next = link->next;
    return *link;
  }
  const size_t half = (size_t)1 << (tl_bits_for (count - 1) - 1);
  const tl_joined a = join_links (arena, op, op, next, half);
  const tl_joined b = join_links (arena, op, op, next, count - half);
  tl_joined both = {.depth = (a.depth > b.depth ? a.depth : b.depth) + 3,
                    .size = 2 * (a.size + b.size) + 5};
  if (both.size <= TL_FORMULA_SIZE)
    both.formula = write_out (arena, top, a.formula, b.formula);
  return both;
}

tl_status tl_operands_chain (tl_operands *ops, tl_position at, tl_connective op,
                             size_t count) {
  assert (ops->count >= count && count && (op == TL_IFF || op == TL_XOR));
  tl_operand *o = ops->operand + ops->count - count;
  tl_status rc = want (ops, ops->count - count, true);
  for (size_t i = 0; !rc && i < count; i++)
    rc = as_chain (ops, o + i);
  if (rc)
    return rc;
  tl_chain chain = o->chain;
  for (size_t i = 1; i < count; i++) {
    chain.last->next = o[i].chain.first;
    chain.last = o[i].chain.last;
    chain.count += o[i].chain.count;
    chain.even ^= o[i].chain.even ^ (op == TL_IFF);
  }
  // With one connective everywhere it may be odd where it should be even.
  const bool even = op == TL_IFF && chain.count % 2 == 0;
  const tl_connective other = op == TL_IFF ? TL_XOR : TL_IFF;
  const tl_connective top = even == chain.even ? op : other;
  const tl_joined *next = chain.first;
  const tl_joined all = join_links (ops->arena, top, op, &next, chain.count);
  ops->count -= count;
  const tl_operand joined = {.kind = TL_A_FORMULA,
                             .at = at,
                             .formula = all.formula,
                             .depth = all.depth,
                             .size = all.size,
                             .chain = chain};
  rc = check_size (ops, at, &joined);
  if (!rc && !all.formula)
    rc = tl_operands_no_memory (ops);
  return rc ? rc : push (ops, joined);
}

tl_status tl_operands_join (tl_operands *ops, tl_position at, tl_op op,
                            size_t count) {
  assert (ops->count >= count);
  const tl_status rc = want (ops, ops->count - count, true);
  if (rc)
    return rc;
  const tl_operand *o = ops->operand + (ops->count -= count);
  tl_formula **list;
  if (!TL_ARENA_NEW (ops->arena, list, count))
    return tl_operands_no_memory (ops);
  unsigned depth = 0;
  uint64_t size = 1;
  for (size_t i = 0; i < count; i++) {
    list[i] = o[i].formula;
    depth = o[i].depth > depth ? o[i].depth : depth;
    size += o[i].size;
  }
  return push_formula (ops, at, tl_formula_nary (ops->arena, op, list, count),
                       depth + 1, size);
}

// ---- Questions -------------------------------------------------------------

static tl_status ask_maximum (tl_operands *ops, const tl_operand *o,
                              tl_question *question) {
  // As a comparison the terms get sorted and joined.
  bool overflow;
  const tl_formula *f =
      tl_sums_at_most (&ops->sums, o->sum.first, 0, ops->arena, &overflow);
  if (!f && !overflow)
    return tl_operands_no_memory (ops);
  if (!f)
    return sum_failed (ops, o->at, TL_E_LIMIT);
  question->kind = TL_ASK_BOUND;
  if (f->op != TL_COMPARE)
    return TL_OK;
  for (uint32_t i = 0; i < f->count; i++)
    if (f->term[i].coefficient < 0)
      return tl_operands_fail (ops, o->at,
                               "the maximum of a difference is not supported");
  question->term = f->term;
  question->term_count = f->count;
  return TL_OK;
}

tl_status tl_operands_finish (tl_operands *ops, tl_questions *questions,
                              const char *name) {
  assert (ops->count == 1);
  const tl_operand *o = ops->operand;
  const bool asks =
      o->kind == TL_A_MAXIMUM || (o->kind == TL_A_BOUND && o->depth);
  tl_status rc = asks ? TL_OK : want (ops, 0, true);
  if (rc)
    return rc;
  // A path formula is about all runs.
  const bool linear =
      o->kind == TL_A_FORMULA && tl_formula_is_path (o->formula);
  if (linear && (rc = tl_operands_unary (ops, o->at, TL_ALL)))
    return rc;
  o = ops->operand;
  tl_question *question = tl_questions_add (questions, name);
  if (!question)
    return tl_operands_no_memory (ops);
  question->formula = o->kind == TL_A_FORMULA ? o->formula : 0;
  question->linear = linear;
  question->finite = o->kind == TL_A_BOUND;
  if (asks && (rc = ask_maximum (ops, o, question)))
    questions->count--;
  ops->count = ops->sums.count = 0;
  return rc;
}
