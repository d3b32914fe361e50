#ifndef TL_READ_RESOLVE_H
#define TL_READ_RESOLVE_H

#include "net/net.h"

// What the names in formulas stand for, and what to say when they stand for
// nothing.

typedef enum tl_named { TL_NAMED_PLACE, TL_NAMED_TRANSITION } tl_named;

// Places or transitions with consecutive numbers.  The id of a place/
// transition net stands for one; that of a coloured net will stand for all it
// is unfolded into.
typedef struct tl_node_range {
  uint32_t first, count;
} tl_node_range;

// False: the net has no node of that kind and id.
bool tl_resolve (const tl_net *, tl_named, const char *id, tl_node_range *);

// One sentence about an id that could not be resolved: is it of the other
// kind, is there one that differs in a letter or two?
void tl_resolve_explain (const tl_net *, tl_named, const char *id, char *out,
                         size_t size);

#endif
