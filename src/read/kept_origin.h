#ifndef TL_READ_KEPT_ORIGIN_H
#define TL_READ_KEPT_ORIGIN_H

#include "net/origin.h"

// The coloured net that an unfolded net in a graph file came from: how its
// nodes were called, and how many places or transitions each was unfolded into,
// in their order.  This is all that answers speak of; the net itself is not
// kept.

typedef struct tl_kept_origin {
  tl_mem *mem;
  bool there;
  uint64_t arcs;
  struct tl_kept_nodes {
    struct tl_kept_node {
      const char *id, *name; // borrowed until the end; the name may be null
      uint32_t count;
    } * node;
    size_t count, room;
  } places, transitions;
} tl_kept_origin;

tl_status tl_kept_origin_add (tl_kept_origin *, bool place,
                              struct tl_kept_node);
// Gives the net its origin.  TL_E_SYNTAX: it is that of another net.
tl_status tl_kept_origin_finish (const tl_kept_origin *, tl_net *);
void tl_kept_origin_close (tl_kept_origin *);

#endif
