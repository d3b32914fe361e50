#include "explore/capacity.h"

#include "base/error.h"
#include "net/origin.h"

tl_status tl_capacities_open (tl_capacities *c, tl_mem *mem, const tl_net *net,
                              const tl_structure *structure) {
  *c = (tl_capacities){.mem = mem, .net = net};
  for (uint32_t p = 0; p < net->places; p++)
    c->room += tl_structure_may_exceed (structure, p);
  if (c->room && !TL_NEW (mem, c->place, c->room))
    return TL_E_NOMEM;
  for (uint32_t p = 0; c->count < c->room; p++)
    if (tl_structure_may_exceed (structure, p))
      c->place[c->count++] = p;
  return TL_OK;
}

void tl_capacities_close (tl_capacities *c) {
  TL_DEL (c->mem, c->place, c->room);
}

bool tl_capacities_kept (const tl_capacities *c, const tl_layout *layout,
                         const uint64_t *state, tl_error *error) {
  for (uint32_t i = 0; i < c->count; i++) {
    const uint32_t p = c->place[i], most = c->net->origin->capacity[p];
    const uint64_t tokens = tl_layout_tokens (layout, state, p);
    if (tokens <= most)
      continue;
    tl_fail (error, TL_E_ARG,
             "capacity exceeded: place %s gets %llu tokens of one value, and "
             "its capacity is %u",
             c->net->place_name[p], (unsigned long long)tokens, most);
    return false;
  }
  return true;
}
