#ifndef TL_CERTIFY_TARGETS_H
#define TL_CERTIFY_TARGETS_H

#include "logic/formula.h"
#include "net/trace.h"

// The questions of a certificate as goals: is there a reachable marking that
// satisfies a state formula?  They are those of docs/certificates.md, in its
// order; src/verify makes the same of what it reads.

// In the order of the format.
typedef enum tl_evidence {
  TL_WITHOUT,  // not decided, or of no use
  TL_BY_STEPS, // it is refuted
  TL_BY_RUN,
  TL_BY_STATES // it is to be looked for in all reachable markings
} tl_evidence;

typedef struct tl_certify_goal {
  tl_formula *formula;
  bool negated;       // a marking is looked for that does not satisfy it
  tl_verdict guess;   // what the answer says; unknown: it may be either
  tl_verdict reached; // by the evidence
  tl_evidence evidence;
  size_t first, last; // steps
  tl_trace run;       // if `owned` its own
  bool owned;
} tl_certify_goal;

typedef struct tl_certify_question {
  const tl_question *question;
  tl_answer *answer;
  tl_certify_goal *goal;
  uint32_t goals;
  uint64_t value;      // of a sum: it is never more
  const char *why_not; // it cannot be certified; null: perhaps it can
} tl_certify_question;

// What answer stands there is what the goals are derived from; null when the
// arena has no memory, else `why_not` may be set.
bool tl_certify_split (tl_arena *, const tl_net *, tl_certify_question *);

// What follows from goals that are known.
tl_verdict tl_certify_verdict (const tl_net *, const tl_certify_question *,
                               const uint64_t *initial);

#endif
