#include "explore/least.h"

#include <assert.h>
#include <string.h>

enum {
  SLOTS = 2 * TL_BFS_ROOM,
  TELLS = 64, // successors of a batch say whether it pays
  PAYS = 8,   // one mark in so many moves, or it does not; nor where a move
              // puts less than one more transition to sleep
  REST = 31   // batches for which it does not, then
};

static_assert (!(SLOTS & (SLOTS - 1)) && TL_BFS_ROOM < UINT16_MAX,
               "a slot is told by some bits of a hash");

// Whoever is there is either the key, which has a mark, or none.
static inline __attribute__ ((always_inline)) uint16_t *
find (tl_least *l, const uint64_t *keys, size_t i, uint32_t words) {
  const uint64_t *key = keys + i * words;
  uint64_t hash = 0;
  for (uint32_t w = 0; w < words; w++)
    hash = (hash ^ key[w]) * 0x9e3779b97f4a7c15u;
  for (size_t at = hash >> 32;; at++) {
    uint16_t *slot = l->slot + at % SLOTS;
    if (!*slot ||
        !memcmp (keys + (*slot - 1u) * (size_t)words, key, words * sizeof *key))
      return slot;
  }
}

static inline __attribute__ ((always_inline)) void
choose (tl_least *l, const tl_sleep *sleep, const uint64_t *keys,
        uint32_t words, const uint32_t *events, uint8_t *isnew, size_t count) {
  size_t added = 0, moved = 0, before = 0, after = 0;
  memset (l->slot, 0, sizeof l->slot);
  for (size_t i = 0; i < count; i++) {
    uint16_t *slot = find (l, keys, i, words);
    if (isnew[i])
      added++;
    else if (!*slot || events[i] >= events[*slot - 1])
      continue;
    else {
      before += tl_sleep_size (sleep, events[*slot - 1]);
      after += tl_sleep_size (sleep, events[i]);
      isnew[*slot - 1] = 0;
      isnew[i] = 1;
      moved++;
    }
    *slot = (uint16_t)(i + 1);
  }
  const bool pays = moved * PAYS >= added && after >= before + moved;
  l->rest = count >= TELLS && !pays ? REST : 0;
}

void tl_least_choose (tl_least *l, const tl_sleep *sleep, const uint64_t *keys,
                      uint32_t words, const uint32_t *events, uint8_t *isnew,
                      size_t count) {
  assert (count <= TL_BFS_ROOM);
  if (l->rest)
    l->rest--;
  else if (words == 1)
    choose (l, sleep, keys, 1, events, isnew, count);
  else
    choose (l, sleep, keys, words, events, isnew, count);
}
