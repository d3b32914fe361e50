#ifndef TL_AUTOMATON_AUTOMATON_H
#define TL_AUTOMATON_AUTOMATON_H

#include "base/mem.h"
#include "base/random.h"

// Büchi automata that read runs of a net.  A run of the automaton begins in
// state 0 and follows edges; an edge may be taken at a state of the net where
// the atoms of its label hold or fail as it demands.  A run of the net is
// accepted when the automaton has an infinite run along it that takes edges of
// every set infinitely often.  No set at all: every infinite run will do.
//
// The states fall into strongly connected components.  Edges lead from a
// component to itself or to one with a smaller number.

#define TL_NO_STATE UINT32_MAX

typedef struct tl_edge {
  uint64_t holds, fails; // the label: atoms that must hold, and that must not
  uint64_t sets;         // the accepting sets that the edge is in
  uint32_t to;
} tl_edge;

typedef enum tl_component {
  TL_REJECTING, // no run that stays here is accepting
  TL_TERMINAL,  // from here on, everything is accepted
  TL_WEAK,      // every run that stays here is accepting
  TL_STRONG     // some are, and perhaps not all
} tl_component;

typedef struct tl_automaton {
  tl_mem *mem;
  uint32_t states;
  uint32_t sets;   // bits of tl_edge.sets that count
  uint32_t *first; // edges of state s are edge[first[s]] to edge[first[s+1]-1]
  tl_edge *edge;

  // By state.  From every state but the first, some run is accepted.
  uint64_t *reads;     // atoms in the labels of its edges
  uint32_t *component; // its number
  bool *accepting;     // with `by_state`: its edges are in the set, or not
  bool by_state;       // the one set has all edges of a state or none of them

  uint32_t components;
  tl_component *kind; // by component
  tl_component worst; // of all kinds; REJECTING: no run is accepted

  size_t first_room, edge_room; // of these
} tl_automaton;

// May the edge be taken where the atoms of `values` hold and no others?  Bits
// of atoms that the state of the edge does not read do not matter.
static inline bool tl_edge_open (const tl_edge *e, uint64_t values) {
  return !((e->holds & ~values) | (e->fails & values));
}

// The first edge of the state from number `from` on that may be taken, or the
// end, first[state + 1]:
//
//     for (uint32_t e = a->first[s];
//          (e = tl_automaton_next (a, s, e, values)) < a->first[s + 1]; e++)
static inline uint32_t tl_automaton_next (const tl_automaton *a, uint32_t state,
                                          uint32_t from, uint64_t values) {
  while (from < a->first[state + 1] && !tl_edge_open (a->edge + from, values))
    from++;
  return from;
}

// By chance one of the edges that leave the component, or of those inside that
// are in sets.  Null: there is none.
const tl_edge *tl_automaton_any_edge (const tl_automaton *, uint32_t component,
                                      bool leaving, tl_random *);

// ---- For those who make automata -------------------------------------------

#define TL_AUTOMATON(MEM) ((tl_automaton){.mem = (MEM)})

// A new state without edges, and an edge of the newest state.  TL_E_NOMEM.
tl_status tl_automaton_add_state (tl_automaton *);
tl_status tl_automaton_add_edge (tl_automaton *, const tl_edge *);

// Leaves only what can be reached, numbered anew, when every edge to a state s
// leads to map[s] instead.  Edges whose `to` is TL_NO_STATE go, and so do those
// that allow no more than another one to the same state.  TL_E_NOMEM: nothing
// has changed.
tl_status tl_automaton_rebuild (tl_automaton *, const uint32_t *map);

// Finds what is told by state and by component.  It is the last step.
tl_status tl_automaton_finish (tl_automaton *);

void tl_automaton_close (tl_automaton *);

#endif
