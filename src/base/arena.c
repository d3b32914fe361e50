#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

typedef struct tl_arena_block {
  struct tl_arena_block *next;
  size_t size, used;
  alignas (16) unsigned char bytes[];
} block;

void *tl_arena_get (tl_arena *arena, size_t count, size_t size) {
  if (size && count > SIZE_MAX / 4 / size)
    return 0;
  const size_t bytes = (count * size + 15) & ~(size_t)15;
  block *b = arena->blocks;
  if (!b || b->size - b->used < bytes) {
    // Blocks double up to 1 MiB; a large request gets a block of its own.
    size_t room = b ? 2 * b->size : 1024;
    if (room > (size_t)1 << 20)
      room = (size_t)1 << 20;
    if (room < bytes)
      room = bytes;
    b = tl_mem_get (arena->mem, sizeof (block) + room, 1);
    if (!b)
      return 0;
    *b = (block){.next = arena->blocks, .size = room};
    arena->blocks = b;
  }
  void *p = b->bytes + b->used;
  b->used += bytes;
  return p;
}

char *tl_arena_text (tl_arena *arena, const char *text, size_t length) {
  char *copy = tl_arena_get (arena, length + 1, 1);
  if (copy)
    memcpy (copy, text, length);
  return copy;
}

void tl_arena_close (tl_arena *arena) {
  for (block *b = arena->blocks, *next; b; b = next) {
    next = b->next;
    tl_mem_put (arena->mem, b, sizeof (block) + b->size, 1);
  }
  arena->blocks = 0;
}
