#ifndef TL_CERTIFY_EVIDENCE_H
#define TL_CERTIFY_EVIDENCE_H

#include "certify/targets.h"
#include "structure/case_proof.h"

// What shows that goals are reached, or that they are not, whoever has answered
// the questions: the traces of the answers; proofs by the structure of the net,
// looked for again, with all that others need to check them; and runs, by one
// more search for those goals that have none.

typedef struct tl_certifying {
  tl_mem *root, mem;
  const tl_net *net;
  const tl_options *options;
  tl_arena arena;
  tl_certify_question *question;
  size_t count;
  uint64_t *initial, *marking; // [places]
  tl_case_proof proof;
} tl_certifying;

// TL_E_NOMEM.
tl_status tl_certifying_open (tl_certifying *, tl_mem *root, const tl_net *,
                              const tl_questions *, const tl_options *,
                              tl_answers *);
void tl_certifying_close (tl_certifying *);

// Proofs and runs.
tl_status tl_certifying_find (tl_certifying *, tl_error *);

// Does the evidence decide the question, as it was answered?
bool tl_certifying_decides (const tl_certifying *, const tl_certify_question *);

// Lets states be the evidence of what has none, or not any more.  True: there
// is such a goal.
bool tl_certifying_by_states (tl_certifying *, bool on);

#endif
