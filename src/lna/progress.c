// Measures of progress.

#include "lna/parse.h"
#include "lna/typing.h"

#include <ctype.h>
#include <string.h>

static bool add_measure (tl_lna_checker *c, tl_term *term, uint32_t frame) {
  tl_coloured *net = c->net;
  if (!term)
    return false;
  net->measure[net->measures++] = term;
  if (frame > net->measure_frame)
    net->measure_frame = frame;
  return true;
}

static bool define (tl_lna_checker *c, const tl_lna_node *list) {
  if (list->kids > TL_PROGRESS_PARTS)
    return tl_lna_fail (c->source, list->where,
                        "a measure of progress has %d parts at most",
                        TL_PROGRESS_PARTS);
  c->marking = true;
  bool good = true;
  for (uint32_t i = 0; good && i < list->kids; i++) {
    c->frame = 0;
    tl_term *term = tl_lna_numeric (c, list->kid[i]);
    good = add_measure (c, term, c->frame);
  }
  c->marking = false;
  c->net->progress_parts = list->kids;
  return good;
}

bool tl_lna_define_progress (tl_lna_checker *c, const tl_lna_node *n) {
  return c->net->measures
             ? tl_lna_fail (c->source, n->where, "a second measure of progress")
             : define (c, n);
}

// ---- What somebody asks for ------------------------------------------------

static bool is_part_of_name (char c) {
  return isalnum ((unsigned char)c) || c == '_';
}

static bool has_word (const char *text, const char *word) {
  const size_t length = strlen (word);
  for (const char *at = text; (at = strstr (at, word)); at++)
    if ((at == text || !is_part_of_name (at[-1])) &&
        !is_part_of_name (at[length]))
      return true;
  return false;
}

// Does the text look at tokens?  Expressions over counted places
// (read/expression_text.h) have nothing of the kind.
static bool sees_tokens (const char *text) {
  return strstr (text, "->") || strstr (text, "'card") ||
         strstr (text, "'mult") || has_word (text, "in");
}

static tl_lna_node *parse (tl_lna_source *source) {
  tl_lna_parser p;
  tl_lna_parser_open (&p, source, false);
  tl_lna_start (&p.lexer);
  const tl_lna_marks marks = tl_lna_mark (&p);
  const tl_where where = tl_lna_here (&p);
  bool good = tl_lna_push_expressions (&p);
  if (good && tl_lna_now (&p) != TL_LNA_END)
    good = tl_lna_expected (&p, "the end of the measure");
  tl_lna_node *list = tl_lna_make (&p, good, TL_LNA_IS_PROGRESS, where, marks);
  tl_lna_parser_close (&p);
  return list;
}

// The text is a source of its own: what is wrong is said with its place there.
bool tl_lna_define_asked (tl_lna_checker *c, const char *text) {
  tl_lna_source *net = c->source, asked;
  if (!text || !sees_tokens (text))
    return true;
  tl_input in;
  tl_input_open_memory (&in, "progress", text, strlen (text));
  tl_status rc = tl_input_next (&in, net->err);
  if (!rc)
    rc = tl_lna_source_open (&asked, net->mem, &in, net->err);
  if (!rc) {
    c->source = &asked;
    c->net->measures = c->net->progress_parts = 0;
    const tl_lna_node *list = parse (&asked);
    const bool good =
        list && define (c, list) && (c->net->asked = tl_lna_keep (c, text));
    rc = good ? TL_OK : asked.status ? asked.status : TL_E_INTERNAL;
    c->source = net;
    tl_lna_source_close (&asked);
  }
  tl_input_close (&in);
  if (rc && !net->status)
    net->status = rc;
  return !rc;
}

// ---- Time ------------------------------------------------------------------

bool tl_lna_measure_time (tl_lna_checker *c) {
  if (c->clock == TL_NO_NAME)
    return true;
  const tl_where where = c->net->place[c->clock].where;
  tl_term *t = tl_lna_make_term (c, TL_TERM_SUM, where, c->integer, 2);
  const tl_lna_variable time = {.type = c->natural};
  if (!t || !TL_LNA_NET_NEW (c, t->loop, 1) ||
      !(t->operand[1] = tl_lna_variable_term (c, where, &time)))
    return false;
  *t->loop =
      (tl_loop){.kind = TL_LOOP_PLACE, .name = "clock", .place = c->clock};
  t->loops = 1;
  c->net->progress_parts += !c->net->measures;
  c->net->has_time = true;
  return add_measure (c, t, 1);
}
