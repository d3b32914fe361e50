#include "read/formula_lex.h"

#include "base/error.h"
#include "logic/words.h"
#include "read/resolve.h"
#include "read/text.h"

#include <ctype.h>
#include <string.h>

// Names with special characters that are longer than this need quotes: every
// word that might be the beginning of one is compared with all of them.
#define LONGEST_UNQUOTED 256

static const char too_long[] = "this name is longer than 65536 bytes";

static size_t longest_of (const char *const *id, uint32_t count,
                          size_t longest) {
  for (uint32_t i = 0; i < count; i++) {
    const size_t length = strlen (id[i]);
    longest = length > longest ? length : longest;
  }
  return longest;
}

void tl_lexer_open (tl_lexer *lexer, tl_mem *mem, const tl_net *net,
                    const char *text, const char *file, tl_error *err) {
  *lexer = (tl_lexer){.mem = mem,
                      .net = net,
                      .file = file,
                      .err = err,
                      .next = text,
                      .at = {1, 1}};
  size_t longest = longest_of (net->place_id, net->places, 0);
  longest = longest_of (net->transition_id, net->transitions, longest);
  const tl_origin *o = net->origin;
  if (o) {
    longest = longest_of (o->place_id, o->places, longest);
    longest = longest_of (o->transition_id, o->transitions, longest);
  }
  lexer->longest_name = longest < LONGEST_UNQUOTED ? longest : LONGEST_UNQUOTED;
}

void tl_lexer_close (tl_lexer *lexer) {
  TL_DEL (lexer->mem, lexer->name, lexer->name_room);
}

static void advance (tl_lexer *lexer, size_t count) {
  for (; count; count--, lexer->next++)
    if (*lexer->next == '\n')
      lexer->at = (tl_position){lexer->at.line + 1, 1};
    else if (((unsigned char)*lexer->next & 0xc0) != 0x80)
      lexer->at.column++; // not inside of a UTF-8 character
}

static tl_status fail_here (tl_lexer *lexer, const char *text) {
  return tl_fail_at (lexer->err, TL_E_SYNTAX, lexer->file, lexer->at.line,
                     lexer->at.column, "%s", text);
}

// The length of blanks or of a comment at the front of `text`; 0: neither.
// *open: the comment has no end.
static size_t blank_length (const char *text, bool *open) {
  if (isspace ((unsigned char)*text))
    return 1;
  const bool brace = *text == '{';
  if (!brace && strncmp (text, "/*", 2))
    return 0;
  const char *end = brace ? strchr (text, '}') : strstr (text + 2, "*/");
  if (!end) {
    *open = true;
    return 0;
  }
  return (size_t)(end - text) + (brace ? 1 : 2);
}

static const struct symbol {
  char text[4];
  tl_token token;
} symbols[] = {
    // longer ones before their beginnings
    {"<->", TL_TOKEN_IFF},       {"<=>", TL_TOKEN_IFF},
    {"->", TL_TOKEN_IMPLIES},    {"=>", TL_TOKEN_IMPLIES},
    {"<=", TL_TOKEN_LESS_EQUAL}, {">=", TL_TOKEN_GREATER_EQUAL},
    {"<>", TL_TOKEN_DIAMOND},    {"!=", TL_TOKEN_UNEQUAL},
    {"[]", TL_TOKEN_BOX},        {"==", TL_TOKEN_EQUAL},
    {"&&", TL_TOKEN_AND},        {"||", TL_TOKEN_OR},
    {"<", TL_TOKEN_LESS},        {">", TL_TOKEN_GREATER},
    {"=", TL_TOKEN_EQUAL},       {"#", TL_TOKEN_UNEQUAL},
    {"!", TL_TOKEN_NOT},         {"&", TL_TOKEN_AND},
    {"|", TL_TOKEN_OR},          {"+", TL_TOKEN_PLUS},
    {"-", TL_TOKEN_MINUS},       {"*", TL_TOKEN_TIMES},
    {"(", TL_TOKEN_OPEN},        {")", TL_TOKEN_CLOSE},
    {",", TL_TOKEN_COMMA},       {";", TL_TOKEN_SEPARATOR},
    {":", TL_TOKEN_SEPARATOR},   {"/", TL_TOKEN_OVER},
};

static const struct symbol *symbol_at (const tl_lexer *lexer,
                                       const char *text) {
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
    if (!strncmp (text, symbols[i].text, strlen (symbols[i].text)))
      return symbols[i].token == TL_TOKEN_OVER && !lexer->divides ? 0
                                                                  : symbols + i;
  return 0;
}

tl_token tl_lexer_peek (const tl_lexer *lexer) {
  const char *text = lexer->next;
  bool open = false;
  for (size_t n; (n = blank_length (text, &open));)
    text += n;
  const struct symbol *s = symbol_at (lexer, text);
  return !*text ? TL_TOKEN_END : s ? s->token : TL_TOKEN_WORD;
}

static tl_status keep_name (tl_lexer *lexer, const char *text, size_t length) {
  if (!TL_ROOM (lexer->mem, lexer->name, &lexer->name_room, length + 1))
    return tl_fail (lexer->err, TL_E_NOMEM, "no memory for the formula");
  memcpy (lexer->name, text, length);
  lexer->name[length] = 0;
  return TL_OK;
}

static bool is_known (const tl_net *net, const char *name) {
  tl_node_range range;
  return tl_resolve (net, TL_NAMED_PLACE, name, &range) ||
         tl_resolve (net, TL_NAMED_TRANSITION, name, &range);
}

// A word, or the name of the net that begins with it and goes on, and does not
// end within a word.
static tl_status read_word (tl_lexer *lexer) {
  const char *text = lexer->next;
  size_t length = 0, longer;
  while (length <= TL_LONGEST_ID && tl_word_has (text[length]))
    length++;
  if (length > TL_LONGEST_ID)
    return fail_here (lexer, too_long);
  longer = length;
  while (longer < lexer->longest_name && text[longer] &&
         !strchr (",;:(){}\"' \t\r\n", text[longer]))
    longer++;
  tl_status rc = TL_OK;
  for (; !rc && longer > length; longer--)
    if (!(tl_word_has (text[longer - 1]) && tl_word_has (text[longer])) &&
        !(rc = keep_name (lexer, text, longer)) &&
        is_known (lexer->net, lexer->name))
      break;
  if (rc || (rc = keep_name (lexer, text, longer)))
    return rc;
  advance (lexer, longer);
  lexer->token = TL_TOKEN_WORD;
  return TL_OK;
}

static tl_status read_number (tl_lexer *lexer, size_t length) {
  lexer->token = TL_TOKEN_NUMBER;
  lexer->number = 0;
  for (size_t i = 0; i < length; i++)
    if (__builtin_mul_overflow (lexer->number, 10u, &lexer->number) ||
        __builtin_add_overflow (lexer->number, (unsigned)(lexer->next[i] - '0'),
                                &lexer->number))
      return fail_here (lexer, "the number is too large");
  advance (lexer, length);
  return TL_OK;
}

// A name in quotes of either kind; a backslash takes the next character as it
// is.
static tl_status read_quoted (tl_lexer *lexer) {
  const char quote = *lexer->next, *text = lexer->next + 1;
  size_t length = 0, written = 0;
  for (; text[written] && text[written] != quote; written++, length++)
    if (text[written] == '\\' && text[written + 1])
      written++;
  if (!text[written])
    return fail_here (lexer, "the quotes of this name are not closed");
  if (written > TL_LONGEST_ID)
    return fail_here (lexer, too_long);
  const tl_status rc = keep_name (lexer, text, written);
  if (rc)
    return rc;
  for (size_t from = 0, to = 0; from < written; from++, to++) {
    if (text[from] == '\\' && from + 1 < written)
      from++;
    lexer->name[to] = text[from];
  }
  lexer->name[length] = 0;
  advance (lexer, written + 2);
  lexer->token = TL_TOKEN_QUOTED;
  return TL_OK;
}

static tl_status read_symbol (tl_lexer *lexer) {
  const char *text = lexer->next;
  const struct symbol *s = symbol_at (lexer, text);
  if (!s) {
    char shown[2];
    tl_printable (shown, sizeof shown, text, 1);
    return tl_fail_at (lexer->err, TL_E_SYNTAX, lexer->file, lexer->at.line,
                       lexer->at.column,
                       "unexpected character '%s'; names with special "
                       "characters need quotes",
                       shown);
  }
  lexer->token = s->token;
  advance (lexer, strlen (s->text));
  return TL_OK;
}

// Passes blanks and comments; the token begins after them.
static tl_status begin (tl_lexer *lexer) {
  bool open = false;
  for (size_t n; (n = blank_length (lexer->next, &open));)
    advance (lexer, n);
  if (open)
    return fail_here (lexer, "this comment is not closed");
  lexer->start = lexer->next;
  lexer->position = lexer->at;
  return TL_OK;
}

tl_status tl_lexer_next (tl_lexer *lexer) {
  tl_status rc = begin (lexer);
  if (rc)
    return rc;
  const char *text = lexer->next;
  const size_t digits = strspn (text, "0123456789");
  if (!*text)
    lexer->token = TL_TOKEN_END;
  else if (digits && !tl_word_has (text[digits]))
    rc = read_number (lexer, digits);
  else if (tl_word_has (*text))
    rc = read_word (lexer);
  else if (*text == '"' || *text == '\'')
    rc = read_quoted (lexer);
  else
    rc = read_symbol (lexer);
  lexer->end = lexer->next;
  return rc;
}

tl_status tl_lexer_pattern (tl_lexer *lexer) {
  tl_status rc = begin (lexer);
  if (rc)
    return rc;
  const char *text = lexer->next;
  const size_t length = strcspn (text, " \t\r\n,;()\"'");
  if (*text == '"' || *text == '\'')
    rc = read_quoted (lexer);
  else if (length > TL_LONGEST_ID)
    rc = fail_here (lexer, too_long);
  else if (length && !(rc = keep_name (lexer, text, length))) {
    advance (lexer, length);
    lexer->token = TL_TOKEN_QUOTED;
  } else if (!length)
    rc = tl_lexer_next (lexer);
  lexer->end = lexer->next;
  return rc;
}

tl_status tl_lexer_unexpected (const tl_lexer *lexer, const char *wanted) {
  char shown[40];
  tl_printable (shown, sizeof shown, lexer->start,
                (size_t)(lexer->end - lexer->start));
  const bool end = lexer->token == TL_TOKEN_END;
  const char *quote = end ? "" : "'";
  return tl_fail_at (lexer->err, TL_E_SYNTAX, lexer->file, lexer->position.line,
                     lexer->position.column, "expected %s, found %s%s%s",
                     wanted, quote, end ? "the end" : shown, quote);
}
