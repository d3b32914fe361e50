#ifndef TL_CHECK_FACTS_H
#define TL_CHECK_FACTS_H

#include "check/assume.h"
#include "check/refute.h"
#include "logic/simplify.h"

// What is known about every reachable marking before any is visited: by the
// bounds of places, by the state equation (structure/equation.h), and by
// distinguishing cases (structure/cases.h).  Formulas lose what is never or
// always true: single literals, and those that others around them exclude or
// imply.  With p + q = 1 always, p > 0 AND (q > 0 OR r > 0) becomes p > 0 AND r
// > 0.  A part that speaks of one marking is then tried as a whole; of others
// what is above and below them (logic/bracket.h).

typedef struct tl_facts {
  const tl_net *net;
  const tl_structure *structure;
  tl_sights sights;
  tl_assumptions assumed;
  tl_refuter refuter;
  // Of its own: what cases add to a linear program is in the way of others.
  tl_equation *for_cases;
  bool asked_all_end, all_end; // every run ends (check/staying.h)
  size_t base; // assumptions from here on are about the marking at hand
  bool inside; // a part that speaks of one marking is being reduced
  tl_arena *arena;
  tl_next next; // what X means in the formula at hand
} tl_facts;

// The structure is borrowed.  All that is asked takes about `seconds` at most.
// Hasty: there is hardly any time for cases.
tl_status tl_facts_open (tl_facts *, tl_mem *, const tl_structure *,
                         double seconds, bool hasty);
void tl_facts_close (tl_facts *);

// A formula that is true in the same reachable markings, and of the same runs.
// The one given is simplified; simplify the result again.  Null when the arena
// has no memory.
tl_formula *tl_facts_apply (tl_facts *, tl_arena *, tl_formula *, tl_next);

// Of the net that people see: of a coloured one (net/origin.h) all that a
// node is unfolded into counts together.

// Is it proven that it is never enabled?
bool tl_facts_never_enabled (tl_facts *, uint32_t transition);
// Proven bounds of all places are 1 at most.
bool tl_facts_one_safe (const tl_facts *);
// It is changed by no transition that can fire.
bool tl_facts_stable_place (const tl_facts *, uint32_t place);
// It keeps its number of tokens, by cases.
bool tl_facts_kept_place (tl_facts *, uint32_t place);

// From every reachable marking the initial one can be reached, for certain.
bool tl_facts_return (tl_facts *);

// True: the sum, without negative coefficients, is proven to be at most that.
bool tl_facts_most (tl_facts *, const tl_summand *, uint32_t count,
                    uint64_t *most);

#endif
