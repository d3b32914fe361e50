#ifndef TL_STRUCTURE_CASES_H
#define TL_STRUCTURE_CASES_H

#include "structure/equation.h"
#include "structure/structure.h"

// Is there a marking that satisfies all of a list of conditions, as far as the
// structure of the net says?  Cases are distinguished, with integers and
// nothing else, in the way of solvers for SAT that learn from conflicts (lazy
// clause generation: Ohrimenko, Stuckey, Codish, "Propagation via lazy clause
// generation", Constraints 14, 2009).
//
// Variables are the tokens of the places and choices, which are 0 or 1.  A
// *literal* says that a variable is at least, or at most, something. Conditions
// are *rules*, linear inequalities, perhaps only where some literal holds, and
// *clauses*, of which one literal holds at least.  What every reachable marking
// satisfies are rules: the semiflows of the net from the beginning; and
// those that a case shows to be missing, namely
//
//   - of the state equation (structure/equation.h): a weighted sum of tokens
//     that no transition makes smaller, by its lemma of Farkas, and
//   - a trap that has a token at the start has one for ever (structure/trap.h;
//     Esparza, Melzer, "Verification of safety properties using integer
//     programming: beyond the state equation", FMSD 16, 2000).
//
// If all cases end in a contradiction, no reachable marking satisfies the
// conditions.  Nothing is said where one remains.

typedef struct tl_cases tl_cases;

// On a variable there are two bounds, 2 * v for `at least k` and 2 * v + 1 for
// `at most -k`.
typedef struct tl_literal {
  uint32_t bound;
  int64_t least;
} tl_literal;

static inline tl_literal tl_at_least (uint32_t variable, int64_t k) {
  return (tl_literal){2 * variable, k};
}

static inline tl_literal tl_at_most (uint32_t variable, int64_t k) {
  return (tl_literal){2 * variable + 1, -k};
}

static inline tl_literal tl_literal_not (tl_literal l) {
  return (tl_literal){l.bound ^ 1, 1 - l.least};
}

// What is given has smaller numbers than this.
#define TL_CASES_LARGE ((int64_t)1 << 60)

// Structure and equation are borrowed; the latter may be null.
tl_status tl_cases_open (tl_cases **, tl_mem *, const tl_structure *,
                         tl_equation *);
void tl_cases_close (tl_cases *);

// Conditions on the marking that is looked for.  False: there is no memory for
// it, or its numbers are too large.
bool tl_cases_choice (tl_cases *, tl_literal *is_one);
// The sum is at most that, everywhere or where *when, a choice, holds.
bool tl_cases_rule (tl_cases *, tl_vector sum, int64_t most,
                    const tl_literal *when);
bool tl_cases_clause (tl_cases *, const tl_literal *, size_t count);
// The transition is not enabled, everywhere or where *when holds.
bool tl_cases_disabled (tl_cases *, uint32_t transition,
                        const tl_literal *when);

// From now on what proves it is noted there (structure/case_proof.h), and rules
// are added up where the state equation says that this helps.  Before
// conditions are given.
struct tl_case_proof;
void tl_cases_prove (tl_cases *, struct tl_case_proof *);

// True: it is proven that no reachable marking satisfies them.  Takes about
// `seconds` at most.  Forgets the conditions.
bool tl_cases_excluded (tl_cases *, double seconds);

// Afterwards, if they are not excluded: a marking that no rule contradicts
// [places], as far as it was looked for, else null.
const int64_t *tl_cases_left (const tl_cases *);

// Forgets the conditions.
void tl_cases_forget (tl_cases *);

#endif
