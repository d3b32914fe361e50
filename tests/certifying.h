#ifndef TL_TESTS_CERTIFYING_H
#define TL_TESTS_CERTIFYING_H

#include "net/net.h"
#include "verify/verify.h"

// Certificates for tests: written, taken apart, and put together again with
// right checksums, so that what is said in them is all that can be wrong.

typedef struct certificate {
  unsigned char *bytes; // as it was written
  size_t length;
  // Its parts: sections as they are, and the states.
  struct {
    unsigned char *bytes;
    size_t length;
  } net, code, figures;
  uint32_t key_bits, key_words;
  uint64_t *key;   // [states]
  uint32_t *depth; // [states]
  uint64_t states;
} certificate;

// Explores the net and takes the certificate apart; it ends the program when
// that fails.  False: the exploration is not complete.
bool certificate_make (certificate *, const tl_net *, const tl_options *);
void certificate_close (certificate *);

// Puts the parts together, as `bytes`.
void certificate_join (certificate *);

// Takes a state out, or adds one where it belongs.
void certificate_remove (certificate *, uint64_t state);
void certificate_add (certificate *, const uint64_t *key, uint32_t depth);
// Its number; or that of the first one with a larger key.
uint64_t certificate_find (const certificate *, const uint64_t *key,
                           bool *there);

// The claimed figure of that number.
uint64_t certificate_figure (const certificate *, unsigned which);
void certificate_claim (certificate *, unsigned which, uint64_t figure);

// Verifies `bytes`; the account has that limit, 0: none.
tl_status certificate_verify (const certificate *, size_t limit,
                              tl_verification *, tl_error *);

#endif
