#include "store/block.h"

// Moves the bits [from, to) up by `by` places.
static void shift_up (uint64_t *words, uint64_t from, uint64_t to,
                      unsigned by) {
  while (to > from) {
    const unsigned n = to - from < 64 ? (unsigned)(to - from) : 64;
    to -= n;
    tl_set_bits (words, to + by, n, tl_get_bits (words, to, n));
  }
}

void tl_block_open_gap (const tl_block_shape *s, uint64_t *block, tl_bucket b,
                        unsigned count) {
  shift_up (block, tl_block_entry_bit (s, b.first + b.count),
            tl_block_entry_bit (s, count), s->width);
  const unsigned __int128 meta = (unsigned __int128)block[1] << 64 | block[0];
  const unsigned __int128 below = ((unsigned __int128)1 << b.mark) - 1;
  const unsigned __int128 moved =
      (meta & below) | ((unsigned __int128)1 << b.mark) | (meta & ~below) << 1;
  block[0] = (uint64_t)moved;
  block[1] = (uint64_t)(moved >> 64);
}
