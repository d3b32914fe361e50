#include "base/intern.h"

#include <string.h>
#include <xxhash.h>

enum { FIRST_SLOTS = 64, MANY = 1 << 12 };

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
  TL_DEL (t->mem, t->slot, t->slots);
  t->slot = slot;
  t->slots = more;
  for (uint32_t i = 0; i < t->count; i++)
    t->slot[find (t, tl_intern_list (t, i), tl_intern_length (t, i))] = i + 1;
  return TL_OK;
}

// Room for so many words; by an eighth at a time once there are many.
static bool make_room (const tl_intern *t, uint32_t **word, size_t *room,
                       size_t need) {
  if (need > *room && *room >= MANY) {
    const size_t more = need + *room / 8;
    uint32_t *larger =
        tl_mem_resize (t->mem, *word, *room, more, sizeof *larger);
    if (larger) {
      *word = larger;
      *room = more;
    }
  }
  return TL_ROOM (t->mem, *word, room, need);
}

// Writes a list behind the others.
static tl_status append (tl_intern *t, const uint32_t *list, size_t length) {
  if (t->count == UINT32_MAX - 1 || length > UINT32_MAX - t->words)
    return TL_E_LIMIT;
  if (!make_room (t, &t->word, &t->word_room, t->words + length + 1) ||
      !make_room (t, &t->start, &t->start_room, (size_t)t->count + 2))
    return TL_E_NOMEM;
  if (length)
    memcpy (t->word + t->words, list, length * sizeof *list);
  t->words += length;
  t->start[++t->count] = (uint32_t)t->words;
  return TL_OK;
}

// ---- Ledgers ---------------------------------------------------------------

// The list is not in the table, and has the next number.
static tl_status add (tl_intern *t, const uint32_t *list, size_t length) {
  if (make_slots (t))
    return TL_E_NOMEM;
  const size_t at = find (t, list, length);
  const tl_status rc = append (t, list, length);
  if (!rc)
    t->slot[at] = t->count;
  return rc;
}

// The lock is held.
static tl_status take_over (tl_intern *t) {
  const tl_intern *from = &t->ledger->lists;
  tl_status rc = TL_OK;
  while (!rc && t->count < from->count)
    rc = add (t, tl_intern_list (from, t->count),
              tl_intern_length (from, t->count));
  return rc;
}

tl_status tl_intern_catch_up (tl_intern *t) {
  tl_ledger *l = t->ledger;
  if (!l || __atomic_load_n (&l->count, __ATOMIC_ACQUIRE) == t->count)
    return TL_OK;
  pthread_mutex_lock (&l->lock);
  const tl_status rc = take_over (t);
  pthread_mutex_unlock (&l->lock);
  return rc;
}

// The list was not in the table.
static tl_status put_in_ledger (tl_intern *t, const uint32_t *list,
                                size_t length, uint32_t *number) {
  tl_ledger *l = t->ledger;
  pthread_mutex_lock (&l->lock);
  tl_status rc = take_over (t);
  if (!rc && (*number = tl_intern_find (t, list, length)) == TL_NO_NUMBER &&
      !(rc = append (&l->lists, list, length))) {
    *number = l->lists.count - 1;
    __atomic_store_n (&l->count, l->lists.count, __ATOMIC_RELEASE);
    rc = add (t, list, length);
  }
  pthread_mutex_unlock (&l->lock);
  return rc;
}

tl_status tl_intern_join (tl_intern *t, tl_ledger *l) {
  t->ledger = l;
  return tl_intern_catch_up (t);
}

tl_status tl_ledger_open (tl_ledger *l, tl_mem *mem, tl_intern *first) {
  *l = (tl_ledger){.lists = TL_INTERN (mem)};
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < first->count; i++)
    rc = append (&l->lists, tl_intern_list (first, i),
                 tl_intern_length (first, i));
  if (rc) {
    tl_intern_close (&l->lists);
    return rc;
  }
  pthread_mutex_init (&l->lock, 0);
  l->count = l->lists.count;
  first->ledger = l;
  return TL_OK;
}

tl_status tl_ledger_close (tl_ledger *l, tl_intern *first) {
  const tl_status rc = first->ledger ? tl_intern_catch_up (first) : TL_OK;
  first->ledger = 0;
  pthread_mutex_destroy (&l->lock);
  tl_intern_close (&l->lists);
  return rc;
}

// ---- Tables ----------------------------------------------------------------

tl_status tl_intern_put (tl_intern *t, const uint32_t *list, size_t length,
                         uint32_t *number) {
  if (make_slots (t))
    return TL_E_NOMEM;
  const size_t at = find (t, list, length);
  if (t->slot[at]) {
    *number = t->slot[at] - 1;
    return TL_OK;
  }
  if (t->ledger)
    return put_in_ledger (t, list, length, number);
  const tl_status rc = append (t, list, length);
  if (rc)
    return rc;
  *number = t->count - 1;
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
  TL_DEL (t->mem, t->word, t->word_room);
  TL_DEL (t->mem, t->start, t->start_room);
  TL_DEL (t->mem, t->slot, t->slots);
  *t = TL_INTERN (t->mem);
}
