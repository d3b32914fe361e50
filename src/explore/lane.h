#ifndef TL_EXPLORE_LANE_H
#define TL_EXPLORE_LANE_H

#include "base/spill.h"

// The states of one level that one thread has found, in the order in which it
// found them.  One thread writes them; later, when nobody writes any more, all
// threads read them, a block at a time.  A block has keys, as differences to
// the one before, and then the events by which they were found.
//
//     blocks, maybe on disk | tail: being written
//
// A block is read by itself: the first key of it is whole.
typedef struct tl_lane {
  tl_mem *mem;
  uint32_t words;       // of a key
  unsigned last_bytes;  // of its last word
  unsigned event_bytes; // of an event
  size_t record;        // bytes
  size_t room;          // records of a block at most
  size_t limit;         // and how many they get
  tl_spill blocks;      // all but the tail
  uint64_t *start;      // of each, and of the tail: how many stand before it
  uint64_t *marked;     // the same: what the mark was when they were begun
  size_t start_room, marked_room;
  uint64_t mark;         // of whoever writes, see tl_lane_mark
  unsigned char *tail;   // null: nothing was written so far
  unsigned char *event;  // of the states of the tail
  size_t written;        // records of it
  uint64_t *last;        // the key written last
  uint64_t first, count; // number of the first state, and how many there are
} tl_lane;

// Of keys of so many words, of which only the lowest `bits` bits are ever set,
// and of events below `events`.  At most one part in so many of the memory of
// the run is for this lane.
void tl_lane_open (tl_lane *, tl_mem *, tl_packer *, uint32_t words,
                   uint32_t bits, uint32_t events, unsigned part);
void tl_lane_close (tl_lane *);
// Empties it.  The next state has that number, and blocks get so many states.
void tl_lane_begin (tl_lane *, uint64_t first, size_t limit);
// On failure the lane is as it was.
tl_status tl_lane_push (tl_lane *, const uint64_t *key, uint32_t event);
// Moves to the disk what it can; false: that gave no memory back.
bool tl_lane_flush (tl_lane *);
uint64_t tl_lane_blocks (const tl_lane *);
// The mark that was set when this block was begun.
uint64_t tl_lane_mark (const tl_lane *, uint64_t block);

// Reading a block.
typedef struct tl_lane_reader {
  tl_mem *mem;
  tl_packer packer;
  const tl_lane *lane;
  unsigned char *room; // for a block
  size_t bytes;
  const unsigned char *at, *event;
  uint64_t number, end; // of the next state, and behind the last one
} tl_lane_reader;

#define TL_LANE_READER(MEM)                                                    \
  ((tl_lane_reader){.mem = (MEM), .packer = TL_PACKER (MEM)})
void tl_lane_reader_close (tl_lane_reader *);
// TL_E_IO: it cannot be read back.
tl_status tl_lane_read (tl_lane_reader *, const tl_lane *, uint64_t block);
// The next state of the block, unless number == end; `key` is the one before
// it.
uint32_t tl_lane_next (tl_lane_reader *, uint64_t *key);

// Copies a block, which takes so many bytes at most, for whoever has a lane of
// the same kind elsewhere: number of its first state, and how many there are.
// It is read as one of that lane, and so is a word behind it.
size_t tl_lane_most (const tl_lane *);
tl_status tl_lane_copy (const tl_lane *, uint64_t block, tl_packer *,
                        unsigned char *to, uint64_t *first, uint32_t *count);
void tl_lane_read_copy (tl_lane_reader *, const tl_lane *, uint64_t first,
                        uint64_t count, const unsigned char *bytes);

#endif
