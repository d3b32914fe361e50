#ifndef TL_EXPLORE_MERGE_H
#define TL_EXPLORE_MERGE_H

#include "base/spill.h"

// Sorted runs of records on the disk, and all of them merged into one.  A
// record is a key and a number.  In a run keys ascend, read as numbers whose
// lowest word comes first, and none is there twice; a record is written as
//
//     | number | bytes of the difference | difference to the key before |
//
// in blocks that are compressed.  Merging holds a block of each run in memory;
// if there are more runs than may be, some are merged into one first.  A key
// that is in several runs comes out once.
typedef struct tl_merge {
  tl_mem *mem;
  uint32_t words;   // of a key
  size_t key_bytes; // of these in use
  size_t memory;    // bytes that merging may take
  size_t block;     // bytes of one at most
  tl_spill blocks;
  // The run being written.
  uint64_t begun;       // its first block
  uint64_t *last;       // key, that the next difference is to
  unsigned char *bytes; // its last block
  size_t used;          // bytes of that
  struct tl_run *run;   // first .. runs-1 are there
  size_t first, runs, run_room;
  // While runs are merged: those being read, and a heap of their numbers with
  // the smallest key at the top.
  struct tl_run_reader *reader;
  size_t ways;
  unsigned char *read_bytes;
  uint64_t *read_keys, *taken; // and the key that came out last
  uint32_t *heap;
  size_t heaped;
} tl_merge;

tl_status tl_merge_open (tl_merge *, tl_mem *, tl_packer *, uint32_t words,
                         size_t key_bytes, size_t memory);
void tl_merge_close (tl_merge *);

// Writes a run, record by record.  After a failure only close is left.
void tl_merge_begin (tl_merge *);
tl_status tl_merge_write (tl_merge *, const uint64_t *key, uint32_t number);
tl_status tl_merge_end (tl_merge *);

// Hands all records over in ascending order; ends where `take` fails.  Once.
// TL_E_IO: what was written cannot be read back.
typedef tl_status (*tl_merge_take) (void *context, const uint64_t *key,
                                    uint32_t number);
tl_status tl_merge_all (tl_merge *, tl_merge_take, void *context);

#endif
