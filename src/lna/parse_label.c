// Labels of arcs and places, and transitions.

#include "lna/parse.h"

// <( x, 3 )> or epsilon, which has no parts
static tl_lna_node *parts (tl_lna_parser *p) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  bool good = true;
  if (!tl_lna_accept (p, TL_LNA_EPSILON))
    good = (tl_lna_accept (p, TL_LNA_OPEN_TUPLE)
                ? true
                : tl_lna_expected (p, "a tuple")) &&
           tl_lna_push_expressions (p) && tl_lna_expect (p, TL_LNA_CLOSE_TUPLE);
  return tl_lna_make (p, good, TL_LNA_IS_LIST, where, marks);
}

static bool push_tuple_loops (tl_lna_parser *p) {
  return !tl_lna_accept (p, TL_LNA_FOR)
             ? tl_lna_push_null (p)
             : tl_lna_expect (p, TL_LNA_OPEN) &&
                   tl_lna_push (p, tl_lna_parse_loops (p)) &&
                   tl_lna_expect (p, TL_LNA_CLOSE);
}

static bool push_tuple_condition (tl_lna_parser *p) {
  return !tl_lna_accept (p, TL_LNA_IF)
             ? tl_lna_push_null (p)
             : tl_lna_expect (p, TL_LNA_OPEN) &&
                   tl_lna_push (p, tl_lna_parse_expression (p)) &&
                   tl_lna_expect (p, TL_LNA_CLOSE);
}

static bool push_factor (tl_lna_parser *p) {
  const tl_lna_token t = tl_lna_now (p);
  return t == TL_LNA_OPEN_TUPLE || t == TL_LNA_EPSILON
             ? tl_lna_push_null (p)
             : tl_lna_push (p, tl_lna_parse_factor (p)) &&
                   tl_lna_expect (p, TL_LNA_TIMES);
}

// @+ 5
static bool push_delay (tl_lna_parser *p) {
  return tl_lna_accept (p, TL_LNA_DELAY)
             ? tl_lna_push (p, tl_lna_parse_delay (p))
             : tl_lna_push_null (p);
}

static tl_lna_node *tuple (tl_lna_parser *p) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  const bool good = push_tuple_loops (p) && push_tuple_condition (p) &&
                    push_factor (p) && tl_lna_push (p, parts (p)) &&
                    push_delay (p);
  return tl_lna_make (p, good, TL_LNA_IS_TUPLE, where, marks);
}

tl_lna_node *tl_lna_parse_label (tl_lna_parser *p) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  bool good;
  do
    good = tl_lna_push (p, tuple (p));
  while (good && tl_lna_accept (p, TL_LNA_PLUS));
  return tl_lna_make (p, good, TL_LNA_IS_LIST, where, marks);
}

// Sections of transitions: entries in braces

static tl_lna_node *arc (tl_lna_parser *p) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  const bool good = tl_lna_push_word (p, "a place or '}'") &&
                    tl_lna_expect (p, TL_LNA_COLON) &&
                    tl_lna_push (p, tl_lna_parse_label (p)) &&
                    tl_lna_expect (p, TL_LNA_SEMICOLON);
  return tl_lna_make (p, good, TL_LNA_IS_ARC, where, marks);
}

static tl_lna_node *pick (tl_lna_parser *p) {
  tl_lna_node *n = tl_lna_parse_loop (p);
  return n && tl_lna_expect (p, TL_LNA_SEMICOLON) ? n : 0;
}

static tl_lna_node *letting (tl_lna_parser *p) {
  const tl_lna_marks marks = tl_lna_mark (p);
  bool good = tl_lna_push_word (p, "a type or '}'");
  const tl_where where = tl_lna_here (p);
  good = good && tl_lna_push_word (p, "a variable") &&
         tl_lna_expect (p, TL_LNA_ASSIGN) &&
         tl_lna_push (p, tl_lna_parse_expression (p)) &&
         tl_lna_expect (p, TL_LNA_SEMICOLON);
  return tl_lna_make (p, good, TL_LNA_IS_LETTING, where, marks);
}

static bool push_section (tl_lna_parser *p, tl_lna_token word, bool optional,
                          tl_lna_node *(*entry) (tl_lna_parser *)) {
  if (optional && tl_lna_now (p) != word)
    return tl_lna_push_null (p);
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  bool good = tl_lna_expect (p, word) && tl_lna_expect (p, TL_LNA_OPEN_BRACE);
  while (good && !tl_lna_accept (p, TL_LNA_CLOSE_BRACE))
    good = tl_lna_push (p, entry (p));
  return tl_lna_push (p, tl_lna_make (p, good, TL_LNA_IS_LIST, where, marks));
}

// Attributes

static tl_lna_node *description (tl_lna_parser *p) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  const char *text = p->lexer.now.text;
  bool good =
      tl_lna_accept (p, TL_LNA_STRING) ? true : tl_lna_expected (p, "a string");
  if (good && tl_lna_accept (p, TL_LNA_COMMA))
    good = tl_lna_push_expressions (p);
  tl_lna_node *n = tl_lna_make (p, good, TL_LNA_IS_LIST, where, marks);
  if (n)
    n->text = text;
  return n;
}

// `first`: where the attributes of this transition begin on the stack.
static bool attribute (tl_lna_parser *p, size_t first, bool *safe) {
  const tl_where where = tl_lna_here (p);
  const tl_lna_token word = tl_lna_now (p);
  tl_lna_section section;
  switch (word) {
  case TL_LNA_GUARD: section = TL_LNA_SECTION_GUARD; break;
  case TL_LNA_PRIORITY: section = TL_LNA_SECTION_PRIORITY; break;
  case TL_LNA_DESCRIPTION: section = TL_LNA_SECTION_DESCRIPTION; break;
  case TL_LNA_SAFE: section = TL_LNA_SECTIONS; break;
  default: return tl_lna_expected (p, "an attribute of the transition or '}'");
  }
  tl_lna_advance (&p->lexer);
  if (word == TL_LNA_SAFE ? *safe : p->node[first + section] != 0)
    return tl_lna_fail (p->source, where, "a second '%s'",
                        tl_lna_token_text (word));
  if (word == TL_LNA_SAFE)
    *safe = true;
  else {
    if (!tl_lna_expect (p, TL_LNA_COLON))
      return false;
    tl_lna_node *n = section == TL_LNA_SECTION_DESCRIPTION
                         ? description (p)
                         : tl_lna_parse_expression (p);
    if (!n)
      return false;
    p->node[first + section] = n;
  }
  return tl_lna_expect (p, TL_LNA_SEMICOLON);
}

bool tl_lna_push_transition (tl_lna_parser *p) {
  const size_t first = p->nodes;
  bool good = tl_lna_push_word (p, "the name of a transition") &&
              tl_lna_expect (p, TL_LNA_OPEN_BRACE) &&
              push_section (p, TL_LNA_IN, false, arc) &&
              push_section (p, TL_LNA_OUT, false, arc) &&
              push_section (p, TL_LNA_INHIBIT, true, arc) &&
              push_section (p, TL_LNA_PICK, true, pick) &&
              push_section (p, TL_LNA_LET, true, letting) &&
              tl_lna_push_null (p) && tl_lna_push_null (p) &&
              tl_lna_push_null (p);
  bool safe = false;
  while (good && !tl_lna_accept (p, TL_LNA_CLOSE_BRACE))
    good = attribute (p, first, &safe);
  return good;
}
