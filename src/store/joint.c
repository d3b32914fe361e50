#include "store/joint.h"

#include "base/tuning.h"
#include "store/kinds.h"
#include "store/plain.h"

// The slot of a candidate: place says which of the round it is.
//
//     | 30 bits of hash | 1 | list, 13 bits | which of it, 20 bits |

enum { PLACE_BITS = TL_JOINT_LIST_BITS + TL_JOINT_KEY_BITS };
#define CANDIDATE ((uint64_t)1 << PLACE_BITS)
_Static_assert(PLACE_BITS + 1 == TL_NUMBER_BITS, "a place is as a number");

enum {
  GROUP = 8,         // keys
  ROOM_AT_ONCE = 64, // slots
  FAR = 16           // candidates: so soon the memory of one is called for
};

static tl_plain *plain_of (const tl_joint *j) {
  return (tl_plain *)j->store;
}

static uint64_t place_of (uint32_t list, size_t candidate) {
  return (uint64_t)list << TL_JOINT_KEY_BITS | candidate;
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

static tl_status grow (tl_joint *j) {
  tl_slots *s = &plain_of (j)->slots;
  size_t ready = s->map.size;
  tl_slots_reserve (s);
  tl_threads_touch (j->team, &s->map, &ready, s->map.size);
  return tl_slots_grow (s);
}

tl_status tl_joint_begin (tl_joint *j, uint64_t expected) {
  tl_slots *s = &plain_of (j)->slots;
  if (!tl_joint_suits (j->store)) // a level may have more states than that
    return TL_E_NOMEM;
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
static inline bool take (const tl_slots *s, uint64_t at, uint64_t *seen,
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

// The first slot from `*at` on that is empty or has the hash bits of `tag`.
static inline uint64_t next_like (const tl_slots *s, uint64_t tag,
                                  uint64_t *at) {
  uint64_t here = *at, slot = slot_at (s, here);
  while (slot && (slot & ~TL_NUMBER_MASK) != tag)
    slot = slot_at (s, ++here);
  *at = here;
  return slot;
}

// What a thread has at hand while it looks.  What it writes is its own, for in
// the lines of others it would wait for them; and what it reads for every key
// is not read again because others may have changed it.
typedef struct looking {
  tl_joint *joint;
  uint32_t number; // of the list
  tl_slots slots;
  const uint64_t *keys; // of the store
  const tl_joint_list *lists;
  tl_joint_list list;
  tl_joint_share share;
} looking;

// The key that a slot stands for, of so many words.  Half of them are of
// candidates, and which nobody foresees: so there is no branch.
static inline const uint64_t *key_of (const looking *l, uint64_t slot,
                                      size_t words) {
  const uint64_t value = slot & TL_NUMBER_MASK, candidate = value >> PLACE_BITS,
                 of = value >> TL_JOINT_KEY_BITS & (TL_JOINT_LISTS - 1),
                 k = value & (TL_JOINT_KEYS - 1);
  const uint64_t *const keys[] = {l->keys,
                                  l->lists[candidate ? of : l->number].key};
  return keys[candidate] + (candidate ? k : value - 1) * words;
}

// The key is known, or repeats a candidate.
static inline void note_there (looking *l, size_t i, uint64_t slot) {
  const uint64_t value = slot & TL_NUMBER_MASK;
  l->list.number[i] = value - 1;
  l->list.repeat[l->list.repeats] = (uint32_t)i;
  l->list.repeats += value >> PLACE_BITS;
}

static inline void note_candidate (looking *l, size_t i, uint64_t at) {
  const size_t k = l->list.candidates++;
  l->list.which[k] = (uint32_t)i;
  l->list.at[k] = at;
}

// Looks for a key of the list from slot `at` on.  False: there is no room.
static inline bool seek (looking *l, size_t i, uint64_t tag, uint64_t at,
                         size_t words) {
  const size_t k = l->list.candidates;
  const uint64_t *key = l->list.keys + i * words,
                 mine = tag | CANDIDATE | place_of (l->number, k);
  tl_copy_words (l->list.key + k * words, key, (uint32_t)words);
  for (;;) {
    uint64_t slot = next_like (&l->slots, tag, &at);
    if (!slot) {
      const uint64_t distance = at - tl_slots_home (&l->slots, tag);
      if (!has_room (l->joint, &l->share, distance))
        return false;
      if (!take (&l->slots, at, &slot, mine))
        continue; // somebody else has it: looks again
      l->share.room--;
      if (distance > l->share.furthest)
        l->share.furthest = distance;
      break;
    }
    if (!tl_plain_equal (key_of (l, slot, words), key, words)) {
      at++;
      continue;
    }
    while (slot > mine && !take (&l->slots, at, &slot, mine))
      continue;
    if (slot > mine)
      break;
    note_there (l, i, slot);
    return true;
  }
  note_candidate (l, i, at);
  return true;
}

// Some keys that are looked for in three steps: while the memory of their slots
// is on the way, and then that of the keys there, others are looked for.
typedef struct group {
  size_t from, count;
  uint64_t tag[GROUP], at[GROUP], like[GROUP];
  const uint64_t *key[GROUP]; // that is like it
} group;

static inline __attribute__ ((always_inline)) void
call_slots (const looking *l, group *g, size_t from, size_t words) {
  const size_t count = l->list.count, left = from < count ? count - from : 0;
  const uint64_t *keys = l->list.keys + from * words;
  g->from = from;
  g->count = left < GROUP ? left : GROUP;
  for (size_t i = 0; i < g->count; i++) {
    g->tag[i] = tl_plain_tag (keys + i * words, words);
    g->at[i] = tl_slots_home (&l->slots, g->tag[i]);
    __builtin_prefetch (l->slots.slot + g->at[i]);
  }
}

static inline __attribute__ ((always_inline)) void
call_keys (const looking *l, group *g, size_t words) {
  for (size_t i = 0; i < g->count; i++) {
    g->like[i] = next_like (&l->slots, g->tag[i], g->at + i);
    if (g->like[i])
      __builtin_prefetch (g->key[i] = key_of (l, g->like[i], words));
    else
      __builtin_prefetch (l->slots.slot + g->at[i], 1);
  }
}

// Returns how many were found a place.
static inline __attribute__ ((always_inline)) size_t
look_group (looking *l, const group *g, size_t words) {
  const uint64_t *keys = l->list.keys + g->from * words;
  for (size_t i = 0; i < g->count; i++) {
    const uint64_t like = g->like[i];
    const bool is = like && tl_plain_equal (g->key[i], keys + i * words, words);
    if (is && (like & TL_NUMBER_MASK) <
                  (CANDIDATE | place_of (l->number, l->list.candidates)))
      note_there (l, g->from + i, like);
    else if (!seek (l, g->from + i, g->tag[i], g->at[i], words))
      return i;
  }
  return g->count;
}

static inline __attribute__ ((always_inline)) void look_all (looking *l,
                                                             size_t words) {
  tl_joint_list *list = &l->list;
  group ring[4]; // of which three are in use
  list->looked = list->candidates = list->repeats = 0;
  call_slots (l, ring, 0, words);
  call_slots (l, ring + 1, GROUP, words);
  call_keys (l, ring, words);
  for (size_t n = 0;; n++) {
    const group *g = ring + n % 4;
    call_slots (l, ring + (n + 2) % 4, (n + 2) * GROUP, words);
    call_keys (l, ring + (n + 1) % 4, words);
    const size_t got = look_group (l, g, words);
    list->looked += got;
    if (got < GROUP)
      return;
  }
}

void tl_joint_look (tl_joint *j, uint32_t number, tl_joint_share *share) {
  const tl_plain *plain = plain_of (j);
  looking l = {.joint = j,
               .number = number,
               .slots = plain->slots,
               .keys = (const uint64_t *)plain->keys.base,
               .lists = j->list,
               .list = j->list[number],
               .share = *share};
  if (l.list.count > TL_JOINT_KEYS)
    l.list.count = TL_JOINT_KEYS;
  if (words_of (j) == 1)
    look_all (&l, 1);
  else
    look_all (&l, words_of (j));
  // Others read the rest of it.
  j->list[number].looked = l.list.looked;
  j->list[number].candidates = l.list.candidates;
  j->list[number].repeats = l.list.repeats;
  *share = l.share;
}

// ---- And then --------------------------------------------------------------

void tl_joint_settle (const tl_joint *j, uint32_t number) {
  tl_joint_list *list = j->list + number;
  const uint64_t *slot = plain_of (j)->slots.slot;
  const size_t count = list->candidates;
  uint32_t rank = 0;
  size_t found = 0;
  for (size_t k = 0; k < count; k++) {
    if (k + FAR < count)
      __builtin_prefetch (slot + list->at[k + FAR]);
    const uint64_t place = slot[list->at[k]] & (CANDIDATE - 1);
    const bool first = place == place_of (number, k);
    list->isnew[k] = first;
    list->at[k] = first ? list->at[k] : place;
    list->rank[k] = rank;
    rank += first;
    found += first && list->which[k] < list->count;
  }
  list->found = found;
}

void tl_joint_prepare (tl_joint *j, uint64_t found) {
  tl_plain *plain = plain_of (j);
  const uint64_t keys = j->store->count + found;
  if (!tl_plain_room (plain, keys))
    tl_threads_touch (j->team, &plain->keys, &j->keys_ready,
                      (size_t)keys * words_of (j) * sizeof (uint64_t));
}

tl_status tl_joint_room (const tl_joint *j, uint64_t found) {
  return tl_plain_room (plain_of (j), j->store->count + found);
}

// The number of the candidate at a place.
static inline uint64_t number_at (const tl_joint *j, uint64_t place) {
  const tl_joint_list *of = j->list + (place >> TL_JOINT_KEY_BITS);
  size_t k = place & (TL_JOINT_KEYS - 1);
  if (!of->isnew[k]) {
    place = of->at[k];
    of = j->list + (place >> TL_JOINT_KEY_BITS);
    k = place & (TL_JOINT_KEYS - 1);
  }
  return of->first + of->rank[k];
}

void tl_joint_number (const tl_joint *j, uint32_t number) {
  tl_plain *plain = plain_of (j);
  const tl_joint_list *list = j->list + number;
  const size_t words = words_of (j);
  for (size_t k = 0; k < list->candidates && list->which[k] < list->count;
       k++) {
    const uint64_t at = list->at[k];
    if (!list->isnew[k]) {
      list->number[list->which[k]] = number_at (j, at);
      continue;
    }
    uint64_t *slot = plain->slots.slot + at;
    const uint64_t is = list->first + list->rank[k];
    tl_copy_words (tl_plain_key (plain, is), list->key + k * words,
                   (uint32_t)words);
    *slot = (*slot & ~TL_NUMBER_MASK) | (is + 1);
    list->number[list->which[k]] = is;
  }
  for (size_t k = 0; k < list->repeats && list->repeat[k] < list->count; k++) {
    uint64_t *is = list->number + list->repeat[k];
    *is = number_at (j, (*is + 1) ^ CANDIDATE);
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
    if (list->which[k] < list->count || !list->isnew[k])
      continue;
    const uint64_t tag = tl_plain_tag (list->key + k * words, words),
                   mine = tag | CANDIDATE | place_of (number, k);
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
