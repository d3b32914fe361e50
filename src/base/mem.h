#ifndef TL_BASE_MEM_H
#define TL_BASE_MEM_H

#include "tideline.h"

// A memory account.  Every long-lived structure draws on one account, so a
// run can say where its bytes went and can stop, not die, at its budget.
// What is taken from an account is also charged to its parents; what is given
// back is given back with its size.
typedef struct tl_mem {
  struct tl_mem *parent; // charged as well; null for the root account
  const char *name;      // shown in the memory table
  size_t limit;          // 0: none of its own
  size_t used, peak;
  const struct tl_budget *budget; // of time, see base/budget.h; or null
  size_t maps;                    // tl_map that are open
  // So many times it was said that several threads draw on it; 0: one does.
  unsigned shared;
  long fail_after; // tests only: -1 never; n: from the n-th on; -n-2: only that
} tl_mem;

// An account without a limit of its own.
#define TL_MEM(PARENT, NAME)                                                   \
  ((tl_mem){.parent = (PARENT), .name = (NAME), .fail_after = -1})

// From now on several threads draw on the account and those above it; or one
// again.  To be called while there is one.
void tl_mem_share (tl_mem *, bool shared);

// What was taken and not given back.
static inline size_t tl_mem_used (const tl_mem *mem) {
  return __atomic_load_n (&mem->used, __ATOMIC_RELAXED);
}

// The account of the whole run.
static inline const tl_mem *tl_mem_root (const tl_mem *mem) {
  while (mem->parent)
    mem = mem->parent;
  return mem;
}

void *tl_mem_get (tl_mem *, size_t count, size_t size); // zeroed, or null
void tl_mem_put (tl_mem *, void *, size_t count, size_t size);

// Changes the number of elements; new ones are zeroed.  On failure returns
// null and the old block is untouched.
void *tl_mem_resize (tl_mem *, void *, size_t count, size_t new_count,
                     size_t size);

#define TL_NEW(MEM, PTR, COUNT)                                                \
  ((PTR) = tl_mem_get ((MEM), (COUNT), sizeof *(PTR)))
#define TL_DEL(MEM, PTR, COUNT)                                                \
  (tl_mem_put ((MEM), (PTR), (COUNT), sizeof *(PTR)), (PTR) = 0)

// Makes room for element number NEED-1 in a block of *CAPACITY elements,
// growing by half; false when the account has no room.
#define TL_ROOM(MEM, PTR, CAPACITY, NEED)                                      \
  ((NEED) <= *(CAPACITY) ||                                                    \
   tl_mem_room ((MEM), (void **)&(PTR), (CAPACITY), (NEED), sizeof *(PTR)))
bool tl_mem_room (tl_mem *, void **block, size_t *capacity, size_t need,
                  size_t size);

// For memory that a library takes by itself, about as much as it takes.
bool tl_mem_charge (tl_mem *, size_t bytes);
void tl_mem_discharge (tl_mem *, size_t bytes);
// Could so much be charged?
bool tl_mem_has (const tl_mem *, size_t bytes);

// A region of memory that grows in place: address space is reserved once,
// pages are charged and made usable as it grows, in huge pages where the
// system has them.  New bytes read as zero.
typedef struct tl_map {
  tl_mem *mem;
  unsigned char *base;
  size_t size;     // usable
  size_t dropped;  // of these, given back by tl_map_discard
  size_t reserved; // address space
  bool small;      // it is on the heap, see tl_map_open_small
  size_t skipped;  // before it, so that it begins with a huge page
} tl_map;

tl_status tl_map_open (tl_map *, tl_mem *);
// One of many, most of which stay small: while it is, it takes the bytes it has
// and no more, but then its base changes when it grows.
void tl_map_open_small (tl_map *, tl_mem *);
tl_status tl_map_grow (tl_map *, size_t size); // TL_E_NOMEM: unchanged
// The same for contents that are appended: some more at a time, and in whole
// huge pages where these are a small part of it.
tl_status tl_map_grow_ahead (tl_map *, size_t size);
// Has the pages of bytes [from, to) be there before they are needed, as far as
// the map has them: several threads may do that, each for a part.  Contents
// stay as they are.
void tl_map_touch (const tl_map *, size_t from, size_t to);
// Gives the first `to` bytes back to the system and to the account, in whole
// pages; they may not be used any more.
void tl_map_discard (tl_map *, size_t to);
void tl_map_close (tl_map *);

// What the kernel says: peak resident bytes of this process.
size_t tl_mem_peak_resident (void);

// What a run may take where nothing else was said: three quarters of what this
// process may have.
size_t tl_mem_default (void);

// Hands back to the system what was freed, and the pages of programs and
// libraries; those that are needed again come back by themselves.
void tl_mem_trim (void);

#endif
