#include "colour/unfold.h"
#include "read/read.h"

#include <stdlib.h>

// One round of fuzzing the reader of symmetric nets: whatever is read is
// unfolded as well, if that is a small net.

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t length);

static bool is_told (tl_status status, const tl_error *err) {
  return status != TL_E_INTERNAL && err->code == status && err->text[0];
}

static void unfold (const tl_coloured *coloured, tl_mem *mem) {
  static const tl_unfold_limits limits = {
      .places = 1000, .transitions = 1000, .arcs = 10000, .seconds = 1};
  tl_error err = {0};
  tl_net *net = 0;
  const tl_status status = tl_unfold (coloured, &limits, mem, &net, &err);
  if (status && !is_told (status, &err))
    abort ();
  if (!status)
    tl_net_close (net);
}

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t length) {
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  tl_coloured *net;
  const tl_status status = tl_read_coloured_text (
      &net, &mem, "x.pnml", (const char *)bytes, length, &err);
  if (status && !is_told (status, &err))
    abort ();
  if (!status)
    unfold (net, &mem);
  tl_coloured_close (net);
  if (mem.used)
    abort ();
  return 0;
}
