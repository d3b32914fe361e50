// Statements of functions.

#include "lna/parse.h"

static tl_lna_node *assign (tl_lna_parser *p) {
  const tl_lna_marks marks = tl_lna_mark (p);
  // Anything that an expression may be; what can be assigned to is checked
  // later.
  const bool named = tl_lna_now (p) == TL_LNA_NAME;
  if (!named) {
    tl_lna_expected (p, "a statement");
    return 0;
  }
  tl_lna_node *target = tl_lna_parse_expression (p);
  const tl_where where = tl_lna_here (p);
  const bool good = tl_lna_push (p, target) &&
                    tl_lna_expect (p, TL_LNA_ASSIGN) &&
                    tl_lna_push (p, tl_lna_parse_expression (p)) &&
                    tl_lna_expect (p, TL_LNA_SEMICOLON);
  return tl_lna_make (p, good, TL_LNA_IS_ASSIGN, where, marks);
}

// ( expression )
static bool push_condition (tl_lna_parser *p) {
  return tl_lna_expect (p, TL_LNA_OPEN) &&
         tl_lna_push (p, tl_lna_parse_expression (p)) &&
         tl_lna_expect (p, TL_LNA_CLOSE);
}

static tl_lna_node *conditional (tl_lna_parser *p, tl_lna_kind kind) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  tl_lna_advance (&p->lexer);
  bool good = push_condition (p) && tl_lna_push (p, tl_lna_parse_statement (p));
  if (good && kind == TL_LNA_IS_IF)
    good = tl_lna_accept (p, TL_LNA_ELSE)
               ? tl_lna_push (p, tl_lna_parse_statement (p))
               : tl_lna_push_null (p);
  return tl_lna_make (p, good, kind, where, marks);
}

static tl_lna_node *cases (tl_lna_parser *p) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  tl_lna_advance (&p->lexer);
  bool good = push_condition (p) && tl_lna_expect (p, TL_LNA_OPEN_BRACE);
  while (good && tl_lna_now (p) != TL_LNA_DEFAULT &&
         tl_lna_now (p) != TL_LNA_CLOSE_BRACE)
    good = tl_lna_push (p, tl_lna_parse_expression (p)) &&
           tl_lna_expect (p, TL_LNA_COLON) &&
           tl_lna_push (p, tl_lna_parse_statement (p));
  if (good)
    good = tl_lna_accept (p, TL_LNA_DEFAULT)
               ? tl_lna_expect (p, TL_LNA_COLON) &&
                     tl_lna_push (p, tl_lna_parse_statement (p))
               : tl_lna_push_null (p);
  good = good && tl_lna_expect (p, TL_LNA_CLOSE_BRACE);
  return tl_lna_make (p, good, TL_LNA_IS_CASE, where, marks);
}

static tl_lna_node *loop (tl_lna_parser *p) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  tl_lna_advance (&p->lexer);
  const bool good = tl_lna_expect (p, TL_LNA_OPEN) &&
                    tl_lna_push (p, tl_lna_parse_loops (p)) &&
                    tl_lna_expect (p, TL_LNA_CLOSE) &&
                    tl_lna_push (p, tl_lna_parse_statement (p));
  return tl_lna_make (p, good, TL_LNA_IS_FOR, where, marks);
}

// return e;  assert: e;
static tl_lna_node *simple (tl_lna_parser *p, tl_lna_kind kind) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  tl_lna_advance (&p->lexer);
  const bool good =
      (kind == TL_LNA_IS_RETURN || tl_lna_expect (p, TL_LNA_COLON)) &&
      tl_lna_push (p, tl_lna_parse_expression (p)) &&
      tl_lna_expect (p, TL_LNA_SEMICOLON);
  return tl_lna_make (p, good, kind, where, marks);
}

// T x; T x := e; constant T x := e;
static tl_lna_node *local (tl_lna_parser *p) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const bool constant = tl_lna_accept (p, TL_LNA_CONSTANT);
  bool good = tl_lna_push_word (p, "a type");
  const tl_where where = tl_lna_here (p);
  good = good && tl_lna_push_word (p, "a variable");
  if (good && !constant && tl_lna_now (p) == TL_LNA_SEMICOLON)
    good = tl_lna_push_null (p);
  else
    good = good && tl_lna_expect (p, TL_LNA_ASSIGN) &&
           tl_lna_push (p, tl_lna_parse_expression (p));
  good = good && tl_lna_expect (p, TL_LNA_SEMICOLON);
  tl_lna_node *n = tl_lna_make (p, good, TL_LNA_IS_LOCAL, where, marks);
  if (n && constant)
    n->op = TL_LNA_CONSTANT;
  return n;
}

static bool is_local (const tl_lna_parser *p) {
  return tl_lna_now (p) == TL_LNA_CONSTANT ||
         (tl_lna_now (p) == TL_LNA_NAME &&
          p->lexer.behind.token == TL_LNA_NAME);
}

static tl_lna_node *block (tl_lna_parser *p) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  bool good = true;
  tl_lna_advance (&p->lexer);
  while (good && is_local (p))
    good = tl_lna_push (p, local (p));
  do
    good = good && tl_lna_push (p, tl_lna_parse_statement (p));
  while (good && !tl_lna_accept (p, TL_LNA_CLOSE_BRACE));
  return tl_lna_make (p, good, TL_LNA_IS_BLOCK, where, marks);
}

static tl_lna_node *statement (tl_lna_parser *p) {
  switch (tl_lna_now (p)) {
  case TL_LNA_IF: return conditional (p, TL_LNA_IS_IF);
  case TL_LNA_WHILE: return conditional (p, TL_LNA_IS_WHILE);
  case TL_LNA_CASE: return cases (p);
  case TL_LNA_FOR: return loop (p);
  case TL_LNA_RETURN: return simple (p, TL_LNA_IS_RETURN);
  case TL_LNA_ASSERT: return simple (p, TL_LNA_IS_ASSERT);
  case TL_LNA_OPEN_BRACE: return block (p);
  case TL_LNA_PRINT:
    tl_lna_refuse (p->source, TL_E_MODEL, tl_lna_here (p),
                   "'print' is not supported");
    return 0;
  default: return assign (p);
  }
}

tl_lna_node *tl_lna_parse_statement (tl_lna_parser *p) {
  if (!tl_lna_enter (p))
    return 0;
  tl_lna_node *n = statement (p);
  tl_lna_leave (p);
  return n;
}
