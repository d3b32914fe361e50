#ifndef TL_TESTS_BAG_H
#define TL_TESTS_BAG_H

#include "colour/coloured.h"

// Multi-sets of tokens as sorted lists, and markings of coloured nets made of
// them: for the naive interpreter.  Without memory they end the program.

// The tokens of a place: distinct ones in order, and how many of each.
typedef struct bag {
  uint32_t cells, count;
  tl_cell *token;
  uint32_t *many;
} bag;

// As calloc and realloc.
void *bag_get (size_t count, size_t size);
void *bag_more (void *at, size_t bytes);

// Adds `many` tokens, perhaps fewer than none; false: too few are there.
bool bag_add (bag *, const tl_cell *token, int64_t many);
uint32_t bag_many (const bag *, const tl_cell *token);

// A marking has a bag for each place.
bag *marking_new (const tl_coloured *);
bag *marking_copy (const tl_coloured *, const bag *);
void marking_free (const tl_coloured *, bag *);
bool marking_equal (const tl_coloured *, const bag *, const bag *);
bool marking_contains (const tl_coloured *, const bag *large, const bag *small);

#endif
