#ifndef TL_GRAPH_FILE_H
#define TL_GRAPH_FILE_H

#include "base/container.h"
#include "graph/graph.h"

// A condensed graph in a file (base/container.h) with these sections:
//
//     net      the net, as its writer wrote it; or instead of that
//     coloured what a net that is not unfolded was read from (read/inside.h)
//     most     for each place the largest number of tokens
//     figures  states, arcs, bits of code, most arcs of a block, markings,
//              bits of `images`
//     starts   of the blocks: bit of the code, states found before
//     code     of the arcs, and zeros that readers may look at
//     order    of a graph from a sweep, else empty: where states that were
//     found
//              one after the other are described, blocks of a permutation
//     images   the differences of these, and zeros that readers may look at
//
// Where it is read, the last four stay in the file, which is mapped into
// memory, once all of them were found to be in order.

typedef struct tl_graph_file {
  tl_container container;
  tl_graph *graph;
  tl_section net;
  const uint64_t *most; // [places]
  uint64_t places;
} tl_graph_file;

tl_status tl_graph_file_save (const tl_graph *, const tl_section *net,
                              const uint64_t *most, uint32_t places,
                              const char *path, tl_error *);

tl_status tl_graph_file_open (tl_graph_file *, tl_mem *, const char *path,
                              tl_error *);
// Takes a container that was opened, also when it fails.
tl_status tl_graph_file_take (tl_graph_file *, tl_mem *, const tl_container *,
                              tl_error *);
void tl_graph_file_close (tl_graph_file *);

#endif
