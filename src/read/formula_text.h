#ifndef TL_READ_FORMULA_TEXT_H
#define TL_READ_FORMULA_TEXT_H

#include "logic/formula.h"
#include "read/position.h"

// Reads questions in LoLA's language, several of them separated by ; or : and
// each perhaps with the word FORMULA before it.  From the loosest to the
// tightest binding:
//
//   REACHABLE INVARIANT IMPOSSIBLE   all that follows
//   <-> <=>
//   -> =>                            not twice without parentheses
//   OR XOR || |
//   AND && &
//   U R W  UNTIL RELEASE             right to left
//   NOT !  E A X F G [] <> and their long names, also together: AG, EF, E<>
//   = == != <> # < <= > >=           between sums
//   + -
//   *                                of a number and a sum
//
// Atoms are comparisons, FIREABLE(t, ...), DEADLOCK, INITIAL, TRUE, FALSE and
// the propositions of a coloured net;
// MAX(sum), also spelt BOUND(sum), and AG sum < oo stand alone.  Words of the
// language may be written in small letters where no place is called so.  Names
// that are no simple words stand in "quotes" or 'quotes'.  {...} and /* ... */
// are comments.
//
// `file` is what messages call the text, which begins there `at`.  On failure
// the questions are as they were.
tl_status tl_formula_text_read (tl_questions *, const char *text,
                                const char *file, tl_position at, tl_error *);

// A query in TAPAAL's language, which differs in two things: temporal operators
// take all that follows, up to a closing parenthesis, and the name of a
// transition alone says that it is enabled.
tl_status tl_formula_query_read (tl_questions *, const char *text,
                                 const char *file, tl_position at, tl_error *);

// The same as text_read, or one of the names that stand for a question:
// deadlock, ...
tl_status tl_question_text_read (tl_questions *, const char *text,
                                 const char *file, tl_position at, tl_error *);

// A file of questions, as tl_questions_add_formulas describes it.
tl_status tl_formula_file_read (tl_questions *, const char *path, tl_error *);

#endif
