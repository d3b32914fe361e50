#include "verify/fireable.h"

typedef struct finding {
  const tl_cert_net *net;
  bool *fireable;    // [transitions]
  uint32_t *waiting; // [transitions] input places that are empty so far
  bool *marked;      // [places]
  uint64_t *start;   // [places + 2] consumers of each place
  uint32_t *consumer;
  uint32_t *list; // transitions that are known to be fireable
  uint32_t count;
} finding;

static void list_consumers (finding *f) {
  const tl_cert_net *net = f->net;
  for (uint32_t p = 0; p < net->places; p++)
    f->start[p + 2] += f->start[p + 1];
  for (uint32_t t = 0; t < net->transitions; t++)
    for (uint32_t i = 0; i < net->transition[t].pres; i++)
      f->consumer[f->start[net->transition[t].pre[i].place + 1]++] = t;
}

static void find (finding *f, uint32_t t) {
  f->fireable[t] = true;
  f->list[f->count++] = t;
}

static void mark (finding *f, uint32_t place) {
  if (f->marked[place])
    return;
  f->marked[place] = true;
  for (uint64_t i = f->start[place]; i < f->start[place + 1]; i++)
    if (!--f->waiting[f->consumer[i]])
      find (f, f->consumer[i]);
}

static void find_all (finding *f) {
  const tl_cert_net *net = f->net;
  for (uint32_t t = 0; t < net->transitions; t++)
    if (!f->waiting[t])
      find (f, t);
  for (uint32_t p = 0; p < net->places; p++)
    if (net->initial[p])
      mark (f, p);
  for (uint32_t i = 0; i < f->count; i++) {
    const tl_cert_transition *t = net->transition + f->list[i];
    for (uint32_t k = 0; k < t->posts; k++)
      mark (f, t->post[k].place);
  }
}

bool *tl_cert_fireable (tl_arena *arena, const tl_cert_net *net) {
  finding f = {.net = net};
  uint64_t all = 0;
  if (!TL_ARENA_NEW (arena, f.fireable, net->transitions) ||
      !TL_ARENA_NEW (arena, f.waiting, net->transitions) ||
      !TL_ARENA_NEW (arena, f.list, net->transitions) ||
      !TL_ARENA_NEW (arena, f.marked, net->places) ||
      !TL_ARENA_NEW (arena, f.start, (size_t)net->places + 2))
    return 0;
  for (uint32_t t = 0; t < net->transitions; t++) {
    const tl_cert_transition *from = net->transition + t;
    f.waiting[t] = from->pres;
    for (uint32_t i = 0; i < from->pres; i++, all++)
      f.start[from->pre[i].place + 2]++;
  }
  if (!TL_ARENA_NEW (arena, f.consumer, all))
    return 0;
  list_consumers (&f);
  find_all (&f);
  return f.fireable;
}
