#ifndef TL_VERIFY_PROVEN_H
#define TL_VERIFY_PROVEN_H

#include "verify/question.h"

// What was proven, as the caller gets it: the questions as texts, made from
// what was checked, in one block of malloc.
tl_status tl_cert_questions_tell (const tl_cert_questions *, tl_verification *,
                                  tl_error *);

#endif
