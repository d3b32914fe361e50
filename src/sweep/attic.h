#ifndef TL_SWEEP_ATTIC_H
#define TL_SWEEP_ATTIC_H

#include "base/spill.h"
#include "sweep/pool.h"

// Where the states of a layer go that leaves memory: a temporary file.  The
// keys of all layers are one stream of bytes, as many for each key as it has,
// cut into blocks; where a layer begins and how many keys it has is what is
// kept of it in memory.  Layers come and go in the order of their progress, so
// the next one to be read is mostly where the last one ended.
//
//     | keys of a layer | keys of the next | ...          stream
//     | block         | block         | block being filled |
//
// A layer that has got new states has another piece of the stream, which says
// where the one before it is.
//
// Cost: the bytes of a key on the disk for each state, and some nanoseconds to
// write or read it.

typedef struct tl_attic tl_attic;

typedef struct tl_stowed {
  uint64_t at;    // of the last piece, in the stream
  uint64_t count; // its keys
  uint64_t total; // those of the pieces before included
} tl_stowed;

// For keys of pools of that kind.
tl_status tl_attic_open (tl_attic **, tl_mem *, const tl_pool_kind *);
void tl_attic_close (tl_attic *); // may be null

// Puts a pool away; what is in *stowed is forgotten.
// TL_E_NOMEM: neither memory nor disk; only close is left.
tl_status tl_attic_stow (tl_attic *, const tl_pool *, tl_stowed *);

// Adds keys, none of which is there: the first words of records of that many
// words.  A piece that ends where the stream ends gets longer.  TL_E_NOMEM as
// above.
tl_status tl_attic_add (tl_attic *, tl_stowed *, const uint64_t *records,
                        size_t stride, size_t n);

// Reads some keys; they are bytes as in a pool, where they stay until the next
// call, and up to seven more can be read; *n is 0 at the end.  TL_E_IO: what
// was written cannot be read back.
typedef struct tl_attic_cursor {
  tl_stowed next; // pieces to be read
  uint64_t at;    // in the one being read
  uint64_t left;  // keys of that
} tl_attic_cursor;

#define TL_ATTIC_CURSOR(STOWED) ((tl_attic_cursor){.next = (STOWED)})
tl_status tl_attic_read (tl_attic *, tl_attic_cursor *,
                         const unsigned char **keys, size_t *n);

// Moves what is in memory to the file; false: that gave no memory back.
bool tl_attic_flush (tl_attic *);
uint64_t tl_attic_spilled (const tl_attic *); // bytes written to the disk

#endif
