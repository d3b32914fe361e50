#include "colour/coloured.h"

void tl_coloured_close (tl_coloured *net) {
  if (!net)
    return;
  tl_arena_close (&net->arena);
  TL_DEL (net->mem, net, 1);
}
