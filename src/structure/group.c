#include "structure/group.h"
#include "base/bits.h"

#define NONE UINT32_MAX

// A set of places that could become a group.  Candidates wait in lists by the
// bits they would save; as places are taken by other groups a candidate saves
// less, never more, so looking again when its turn comes is enough.
typedef struct candidate {
  uint32_t source; // semiflow, or unit
  bool unit;
  uint32_t next; // in the list of its saving
} candidate;

typedef struct picker {
  tl_groups *groups;
  const tl_net *net;
  const tl_semiflows *semiflows;
  candidate *candidate;
  size_t count, capacity;
  uint32_t *waiting; // [most + 1] first candidate with that saving
  uint32_t most;
  bool *taken; // [places]
} picker;

uint32_t tl_group_saving (uint32_t count, bool full) {
  if (count < 2)
    return 0;
  return count - tl_bits_for (full ? count - 1 : count);
}

// Calls for each place that the candidate still has; returns their number and
// whether exactly one of them is always marked.
static uint32_t remaining (const picker *k, const candidate *c, uint32_t *out,
                           bool *full) {
  uint32_t n = 0;
  if (c->unit) {
    const tl_unit *unit = k->net->unit + c->source;
    *full = false;
    for (uint32_t i = 0; i < unit->place_count; i++)
      if (!k->taken[unit->places[i]])
        out[n++] = unit->places[i];
    return n;
  }
  const tl_semiflow *semiflow = k->semiflows->semiflow + c->source;
  const tl_vector y = tl_semiflows_terms (k->semiflows, c->source);
  *full = semiflow->kind == TL_SEMIFLOW_EXACT && semiflow->tokens == 1;
  for (uint32_t i = 0; i < y.count; i++) {
    const uint64_t weight = (uint64_t)y.term[i].factor;
    // Too light to exclude others, or too heavy to be marked ever.
    if (weight <= semiflow->tokens / 2 || weight > semiflow->tokens)
      continue;
    if (k->taken[y.term[i].index])
      *full = false;
    else
      out[n++] = y.term[i].index;
  }
  return n;
}

static bool unit_is_credible (const tl_net *net, uint32_t u) {
  uint64_t tokens = 0;
  for (uint32_t i = 0; i < net->unit[u].place_count; i++)
    tokens += net->initial[net->unit[u].places[i]];
  return tokens <= 1;
}

static void wait_again (picker *k, uint32_t c, uint32_t saving) {
  k->candidate[c].next = k->waiting[saving];
  k->waiting[saving] = c;
}

static tl_status add_candidate (picker *k, uint32_t source, bool unit,
                                uint32_t *places) {
  bool full;
  candidate c = {.source = source, .unit = unit};
  const uint32_t count = remaining (k, &c, places, &full);
  const uint32_t saving = tl_group_saving (count, full);
  if (!saving)
    return TL_OK;
  if (!TL_ROOM (k->groups->mem, k->candidate, &k->capacity, k->count + 1))
    return TL_E_NOMEM;
  k->candidate[k->count] = c;
  wait_again (k, (uint32_t)k->count++, saving);
  return TL_OK;
}

// Units first: of equal savings what was added last is picked first, and what
// is proven is to be preferred.
static tl_status list_candidates (picker *k, uint32_t *places) {
  tl_status rc = TL_OK;
  for (uint32_t u = 0; !rc && k->net->units_safe && u < k->net->units; u++)
    if (unit_is_credible (k->net, u))
      rc = add_candidate (k, u, true, places);
  for (size_t i = k->semiflows->count; !rc && i-- > 0;)
    rc = add_candidate (k, (uint32_t)i, false, places);
  return rc;
}

static tl_status add_group (picker *k, const uint32_t *places, uint32_t count,
                            bool full, bool claimed) {
  tl_groups *g = k->groups;
  if (!TL_ROOM (g->mem, g->group, &g->capacity, g->count + 1) ||
      !TL_ROOM (g->mem, g->place, &g->place_capacity, g->places + count))
    return TL_E_NOMEM;
  g->group[g->count++] = (tl_group){g->places, count, full, claimed};
  for (uint32_t i = 0; i < count; i++) {
    g->place[g->places++] = places[i];
    k->taken[places[i]] = true;
  }
  return TL_OK;
}

static tl_status pick (picker *k, uint32_t *places) {
  tl_status rc = TL_OK;
  for (uint32_t saving = k->most; !rc && saving > 0; saving--)
    while (!rc && k->waiting[saving] != NONE) {
      const uint32_t c = k->waiting[saving];
      k->waiting[saving] = k->candidate[c].next;
      bool full;
      const uint32_t count = remaining (k, k->candidate + c, places, &full);
      const uint32_t now = tl_group_saving (count, full);
      if (now == saving)
        rc = add_group (k, places, count, full, k->candidate[c].unit);
      else
        wait_again (k, c, now); // a smaller saving: its turn is to come
    }
  return rc;
}

tl_status tl_groups_open (tl_groups *g, tl_mem *mem, const tl_net *net,
                          const tl_semiflows *semiflows) {
  *g = (tl_groups){.mem = mem};
  picker k = {
      .groups = g, .net = net, .semiflows = semiflows, .most = net->places};
  uint32_t *places = 0;
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, k.waiting, (size_t)k.most + 1) &&
      TL_NEW (mem, k.taken, net->places) && TL_NEW (mem, places, net->places)) {
    for (uint32_t i = 0; i <= k.most; i++)
      k.waiting[i] = NONE;
    rc = list_candidates (&k, places);
    if (!rc)
      rc = pick (&k, places);
  }
  TL_DEL (mem, places, net->places);
  TL_DEL (mem, k.taken, net->places);
  TL_DEL (mem, k.waiting, (size_t)k.most + 1);
  TL_DEL (mem, k.candidate, k.capacity);
  if (rc)
    tl_groups_close (g);
  return rc;
}

void tl_groups_close (tl_groups *g) {
  if (!g->mem)
    return;
  TL_DEL (g->mem, g->group, g->capacity);
  TL_DEL (g->mem, g->place, g->place_capacity);
  *g = (tl_groups){0};
}
