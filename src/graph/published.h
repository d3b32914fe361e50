#ifndef TL_GRAPH_PUBLISHED_H
#define TL_GRAPH_PUBLISHED_H

#include "graph/walk.h"
#include "net/titles.h"

#include <stdio.h>

// The layout of the paper, as it is built on the fly (section 4), to be
// compared with.  For each state a pointer to its edge array; an array has a
// header, the number of edges and the bits of a target, and then the edges: the
// number of the transition and that of the target.  The bits of a target are
// those of the largest one in the array.  Where a coloured net is not unfolded,
// edges of different bindings of a transition have the same number.
//
//     arrays | a pointer for each state | states, arcs, transitions |
//
// All but the edges are 64-bit words, the lowest byte first; edges lie bit
// after bit, the low ones first, and the next array starts with a whole byte. A
// pointer counts bytes from the beginning of the file, plus one; 0: no edges.

// As for tl_graph_walk; it has no titles.
tl_status tl_graph_write_published (const tl_graph *, tl_mem *, const tl_net *,
                                    const uint64_t *most, tl_titles *, FILE *);

#endif
