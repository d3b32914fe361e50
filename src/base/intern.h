#ifndef TL_BASE_INTERN_H
#define TL_BASE_INTERN_H

#include "base/mem.h"

// Numbers for lists of words: equal lists get the same number, and numbers are
// given in the order in which lists come.  Nothing is ever removed.
typedef struct tl_intern {
  tl_mem *mem;
  uint32_t *word; // all lists, one after the other
  size_t words, word_room;
  uint32_t *start; // [count + 1] where each list begins
  size_t start_room;
  uint32_t count;
  uint32_t *slot; // [slots] number + 1, or 0; slots is a power of two
  size_t slots;
} tl_intern;

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

static inline const uint32_t *tl_intern_list (const tl_intern *t,
                                              uint32_t number) {
  return t->word + t->start[number];
}

static inline size_t tl_intern_length (const tl_intern *t, uint32_t number) {
  return t->start[number + 1] - t->start[number];
}

#endif
