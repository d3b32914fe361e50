#ifndef TL_SYMBOLIC_WEIGHING_H
#define TL_SYMBOLIC_WEIGHING_H

#include "logic/formula.h"
#include "symbolic/reachable.h"

// Weighted sums of the tokens of places in the markings of a set: the least and
// the most of them, and where they are at most some number.  Exact whatever the
// weights.

// What was found of nodes.
typedef struct tl_weighing_row {
  tl_set set, result;   // set is 0: nothing is here
  __int128 least, most; // or what is still allowed
} tl_weighing_row;

typedef struct tl_weighing_rows {
  tl_weighing_row *row;
  size_t rows, used;
} tl_weighing_rows;

typedef struct tl_weighing {
  tl_reachable *reach;
  int64_t *weight;   // [places]
  __int128 constant; // of the places that never change
  uint32_t lowest;   // level that counts; above all: none does
  tl_weighing_rows ranges, parts;
  uint64_t collections; // of the diagram, when the parts were found
} tl_weighing;

// TL_E_NOMEM.  It can be closed then, too.
tl_status tl_weighing_open (tl_weighing *, tl_reachable *);
void tl_weighing_close (tl_weighing *);

// Which sum it is from now on, until it is forgotten.
void tl_weighing_begin (tl_weighing *, const tl_summand *, uint32_t count);
void tl_weighing_end (tl_weighing *, const tl_summand *, uint32_t count);

// Of a set that is not empty.  False: the status of the diagram says why.
bool tl_weighing_range (tl_weighing *, tl_set, __int128 *least, __int128 *most);

// The markings of a set in which the sum is at most the bound.
tl_set tl_weighing_at_most (tl_weighing *, tl_set, __int128 bound);

#endif
