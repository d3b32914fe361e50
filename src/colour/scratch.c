#include "colour/evaluate_parts.h"

// Scratch memory in blocks that never move, so that pointers to values stay
// good.  One empty block is kept at hand.

#define BLOCK_CELLS 4000u

struct tl_scratch_block {
  struct tl_scratch_block *below;
  size_t room, used;
  tl_cell cell[];
};

static size_t bytes (size_t room) {
  return sizeof (struct tl_scratch_block) + room * sizeof (tl_cell);
}

static void drop (tl_evaluation *e, struct tl_scratch_block *b) {
  if (b)
    tl_mem_put (e->mem, b, 1, bytes (b->room));
}

static bool push (tl_evaluation *e, size_t cells) {
  struct tl_scratch_block *b = e->spare;
  if (b && b->room >= cells) {
    e->spare = 0;
  } else {
    const size_t room = cells > BLOCK_CELLS ? cells : BLOCK_CELLS;
    b = tl_mem_get (e->mem, 1, bytes (room));
    if (!b)
      return false;
    b->room = room;
  }
  b->used = 0;
  b->below = e->top;
  e->top = b;
  return true;
}

tl_cell *tl_scratch_take (tl_evaluation *e, size_t cells) {
  if ((!e->top || e->top->room - e->top->used < cells) && !push (e, cells))
    return 0;
  tl_cell *const at = e->top->cell + e->top->used;
  e->top->used += cells;
  e->ticks += (uint32_t)(cells / 64); // that will be written
  return at;
}

tl_scratch_mark tl_scratch_now (const tl_evaluation *e) {
  return (tl_scratch_mark){e->top, e->top ? e->top->used : 0};
}

void tl_scratch_back (tl_evaluation *e, tl_scratch_mark mark) {
  while (e->top != mark.block) {
    struct tl_scratch_block *const b = e->top;
    e->top = b->below;
    drop (e, e->spare);
    e->spare = b;
  }
  if (e->top)
    e->top->used = mark.used;
}

void tl_evaluation_close (tl_evaluation *e) {
  tl_scratch_back (e, (tl_scratch_mark){0});
  drop (e, e->spare);
  e->spare = 0;
}
