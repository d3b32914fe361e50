// LoLA's low-level nets, of version 1 and 2:
//
//     PLACE SAFE 1: a, b; c;  MARKING a: 2, b;
//     TRANSITION t STRONG FAIR CONSUME a, c: 3; PRODUCE b;
//
// Comments are { }, /* */ and //.  SAFE and fairness are read over.  What
// follows a net of version 1, FORMULA or ANALYSE, is a question and not read.

#include "read/lola.h"
#include "base/error.h"
#include "read/scan.h"
#include "read/text.h"

#include <string.h>

typedef enum token {
  END,
  WORD,
  COMMA,
  COLON,
  SEMICOLON,
  CONSUME, // keywords, in the order of the table
  FAIR,
  MARKING,
  PLACE,
  PRODUCE,
  SAFE,
  STRONG,
  TRANSITION,
  WEAK
} token;

static const char *const keywords[] = {"CONSUME", "FAIR",       "MARKING",
                                       "PLACE",   "PRODUCE",    "SAFE",
                                       "STRONG",  "TRANSITION", "WEAK"};

typedef struct lola {
  tl_scan scan;
  token token;
  bool escapes; // see TL_LOLA_ESCAPES
} lola;

bool tl_lola_ends_name (int c) {
  switch (c) {
  case ',':
  case ';':
  case ':':
  case '(':
  case ')':
  case '{':
  case '}':
  case 0x7f: return true;
  default: return c <= ' ';
  }
}

static size_t find_keyword (const char *word) {
  size_t k = 0;
  while (k < sizeof keywords / sizeof *keywords &&
         (*word != *keywords[k] || strcmp (word, keywords[k])))
    k++;
  return k;
}

bool tl_lola_is_keyword (const char *word) {
  return find_keyword (word) < sizeof keywords / sizeof *keywords;
}

static int hexadecimal (char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

bool tl_lola_is_escape (const char *text, size_t length) {
  return length >= 3 && text[0] == '%' && hexadecimal (text[1]) >= 0 &&
         hexadecimal (text[2]) >= 0;
}

static void undo_escapes (tl_scan *s) {
  size_t n = 0;
  for (size_t i = 0; i < s->length; n++)
    if (tl_lola_is_escape (s->word + i, s->length - i)) {
      s->word[n] = (char)(16 * hexadecimal (s->word[i + 1]) +
                          hexadecimal (s->word[i + 2]));
      i += 3;
    } else
      s->word[n] = s->word[i++];
  s->word[s->length = n] = 0;
}

// Comments

static void skip_braces (lola *p) {
  tl_scan *s = &p->scan;
  const char *mark = TL_LOLA_ESCAPES;
  bool same = true;
  tl_scan_begin (s);
  tl_scan_skip (s);
  for (int c; (c = tl_scan_peek (s)) != '}'; tl_scan_skip (s)) {
    if (c == TL_SCAN_END) {
      tl_scan_fail (s, TL_E_SYNTAX, "this comment has no end");
      return;
    }
    same = same && *mark && *mark == c;
    mark += same;
  }
  tl_scan_skip (s);
  p->escapes |= same && !*mark;
}

static void skip_line (tl_scan *s) {
  for (int c; (c = tl_scan_peek (s)) != '\n' && c != TL_SCAN_END;)
    tl_scan_skip (s);
}

static void skip_stars (tl_scan *s) {
  int last = 0;
  for (int c; (c = tl_scan_peek (s)) != '/' || last != '*'; last = c) {
    if (c == TL_SCAN_END) {
      tl_scan_fail (s, TL_E_SYNTAX, "this comment has no end");
      return;
    }
    tl_scan_skip (s);
  }
  tl_scan_skip (s);
}

// A slash begins a comment or a word; true: it was a comment.
static bool skip_slash (tl_scan *s) {
  tl_scan_begin (s);
  tl_scan_skip (s);
  const int c = tl_scan_peek (s);
  if (c == '/')
    skip_line (s);
  else if (c == '*') {
    tl_scan_skip (s);
    skip_stars (s);
  } else {
    tl_scan_add (s, '/');
    return false;
  }
  return true;
}

// Tokens

static token word (lola *p) {
  tl_scan *s = &p->scan;
  for (int c; !tl_lola_ends_name (c = tl_scan_peek (s)); tl_scan_skip (s))
    tl_scan_add (s, c);
  if (tl_scan_end (s))
    return END;
  const size_t keyword = find_keyword (s->word);
  if (keyword < sizeof keywords / sizeof *keywords)
    return (token)(CONSUME + keyword);
  if (p->escapes)
    undo_escapes (s);
  return WORD;
}

static token next (lola *p) {
  tl_scan *s = &p->scan;
  for (;;) {
    const int c = tl_scan_peek (s);
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
      tl_scan_skip (s);
    else if (c == '{')
      skip_braces (p);
    else if (c == '/') {
      if (!skip_slash (s))
        return word (p);
    } else if (c != TL_SCAN_END && !tl_lola_ends_name (c)) {
      tl_scan_begin (s);
      return word (p);
    } else {
      tl_scan_begin (s);
      if (c == TL_SCAN_END)
        return END;
      tl_scan_skip (s);
      if (c == ',' || c == ':' || c == ';')
        return c == ',' ? COMMA : c == ':' ? COLON : SEMICOLON;
      if (c > ' ' && c < 0x7f)
        tl_scan_fail (s, TL_E_SYNTAX, "'%c' is out of place", c);
      else
        tl_scan_fail (s, TL_E_SYNTAX, "a control character (%d)", c);
      return END;
    }
  }
}

static void advance (lola *p) {
  p->token = next (p);
}

static bool accept (lola *p, token t) {
  if (p->token != t)
    return false;
  advance (p);
  return true;
}

// What stands at hand, for messages
static const char *at_hand (const lola *p) {
  switch (p->token) {
  case END: return "the end of the file";
  case COMMA: return "','";
  case COLON: return "':'";
  case SEMICOLON: return "';'";
  case WORD: return p->scan.word;
  default: return keywords[p->token - CONSUME];
  }
}

static tl_status expected (lola *p, const char *what) {
  return tl_scan_fail (&p->scan, TL_E_SYNTAX, "expected %s, not %.80s", what,
                       at_hand (p));
}

static tl_status expect (lola *p, token t, const char *what) {
  return accept (p, t) ? p->scan.status : expected (p, what);
}

// Is a name at hand, and one that may be an id?
static tl_status check_name (lola *p, const char *what) {
  if (p->token != WORD)
    return expected (p, what);
  tl_scan *s = &p->scan;
  const char *problem = tl_text_id (s->word, s->length);
  if (!problem && !tl_text_is_utf8 (s->word, s->length))
    problem = "is not UTF-8";
  return problem ? tl_scan_fail (s, TL_E_SYNTAX, "the name '%.80s' %s", s->word,
                                 problem)
                 : TL_OK;
}

// Sections

static tl_status place (lola *p) {
  tl_status status = check_name (p, "the name of a place");
  if (status)
    return status;
  status = tl_builder_place (p->scan.reading->builder, p->scan.word, 0, 0, 0);
  if (status == TL_E_ARG)
    return tl_scan_fail (&p->scan, TL_E_SYNTAX, "a second place '%.80s'",
                         p->scan.word);
  if (status)
    return tl_scan_no_memory (&p->scan);
  advance (p);
  return p->scan.status;
}

// SAFE 3:
static tl_status capacity (lola *p) {
  if (!accept (p, SAFE))
    return p->scan.status;
  if (p->token == WORD) {
    uint32_t most;
    const char *problem = tl_text_count (p->scan.word, &most);
    if (problem)
      return tl_scan_fail (&p->scan, TL_E_SYNTAX, "the capacity '%.40s' %s",
                           p->scan.word, problem);
    advance (p);
  }
  return expect (p, COLON, "':' behind SAFE");
}

static tl_status places (lola *p) {
  tl_status status = expect (p, PLACE, "PLACE");
  while (!status && p->token != MARKING && p->token != END) {
    status = capacity (p);
    if (!status && p->token != SEMICOLON)
      do
        status = place (p);
      while (!status && accept (p, COMMA));
    if (!status)
      status = expect (p, SEMICOLON, "',' or ';' behind a place");
  }
  return status;
}

// What to do with a place of a list and its number
typedef tl_status entry (lola *, uint32_t place, uint32_t number,
                         uint32_t transition, tl_arc_kind);

static tl_status number (lola *p, uint32_t *value) {
  *value = 1;
  if (!accept (p, COLON))
    return p->scan.status;
  if (p->token != WORD)
    return expected (p, "a number");
  const char *problem = tl_text_count (p->scan.word, value);
  if (problem)
    return tl_scan_fail (&p->scan, TL_E_SYNTAX, "the number '%.40s' %s",
                         p->scan.word, problem);
  return TL_OK;
}

// A list of places with numbers, up to a semicolon
static tl_status list (lola *p, entry *handle, uint32_t transition,
                       tl_arc_kind kind) {
  if (accept (p, SEMICOLON))
    return p->scan.status;
  do {
    tl_status status = check_name (p, "the name of a place");
    if (status)
      return status;
    const uint32_t index =
        tl_builder_find_place (p->scan.reading->builder, p->scan.word);
    if (index == TL_NO_NAME)
      return tl_scan_fail (&p->scan, TL_E_SYNTAX, "there is no place '%.80s'",
                           p->scan.word);
    advance (p);
    uint32_t value;
    const bool given = p->token == COLON;
    if ((status = number (p, &value)) ||
        (status = handle (p, index, value, transition, kind)))
      return status;
    if (given)
      advance (p);
  } while (accept (p, COMMA));
  return expect (p, SEMICOLON, "',', ':' or ';' behind a place");
}

static tl_status mark (lola *p, uint32_t index, uint32_t tokens,
                       uint32_t transition, tl_arc_kind kind) {
  (void)transition, (void)kind;
  return tl_builder_add_initial (p->scan.reading->builder, index, tokens)
             ? tl_scan_fail (&p->scan, TL_E_SYNTAX,
                             "a place with more than %u tokens",
                             (unsigned)TL_MAX_TOKENS)
             : TL_OK;
}

static tl_status connect (lola *p, uint32_t index, uint32_t weight,
                          uint32_t transition, tl_arc_kind kind) {
  if (!weight)
    return tl_scan_fail (&p->scan, TL_E_SYNTAX, "an arc of weight 0");
  return tl_builder_arc (p->scan.reading->builder, kind, index, transition,
                         weight)
             ? tl_scan_no_memory (&p->scan)
             : TL_OK;
}

static tl_status fairness (lola *p) {
  return accept (p, STRONG) || accept (p, WEAK) ? expect (p, FAIR, "FAIR")
                                                : p->scan.status;
}

static tl_status transition (lola *p) {
  uint32_t index;
  tl_status status = check_name (p, "the name of a transition");
  if (status)
    return status;
  status =
      tl_builder_transition (p->scan.reading->builder, p->scan.word, 0, &index);
  if (status == TL_E_ARG)
    return tl_scan_fail (&p->scan, TL_E_SYNTAX, "a second transition '%.80s'",
                         p->scan.word);
  if (status)
    return tl_scan_no_memory (&p->scan);
  advance (p);
  if (!(status = fairness (p)) && !(status = expect (p, CONSUME, "CONSUME")) &&
      !(status = list (p, connect, index, TL_ARC_PRE)) &&
      !(status = expect (p, PRODUCE, "PRODUCE")))
    status = list (p, connect, index, TL_ARC_POST);
  return status;
}

static bool is_word (const lola *p, const char *word_a, const char *word_b) {
  return p->token == WORD &&
         (!strcmp (p->scan.word, word_a) || !strcmp (p->scan.word, word_b));
}

static tl_status net (lola *p) {
  advance (p);
  if (is_word (p, "SORT", "FUNCTION"))
    return tl_scan_fail (&p->scan, TL_E_MODEL,
                         "high-level LoLA nets cannot be read");
  tl_status status = places (p);
  if (!status)
    status = expect (p, MARKING, "MARKING");
  if (!status)
    status = list (p, mark, 0, TL_ARC_PRE);
  while (!status && accept (p, TRANSITION))
    status = transition (p);
  if (status || is_word (p, "FORMULA", "ANALYSE"))
    return status;
  return p->token == END ? p->scan.status : expected (p, "TRANSITION");
}

tl_status tl_read_lola (tl_reading *reading) {
  lola p = {0};
  tl_scan_open (&p.scan, reading);
  const tl_status status = net (&p);
  tl_scan_close (&p.scan);
  return status;
}

// The first word that is not in a comment is PLACE, or that of a high-level
// net.
bool tl_is_lola (const tl_input *in) {
  tl_input block;
  tl_input_open_memory (&block, "", in->block, in->length);
  if (tl_input_next (&block, 0))
    return false;
  tl_mem mem = TL_MEM (0, "");
  tl_reading reading = {.in = &block, .mem = &mem};
  lola p = {0};
  tl_scan_open (&p.scan, &reading);
  advance (&p);
  const bool yes = p.token == PLACE || is_word (&p, "SORT", "FUNCTION");
  tl_scan_close (&p.scan);
  return yes;
}
