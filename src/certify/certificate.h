#ifndef TL_CERTIFY_CERTIFICATE_H
#define TL_CERTIFY_CERTIFICATE_H

#include "certify/evidence.h"

// Writes the certificate of answers: for each, what lets others see that it is
// right without a search (docs/certificates.md).  What neither a run nor the
// structure of the net shows is left to the set of all states, which is then in
// the file, too.

// TL_E_ARG: there are no certificates of such a net.
tl_status tl_certify_check_net (const tl_net *, tl_error *);

// Tells each answer whether it is certified.  Where none is there is no file.
tl_status tl_certify_answers (tl_mem *root, const tl_net *,
                              const tl_questions *, const tl_options *,
                              tl_answers *, tl_error *);

#endif
