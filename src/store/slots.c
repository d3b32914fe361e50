#include "store/slots.h"

#include <assert.h>
#include <string.h>

static size_t bytes_of (uint64_t homes) {
  return (size_t)(homes + tl_slots_tail (homes)) * sizeof (uint64_t);
}

static uint64_t room_of (uint64_t homes) {
  return homes / 4 * 3;
}

tl_status tl_slots_open (tl_slots *s, tl_mem *mem, uint64_t mask, bool lean) {
  *s = (tl_slots){.mask = mask, .homes = lean ? TL_SLOTS_FEW : TL_SLOTS_FIRST};
  tl_status rc = TL_OK;
  if (lean)
    tl_map_open_small (&s->map, mem);
  else
    rc = tl_map_open (&s->map, mem);
  if (!rc && (rc = tl_map_grow (&s->map, bytes_of (s->homes))))
    tl_map_close (&s->map);
  s->slot = (uint64_t *)s->map.base;
  s->room = room_of (s->homes);
  return rc;
}

void tl_slots_close (tl_slots *s) {
  tl_map_close (&s->map);
  *s = (tl_slots){0};
}

static void insert (tl_slots *s, uint64_t value) {
  uint64_t home = tl_slots_home (s, value), at = home;
  while (s->slot[at])
    at++;
  tl_slots_fill (s, home, at, value);
}

// Spreads the values over `homes` homes.  Values near the lower end may lie
// further from their home than the growth moves that home; they wait outside
// until the others have moved.
static tl_status spread (tl_slots *s, uint64_t homes) {
  const uint64_t old_end = tl_slots_end (s), far = s->furthest;
  const uint64_t step = (homes - s->homes) ? homes - s->homes : 1;
  const unsigned __int128 reach =
      far + (unsigned __int128)(far + 2) * s->homes / step + 2;
  const uint64_t prefix = reach < old_end ? (uint64_t)reach : old_end;
  uint64_t *waiting;
  if (!TL_NEW (s->map.mem, waiting, prefix))
    return TL_E_NOMEM;
  const tl_status rc = tl_map_grow (&s->map, bytes_of (homes));
  s->slot = (uint64_t *)s->map.base;
  if (!rc) {
    memcpy (waiting, s->slot, prefix * sizeof *waiting);
    memset (s->slot, 0, prefix * sizeof *waiting);
    s->homes = homes;
    s->room = room_of (homes);
    s->count = s->furthest = 0;
    for (uint64_t i = old_end; i-- > prefix;) {
      const uint64_t value = s->slot[i];
      if (!value)
        continue;
      s->slot[i] = 0;
      assert (tl_slots_home (s, value) >= i);
      insert (s, value);
    }
    for (uint64_t i = 0; i < prefix; i++)
      if (waiting[i])
        insert (s, waiting[i]);
  }
  TL_DEL (s->map.mem, waiting, prefix);
  return rc;
}

// Double while that is cheap, then by half, then by less where the account is
// nearly spent.
static const unsigned eighths[] = {8, 4, 2, 1};

static unsigned first_try (const tl_slots *s) {
  return s->homes < (uint64_t)1 << 24 ? 0 : 1;
}

static uint64_t more_homes (const tl_slots *s, unsigned try) {
  return s->homes + s->homes / 8 * eighths[try];
}

void tl_slots_reserve (tl_slots *s) {
  tl_map_grow (&s->map, bytes_of (more_homes (s, first_try (s))));
  s->slot = (uint64_t *)s->map.base;
}

tl_status tl_slots_grow (tl_slots *s) {
  for (unsigned i = first_try (s); i < 4; i++)
    if (!spread (s, more_homes (s, i)))
      return TL_OK;
  // No memory: fill the table up further as long as probing stays short.
  if (s->count < s->homes / 16 * 15 &&
      s->furthest <= tl_slots_tail (s->homes) / 2) {
    s->room = s->homes / 16 * 15;
    return TL_OK;
  }
  return TL_E_NOMEM;
}
