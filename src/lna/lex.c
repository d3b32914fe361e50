#include "lna/lex.h"

#include <string.h>

static const char *const texts[] = {"the end of the file", "a name", "a number",
                                    "a string",
#define TEXT(NAME, TEXT) TEXT,
                                    TL_LNA_SIGNS (TEXT) TL_LNA_WORDS (TEXT)
#undef TEXT
};

const char *tl_lna_token_text (tl_lna_token token) {
  return texts[token];
}

void tl_lna_lexer_open (tl_lna_lexer *l, tl_lna_source *source, bool property) {
  *l = (tl_lna_lexer){.source = source,
                      .property = property,
                      .where = {1, 1},
                      .symbols = TL_NAMES (source->mem)};
  if (source->length >= 3 && !memcmp (source->text, "\xef\xbb\xbf", 3))
    l->at = 3; // a byte order mark
}

void tl_lna_lexer_close (tl_lna_lexer *l) {
  tl_names_close (&l->symbols);
  if (l->defined)
    TL_DEL (l->source->mem, l->defined, l->defined_room);
}

static bool is_letter (int c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit (int c) {
  return c >= '0' && c <= '9';
}

size_t tl_lna_word_length (const tl_lna_lexer *l) {
  size_t n = 0;
  if (is_letter (tl_lna_peek (l, 0)))
    for (int c = 'a'; is_letter (c) || is_digit (c) || c == '_';
         c = tl_lna_peek (l, n))
      n++;
  return n;
}

static void skip (tl_lna_lexer *l, size_t count) {
  while (count--)
    tl_lna_skip (l);
}

// A comment in stars is at hand.
static bool skip_stars (tl_lna_lexer *l) {
  const tl_where where = l->where;
  size_t depth = 0;
  do {
    const int c = tl_lna_peek (l, 0), next = tl_lna_peek (l, 1);
    if (c < 0)
      return tl_lna_fail (l->source, where, "this comment has no end");
    if (c == '/' && next == '*' && (!depth || l->property)) {
      depth++;
      skip (l, 2);
    } else if (c == '*' && next == '/') {
      depth--;
      skip (l, 2);
    } else
      tl_lna_skip (l);
  } while (depth);
  return true;
}

// Is the character at hand the first one of its line that is not blank?
static bool begins_line (const tl_lna_lexer *l) {
  size_t i = l->at;
  while (i && l->source->text[i - 1] != '\n' &&
         tl_lna_is_blank ((unsigned char)l->source->text[i - 1]))
    i--;
  return !i || l->source->text[i - 1] == '\n' || l->where.column == 1;
}

// Blanks, comments and directives
static bool skip_between (tl_lna_lexer *l) {
  for (;;) {
    const int c = tl_lna_peek (l, 0), next = tl_lna_peek (l, 1);
    if (tl_lna_is_blank (c))
      tl_lna_skip (l);
    else if (c == '/' && next == '/')
      while (tl_lna_peek (l, 0) >= 0 && tl_lna_peek (l, 0) != '\n')
        tl_lna_skip (l);
    else if (c == '/' && next == '*') {
      if (!skip_stars (l))
        return false;
    } else if (c == '#' && begins_line (l)) {
      if (!tl_lna_directive (l))
        return false;
    } else
      return true;
  }
}

static tl_lna_token find_word (const tl_lna_lexer *l, const char *text) {
  const unsigned end = sizeof texts / sizeof *texts;
  for (unsigned t = TL_LNA_AND; t < end; t++)
    if (*text == *texts[t] && !strcmp (text, texts[t])) {
      const bool common = t == TL_LNA_AND || t == TL_LNA_OR || t == TL_LNA_NOT;
      const bool of_property = t >= TL_LNA_ACCEPT;
      return common || of_property == l->property ? t : TL_LNA_NAME;
    }
  return TL_LNA_NAME;
}

static bool word (tl_lna_lexer *l, size_t length) {
  tl_lna_lexeme *x = &l->behind;
  x->text =
      tl_arena_text (&l->source->scratch, l->source->text + l->at, length);
  if (!x->text)
    return tl_lna_no_memory (l->source);
  skip (l, length);
  x->token = find_word (l, x->text);
  return true;
}

static bool number (tl_lna_lexer *l) {
  uint64_t value = 0;
  for (; is_digit (tl_lna_peek (l, 0)); tl_lna_skip (l)) {
    value = 10 * value + (uint64_t)(tl_lna_peek (l, 0) - '0');
    if (value > INT32_MAX)
      return tl_lna_fail (l->source, l->behind.where,
                          "a number is at most 2147483647");
  }
  l->behind.token = TL_LNA_NUMBER;
  l->behind.number = (uint32_t)value;
  return true;
}

// A backslash before the end of a line joins it with the next one.
static bool string (tl_lna_lexer *l) {
  tl_lna_skip (l);
  size_t length = 0;
  while (tl_lna_peek (l, length) != '"')
    if (tl_lna_peek (l, length++) < 0)
      return tl_lna_fail (l->source, l->behind.where, "this string has no end");
  char *text =
      tl_arena_text (&l->source->scratch, l->source->text + l->at, length);
  if (!text)
    return tl_lna_no_memory (l->source);
  skip (l, length + 1);
  size_t n = 0;
  for (size_t i = 0; i < length; i++)
    if (text[i] == '\\' && text[i + 1] == '\n')
      i++;
    else
      text[n++] = text[i];
  text[n] = 0;
  l->behind.token = TL_LNA_STRING;
  l->behind.text = text;
  return true;
}

static bool matches (const tl_lna_lexer *l, unsigned t) {
  for (size_t i = 0; texts[t][i]; i++)
    if (tl_lna_peek (l, i) != (unsigned char)texts[t][i])
      return false;
  return true;
}

// The first sign from `first` on that is at hand, or `end`
static unsigned find_sign (const tl_lna_lexer *l, unsigned first,
                           unsigned end) {
  while (first < end && !matches (l, first))
    first++;
  return first;
}

// Those of property files are longer than the others.
static bool sign (tl_lna_lexer *l) {
  const unsigned own =
      l->property ? find_sign (l, TL_LNA_EQUIVALENT, TL_LNA_AND) : TL_LNA_AND;
  const unsigned t =
      own < TL_LNA_AND ? own : find_sign (l, TL_LNA_ARROW, TL_LNA_EQUIVALENT);
  if (own < TL_LNA_AND || t < TL_LNA_EQUIVALENT) {
    l->behind.token = (tl_lna_token)t;
    skip (l, strlen (texts[t]));
    return true;
  }
  const int c = tl_lna_peek (l, 0);
  if (c == '%') {
    l->behind.token = TL_LNA_MOD;
    tl_lna_skip (l);
    return true;
  }
  return c > ' ' && c < 0x7f
             ? tl_lna_fail (l->source, l->where, "'%c' is out of place", c)
             : tl_lna_fail (l->source, l->where,
                            "a character that is out of place (byte %d)", c);
}

static bool scan (tl_lna_lexer *l) {
  if (!skip_between (l))
    return false;
  l->behind = (tl_lna_lexeme){.where = l->where};
  const int c = tl_lna_peek (l, 0);
  if (is_digit (c))
    return number (l);
  if (c == '"')
    return string (l);
  if (c >= 0) {
    const size_t length = tl_lna_word_length (l);
    return length ? word (l, length) : sign (l);
  }
  if (l->branches)
    return tl_lna_fail (l->source, l->branch[l->branches - 1].where,
                        "an #endif is missing");
  return true;
}

void tl_lna_advance (tl_lna_lexer *l) {
  l->now = l->behind;
  if (!scan (l)) { // the text ends here
    l->at = l->source->length;
    l->branches = 0;
    l->behind = (tl_lna_lexeme){.where = l->where};
  }
  if (l->source->status)
    l->now.token = TL_LNA_END;
}

void tl_lna_start (tl_lna_lexer *l) {
  tl_lna_advance (l);
  tl_lna_advance (l);
}
