// TINA's .net format, a series of declarations that add up:
//
//     net abp
//     tr t1 : label [0,w[ p1 p2*3 p3?2 p4?-1 -> p5
//     pl p1 : label (3K)  t7 -> t8
//
// `?` is a read arc, `?-` an inhibitor arc.  Nodes exist from their first
// mention.  A declaration begins with a keyword; keywords are names only in
// braces.  A line that begins neither with a keyword nor with a blank is
// refused: TINA's own tools read it as part of the line before, but it is more
// probably a misspelt keyword.  Time other than [0,w[, priorities and
// stopwatch arcs would change the behaviour and are refused.

#include "read/tina.h"
#include "base/error.h"
#include "read/scan.h"
#include "read/text.h"

#include <string.h>

typedef enum token {
  END,
  NAME,
  KEYWORD, // number `keyword`
  ARROW,
  SIGN // the character `sign`
} token;

typedef enum keyword { NET, TR, PL, LB, NT, PR } keyword;

static const char *const keywords[] = {"net", "tr", "pl", "lb", "nt", "pr"};

typedef struct tina {
  tl_scan scan;
  token token;
  keyword keyword;
  char sign;
  long joined; // the line that a backslash joined to the one before
  bool fresh;  // the token stands at the very beginning of a line
} tina;

bool tl_tina_is_plain (int c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '\'' || c >= 0x80;
}

static bool find_keyword (const char *word, keyword *found) {
  for (keyword k = NET; k <= PR; k++)
    if (!strcmp (word, keywords[k])) {
      *found = k;
      return true;
    }
  return false;
}

bool tl_tina_is_keyword (const char *word) {
  keyword found;
  return find_keyword (word, &found);
}

// Tokens

static void skip_comment (tl_scan *s) {
  for (int c; (c = tl_scan_peek (s)) != '\n' && c != TL_SCAN_END;)
    tl_scan_skip (s);
}

// A backslash at the end of a line: the next line goes on with this one.
static void skip_line_end (tl_scan *s) {
  tl_scan_begin (s);
  tl_scan_skip (s);
  while (tl_scan_peek (s) == '\r')
    tl_scan_skip (s);
  if (tl_scan_peek (s) == '\n')
    tl_scan_skip (s);
  else
    tl_scan_fail (s, TL_E_SYNTAX, "'\\' is out of place");
}

static void skip_blanks (tina *p) {
  tl_scan *s = &p->scan;
  for (;;) {
    const int c = tl_scan_peek (s);
    if (c == '#')
      skip_comment (s);
    else if (c == '\\') {
      skip_line_end (s);
      p->joined = s->line;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
      tl_scan_skip (s);
    else
      break;
  }
  p->fresh = s->column == 1 && s->line != p->joined;
}

// A name in braces
static token quoted (tl_scan *s) {
  tl_scan_skip (s);
  for (int c; (c = tl_scan_peek (s)) != '}'; tl_scan_skip (s)) {
    if (c == '\\') {
      tl_scan_skip (s);
      c = tl_scan_peek (s);
      if (c != '{' && c != '}' && c != '\\')
        tl_scan_fail (s, TL_E_SYNTAX,
                      "'\\' before something else than a "
                      "brace or another '\\'");
    } else if (c == '{')
      tl_scan_fail (s, TL_E_SYNTAX, "'{' in a name needs a '\\'");
    if (c == TL_SCAN_END) {
      tl_scan_fail (s, TL_E_SYNTAX, "this name has no closing brace");
      return END;
    }
    tl_scan_add (s, c);
  }
  tl_scan_skip (s);
  return tl_scan_end (s) ? END : NAME;
}

static token word (tina *p) {
  tl_scan *s = &p->scan;
  for (int c; tl_tina_is_plain (c = tl_scan_peek (s)); tl_scan_skip (s))
    tl_scan_add (s, c);
  if (tl_scan_end (s))
    return END;
  return find_keyword (s->word, &p->keyword) ? KEYWORD : NAME;
}

static token sign (tina *p, int c) {
  tl_scan *s = &p->scan;
  tl_scan_skip (s);
  p->sign = (char)c;
  if (c == '-' && tl_scan_peek (s) == '>') {
    tl_scan_skip (s);
    return ARROW;
  }
  if (strchr ("*?!:()[],<>-", c))
    return SIGN;
  if (c > ' ' && c < 0x7f)
    tl_scan_fail (s, TL_E_SYNTAX,
                  "'%c' is out of place; names with other "
                  "characters than letters, digits, _ and ' "
                  "stand in braces",
                  c);
  else
    tl_scan_fail (s, TL_E_SYNTAX, "a control character (%d)", c);
  return END;
}

static void advance (tina *p) {
  tl_scan *s = &p->scan;
  skip_blanks (p);
  tl_scan_begin (s);
  const int c = tl_scan_peek (s);
  p->token = c == TL_SCAN_END       ? END
             : c == '{'             ? quoted (s)
             : tl_tina_is_plain (c) ? word (p)
                                    : sign (p, c);
  if (p->fresh && p->token == NAME)
    tl_scan_fail (s, TL_E_SYNTAX,
                  "expected net, tr, pl, lb, nt or pr, not '%.80s'", s->word);
}

static bool at_sign (const tina *p, char c) {
  return p->token == SIGN && p->sign == c;
}

static bool accept_sign (tina *p, char c) {
  if (!at_sign (p, c))
    return false;
  advance (p);
  return true;
}

static tl_status expected (tina *p, const char *what) {
  tl_scan *s = &p->scan;
  const char one[] = {'\'', p->sign, '\'', 0};
  const char *at_hand = p->token == END     ? "the end of the file"
                        : p->token == ARROW ? "'->'"
                        : p->token == SIGN  ? one
                                            : s->word;
  if (p->token == KEYWORD)
    return tl_scan_fail (s, TL_E_SYNTAX,
                         "expected %s, not the keyword %s (the name is {%s})",
                         what, at_hand, at_hand);
  return tl_scan_fail (s, TL_E_SYNTAX, "expected %s, not %.80s", what, at_hand);
}

// A number of tokens: 12, 3K, 5M
static const char *count (char *word, size_t length, uint32_t *value) {
  static const char suffixes[] = "KMGTPE";
  const char *at = length > 1 ? strchr (suffixes, word[length - 1]) : 0;
  if (!at)
    return tl_text_count (word, value);
  char *last = word + length - 1, suffix = *last;
  *last = 0;
  const char *problem = tl_text_count (word, value);
  *last = suffix;
  for (; !problem && at >= suffixes; at--)
    if (__builtin_mul_overflow (*value, (uint32_t)1000, value))
      problem = "is larger than 4294967295";
  return problem;
}

static tl_status number (tina *p, uint32_t least, uint32_t *value) {
  tl_scan *s = &p->scan;
  if (p->token != NAME)
    return expected (p, at_sign (p, '-') ? "a number that is not negative"
                                         : "a number");
  const char *problem = count (s->word, s->length, value);
  if (!problem && *value < least)
    problem = "is not positive";
  if (problem)
    return tl_scan_fail (s, TL_E_SYNTAX, "the number '%.40s' %s", s->word,
                         problem);
  advance (p);
  return s->status;
}

static tl_status check_name (tina *p, const char *what) {
  tl_scan *s = &p->scan;
  if (p->token != NAME)
    return expected (p, what);
  const char *problem = tl_text_id (s->word, s->length);
  return problem ? tl_scan_fail (s, TL_E_SYNTAX, "the name '%.80s' %s", s->word,
                                 problem)
                 : TL_OK;
}

// The number of the node at hand, which may be a new one.
static tl_status node (tina *p, bool place, uint32_t *index) {
  tl_scan *s = &p->scan;
  tl_builder *b = s->reading->builder;
  tl_status status = check_name (p, place ? "the name of a place"
                                          : "the name of a transition");
  if (status)
    return status;
  status = place ? tl_builder_place (b, s->word, 0, 0, index)
                 : tl_builder_transition (b, s->word, 0, index);
  if (status && status != TL_E_ARG)
    return tl_scan_no_memory (s);
  advance (p);
  return s->status;
}

static tl_status set_label (tina *p, bool place, uint32_t index) {
  tl_scan *s = &p->scan;
  tl_builder *b = s->reading->builder;
  if (p->token != NAME)
    return expected (p, "a label");
  tl_text_one_line (s->word);
  if (*s->word && (place ? tl_builder_name_place (b, index, s->word)
                         : tl_builder_name_transition (b, index, s->word)))
    return tl_scan_no_memory (s);
  advance (p);
  return s->status;
}

static tl_status label (tina *p, bool place, uint32_t index) {
  return accept_sign (p, ':') ? set_label (p, place, index) : p->scan.status;
}

// [0,w[ is no restriction; all else is.
static tl_status interval (tina *p) {
  if (!at_sign (p, '[') && !at_sign (p, ']'))
    return p->scan.status;
  tl_scan *s = &p->scan;
  const long line = s->word_line, column = s->word_column;
  const bool closed = p->sign == '[';
  advance (p);
  const bool from_zero = p->token == NAME && !strcmp (s->word, "0");
  if (p->token != NAME)
    return expected (p, "a number");
  advance (p);
  if (!accept_sign (p, ','))
    return expected (p, "','");
  const bool to_infinity = p->token == NAME && !strcmp (s->word, "w");
  if (p->token != NAME)
    return expected (p, "a number or w");
  advance (p);
  if (!at_sign (p, '[') && !at_sign (p, ']'))
    return expected (p, "'[' or ']'");
  if (!closed || !from_zero || !to_infinity) {
    s->word_line = line;
    s->word_column = column;
    return tl_scan_fail (s, TL_E_MODEL,
                         "time is not supported: only the interval [0,w[ is");
  }
  advance (p);
  return s->status;
}

// Arcs

// What stands behind the name of a node: *3, ?2, ?-1 or nothing.  Only arcs
// from places to transitions can be other than plain.
static tl_status arc (tina *p, bool takes, tl_arc_kind *kind,
                      uint32_t *weight) {
  *kind = takes ? TL_ARC_PRE : TL_ARC_POST;
  *weight = 1;
  if (accept_sign (p, '*'))
    return number (p, 1, weight);
  if (at_sign (p, '!'))
    return tl_scan_fail (&p->scan, TL_E_MODEL,
                         "stopwatch arcs are not supported");
  if (!at_sign (p, '?'))
    return p->scan.status;
  if (!takes)
    return tl_scan_fail (&p->scan, TL_E_SYNTAX,
                         "read and inhibitor arcs lead from places to "
                         "transitions");
  advance (p);
  *kind = accept_sign (p, '-') ? TL_ARC_INHIBITOR : TL_ARC_READ;
  return number (p, 1, weight);
}

static tl_status arcs (tina *p, bool of_place, uint32_t index) {
  tl_scan *s = &p->scan;
  bool arrow = false;
  tl_status status = s->status;
  bool any = false;
  for (; !status && (p->token == NAME || p->token == ARROW); any = true) {
    if (p->token == ARROW) {
      if (arrow)
        return tl_scan_fail (s, TL_E_SYNTAX, "a second '->'");
      arrow = true;
      advance (p);
      status = s->status;
      continue;
    }
    uint32_t other, weight;
    tl_arc_kind kind;
    status = node (p, !of_place, &other);
    if (!status)
      status = arc (p, arrow == of_place, &kind, &weight);
    if (!status &&
        tl_builder_arc (s->reading->builder, kind, of_place ? index : other,
                        of_place ? other : index, weight))
      status = tl_scan_no_memory (s);
  }
  return !status && any && !arrow ? expected (p, "'->'") : status;
}

// Declarations

static tl_status declare_net (tina *p) {
  tl_scan *s = &p->scan;
  const tl_status status = check_name (p, "the name of the net");
  if (status)
    return status;
  s->reading->name = tl_arena_text (&s->reading->arena, s->word, s->length);
  if (!s->reading->name)
    return tl_scan_no_memory (s);
  advance (p);
  return s->status;
}

static tl_status declare_transition (tina *p) {
  uint32_t index;
  tl_status status = node (p, false, &index);
  if (!status)
    status = label (p, false, index);
  if (!status)
    status = interval (p);
  return status ? status : arcs (p, false, index);
}

static tl_status marking (tina *p, uint32_t index) {
  uint32_t tokens;
  if (!accept_sign (p, '('))
    return p->scan.status;
  const tl_status status = number (p, 0, &tokens);
  if (status)
    return status;
  if (tl_builder_add_initial (p->scan.reading->builder, index, tokens))
    return tl_scan_fail (&p->scan, TL_E_SYNTAX,
                         "a place with more than %u tokens",
                         (unsigned)TL_MAX_TOKENS);
  return accept_sign (p, ')') ? p->scan.status : expected (p, "')'");
}

static tl_status declare_place (tina *p) {
  uint32_t index;
  tl_status status = node (p, true, &index);
  if (!status)
    status = label (p, true, index);
  if (!status)
    status = marking (p, index);
  return status ? status : arcs (p, true, index);
}

// lb NODE LABEL
static tl_status declare_label (tina *p) {
  tl_scan *s = &p->scan;
  const tl_status status = check_name (p, "the name of a node");
  if (status)
    return status;
  const tl_builder *b = s->reading->builder;
  const uint32_t t = tl_builder_find_transition (b, s->word);
  const uint32_t place = tl_builder_find_place (b, s->word);
  if (t == TL_NO_NAME && place == TL_NO_NAME)
    return tl_scan_fail (s, TL_E_SYNTAX,
                         "neither a place nor a transition '%.80s' was "
                         "declared before",
                         s->word);
  advance (p);
  return set_label (p, t == TL_NO_NAME, t == TL_NO_NAME ? place : t);
}

// nt NAME 0|1 TEXT
static tl_status declare_note (tina *p) {
  for (int i = 0; i < 3; i++) {
    if (p->token != NAME)
      return expected (p, "a note");
    advance (p);
  }
  return p->scan.status;
}

static tl_status declaration (tina *p) {
  if (p->token != KEYWORD)
    return expected (p, "net, tr, pl, lb, nt or pr");
  const keyword k = p->keyword;
  if (k == PR)
    return tl_scan_fail (&p->scan, TL_E_MODEL, "priorities are not supported");
  advance (p);
  switch (k) {
  case NET: return declare_net (p);
  case TR: return declare_transition (p);
  case PL: return declare_place (p);
  case LB: return declare_label (p);
  default: return declare_note (p);
  }
}

tl_status tl_read_tina (tl_reading *reading) {
  tina p = {0};
  tl_scan_open (&p.scan, reading);
  advance (&p);
  tl_status status = p.scan.status;
  while (!status && p.token != END)
    status = declaration (&p);
  tl_scan_close (&p.scan);
  return status ? status : p.scan.status;
}

// The first word that is not in a comment is a keyword.
bool tl_is_tina (const tl_input *in) {
  tl_input block;
  tl_input_open_memory (&block, "", in->block, in->length);
  if (tl_input_next (&block, 0))
    return false;
  tl_mem mem = TL_MEM (0, "");
  tl_reading reading = {.in = &block, .mem = &mem};
  tina p = {0};
  tl_scan_open (&p.scan, &reading);
  advance (&p);
  tl_scan_close (&p.scan);
  return p.token == KEYWORD;
}
