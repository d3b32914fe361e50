#ifndef TL_VERIFY_VERIFY_H
#define TL_VERIFY_VERIFY_H

#include "verify/certified.h"

// Checks a certificate: a file in which the answer of a search stands with its
// proof (docs/certificates.md).  Nothing is searched, stored or sorted.

// Is this the net that the certificate should be about?  TL_E_MODEL: it is not.
typedef struct tl_verify_net {
  const void *context;
  tl_status (*compare) (const void *context, const tl_cert_net *, tl_error *);
} tl_verify_net;

// `about` null: about any net.  What does not hold is in the result;
// TL_E_SYNTAX: it is no certificate, or damaged.
tl_status tl_verify_on (tl_mem *, const char *path, const tl_verify_net *about,
                        tl_verification *, tl_error *);
// The same of bytes in memory.
tl_status tl_verify_bytes (tl_mem *, const char *name, const void *bytes,
                           size_t length, const tl_verify_net *about,
                           tl_verification *, tl_error *);

#endif
