#include "base/intern.h"

#include <string.h>
#include <xxhash.h>

enum { FIRST_SLOTS = 64 };

static uint64_t hash_of (const uint32_t *list, size_t length) {
  return XXH3_64bits (list, length * sizeof *list);
}

// The slot of the list, or the empty one where it belongs.
static size_t find (const tl_intern *t, const uint32_t *list, size_t length) {
  size_t at = (size_t)hash_of (list, length) & (t->slots - 1);
  for (; t->slot[at]; at = (at + 1) & (t->slots - 1)) {
    const uint32_t number = t->slot[at] - 1;
    if (tl_intern_length (t, number) == length &&
        (!length ||
         !memcmp (tl_intern_list (t, number), list, length * sizeof *list)))
      break;
  }
  return at;
}

// At least a quarter of the slots is empty.
static tl_status make_slots (tl_intern *t) {
  if (t->slots && t->count < t->slots / 4 * 3)
    return TL_OK;
  const size_t more = t->slots ? 2 * t->slots : FIRST_SLOTS;
  uint32_t *slot;
  if (!TL_NEW (t->mem, slot, more))
    return TL_E_NOMEM;
  if (t->slot)
    TL_DEL (t->mem, t->slot, t->slots);
  t->slot = slot;
  t->slots = more;
  for (uint32_t i = 0; i < t->count; i++)
    t->slot[find (t, tl_intern_list (t, i), tl_intern_length (t, i))] = i + 1;
  return TL_OK;
}

tl_status tl_intern_put (tl_intern *t, const uint32_t *list, size_t length,
                         uint32_t *number) {
  if (make_slots (t))
    return TL_E_NOMEM;
  const size_t at = find (t, list, length);
  if (t->slot[at]) {
    *number = t->slot[at] - 1;
    return TL_OK;
  }
  if (t->count == UINT32_MAX - 1)
    return TL_E_LIMIT;
  if (!TL_ROOM (t->mem, t->word, &t->word_room, t->words + length + 1) ||
      !TL_ROOM (t->mem, t->start, &t->start_room, (size_t)t->count + 2))
    return TL_E_NOMEM;
  if (length)
    memcpy (t->word + t->words, list, length * sizeof *list);
  t->words += length;
  t->start[t->count + 1] = t->words;
  *number = t->count++;
  t->slot[at] = t->count;
  return TL_OK;
}

uint32_t tl_intern_find (const tl_intern *t, const uint32_t *list,
                         size_t length) {
  if (!t->slots)
    return TL_NO_NUMBER;
  const uint32_t slot = t->slot[find (t, list, length)];
  return slot ? slot - 1 : TL_NO_NUMBER;
}

void tl_intern_close (tl_intern *t) {
  if (t->word)
    TL_DEL (t->mem, t->word, t->word_room);
  if (t->start)
    TL_DEL (t->mem, t->start, t->start_room);
  if (t->slot)
    TL_DEL (t->mem, t->slot, t->slots);
  *t = TL_INTERN (t->mem);
}
