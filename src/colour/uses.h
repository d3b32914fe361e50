#ifndef TL_COLOUR_USES_H
#define TL_COLOUR_USES_H

#include "colour/coloured.h"

// What can be said of a term without its value.

// Sets uses[v] for each variable of the transition that it reads.
void tl_term_uses (const tl_ctransition *, const tl_term *, bool *uses);
void tl_tuple_uses (const tl_ctransition *, const tl_tuple *, const tl_cplace *,
                    bool *uses);
void tl_loop_uses (const tl_ctransition *, const tl_loop *, bool *uses);

// The number of the variable that begins at the offset, or UINT32_MAX.
uint32_t tl_variable_at (const tl_ctransition *, uint32_t offset);

// Can its evaluation never fail, whatever the variables are?
bool tl_term_is_safe (const tl_term *);

// Does it read the marking of a place, or of any?
#define TL_ANY_PLACE UINT32_MAX
bool tl_term_reads_place (const tl_term *, uint32_t place);
bool tl_label_reads_place (const tl_label *, const tl_cplace *of,
                           uint32_t place);

static inline bool tl_term_reads_marking (const tl_term *t) {
  return tl_term_reads_place (t, TL_ANY_PLACE);
}

#endif
