#ifndef TL_EXPLORE_CERTIFY_H
#define TL_EXPLORE_CERTIFY_H

#include "base/records.h"
#include "explore/search.h"

// Writes the certificate of a complete breadth-first search: the net, what keys
// are made of, the figures, and the roster of all states.  docs/certificates.md
// has the format and says why it proves what it does; src/verify reads it.

// TL_E_ARG: certificates are not for such a search.
tl_status tl_certify_check (const tl_net *, const tl_options *,
                            const struct tl_how *, const tl_visitor *,
                            tl_error *);

// TL_E_LIMIT: a budget ended it.
tl_status tl_certify (tl_search *);

// The kind of the file, and its first section.
extern const tl_record_kind tl_certificate_kind;
void tl_certify_net (tl_record_writer *, const tl_net *);

#endif
