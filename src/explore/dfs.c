// Depth-first search.  One working state is fired forth and undone back; the
// stack holds only transitions: the one that led to each state, and those that
// are left to try there.

#include "explore/search.h"

#include <stdlib.h>

typedef struct frame {
  uint64_t first; // where its list of transitions begins
  uint64_t next;  // the one to fire next
} frame;

typedef struct dfs {
  tl_search *search;
  frame *frames;
  size_t depth, frame_room;
  uint32_t *list; // the lists of all frames, one after the other
  size_t listed, list_room;
  uint64_t *state, *key, *next_key;
  uint32_t state_words, key_words; // of these buffers
  uint64_t polled;
} dfs;

static void release_buffers (dfs *d) {
  tl_mem *mem = &d->search->engine;
  if (d->state)
    TL_DEL (mem, d->state, d->state_words);
  if (d->key)
    TL_DEL (mem, d->key, d->key_words);
  if (d->next_key)
    TL_DEL (mem, d->next_key, d->key_words);
}

static tl_status take_buffers (dfs *d) {
  const tl_search *s = d->search;
  tl_mem *mem = &d->search->engine;
  d->state_words = s->layout.words;
  d->key_words = s->code.key_words;
  d->state = d->key = d->next_key = 0;
  return TL_NEW (mem, d->state, s->layout.words) &&
                 TL_NEW (mem, d->key, s->code.key_words) &&
                 TL_NEW (mem, d->next_key, s->code.key_words)
             ? TL_OK
             : TL_E_NOMEM;
}

// The transitions fired at each frame but the last lead here.
static tl_status trace_here (tl_search *s, tl_trace *trace) {
  const dfs *d = s->order_context;
  trace->length = d->depth - 1;
  trace->transition = calloc (d->depth, sizeof *trace->transition);
  if (!trace->transition)
    return TL_E_NOMEM;
  for (size_t i = 0; i + 1 < d->depth; i++)
    trace->transition[i] = d->list[d->frames[i].next - 1];
  return TL_OK;
}

// Puts the state at hand on the stack.
static tl_status enter (dfs *d) {
  tl_search *s = d->search;
  if (!TL_ROOM (&s->queue, d->frames, &d->frame_room, d->depth + 1) ||
      !TL_ROOM (&s->queue, d->list, &d->list_room,
                d->listed + s->net->transitions))
    return TL_E_NOMEM;
  const uint32_t count =
      tl_fire_enabled (s->fire, d->state, d->list + d->listed);
  d->frames[d->depth++] = (frame){d->listed, d->listed};
  d->listed += count;
  if (d->depth - 1 > s->depth)
    s->depth = d->depth - 1;
  s->queued = d->depth;
  return tl_search_visit (s, d->state, d->list + d->frames[d->depth - 1].first,
                          count);
}

static tl_status put_key (dfs *d, const uint64_t *key, bool *isnew) {
  uint8_t flag = 0;
  const tl_status rc = tl_search_put (
      d->search, &(tl_batch){.count = 1, .keys = key, .isnew = &flag});
  *isnew = flag;
  return rc;
}

static tl_status widen (dfs *d, uint32_t transition) {
  tl_search *s = d->search;
  tl_move move;
  tl_status rc = tl_search_widen (s, d->state, transition, &move);
  if (rc)
    return rc;
  dfs old = *d;
  if (!(rc = take_buffers (d))) {
    tl_move_state (&move, old.state, d->state);
    tl_code_key (&s->code, d->state, d->key);
  }
  release_buffers (&old);
  tl_move_close (&move);
  return rc;
}

// Back to the state below.
static void leave (dfs *d) {
  tl_search *s = d->search;
  d->listed = d->frames[--d->depth].first;
  s->queued = d->depth;
  if (!d->depth)
    return;
  const uint32_t transition = d->list[d->frames[d->depth - 1].next - 1];
  tl_fire_undo (s->fire, transition, d->state);
  tl_code_undo (&s->code, transition, d->key);
}

// One transition forth, or one back where all were tried.
static tl_status advance (dfs *d) {
  tl_search *s = d->search;
  frame *top = d->frames + d->depth - 1;
  if (top->next == d->listed) {
    leave (d);
    return TL_OK;
  }
  const uint32_t transition = d->list[top->next];
  tl_status rc;
  while (!tl_fire_fits (s->fire, d->state, &transition, 1))
    if ((rc = widen (d, transition)))
      return rc;
  top->next++;
  tl_code_steps (&s->code, d->key, &transition, 1, d->next_key);
  bool isnew;
  if ((rc = put_key (d, d->next_key, &isnew)) || !isnew)
    return rc;
  tl_fire_step (s->fire, transition, d->state);
  uint64_t *swap = d->key;
  d->key = d->next_key;
  d->next_key = swap;
  return enter (d);
}

static tl_status run (dfs *d) {
  tl_search *s = d->search;
  bool isnew;
  tl_status rc = take_buffers (d);
  if (!rc)
    rc = tl_search_initial (s, d->state);
  if (!rc) {
    tl_code_key (&s->code, d->state, d->key);
    rc = put_key (d, d->key, &isnew);
  }
  if (!rc)
    rc = enter (d);
  while (!rc && d->depth) {
    rc = advance (d);
    const bool many = !rc && s->options->max_states &&
                      s->store->count > s->options->max_states;
    if (!rc && (++d->polled % 256 == 0 || many))
      rc = tl_search_poll (s);
  }
  return rc;
}

static tl_status dfs_run (tl_search *s) {
  dfs d = {.search = s};
  s->trace_here = trace_here;
  s->order_context = &d;
  // The stack tells every way; no log is needed.
  tl_search_drop_log (s);
  const tl_status rc = run (&d);
  release_buffers (&d);
  if (d.frames)
    TL_DEL (&s->queue, d.frames, d.frame_room);
  if (d.list)
    TL_DEL (&s->queue, d.list, d.list_room);
  return rc;
}

const tl_order tl_order_dfs = {.name = "dfs", .run = dfs_run};
