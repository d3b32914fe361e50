#ifndef TL_STORE_ASCENDING_H
#define TL_STORE_ASCENDING_H

#include "base/packer.h"

// Keys in strictly ascending order as a stream of bytes: for runs on disk and
// for files.  A key is a number, its first word the lowest.
//
// Keys of states are sums over places, so a set of them repeats itself: the
// same differences come again for every value of the upper digits.  They are
// written as bytes, seven bits in each, most of them in one, and compressed by
// zstd in blocks, which finds the repetitions: much less than the information
// bound of a random set of keys is the rule.
//
//     block   keys | length | packed | first key | bytes
//
// Keys, length (of the differences, expanded) and packed (the bytes that
// follow) are 32 bits, the lowest byte first; the first key has as many bytes
// as key_bits ask for.  Then come, for each of the other keys, the difference
// to the one before it less one: seven bits a byte, the lowest first, the
// highest bit set in all but the last byte.  They are as zstd packed them, or
// if that is not shorter as they are: then packed equals length.
//
// Reading can begin with any block: who notes where blocks are and their first
// keys has an index.
//
// Cost: reading takes about a nanosecond a key where differences are short.

enum {
  TL_ASCENDING_BYTES = 1 << 14, // of differences in a block, some more at most
  TL_ASCENDING_HEAD = 12        // bytes before the first key
};

// Where the bytes go: a block in one call.
typedef struct tl_ascending_sink {
  void *context;
  tl_status (*write) (void *context, const void *bytes, size_t length);
} tl_ascending_sink;

// Where they come from: *got is less than `length` only at the end.
typedef struct tl_ascending_source {
  void *context;
  tl_status (*read) (void *context, void *bytes, size_t length, size_t *got);
} tl_ascending_source;

typedef struct tl_ascending_writer {
  tl_mem *mem;
  tl_packer *packer;
  tl_ascending_sink sink;
  int level;   // of compression; 1 is the fastest
  size_t most; // bytes of differences in a block
  uint32_t key_words, key_bytes;
  uint64_t *last;       // the key written last, and room for a difference
  unsigned char *block; // the one being filled: head, first key, differences
  size_t start, length; // of the differences, so far
  size_t room;
  uint32_t keys;  // in the block
  uint64_t count; // in all
} tl_ascending_writer;

// The packer may be shared, see there; null: blocks are not packed.
tl_status tl_ascending_create (tl_ascending_writer *, tl_mem *, tl_packer *,
                               uint32_t key_bits, int level, tl_ascending_sink);
// With fewer bytes of differences in a block, for small budgets.
tl_status tl_ascending_create_small (tl_ascending_writer *, tl_mem *,
                                     tl_packer *, uint32_t key_bits, int level,
                                     tl_ascending_sink, size_t bytes);
// Each key is larger than the one before.  TL_E_ARG: it is not.  Else what the
// sink says, or TL_E_NOMEM.
tl_status tl_ascending_write (tl_ascending_writer *, const uint64_t *keys,
                              size_t count);
// Writes the last block.  What comes next begins a new one.
tl_status tl_ascending_flush (tl_ascending_writer *);
void tl_ascending_end (tl_ascending_writer *); // gives back its memory
// After that, another stream begins: its keys may be smaller.
static inline void tl_ascending_write_anew (tl_ascending_writer *w) {
  w->count = 0;
}

typedef struct tl_ascending_reader {
  tl_mem *mem;
  tl_packer *packer;
  tl_ascending_source source;
  uint32_t key_words, key_bytes;
  uint32_t key_bits;
  uint64_t *last; // the key read last
  unsigned char *block, *packed;
  size_t room, packed_room;
  const unsigned char *at, *end; // differences that are left
  uint32_t keys;                 // of the block that are left
  bool fresh;                    // `last` is the first key of the block and was
                                 // not given
  bool begun;
} tl_ascending_reader;

tl_status tl_ascending_open (tl_ascending_reader *, tl_mem *, tl_packer *,
                             uint32_t key_bits, tl_ascending_source);
// For blocks of so many bytes of differences at most; no packer: which are not
// packed.
tl_status tl_ascending_open_small (tl_ascending_reader *, tl_mem *, tl_packer *,
                                   uint32_t key_bits, tl_ascending_source,
                                   size_t bytes);
// Reads up to `most` keys; *count is 0 only at the end.  What the source says,
// TL_E_NOMEM, or TL_E_SYNTAX: this is no such stream.
tl_status tl_ascending_read (tl_ascending_reader *, uint64_t *keys, size_t most,
                             size_t *count);
void tl_ascending_close (tl_ascending_reader *);
// Where the source stands now, another stream begins.
static inline void tl_ascending_read_anew (tl_ascending_reader *r) {
  r->keys = 0;
  r->begun = r->fresh = false;
}

// Bytes in memory as a source.
typedef struct tl_memory_source {
  const unsigned char *bytes;
  size_t length;
} tl_memory_source;

tl_ascending_source tl_ascending_memory (tl_memory_source *);

// Is a key less than another?
static inline bool tl_key_less (const uint64_t *a, const uint64_t *b,
                                uint32_t words) {
  for (uint32_t w = words; w-- > 0;)
    if (a[w] != b[w])
      return a[w] < b[w];
  return false;
}

#endif
