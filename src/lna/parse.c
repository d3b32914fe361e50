// What all parts of the parser use: stacks, tokens, nodes.

#include "lna/parse.h"

#include <string.h>

void tl_lna_parser_open (tl_lna_parser *p, tl_lna_source *source,
                         bool property) {
  *p = (tl_lna_parser){.source = source};
  tl_lna_lexer_open (&p->lexer, source, property);
}

void tl_lna_parser_close (tl_lna_parser *p) {
  tl_lna_lexer_close (&p->lexer);
  if (p->node)
    TL_DEL (p->source->mem, p->node, p->node_room);
  if (p->word)
    TL_DEL (p->source->mem, p->word, p->word_room);
}

bool tl_lna_accept (tl_lna_parser *p, tl_lna_token token) {
  if (tl_lna_now (p) != token)
    return false;
  tl_lna_advance (&p->lexer);
  return true;
}

bool tl_lna_expected (tl_lna_parser *p, const char *what) {
  const tl_lna_lexeme *now = &p->lexer.now;
  const char *text =
      now->token == TL_LNA_NAME ? now->text : tl_lna_token_text (now->token);
  const bool quoted = now->token == TL_LNA_NAME || now->token >= TL_LNA_ARROW;
  return tl_lna_fail (p->source, now->where, "expected %s, not %s%.80s%s", what,
                      quoted ? "'" : "", text, quoted ? "'" : "");
}

bool tl_lna_expect (tl_lna_parser *p, tl_lna_token token) {
  if (tl_lna_accept (p, token))
    return !p->source->status;
  char what[32] = "'";
  strcat (strcat (what, tl_lna_token_text (token)), "'");
  return tl_lna_expected (p, what);
}

bool tl_lna_enter (tl_lna_parser *p) {
  return ++p->depth <= TL_LNA_DEPTH ||
         tl_lna_fail (p->source, tl_lna_here (p), "this is nested too deeply");
}

void tl_lna_leave (tl_lna_parser *p) {
  p->depth--;
}

static bool push (tl_lna_parser *p, tl_lna_node *node) {
  if (!TL_ROOM (p->source->mem, p->node, &p->node_room, p->nodes + 1))
    return tl_lna_no_memory (p->source);
  p->node[p->nodes++] = node;
  return true;
}

bool tl_lna_push (tl_lna_parser *p, tl_lna_node *node) {
  return node && push (p, node);
}

bool tl_lna_push_null (tl_lna_parser *p) {
  return push (p, 0);
}

bool tl_lna_push_word (tl_lna_parser *p, const char *what) {
  if (tl_lna_now (p) != TL_LNA_NAME)
    return tl_lna_expected (p, what);
  if (!TL_ROOM (p->source->mem, p->word, &p->word_room, p->words + 1))
    return tl_lna_no_memory (p->source);
  p->word[p->words++] = (tl_lna_word){p->lexer.now.text, p->lexer.now.where};
  tl_lna_advance (&p->lexer);
  return true;
}

static bool take (tl_lna_parser *p, tl_lna_node *n, tl_lna_marks marks) {
  n->kids = (uint32_t)(p->nodes - marks.nodes);
  n->words = (uint32_t)(p->words - marks.words);
  if ((n->kids && !TL_LNA_NEW (p->source, n->kid, n->kids)) ||
      (n->words && !TL_LNA_NEW (p->source, n->word, n->words)))
    return false;
  for (uint32_t i = 0; i < n->kids; i++) {
    tl_lna_node *kid = n->kid[i] = p->node[marks.nodes + i];
    if (kid && kid->height >= n->height)
      n->height = kid->height + 1;
  }
  if (n->words)
    memcpy (n->word, p->word + marks.words, n->words * sizeof *n->word);
  p->nodes = marks.nodes;
  p->words = marks.words;
  return n->height <= TL_LNA_DEPTH ||
         tl_lna_fail (p->source, n->where, "this is nested too deeply");
}

tl_lna_node *tl_lna_make (tl_lna_parser *p, bool good, tl_lna_kind kind,
                          tl_where where, tl_lna_marks marks) {
  tl_lna_node *n;
  if (!good || !TL_LNA_NEW (p->source, n, 1))
    return 0;
  n->kind = kind;
  n->where = where;
  return take (p, n, marks) ? n : 0;
}
