#ifndef TL_MEASURE_SAMPLE_H
#define TL_MEASURE_SAMPLE_H

#include "net/net.h"

// A sample of the reachable markings with all arcs that leave them, gathered
// by random walks: what progress measures are tried on.  If the net has not
// more markings than the sample may have, it has them all.
//
// Markings are told apart by a hash of 64 bits alone: a sum over the tokens,
// so that firing adds a number that depends on the transition only.  Two
// markings of equal hash would make the sample a little wrong, which no result
// depends on.

#define TL_OUTSIDE UINT32_MAX // a marking that is not in the sample

typedef struct tl_sample_arc {
  uint32_t transition;
  uint32_t target; // number of a marking, or TL_OUTSIDE
} tl_sample_arc;

typedef struct tl_sample {
  tl_mem *mem;
  const tl_net *net;
  uint32_t count;  // of markings; number 0 is the initial one
  bool all;        // these are all reachable markings
  bool abstract;   // its transitions do not tell what may sleep for what
  uint64_t *hash;  // [count]
  uint32_t *from;  // [count] the marking it was found from, a lower number
  uint32_t *by;    // [count] the transition that led here from there
  uint64_t *start; // [count + 1] where the arcs of a marking begin
  tl_sample_arc *arc;
  size_t hash_room, from_room, by_room, start_room, arc_room;
} tl_sample;

// Near: the markings that are the fewest steps away; few of the arcs lead out
// of the sample.  Deep: random walks; it goes far, and most arcs lead out.
typedef enum tl_sample_kind { TL_SAMPLE_NEAR, TL_SAMPLE_DEEP } tl_sample_kind;

typedef struct tl_sample_limits {
  uint32_t markings;
  uint64_t arcs;
  size_t bytes;   // for the markings themselves, while sampling
  double seconds; // about how long it may take
  const volatile int *cancel;
} tl_sample_limits;

// Others may have samples, too: of one kind, with so many markings at most.
typedef struct tl_sample_source {
  void *context;
  tl_status (*open) (void *context, tl_sample *, tl_mem *, tl_sample_kind,
                     uint32_t markings);
} tl_sample_source;

// A limit that is reached ends the sample, not the work: it is then smaller.
tl_status tl_sample_open (tl_sample *, tl_mem *, const tl_net *, tl_sample_kind,
                          const tl_sample_limits *, uint64_t seed);
void tl_sample_close (tl_sample *);

#endif
