#ifndef TL_STORE_LENGTHS_H
#define TL_STORE_LENGTHS_H

#include "store/store.h"

// Keys of many lengths (tl_store_spec.lengths) in stores that take one length
// each.  The length of a key is where its last bit is set; lengths fall into
// classes, and each class that occurs has a store of its own, opened for no
// more bits than its keys have.  So a short key costs what a short key costs,
// and nothing is written down of lengths: a key is only looked for in the store
// of its class.
//
// How wide classes are is up to the kind.  Those of the table are a byte, and
// above 32 bytes a sixteenth to a thirty-second of the length; the tree, for
// which zeros behind a key are nothing new, has one for each doubling.  Long
// keys, of which the position in a table says next to nothing, are kept whole.
//
// Cost: as of the stores, which have some pages each, however few their keys.
tl_status tl_lengths_open (tl_store **, const tl_store_kind *, tl_mem *,
                           const tl_store_spec *);

#endif
