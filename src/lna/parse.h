#ifndef TL_LNA_PARSE_H
#define TL_LNA_PARSE_H

#include "lna/tree.h"

// From tokens to the tree.  A parser has two stacks, of the words and of the
// nodes that will be below the one being read.
typedef struct tl_lna_parser {
  tl_lna_lexer lexer;
  tl_lna_source *source;
  tl_lna_node **node;
  size_t nodes, node_room;
  tl_lna_word *word;
  size_t words, word_room;
  uint32_t depth; // of calls
} tl_lna_parser;

void tl_lna_parser_open (tl_lna_parser *, tl_lna_source *, bool property);
void tl_lna_parser_close (tl_lna_parser *);

// Symbols are defined, and the first token is at hand.
bool tl_lna_parse_net (tl_lna_parser *, tl_lna_tree *);

// The parts.  Each returns null, or false, after a failure.
tl_lna_node *tl_lna_parse_expression (tl_lna_parser *);
// The same, but a `*` before a tuple is not an operator.
tl_lna_node *tl_lna_parse_factor (tl_lna_parser *);
// The same, but a `+` is not an operator.
tl_lna_node *tl_lna_parse_delay (tl_lna_parser *);
tl_lna_node *tl_lna_parse_statement (tl_lna_parser *);
tl_lna_node *tl_lna_parse_loops (tl_lna_parser *);
tl_lna_node *tl_lna_parse_loop (tl_lna_parser *);
tl_lna_node *tl_lna_parse_label (tl_lna_parser *);
// Pushes the sections and attributes of a transition.
bool tl_lna_push_transition (tl_lna_parser *);

// Pushes `first` .. `last` of a RANGE.
bool tl_lna_push_range (tl_lna_parser *);
// Pushes expressions between commas.
bool tl_lna_push_expressions (tl_lna_parser *);

// Tokens

static inline tl_lna_token tl_lna_now (const tl_lna_parser *p) {
  return p->lexer.now.token;
}

static inline tl_where tl_lna_here (const tl_lna_parser *p) {
  return p->lexer.now.where;
}

bool tl_lna_accept (tl_lna_parser *, tl_lna_token);
bool tl_lna_expect (tl_lna_parser *, tl_lna_token);
// A complaint about the token at hand.
bool tl_lna_expected (tl_lna_parser *, const char *what);

// Nodes and words

// Does the program's stack allow one more call?  Undone by `leave`.
bool tl_lna_enter (tl_lna_parser *);
void tl_lna_leave (tl_lna_parser *);

bool tl_lna_push (tl_lna_parser *, tl_lna_node *);
bool tl_lna_push_null (tl_lna_parser *);
// The name at hand goes onto the stack of words.
bool tl_lna_push_word (tl_lna_parser *, const char *what);

// A node takes what is on the stacks above these marks.
typedef struct tl_lna_marks {
  size_t nodes, words;
} tl_lna_marks;

static inline tl_lna_marks tl_lna_mark (const tl_lna_parser *p) {
  return (tl_lna_marks){p->nodes, p->words};
}

// Null where `good` is false, so that a sequence may be tested at its end.
tl_lna_node *tl_lna_make (tl_lna_parser *, bool good, tl_lna_kind, tl_where,
                          tl_lna_marks);

#endif
