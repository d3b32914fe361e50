#ifndef TL_VERIFY_ASSERTION_H
#define TL_VERIFY_ASSERTION_H

#include "verify/certified.h"

#include <stdio.h>

// What a certificate says of markings: state formulas, and these behind EF and
// AG, put together by NOT, AND and OR.

// Numbers of assertions and proofs are smaller than this in size.
#define TL_CERT_LARGE ((int64_t)1 << 60)

typedef enum tl_cert_op {
  TL_CERT_TRUE,
  TL_CERT_FALSE,
  TL_CERT_COMPARE,  // terms <= bound
  TL_CERT_FIREABLE, // one of the transitions is enabled
  TL_CERT_DEADLOCK, // none at all is
  TL_CERT_NOT,      // 1 operand
  TL_CERT_AND,
  TL_CERT_OR,
  TL_CERT_EF, // 1: some reachable marking satisfies it
  TL_CERT_AG, // 1: each does
  TL_CERT_OPS
} tl_cert_op;

typedef struct tl_cert_term {
  uint32_t place;
  int64_t factor; // not 0
} tl_cert_term;

typedef struct tl_assertion {
  tl_cert_op op;
  uint32_t count; // of what it has
  int64_t bound;
  const struct tl_assertion *operand;
  const tl_cert_term *term; // by places in ascending order
  const uint32_t *transition;
} tl_assertion;

// All factors together are at most INT64_MAX in size, so that a sum over tokens
// fits 128 bits.  Behind EF and AG there is no other one.
tl_status tl_assertion_read (tl_cert_source *, const tl_cert_net *,
                             tl_assertion *);
// A list of places with factors; with `positive` all are.
tl_status tl_cert_read_terms (tl_cert_source *, const tl_cert_net *,
                              bool positive, uint32_t *count,
                              const tl_cert_term **);
// Twice its size, and one more where it is negative.
tl_status tl_cert_signed (tl_cert_source *, int64_t *);

bool tl_cert_enabled (const tl_cert_transition *, const uint64_t *tokens);
__int128 tl_cert_sum (const tl_cert_term *, uint32_t count,
                      const uint64_t *tokens);
// A state formula, at a marking.
bool tl_assertion_holds (const tl_assertion *, const tl_cert_net *,
                         const uint64_t *tokens);

// As text that people read, and `tideline check` too.
void tl_assertion_print (const tl_assertion *, const tl_cert_net *, FILE *);
void tl_cert_print_sum (const tl_cert_term *, uint32_t count,
                        const tl_cert_net *, FILE *);

#endif
