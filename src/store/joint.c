#include "store/joint.h"

#include "base/tuning.h"
#include "store/kinds.h"
#include "store/plain.h"

// The slot of a candidate: place says which of the round it is.
//
//     | 30 bits of hash | 1 | list, 13 bits | key, 20 bits |

enum { PLACE_BITS = TL_JOINT_LIST_BITS + TL_JOINT_KEY_BITS };
#define CANDIDATE ((uint64_t)1 << PLACE_BITS)
_Static_assert(PLACE_BITS + 1 == TL_NUMBER_BITS, "a place is as a number");

enum {
  ROOM_AT_ONCE = 64, // slots
  FAR = 16           // candidates: so soon the memory of one is called for
};

static tl_plain *plain_of (const tl_joint *j) {
  return (tl_plain *)j->store;
}

static uint64_t place_of (uint32_t list, size_t key) {
  return (uint64_t)list << TL_JOINT_KEY_BITS | key;
}

static size_t words_of (const tl_joint *j) {
  return j->store->spec.key_words;
}

bool tl_joint_suits (const tl_store *store) {
  return store->kind == &tl_store_plain && store->get &&
         store->count < CANDIDATE / 2;
}

// As full as tables get.
static uint64_t most_slots (const tl_slots *s) {
  return s->homes / 8 * 7;
}

// New memory comes page by page, each of which the system clears: by all
// threads that is sooner done.
typedef struct touching {
  const tl_map *map;
  size_t from, part;
} touching;

static void touch (void *context, unsigned who) {
  const touching *t = context;
  const size_t from = t->from + who * t->part;
  tl_map_touch (t->map, from, from + t->part);
}

static tl_status grow (tl_joint *j) {
  tl_slots *s = &plain_of (j)->slots;
  touching t = {&s->map, s->map.size, 0};
  tl_slots_reserve (s);
  t.part = (s->map.size - t.from) / tl_threads_size (j->team) + 1;
  tl_threads_run (j->team, touch, &t);
  return tl_slots_grow (s);
}

tl_status tl_joint_begin (tl_joint *j, uint64_t expected) {
  tl_slots *s = &plain_of (j)->slots;
  while (s->count + expected > s->room) {
    const uint64_t room = s->room;
    // Where memory is short a table may say that it is larger only once.
    if (grow (j) || s->room <= room)
      return TL_E_NOMEM;
  }
  if (s->count >= most_slots (s))
    return TL_E_NOMEM;
  j->room = most_slots (s) - s->count;
  return TL_OK;
}

// ---- Looking ---------------------------------------------------------------

static inline uint64_t slot_at (const tl_slots *s, uint64_t at) {
  return __atomic_load_n (s->slot + at, __ATOMIC_ACQUIRE);
}

// Has the value taken its place?
static inline bool take (tl_slots *s, uint64_t at, uint64_t *seen,
                         uint64_t value) {
  return __atomic_compare_exchange_n (s->slot + at, seen, value, false,
                                      __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

// May this thread take a slot so far from home?
static bool has_room (tl_joint *j, tl_joint_share *share, uint64_t distance) {
  if (distance > tl_slots_tail (plain_of (j)->slots.homes) / 2)
    return false;
  uint64_t room = __atomic_load_n (&j->room, __ATOMIC_RELAXED);
  while (!share->room && room) {
    const uint64_t some = room < ROOM_AT_ONCE ? room : ROOM_AT_ONCE;
    if (__atomic_compare_exchange_n (&j->room, &room, room - some, false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      share->room = some;
  }
  return share->room;
}

// The key that a slot stands for.
static inline const uint64_t *key_of (const tl_joint *j, uint64_t slot) {
  const uint64_t value = slot & TL_NUMBER_MASK;
  if (!(value & CANDIDATE))
    return tl_plain_key (plain_of (j), value - 1);
  const tl_joint_list *list =
      j->list + (value >> TL_JOINT_KEY_BITS & (TL_JOINT_LISTS - 1));
  return list->keys + (value & (TL_JOINT_KEYS - 1)) * words_of (j);
}

// The first slot from `*at` on that is empty or has the hash bits of `tag`.
static inline uint64_t next_like (const tl_slots *s, uint64_t tag,
                                  uint64_t *at) {
  uint64_t slot = slot_at (s, *at);
  while (slot && (slot & ~TL_NUMBER_MASK) != tag)
    slot = slot_at (s, ++*at);
  return slot;
}

static inline void note_known (tl_joint_list *list, size_t i, uint64_t slot) {
  list->kind[i] = TL_JOINT_KNOWN;
  list->number[i] = (slot & TL_NUMBER_MASK) - 1;
}

static inline void note_candidate (tl_joint_list *list, size_t i, uint64_t at) {
  list->kind[i] = TL_JOINT_CANDIDATE;
  list->number[i] = at;
  list->candidate[list->candidates++] = (uint32_t)i;
}

// Looks for a key of a list from slot `at` on.  False: there is no room.
static bool seek (tl_joint *j, tl_joint_share *share, uint32_t number, size_t i,
                  uint64_t tag, uint64_t at) {
  tl_joint_list *list = j->list + number;
  tl_slots *s = &plain_of (j)->slots;
  const size_t words = words_of (j);
  const uint64_t *key = list->keys + i * words,
                 mine = tag | CANDIDATE | place_of (number, i);
  for (;;) {
    uint64_t slot = next_like (s, tag, &at);
    if (!slot) {
      const uint64_t distance = at - tl_slots_home (s, tag);
      if (!has_room (j, share, distance))
        return false;
      if (!take (s, at, &slot, mine))
        continue; // somebody else has it: looks again
      share->room--;
      if (distance > share->furthest)
        share->furthest = distance;
      break;
    }
    if (!tl_plain_equal (key_of (j, slot), key, words)) {
      at++;
      continue;
    }
    if (!(slot & CANDIDATE)) {
      note_known (list, i, slot);
      return true;
    }
    while (slot > mine && !take (s, at, &slot, mine))
      continue;
    break;
  }
  note_candidate (list, i, at);
  return true;
}

// Looks for a group of keys, from `from` on; returns how many were found a
// place.
static size_t look_group (tl_joint *j, tl_joint_share *share, uint32_t number,
                          size_t from, size_t count) {
  tl_joint_list *list = j->list + number;
  const tl_slots *s = &plain_of (j)->slots;
  const size_t words = words_of (j);
  const uint64_t *keys = list->keys + from * words;
  uint64_t tag[TL_PLAIN_GROUP], at[TL_PLAIN_GROUP], like[TL_PLAIN_GROUP];
  for (size_t i = 0; i < count; i++) {
    tag[i] = tl_plain_tag (keys + i * words, words);
    at[i] = tl_slots_home (s, tag[i]);
    __builtin_prefetch (s->slot + at[i]);
  }
  for (size_t i = 0; i < count; i++) {
    like[i] = next_like (s, tag[i], at + i);
    if (like[i])
      __builtin_prefetch (key_of (j, like[i]));
  }
  for (size_t i = 0; i < count; i++) {
    const bool is = like[i] && tl_plain_equal (key_of (j, like[i]),
                                               keys + i * words, words);
    if (is && !(like[i] & CANDIDATE))
      note_known (list, from + i, like[i]);
    else if (is && (like[i] & (CANDIDATE - 1)) < place_of (number, from + i))
      note_candidate (list, from + i, at[i]); // it is not the first
    else if (!seek (j, share, number, from + i, tag[i], at[i]))
      return i;
  }
  return count;
}

void tl_joint_look (tl_joint *j, uint32_t number, tl_joint_share *share) {
  tl_joint_list *list = j->list + number;
  const size_t most = list->count < TL_JOINT_KEYS ? list->count : TL_JOINT_KEYS;
  list->looked = list->candidates = 0;
  for (bool all = true; all && list->looked < most;) {
    const size_t left = most - list->looked,
                 n = left < TL_PLAIN_GROUP ? left : TL_PLAIN_GROUP,
                 got = look_group (j, share, number, list->looked, n);
    list->looked += got;
    all = got == n;
  }
}

// ---- And then --------------------------------------------------------------

void tl_joint_settle (const tl_joint *j, uint32_t number) {
  tl_joint_list *list = j->list + number;
  const uint64_t *slot = plain_of (j)->slots.slot;
  const uint32_t *candidate = list->candidate;
  const size_t count = list->candidates;
  uint32_t rank = 0;
  list->found = 0;
  for (size_t k = 0; k < count; k++) {
    const size_t i = candidate[k];
    if (k + FAR < count)
      __builtin_prefetch (slot + list->number[candidate[k + FAR]]);
    const uint64_t place = slot[list->number[i]] & (CANDIDATE - 1);
    const bool first = place == place_of (number, i);
    list->kind[i] = first ? TL_JOINT_NEW : TL_JOINT_AGAIN;
    list->number[i] = first ? list->number[i] : place;
    list->rank[i] = rank;
    rank += first;
    list->found += first && i < list->count;
  }
}

void tl_joint_prepare (const tl_joint *j, uint64_t found) {
  const size_t bytes = words_of (j) * sizeof (uint64_t),
               from = (size_t)j->store->count * bytes;
  tl_map_touch (&plain_of (j)->keys, from, from + (size_t)found * bytes);
}

tl_status tl_joint_room (const tl_joint *j, uint64_t found) {
  return tl_plain_room (plain_of (j), j->store->count + found);
}

void tl_joint_number (const tl_joint *j, uint32_t number) {
  tl_plain *plain = plain_of (j);
  tl_joint_list *list = j->list + number;
  const size_t words = words_of (j);
  for (size_t k = 0; k < list->candidates && list->candidate[k] < list->count;
       k++) {
    const size_t i = list->candidate[k];
    if (list->kind[i] == TL_JOINT_AGAIN) {
      const uint64_t place = list->number[i];
      const tl_joint_list *of = j->list + (place >> TL_JOINT_KEY_BITS);
      list->number[i] = of->first + of->rank[place & (TL_JOINT_KEYS - 1)];
      continue;
    }
    uint64_t *slot = plain->slots.slot + list->number[i];
    const uint64_t is = list->first + list->rank[i];
    tl_copy_words (tl_plain_key (plain, is), list->keys + i * words,
                   (uint32_t)words);
    *slot = (*slot & ~TL_NUMBER_MASK) | (is + 1);
    list->number[i] = is;
  }
}

// Empties a slot; those behind it that have been pushed away move back.
static void empty (tl_slots *s, uint64_t at) {
  for (uint64_t next = at + 1; s->slot[next]; next++)
    if (tl_slots_home (s, s->slot[next]) <= at) {
      s->slot[at] = s->slot[next];
      at = next;
    }
  s->slot[at] = 0;
}

void tl_joint_drop (const tl_joint *j, uint32_t number) {
  const tl_joint_list *list = j->list + number;
  tl_slots *s = &plain_of (j)->slots;
  const size_t words = words_of (j);
  for (size_t k = 0; k < list->candidates; k++) {
    const size_t i = list->candidate[k];
    if (i < list->count || list->kind[i] != TL_JOINT_NEW)
      continue;
    const uint64_t tag = tl_plain_tag (list->keys + i * words, words),
                   mine = tag | CANDIDATE | place_of (number, i);
    uint64_t at = tl_slots_home (s, tag);
    while (s->slot[at] != mine)
      at++;
    empty (s, at);
  }
}

void tl_joint_end (tl_joint *j, uint64_t found, const tl_joint_share *share,
                   unsigned threads) {
  tl_slots *s = &plain_of (j)->slots;
  j->store->count += found;
  s->count += found;
  for (unsigned i = 0; i < threads; i++)
    s->furthest =
        share[i].furthest > s->furthest ? share[i].furthest : s->furthest;
}
