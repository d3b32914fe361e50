// The public side of reading questions, and the names that stand for whole
// questions.

#include "base/error.h"
#include "read/formula_text.h"
#include "read/formula_xml.h"
#include "net/origin.h"
#include "read/read.h"
#include "read/resolve.h"
#include "read/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tl_status tl_questions_open (tl_questions **out, const tl_net *net,
                             tl_error *err) {
  if (!out || !net)
    return tl_fail (err, TL_E_ARG, "tl_questions_open needs a net");
  // The account is part of it and is not charged to itself.
  tl_questions *q = *out = calloc (1, sizeof *q);
  if (!q)
    return tl_fail (err, TL_E_NOMEM, "no memory for questions");
  q->mem = TL_MEM (0, "questions");
  q->net = net;
  q->arena = TL_ARENA (&q->mem);
  return TL_OK;
}

void tl_questions_close (tl_questions *q) {
  if (!q)
    return;
  TL_DEL (&q->mem, q->question, q->capacity);
  tl_arena_close (&q->arena);
  free (q);
}

tl_status tl_questions_limit (tl_questions *q, const tl_settings *given,
                              tl_error *err) {
  tl_settings said;
  if (!q || !given)
    return tl_fail (err, TL_E_ARG, "tl_questions_limit needs settings");
  if (tl_settings_take (&said, given, err))
    return TL_E_ARG;
  q->budget = tl_budget_of (said.timeout, said.cancel);
  q->mem.budget = &q->budget;
  q->mem.limit = said.memory ? said.memory : tl_mem_default ();
  return TL_OK;
}

// Was it too late for a question, and not its fault?
tl_status tl_questions_end (const tl_questions *q, tl_status rc,
                            tl_error *err) {
  const tl_status late = rc ? tl_budget_look (&q->mem) : TL_OK;
  return late ? tl_fail (err, late, "%s while reading a formula",
                         late == TL_E_LIMIT ? "the time limit was reached"
                                            : "it was interrupted")
              : rc;
}

size_t tl_questions_count (const tl_questions *q) {
  return q ? q->count : 0;
}

static tl_status no_memory (tl_questions *q, size_t count, tl_error *err) {
  q->count = count;
  return tl_fail (err, TL_E_NOMEM, "no memory for questions");
}

// A bound for every place, called as the place.
static tl_status ask_all_bounds (tl_questions *q, tl_error *err) {
  const size_t before = q->count;
  for (uint32_t p = 0; p < tl_shown_places (q->net); p++) {
    const tl_node_range places = tl_shown_place (q->net, p);
    tl_summand *term;
    tl_question *question = tl_questions_add (q, tl_shown_place_id (q->net, p));
    if (!question || !TL_ARENA_NEW (&q->arena, term, places.count + 1))
      return no_memory (q, before, err);
    for (uint32_t i = 0; i < places.count; i++)
      term[i] = (tl_summand){places.first + i, 1};
    question->kind = TL_ASK_BOUND;
    question->term = term;
    question->term_count = places.count;
  }
  return TL_OK;
}

#define BOUNDED "bounded"

// Has the sum of all places a bound?
static tl_status ask_boundedness (tl_questions *q, tl_error *err) {
  tl_summand *term;
  tl_question *question = tl_questions_add (q, BOUNDED);
  if (!question || !TL_ARENA_NEW (&q->arena, term, q->net->places + 1))
    return no_memory (q, q->count - (question != 0), err);
  for (uint32_t p = 0; p < q->net->places; p++)
    term[p] = (tl_summand){p, 1};
  question->kind = TL_ASK_BOUND;
  question->finite = true;
  question->term = term;
  question->term_count = q->net->places;
  return TL_OK;
}

static tl_status ask (tl_questions *q, tl_question_kind kind, const char *name,
                      tl_error *err) {
  if (kind == TL_ASK_BOUND)
    return strcmp (name, BOUNDED) ? ask_all_bounds (q, err)
                                  : ask_boundedness (q, err);
  tl_question *question = tl_questions_add (q, name);
  if (!question)
    return no_memory (q, q->count, err);
  question->kind = kind;
  return TL_OK;
}

// What they are called, and in the same order what they ask.
static const tl_kind_row properties[] = {
    {"deadlock", "a marking can be reached in which nothing is enabled"},
    {"deadlock-free", "there is none"},
    {"one-safe", "no place ever holds two tokens"},
    {"quasi-live", "every transition can fire some day"},
    {"live", "every transition can fire again, whatever happens"},
    {"reversible", "the initial marking can be reached again from everywhere"},
    {"home-state", "some marking can be reached again, whatever happens"},
    {"stable-marking", "some place never changes its tokens"},
    {"bounds", "the most tokens that each place can hold"},
    {BOUNDED, "no place gains tokens without end"},
};

#define NAMES (sizeof properties / sizeof *properties)

static const struct meaning {
  tl_question_kind kind;
  const char *formula; // for TL_ASK_FORMULA
} meanings[NAMES] = {
    {TL_ASK_DEADLOCK, 0},   {TL_ASK_FORMULA, "AG NOT DEADLOCK"},
    {TL_ASK_ONE_SAFE, 0},   {TL_ASK_QUASI_LIVE, 0},
    {TL_ASK_LIVE, 0},       {TL_ASK_FORMULA, "AG EF INITIAL"},
    {TL_ASK_HOME_STATE, 0}, {TL_ASK_STABLE_MARKING, 0},
    {TL_ASK_BOUND, 0},      {TL_ASK_BOUND, 0},
};

const tl_kind_row *tl_property_names (size_t *count) {
  if (count)
    *count = NAMES;
  return properties;
}

// Other words for some of them.
static const struct {
  const char *alias, *name;
} aliases[] = {
    {"safe", "one-safe"},
    {"1-safe", "one-safe"},
    {"liveness", "live"},
    {"quasi-liveness", "quasi-live"},
    {"reversibility", "reversible"},
    {"boundedness", BOUNDED},
    {"deadlock-freedom", "deadlock-free"},
};

#define ALIASES (sizeof aliases / sizeof *aliases)

#define BLANKS " \t\r\n"

// What follows the name in the text, without blanks; null: it does not begin
// with this name.
static const char *after_name (const char *text, const char *name) {
  text += strspn (text, BLANKS);
  const size_t length = strlen (name);
  if (strncmp (text, name, length))
    return 0;
  return text + length + strspn (text + length, BLANKS);
}

static bool is_name (const char *text, const char *name) {
  const char *rest = after_name (text, name);
  return rest && !*rest;
}

// The number of the name that the text consists of, or NAMES.
static size_t find_name (const char *text) {
  for (size_t i = 0; i < ALIASES; i++)
    if (is_name (text, aliases[i].alias))
      text = aliases[i].name;
  size_t i = 0;
  while (i < NAMES && !is_name (text, properties[i].name))
    i++;
  return i;
}

static tl_status add_named (tl_questions *q, size_t number, tl_error *err) {
  const struct meaning *m = meanings + number;
  const char *name = properties[number].name;
  if (m->kind != TL_ASK_FORMULA)
    return ask (q, m->kind, name, err);
  const tl_status rc =
      tl_formula_text_read (q, m->formula, name, (tl_position){1, 1}, err);
  if (!rc)
    q->question[q->count - 1].name = name;
  return rc;
}

// A word that stands for nothing may be a slip of one of the names.
static tl_status explain_word (const char *text, const char *file,
                               tl_position at, tl_status rc, tl_error *err) {
  const char *known[NAMES + ALIASES];
  for (size_t i = 0; i < NAMES + ALIASES; i++)
    known[i] = i < NAMES ? properties[i].name : aliases[i - NAMES].alias;
  char word[32];
  text += strspn (text, BLANKS);
  const size_t length = strcspn (text, BLANKS);
  if (length >= sizeof word || text[length + strspn (text + length, BLANKS)])
    return rc;
  snprintf (word, sizeof word, "%.*s", (int)length, text);
  const char *like = tl_nearest (known, NAMES + ALIASES, word);
  return like ? tl_fail_at (err, rc, file, at.line, at.column,
                            "there is no property '%s'; did you mean '%s'?",
                            word, like)
              : rc;
}

// ---- home 'PREDICATE' ------------------------------------------------------

// Is it `home` with a predicate in quotes, or alone?  The predicate is the
// text between the first quote and the last.
static bool is_home (const char *text, const char **predicate, size_t *length) {
  const char *rest = after_name (text, "home");
  if (!rest || (*rest && *rest != '\'' && *rest != '"'))
    return false;
  size_t end = strlen (rest);
  while (end && strchr (BLANKS, rest[end - 1]))
    end--;
  *predicate = rest + 1;
  *length = end > 1 && rest[end - 1] == *rest ? end - 2 : 0;
  return true;
}

// The question that was read last becomes one for AG EF of its formula.
static tl_status make_home (tl_questions *q, const char *name, tl_error *err) {
  static const tl_op above[] = {TL_FINALLY, TL_EXISTS, TL_GLOBALLY, TL_ALL};
  tl_question *question = q->question + q->count - 1;
  if (question->kind != TL_ASK_FORMULA ||
      tl_formula_has_temporal (question->formula))
    return tl_fail (err, TL_E_MODEL,
                    "home needs a predicate without temporal operators");
  for (size_t i = 0; i < sizeof above / sizeof *above; i++)
    question->formula =
        tl_formula_unary (&q->arena, above[i], question->formula);
  name += strspn (name, BLANKS);
  char *copy = tl_arena_text (&q->arena, name, strlen (name));
  if (!question->formula || !copy)
    return tl_fail (err, TL_E_NOMEM, "no memory for questions");
  tl_text_one_line (copy);
  question->name = copy;
  return TL_OK;
}

static tl_status add_home (tl_questions *q, const char *text,
                           const char *predicate, size_t length,
                           const char *file, tl_position at, tl_error *err) {
  const size_t before = q->count;
  if (!length)
    return tl_fail (err, TL_E_SYNTAX,
                    "home needs a predicate in quotes: home 'p = 1'");
  char *copy = tl_arena_text (&q->arena, predicate, length);
  if (!copy)
    return tl_fail (err, TL_E_NOMEM, "no memory for questions");
  at.column += predicate - text;
  tl_status rc = tl_formula_text_read (q, copy, file, at, err);
  if (!rc && q->count != before + 1)
    rc = tl_fail (err, TL_E_SYNTAX, "home needs one predicate, not several");
  if (!rc)
    rc = make_home (q, text, err);
  if (rc)
    q->count = before;
  return rc;
}

// ---- Any of them -----------------------------------------------------------

tl_status tl_question_text_read (tl_questions *q, const char *text,
                                 const char *file, tl_position at,
                                 tl_error *err) {
  const size_t number = find_name (text);
  if (number < NAMES)
    return add_named (q, number, err);
  const char *predicate;
  size_t length;
  if (is_home (text, &predicate, &length))
    return add_home (q, text, predicate, length, file, at, err);
  const tl_status rc = tl_formula_text_read (q, text, file, at, err);
  return rc == TL_E_SYNTAX ? explain_word (text, file, at, rc, err) : rc;
}

tl_status tl_questions_add_text (tl_questions *q, const char *text,
                                 tl_error *err) {
  if (!q || !text)
    return tl_fail (err, TL_E_ARG, "tl_questions_add_text needs a text");
  return tl_questions_end (
      q, tl_question_text_read (q, text, "formula", (tl_position){1, 1}, err),
      err);
}

tl_status tl_questions_add_formulas (tl_questions *q, const char *path,
                                     tl_error *err) {
  if (!q || !path)
    return tl_fail (err, TL_E_ARG, "tl_questions_add_formulas needs a path");
  return tl_questions_end (q, tl_formula_file_read (q, path, err), err);
}

const char *tl_questions_warning (const tl_questions *q, size_t i) {
  return q && i < q->count ? q->question[i].warning : 0;
}

tl_status tl_questions_add_file (tl_questions *q, const char *path,
                                 tl_error *err) {
  if (!q || !path)
    return tl_fail (err, TL_E_ARG, "tl_questions_add_file needs a path");
  tl_input in;
  tl_status rc = tl_input_open (&in, &q->mem, path, err);
  if (!rc)
    rc = tl_input_next (&in, err);
  if (!rc)
    rc = tl_formula_xml_read (q, &in, err);
  tl_input_close (&in);
  return tl_questions_end (q, rc, err);
}
