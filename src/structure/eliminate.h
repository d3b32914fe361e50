#ifndef TL_STRUCTURE_ELIMINATE_H
#define TL_STRUCTURE_ELIMINATE_H

#include "structure/incidence.h"

// Which places need not be stored, because the others determine them.
//
// If the row of place p in the incidence matrix is a combination of other
// rows, every reachable marking m satisfies
//
//   denominator * m(p) = constant + sum of factor(q) * m(q)
//
// with integers.  The independent places are chosen with least total cost: the
// sets of independent rows are a matroid, so taking the cheapest row that is
// independent of those taken, again and again, is optimal.
//
// The elimination runs modulo a prime (two of them where the numbers are
// large), and every relation is then checked in integers against the whole
// matrix.  A place whose relation does not check, has numbers beyond 60 bits,
// or was not reached within the work allowed, counts as independent.
typedef struct tl_relation {
  uint32_t place;
  uint32_t count; // of its terms
  uint64_t start;
  int64_t denominator; // >= 1, without a divisor common to all
  int64_t constant;
} tl_relation;

typedef struct tl_elimination {
  tl_mem *mem;
  uint32_t places;
  uint32_t rank;   // of the matrix, if `complete`; else at least this
  bool complete;   // no further place is determined
  bool *dependent; // [places] has a relation
  tl_relation *relation;
  size_t relations, relation_capacity;
  tl_entry *term; // over independent places only
  size_t terms, term_capacity;
} tl_elimination;

// Multiplications that take a few tenths of a second.
#define TL_ELIMINATION_WORK 20000000

// `cost` [places]: what it costs to store each place, in any unit.
tl_status tl_elimination_open (tl_elimination **, tl_mem *,
                               const tl_incidence *, const uint32_t *initial,
                               const uint32_t *cost, uint64_t work);
void tl_elimination_close (tl_elimination *);

static inline tl_vector tl_relation_terms (const tl_elimination *e,
                                           const tl_relation *r) {
  return (tl_vector){e->term + r->start, r->count};
}

#endif
