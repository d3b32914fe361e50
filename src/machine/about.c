#include "machine/parts.h"

// What is known about a net without running it.

const tl_coloured *tl_machine_coloured (const tl_net *net) {
  return ((const tl_machine *)net->rule)->coloured;
}

tl_status tl_machine_code (const tl_net *net, uint64_t *bits, bool *left_out) {
  tl_machine *m = (tl_machine *)net->rule;
  tl_mem mem = TL_MEM (0, "code");
  const tl_status rc =
      m->rule.kind->begin (&m->rule, TL_KEYS_CODED, &mem, &mem);
  if (!rc) {
    *bits = m->coded.longest; // of all states so far
    for (uint32_t p = 0; p < m->places; p++)
      left_out[p] = m->coded.redundant[p];
  }
  m->rule.kind->end (&m->rule);
  return rc;
}
