#include "machine/parts.h"
#include "net/origin.h"
#include "structure/equation.h"

// How many tokens a place has in all, at least and at most: what the state
// equation of the unfolded net says of the sum over its colours.  It is proven
// in integers (structure/equation.h), so that codes can be built on it.

// About how long it takes at most.
#define SECONDS 0.3

// The sum of the tokens of a place, each counting as much as `factor`; true:
// it is never less.
static bool least_of (tl_equation *e, tl_entry *room, uint32_t first,
                      uint32_t end, int64_t factor, int64_t *least) {
  for (uint32_t i = first; i < end; i++)
    room[i - first] = (tl_entry){.index = i, .factor = factor};
  return tl_equation_least (e, (tl_vector){room, end - first}, least);
}

static void bound_place (tl_equation *e, const tl_origin *o, uint32_t place,
                         tl_entry *room, tl_place_code *code) {
  const uint32_t first = o->place_first[place], end = o->place_first[place + 1];
  int64_t least;
  if (first == end) { // it is never marked
    tl_place_code_bound (code, 0, 0);
    return;
  }
  if (least_of (e, room, first, end, -1, &least))
    tl_place_code_bound (code, 0, (uint64_t)-least);
  if (least_of (e, room, first, end, 1, &least) && least > 0)
    tl_place_code_bound (code, (uint64_t)least, TL_CODE_ENDLESS);
}

tl_status tl_coded_bound (tl_machine *m, const tl_net *net,
                          const tl_incidence *incidence) {
  tl_equation *e;
  tl_entry *room;
  if (!TL_NEW (m->mem, room, (size_t)net->places + 1))
    return TL_E_NOMEM;
  tl_status rc =
      tl_equation_open (&e, m->mem, incidence, net->initial, SECONDS);
  for (uint32_t p = 0; !rc && p < m->places; p++)
    if (!m->coded.redundant[p])
      bound_place (e, net->origin, p, room, m->coded.code + p);
  if (!rc)
    tl_equation_close (e);
  TL_DEL (m->mem, room, (size_t)net->places + 1);
  return rc == TL_E_NOMEM ? TL_E_NOMEM : TL_OK; // what is not known is not used
}
