#ifndef TL_CERTIFY_WRITE_PROOFS_H
#define TL_CERTIFY_WRITE_PROOFS_H

#include "base/records.h"
#include "certify/evidence.h"

// The sections of facts and of questions (docs/certificates.md), of those
// questions that are decided by evidence.
void tl_certify_sections (const tl_certifying *, tl_record_writer *);

// Is it one of them?
bool tl_certify_has (const tl_certifying *, const tl_certify_question *);

#endif
