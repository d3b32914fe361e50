#include "symbolic/twins.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

// What a transition does to a place.
typedef struct touch {
  uint32_t transition, weight;
  uint64_t kind;
} touch;

typedef struct twins {
  const tl_net *net;
  uint64_t *start; // [places + 1] of the touches of each place
  uint64_t *at;    // [places]
  touch *touch;
  uint64_t *hash;  // [places]
  uint32_t *order; // [places]
} twins;

enum { PRE, POST, INHIBITOR, KINDS };

static tl_arcs arcs_of (const tl_net *net, uint32_t t, uint64_t kind) {
  return kind == PRE    ? tl_net_pre (net, t)
         : kind == POST ? tl_net_post (net, t)
                        : tl_net_inhibitors (net, t);
}

// Counts the touches of each place, or with `list` writes them down.
static void go_through (twins *x, bool list) {
  for (uint32_t t = 0; t < x->net->transitions; t++)
    for (uint64_t kind = PRE; kind < KINDS; kind++) {
      const tl_arcs arcs = arcs_of (x->net, t, kind);
      for (uint32_t i = 0; i < arcs.count; i++) {
        const uint32_t p = arcs.arc[i].place;
        if (list)
          x->touch[x->at[p]++] = (touch){t, arcs.arc[i].weight, kind};
        else
          x->start[p + 1]++;
      }
    }
}

static void list_touches (twins *x) {
  const uint32_t places = x->net->places;
  go_through (x, false);
  for (uint32_t p = 0; p < places; p++) {
    x->start[p + 1] += x->start[p];
    x->at[p] = x->start[p];
    x->order[p] = p;
  }
  go_through (x, true);
  for (uint32_t p = 0; p < places; p++)
    for (uint64_t i = x->start[p]; i < x->start[p + 1]; i++)
      x->hash[p] = tl_mix (x->hash[p] ^ x->touch[i].transition ^
                           (uint64_t)x->touch[i].weight << 32) +
                   x->touch[i].kind;
}

static bool same (const twins *x, uint32_t p, uint32_t q) {
  const uint64_t count = x->start[p + 1] - x->start[p];
  return count == x->start[q + 1] - x->start[q] &&
         !memcmp (x->touch + x->start[p], x->touch + x->start[q],
                  count * sizeof *x->touch);
}

static bool has_inhibitor (const twins *x, uint32_t p) {
  for (uint64_t i = x->start[p]; i < x->start[p + 1]; i++)
    if (x->touch[i].kind == INHIBITOR)
      return true;
  return false;
}

static int by_hash (const void *a, const void *b, void *context) {
  const twins *x = context;
  const uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
  const uint32_t m = x->net->initial[p], n = x->net->initial[q];
  if (x->hash[p] != x->hash[q])
    return x->hash[p] < x->hash[q] ? -1 : 1;
  return m != n ? (m > n) - (m < n) : (p > q) - (p < q);
}

// Beside each other in the order; the first has the fewest tokens.
static void pair (twins *x, uint32_t *follows) {
  const uint32_t places = x->net->places;
  qsort_r (x->order, places, sizeof *x->order, by_hash, x);
  for (uint32_t i = 0; i < places; i++)
    follows[i] = i;
  for (uint32_t i = 1; i < places; i++) {
    const uint32_t p = x->order[i], first = follows[x->order[i - 1]];
    if (same (x, p, first) && !has_inhibitor (x, p))
      follows[p] = first;
  }
}

tl_status tl_twins_find (tl_mem *mem, const tl_net *net, uint32_t *follows) {
  const size_t places = (size_t)net->places + 1, arcs = net->arcs + 1;
  twins x = {.net = net};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, x.start, places) && TL_NEW (mem, x.at, places) &&
      TL_NEW (mem, x.touch, arcs) && TL_NEW (mem, x.hash, places) &&
      TL_NEW (mem, x.order, places)) {
    list_touches (&x);
    pair (&x, follows);
    rc = TL_OK;
  }
  TL_DEL (mem, x.start, places);
  TL_DEL (mem, x.at, places);
  TL_DEL (mem, x.touch, arcs);
  TL_DEL (mem, x.hash, places);
  TL_DEL (mem, x.order, places);
  return rc;
}
