#include "colour/waiting.h"

#include <string.h>

tl_status tl_waiting_open (tl_waiting *w, tl_mem *mem, const tl_cplace *place,
                           uint32_t places) {
  *w = (tl_waiting){.mem = mem, .places = places};
  if (!TL_NEW (mem, w->wanted, places) || !TL_NEW (mem, w->list, places))
    return TL_E_NOMEM;
  for (uint32_t p = 0; p < places; p++)
    tl_token_set_open (w->wanted + p, mem, place + p);
  return TL_OK;
}

void tl_waiting_close (tl_waiting *w) {
  for (uint32_t p = 0; p < w->places; p++) {
    if (w->wanted)
      tl_token_set_close (w->wanted + p);
    if (w->list)
      TL_DEL (w->mem, w->list[p].first, w->list[p].room);
  }
  TL_DEL (w->mem, w->wanted, w->places);
  TL_DEL (w->mem, w->list, w->places);
  TL_DEL (w->mem, w->waiter, w->waiter_room);
  TL_DEL (w->mem, w->cell, w->cell_room);
}

tl_status tl_waiting_add (tl_waiting *w, uint32_t place, const tl_cell *token,
                          uint32_t transition, const tl_cell *binding,
                          uint32_t cells) {
  uint32_t number;
  struct tl_waiting_list *const list = w->list + place;
  const tl_status s = tl_token_add (w->wanted + place, token, &number);
  if (s)
    return s;
  if (w->waiters >= UINT32_MAX)
    return TL_E_LIMIT;
  if (!TL_ROOM (w->mem, list->first, &list->room, (size_t)number + 1) ||
      !TL_ROOM (w->mem, w->waiter, &w->waiter_room, w->waiters + 1) ||
      !TL_ROOM (w->mem, w->cell, &w->cell_room, w->cells + cells))
    return TL_E_NOMEM;
  if (cells)
    memcpy (w->cell + w->cells, binding, cells * sizeof *binding);
  w->waiter[w->waiters] =
      (tl_waiter){transition, list->first[number], w->cells};
  w->cells += cells;
  list->first[number] = (uint32_t)++w->waiters;
  return TL_OK;
}

void tl_waiting_wake (tl_waiting *w, uint32_t place, const tl_cell *token) {
  if (!w->wanted[place].count)
    return;
  const uint32_t number = tl_token_find (w->wanted + place, token);
  if (number == TL_NO_TOKEN)
    return;
  uint32_t *const first = w->list[place].first + number;
  while (*first) {
    tl_waiter *const one = w->waiter + *first - 1;
    const uint32_t next = one->next;
    one->next = w->ready;
    w->ready = *first;
    *first = next;
  }
}

const tl_waiter *tl_waiting_next (tl_waiting *w) {
  if (!w->ready)
    return 0;
  const tl_waiter *const one = w->waiter + w->ready - 1;
  w->ready = one->next;
  return one;
}
