// Depth-first search.  One working state is fired forth and undone back; the
// stack holds only transitions.

#include "explore/search.h"
#include "explore/stack.h"

#include <string.h>

enum { LOOKUP = 16 }; // successors looked up at once

typedef struct dfs {
  tl_search *search;
  tl_stack stack;
  uint64_t *state, *key, *next_key;
  uint64_t *keys;                  // [LOOKUP]
  uint32_t state_words, key_words; // of these buffers
  uint64_t polled;
} dfs;

static void release_buffers (dfs *d) {
  tl_mem *mem = &d->search->engine;
  TL_DEL (mem, d->state, d->state_words);
  TL_DEL (mem, d->key, d->key_words);
  TL_DEL (mem, d->next_key, d->key_words);
  TL_DEL (mem, d->keys, (size_t)LOOKUP * d->key_words);
}

static tl_status take_buffers (dfs *d) {
  const tl_search *s = d->search;
  tl_mem *mem = &d->search->engine;
  d->state_words = s->layout.words;
  d->key_words = s->code.key_words;
  d->state = d->key = d->next_key = d->keys = 0;
  return TL_NEW (mem, d->state, s->layout.words) &&
                 TL_NEW (mem, d->key, s->code.key_words) &&
                 TL_NEW (mem, d->next_key, s->code.key_words) &&
                 TL_NEW (mem, d->keys, (size_t)LOOKUP * s->code.key_words)
             ? TL_OK
             : TL_E_NOMEM;
}

static tl_status trace_here (tl_search *s, tl_trace *trace) {
  dfs *d = s->order_context;
  const tl_status rc = tl_stack_trace (&d->stack, trace);
  return rc == TL_E_IO ? TL_E_LIMIT : rc; // the disk failed: no trace
}

// Takes transitions to states that are known already off the list of the state
// at hand, up to one to a state that is new.  Looking them up together, the
// store waits for its memory once instead of every time.  The others can wait:
// when the search comes back, most will be known.
static void drop_known (dfs *d) {
  tl_search *s = d->search;
  uint8_t isnew[LOOKUP];
  for (uint32_t left; (left = tl_stack_unseen (&d->stack)) > 1;) {
    const uint32_t *list = tl_stack_next (&d->stack);
    const uint32_t got =
        tl_fire_fits (s->fire, d->state, list, left < LOOKUP ? left : LOOKUP);
    if (!got)
      break;
    tl_code_steps (&s->code, d->key, list, got, d->keys);
    s->store->kind->put (s->store, &(tl_batch){.count = got,
                                               .keys = d->keys,
                                               .events = list,
                                               .depth = d->stack.depth,
                                               .look = true,
                                               .isnew = isnew});
    tl_stack_drop_known (&d->stack, got, isnew);
  }
}

// Puts the state at hand, which the transition led to, on the stack.
static tl_status enter (dfs *d, uint32_t by) {
  tl_search *s = d->search;
  uint32_t *list = tl_stack_room (&d->stack);
  uint32_t count = tl_fire_enabled (s->fire, d->state, list);
  tl_status rc = tl_stack_enter (&d->stack, by, count);
  if (rc)
    return rc;
  s->queued = d->stack.depth;
  if (s->queued - 1 > s->depth)
    s->depth = s->queued - 1;
  rc = tl_search_visit (s, d->state, list, &count);
  if (d->stack.depth > 1)
    count = tl_search_prune (s, by, list, count);
  tl_stack_shorten (&d->stack, count);
  return rc;
}

// Puts the key that the event led to; null: the initial one.
static tl_status put_key (dfs *d, const uint64_t *key, const uint32_t *event,
                          bool *isnew) {
  uint8_t flag = 0;
  const tl_status rc =
      tl_search_put (d->search, &(tl_batch){.count = 1,
                                            .keys = key,
                                            .events = event,
                                            .depth = d->stack.depth,
                                            .isnew = &flag});
  *isnew = flag;
  return rc;
}

static tl_status widen (dfs *d, uint32_t transition) {
  tl_search *s = d->search;
  tl_widening widening;
  tl_status rc = tl_search_widen (s, d->state, transition, &widening);
  if (rc)
    return rc;
  dfs old = *d;
  if (!(rc = take_buffers (d))) {
    tl_widening_state (&widening, old.state, d->state);
    tl_code_key (&s->code, d->state, d->key);
  }
  release_buffers (&old);
  tl_widening_close (&widening);
  return rc;
}

// Back to the state below.
static tl_status leave (dfs *d) {
  tl_search *s = d->search;
  uint32_t by;
  const tl_status rc = tl_stack_leave (&d->stack, &by);
  s->queued = d->stack.depth;
  if (rc || !d->stack.depth)
    return rc;
  tl_fire_undo (s->fire, by, d->state);
  tl_code_undo (&s->code, by, d->key);
  if (!tl_stack_has_list (&d->stack)) {
    const uint32_t count =
        tl_search_list (s, d->state, tl_stack_room (&d->stack));
    // A list that may differ is tried from its beginning.
    tl_stack_list_again (&d->stack, s->for_property ? 0 : &by, count);
  }
  return TL_OK;
}

// One transition forth, or one back where all were tried.
static tl_status advance (dfs *d) {
  tl_search *s = d->search;
  if (s->store->look_first)
    drop_known (d);
  const uint32_t *next = tl_stack_next (&d->stack);
  if (!next)
    return leave (d);
  const uint32_t transition = *next;
  tl_status rc;
  while (!tl_fire_fits (s->fire, d->state, &transition, 1))
    if ((rc = widen (d, transition)))
      return rc;
  tl_stack_tried (&d->stack);
  tl_code_steps (&s->code, d->key, &transition, 1, d->next_key);
  bool isnew;
  if ((rc = put_key (d, d->next_key, &transition, &isnew)) || !isnew)
    return rc;
  tl_fire_step (s->fire, transition, d->state);
  uint64_t *swap = d->key;
  d->key = d->next_key;
  d->next_key = swap;
  return enter (d, transition);
}

static tl_status run (dfs *d) {
  tl_search *s = d->search;
  bool isnew;
  tl_status rc =
      tl_stack_open (&d->stack, &s->queue, &s->packer,
                     s->generator->most_events, s->generator->most_enabled);
  if (!rc)
    rc = take_buffers (d);
  if (!rc)
    rc = tl_search_initial (s, d->state);
  if (!rc) {
    tl_code_key (&s->code, d->state, d->key);
    rc = put_key (d, d->key, 0, &isnew);
  }
  if (!rc)
    rc = enter (d, 0);
  while (!rc && d->stack.depth) {
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
  tl_search_open_sleep (s, 0);
  const tl_status rc = run (&d);
  release_buffers (&d);
  s->spilled += d.stack.path.written;
  tl_stack_close (&d.stack);
  return rc;
}

const tl_order tl_order_dfs = {.name = "dfs", .run = dfs_run};
