#include "base/names.h"

#include <string.h>
#include <xxhash.h>

static size_t find_slot (const struct tl_name *slots, size_t capacity,
                         const char *text) {
  size_t i = (size_t)XXH3_64bits (text, strlen (text)) & (capacity - 1);
  while (slots[i].text && strcmp (slots[i].text, text))
    i = (i + 1) & (capacity - 1);
  return i;
}

uint32_t tl_names_find (const tl_names *names, const char *text) {
  if (!names->capacity)
    return TL_NO_NAME;
  const struct tl_name *slot =
      names->slots + find_slot (names->slots, names->capacity, text);
  return slot->text ? slot->value : TL_NO_NAME;
}

static tl_status grow (tl_names *names) {
  const size_t capacity = names->capacity ? 2 * names->capacity : 16;
  struct tl_name *slots;
  if (!TL_NEW (names->mem, slots, capacity))
    return TL_E_NOMEM;
  for (size_t i = 0; i < names->capacity; i++)
    if (names->slots[i].text)
      slots[find_slot (slots, capacity, names->slots[i].text)] =
          names->slots[i];
  TL_DEL (names->mem, names->slots, names->capacity);
  names->slots = slots;
  names->capacity = capacity;
  return TL_OK;
}

tl_status tl_names_add (tl_names *names, const char *text, uint32_t *value,
                        bool *added) {
  if (2 * (names->count + 1) > names->capacity) {
    const tl_status rc = grow (names);
    if (rc)
      return rc;
  }
  struct tl_name *slot =
      names->slots + find_slot (names->slots, names->capacity, text);
  *added = !slot->text;
  if (*added) {
    *slot = (struct tl_name){text, *value};
    names->count++;
  }
  *value = slot->value;
  return TL_OK;
}

void tl_names_close (tl_names *names) {
  TL_DEL (names->mem, names->slots, names->capacity);
  *names = TL_NAMES (names->mem);
}
