#ifndef TL_BASE_ARENA_H
#define TL_BASE_ARENA_H

#include "base/mem.h"

// Memory that lives and dies together: what belongs to one net, one formula,
// one parse.  Nothing is freed singly; `close` gives all of it back.
typedef struct tl_arena {
  tl_mem *mem;
  struct tl_arena_block *blocks;
} tl_arena;

#define TL_ARENA(MEM) ((tl_arena){.mem = (MEM)})

void *tl_arena_get (tl_arena *, size_t count, size_t size); // zeroed, or null
char *tl_arena_text (tl_arena *, const char *text, size_t length);
void tl_arena_close (tl_arena *);

#define TL_ARENA_NEW(ARENA, PTR, COUNT)                                        \
  ((PTR) = tl_arena_get ((ARENA), (COUNT), sizeof *(PTR)))

#endif
