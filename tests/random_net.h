#ifndef TL_TESTS_RANDOM_NET_H
#define TL_TESTS_RANDOM_NET_H

#include "net/net.h"

#include <stdio.h>

// Random nets, most of them small and bounded, made from a seed alone; and
// what is needed when one of them shows a fault: making it smaller while the
// fault stays, and printing it.  A net is kept as a list of arcs that can be
// cut, not as a tl_net, which never changes.

enum {
  RANDOM_PLACES = 200,
  RANDOM_TRANSITIONS = 120,
  RANDOM_ARCS = 2000,
  RANDOM_UNITS = 64
};

typedef struct random_arc {
  tl_arc_kind kind;
  uint32_t place, transition, weight;
} random_arc;

typedef struct random_net {
  uint32_t places, transitions, arcs, units;
  uint32_t initial[RANDOM_PLACES];
  uint32_t unit_of[RANDOM_PLACES]; // TL_NO_UNIT: of the root unit
  uint32_t unit_parent[RANDOM_UNITS];
  bool units_safe; // claimed; need not be true
  random_arc arc[RANDOM_ARCS];
} random_net;

void random_net_make (random_net *, uint64_t seed);
// The same net, but one in six has so many tokens that its keys are long.
void random_net_make_long (random_net *, uint64_t seed);

// Every token becomes so many, or as many as fit: the same graph, with keys of
// several words.
void random_net_multiply (random_net *, uint32_t times);

// As a net on `mem`; its nodes are p0, p1, ... and t0, t1, ...  Null when the
// account has no memory.
tl_net *random_net_build (const random_net *, tl_mem *mem);

// Cuts the net down as long as `fails` still says so, with at most `attempts`
// calls of it.
void random_net_shrink (random_net *,
                        bool (*fails) (const random_net *, void *context),
                        void *context, unsigned attempts);

// In the format of TINA; units as comments.
void random_net_print (const random_net *, FILE *);

#endif
