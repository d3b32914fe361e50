#ifndef TL_CHECK_PRODUCT_H
#define TL_CHECK_PRODUCT_H

#include "automaton/automaton.h"
#include "check/state_set.h"
#include "explore/space.h"
#include "graph/unpack.h"

// Runs of a graph that an automaton accepts, by the strongly connected
// components of their product (Couvreur 1999; Geldenhuys and Valmari 2005):
// one depth-first search finds the components while it goes, and adds up the
// accepting sets of their edges.  A run is accepted if it stays in a component
// that has edges of all sets.  A run that ends in a dead state stays there for
// ever.
//
// The graph may be one that is found as the search looks at it; then it ends
// as soon as there is an accepted run, whatever is behind that.
//
// Cost: four bytes for each pair of a state of the graph and one of the
// automaton.

// Whether an atom holds at a state, for a graph that is not known as a whole.
typedef struct tl_oracle {
  void *context;
  tl_status (*ask) (void *context, uint32_t atom, uint64_t state, bool *holds);
  uint64_t cheap; // atoms to be asked for first
} tl_oracle;

// Who leads walks.  Each says how often which transition is to fire
// [transitions], in any order; false: nobody knows.
typedef struct tl_product_lead {
  void *context;
  uint64_t seed;
  // From the state to where the edge may be taken, or (null) by at least one
  // step to `home`; without transitions that are to be avoided.
  bool (*plan) (void *context, uint64_t state, const tl_edge *, uint64_t home,
                const uint8_t *avoid, uint64_t *times);
  // To where something of what is left is enabled, which nothing is here.
  bool (*detour) (void *context, uint64_t state, uint64_t *times);
} tl_product_lead;

typedef struct tl_product {
  tl_mem *mem;
  const tl_arc_list *graph;
  const tl_automaton *automaton;
  const tl_state_set *const *atom; // [atoms] the bits of where each holds
  uint32_t atoms;
  // Instead of `graph` and `atom`: a graph that is not known as a whole.
  tl_space *space;
  tl_oracle oracle;
  const tl_product_lead *lead; // of walks, or null
  tl_status rc;                // the first failure of these two
  uint64_t start;              // state that runs begin at
  const volatile int *cancel;
  double deadline; // 0: none
  uint64_t steps;  // of the search so far

  // Of the search for components.
  size_t nodes;
  uint32_t *order; // [nodes] when it was found; 0: not yet
  uint32_t found;
  struct tl_product_frame *path; // the search stack
  size_t depth, path_room;
  struct tl_product_root *root; // components on it
  size_t roots, root_room;
  uint64_t *live; // nodes whose component is not complete
  size_t lives, live_room;
  bool first_only; // stop at the first accepting component
  bool looks_back; // for a short cycle, before it goes on
  bool accepted;
} tl_product;

void tl_product_open (tl_product *, tl_mem *, const tl_arc_list *,
                      const tl_automaton *, const tl_state_set *const *atom,
                      uint32_t atoms);
// The same on a graph that is found on the way.
void tl_product_open_space (tl_product *, tl_mem *, tl_space *,
                            const tl_automaton *, const tl_oracle *);
void tl_product_close (tl_product *);

// Is a run from `start` accepted?  TL_E_LIMIT: cancelled, or out of time.
tl_status tl_product_search (tl_product *, bool *accepted);

// The same by random walks, each until it closes a cycle that is accepted, or
// is long enough, on a graph that is found on the way: TL_E_LIMIT unless there
// is one.
tl_status tl_product_walk (tl_product *, bool *accepted);

// The same, led (product_led.c).
tl_status tl_product_walk_led (tl_product *, bool *accepted);

// Such a run after one of these, as positions in the lists of arcs:
// `length` of them, from number `loop_from` on for ever (loop_from == length:
// it ends in a dead state, or whatever follows is accepted).  Made with malloc.
typedef struct tl_run {
  bool found;
  uint64_t *arc;
  uint64_t length, loop_from;
  size_t room; // of `arc`
  // Of a run in a product that need not go on: whatever follows is accepted
  // because of its last node, which is this.
  bool terminal;
  uint64_t end;
} tl_run;

tl_status tl_product_run (tl_product *, tl_run *);

// Adds an arc at the end; false: no memory.
bool tl_run_add (tl_run *, uint64_t arc);
// Adds a run that begins where this one ends; false: no memory, and it is as it
// was.
bool tl_run_append (tl_run *, const tl_run *);

// Of a run that need not go on: the atoms that hold at its end, and those that
// do not, which is why.  None: it is not of that kind.
typedef struct tl_reason {
  uint64_t holds, fails;
} tl_reason;

tl_reason tl_product_reason (tl_product *, const tl_run *);

// Is a run from this state accepted?  What is found out about other states on
// the way is kept for the next time; after a failure the next time begins where
// this one did.
tl_status tl_product_ask (tl_product *, uint64_t state, bool *accepted);

// All states from which a run is accepted; `set` has bits, and is empty first.
tl_status tl_product_states (tl_product *, tl_state_set *set);

#endif
