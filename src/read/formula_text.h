#ifndef TL_READ_FORMULA_TEXT_H
#define TL_READ_FORMULA_TEXT_H

#include "logic/formula.h"

// Reads questions in LoLA's language, several of them separated by ; or : and
// each perhaps with the word FORMULA before it.  From the loosest to the
// tightest binding:
//
//   REACHABLE INVARIANT IMPOSSIBLE   all that follows
//   <->
//   ->                               not twice without parentheses
//   OR XOR || |
//   AND && &
//   U R W  UNTIL RELEASE             right to left
//   NOT !  E A X F G and their long names, also written together: AG, EF
//   = == != <> # < <= > >=           between sums
//   + -
//   *                                of a number and a sum
//
// Atoms are comparisons, FIREABLE(t, ...), DEADLOCK, INITIAL, TRUE, FALSE and
// the propositions of a coloured net;
// MAX(sum), also spelt BOUND(sum), stands alone.  Words of the language may be
// written in small letters where no place is called so.  Names that are no
// simple words stand in "quotes" or 'quotes'.  {...} and /* ... */ are
// comments.
//
// `file` is what messages call the text.  On failure the questions are as they
// were.
tl_status tl_formula_text_read (tl_questions *, const char *text,
                                const char *file, tl_error *);

#endif
