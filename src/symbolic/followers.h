#ifndef TL_SYMBOLIC_FOLLOWERS_H
#define TL_SYMBOLIC_FOLLOWERS_H

#include "net/net.h"
#include "structure/vector.h"

// Places that nobody has to look at: in every reachable marking m
//
//   m(p) = constant + sum of factor(q) * m(q),   factors whole and not
//   negative,
//
// and where the other places let a transition fire, p does, too, since
//
//   constant + sum of factor(q) * pre(q, t)  >=  pre(p, t).
//
// So p may be left out: what is enabled stays so, and markings stay different.
// (Redundant places; Berthelot 1986.)  The simplest are places that all
// transitions treat alike (symbolic/twins.h); for others a linear program
// proposes the factors, and they are checked in whole numbers.  Places with
// inhibitor arcs follow none.

typedef struct tl_followers {
  tl_mem *mem;
  uint32_t places;
  uint8_t *follows;  // [places] is one of them
  uint8_t *leads;    // [places] is in the sum of one, and follows none
  uint64_t *start;   // [places] of its sum
  uint32_t *count;   // [places]
  int64_t *constant; // [places]
  tl_entry *term;    // places and factors
  size_t terms, room;
  uint32_t found; // how many there are
  uint32_t sums;  // those for which there was a program
} tl_followers;

// `seconds`: about how long programs may take; 0: there are none.  TL_E_NOMEM;
// it can be closed then, too.
tl_status tl_followers_open (tl_followers *, tl_mem *, const tl_net *,
                             double seconds);
void tl_followers_close (tl_followers *);

static inline tl_vector tl_follower_sum (const tl_followers *f, uint32_t p) {
  return (tl_vector){f->term + f->start[p], f->count[p]};
}

#endif
