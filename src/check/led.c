#include "check/led.h"

#include "check/leader.h"
#include "explore/random_walk.h"

typedef struct lead {
  tl_leader leader;
  const tl_formula *target;
} lead;

static bool plan (void *context, const tl_visit *here, uint64_t *times) {
  lead *d = context;
  tl_leader *l = &d->leader;
  bool left;
  for (uint32_t p = 0; p < l->net->places; p++)
    l->marking[p] = tl_layout_tokens (here->layout, here->state, p);
  l->enabled = here->enabled;
  l->count = here->enabled_count;
  if (tl_leader_detour (l, times, &left))
    return true;
  return !left && tl_leader_plan (l, d->target, times);
}

tl_status tl_led_run (tl_search *s, tl_mem *mem, const tl_formula *target,
                      uint64_t seed) {
  lead d = {.target = target};
  const tl_lead how = {&d, plan};
  const tl_walks walks = {.seed = seed, .steps = UINT64_MAX};
  tl_status rc = tl_leader_open (&d.leader, mem, s->net, seed);
  if (!rc)
    rc = tl_walks_led (s, &walks, &how);
  tl_leader_close (&d.leader);
  return rc;
}
