// A net: its parameters and definitions.

#include "lna/parse.h"

#include <string.h>

// Types

static bool push_names (tl_lna_parser *p, const char *what,
                        tl_lna_token between) {
  do
    if (!tl_lna_push_word (p, what))
      return false;
  while (tl_lna_accept (p, between));
  return true;
}

static bool push_capacity (tl_lna_parser *p) {
  return tl_lna_expect (p, TL_LNA_CAPABLE) &&
         tl_lna_expect (p, TL_LNA_CAPACITY) &&
         tl_lna_push (p, tl_lna_parse_expression (p));
}

// [I, J] of T: the element type goes before the index types.
static bool push_indexed (tl_lna_parser *p) {
  const size_t first = p->words;
  if (!tl_lna_expect (p, TL_LNA_OPEN_BRACKET) ||
      !push_names (p, "an index type", TL_LNA_COMMA) ||
      !tl_lna_expect (p, TL_LNA_CLOSE_BRACKET) ||
      !tl_lna_expect (p, TL_LNA_OF) || !tl_lna_push_word (p, "an element type"))
    return false;
  const tl_lna_word element = p->word[p->words - 1];
  memmove (p->word + first + 1, p->word + first,
           (p->words - 1 - first) * sizeof *p->word);
  p->word[first] = element;
  return true;
}

static bool push_components (tl_lna_parser *p) {
  if (!tl_lna_expect (p, TL_LNA_OPEN_BRACE))
    return false;
  do
    if (!tl_lna_push_word (p, "a type") ||
        !tl_lna_push_word (p, "the name of a component") ||
        !tl_lna_expect (p, TL_LNA_SEMICOLON))
      return false;
  while (!tl_lna_accept (p, TL_LNA_CLOSE_BRACE));
  return true;
}

static bool push_type (tl_lna_parser *p, tl_lna_kind *kind) {
  const tl_lna_token word = tl_lna_now (p);
  if (word != TL_LNA_NAME)
    tl_lna_advance (&p->lexer);
  switch (word) {
  case TL_LNA_RANGE: *kind = TL_LNA_IS_RANGE_TYPE; return tl_lna_push_range (p);
  case TL_LNA_MOD:
    *kind = TL_LNA_IS_MOD_TYPE;
    return tl_lna_push (p, tl_lna_parse_expression (p));
  case TL_LNA_ENUM:
    *kind = TL_LNA_IS_ENUM_TYPE;
    return tl_lna_expect (p, TL_LNA_OPEN) &&
           push_names (p, "the name of a constant", TL_LNA_COMMA) &&
           tl_lna_expect (p, TL_LNA_CLOSE);
  case TL_LNA_VECTOR: *kind = TL_LNA_IS_VECTOR_TYPE; return push_indexed (p);
  case TL_LNA_STRUCT: *kind = TL_LNA_IS_STRUCT_TYPE; return push_components (p);
  case TL_LNA_LIST:
    *kind = TL_LNA_IS_LIST_TYPE;
    return push_indexed (p) && push_capacity (p);
  case TL_LNA_SET:
    *kind = TL_LNA_IS_SET_TYPE;
    return tl_lna_expect (p, TL_LNA_OF) &&
           tl_lna_push_word (p, "an element type") && push_capacity (p);
  default:
    return tl_lna_fail (p->source, tl_lna_here (p),
                        "expected what kind of type it is");
  }
}

static bool type (tl_lna_parser *p, tl_lna_kind *kind) {
  return tl_lna_push_word (p, "the name of a type") &&
         tl_lna_expect (p, TL_LNA_COLON) && push_type (p, kind) &&
         tl_lna_expect (p, TL_LNA_SEMICOLON);
}

static bool subtype (tl_lna_parser *p) {
  return tl_lna_push_word (p, "the name of a type") &&
         tl_lna_expect (p, TL_LNA_COLON) &&
         tl_lna_push_word (p, "the name of a type") &&
         (!tl_lna_accept (p, TL_LNA_RANGE) || tl_lna_push_range (p)) &&
         tl_lna_expect (p, TL_LNA_SEMICOLON);
}

// Others

static void swap_words (tl_lna_parser *p) {
  const tl_lna_word last = p->word[p->words - 1];
  p->word[p->words - 1] = p->word[p->words - 2];
  p->word[p->words - 2] = last;
}

static bool constant (tl_lna_parser *p) {
  if (!tl_lna_push_word (p, "a type") ||
      !tl_lna_push_word (p, "the name of a constant"))
    return false;
  swap_words (p);
  return tl_lna_expect (p, TL_LNA_ASSIGN) &&
         tl_lna_push (p, tl_lna_parse_expression (p)) &&
         tl_lna_expect (p, TL_LNA_SEMICOLON);
}

static bool parameters (tl_lna_parser *p) {
  if (!tl_lna_expect (p, TL_LNA_OPEN))
    return false;
  if (tl_lna_accept (p, TL_LNA_CLOSE))
    return true;
  do
    if (!tl_lna_push_word (p, "a type") ||
        !tl_lna_push_word (p, "the name of a parameter"))
      return false;
  while (tl_lna_accept (p, TL_LNA_COMMA));
  return tl_lna_expect (p, TL_LNA_CLOSE);
}

// The type of the result goes behind the name.
static bool function (tl_lna_parser *p) {
  if (!tl_lna_push_word (p, "the name of a function"))
    return false;
  const size_t first = p->words;
  if (!parameters (p) || !tl_lna_expect (p, TL_LNA_ARROW) ||
      !tl_lna_push_word (p, "the type of the result"))
    return false;
  const tl_lna_word result = p->word[p->words - 1];
  memmove (p->word + first + 1, p->word + first,
           (p->words - 1 - first) * sizeof *p->word);
  p->word[first] = result;
  return tl_lna_accept (p, TL_LNA_SEMICOLON)
             ? tl_lna_push_null (p)
             : tl_lna_push (p, tl_lna_parse_statement (p));
}

// Hints for partial orders, which are not needed
static bool place_type (tl_lna_parser *p) {
  static const char *const word[] = {"process",   "local",  "shared",
                                     "protected", "buffer", "ack"};
  if (tl_lna_now (p) == TL_LNA_NAME)
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
      if (!strcmp (p->lexer.now.text, word[i])) {
        tl_lna_advance (&p->lexer);
        return true;
      }
  return tl_lna_expected (p,
                          "process, local, shared, protected, buffer or ack");
}

// timed;
static bool timed (tl_lna_parser *p, size_t slot) {
  const tl_where where = tl_lna_here (p);
  tl_lna_advance (&p->lexer);
  if (p->node[slot])
    return tl_lna_fail (p->source, where, "a second 'timed'");
  p->node[slot] = tl_lna_make (p, true, TL_LNA_IS_LIST, where, tl_lna_mark (p));
  return p->node[slot] && tl_lna_expect (p, TL_LNA_SEMICOLON);
}

// tokens : most; or tokens : least .. most;
static bool tokens (tl_lna_parser *p, size_t slot) {
  const tl_where where = tl_lna_here (p);
  tl_lna_advance (&p->lexer);
  if (p->node[slot + 1])
    return tl_lna_fail (p->source, where, "a second 'tokens'");
  if (!tl_lna_expect (p, TL_LNA_COLON))
    return false;
  tl_lna_node *n = tl_lna_parse_expression (p);
  if (n && tl_lna_accept (p, TL_LNA_DOTS)) {
    p->node[slot] = n;
    n = tl_lna_parse_expression (p);
  }
  p->node[slot + 1] = n;
  return n && tl_lna_expect (p, TL_LNA_SEMICOLON);
}

static bool is_word (const tl_lna_parser *p, const char *word) {
  return tl_lna_now (p) == TL_LNA_NAME && !strcmp (p->lexer.now.text, word);
}

static bool place_attribute (tl_lna_parser *p, size_t first, bool *typed) {
  const tl_where where = tl_lna_here (p);
  const tl_lna_token word = tl_lna_now (p);
  if (is_word (p, "timed"))
    return timed (p, first + 2);
  if (is_word (p, "tokens"))
    return tokens (p, first + 3);
  if (word != TL_LNA_INIT && word != TL_LNA_CAPACITY && word != TL_LNA_TYPE)
    return tl_lna_expected (p, "an attribute of the place or '}'");
  tl_lna_advance (&p->lexer);
  const size_t slot = first + (word == TL_LNA_CAPACITY);
  if (word == TL_LNA_TYPE ? *typed : p->node[slot] != 0)
    return tl_lna_fail (p->source, where, "a second '%s'",
                        tl_lna_token_text (word));
  if (!tl_lna_expect (p, TL_LNA_COLON))
    return false;
  if (word == TL_LNA_TYPE) {
    *typed = true;
    return place_type (p) && tl_lna_expect (p, TL_LNA_SEMICOLON);
  }
  tl_lna_node *n = word == TL_LNA_INIT ? tl_lna_parse_label (p)
                                       : tl_lna_parse_expression (p);
  if (!n)
    return false;
  p->node[slot] = n;
  return tl_lna_expect (p, TL_LNA_SEMICOLON);
}

static bool place (tl_lna_parser *p) {
  const size_t first = p->nodes;
  bool good = tl_lna_push_word (p, "the name of a place") &&
              tl_lna_expect (p, TL_LNA_OPEN_BRACE) &&
              tl_lna_expect (p, TL_LNA_DOM) &&
              tl_lna_expect (p, TL_LNA_COLON) &&
              (tl_lna_accept (p, TL_LNA_EPSILON) ||
               push_names (p, "a type", TL_LNA_TIMES)) &&
              tl_lna_expect (p, TL_LNA_SEMICOLON) && tl_lna_push_null (p) &&
              tl_lna_push_null (p) && tl_lna_push_null (p) &&
              tl_lna_push_null (p) && tl_lna_push_null (p);
  bool typed = false;
  while (good && !tl_lna_accept (p, TL_LNA_CLOSE_BRACE))
    good = place_attribute (p, first, &typed);
  return good;
}

static bool proposition (tl_lna_parser *p) {
  return tl_lna_push_word (p, "the name of a proposition") &&
         tl_lna_expect (p, TL_LNA_COLON) &&
         tl_lna_push (p, tl_lna_parse_expression (p)) &&
         tl_lna_expect (p, TL_LNA_SEMICOLON);
}

static bool progress (tl_lna_parser *p) {
  return tl_lna_expect (p, TL_LNA_COLON) && tl_lna_push_expressions (p) &&
         tl_lna_expect (p, TL_LNA_SEMICOLON);
}

static bool import (tl_lna_parser *p, tl_where where) {
  if (!tl_lna_expect (p, TL_LNA_FUNCTION))
    return false;
  if (tl_lna_now (p) != TL_LNA_NAME)
    return tl_lna_expected (p, "the name of a function");
  return tl_lna_refuse (p->source, TL_E_MODEL, where,
                        "the function '%.80s' is imported: functions written "
                        "in C are not supported",
                        p->lexer.now.text);
}

static bool definition_rest (tl_lna_parser *p, tl_lna_token word,
                             tl_where where, tl_lna_kind *kind) {
  switch (word) {
  case TL_LNA_TYPE: return type (p, kind);
  case TL_LNA_SUBTYPE: *kind = TL_LNA_IS_SUBTYPE; return subtype (p);
  case TL_LNA_CONSTANT: *kind = TL_LNA_IS_CONSTANT; return constant (p);
  case TL_LNA_FUNCTION: *kind = TL_LNA_IS_FUNCTION; return function (p);
  case TL_LNA_IMPORT: return import (p, where);
  case TL_LNA_PLACE: *kind = TL_LNA_IS_PLACE; return place (p);
  case TL_LNA_TRANSITION:
    *kind = TL_LNA_IS_TRANSITION;
    return tl_lna_push_transition (p);
  case TL_LNA_PROPOSITION:
    *kind = TL_LNA_IS_PROPOSITION;
    return proposition (p);
  default: *kind = TL_LNA_IS_PROGRESS; return progress (p);
  }
}

static tl_lna_node *definition (tl_lna_parser *p) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  const tl_lna_token word = tl_lna_now (p);
  tl_lna_kind kind = TL_LNA_IS_LIST;
  bool good = false;
  switch (word) {
  case TL_LNA_NAME:
    if (strcmp (p->lexer.now.text, "progress"))
      break;
    // FALLTHROUGH
  case TL_LNA_TYPE:
  case TL_LNA_SUBTYPE:
  case TL_LNA_CONSTANT:
  case TL_LNA_FUNCTION:
  case TL_LNA_IMPORT:
  case TL_LNA_PLACE:
  case TL_LNA_TRANSITION:
  case TL_LNA_PROPOSITION:
    tl_lna_advance (&p->lexer);
    good = definition_rest (p, word, where, &kind);
    return tl_lna_make (p, good, kind, where, marks);
  default: break;
  }
  tl_lna_expected (p, "a definition or '}'");
  return 0;
}

// N := 5
static tl_lna_node *parameter (tl_lna_parser *p) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  bool good = tl_lna_push_word (p, "the name of a parameter") &&
              tl_lna_expect (p, TL_LNA_ASSIGN);
  const uint32_t number = p->lexer.now.number;
  if (good && !tl_lna_accept (p, TL_LNA_NUMBER))
    good = tl_lna_expected (p, "a number");
  tl_lna_node *n = tl_lna_make (p, good, TL_LNA_IS_NUMBER, where, marks);
  if (n)
    n->number = number;
  return n;
}

static tl_lna_node *net_parameters (tl_lna_parser *p) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  bool good = true;
  if (tl_lna_accept (p, TL_LNA_OPEN)) {
    do
      good = tl_lna_push (p, parameter (p));
    while (good && tl_lna_accept (p, TL_LNA_COMMA));
    good = good && tl_lna_expect (p, TL_LNA_CLOSE);
  }
  return tl_lna_make (p, good, TL_LNA_IS_LIST, where, marks);
}

static tl_lna_node *definitions (tl_lna_parser *p) {
  const tl_lna_marks marks = tl_lna_mark (p);
  const tl_where where = tl_lna_here (p);
  bool good = tl_lna_expect (p, TL_LNA_OPEN_BRACE);
  while (good && !tl_lna_accept (p, TL_LNA_CLOSE_BRACE))
    good = tl_lna_push (p, definition (p));
  return tl_lna_make (p, good, TL_LNA_IS_LIST, where, marks);
}

bool tl_lna_parse_net (tl_lna_parser *p, tl_lna_tree *tree) {
  const tl_where where = tl_lna_here (p);
  if (!tl_lna_push_word (p, "the name of the net"))
    return false;
  tree->name = (tl_lna_word){p->word[--p->words].text, where};
  tree->parameters = net_parameters (p);
  tree->definitions = tree->parameters ? definitions (p) : 0;
  if (!tree->definitions)
    return false;
  return tl_lna_now (p) == TL_LNA_END
             ? !p->source->status
             : tl_lna_expected (p, "the end of the file");
}
