#ifndef TESTS_TERMS_H
#define TESTS_TERMS_H

#include "colour/coloured.h"

// Terms and types made by hand, for tests of coloured nets.  Nothing here
// checks that they make sense.

tl_term *term_number (tl_arena *, const tl_type *, int64_t);
tl_term *term_variable (tl_arena *, const tl_type *, uint32_t offset);
// So many operands follow; null is one.
tl_term *term_of (tl_arena *, tl_term_kind, const tl_type *, uint32_t operands,
                  ...);
tl_term *term_call (tl_arena *, const tl_function *, uint32_t operands, ...);
tl_term *term_at (tl_term *, uint32_t line, uint32_t column);

// A loop over a type, and a term with it.
tl_loop *loop_over (tl_arena *, const tl_type *, uint32_t offset);
tl_term *term_loop (tl_term *, tl_loop *, uint32_t loops);

tl_statement *statement_of (tl_arena *, tl_statement_kind, tl_term *,
                            uint32_t bodies, ...);
tl_statement *statement_assign (tl_arena *, const tl_type *, uint32_t offset,
                                tl_term *);

#endif
