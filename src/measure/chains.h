#ifndef TL_MEASURE_CHAINS_H
#define TL_MEASURE_CHAINS_H

#include "net/net.h"

// How likely is it that transitions which lose progress fire one after the
// other?  Where several sets of such transitions are equally large, that set
// is taken whose members are far apart in the enabling graph: there is an
// edge from t to u when t puts a token on a place that u takes from.
typedef struct tl_chains {
  tl_mem *mem;
  const tl_net *net;
  uint64_t *start;    // [places + 1] of the transitions that take from a place
  uint32_t *taker;    // [input arcs]
  uint32_t *distance; // [transitions]
  uint32_t *queue;    // [transitions]
  uint8_t *passed;    // [places]
  uint64_t *initial;  // [places] the initial marking
} tl_chains;

tl_status tl_chains_open (tl_chains *, tl_mem *, const tl_net *);
void tl_chains_close (tl_chains *);

// From 0 to 1, the more the better, of a set of transitions [transitions]:
// paths between its members are long (this counts half), paths to it from what
// is enabled at the start are long, and its members share their input places
// with others that take the tokens away rather than with each other.
double tl_chains_score (tl_chains *, const bool *regress);

#endif
