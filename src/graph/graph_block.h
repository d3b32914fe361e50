#ifndef TL_GRAPH_GRAPH_BLOCK_H
#define TL_GRAPH_GRAPH_BLOCK_H

#include "graph/arc_code.h"
#include "graph/graph.h"

// States are described, and then written as a block: how long its code is at
// most is known before.

// Adds targets to the state being described, see tl_graph_targets.
tl_status tl_block_targets (tl_graph_block *, tl_mem *, const uint64_t *target,
                            size_t count);
// Begins anew, when so many states were found.
void tl_block_begin (tl_graph_block *, uint64_t next);
void tl_block_close (tl_graph_block *, tl_mem *);

// The head that makes it short, and how many bits it takes then; fewer, if it
// has not all its states.
tl_block_head tl_block_fit (const tl_graph_block *, uint64_t *bits);
// Writes it behind so many bits, where there are zeros; returns where it ends.
// What comes before and behind it may be written by others at the same time.
uint64_t tl_block_write (const tl_graph_block *, const tl_block_head *,
                         uint64_t *words, uint64_t bits);

struct tl_graph_part {
  tl_mem *mem;
  tl_graph_block block;
  tl_block_head head;
  uint64_t bits; // of its code
  uint64_t at;   // where this is to be
};

#endif
