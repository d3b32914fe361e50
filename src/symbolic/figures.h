#ifndef TL_SYMBOLIC_FIGURES_H
#define TL_SYMBOLIC_FIGURES_H

#include "symbolic/divisions.h"

// What a diagram tells of the markings in it: how many there are, how many of
// them enable each transition, and the most tokens.

// The nodes of a set, those of each level beside each other, the highest level
// first; in the nodes `number` says which it is.
typedef struct tl_listing {
  tl_mem *mem;
  const tl_diagram *d;
  const tl_divisions *divisions; // or null
  uint32_t levels;
  tl_set *node;
  size_t count, room;
  size_t *start;     // [levels + 2] of each level; ends where the one below
                     // begins
  tl_natural *below; // [room] the ways from there to the end
  tl_natural *above; // [room] the ways from the top to there
  tl_arena limbs;    // of these numbers
} tl_listing;

// Lists the nodes and counts the ways below and above them; with `divisions`,
// not null, an edge counts as often as these say.  Nothing may be made in the
// diagram as long as it is open.
tl_status tl_listing_open (tl_listing *, tl_mem *, const tl_diagram *,
                           uint32_t levels, tl_set, const tl_divisions *);
void tl_listing_close (tl_listing *);

// The number of markings; belongs to the listing.
tl_natural tl_listing_states (const tl_listing *);

// For each transition whether some marking enables it, and for all together
// how often.  The sum belongs to the listing.
tl_status tl_listing_arcs (tl_listing *, const tl_events *, uint8_t *fired,
                           tl_natural *sum);

// The most tokens of each place, and in one marking; `factor` [places]: there
// they count as often, null: once.
tl_status tl_listing_tokens (const tl_listing *, const tl_events *,
                             const uint64_t *factor, uint64_t *place_max,
                             uint64_t *per_marking);

#endif
