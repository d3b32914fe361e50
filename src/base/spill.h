#ifndef TL_BASE_SPILL_H
#define TL_BASE_SPILL_H

#include "base/packer.h"

// Blocks of bytes put away for later.  They are compressed as they come, kept
// in memory while that is a small part of what the run holds, and written to a
// temporary file beyond that; in a small budget they go there as they are.  The
// file is in $TMPDIR (else /tmp), has no name, and is gone with the process.
// Where it cannot be made or written there is no harm: the blocks stay in
// memory as long as the account allows.

typedef struct tl_spill {
  tl_mem *mem;
  tl_packer *packer;
  unsigned part; // at most 1/part of the memory of the run
  bool raw;      // blocks are not compressed: they are read again and again
  struct tl_spill_block *block;
  size_t capacity;
  uint64_t base;         // number of block[0]
  uint64_t first, count; // blocks first .. count-1 are held
  size_t in_memory;      // bytes
  int file;              // -1: not made so far, -2: cannot be made
  uint64_t end;          // of what the file holds
  uint64_t in_file;      // blocks
  uint64_t written;      // bytes in all
} tl_spill;

// A spill of raw blocks needs no packer.
void tl_spill_open (tl_spill *, tl_mem *, tl_packer *, unsigned part);
void tl_spill_close (tl_spill *);

// Adds block number `count`; on failure nothing has changed.
tl_status tl_spill_append (tl_spill *, const void *bytes, size_t size);

// Fetches a block, of at most `room` bytes.  TL_E_IO: it cannot be read
// back, or not as it was: each block in the file has a checksum.
tl_status tl_spill_read (tl_spill *, uint64_t number, void *bytes, size_t room,
                         size_t *size);
// The same with a packer of one's own: so several threads may read while nobody
// writes.  TL_E_NOMEM: there is no memory for what expanding takes.
tl_status tl_spill_read_with (const tl_spill *, tl_packer *, uint64_t number,
                              void *bytes, size_t room, size_t *size);

// Gives up the blocks before `number`; and the last one.
void tl_spill_forget (tl_spill *, uint64_t number);
void tl_spill_drop_last (tl_spill *);

// Moves what is in memory to the file; false: that gave no memory back.
bool tl_spill_flush (tl_spill *);

#endif
