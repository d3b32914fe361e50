#ifndef TL_VERIFY_KEY_STREAM_H
#define TL_VERIFY_KEY_STREAM_H

#include "base/packer.h"
#include "verify/certified.h"

// The states of a certificate in ascending order of their keys, each with its
// depth.  They are in blocks, one in a record; a cursor has one of them in
// memory and goes on to the next.  Any number of cursors read the same file,
// which is in memory or mapped.
//
//     block   keys | length | packed | first key | differences
//             | least depth | width | packed | depths above the least
//
// The first three and the depths are little-endian numbers of 32 bits, or of
// `width` bytes; the others in seven bits a byte.  Differences (less one, in
// seven bits a byte) and depths are packed by zstd; differences as long as
// before are not.

typedef struct tl_key_block {
  const unsigned char *bytes;
  size_t size;
  uint64_t first; // number of its first state
} tl_key_block;

typedef struct tl_key_stream {
  tl_mem *mem;
  const char *path;
  tl_packer packer;
  uint32_t words, key_bytes;
  tl_key_block *block;
  size_t blocks, block_room;
  uint64_t states;
  size_t most_depths; // bytes of the depths of a block
} tl_key_stream;

// Finds the blocks of the section at hand.  `base` is the file.
tl_status tl_key_stream_open (tl_key_stream *, tl_mem *, tl_cert_source *,
                              const unsigned char *base, uint32_t key_bits);
void tl_key_stream_close (tl_key_stream *);

typedef struct tl_key_cursor {
  tl_key_stream *stream;
  size_t block;    // at hand; that of the number `blocks` is behind the last
  uint64_t number; // of the state at hand
  uint64_t *key;
  uint64_t *next; // first key of the next block
  bool last;      // there is none
  unsigned char *room, *depths;
  const unsigned char *at, *end; // differences that are left
  uint32_t left;                 // keys behind the one at hand
  uint32_t least, width;         // of depths; width 0: these are not expanded
} tl_key_cursor;

// What a cursor takes.
size_t tl_key_cursor_bytes (const tl_key_stream *);

// Before the first state.  TL_E_NOMEM.
tl_status tl_key_cursor_open (tl_key_cursor *, tl_key_stream *);
void tl_key_cursor_close (tl_key_cursor *);

// Goes to the next state; *there is false at the end.  TL_E_MODEL: keys do not
// ascend, or a block is not what it should be.
tl_status tl_key_next (tl_key_cursor *, bool *there, tl_error *);
// Goes on to the state with this key, which is not less than that of the call
// before; blocks on the way are not expanded.
tl_status tl_key_find (tl_key_cursor *, const uint64_t *key, bool *there,
                       tl_error *);
// The depth of the state at hand.
tl_status tl_key_depth (tl_key_cursor *, uint32_t *depth, tl_error *);

#endif
