#ifndef TL_STRUCTURE_CASE_PROOF_H
#define TL_STRUCTURE_CASE_PROOF_H

#include "structure/cases.h"

// What cases have proven (structure/cases.h), for others to check.
//
// Facts hold in every reachable marking, each for a reason that is seen from
// the net alone and from the facts before it: a weighted sum of tokens that no
// transition makes smaller, or a trap that is marked at the start.  They serve
// for all that is asked.
//
// Steps lead from the facts and the conditions to a contradiction: an
// inequality that is a sum of multiples of others, or a clause that follows
// since to deny all of its literals is contradicted by what bounds imply. After
// the last of them what bounds imply is a contradiction by itself.

typedef struct tl_case_fact {
  bool trap; // the terms are its places
  uint32_t start, count;
} tl_case_fact;

// A multiple of a fact, which says that its sum is at least what it is at the
// start, or of a condition that is a rule, both counted from 0.
typedef struct tl_case_part {
  bool fact;
  uint32_t number;
  int64_t multiplier;
} tl_case_part;

typedef struct tl_case_step {
  bool sums; // parts, else literals of a clause
  uint32_t start, count;
} tl_case_step;

typedef struct tl_case_proof {
  tl_mem *mem;
  tl_case_fact *fact;
  tl_entry *term; // of facts
  tl_case_step *step;
  tl_literal *literal;
  tl_case_part *part;
  size_t facts, terms, steps, literals, parts;
  size_t fact_room, term_room, step_room, literal_room, part_room;
  bool lacks_facts; // there was no memory for them,
  bool has_gaps;    // or for steps, or a condition is missing
} tl_case_proof;

void tl_case_proof_close (tl_case_proof *);
// Forgets the last steps and begins anew with these: so many are left, with
// their literals and parts.
void tl_case_proof_cut (tl_case_proof *, size_t steps, size_t literals,
                        size_t parts);

void tl_case_proof_fact (tl_case_proof *, tl_vector sum, int64_t sign);
void tl_case_proof_trap (tl_case_proof *, const uint32_t *place,
                         uint32_t count);
void tl_case_proof_clause (tl_case_proof *, const tl_literal *, size_t count);
void tl_case_proof_sum (tl_case_proof *, const tl_case_part *, size_t count);

#endif
