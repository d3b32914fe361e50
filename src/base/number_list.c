#include "base/number_list.h"

// The numbers so far, in eight bytes each.
static bool widen (tl_numbers *n, tl_mem *mem) {
  const uint32_t *narrow = n->at;
  uint64_t *wide;
  if (!TL_NEW (mem, wide, n->room))
    return false;
  for (size_t i = 0; i < n->room; i++)
    wide[i] = narrow[i];
  tl_numbers_close (n, mem);
  n->at = wide;
  n->wide = true;
  return true;
}

bool tl_numbers_grow (tl_numbers *n, tl_mem *mem, size_t count, uint64_t most) {
  const size_t room = n->room;
  if (!n->wide && most > TL_NARROW_MOST) {
    if (n->at && !widen (n, mem))
      return false;
    n->wide = true;
    n->room = room;
  }
  if (n->wide) {
    uint64_t *at = n->at;
    const bool grown = TL_ROOM (mem, at, &n->room, count);
    n->at = at;
    return grown;
  }
  uint32_t *at = n->at;
  const bool grown = TL_ROOM (mem, at, &n->room, count);
  n->at = at;
  return grown;
}

void tl_numbers_close (tl_numbers *n, tl_mem *mem) {
  if (n->wide) {
    uint64_t *at = n->at;
    TL_DEL (mem, at, n->room);
  } else {
    uint32_t *at = n->at;
    TL_DEL (mem, at, n->room);
  }
  *n = (tl_numbers){.wide = n->wide};
}
