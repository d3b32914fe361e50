// An operator-precedence parser like that of formulas, with its stacks on the
// heap.  The weight of a sum is read into an expression of its own, in which
// $1 is place 0 of a "marking" made of the numbers that the stars stand for.

#include "read/expression_text.h"

#include "base/error.h"
#include "read/formula_lex.h"
#include "read/pattern.h"
#include "read/resolve.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef enum operation {
  OPEN,
  OPEN_WEIGHT,
  PLUS,
  MINUS,
  TIMES,
  OVER,
  MODULO,
  NEGATE
} operation;

// How tightly an operator binds.
static const unsigned char levels[] = {
    [OPEN] = 0,  [OPEN_WEIGHT] = 0, [PLUS] = 1,   [MINUS] = 1,
    [TIMES] = 2, [OVER] = 2,        [MODULO] = 2, [NEGATE] = 3};

typedef struct pending {
  operation op;
  tl_position at;
} pending;

typedef struct reader {
  const tl_net *net;
  tl_mem *mem;
  tl_lexer lexer;
  tl_expression *into;               // the part being read, or `weight`
  size_t start[TL_EXPRESSION_DEPTH]; // the steps of each operand
  size_t operands;
  pending *op; // operators that wait for their right operand
  size_t ops, op_room;
  size_t open; // parentheses

  // the sum being read
  tl_position sum_at;
  char *pattern;
  size_t pattern_room;
  tl_expression weight, *part;
} reader;

static tl_status fail_at (const reader *r, tl_position at, const char *text) {
  return tl_fail_at (r->lexer.err, TL_E_SYNTAX, r->lexer.file, at.line,
                     at.column, "%s", text);
}

static tl_status fail_here (const reader *r, const char *text) {
  return fail_at (r, r->lexer.position, text);
}

static tl_status unexpected (const reader *r, const char *wanted) {
  return tl_lexer_unexpected (&r->lexer, wanted);
}

static tl_status next (reader *r) {
  return tl_lexer_next (&r->lexer);
}

// What building steps may say, in words.
static tl_status explain (const reader *r, tl_position at, tl_status rc) {
  switch (rc) {
  case TL_OK: return TL_OK;
  case TL_E_ARG: return fail_at (r, at, "division by zero");
  case TL_E_LIMIT: return fail_at (r, at, "the number is too large");
  default:
    return tl_fail (r->lexer.err, TL_E_NOMEM, "no memory for the expression");
  }
}

// ---- Operators -------------------------------------------------------------

static tl_status apply (reader *r) {
  static const tl_step_op binary[] = {[PLUS] = TL_STEP_ADD,
                                      [MINUS] = TL_STEP_SUBTRACT,
                                      [TIMES] = TL_STEP_MULTIPLY,
                                      [OVER] = TL_STEP_DIVIDE,
                                      [MODULO] = TL_STEP_MODULO};
  const pending p = r->op[--r->ops];
  const size_t last = r->operands - 1;
  tl_status rc;
  if (p.op == NEGATE) {
    rc = tl_expression_scale (r->into, r->start[last], -1);
  } else {
    rc = tl_expression_apply (r->into, binary[p.op], r->start[last - 1],
                              r->start[last]);
    r->operands--;
  }
  return explain (r, p.at, rc);
}

// Applies what is pending and binds at least so tightly, back to the last
// parenthesis.
static tl_status apply_all (reader *r, unsigned level) {
  tl_status rc = TL_OK;
  while (!rc && r->ops && levels[r->op[r->ops - 1].op] >= level)
    rc = apply (r);
  return rc;
}

static tl_status push (reader *r, operation op) {
  if (!TL_ROOM (r->mem, r->op, &r->op_room, r->ops + 1))
    return explain (r, r->lexer.position, TL_E_NOMEM);
  r->op[r->ops++] = (pending){op, r->lexer.position};
  r->open += !levels[op];
  return TL_OK;
}

// ---- Operands --------------------------------------------------------------

// The next steps are an operand.
static tl_status begin_operand (reader *r) {
  if (r->operands == TL_EXPRESSION_DEPTH)
    return fail_here (r, "the expression is nested too deeply");
  r->start[r->operands++] = r->into->count;
  return TL_OK;
}

static tl_status read_number (reader *r) {
  if (r->lexer.number > INT64_MAX)
    return fail_here (r, "the number is too large");
  const tl_status rc = begin_operand (r);
  return rc ? rc
            : explain (
                  r, r->lexer.position,
                  tl_expression_number (r->into, (int64_t)r->lexer.number));
}

static tl_status read_place (reader *r) {
  tl_node_range places;
  char text[300];
  if (!tl_resolve (r->net, TL_NAMED_PLACE, r->lexer.name, &places)) {
    tl_resolve_explain (r->net, TL_NAMED_PLACE, r->lexer.name, text,
                        sizeof text);
    return fail_here (r, text);
  }
  tl_status rc = begin_operand (r);
  for (uint32_t i = 0; !rc && i < places.count; i++) {
    const size_t right = r->into->count;
    rc = tl_expression_place (r->into, places.first + i);
    if (!rc && i)
      rc = tl_expression_apply (r->into, TL_STEP_ADD, r->start[r->operands - 1],
                                right);
    rc = explain (r, r->lexer.position, rc);
  }
  return rc;
}

// $1, $2, ... in the weight of a sum.
static tl_status read_star (reader *r) {
  const char *digit = r->lexer.name + 1;
  const size_t stars = tl_pattern_stars (r->pattern);
  if (r->lexer.name[0] != '$' || r->lexer.token == TL_TOKEN_QUOTED)
    return fail_here (r, "the weight of a sum has no places, only numbers and "
                         "$1, $2, ... for its stars");
  if (*digit < '1' || *digit > '9' || digit[1] ||
      (size_t)(*digit - '0') > stars)
    return fail_here (r, "the pattern of this sum has no such star");
  const tl_status rc = begin_operand (r);
  return rc ? rc
            : explain (r, r->lexer.position,
                       tl_expression_place (r->into, (uint32_t)(*digit - '1')));
}

// ---- Sums over patterns ----------------------------------------------------

static tl_status fail_sum (const reader *r, const char *format,
                           const char *place) {
  char text[400], name[120];
  snprintf (text, sizeof text, format,
            tl_printable (name, sizeof name, place, strlen (place)));
  return fail_at (r, r->sum_at, text);
}

// The numbers that the stars stand for; 0 where it is something else, which is
// wrong only where the weight asks for it.
static tl_status find_numbers (const reader *r, const char *name,
                               const tl_star *star, uint64_t *number) {
  bool used[TL_PATTERN_STARS] = {0};
  for (size_t i = 0; i < r->weight.count; i++)
    if (r->weight.step[i].op == TL_STEP_PLACE)
      used[r->weight.step[i].place] = true;
  for (size_t i = 0; i < tl_pattern_stars (r->pattern); i++) {
    bool good = star[i].length > 0;
    number[i] = 0;
    for (size_t k = 0; k < star[i].length; k++) {
      const char c = name[star[i].start + k];
      good =
          good && c >= '0' && c <= '9' &&
          !__builtin_mul_overflow (number[i], 10u, number + i) &&
          !__builtin_add_overflow (number[i], (unsigned)(c - '0'), number + i);
    }
    if (used[i] && !good)
      return fail_sum (r,
                       "the weight of '%s' cannot be computed: a star "
                       "stands for something that is no number",
                       name);
  }
  return TL_OK;
}

static tl_status find_weight (const reader *r, const char *name,
                              const tl_star *star, int64_t *weight) {
  uint64_t number[TL_PATTERN_STARS];
  *weight = 1;
  if (!r->weight.count)
    return TL_OK;
  tl_status rc = find_numbers (r, name, star, number);
  if (rc)
    return rc;
  rc = tl_expression_value (&r->weight, number, weight);
  return rc == TL_E_ARG
             ? fail_sum (r, "division by zero in the weight of '%s'", name)
         : rc == TL_E_LIMIT
             ? fail_sum (r, "the weight of '%s' is too large", name)
             : TL_OK;
}

// The sum is complete: an operand with a term for each place that matches.
static tl_status add_sum (reader *r) {
  tl_star star[TL_PATTERN_STARS];
  tl_status rc = begin_operand (r);
  const size_t start = r->into->count;
  for (uint32_t p = 0; !rc && p < r->net->places; p++) {
    int64_t weight;
    if (!tl_pattern_match (r->pattern, r->net->place_id[p], star))
      continue;
    if ((rc = find_weight (r, r->net->place_id[p], star, &weight)))
      return rc;
    const size_t right = r->into->count;
    rc = tl_expression_place (r->into, p);
    if (!rc)
      rc = tl_expression_scale (r->into, right, weight);
    if (!rc && right > start)
      rc = tl_expression_apply (r->into, TL_STEP_ADD, start, right);
    rc = explain (r, r->sum_at, rc);
  }
  if (!rc && r->into->count == start)
    rc = fail_sum (r, "no place matches '%s'", r->pattern);
  return rc;
}

// sum ( pattern ) or the beginning of sum ( pattern , weight ).
static tl_status read_sum (reader *r, bool *complete) {
  r->sum_at = r->lexer.position;
  tl_status rc = next (r);
  if (rc || (rc = tl_lexer_pattern (&r->lexer)))
    return rc;
  if (r->lexer.token != TL_TOKEN_QUOTED)
    return unexpected (r, "the name of places, with * for any text");
  if (tl_pattern_stars (r->lexer.name) > TL_PATTERN_STARS)
    return fail_here (r, "a pattern may have nine stars at most");
  const size_t length = strlen (r->lexer.name) + 1;
  if (!TL_ROOM (r->mem, r->pattern, &r->pattern_room, length))
    return explain (r, r->sum_at, TL_E_NOMEM);
  memcpy (r->pattern, r->lexer.name, length);
  if ((rc = next (r)))
    return rc;
  *complete = r->lexer.token == TL_TOKEN_CLOSE;
  if (*complete)
    return add_sum (r);
  if (r->lexer.token != TL_TOKEN_COMMA)
    return unexpected (r, "',' or ')' after the pattern");
  if ((rc = push (r, OPEN_WEIGHT)))
    return rc;
  r->op[r->ops - 1].at = r->sum_at;
  r->part = r->into;
  r->into = &r->weight;
  return TL_OK;
}

// The weight of a sum is complete.
static tl_status close_weight (reader *r) {
  r->operands--;
  r->into = r->part;
  const tl_status rc = add_sum (r);
  r->weight.count = 0;
  return rc;
}

// ---- Expressions -----------------------------------------------------------

// The beginning of an operand; *complete when it is all of one.
static tl_status read_operand (reader *r, bool *complete) {
  const bool in_weight = r->into == &r->weight;
  *complete = true;
  switch (r->lexer.token) {
  case TL_TOKEN_NUMBER: return read_number (r);
  case TL_TOKEN_WORD:
    if (!strcasecmp (r->lexer.name, "sum") && !in_weight &&
        tl_lexer_peek (&r->lexer) == TL_TOKEN_OPEN)
      return read_sum (r, complete);
    // fall through
  case TL_TOKEN_QUOTED: return in_weight ? read_star (r) : read_place (r);
  case TL_TOKEN_OPEN: *complete = false; return push (r, OPEN);
  case TL_TOKEN_MINUS: *complete = false; return push (r, NEGATE);
  default: return unexpected (r, "a number or a place");
  }
}

static tl_status close_parenthesis (reader *r) {
  const tl_status rc = apply_all (r, 1);
  if (rc)
    return rc;
  if (!r->ops)
    return fail_here (r, "')' without '('");
  r->open--;
  return r->op[--r->ops].op == OPEN_WEIGHT ? close_weight (r) : TL_OK;
}

// What follows an operand.  *complete: no further operand has to follow.
static tl_status read_operator (reader *r, bool *complete) {
  static const operation symbol[] = {[TL_TOKEN_PLUS] = PLUS,
                                     [TL_TOKEN_MINUS] = MINUS,
                                     [TL_TOKEN_TIMES] = TIMES,
                                     [TL_TOKEN_OVER] = OVER};
  if (r->lexer.token == TL_TOKEN_CLOSE)
    return close_parenthesis (r);
  operation op = symbol[r->lexer.token];
  if (r->lexer.token == TL_TOKEN_WORD && !strcasecmp (r->lexer.name, "mod"))
    op = MODULO;
  if (op == OPEN)
    return unexpected (r, "an operator");
  *complete = false;
  const tl_status rc = apply_all (r, levels[op]);
  return rc ? rc : push (r, op);
}

static bool at_end (const reader *r) {
  return r->lexer.token == TL_TOKEN_END ||
         (r->lexer.token == TL_TOKEN_COMMA && !r->open);
}

static tl_status read_part (reader *r) {
  bool complete = false;
  r->operands = 0;
  while (!complete || !at_end (r)) {
    tl_status rc =
        complete ? read_operator (r, &complete) : read_operand (r, &complete);
    if (rc || (rc = next (r)))
      return rc;
  }
  const tl_status rc = apply_all (r, 1);
  return !rc && r->ops ? fail_at (r, r->op[r->ops - 1].at, "'(' is not closed")
                       : rc;
}

static tl_status read_parts (reader *r, tl_expressions *list, size_t most) {
  do {
    if (list->count == most)
      return fail_here (r, "there are too many parts");
    if (!TL_ROOM (r->mem, list->part, &list->room, list->count + 1))
      return explain (r, r->lexer.position, TL_E_NOMEM);
    r->into = list->part + list->count++;
    *r->into = (tl_expression){.mem = r->mem};
    tl_status rc = next (r);
    if (rc || (rc = read_part (r)))
      return rc;
  } while (r->lexer.token == TL_TOKEN_COMMA);
  return TL_OK;
}

tl_status tl_expression_text_read (tl_expressions *list, const tl_net *net,
                                   const char *text, const char *file,
                                   size_t most, tl_error *err) {
  reader r = {.net = net, .mem = list->mem, .weight = {.mem = list->mem}};
  tl_lexer_open (&r.lexer, list->mem, net, text, file, err);
  r.lexer.divides = true;
  const tl_status rc = read_parts (&r, list, most);
  TL_DEL (r.mem, r.op, r.op_room);
  TL_DEL (r.mem, r.pattern, r.pattern_room);
  tl_expression_close (&r.weight);
  tl_lexer_close (&r.lexer);
  return rc;
}

void tl_expressions_close (tl_expressions *list) {
  for (size_t i = 0; i < list->count; i++)
    tl_expression_close (list->part + i);
  TL_DEL (list->mem, list->part, list->room);
  *list = (tl_expressions){.mem = list->mem};
}
