#ifndef TL_VERIFY_QUESTION_H
#define TL_VERIFY_QUESTION_H

#include "verify/refutation.h"

// The questions of a certificate, with their answers.  Each comes down to
// goals: is there a reachable marking that satisfies a state formula?  For a
// goal there is evidence: steps that refute it, a run that leads there, or all
// reachable markings, where the certificate has these.
//
//     formula         its EF and AG, from left to right: AG f is that there is
//                     none that satisfies NOT f
//     MAX(sum) = k    is the sum k somewhere, or more; and k + 1, or more
//     sum < oo        is it more than k somewhere
//     deadlock        DEADLOCK
//     one-safe        has a place two tokens
//     quasi-live      for each transition: is it enabled
//     stable-marking  for each place: has it other tokens than at the start

typedef enum tl_cert_kind {
  TL_CERT_FORMULA,
  TL_CERT_MAX,
  TL_CERT_FINITE,
  TL_CERT_DEAD,
  TL_CERT_ONE_SAFE,
  TL_CERT_QUASI_LIVE,
  TL_CERT_STABLE,
  TL_CERT_KINDS
} tl_cert_kind;

typedef enum tl_cert_evidence {
  TL_EVIDENCE_NONE,
  TL_EVIDENCE_STEPS,
  TL_EVIDENCE_RUN,
  TL_EVIDENCE_STATES,
  TL_EVIDENCES
} tl_cert_evidence;

typedef struct tl_cert_goal {
  const tl_assertion *assertion;
  bool negated;
  uint8_t evidence;
  tl_verdict reached;
} tl_cert_goal;

typedef struct tl_cert_question {
  const char *name; // "": it has none of its own
  tl_cert_kind kind;
  tl_assertion formula;
  uint32_t terms;
  const tl_cert_term *term;
  uint64_t value;   // claimed, of a sum
  tl_verdict claim; // TL_VERDICT_BOUND for TL_CERT_MAX
  tl_cert_goal *goal;
  uint32_t goals;
} tl_cert_question;

typedef struct tl_cert_questions {
  const tl_cert_net *net;
  tl_cert_question *question;
  uint32_t count;
  size_t facts;
  bool needs_states; // all reachable markings are the evidence of some goal
} tl_cert_questions;

// Reads the facts and the questions, and checks the evidence but for states.
// TL_E_MODEL: it is none.
tl_status tl_cert_questions_read (tl_mem *, tl_cert_source *,
                                  const tl_cert_net *, tl_cert_questions *);

// Looks at a reachable marking; at the end of all of them, states are evidence.
void tl_cert_questions_see (tl_cert_questions *, const uint64_t *tokens);
void tl_cert_questions_seen (tl_cert_questions *);

// Does each answer follow from what the goals are known to be?
tl_status tl_cert_questions_judge (const tl_cert_questions *, tl_mem *,
                                   tl_error *);

// For reports: the question as text, and what its evidence is.
void tl_cert_question_tell (const tl_cert_questions *, const tl_cert_question *,
                            FILE *);
const char *tl_cert_question_proof (const tl_cert_question *);

#endif
