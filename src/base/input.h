#ifndef TL_BASE_INPUT_H
#define TL_BASE_INPUT_H

#include "base/inflate.h"

// Bytes of a file, of standard input ("-") or of memory, block by block, so
// that a reader of any length of input needs the memory of one block.  Files
// that gzip, xz or zstd packed are read as what is in them.
//
//     if (!tl_input_open (&in, mem, path, err))
//       while (!(rc = tl_input_next (&in, err)) && in.length)
//         ... in.block[0 .. in.length) ...
//     tl_input_close (&in);
typedef struct tl_input {
  const char *name; // for messages; borrowed
  const unsigned char *block;
  size_t length; // of the block at hand; 0 at the end
  tl_mem *mem;
  unsigned char *room; // null: memory as it is
  int fd;              // -1: what is read is memory, too
  bool begun;
  tl_inflate *inflate;       // null: it is not packed
  unsigned char *packed;     // a block as it is read
  tl_inflating unpacking;    // what is left of it
  const unsigned char *rest; // of an input in memory
  size_t rest_length;
  // All that was read, if that is to be kept.
  tl_mem *keeper;
  unsigned char *kept;
  size_t kept_length, kept_room;
} tl_input;

// TL_E_IO: a folder, a missing or an unreadable file.  After a failure, too,
// the input may be closed.
tl_status tl_input_open (tl_input *, tl_mem *, const char *path, tl_error *);
// Bytes in memory that may be packed.
tl_status tl_input_open_bytes (tl_input *, tl_mem *, const char *name,
                               const void *bytes, size_t length, tl_error *);
// Bytes in memory as they are.
void tl_input_open_memory (tl_input *, const char *name, const void *bytes,
                           size_t length);
tl_status tl_input_next (tl_input *, tl_error *);
// From now on keeps what is read, the block at hand included.
tl_status tl_input_keep (tl_input *, tl_mem *, tl_error *);
void tl_input_close (tl_input *);

#endif
