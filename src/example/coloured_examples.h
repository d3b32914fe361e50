#ifndef TL_EXAMPLE_COLOURED_EXAMPLES_H
#define TL_EXAMPLE_COLOURED_EXAMPLES_H

// The families as coloured nets, in Helena's language (docs/lna.md): a text
// without its first line, which has the name of the net and a parameter for
// each size, named as in the usage line.  Where a family is there as a
// place/transition net, too, both have the same reachability graph.
extern const char tl_coloured_dining[], tl_coloured_dbm[],
    tl_coloured_peterson[], tl_coloured_leader[], tl_coloured_stop_and_wait[],
    tl_coloured_sliding_window[], tl_coloured_client_server[],
    tl_coloured_timed[];

#endif
