#ifndef TL_BASE_INTERN_H
#define TL_BASE_INTERN_H

#include "base/mem.h"

#include <pthread.h>

// Numbers for lists of words: equal lists get the same number, and numbers are
// given in the order in which lists come.  Nothing is ever removed.
//
// Threads that are to give the same numbers have a ledger, and each a table of
// its own, which is a copy of what the ledger has, or of its beginning.  A list
// that the table has is found there, and nobody waits.  One that it does not
// have is looked for in the ledger, behind a lock: the table takes over all
// that others have written there meanwhile, and if the list is not among that
// it is written behind it.
typedef struct tl_ledger tl_ledger;

typedef struct tl_intern {
  tl_mem *mem;
  uint32_t *word; // all lists, one after the other
  size_t words, word_room;
  uint32_t *start; // [count + 1] where each list begins
  size_t start_room;
  uint32_t count;
  uint32_t *slot; // [slots] number + 1, or 0; slots is a power of two
  size_t slots;
  tl_ledger *ledger; // null: there is none, and the numbers are its own
} tl_intern;

struct tl_ledger {
  pthread_mutex_t lock;
  tl_intern lists; // without slots
  uint32_t count;  // of these, for who does not have the lock
};

#define TL_NO_NUMBER UINT32_MAX
#define TL_INTERN(MEM) ((tl_intern){.mem = (MEM)})

// The number of a list, which is added if it is new.  TL_E_NOMEM leaves all as
// it was; TL_E_LIMIT: there are no numbers left, or 2^32 words.
tl_status tl_intern_put (tl_intern *, const uint32_t *list, size_t length,
                         uint32_t *number);
// The same without adding it; or TL_NO_NUMBER.
uint32_t tl_intern_find (const tl_intern *, const uint32_t *list,
                         size_t length);
void tl_intern_close (tl_intern *);

// Gives a table a ledger with what it has, on another account; from then on
// others may join.  On failure there is none.
tl_status tl_ledger_open (tl_ledger *, tl_mem *, tl_intern *first);
// No table has it any more but the first, which takes over all of it; on
// failure what it can.
tl_status tl_ledger_close (tl_ledger *, tl_intern *first);
// An empty table has that ledger, and takes over all of it.
tl_status tl_intern_join (tl_intern *, tl_ledger *);
// Takes over what others have written.
tl_status tl_intern_catch_up (tl_intern *);

static inline const uint32_t *tl_intern_list (const tl_intern *t,
                                              uint32_t number) {
  return t->word + t->start[number];
}

static inline size_t tl_intern_length (const tl_intern *t, uint32_t number) {
  return t->start[number + 1] - t->start[number];
}

#endif
