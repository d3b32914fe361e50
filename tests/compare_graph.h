#ifndef TL_TESTS_COMPARE_GRAPH_H
#define TL_TESTS_COMPARE_GRAPH_H

#include "brute.h"

// Builds the graph of a net with several threads and compares it, bit by bit,
// with that of one.  False: `why` says what differs.
bool compare_graph (const brute *, char *why, size_t size);

#endif
