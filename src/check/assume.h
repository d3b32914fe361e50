#ifndef TL_CHECK_ASSUME_H
#define TL_CHECK_ASSUME_H

#include "check/sights.h"
#include "structure/structure.h"

// What is assumed about one marking, as inequalities: a list that literals are
// added to and that is cut back afterwards.  A literal is a comparison,
// FIREABLE, DEADLOCK or NOT of one of these two.  What cannot be said as an AND
// of inequalities is said in part or left out, so that more markings satisfy
// the list than the literals.
//
// NOT FIREABLE of a transition with several inputs is an OR.  Where its input
// places are bounded, it still says that not all of them are full: the sum of
// their tokens is less than it could be.

typedef struct tl_assumptions {
  tl_mem *mem;
  const tl_structure *structure;
  tl_equation *equation; // or null
  tl_sights *sights;
  struct tl_assumed {
    size_t start; // of its terms
    uint32_t count;
    int64_t bound;
    tl_sighted seen; // what satisfies it
  } * item;
  size_t count, room;
  tl_entry *term;
  size_t terms, term_room;
  tl_inequality *given; // as the equation wants them
  size_t given_room;
  uint64_t work;              // terms looked at
  const volatile int *cancel; // or null
} tl_assumptions;

void tl_assumptions_close (tl_assumptions *);

// Adds a literal, or with `negated` its negation.  Without memory it is left
// out.
void tl_assume (tl_assumptions *, const tl_formula *literal, bool negated);
void tl_assume_enabled (tl_assumptions *, uint32_t transition);
void tl_assume_disabled (tl_assumptions *, uint32_t transition);

// Forgets all but the first `count`.
void tl_assumptions_cut (tl_assumptions *, size_t count);

// Is it proven that no reachable marking satisfies those from number `from` on?
bool tl_assumptions_excluded (tl_assumptions *, size_t from);

// Tokens that the place holds at most, for certain; TL_NO_BOUND: not known.
uint64_t tl_proven_bound (const tl_structure *, uint32_t place);

#endif
