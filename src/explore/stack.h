#ifndef TL_EXPLORE_STACK_H
#define TL_EXPLORE_STACK_H

#include "base/spill.h"

// The stack of a depth-first search: the states on the way to the one at hand,
// each with the transitions that are enabled there and how many of them were
// tried.  Only the states near the top have these lists.  For those below it
// is enough to know by which transition the search went on: when it comes back
// there, the list is made again, in the same order, and goes on after that one.
// So a state far down costs a transition, and these are compressed and go to
// the disk.
//
//     path:    t t t t t t t t t t t t t t     one for each state but the top
//     frames:                      [ ][ ][ ]   the topmost, with their lists
typedef struct tl_stack_frame {
  size_t next, end; // of its list: entries to try
  size_t looked;    // those before this one were looked up, see dfs.c
  size_t first;     // where the list begins
} tl_stack_frame;

typedef struct tl_stack {
  tl_mem *mem;
  uint64_t depth; // states on the stack
  uint32_t most;  // transitions of one list
  tl_stack_frame *frame;
  size_t frames;
  uint32_t *list; // of all frames, one after the other
  size_t room;    // entries
  unsigned width; // bytes of a transition on the path
  size_t block;   // bytes of a part of the path
  unsigned char *bytes;
  unsigned char *lower, *upper, *spare; // parts; the spare one for traces
  bool has_lower;                       // the part below the upper one is here
  size_t written;                       // bytes of the upper part
  tl_spill path;                        // the parts below these
} tl_stack;

// Transitions are below `transitions`; a list has at most `most` of them.
tl_status tl_stack_open (tl_stack *, tl_mem *, tl_packer *,
                         uint32_t transitions, uint32_t most);
void tl_stack_close (tl_stack *);

// Where the list of the state to be entered is to be written: room for all
// those enabled.  Lists of others may go.
uint32_t *tl_stack_room (tl_stack *);
// Enters a state; `by` led to it from the one that was at the top, and `count`
// transitions were listed.
tl_status tl_stack_enter (tl_stack *, uint32_t by, uint32_t count);

// The transition to try next in the state at the top; null: all were tried.
static inline const uint32_t *tl_stack_next (const tl_stack *s) {
  const tl_stack_frame *top = s->frame + s->frames - 1;
  return top->next < top->end ? s->list + top->next : 0;
}

// Only the first `count` of the list of the state at the top are to be tried.
static inline void tl_stack_shorten (tl_stack *s, uint32_t count) {
  tl_stack_frame *top = s->frame + s->frames - 1;
  top->end = top->first + count;
}

static inline void tl_stack_tried (tl_stack *s) {
  s->frame[s->frames - 1].next++;
}

// How many are to be tried in the state at the top, if the first of them was
// not looked up since the search was elsewhere; else 0.
static inline uint32_t tl_stack_unseen (const tl_stack *s) {
  const tl_stack_frame *top = s->frame + s->frames - 1;
  return top->next < top->looked ? 0 : (uint32_t)(top->end - top->next);
}

// The next `count` to be tried were looked up: only those that led to new
// states remain.
void tl_stack_drop_known (tl_stack *, uint32_t count, const uint8_t *isnew);

// Leaves the state at the top.  If another is below, `by` led from there.
// TL_E_IO: that cannot be read back.
tl_status tl_stack_leave (tl_stack *, uint32_t *by);
// Has the state at the top its list?  If not, it is to be written again, and
// goes on after `by`, or from its beginning if that is null.
bool tl_stack_has_list (const tl_stack *);
void tl_stack_list_again (tl_stack *, const uint32_t *by, uint32_t count);

// The way to the state at the top; the trace is made with malloc.
tl_status tl_stack_trace (tl_stack *, tl_trace *);

#endif
