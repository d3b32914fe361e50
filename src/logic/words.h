#ifndef TL_LOGIC_WORDS_H
#define TL_LOGIC_WORDS_H

#include <stdbool.h>

// The words of the language in which formulas are written, LoLA's: known to
// the reader, and to the writer, which puts a name that looks like one of them
// in quotes.

typedef enum tl_word {
  TL_WORD_NONE,
  TL_WORD_NOT,
  TL_WORD_AND,
  TL_WORD_OR,
  TL_WORD_XOR,
  TL_WORD_TRUE,
  TL_WORD_FALSE,
  TL_WORD_DEADLOCK,
  TL_WORD_INITIAL,
  TL_WORD_INFINITY,
  TL_WORD_FIREABLE,
  TL_WORD_MAX,
  TL_WORD_FORMULA,
  TL_WORD_REACHABLE,
  TL_WORD_INVARIANT,
  TL_WORD_IMPOSSIBLE,
  TL_WORD_EXISTS,
  TL_WORD_ALL,
  TL_WORD_NEXT,
  TL_WORD_FINALLY,
  TL_WORD_GLOBALLY,
  TL_WORD_UNTIL,
  TL_WORD_RELEASE,
  TL_WORD_WEAK_UNTIL,
  TL_WORD_PREFIXES // several of E A X F G written together, as in AGEF
} tl_word;

// *exact: it is written in capitals, as LoLA demands.  Else it is one of the
// words in other letters; single small letters are names.
tl_word tl_word_find (const char *text, bool *exact);

// E, A, X, F or G.
tl_word tl_word_prefix (char letter);

// Can a place or transition of this name be written without quotes?
bool tl_word_is_plain_name (const char *name);

// Is this character part of a plain word?
bool tl_word_has (char);

#endif
