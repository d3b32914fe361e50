#ifndef TL_MACHINE_FINDER_H
#define TL_MACHINE_FINDER_H

#include "colour/evaluate.h"

// Finds bindings in a marking: by looking at the net term by term, or by code
// that was compiled for it.
typedef struct tl_finder tl_finder;

typedef struct tl_finder_kind {
  const char *name;
  // Calls `found` with a frame that holds the variables of a binding, lets
  // included, for every binding whose input tuples have their tokens in the
  // marking and whose guard holds and that is not inhibited; perhaps more than
  // once.  How many tokens of a value there are is left to the caller.
  tl_status (*find) (tl_finder *, uint32_t transition,
                     const tl_tokens *marking);
  void (*close) (tl_finder *);
} tl_finder_kind;

struct tl_finder {
  const tl_finder_kind *kind;
  tl_status (*found) (void *context, uint32_t transition, tl_cell *frame);
  void *context;
};

// Term by term.  `evaluation` and the net are borrowed.
tl_status tl_finder_terms_open (tl_finder **, tl_mem *, const tl_coloured *,
                                tl_evaluation *);

#endif
