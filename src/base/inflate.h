#ifndef TL_BASE_INFLATE_H
#define TL_BASE_INFLATE_H

#include "base/mem.h"

// Unpacks what gzip, xz or zstd packed, told by how it begins.  Files packed
// one behind the other are one text, as for these programs.
typedef struct tl_inflate tl_inflate;

// The name of the program whose file begins like that; null: none.
const char *tl_inflate_kind (const unsigned char *bytes, size_t length);
// What a packed file's name ends with; null: its name tells nothing.
const char *tl_inflate_ending (const char *name);

tl_status tl_inflate_open (tl_inflate **, tl_mem *, const char *kind,
                           tl_error *);
void tl_inflate_close (tl_inflate *);

// Bytes that are still packed, and room for what is unpacked; both move on.
typedef struct tl_inflating {
  const unsigned char *in;
  size_t in_left;
  unsigned char *out;
  size_t out_left;
  bool last; // there is no more behind these
} tl_inflating;

// Unpacks until the room is full or all that is there was used.  TL_E_SYNTAX:
// it is damaged, or cut off; TL_E_NOMEM: what unpacking it takes is more than
// the account has left.
tl_status tl_inflate_run (tl_inflate *, tl_inflating *);

#endif
