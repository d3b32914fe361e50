#ifndef TL_BASE_NAMES_H
#define TL_BASE_NAMES_H

#include "base/mem.h"

// A map from names to numbers.  The texts are borrowed: they must outlive the
// map (they usually live in the arena of the net).  Each map hashes in a way of
// its own, so that nobody can choose names that fall together.
typedef struct tl_names {
  tl_mem *mem;
  struct tl_name {
    const char *text; // null: empty slot
    uint32_t value;
  } * slots;
  size_t capacity, count; // capacity is a power of two, or 0
  uint64_t seed;
} tl_names;

#define TL_NAMES(MEM) ((tl_names){.mem = (MEM)})
#define TL_NO_NAME UINT32_MAX

uint32_t tl_names_find (const tl_names *, const char *text); // or TL_NO_NAME

// Adds a name; one that is there already keeps its value, which is told in
// *value, and `added` is false.  TL_E_NOMEM leaves the map as it was.
tl_status tl_names_add (tl_names *, const char *text, uint32_t *value,
                        bool *added);
// Changes the value of a name that is there.
void tl_names_set (tl_names *, const char *text, uint32_t value);
void tl_names_close (tl_names *);

#endif
