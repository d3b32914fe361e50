#ifndef TL_READ_SYMMETRIC_TERMS_H
#define TL_READ_SYMMETRIC_TERMS_H

#include "read/symmetric_sorts.h"

// Terms of a symmetric net.  A term of any sort is understood as a bag, a sum
// of tuples with factors: `all` is a tuple with a loop for each part of its
// sort, `subtract` makes factors negative, and a tuple of bags is multiplied
// out.  A plain value is a bag of one tuple.
//
// The tuples of a label, of one place or transition, share a frame, in which
// each variable and each loop has cells of its own.

typedef struct tl_terms {
  tl_sorts *sorts;
  tl_arena *arena; // of the net
  uint32_t user;   // number of the transition, or UINT32_MAX: no variables
  uint32_t frame;  // cells
  tl_variable *variable;
  size_t variables, variable_room;
} tl_terms;

// For the terms of the next transition (UINT32_MAX: of an initial marking).
void tl_terms_begin (tl_terms *, uint32_t user);
void tl_terms_close (tl_terms *);

// A multi-set over the domain of a place, to be taken from it or put there.
tl_status tl_terms_label (tl_terms *, const tl_element *, const tl_cplace *,
                          bool taken, tl_label *);

// A condition.
tl_status tl_terms_guard (tl_terms *, const tl_element *, tl_term **);

#endif
