#ifndef TL_COMPILE_KERNEL_H
#define TL_COMPILE_KERNEL_H

#include "colour/condense.h"
#include "compile/program.h"

// A net compiled whole, for keys that are condensed codes (colour/condense.h).
//
// Where every domain is finite and small, a state can be packed: a bit for each
// token that a place may hold, and how many there are of it.  On that the
// program finds bindings, fires them forth and back, and makes a code of it and
// takes one apart, without a number for any token or local marking.  A binding
// is known by its rank among all values that its variables can have together.
// Inhibitors and priorities are left to the caller.
//
// As all of a program, a kernel gives up where something is out of the
// ordinary: a value out of range, a place over its capacity, more tokens than
// it counts.

// One cell of a value: from the first number on so many, and by how much the
// rank grows with it.
typedef struct tl_leaf {
  int64_t first;
  uint64_t values, stride;
} tl_leaf;

typedef struct tl_kernel_place {
  tl_leaf *leaf;        // [cells]
  uint32_t word, words; // its bits; a token is 64 * word + rank
  bool follows;         // from the others, and is no part of the code
} tl_kernel_place;

typedef struct tl_kernel_event {
  tl_leaf *leaf;    // [cells] of a binding
  uint32_t *offset; // [cells] in the frame
  uint32_t cells;
  uint32_t ranks;
} tl_kernel_event;

// For each token of one kind there are `factor` of another that follows.
typedef struct tl_kernel_term {
  uint32_t token, follows;
  int32_t factor;
} tl_kernel_term;

struct tl_kernel_plan {
  const tl_place_code *code; // [places]
  tl_kernel_place *place;    // [places]
  tl_kernel_event *event;    // [transitions]
  uint32_t most_ranks;       // of a transition
  uint32_t words;
  int32_t *constant;    // [64 * words] what follows where nothing is
  tl_kernel_term *term; // by their tokens
  size_t terms;
};

// Plans a kernel in the arena; false: there can be none, or there is no memory.
// What follows is added by the caller.
bool tl_kernel_plan_open (tl_kernel_plan *, tl_arena *, const tl_coloured *,
                          const tl_place_code *, const bool *follows);

// Writes it; `schedule` has one for each transition.  *refused: something
// cannot be compiled, and the text is void.
struct tl_emit;
tl_status tl_kernel_write (struct tl_emit *, const tl_kernel_plan *,
                           const tl_schedule *, bool *refused);

// The rank of a value of so many cells; UINT64_MAX: it is none of these.
uint64_t tl_leaf_rank (const tl_leaf *, const tl_cell *, uint32_t cells);
tl_cell tl_leaf_cell (const tl_leaf *, uint64_t rank);

#endif
