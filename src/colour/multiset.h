#ifndef TL_COLOUR_MULTISET_H
#define TL_COLOUR_MULTISET_H

#include "colour/evaluate.h"
#include "colour/tokens.h"

// The multi-set of tokens that a label stands for.
typedef struct tl_multiset {
  tl_token_set set;
  int64_t *many; // [room], for each token of the set; may be 0
  size_t room;
  tl_cell *token; // the one at hand
  size_t token_room;
} tl_multiset;

void tl_multiset_open (tl_multiset *, tl_mem *);
void tl_multiset_close (tl_multiset *);

// The label of an arc, or the initial marking of a place, with the variables
// of the frame.  TL_E_ARG: an error of the model, also when more is taken away
// of a token than there is, or there are more than TL_MAX_TOKENS of one.
tl_status tl_multiset_of (tl_multiset *, tl_evaluation *, const tl_cplace *,
                          const tl_label *, tl_cell *frame);

#endif
