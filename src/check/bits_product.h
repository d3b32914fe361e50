#ifndef TL_CHECK_BITS_PRODUCT_H
#define TL_CHECK_BITS_PRODUCT_H

#include "check/fixpoint.h"
#include "check/product.h"

// Automata on sets of states of a condensed graph: what the kind of these sets
// says of them (check/state_set.h), by searches in the product.

// The product, with where the atoms hold.  TL_E_MODEL: these sets have no bits.
tl_status tl_bits_product_open (tl_product *, tl_sets *, const tl_automaton *,
                                tl_state_set *const *atom, uint32_t atoms);

tl_status tl_bits_accepted (tl_sets *, const tl_automaton *,
                            tl_state_set *const *atom, uint32_t atoms,
                            tl_state_set *result);

// The search ends as soon as a run is accepted.
tl_status tl_bits_run (tl_sets *, const tl_automaton *,
                       tl_state_set *const *atom, uint32_t atoms,
                       uint64_t *state, bool *accepted, tl_run *,
                       tl_reason *why);

#endif
