#ifndef TL_SYMMETRY_SWAP_H
#define TL_SYMMETRY_SWAP_H

#include "colour/coloured.h"
#include "net/origin.h"

// Can two values of a type be swapped, wherever they occur, and the net stays
// as it was?  That is asked of the unfolded net, so that it does not matter how
// guards and labels are written: each place must have an image with as many
// tokens and the same capacity, and each transition as many images as there are
// transitions like it.

typedef struct tl_swapper {
  tl_mem *mem;
  const tl_net *net;
  const tl_coloured *coloured;
  uint32_t *by_token;   // [places] of each coloured place, in order of tokens
  uint32_t *by_arcs;    // [transitions] in order of what they are
  uint64_t *touch_from; // [places + 1]
  uint32_t *touch;      // transitions with an arc at a place
  uint32_t *image;      // [places]
  uint32_t *moved;      // [places]
  uint8_t *seen;        // [transitions] all 0 between calls
  uint32_t *looked_at;  // [transitions]
  tl_arc *room;         // for the arcs of a transition
  size_t most_arcs;
  tl_cell *token; // room for one
  uint32_t most_cells;
} tl_swapper;

// Of an unfolded net.  To be closed in any case.
tl_status tl_swapper_open (tl_swapper *, tl_mem *, const tl_net *);
void tl_swapper_close (tl_swapper *);

// The cells of the token that an unfolded place stands for.
static inline const tl_cell *tl_swapper_token (const tl_net *net, uint32_t of,
                                               uint32_t place) {
  const tl_origin *o = net->origin;
  return o->token[of] +
         (size_t)(place - o->place_first[of]) * o->coloured->place[of].cells;
}

// The type that a part of a token is permuted as, or null.
static inline const tl_type *tl_swapper_type (const tl_cplace *p, uint32_t i) {
  return tl_type_is_discrete (p->part[i]) ? p->part[i]->root : 0;
}

bool tl_can_swap (tl_swapper *, const tl_type *, tl_cell, tl_cell);

// What is known of some places and transitions is known of their images, too,
// where these values can be swapped; true: that was news.
bool tl_swap_spread (tl_swapper *, const tl_type *, tl_cell, tl_cell,
                     uint64_t *place_max, uint8_t *fired);

#endif
