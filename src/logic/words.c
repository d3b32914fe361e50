#include "logic/words.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

static const struct row {
  const char *text;
  tl_word word;
} rows[] = {
    {"NOT", TL_WORD_NOT},
    {"AND", TL_WORD_AND},
    {"OR", TL_WORD_OR},
    {"XOR", TL_WORD_XOR},
    {"TRUE", TL_WORD_TRUE},
    {"FALSE", TL_WORD_FALSE},
    {"DEADLOCK", TL_WORD_DEADLOCK},
    {"INITIAL", TL_WORD_INITIAL},
    {"oo", TL_WORD_INFINITY},
    {"FIREABLE", TL_WORD_FIREABLE},
    {"MAX", TL_WORD_MAX},
    {"BOUND", TL_WORD_MAX},
    {"FORMULA", TL_WORD_FORMULA},
    {"REACHABLE", TL_WORD_REACHABLE},
    {"INVARIANT", TL_WORD_INVARIANT},
    {"IMPOSSIBLE", TL_WORD_IMPOSSIBLE},
    {"E", TL_WORD_EXISTS},
    {"EXPATH", TL_WORD_EXISTS},
    {"A", TL_WORD_ALL},
    {"ALLPATH", TL_WORD_ALL},
    {"X", TL_WORD_NEXT},
    {"NEXTSTEP", TL_WORD_NEXT},
    {"NEXTSTATE", TL_WORD_NEXT},
    {"F", TL_WORD_FINALLY},
    {"EVENTUALLY", TL_WORD_FINALLY},
    {"G", TL_WORD_GLOBALLY},
    {"ALWAYS", TL_WORD_GLOBALLY},
    {"U", TL_WORD_UNTIL},
    {"UNTIL", TL_WORD_UNTIL},
    {"R", TL_WORD_RELEASE},
    {"RELEASE", TL_WORD_RELEASE},
    {"W", TL_WORD_WEAK_UNTIL},
};

static bool is_word (const char *text, size_t length) {
  return length > 1 || isupper ((unsigned char)*text);
}

// In small letters only the six of CTL, not any word like "gaffe".
static bool is_ctl_pair (const char *text, size_t length) {
  return length == 2 && strchr ("ea", *text) && strchr ("xfg", text[1]);
}

tl_word tl_word_find (const char *text, bool *exact) {
  const size_t length = strlen (text);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcasecmp (rows[i].text, text) && is_word (text, length)) {
      *exact = !strcmp (rows[i].text, text);
      return rows[i].word;
    }
  *exact = length > 1 && strspn (text, "EAXFG") == length;
  return *exact || is_ctl_pair (text, length) ? TL_WORD_PREFIXES : TL_WORD_NONE;
}

tl_word tl_word_prefix (char letter) {
  bool exact;
  const char text[] = {(char)toupper ((unsigned char)letter), 0};
  return tl_word_find (text, &exact);
}

bool tl_word_has (char c) {
  return isalnum ((unsigned char)c) || c == '_' || c == '.' || c == '$' ||
         c == '@' || c == '~' || (unsigned char)c >= 0x80;
}

bool tl_word_is_plain_name (const char *name) {
  bool exact;
  if (!isalpha ((unsigned char)*name) && *name != '_')
    return false;
  for (const char *c = name; *c; c++)
    if (!tl_word_has (*c))
      return false;
  return !tl_word_find (name, &exact);
}
