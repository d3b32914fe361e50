#ifndef TL_READ_EXPRESSION_TEXT_H
#define TL_READ_EXPRESSION_TEXT_H

#include "logic/expression.h"
#include "net/net.h"

// Reads expressions over the places of a net, separated by commas:
//
//   phase, 2*received + acked
//
// From the loosest to the tightest binding: + -, then * / mod, then the sign -.
// Names are written as in formulas (formula_lex.h), comments too.  Many places
// at once:
//
//   sum(waiting_*)             all places whose names match
//   sum(sent_*_*, 10*$1 + $2)  each times a weight, in which $1, $2, ... are
//                              the numbers that the stars stand for
//
// A star stands for as little as possible, the first one first.  The weight
// consists of numbers; places are not allowed in it.

typedef struct tl_expressions {
  tl_mem *mem;
  tl_expression *part;
  size_t count, room;
} tl_expressions;

// `file` is what messages call the text; the list is open and empty, and gets
// `most` parts at most.  TL_E_SYNTAX: what is wrong and where.  The list is to
// be closed after a failure, too.
tl_status tl_expression_text_read (tl_expressions *, const tl_net *,
                                   const char *text, const char *file,
                                   size_t most, tl_error *);
void tl_expressions_close (tl_expressions *);

#endif
