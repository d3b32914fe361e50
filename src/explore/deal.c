#include "explore/deal.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

enum {
  CLASSES = 64, // of events, at most
  BOUNDS = 4096 // of classes of all shards, at most: they are counted in each
                // round
};

// Those of all shards, and one for what belongs nowhere.
static size_t most_piles (const tl_deal *r) {
  return (size_t)r->shards * r->stores * r->classes + 1;
}

// How many classes there are for so many events.
static uint32_t choose_classes (size_t shards, uint32_t events) {
  uint32_t classes = events < CLASSES ? events : CLASSES;
  while (classes > 1 && classes * shards > BOUNDS)
    classes /= 2;
  return classes ? classes : 1;
}

tl_status tl_deal_open (tl_deal *r, tl_mem *mem, uint32_t shards,
                        uint32_t stores, size_t room, uint32_t key_words,
                        uint32_t events) {
  const uint32_t classes = choose_classes ((size_t)shards * stores, events);
  *r = (tl_deal){.mem = mem,
                 .room = room,
                 .shards = shards,
                 .stores = stores,
                 .classes = classes,
                 .scale = events ? ((uint64_t)classes << 32) / events : 0,
                 .key_words = key_words};
  const size_t piles = most_piles (r);
  if (TL_NEW (mem, r->split, room * key_words) &&
      TL_NEW (mem, r->parts, room * key_words) &&
      TL_NEW (mem, r->shard, room) && TL_NEW (mem, r->origin, room) &&
      TL_NEW (mem, r->put, room) && TL_NEW (mem, r->isnew, room) &&
      TL_NEW (mem, r->next, piles) && TL_NEW (mem, r->end, piles) &&
      TL_NEW (mem, r->left, piles))
    return TL_OK;
  tl_deal_close (r);
  return TL_E_NOMEM;
}

void tl_deal_close (tl_deal *r) {
  tl_mem *mem = r->mem;
  if (!mem)
    return;
  TL_DEL (mem, r->split, r->room * r->key_words);
  TL_DEL (mem, r->parts, r->room * r->key_words);
  TL_DEL (mem, r->shard, r->room);
  TL_DEL (mem, r->origin, r->room);
  TL_DEL (mem, r->put, r->room);
  TL_DEL (mem, r->isnew, r->room);
  TL_DEL (mem, r->next, most_piles (r));
  TL_DEL (mem, r->end, most_piles (r));
  TL_DEL (mem, r->left, most_piles (r));
  *r = (tl_deal){0};
}

void tl_deal_begin (tl_deal *r, size_t count) {
  memset (r->isnew, 0, count);
  r->added = 0;
}

// Where the parts of each pile begin, by how many there are.
static void find_ends (tl_deal *r) {
  uint32_t sum = 0;
  for (uint32_t s = 0; s <= r->piles; s++) {
    r->next[s] = sum;
    sum += r->end[s];
    r->end[s] = r->next[s];
  }
}

static inline __attribute__ ((always_inline)) void
move_parts (tl_deal *r, size_t count, uint32_t words) {
  for (size_t i = 0; i < count; i++) {
    const uint32_t at = r->end[r->shard[i]]++;
    r->origin[at] = (uint32_t)i;
    tl_copy_words (r->parts + at * (size_t)words, r->split + i * words, words);
  }
}

// The classes of a shard are one pile again.
static void join_classes (tl_deal *r) {
  r->piles /= r->classes;
  for (uint32_t s = 0; s <= r->piles; s++) {
    const uint32_t last = s < r->piles ? r->classes - 1 : 0;
    r->next[s] = r->next[s * r->classes];
    r->end[s] = r->end[s * r->classes + last];
  }
}

// The pile of each key is known, and how many each has.
static void sort (tl_deal *r, size_t count, uint32_t first) {
  find_ends (r);
  if (r->words == 1)
    move_parts (r, count, 1);
  else
    move_parts (r, count, r->words);
  for (uint32_t i = r->next[r->piles]; i < r->end[r->piles]; i++)
    r->isnew[r->origin[i]] = TL_DEAL_WAITS;
  if (r->classes > 1)
    join_classes (r);
  r->lefts = 0;
  for (uint32_t i = 0; i < r->piles; i++) {
    const uint32_t s = first + i < r->piles ? first + i : first + i - r->piles;
    r->left[r->lefts] = s;
    r->lefts += r->next[s] < r->end[s];
  }
}

static void empty_piles (tl_deal *r, uint32_t count) {
  r->piles = count;
  memset (r->end, 0, (count + 1) * sizeof *r->end);
}

// The pile of each key is that of its shard and of the class of its event.
static void classify (tl_deal *r, const uint32_t *events, size_t count) {
  const uint32_t classes = r->classes;
  for (size_t i = 0; i < count; i++)
    r->shard[i] = (uint16_t)(r->shard[i] * classes +
                             (uint32_t)(events[i] * r->scale >> 32));
}

void tl_deal_sort (tl_deal *r, tl_shards *const *shards, const uint64_t *keys,
                   const uint32_t *events, size_t count, uint32_t first) {
  r->of = shards;
  r->words = tl_shards_words (*shards);
  tl_shards_split (*shards, keys, count, r->shard, r->split);
  if (r->classes > 1)
    classify (r, events, count);
  empty_piles (r, r->shards * r->classes);
  for (size_t i = 0; i < count; i++)
    r->end[r->shard[i]]++;
  sort (r, count, first);
}

void tl_deal_sort_among (tl_deal *r, tl_shards *const *shards, uint32_t stores,
                         const uint16_t *store, const uint64_t *keys,
                         size_t count, uint32_t first) {
  assert (stores <= r->stores && stores * r->shards < TL_DEAL_NOWHERE);
  r->of = shards;
  empty_piles (r, stores * r->shards);
  if (stores) {
    r->words = tl_shards_words (*shards);
    tl_shards_split (*shards, keys, count, r->shard, r->split);
  }
  for (size_t i = 0; i < count; i++) {
    const uint32_t pile = store[i] == TL_DEAL_NOWHERE
                              ? r->piles
                              : store[i] * r->shards + r->shard[i];
    r->shard[i] = (uint16_t)pile;
    r->end[pile]++;
  }
  sort (r, count, first);
}

// Puts what belongs to a shard that is claimed.
static tl_status put_some (tl_deal *r, uint32_t s, bool patient) {
  const uint32_t from = r->next[s];
  tl_batch batch = {.count = r->end[s] - from,
                    .keys = r->parts + from * (size_t)r->words,
                    .isnew = r->put + from,
                    .patient = patient};
  const tl_status rc =
      tl_shards_put (r->of[s / r->shards], s % r->shards, &batch);
  for (size_t i = from; i < from + batch.done; i++) {
    r->isnew[r->origin[i]] |= r->put[i];
    r->added += r->put[i];
  }
  r->next[s] += (uint32_t)batch.done;
  return rc;
}

// Claims a shard, and calls for what its keys will look at.  False: somebody
// else has it.
static bool claim (tl_deal *r, uint32_t s, bool wait) {
  tl_shards *shards = r->of[s / r->shards];
  const uint32_t number = s % r->shards, from = r->next[s];
  if (wait)
    tl_shards_claim (shards, number);
  else if (!tl_shards_try (shards, number))
    return false;
  tl_shards_call (shards, number, r->parts + from * (size_t)r->words,
                  r->end[s] - from);
  return true;
}

// Puts what belongs to a shard that was claimed, unless there was no memory for
// the one before.
static tl_status finish (tl_deal *r, uint32_t s, bool patient, tl_status rc) {
  if (!rc)
    rc = put_some (r, s, patient);
  tl_shards_release (r->of[s / r->shards], s % r->shards);
  if (rc)
    r->left[r->lefts++] = s;
  return rc;
}

// One pass over the shards that are left.  With `wait` the first is waited for.
// A shard is claimed before the one before it is put to, so that its memory is
// on the way then; who has a shard waits for no other.
static tl_status pass (tl_deal *r, bool patient, bool wait) {
  const uint32_t count = r->lefts;
  tl_status rc = TL_OK;
  bool has = false;
  uint32_t last = 0;
  r->lefts = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t s = r->left[i];
    if (rc || !claim (r, s, wait && !i)) {
      r->left[r->lefts++] = s;
      continue;
    }
    if (has)
      rc = finish (r, last, patient, rc);
    has = true;
    last = s;
  }
  return has ? finish (r, last, patient, rc) : rc;
}

// Keys that are still to be put.
static size_t waiting (const tl_deal *r) {
  size_t count = 0;
  for (uint32_t i = 0; i < r->lefts; i++)
    count += r->end[r->left[i]] - r->next[r->left[i]];
  return count;
}

// Goes on until at most so many are left, and there is no more to be done
// without waiting.
static tl_status put_until (tl_deal *r, bool patient, size_t most) {
  tl_status rc = TL_OK;
  bool wait = false;
  while (!rc && r->lefts) {
    const uint32_t before = r->lefts;
    rc = pass (r, patient, wait);
    wait = r->lefts == before;
    if (wait && waiting (r) <= most)
      break;
  }
  return rc;
}

tl_status tl_deal_put (tl_deal *r, bool patient) {
  return put_until (r, patient, 0);
}

void tl_deal_leave (tl_deal *r) {
  for (uint32_t i = 0; i < r->lefts; i++) {
    const uint32_t s = r->left[i];
    for (uint32_t k = r->next[s]; k < r->end[s]; k++)
      r->isnew[r->origin[k]] = TL_DEAL_WAITS;
  }
}

tl_status tl_deal_put_free (tl_deal *r, bool patient, size_t most) {
  const tl_status rc = put_until (r, patient, most);
  if (!rc)
    tl_deal_leave (r);
  return rc;
}

// Which these are is hard to predict: no branch.
size_t tl_deal_marked (tl_deal *r, size_t count, const uint32_t **list) {
  size_t n = 0;
  for (size_t i = 0; i < count; i++) {
    r->origin[n] = (uint32_t)i;
    n += r->isnew[i] != 0;
  }
  *list = r->origin;
  return n;
}
