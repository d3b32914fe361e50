// The public side of reading questions, and the names that stand for whole
// questions.

#include "base/error.h"
#include "read/formula_text.h"
#include "read/formula_xml.h"

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

size_t tl_questions_count (const tl_questions *q) {
  return q->count;
}

static tl_status no_memory (tl_questions *q, size_t count, tl_error *err) {
  q->count = count;
  return tl_fail (err, TL_E_NOMEM, "no memory for questions");
}

// A bound for every place, called as the place.
static tl_status ask_all_bounds (tl_questions *q, tl_error *err) {
  const size_t before = q->count;
  for (uint32_t p = 0; p < q->net->places; p++) {
    tl_term *term;
    tl_question *question = tl_questions_add (q, q->net->place_id[p]);
    if (!question || !TL_ARENA_NEW (&q->arena, term, 1))
      return no_memory (q, before, err);
    *term = (tl_term){p, 1};
    question->kind = TL_ASK_BOUND;
    question->term = term;
    question->term_count = 1;
  }
  return TL_OK;
}

static tl_status ask (tl_questions *q, tl_question_kind kind, const char *name,
                      tl_error *err) {
  if (kind == TL_ASK_BOUND)
    return ask_all_bounds (q, err);
  tl_question *question = tl_questions_add (q, name);
  if (!question)
    return no_memory (q, q->count, err);
  question->kind = kind;
  return TL_OK;
}

static const struct named {
  const char *name;
  bool supported;
  tl_question_kind kind;
} named[] = {
    {"deadlock", true, TL_ASK_DEADLOCK},
    {"one-safe", true, TL_ASK_ONE_SAFE},
    {"quasi-live", true, TL_ASK_QUASI_LIVE},
    {"stable-marking", true, TL_ASK_STABLE_MARKING},
    {"bounds", true, TL_ASK_BOUND},
    {"live", false, TL_ASK_FORMULA},
    {"home", false, TL_ASK_FORMULA},
};

// The row of the name that the text consists of, or null.  `home` goes on
// with a predicate in quotes.
static const struct named *find_named (const char *text) {
  text += strspn (text, " \t\r\n");
  for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
    const size_t length = strlen (named[i].name);
    if (strncmp (text, named[i].name, length))
      continue;
    const char *rest = text + length;
    const size_t blanks = strspn (rest, " \t\r\n");
    const bool quoted = rest[blanks] == '\'' || rest[blanks] == '"';
    if (!rest[blanks] || (quoted && !strcmp (named[i].name, "home")))
      return named + i;
  }
  return 0;
}

tl_status tl_questions_add_text (tl_questions *q, const char *text,
                                 tl_error *err) {
  if (!q || !text)
    return tl_fail (err, TL_E_ARG, "tl_questions_add_text needs a text");
  const struct named *n = find_named (text);
  if (!n)
    return tl_formula_text_read (q, text, "formula", err);
  if (!n->supported)
    return tl_fail (err, TL_E_MODEL, "the property '%s' is not supported yet",
                    n->name);
  return ask (q, n->kind, n->name, err);
}

tl_status tl_questions_add_file (tl_questions *q, const char *path,
                                 tl_error *err) {
  if (!q || !path)
    return tl_fail (err, TL_E_ARG, "tl_questions_add_file needs a path");
  tl_input in;
  tl_status rc = tl_input_open (&in, &q->mem, path, err);
  if (!rc)
    rc = tl_formula_xml_read (q, &in, err);
  tl_input_close (&in);
  return rc;
}
