#ifndef TL_CHECK_TERNARY_H
#define TL_CHECK_TERNARY_H

#include "base/random.h"
#include "check/nearest.h"
#include "check/sat.h"

// Whether a formula of CTL holds at the initial state, on a graph that is found
// as it is looked at and that is too large to be known as a whole: in three
// values.  What a part of the formula says of a state may stay unknown when
// that takes too long to find out, and the search for what the whole hinges on
// goes on elsewhere.  So one inner part that nobody can decide somewhere is not
// in the way (after Bruns and Godefroid, "Model checking partial state spaces
// with 3-valued temporal logics", CAV 1999, where what is unknown are states).
//
// Every quantifier is a search for a path: one on which something holds until
// something else does, or for ever.  It begins with random walks, which get
// deep, and tries what it is looking for where they end; then it goes through
// all states that can be reached, those first that seem to be nearest to what
// it is looking for (check/nearest.h), or, if staying counts, along paths that
// may close a cycle.  A search that has been everywhere, and was
// certain of each state, knows that there is no such path.
//
// A search has a number of steps.  A part that has to be decided at one of its
// states gets some of these, and without any it still has the values that can
// be seen at the state itself: EF f holds where f does.

typedef struct tl_ternary {
  const tl_sat *sat; // without automata
  tl_space *space;
  struct tl_ternary *part; // [sat->parts]
  const tl_predicate *program;
  struct tl_ternary_means *means; // of all parts
  tl_findings known;
  tl_nearest nearest; // where a path to somewhere goes on
  uint8_t *tried; // [states] with how many steps in vain, as a power of two + 1
  uint32_t *mark; // [states] which search was there
  uint32_t *from; // [states] where that came from
  uint32_t *list; // states of the search, or of a path
  uint32_t *arc;  // of these, the next one to follow
  size_t tried_room, mark_room, from_room, list_room, arc_room, listed;
  uint32_t searches; // numbers for `mark`
} tl_ternary;

// Can the formula be decided so?  It is CTL, and was taken apart without
// automata.
bool tl_ternary_takes (const tl_sat *);

// In the arena; what it finds out is kept on the account of the space.
tl_status tl_ternary_open (tl_ternary **, tl_arena *, tl_space *,
                           const tl_labels *, const tl_sat *);
void tl_ternary_close (tl_ternary *);

// Does it hold at the initial state?  TL_E_LIMIT: that is not known after all
// steps that the space allows.
tl_status tl_ternary_decide (tl_ternary *, bool *holds);

#endif
