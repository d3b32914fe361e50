#ifndef TL_LNA_LEX_H
#define TL_LNA_LEX_H

#include "base/names.h"
#include "lna/source.h"

// Tokens of Helena's language, of nets and of property files, by longest match:
// `<(` and `)>` are tokens.  Lines that begin with # say which parts of the
// text count; they are followed here.

// Signs, the longer ones first; the last four stand in property files only.
#define TL_LNA_SIGNS(X)                                                        \
  X (ARROW, "->")                                                              \
  X (ASSIGN, ":=")                                                             \
  X (WITH, "::")                                                               \
  X (DOTS, "..")                                                               \
  X (UNEQUAL, "!=")                                                            \
  X (LESS_EQUAL, "<=")                                                         \
  X (GREATER_EQUAL, ">=")                                                      \
  X (OPEN_TUPLE, "<(")                                                         \
  X (CLOSE_TUPLE, ")>")                                                        \
  X (DELAY, "@+")                                                              \
  X (SEMICOLON, ";")                                                           \
  X (OPEN, "(")                                                                \
  X (CLOSE, ")")                                                               \
  X (OPEN_BRACE, "{")                                                          \
  X (CLOSE_BRACE, "}")                                                         \
  X (OPEN_BRACKET, "[")                                                        \
  X (CLOSE_BRACKET, "]")                                                       \
  X (DOT, ".")                                                                 \
  X (COLON, ":")                                                               \
  X (COMMA, ",")                                                               \
  X (PLUS, "+")                                                                \
  X (MINUS, "-")                                                               \
  X (TIMES, "*")                                                               \
  X (DIVIDE, "/")                                                              \
  X (EQUAL, "=")                                                               \
  X (LESS, "<")                                                                \
  X (GREATER, ">")                                                             \
  X (QUESTION, "?")                                                            \
  X (QUOTE, "'")                                                               \
  X (BAR, "|")                                                                 \
  X (AMPERSAND, "&")                                                           \
  X (EQUIVALENT, "<=>")                                                        \
  X (IMPLIES, "=>")                                                            \
  X (EVENTUALLY, "<>")                                                         \
  X (ALWAYS, "[]")

// Reserved words of nets, then those of property files only.
#define TL_LNA_WORDS(X)                                                        \
  X (AND, "and")                                                               \
  X (ASSERT, "assert")                                                         \
  X (CAPACITY, "capacity")                                                     \
  X (CARD, "card")                                                             \
  X (CASE, "case")                                                             \
  X (CONSTANT, "constant")                                                     \
  X (DEFAULT, "default")                                                       \
  X (DESCRIPTION, "description")                                               \
  X (DOM, "dom")                                                               \
  X (ELSE, "else")                                                             \
  X (EMPTY, "empty")                                                           \
  X (ENUM, "enum")                                                             \
  X (EPSILON, "epsilon")                                                       \
  X (EXISTS, "exists")                                                         \
  X (FOR, "for")                                                               \
  X (FORALL, "forall")                                                         \
  X (FUNCTION, "function")                                                     \
  X (GUARD, "guard")                                                           \
  X (IF, "if")                                                                 \
  X (IMPORT, "import")                                                         \
  X (IN, "in")                                                                 \
  X (INHIBIT, "inhibit")                                                       \
  X (INIT, "init")                                                             \
  X (LET, "let")                                                               \
  X (LIST, "list")                                                             \
  X (MAX, "max")                                                               \
  X (MIN, "min")                                                               \
  X (MOD, "mod")                                                               \
  X (MULT, "mult")                                                             \
  X (NOT, "not")                                                               \
  X (OF, "of")                                                                 \
  X (OR, "or")                                                                 \
  X (OUT, "out")                                                               \
  X (PICK, "pick")                                                             \
  X (PLACE, "place")                                                           \
  X (PRED, "pred")                                                             \
  X (PRINT, "print")                                                           \
  X (PRIORITY, "priority")                                                     \
  X (PRODUCT, "product")                                                       \
  X (PROPOSITION, "proposition")                                               \
  X (RANGE, "range")                                                           \
  X (RETURN, "return")                                                         \
  X (SAFE, "safe")                                                             \
  X (SET, "set")                                                               \
  X (STRUCT, "struct")                                                         \
  X (SUBTYPE, "subtype")                                                       \
  X (SUCC, "succ")                                                             \
  X (SUM, "sum")                                                               \
  X (TRANSITION, "transition")                                                 \
  X (TYPE, "type")                                                             \
  X (VECTOR, "vector")                                                         \
  X (WHILE, "while")                                                           \
  X (CAPABLE, "with")                                                          \
  X (ACCEPT, "accept")                                                         \
  X (DEADLOCK, "deadlock")                                                     \
  X (FALSE, "false")                                                           \
  X (LTL, "ltl")                                                               \
  X (PROPERTY, "property")                                                     \
  X (REJECT, "reject")                                                         \
  X (STATE, "state")                                                           \
  X (TRUE, "true")                                                             \
  X (UNTIL, "until")

typedef enum tl_lna_token {
  TL_LNA_END,
  TL_LNA_NAME,
  TL_LNA_NUMBER,
  TL_LNA_STRING,
#define TOKEN(NAME, TEXT) TL_LNA_##NAME,
  TL_LNA_SIGNS (TOKEN) TL_LNA_WORDS (TOKEN)
#undef TOKEN
} tl_lna_token;

// The text of a sign or a word; "a name" and the like of other tokens.
const char *tl_lna_token_text (tl_lna_token);

typedef struct tl_lna_lexeme {
  tl_lna_token token;
  tl_where where;
  const char *text; // of names and strings
  uint32_t number;
} tl_lna_lexeme;

// An #ifdef that has not ended.
typedef struct tl_lna_branch {
  tl_where where;
  bool outside; // does the text around it count?
  bool counts;  // does this branch?
  bool has_else;
} tl_lna_branch;

#define TL_LNA_BRANCHES 64

typedef struct tl_lna_lexer {
  tl_lna_source *source;
  bool property; // a property file: other words, comments nest
  size_t at;
  tl_where where;            // of the next character
  tl_lna_lexeme now, behind; // the token at hand, and the one behind it
  // Symbols ever heard of, and whether they are defined.
  tl_names symbols;
  bool *defined;
  size_t defined_room;
  tl_lna_branch branch[TL_LNA_BRANCHES];
  uint32_t branches;
} tl_lna_lexer;

void tl_lna_lexer_open (tl_lna_lexer *, tl_lna_source *, bool property);
void tl_lna_lexer_close (tl_lna_lexer *);

// Before the first token.
bool tl_lna_define (tl_lna_lexer *, const char *symbol);
void tl_lna_start (tl_lna_lexer *);

// The next token; after a failure the text ends.
void tl_lna_advance (tl_lna_lexer *);

// Characters

static inline int tl_lna_peek (const tl_lna_lexer *l, size_t ahead) {
  const tl_lna_source *s = l->source;
  return l->at + ahead < s->length ? (unsigned char)s->text[l->at + ahead] : -1;
}

// Columns count characters, not the further bytes of UTF-8.
static inline void tl_lna_skip (tl_lna_lexer *l) {
  const unsigned char c = (unsigned char)l->source->text[l->at++];
  if (c == '\n')
    l->where = (tl_where){l->where.line + 1, 1};
  else if ((c & 0xc0) != 0x80)
    l->where.column++;
}

static inline bool tl_lna_is_blank (int c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// A word at hand: its length, or 0.
size_t tl_lna_word_length (const tl_lna_lexer *);

// Follows the directive at hand, and passes what does not count.
bool tl_lna_directive (tl_lna_lexer *);

#endif
