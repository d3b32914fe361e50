#ifndef TL_SYMBOLIC_VARIABLE_ORDER_H
#define TL_SYMBOLIC_VARIABLE_ORDER_H

#include "symbolic/variables.h"

// Orders of the variables.  A diagram is small when variables that depend on
// each other are near each other; which order is best nobody knows beforehand.
// Several are made, and tried for a while each.
//
//     file    as the places are in the file
//     force   each variable moves to where the transitions that touch it are,
//             again and again (Aloul, Markov, Sakallah 2003)
//     greedy  next comes the variable that ends most transitions and begins
//             fewest
//
// The others begin with one of these and go on with another, are upside down,
// or have invariants beside the transitions; and one goes through the nested
// units of the file, if there are any.

typedef struct tl_order_kind {
  const char *name;
  bool greedy, force, reverse, backwards; // backwards: from the last place on
  bool units, invariants;
} tl_order_kind;

const tl_order_kind *tl_variable_orders (size_t *count);

// Which variables each transition touches, and the other way round.  Places of
// an invariant may count as touched by another transition.
typedef struct tl_touching {
  tl_mem *mem;
  const tl_net *net;
  uint32_t variables, transitions;         // with those for invariants
  uint64_t room;                           // of the lists
  uint32_t *variable_start, *variable;     // [transitions + 1] of a transition
  uint32_t *transition_start, *transition; // [variables + 1] of a variable
} tl_touching;

// `semiflows`: the invariants that count, or null.
tl_status tl_touching_open (tl_touching *, tl_mem *, const tl_variables *,
                            const tl_semiflows *semiflows);
void tl_touching_close (tl_touching *);

// Writes an order: [variables] from the lowest level on.
tl_status tl_variable_order (const tl_touching *, const tl_variables *,
                             const tl_order_kind *, uint32_t *order);

#endif
