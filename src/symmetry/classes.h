#ifndef TL_SYMMETRY_CLASSES_H
#define TL_SYMMETRY_CLASSES_H

#include "symmetry/swap.h"

// The values of a coloured net that can be exchanged for each other, and what
// that does to the places of the unfolded net.
//
// Values of a type of which any two can be swapped are a class.  All ways to
// permute the classes, each by itself, leave the net as it is: they are a group
// of symmetries, and what they make of a reachable marking is reachable.
//
// The values of all classes together are the items.  Places that differ in
// items only have the same frame; in it a place is told by its items.

typedef struct tl_value_class {
  const tl_type *type;
  uint32_t first, values; // items
} tl_value_class;

typedef struct tl_classes {
  tl_mem *mem;
  const tl_net *net;
  tl_value_class *class;
  uint32_t classes;
  size_t class_room;
  tl_cell *value; // [items]
  uint32_t *class_of;
  uint32_t items;
  size_t value_room, class_of_room;
  uint32_t *part_from; // [places + 1]
  uint32_t *part;      // the items of each place, in order
  size_t part_room;
  uint32_t *frame;      // [places]
  uint64_t *table_from; // [places + 1] of a frame; there are at most as many
  uint32_t *table;      // the place with such items
  size_t table_room;
  uint32_t *at_from; // [items + 1]
  uint32_t *at;      // the places that have an item, each once
  size_t at_room;
  uint32_t widest; // items of a place
} tl_classes;

// Of an unfolded net.  To be closed in any case.
tl_status tl_classes_open (tl_classes *, tl_mem *, const tl_net *);
void tl_classes_close (tl_classes *);

// The place that has to[i] where this one has item i.
static inline uint32_t tl_classes_image (const tl_classes *c, uint32_t place,
                                         const uint32_t *to) {
  uint64_t at = 0;
  if (c->part_from[place] == c->part_from[place + 1])
    return place;
  for (uint32_t i = c->part_from[place]; i < c->part_from[place + 1]; i++) {
    const uint32_t item = to[c->part[i]];
    const tl_value_class *class = c->class + c->class_of[item];
    at = at * class->values + (item - class->first);
  }
  return c->table[c->table_from[c->frame[place]] + at];
}

#endif
