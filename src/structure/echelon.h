#ifndef TL_STRUCTURE_ECHELON_H
#define TL_STRUCTURE_ECHELON_H

#include "base/mem.h"
#include "structure/modular.h"
#include "structure/vector.h"

// Rows of an integer matrix, one after the other, brought to echelon form
// modulo a prime.  A row that is a combination of earlier ones is
// recognised and its coefficients are told, modulo the prime; what they are as
// fractions the caller finds out and checks.  No number ever grows.
//
// A reduced row is kept with pivot 1.  The combinations are kept as they
// arise, in terms of reduced rows, and are traced back to the rows themselves
// only for a row that asks:
//
//   row = scale * reduced + sum of factor(k) * reduced(k),   k earlier
typedef struct tl_echelon tl_echelon;

typedef enum tl_echelon_result {
  TL_ECHELON_NEW,      // not a combination of the rows before; it is kept
  TL_ECHELON_COMBINED, // a combination of those kept
  TL_ECHELON_STOPPED   // the work is used up; nothing is known of this row
} tl_echelon_result;

// A coefficient: of the kept row that was given this name.
typedef struct tl_residue {
  uint32_t name;
  uint64_t value; // below the prime
} tl_residue;

// `later` [columns], borrowed: how many rows are still to come with an entry
// in that column, kept up to date by the caller.  It guides the choice of
// pivots.  `work` limits multiplications and the memory taken.
tl_status tl_echelon_open (tl_echelon **, tl_mem *, uint32_t columns, tl_prime,
                           const uint32_t *later, uint64_t work);
void tl_echelon_close (tl_echelon *);

tl_status tl_echelon_add (tl_echelon *, tl_vector row, uint32_t name,
                          tl_echelon_result *);
uint32_t tl_echelon_rank (const tl_echelon *);

// After TL_ECHELON_COMBINED: the coefficients that are not 0, in no order;
// borrowed until the next call.
const tl_residue *tl_echelon_combination (const tl_echelon *, uint32_t *count);

#endif
