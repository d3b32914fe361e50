// Depth-first search.  One working state is fired forth and undone back; the
// stack holds only transitions.

#include "base/tuning.h"
#include "explore/stack.h"
#include "explore/worker.h"

typedef struct dfs {
  tl_search *search;
  tl_stack stack;
  tl_worker worker; // its list is that of the state at the top
  uint64_t polled;
} dfs;

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
  uint8_t isnew[TL_DFS_LOOKUP];
  for (uint32_t left; (left = tl_stack_unseen (&d->stack)) > 1;) {
    const uint32_t *list = tl_stack_next (&d->stack);
    tl_batch batch = {.events = list, .depth = d->stack.depth, .isnew = isnew};
    const uint32_t got =
        tl_worker_look (&d->worker, d->search->store, list,
                        left < TL_DFS_LOOKUP ? left : TL_DFS_LOOKUP, &batch);
    if (!got)
      break;
    tl_stack_drop_known (&d->stack, got, isnew);
  }
}

// Puts the state at hand, which the transition led to, on the stack.
static tl_status enter (dfs *d, uint32_t by) {
  tl_search *s = d->search;
  tl_worker *w = &d->worker;
  w->enabled = tl_stack_room (&d->stack);
  tl_worker_list (w);
  tl_status rc = tl_stack_enter (&d->stack, by, w->count);
  if (rc)
    return rc;
  s->queued = d->stack.depth;
  if (s->queued - 1 > s->depth)
    s->depth = s->queued - 1;
  rc = tl_worker_visit (w);
  if (d->stack.depth > 1)
    tl_worker_prune (w, by);
  tl_stack_shorten (&d->stack, w->count);
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

// Back to the state below.
static tl_status leave (dfs *d) {
  tl_search *s = d->search;
  uint32_t by;
  const tl_status rc = tl_stack_leave (&d->stack, &by);
  s->queued = d->stack.depth;
  if (rc || !d->stack.depth)
    return rc;
  tl_worker *w = &d->worker;
  tl_worker_leave (w, by);
  if (!tl_stack_has_list (&d->stack)) {
    w->enabled = tl_stack_room (&d->stack);
    tl_worker_relist (w);
    // A list that may differ is tried from its beginning.
    tl_stack_list_again (&d->stack, s->for_property ? 0 : &by, w->count);
  }
  return TL_OK;
}

// One transition forth, or one back where all were tried.
static tl_status advance (dfs *d) {
  tl_worker *w = &d->worker;
  if (d->search->store->look_first)
    drop_known (d);
  const uint32_t *next = tl_stack_next (&d->stack);
  if (!next)
    return leave (d);
  const uint32_t transition = *next;
  tl_status rc;
  while (!tl_worker_steps (w, &transition, 1))
    if ((rc = tl_worker_widen (w, transition, 0, 0)))
      return rc;
  tl_stack_tried (&d->stack);
  bool isnew;
  if ((rc = put_key (d, w->keys, &transition, &isnew)) || !isnew)
    return rc;
  tl_worker_enter (w, transition);
  return enter (d, transition);
}

static tl_status run (dfs *d) {
  tl_search *s = d->search;
  bool isnew;
  tl_status rc =
      tl_stack_open (&d->stack, &s->queue, &s->packer,
                     s->generator->most_events, s->generator->most_enabled);
  if (!rc)
    rc = tl_worker_open (&d->worker, s,
                         &(tl_worker_plan){.mem = &s->engine,
                                           .room = TL_DFS_LOOKUP,
                                           .visits = true});
  if (!rc)
    rc = tl_worker_begin (&d->worker);
  if (!rc)
    rc = put_key (d, d->worker.key, 0, &isnew);
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
  tl_worker_close (&d.worker);
  s->spilled += d.stack.path.written;
  tl_stack_close (&d.stack);
  return rc;
}

const tl_order tl_order_dfs = {.name = "dfs", .run = dfs_run};
