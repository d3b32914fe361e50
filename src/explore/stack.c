#include "explore/stack.h"

#include "base/bits.h"
#include "base/tuning.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
  BLOCK_BYTES = 1 << 16,
  FRAMES = 4096,
  LISTED = 1 << 14 // transitions in lists, besides a list or two of any length
};

typedef tl_stack_frame frame;

// Bytes of a part, and a word that is written beyond its last transition.
static size_t part_room (const tl_stack *s) {
  return s->block + sizeof (uint64_t);
}

tl_status tl_stack_open (tl_stack *s, tl_mem *mem, tl_packer *packer,
                         uint32_t transitions, uint32_t most) {
  const unsigned bits = tl_bits_for (transitions ? transitions - 1 : 0);
  *s = (tl_stack){.mem = mem, .most = most};
  s->room = 2 * (size_t)most + LISTED;
  s->width = bits ? (bits + 7) / 8 : 1;
  s->block = BLOCK_BYTES / s->width * s->width;
  tl_spill_open (&s->path, mem, packer, TL_STACK_PART);
  if (!TL_NEW (mem, s->frame, FRAMES) || !TL_NEW (mem, s->list, s->room) ||
      !TL_NEW (mem, s->bytes, 3 * part_room (s))) {
    tl_stack_close (s);
    return TL_E_NOMEM;
  }
  s->lower = s->bytes;
  s->upper = s->lower + part_room (s);
  s->spare = s->upper + part_room (s);
  return TL_OK;
}

void tl_stack_close (tl_stack *s) {
  if (!s->mem)
    return;
  tl_spill_close (&s->path);
  TL_DEL (s->mem, s->frame, FRAMES);
  TL_DEL (s->mem, s->list, s->room);
  TL_DEL (s->mem, s->bytes, 3 * part_room (s));
  *s = (tl_stack){0};
}

// ---- The path --------------------------------------------------------------

static void swap (tl_stack *s) {
  unsigned char *lower = s->lower;
  s->lower = s->upper;
  s->upper = lower;
}

static tl_status push (tl_stack *s, uint32_t transition) {
  if (s->written == s->block) {
    const tl_status rc =
        s->has_lower ? tl_spill_append (&s->path, s->lower, s->block) : TL_OK;
    if (rc)
      return rc;
    swap (s);
    s->has_lower = true;
    s->written = 0;
  }
  tl_write_word (s->upper + s->written, transition);
  s->written += s->width;
  return TL_OK;
}

static uint32_t transition_at (const tl_stack *s, const unsigned char *at) {
  return (uint32_t)(tl_read_word (at) & tl_low_bits (8 * s->width));
}

static tl_status pop (tl_stack *s, uint32_t *transition) {
  if (!s->written) {
    if (s->has_lower)
      swap (s);
    else {
      size_t size;
      const tl_status rc = tl_spill_read (&s->path, s->path.count - 1, s->upper,
                                          s->block, &size);
      if (rc)
        return rc;
      tl_spill_drop_last (&s->path);
    }
    s->has_lower = false;
    s->written = s->block;
  }
  s->written -= s->width;
  *transition = transition_at (s, s->upper + s->written);
  return TL_OK;
}

static void add_part (const tl_stack *s, const unsigned char *part, size_t size,
                      tl_trace *trace) {
  for (size_t at = 0; at < size; at += s->width)
    trace->transition[trace->length++] = transition_at (s, part + at);
}

tl_status tl_stack_trace (tl_stack *s, tl_trace *trace) {
  *trace = (tl_trace){0};
  trace->transition = calloc (s->depth, sizeof *trace->transition);
  if (!trace->transition)
    return TL_E_NOMEM;
  for (uint64_t i = 0; i < s->path.count; i++) {
    size_t size;
    const tl_status rc = tl_spill_read (&s->path, i, s->spare, s->block, &size);
    if (rc) {
      free (trace->transition);
      *trace = (tl_trace){0};
      return rc;
    }
    add_part (s, s->spare, size, trace);
  }
  if (s->has_lower)
    add_part (s, s->lower, s->block, trace);
  add_part (s, s->upper, s->written, trace);
  assert (trace->length + 1 == s->depth);
  return TL_OK;
}

// ---- The lists -------------------------------------------------------------

static frame *top (const tl_stack *s) {
  return s->frame + s->frames - 1;
}

static size_t listed (const tl_stack *s) {
  return s->frames ? top (s)->end : 0;
}

// Gives up lists from below until half of the room is free.
static void forget_lists (tl_stack *s) {
  const size_t keep = (s->room - s->most) / 2, end = listed (s);
  size_t n = 0;
  while (n < s->frames &&
         (end - s->frame[n].first > keep || s->frames - n > FRAMES / 2))
    n++;
  const size_t gone = n < s->frames ? s->frame[n].first : end;
  s->frames -= n;
  memmove (s->frame, s->frame + n, s->frames * sizeof *s->frame);
  memmove (s->list, s->list + gone, (end - gone) * sizeof *s->list);
  for (size_t i = 0; i < s->frames; i++) {
    s->frame[i].first -= gone;
    s->frame[i].next -= gone;
    s->frame[i].looked -= gone;
    s->frame[i].end -= gone;
  }
}

uint32_t *tl_stack_room (tl_stack *s) {
  if (s->frames == FRAMES || listed (s) + s->most > s->room)
    forget_lists (s);
  return s->list + listed (s);
}

static void add_frame (tl_stack *s, uint32_t count) {
  const size_t first = listed (s);
  s->frame[s->frames++] = (frame){
      .first = first, .next = first, .looked = first, .end = first + count};
}

tl_status tl_stack_enter (tl_stack *s, uint32_t by, uint32_t count) {
  const tl_status rc = s->depth ? push (s, by) : TL_OK;
  if (rc)
    return rc;
  add_frame (s, count);
  s->depth++;
  return TL_OK;
}

tl_status tl_stack_leave (tl_stack *s, uint32_t *by) {
  if (s->depth > 1) {
    const tl_status rc = pop (s, by);
    if (rc)
      return rc;
  }
  s->frames--;
  s->depth--;
  if (s->frames)
    top (s)->looked = top (s)->next;
  return TL_OK;
}

void tl_stack_drop_known (tl_stack *s, uint32_t count, const uint8_t *isnew) {
  frame *f = top (s);
  size_t to = f->looked = f->next + count;
  while (count--)
    if (isnew[count])
      s->list[--to] = s->list[f->next + count];
  f->next = to;
}

bool tl_stack_has_list (const tl_stack *s) {
  return s->frames;
}

void tl_stack_list_again (tl_stack *s, const uint32_t *by, uint32_t count) {
  add_frame (s, count);
  frame *f = top (s);
  while (by && f->next < f->end && s->list[f->next++] != *by)
    ;
}
