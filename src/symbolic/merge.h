#ifndef TL_SYMBOLIC_MERGE_H
#define TL_SYMBOLIC_MERGE_H

#include "logic/formula.h"
#include "symbolic/followers.h"

// Places that become one, for counting (after Berthomieu, Le Botlan and Dal
// Zilio, "Counting Petri net markings from reduction equations", STTT 2020).
// A transition that only moves a token from p to q leaves a marking of the
// merged place a = p + q as it is.  In two cases every way to divide the tokens
// of a is reached whenever a has them:
//
//   loops   such transitions lead from each of the places to each other;
//   chains  tokens come to q from p only, by such transitions, and there are
//           none at the beginning: they may wait in p until they are needed.
//
// And places that follow from others (symbolic/followers.h) are left out.
//
// So the smaller net tells all markings of the net: one with n tokens in a
// place that k were merged into stands for C(n + k - 1, k - 1) of them.  Its
// transitions are those of the net; those that move tokens within a merged
// place read it.
typedef struct tl_merged {
  tl_mem *mem;
  const tl_net *net;
  tl_net *small; // null: there is nothing to be merged
  tl_followers followers;
  uint32_t *to;     // [places] the place of the smaller net, if there is one
  uint32_t *parts;  // [places of the smaller net] merged into it
  uint32_t *exits;  // [these] parts that no transition within leaves: 1 or 0
  uint8_t *is_exit; // [places]
  uint8_t *several; // [places of the smaller net] has more parts than one
  uint8_t *inner;   // [transitions] moves a token within
  // How many tokens of the net one of the smaller net stands for at most, where
  // those that follow count, too.
  uint64_t *factor; // [places of the smaller net]
  uint64_t more;    // and these are in every marking; may be less than 0
} tl_merged;

// `seconds`: to look for places that follow from sums.  TL_E_NOMEM; it can be
// closed then, too.
tl_status tl_merged_open (tl_merged *, tl_mem *, const tl_net *,
                          double seconds);
void tl_merged_close (tl_merged *);

// The tokens of a place that follows, at most, as a constant and a sum over the
// smaller net: of each merged place all tokens are in the part that counts
// most. `term` [places of the smaller net]; how many there are comes back.
uint32_t tl_merged_most (const tl_merged *, uint32_t place, tl_summand *term);

// Where tokens of a merged place are not in its exit, a transition can move
// them.  So in a dead marking they are there, or there are none.  Does the
// transition matter for whether such a marking is dead?
bool tl_merged_counts (const tl_merged *, uint32_t transition);

#endif
