#include "machine/parts.h"

#include <string.h>

// Initial markings, and places whose marking is told by those of others as it
// is initially (colour/coloured.h).

// Shows the bag as the marking of the place.
static tl_status show_bag (tl_machine *m, uint32_t place) {
  const tl_multiset *bag = &m->bag;
  const uint32_t cells = m->coloured->place[place].cells;
  uint32_t count = 0;
  m->shown[place] = 0;
  if (!TL_ROOM (m->mem, m->cells[place], m->cell_room + place,
                (size_t)bag->set.count * cells + 1) ||
      !TL_ROOM (m->mem, m->many[place], m->many_room + place,
                (size_t)bag->set.count + 1))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < bag->set.count; i++) {
    if (!bag->many[i])
      continue;
    if (cells)
      memcpy (m->cells[place] + (size_t)count * cells,
              tl_token_at (&bag->set, i), cells * sizeof (tl_cell));
    m->many[place][count++] = (uint32_t)bag->many[i];
  }
  m->marking[place] = (tl_tokens){m->cells[place], m->many[place], count};
  return TL_OK;
}

// What the initial marking of a place says in the marking that is shown.
static tl_status say (tl_machine *m, const tl_cplace *p) {
  m->evaluation.marking = m->marking;
  const tl_status rc =
      tl_multiset_of (&m->bag, &m->evaluation, p, &p->initial, m->frame);
  m->evaluation.marking = 0;
  return rc;
}

tl_status tl_machine_initial (tl_machine *m, uint32_t place) {
  const tl_cplace *p = m->coloured->place + place;
  m->derives |= p->derived;
  const tl_status rc = say (m, p);
  return rc ? rc : show_bag (m, place);
}

tl_status tl_machine_derive (tl_machine *m, uint32_t place,
                             const uint32_t *state) {
  tl_status rc = TL_OK;
  for (uint32_t q = 0; !rc && q < place; q++)
    rc = tl_machine_show_local (m, q, state[q]);
  return rc ? rc : say (m, m->coloured->place + place);
}
