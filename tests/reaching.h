#ifndef TL_TESTS_REACHING_H
#define TL_TESTS_REACHING_H

#include "base/random.h"
#include "brute.h"
#include "logic/formula.h"

// Random questions about what can be reached, and what is right of them: so
// many formulas, EF or AG, so many sums, and named properties that looking at
// markings decides.

tl_questions *reaching_questions (const tl_net *, unsigned formulas,
                                  unsigned sums, tl_random *);

// One more: two such formulas joined.
void reaching_add_joined (tl_questions *, tl_random *);

// What is wrong with the answer; null: nothing.
const char *reaching_judge (const brute *, const tl_question *,
                            const tl_answer *);

#endif
