#ifndef TL_CHECK_CULPRITS_H
#define TL_CHECK_CULPRITS_H

#include "check/goals.h"

// The places and transitions that an answer is about: what is never enabled, is
// dead where the trace leads, holds several tokens there, or never changes.
// They are those of the net that people see (net/origin.h).  What is known when
// a question is decided is enough for the list: nothing is searched for it, and
// without memory for it there is none.
//
// Whoever decides a question marks them and names what is marked in all answers
// of that kind, instead of what was named before.

size_t tl_culprits_room (const tl_net *); // for marks

// The marks, none of them set: [shown places] or [shown transitions].
uint8_t *tl_culprits_begin (tl_goals *);
void tl_culprits_name (tl_goals *, tl_question_kind);
// Marks what an answer names.
void tl_culprits_mark (tl_goals *, const tl_culprits *);

// Marks the transitions that did not fire [transitions of the net], or the
// places that gain tokens.
void tl_culprits_missing (tl_goals *, const uint8_t *fired);
void tl_culprits_gaining (tl_goals *);

// Names what a complete search has seen nothing of.
void tl_culprits_settle (tl_goals *);

#endif
