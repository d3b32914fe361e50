// Lines that begin with #:
//
//     #define UNUSED
//     #ifdef UNUSED  ...  #else  ...  #endif
//
// There are no macros: a symbol is defined or not.

#include "lna/lex.h"

#include <string.h>

static uint32_t symbol_number (tl_lna_lexer *l, const char *symbol) {
  uint32_t number = (uint32_t)l->symbols.count;
  bool added;
  if (tl_names_add (&l->symbols, symbol, &number, &added) ||
      !TL_ROOM (l->source->mem, l->defined, &l->defined_room,
                (size_t)number + 1)) {
    tl_lna_no_memory (l->source);
    return TL_NO_NAME;
  }
  return number;
}

static bool set_symbol (tl_lna_lexer *l, const char *symbol, bool defined) {
  const uint32_t number = symbol_number (l, symbol);
  if (number == TL_NO_NAME)
    return false;
  l->defined[number] = defined;
  return true;
}

bool tl_lna_define (tl_lna_lexer *l, const char *symbol) {
  return set_symbol (l, symbol, true);
}

static void skip_blanks (tl_lna_lexer *l) {
  for (int c; (c = tl_lna_peek (l, 0)) != '\n' && tl_lna_is_blank (c);)
    tl_lna_skip (l);
}

static void skip_line (tl_lna_lexer *l) {
  for (int c; (c = tl_lna_peek (l, 0)) != '\n' && c >= 0;)
    tl_lna_skip (l);
}

// The symbol of a directive, in the scratch arena
static const char *read_symbol (tl_lna_lexer *l) {
  skip_blanks (l);
  const size_t length = tl_lna_word_length (l);
  if (!length) {
    tl_lna_fail (l->source, l->where, "expected a symbol");
    return 0;
  }
  const char *symbol =
      tl_arena_text (&l->source->scratch, l->source->text + l->at, length);
  if (!symbol)
    tl_lna_no_memory (l->source);
  for (size_t i = 0; i < length; i++)
    tl_lna_skip (l);
  return symbol;
}

static bool counts (const tl_lna_lexer *l) {
  return !l->branches || l->branch[l->branches - 1].counts;
}

static bool define (tl_lna_lexer *l, bool defined) {
  const char *symbol = read_symbol (l);
  return symbol && (!counts (l) || set_symbol (l, symbol, defined));
}

static bool begin (tl_lna_lexer *l, tl_where where, bool wanted) {
  if (l->branches == TL_LNA_BRANCHES)
    return tl_lna_fail (l->source, where, "more than %d #ifdef in one another",
                        TL_LNA_BRANCHES);
  const char *symbol = read_symbol (l);
  const uint32_t number = symbol ? symbol_number (l, symbol) : TL_NO_NAME;
  if (number == TL_NO_NAME)
    return false;
  const bool outside = counts (l);
  l->branch[l->branches++] =
      (tl_lna_branch){.where = where,
                      .outside = outside,
                      .counts = outside && l->defined[number] == wanted};
  return true;
}

static bool turn (tl_lna_lexer *l, tl_where where) {
  tl_lna_branch *b = l->branch + l->branches - 1;
  if (!l->branches)
    return tl_lna_fail (l->source, where, "#else without #ifdef");
  if (b->has_else)
    return tl_lna_fail (l->source, where, "a second #else");
  b->has_else = true;
  b->counts = b->outside && !b->counts;
  return true;
}

static bool end (tl_lna_lexer *l, tl_where where) {
  if (!l->branches)
    return tl_lna_fail (l->source, where, "#endif without #ifdef");
  l->branches--;
  return true;
}

static bool rest_is_empty (tl_lna_lexer *l) {
  skip_blanks (l);
  const int c = tl_lna_peek (l, 0);
  if (c == '/' && tl_lna_peek (l, 1) == '/')
    skip_line (l);
  else if (c >= 0 && c != '\n')
    return tl_lna_fail (l->source, l->where,
                        "a directive has a line of its own");
  return true;
}

typedef enum directive {
  DEFINE,
  ELSE,
  ENDIF,
  IFDEF,
  IFNDEF,
  INCLUDE,
  SET,
  UNDEF,
  UNKNOWN
} directive;

// `at hand` is the character behind the #.
static directive read_directive (tl_lna_lexer *l) {
  static const char *const word[] = {"define", "else",    "endif", "ifdef",
                                     "ifndef", "include", "set",   "undef"};
  const size_t length = tl_lna_word_length (l);
  const char *text = l->source->text + l->at;
  unsigned d = 0;
  while (d < UNKNOWN &&
         (strlen (word[d]) != length || memcmp (word[d], text, length)))
    d++;
  for (size_t i = 0; i < length; i++)
    tl_lna_skip (l);
  return (directive)d;
}

// One line
static bool follow (tl_lna_lexer *l) {
  const tl_where where = l->where;
  tl_lna_skip (l);
  bool good = true;
  switch (read_directive (l)) {
  case DEFINE: good = define (l, true); break;
  case UNDEF: good = define (l, false); break;
  case IFDEF: good = begin (l, where, true); break;
  case IFNDEF: good = begin (l, where, false); break;
  case ELSE: good = turn (l, where); break;
  case ENDIF: good = end (l, where); break;
  case SET: skip_line (l); break; // where a preprocessor found the text
  case INCLUDE:
    return !counts (l) ||
           tl_lna_fail (l->source, where, "#include is not supported");
  case UNKNOWN: return tl_lna_fail (l->source, where, "an unknown directive");
  }
  return good && rest_is_empty (l);
}

bool tl_lna_directive (tl_lna_lexer *l) {
  if (!follow (l))
    return false;
  while (!counts (l) && tl_lna_peek (l, 0) >= 0) {
    skip_line (l);
    if (tl_lna_peek (l, 0) >= 0)
      tl_lna_skip (l);
    skip_blanks (l);
    if (tl_lna_peek (l, 0) == '#' && !follow (l))
      return false;
  }
  return true;
}
