#ifndef TL_READ_FORMULA_LEX_H
#define TL_READ_FORMULA_LEX_H

#include "net/net.h"
#include "read/position.h"

// Cuts the text of formulas into tokens.  LoLA lets names contain almost any
// character; here a word consists of letters, digits and _ . $ @ ~ unless it
// is in quotes or the longer text is a name of the net: with a place `a-b`,
// `a-b` is that place.

typedef enum tl_token {
  TL_TOKEN_END,
  TL_TOKEN_WORD,
  TL_TOKEN_QUOTED,
  TL_TOKEN_NUMBER,
  TL_TOKEN_OPEN,
  TL_TOKEN_CLOSE,
  TL_TOKEN_COMMA,
  TL_TOKEN_SEPARATOR, // ; or :
  TL_TOKEN_NOT,
  TL_TOKEN_BOX, // []
  TL_TOKEN_AND,
  TL_TOKEN_OR,
  TL_TOKEN_IMPLIES,
  TL_TOKEN_IFF,
  TL_TOKEN_EQUAL,
  TL_TOKEN_UNEQUAL,
  TL_TOKEN_DIAMOND, // <>: unequal, or before an operand eventually
  TL_TOKEN_LESS,
  TL_TOKEN_LESS_EQUAL,
  TL_TOKEN_GREATER,
  TL_TOKEN_GREATER_EQUAL,
  TL_TOKEN_PLUS,
  TL_TOKEN_MINUS,
  TL_TOKEN_TIMES,
  TL_TOKEN_OVER // of expressions; formulas do not divide
} tl_token;

typedef struct tl_lexer {
  tl_mem *mem;
  const tl_net *net;
  const char *file; // for messages
  tl_error *err;
  size_t longest_name; // of the net
  bool divides;        // "/" is a token

  const char *next; // what was not read yet
  tl_position at;   // of `next`

  // the token that was read last
  tl_token token;
  const char *start, *end; // as written
  tl_position position;
  uint64_t number;
  char *name; // of words and quoted names, without quotes
  size_t name_room;
} tl_lexer;

// The text is borrowed.  The first token is read by tl_lexer_next.
void tl_lexer_open (tl_lexer *, tl_mem *, const tl_net *, const char *text,
                    const char *file, tl_error *);
tl_status tl_lexer_next (tl_lexer *);
// The kind of the token after this one; WORD for anything but a symbol and the
// end.
tl_token tl_lexer_peek (const tl_lexer *);
// Reads the next token as TL_TOKEN_QUOTED, a name in which * stands for any
// text: in quotes, or up to a blank, a comma or a parenthesis.
tl_status tl_lexer_pattern (tl_lexer *);
// Says that the token is not what was expected: "an operator".
tl_status tl_lexer_unexpected (const tl_lexer *, const char *wanted);
void tl_lexer_close (tl_lexer *);

#endif
