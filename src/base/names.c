#include "base/names.h"

#include <string.h>
#include <sys/random.h>
#include <xxhash.h>

static size_t find_slot (const struct tl_name *slots, size_t capacity,
                         uint64_t seed, const char *text) {
  size_t i =
      (size_t)XXH3_64bits_withSeed (text, strlen (text), seed) & (capacity - 1);
  while (slots[i].text && strcmp (slots[i].text, text))
    i = (i + 1) & (capacity - 1);
  return i;
}

uint32_t tl_names_find (const tl_names *names, const char *text) {
  if (!names->capacity)
    return TL_NO_NAME;
  const struct tl_name *slot =
      names->slots +
      find_slot (names->slots, names->capacity, names->seed, text);
  return slot->text ? slot->value : TL_NO_NAME;
}

// Where no random number is to be had, that of a place in memory.
static uint64_t new_seed (const tl_names *names) {
  uint64_t seed;
  return getrandom (&seed, sizeof seed, GRND_NONBLOCK) == sizeof seed
             ? seed
             : (uint64_t)(uintptr_t)names;
}

static tl_status grow (tl_names *names) {
  const size_t capacity = names->capacity ? 2 * names->capacity : 16;
  struct tl_name *slots;
  if (!TL_NEW (names->mem, slots, capacity))
    return TL_E_NOMEM;
  if (!names->capacity)
    names->seed = new_seed (names);
  for (size_t i = 0; i < names->capacity; i++)
    if (names->slots[i].text)
      slots[find_slot (slots, capacity, names->seed, names->slots[i].text)] =
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
      names->slots +
      find_slot (names->slots, names->capacity, names->seed, text);
  *added = !slot->text;
  if (*added) {
    *slot = (struct tl_name){text, *value};
    names->count++;
  }
  *value = slot->value;
  return TL_OK;
}

void tl_names_set (tl_names *names, const char *text, uint32_t value) {
  names->slots[find_slot (names->slots, names->capacity, names->seed, text)]
      .value = value;
}

void tl_names_close (tl_names *names) {
  TL_DEL (names->mem, names->slots, names->capacity);
  *names = TL_NAMES (names->mem);
}
