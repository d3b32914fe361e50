#include "store/block.h"

// Moves the bits [from, to) up by `by` places, word by word from the top;
// `from` is not in the first word.  What is above and the gap get any value.
static void shift_up (uint64_t *words, uint64_t from, uint64_t to,
                      unsigned by) {
  const uint64_t last = (from + by) / 64;
  uint64_t at = (to + by - 1) / 64;
  const uint64_t *source = words + (at * 64 - by) / 64;
  const unsigned shift = -by % 64;
  uint64_t above = source[1];
  for (; at > last; at--) {
    const uint64_t here = *source--;
    words[at] = here >> shift | above << 1 << (63 - shift);
    above = here;
  }
  const uint64_t kept = tl_low_bits ((from + by) % 64),
                 moved = *source >> shift | above << 1 << (63 - shift);
  words[last] = (words[last] & kept) | (moved & ~kept);
}

void tl_block_open_gap (const tl_block_shape *s, uint64_t *block, tl_bucket b,
                        unsigned at, unsigned count) {
  if (at < count)
    shift_up (block, tl_block_entry_bit (s, at), tl_block_entry_bit (s, count),
              s->width);
  const unsigned __int128 meta = (unsigned __int128)block[1] << 64 | block[0];
  const unsigned __int128 below = ((unsigned __int128)1 << b.mark) - 1;
  const unsigned __int128 moved =
      (meta & below) | ((unsigned __int128)1 << b.mark) | (meta & ~below) << 1;
  block[0] = (uint64_t)moved;
  block[1] = (uint64_t)(moved >> 64);
}
