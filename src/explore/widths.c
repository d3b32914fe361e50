#include "explore/widths.h"

#include "base/bits.h"
#include "encode/layout.h"

// The most tokens that one firing adds to each place.
static void largest_gains (const tl_net *net, uint64_t *gain) {
  for (uint32_t t = 0; t < net->transitions; t++)
    for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);)
      if (c.amount > 0 && (uint64_t)c.amount > gain[c.place])
        gain[c.place] = (uint64_t)c.amount;
}

static void mark_changing (const tl_net *net, uint8_t *width) {
  for (uint32_t t = 0; t < net->transitions; t++)
    for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);)
      width[c.place] = 1;
}

static unsigned larger (unsigned a, unsigned b) {
  return a > b ? a : b;
}

// Sets the width of a place that changes.
static void choose_one (const tl_structure *structure, uint32_t p,
                        uint64_t gain, uint8_t *width, uint64_t *most) {
  const uint64_t bound = structure->bound[p];
  const uint32_t initial = structure->net->initial[p];
  const bool known = bound <= tl_low_bits (TL_FIELD_MAX_WIDTH);
  const bool proven = known && structure->source[p] != TL_BOUND_CLAIM;
  unsigned bits =
      larger (known ? tl_bits_for (bound) : 8, tl_bits_for (initial));
  // A gain must not carry beyond the guard bit, or it would go unnoticed.
  bits = larger (larger (bits, tl_bits_for (gain)), 1);
  *width = (uint8_t)bits;
  *most = proven ? bound : tl_low_bits (bits);
}

tl_status tl_widths_choose (tl_mem *mem, const tl_structure *structure,
                            uint8_t *width, uint64_t *most) {
  const tl_net *net = structure->net;
  uint64_t *gain;
  if (!TL_NEW (mem, gain, net->places))
    return TL_E_NOMEM;
  largest_gains (net, gain);
  mark_changing (net, width);
  for (uint32_t p = 0; p < net->places; p++)
    if (width[p])
      choose_one (structure, p, gain[p], width + p, most + p);
  TL_DEL (mem, gain, net->places);
  return TL_OK;
}

uint8_t tl_widths_wider (uint8_t width) {
  static const uint8_t steps[] = {8, 16, 32, TL_FIELD_MAX_WIDTH};
  for (size_t i = 0; i < sizeof steps; i++)
    if (width < steps[i])
      return steps[i];
  return 0;
}
