#include "explore/widths.h"

#include "base/bits.h"
#include "encode/layout.h"
#include "structure/structure.h"

#define ANALYSIS_SECONDS 0.5

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

tl_status tl_widths_choose (tl_mem *mem, const tl_net *net, uint8_t *width,
                            bool *bounded, tl_error *error) {
  tl_structure *structure;
  uint64_t *gain;
  if (!TL_NEW (mem, gain, net->places))
    return TL_E_NOMEM;
  const tl_status rc =
      tl_structure_open (&structure, mem, net, ANALYSIS_SECONDS, error);
  if (!rc) {
    largest_gains (net, gain);
    mark_changing (net, width);
    *bounded = true;
    for (uint32_t p = 0; p < net->places; p++) {
      const uint64_t bound = structure->bound[p];
      const bool known = bound <= tl_low_bits (TL_FIELD_MAX_WIDTH);
      *bounded &= bound != TL_NO_BOUND;
      if (!width[p])
        continue; // it never changes
      unsigned bits = larger (known ? tl_bits_for (bound) : 8,
                              tl_bits_for (net->initial[p]));
      // A gain must not carry beyond the guard bit, or it would go unnoticed.
      bits = larger (bits, tl_bits_for (gain[p]));
      width[p] = (uint8_t)larger (bits, 1);
    }
    tl_structure_close (structure);
  }
  TL_DEL (mem, gain, net->places);
  return rc;
}

uint8_t tl_widths_wider (uint8_t width) {
  static const uint8_t steps[] = {8, 16, 32, TL_FIELD_MAX_WIDTH};
  for (size_t i = 0; i < sizeof steps; i++)
    if (width < steps[i])
      return steps[i];
  return 0;
}
