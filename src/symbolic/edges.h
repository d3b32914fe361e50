#ifndef TL_SYMBOLIC_EDGES_H
#define TL_SYMBOLIC_EDGES_H

#include "symbolic/diagram.h"

// The edges of a node while it is saturated: they lie on the slots by their
// value, from `base` to the end.  `to` is empty where there is none, `value`
// says whether transitions are still to be fired there.

// More tokens than this are not counted in a place: the diagram has outgrown.
#define TL_SYMBOLIC_TOKENS ((uint32_t)1 << 20)

// A new edge.
void tl_edges_set (tl_diagram *, uint32_t level, size_t base, uint64_t value,
                   tl_set to);

// Adds a set to where an edge leads, or nothing if that is empty.
void tl_edges_join (tl_diagram *, uint32_t level, size_t base, uint64_t value,
                    tl_set more);

// The node; its edges are taken from the slots.
tl_set tl_edges_make (tl_diagram *, uint32_t level, size_t base);

#endif
