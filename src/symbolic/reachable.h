#ifndef TL_SYMBOLIC_REACHABLE_H
#define TL_SYMBOLIC_REACHABLE_H

#include "symbolic/attempt.h"
#include "symbolic/variable_order.h"

// The markings that a net can reach, as a set: variables, orders of them that
// are tried in turn, each for a slice of time and then for longer ones, or some
// at once, and the diagram of the first that comes to its end.

enum { TL_MOST_ORDERS = TL_MOST_ATTEMPTS };

// For tests, so that rare things happen often; 0: as usual.
typedef struct tl_symbolic_stress {
  tl_diagram_limits limits;
  size_t first_order; // which is tried before the others
  bool sums; // places that follow from sums of others are left out at once
  uint32_t threads; // that try orders from the first one on
} tl_symbolic_stress;

// How the set is looked for; all may be null.
typedef struct tl_reachable_ways {
  const char *variables; // a file that says their order: given_order.h
  const uint8_t *kept;   // [places] variables also if they never change
  const tl_symbolic_stress *stress;
  uint32_t threads; // that may try orders; 0: that of the call
} tl_reachable_ways;

// An order that is tried.
typedef struct tl_order_trial {
  const tl_order_kind *kind;
  uint32_t *order;
  bool failed; // it takes too much memory
} tl_order_trial;

typedef struct tl_reachable {
  const tl_net *net;
  tl_mem *root;
  tl_mem engine, nodes; // accounts
  const tl_symbolic_stress *stress;
  // Asked now and then while it works; not TL_OK ends it.  May be null.
  tl_status (*look) (void *context, const tl_diagram *);
  void *context;
  tl_structure *structure;
  tl_variables variables;
  tl_touching touching, wide; // with invariants
  tl_order_trial trial[TL_MOST_ORDERS];
  size_t trials, next;
  double slice;
  uint32_t threads, used; // that may try them, and that did
  bool alone;             // several take too much memory
  tl_attempts attempts;
  tl_attempt attempt[TL_MOST_ORDERS];
  bool ended; // the set is there
  bool outgrown;
  uint32_t outgrown_place; // had too many tokens
  tl_events events;
  tl_diagram diagram;
  tl_set reached; // on the first slot
  tl_symbolic told;
} tl_reachable;

// The variables and their orders, on an account; `ways` may be null.  It can be
// closed whatever comes back.  TL_E_MODEL: the net is too large, or something
// is wrong with the file.
tl_status tl_reachable_open (tl_reachable *, tl_mem *root, const tl_net *,
                             const tl_reachable_ways *ways, tl_error *);
void tl_reachable_close (tl_reachable *);

// Of a net, the binary logarithm of the number of markings that bounds and
// groups of places allow; infinity: they do not say.
double tl_reachable_bits (tl_mem *, const tl_net *);

// Looks for the set, for so many seconds at most; 0: as long as the account
// allows.  TL_E_LIMIT: the time is over, or a place has outgrown; TL_E_NOMEM:
// no order does with the memory.  May be called again after the former.
tl_status tl_reachable_find (tl_reachable *, double seconds);

#endif
