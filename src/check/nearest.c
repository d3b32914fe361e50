#include "check/nearest.h"

#include "logic/bracket.h"

tl_status tl_nearest_open (tl_nearest *n, tl_arena *arena, tl_vantage *vantage,
                           const tl_formula *goal, bool opposite) {
  const tl_net *net = vantage->space->search->net;
  *n = (tl_nearest){.vantage = vantage};
  if (!tl_net_has_arcs (net))
    return TL_OK;
  tl_formula *f = (tl_formula *)goal;
  f = opposite ? tl_formula_negate (arena, f) : f;
  f = f ? tl_formula_above (arena, f, TL_NEXT_CTL) : 0;
  if (!f)
    return TL_E_NOMEM;
  n->guided = f->op != TL_TRUE && f->op != TL_FALSE;
  tl_mem *mem = vantage->space->mem;
  return n->guided && (tl_distance_open (&n->distance, mem, net, f) ||
                       tl_effort_open (&n->effort, mem, net, f))
             ? TL_E_NOMEM
             : TL_OK;
}

void tl_nearest_close (tl_nearest *n) {
  if (!n->vantage)
    return;
  TL_DEL (n->vantage->space->mem, n->heap, n->room);
  if (n->distance.mem)
    tl_distance_close (&n->distance);
  tl_effort_close (&n->effort);
}

void tl_nearest_clear (tl_nearest *n) {
  n->count = 0;
  n->turns = 0;
  n->by_effort = !n->by_effort;
}

static uint64_t rank (tl_nearest *n, uint64_t state) {
  return !n->guided     ? 0
         : n->by_effort ? tl_vantage_effort (n->vantage, &n->effort, state)
                        : tl_vantage_distance (n->vantage, &n->distance, state);
}

static bool is_before (const tl_near *a, const tl_near *b) {
  return a->rank != b->rank ? a->rank < b->rank : a->turn < b->turn;
}

bool tl_nearest_push (tl_nearest *n, uint64_t state) {
  if (!TL_ROOM (n->vantage->space->mem, n->heap, &n->room, n->count + 1))
    return false;
  const tl_near new = {rank (n, state), n->turns++, (uint32_t)state};
  size_t at = n->count++;
  for (; at && is_before (&new, n->heap + (at - 1) / 2); at = (at - 1) / 2)
    n->heap[at] = n->heap[(at - 1) / 2];
  n->heap[at] = new;
  return true;
}

bool tl_nearest_pop (tl_nearest *n, uint64_t *state) {
  if (!n->count)
    return false;
  *state = n->heap[0].state;
  const tl_near last = n->heap[--n->count];
  size_t at = 0;
  for (size_t next; (next = 2 * at + 1) < n->count; at = next) {
    next +=
        next + 1 < n->count && is_before (n->heap + next + 1, n->heap + next);
    if (!is_before (n->heap + next, &last))
      break;
    n->heap[at] = n->heap[next];
  }
  n->heap[at] = last;
  return true;
}
