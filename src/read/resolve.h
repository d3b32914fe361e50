#ifndef TL_READ_RESOLVE_H
#define TL_READ_RESOLVE_H

#include "net/origin.h"

// What the names in formulas stand for, and what to say when they stand for
// nothing.

typedef enum tl_named { TL_NAMED_PLACE, TL_NAMED_TRANSITION } tl_named;

// The id of a place/transition net stands for one node; that of a coloured net
// for all it is unfolded into; a colour that its place never holds for none of
// them.  False: the net has no node of that kind and id.
bool tl_resolve_id (const tl_net *, tl_named, const char *id, tl_node_range *);

// The same; and where it is no id, the name of one node only (net/titles.h)
// stands for what its id does.
bool tl_resolve (const tl_net *, tl_named, const char *id, tl_node_range *);

// The id that differs from this one in a letter or two, or null.
const char *tl_nearest (const char *const *ids, uint32_t count, const char *id);

// One sentence about an id that could not be resolved: is it of the other
// kind, is there one that differs in a letter or two?
void tl_resolve_explain (const tl_net *, tl_named, const char *id, char *out,
                         size_t size);

#endif
