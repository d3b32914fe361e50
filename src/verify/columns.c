#include "verify/columns.h"

tl_status tl_cert_list_columns (tl_cert_source *s, const tl_cert_net *net,
                                const bool *fireable, tl_cert_columns *l) {
  uint64_t all = 0;
  *l = (tl_cert_columns){0};
  if (!TL_ARENA_NEW (s->arena, l->start, (size_t)net->places + 2))
    return tl_cert_no_memory (s);
  for (uint32_t t = 0; t < net->transitions; t++)
    for (uint32_t i = 0; fireable[t] && i < net->transition[t].changes;
         i++, all++)
      l->start[net->transition[t].change[i].place + 2]++;
  for (uint32_t p = 0; p < net->places; p++)
    l->start[p + 2] += l->start[p + 1];
  if (!TL_ARENA_NEW (s->arena, l->transition, all) ||
      !TL_ARENA_NEW (s->arena, l->amount, all))
    return tl_cert_no_memory (s);
  for (uint32_t t = 0; t < net->transitions; t++)
    for (uint32_t i = 0; fireable[t] && i < net->transition[t].changes; i++) {
      const tl_cert_change *c = net->transition[t].change + i;
      const uint64_t at = l->start[c->place + 1]++;
      l->transition[at] = t;
      l->amount[at] = c->amount;
    }
  return TL_OK;
}
