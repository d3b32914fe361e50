// Expressions, by climbing over precedences.

#include "lna/parse.h"

// Precedences of the binary operators; the sign - binds as a difference does,
// `not`, `succ` and `pred` bind closer than all of them.
enum { LOWEST = 1, SUM = 6, PRODUCT = 7 };

static int precedence (tl_lna_token op) {
  switch (op) {
  case TL_LNA_OR: return LOWEST;
  case TL_LNA_AND: return 2;
  case TL_LNA_IN: return 3;
  case TL_LNA_EQUAL:
  case TL_LNA_UNEQUAL: return 4;
  case TL_LNA_LESS:
  case TL_LNA_LESS_EQUAL:
  case TL_LNA_GREATER:
  case TL_LNA_GREATER_EQUAL: return 5;
  case TL_LNA_PLUS:
  case TL_LNA_MINUS: return SUM;
  case TL_LNA_TIMES:
  case TL_LNA_DIVIDE:
  case TL_LNA_MOD: return PRODUCT;
  case TL_LNA_AMPERSAND: return 8;
  default: return 0;
  }
}

static tl_lna_node *binary (tl_lna_parser *, int least, bool factor);

bool tl_lna_push_expressions (tl_lna_parser *p) {
  do
    if (!tl_lna_push (p, tl_lna_parse_expression (p)))
      return false;
  while (tl_lna_accept (p, TL_LNA_COMMA));
  return true;
}

bool tl_lna_push_range (tl_lna_parser *p) {
  return tl_lna_push (p, tl_lna_parse_expression (p)) &&
         tl_lna_expect (p, TL_LNA_DOTS) &&
         tl_lna_push (p, tl_lna_parse_expression (p));
}

// x in T range a .. b
tl_lna_node *tl_lna_parse_loop (tl_lna_parser *p) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  bool good = tl_lna_push_word (p, "a variable") &&
              tl_lna_expect (p, TL_LNA_IN) &&
              tl_lna_push (p, tl_lna_parse_expression (p));
  if (good && tl_lna_accept (p, TL_LNA_RANGE))
    good = tl_lna_push_range (p);
  return tl_lna_make (p, good, TL_LNA_IS_LOOP, where, marks);
}

tl_lna_node *tl_lna_parse_loops (tl_lna_parser *p) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  bool good;
  do
    good = tl_lna_push (p, tl_lna_parse_loop (p));
  while (good && tl_lna_accept (p, TL_LNA_COMMA));
  return tl_lna_make (p, good, TL_LNA_IS_LIST, where, marks);
}

// forall (x in T | condition : value); the value only of some
static tl_lna_node *iterator (tl_lna_parser *p) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  const tl_lna_token op = tl_lna_now (p);
  const bool valued =
      op != TL_LNA_EXISTS && op != TL_LNA_CARD && op != TL_LNA_MULT;
  tl_lna_advance (&p->lexer);
  bool good =
      tl_lna_expect (p, TL_LNA_OPEN) && tl_lna_push (p, tl_lna_parse_loops (p));
  if (good)
    good = tl_lna_accept (p, TL_LNA_BAR)
               ? tl_lna_push (p, tl_lna_parse_expression (p))
               : tl_lna_push_null (p);
  if (good && valued)
    good = tl_lna_expect (p, TL_LNA_COLON) &&
           tl_lna_push (p, tl_lna_parse_expression (p));
  good = good && tl_lna_expect (p, TL_LNA_CLOSE);
  tl_lna_node *n = tl_lna_make (p, good, TL_LNA_IS_ITERATOR, where, marks);
  if (n)
    n->op = op;
  return n;
}

// { ... }, [ ... ] or | ... |
static tl_lna_node *aggregate (tl_lna_parser *p, tl_lna_kind kind,
                               tl_lna_token end) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  tl_lna_advance (&p->lexer);
  const bool good = tl_lna_push_expressions (p) && tl_lna_expect (p, end);
  return tl_lna_make (p, good, kind, where, marks);
}

// A name, a call, a cast, or a part of a token
static tl_lna_node *name (tl_lna_parser *p) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  bool good = tl_lna_push_word (p, "a name");
  if (good && tl_lna_accept (p, TL_LNA_OPEN)) {
    if (!tl_lna_accept (p, TL_LNA_CLOSE))
      good = tl_lna_push_expressions (p) && tl_lna_expect (p, TL_LNA_CLOSE);
    return tl_lna_make (p, good, TL_LNA_IS_APPLY, where, marks);
  }
  if (!good || !tl_lna_accept (p, TL_LNA_ARROW))
    return tl_lna_make (p, good, TL_LNA_IS_NAME, where, marks);
  const uint32_t part = p->lexer.now.number;
  if (!tl_lna_accept (p, TL_LNA_NUMBER))
    good = tl_lna_expected (p, "the number of a part");
  tl_lna_node *n = tl_lna_make (p, good, TL_LNA_IS_PART, where, marks);
  if (n)
    n->number = part;
  return n;
}

static tl_lna_node *plain (tl_lna_parser *p, tl_lna_kind kind) {
  const uint32_t number = p->lexer.now.number;
  tl_lna_node *n =
      tl_lna_make (p, true, kind, tl_lna_here (p), tl_lna_mark (p));
  if (n)
    n->number = number;
  tl_lna_advance (&p->lexer);
  return n;
}

static tl_lna_node *primary (tl_lna_parser *p) {
  switch (tl_lna_now (p)) {
  case TL_LNA_NUMBER: return plain (p, TL_LNA_IS_NUMBER);
  case TL_LNA_EMPTY: return plain (p, TL_LNA_IS_EMPTY);
  case TL_LNA_NAME: return name (p);
  case TL_LNA_OPEN: {
    tl_lna_advance (&p->lexer);
    tl_lna_node *n = tl_lna_parse_expression (p);
    return n && tl_lna_expect (p, TL_LNA_CLOSE) ? n : 0;
  }
  case TL_LNA_OPEN_BRACE:
    return aggregate (p, TL_LNA_IS_STRUCTURE, TL_LNA_CLOSE_BRACE);
  case TL_LNA_OPEN_BRACKET:
    return aggregate (p, TL_LNA_IS_VECTOR, TL_LNA_CLOSE_BRACKET);
  case TL_LNA_BAR: return aggregate (p, TL_LNA_IS_CONTAINER, TL_LNA_BAR);
  case TL_LNA_FORALL:
  case TL_LNA_EXISTS:
  case TL_LNA_CARD:
  case TL_LNA_MULT:
  case TL_LNA_SUM:
  case TL_LNA_PRODUCT:
  case TL_LNA_MIN:
  case TL_LNA_MAX: return iterator (p);
  default: tl_lna_expected (p, "an expression"); return 0;
  }
}

// What may follow an expression

static tl_lna_node *element (tl_lna_parser *p, tl_lna_node *of) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  tl_lna_advance (&p->lexer);
  tl_lna_kind kind = TL_LNA_IS_ELEMENT;
  bool good = tl_lna_push (p, of) && tl_lna_push_expressions (p);
  if (good && p->nodes == marks.nodes + 2 && tl_lna_accept (p, TL_LNA_DOTS)) {
    kind = TL_LNA_IS_SLICE;
    good = tl_lna_push (p, tl_lna_parse_expression (p));
  }
  good = good && tl_lna_expect (p, TL_LNA_CLOSE_BRACKET);
  return tl_lna_make (p, good, kind, where, marks);
}

static tl_lna_node *component (tl_lna_parser *p, tl_lna_node *of) {
  const tl_lna_marks marks = tl_lna_mark (p);
  tl_lna_advance (&p->lexer);
  const tl_where where = tl_lna_here (p);
  const bool good = tl_lna_push (p, of) && tl_lna_push_word (p, "a component");
  return tl_lna_make (p, good, TL_LNA_IS_COMPONENT, where, marks);
}

// :: (c := e) or :: ([i] := e)
static tl_lna_node *with (tl_lna_parser *p, tl_lna_node *of) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  tl_lna_kind kind = TL_LNA_IS_WITH_COMPONENT;
  tl_lna_advance (&p->lexer);
  bool good = tl_lna_push (p, of) && tl_lna_expect (p, TL_LNA_OPEN);
  if (good && tl_lna_accept (p, TL_LNA_OPEN_BRACKET)) {
    kind = TL_LNA_IS_WITH_ELEMENT;
    good =
        tl_lna_push_expressions (p) && tl_lna_expect (p, TL_LNA_CLOSE_BRACKET);
  } else
    good = good && tl_lna_push_word (p, "a component or '['");
  good = good && tl_lna_expect (p, TL_LNA_ASSIGN) &&
         tl_lna_push (p, tl_lna_parse_expression (p)) &&
         tl_lna_expect (p, TL_LNA_CLOSE);
  return tl_lna_make (p, good, kind, where, marks);
}

// Some attributes are called as reserved words.
static tl_lna_node *attribute (tl_lna_parser *p, tl_lna_node *of) {
  const tl_lna_marks marks = tl_lna_mark (p);
  tl_lna_advance (&p->lexer);
  const tl_where where = tl_lna_here (p);
  const tl_lna_token t = tl_lna_now (p);
  if (t == TL_LNA_CARD || t == TL_LNA_MULT || t == TL_LNA_EMPTY ||
      t == TL_LNA_CAPACITY)
    p->lexer.now.token = TL_LNA_NAME;
  const bool good = tl_lna_push (p, of) && tl_lna_push_word (p, "an attribute");
  return tl_lna_make (p, good, TL_LNA_IS_ATTRIBUTE, where, marks);
}

static tl_lna_node *postfix (tl_lna_parser *p) {
  tl_lna_node *n = primary (p);
  while (n)
    switch (tl_lna_now (p)) {
    case TL_LNA_OPEN_BRACKET: n = element (p, n); break;
    case TL_LNA_DOT: n = component (p, n); break;
    case TL_LNA_WITH: n = with (p, n); break;
    case TL_LNA_QUOTE: n = attribute (p, n); break;
    default: return n;
    }
  return 0;
}

static tl_lna_node *operation (tl_lna_parser *p, tl_lna_kind kind,
                               tl_lna_token op, tl_where where, tl_lna_node *a,
                               tl_lna_node *b) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const bool good =
      tl_lna_push (p, a) && (kind == TL_LNA_IS_UNARY || tl_lna_push (p, b));
  tl_lna_node *n = tl_lna_make (p, good, kind, where, marks);
  if (n)
    n->op = op;
  return n;
}

static tl_lna_node *unary (tl_lna_parser *p, bool factor) {
  const tl_lna_token op = tl_lna_now (p);
  const tl_where where = tl_lna_here (p);
  const bool sign = op == TL_LNA_PLUS || op == TL_LNA_MINUS;
  if (!sign && op != TL_LNA_NOT && op != TL_LNA_SUCC && op != TL_LNA_PRED)
    return postfix (p);
  tl_lna_advance (&p->lexer);
  if (!tl_lna_enter (p))
    return 0;
  tl_lna_node *operand = sign ? binary (p, PRODUCT, factor) : unary (p, factor);
  tl_lna_leave (p);
  return operation (p, TL_LNA_IS_UNARY, op, where, operand, 0);
}

static bool is_tuple (tl_lna_token t) {
  return t == TL_LNA_OPEN_TUPLE || t == TL_LNA_EPSILON;
}

static tl_lna_node *binary (tl_lna_parser *p, int least, bool factor) {
  tl_lna_node *n = unary (p, factor);
  for (int level; n && (level = precedence (tl_lna_now (p))) >= least;) {
    const tl_lna_token op = tl_lna_now (p);
    const tl_where where = tl_lna_here (p);
    if (factor && op == TL_LNA_TIMES && is_tuple (p->lexer.behind.token))
      break;
    tl_lna_advance (&p->lexer);
    if (!tl_lna_enter (p))
      return 0;
    tl_lna_node *right = binary (p, level + 1, factor);
    tl_lna_leave (p);
    n = operation (p, TL_LNA_IS_BINARY, op, where, n, right);
  }
  return n;
}

tl_lna_node *tl_lna_parse_factor (tl_lna_parser *p) {
  return binary (p, LOWEST, true);
}

tl_lna_node *tl_lna_parse_delay (tl_lna_parser *p) {
  return binary (p, PRODUCT, false);
}

static tl_lna_node *choice (tl_lna_parser *p) {
  tl_lna_node *n = binary (p, LOWEST, false);
  if (!n || tl_lna_now (p) != TL_LNA_QUESTION)
    return n;
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  tl_lna_advance (&p->lexer);
  const bool good = tl_lna_push (p, n) &&
                    tl_lna_push (p, tl_lna_parse_expression (p)) &&
                    tl_lna_expect (p, TL_LNA_COLON) &&
                    tl_lna_push (p, tl_lna_parse_expression (p));
  return tl_lna_make (p, good, TL_LNA_IS_CHOICE, where, marks);
}

tl_lna_node *tl_lna_parse_expression (tl_lna_parser *p) {
  if (!tl_lna_enter (p))
    return 0;
  tl_lna_node *n = choice (p);
  tl_lna_leave (p);
  return n;
}
