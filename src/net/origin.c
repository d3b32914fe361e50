#include "net/origin.h"

// The last of `count` that does not begin after the node.
static uint32_t find (const uint32_t *first, uint32_t count, uint32_t node) {
  uint32_t low = 0, high = count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (first[middle] <= node)
      low = middle;
    else
      high = middle;
  }
  return low;
}

uint32_t tl_origin_place (const tl_origin *o, uint32_t place) {
  return find (o->place_first, o->places, place);
}

uint32_t tl_origin_transition (const tl_origin *o, uint32_t transition) {
  return find (o->transition_first, o->transitions, transition);
}
