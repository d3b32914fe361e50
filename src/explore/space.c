#include "explore/space.h"

#include <string.h>

enum {
  BATCH = 64,  // successors put at once
  LOOK = 1024, // states looked at in search of a cycle
  POLL = 256,
  POLL_REDUCED = 4,
  NODES = 1 << 18 // of all states between two looks at the clock
};

#define NOWHERE UINT64_MAX // as the number of the state at hand

// Steps between two looks at the clock.  In a large net each takes long, and a
// state with stubborn sets takes as long as many without.
static uint32_t poll_every (const tl_net *net, bool reduced) {
  const uint64_t nodes = (uint64_t)net->places + net->transitions + 1,
                 most = reduced ? POLL_REDUCED : POLL, wanted = NODES / nodes;
  return wanted > most ? (uint32_t)most : wanted ? (uint32_t)wanted : 1;
}

static tl_status open_store (tl_space *s) {
  const tl_code *code = &s->search->code;
  return tl_store_open_numbered (&s->store, s->mem, code->key_words,
                                 code->key_bits);
}

// Makes room for what is known of the states of the store.
static tl_status extend (tl_space *s) {
  const size_t before = s->degree_room, states = (size_t)s->store->count;
  if (!TL_ROOM (s->mem, s->first, &s->first_room, states) ||
      !TL_ROOM (s->mem, s->degree, &s->degree_room, states))
    return TL_E_NOMEM;
  for (size_t i = before; i < s->degree_room; i++)
    s->degree[i] = TL_SPACE_CLOSED;
  return TL_OK;
}

// ---- Opening ---------------------------------------------------------------

static tl_status put_initial (tl_space *s) {
  tl_status rc = tl_worker_begin (&s->worker);
  if (rc)
    return rc;
  uint8_t isnew;
  rc = s->store->kind->put (
      s->store,
      &(tl_batch){.count = 1, .keys = s->worker.key, .isnew = &isnew});
  return rc ? rc : extend (s);
}

// There is a way to every state, but it is not kept.
static tl_status no_trace (tl_search *search, tl_trace *trace) {
  (void)search;
  (void)trace;
  return TL_E_LIMIT;
}

static void tell_progress (const tl_search *search, tl_progress *progress) {
  const tl_space *s = search->order_context;
  progress->states = s->store->count;
  progress->arcs = s->arcs;
}

tl_status tl_space_open (tl_space *s, tl_search *search,
                         const uint8_t *visible) {
  const uint32_t most = search->generator->most_enabled;
  *s = (tl_space){.search = search,
                  .visible = visible,
                  .mem = &search->states,
                  .at = NOWHERE,
                  .most = UINT64_MAX,
                  .poll = poll_every (search->net, visible)};
  search->trace_here = no_trace;
  search->tell_progress = tell_progress;
  search->order_context = s;
  tl_status rc = open_store (s);
  if (!rc)
    rc = tl_worker_open (
        &s->worker, search,
        &(tl_worker_plan){
            .mem = s->mem, .room = BATCH, .lists = true, .events = visible});
  if (!rc && !TL_NEW (s->mem, s->chosen, most))
    rc = TL_E_NOMEM;
  return rc ? rc : put_initial (s);
}

void tl_space_close (tl_space *s) {
  if (!s->search)
    return;
  const uint32_t most = s->search->generator->most_enabled;
  tl_worker_close (&s->worker);
  TL_DEL (s->mem, s->chosen, most);
  TL_DEL (s->mem, s->by, s->by_room);
  TL_DEL (s->mem, s->partial, s->partial_room);
  TL_DEL (s->mem, s->first, s->first_room);
  TL_DEL (s->mem, s->degree, s->degree_room);
  tl_numbers_close (&s->target, s->mem);
  if (s->store)
    s->store->kind->close (s->store);
  s->search->trace_here = 0;
  s->search->tell_progress = 0;
  s->search->order_context = 0;
}

// ---- States ----------------------------------------------------------------

void tl_space_load (tl_space *s, uint64_t number) {
  if (s->at == number)
    return;
  s->store->get (s->store, number, s->worker.key);
  tl_worker_load (&s->worker);
  s->at = number;
}

// Puts the successors gathered, all of the state at hand.
static tl_status put (void *context) {
  tl_space *s = context;
  tl_worker *w = &s->worker;
  const size_t count = w->gathered;
  uint8_t isnew[BATCH];
  uint64_t numbers[BATCH];
  w->gathered = 0;
  if ((s->visible && !TL_ROOM (s->mem, s->by, &s->by_room, s->arcs + count)))
    return TL_E_NOMEM;
  tl_status rc = s->store->kind->put (
      s->store,
      &(tl_batch){
          .count = count, .keys = w->keys, .isnew = isnew, .numbers = numbers});
  if (!rc)
    rc = extend (s);
  if (!rc &&
      !tl_numbers_grow (&s->target, s->mem, s->arcs + count, s->store->count))
    rc = TL_E_NOMEM;
  for (size_t i = 0; !rc && i < count; i++)
    tl_numbers_set (&s->target, s->arcs + i, numbers[i]);
  if (!rc && s->visible)
    memcpy (s->by + s->arcs, w->events, count * sizeof *w->events);
  s->arcs += rc ? 0 : count;
  s->work += count;
  return rc;
}

// Moves the states to a store of the new layout; their numbers stay.
static tl_status move (void *context, const tl_widening *widening,
                       uint64_t *old_key) {
  (void)old_key;
  tl_space *s = context;
  tl_store *old = s->store;
  s->store = 0;
  tl_status rc = open_store (s);
  if (!rc)
    rc = tl_widening_store (widening, old, s->store);
  old->kind->close (old);
  return rc;
}

// The successor of the state at hand does not fit.
static tl_status widen (void *context, uint32_t transition) {
  tl_space *s = context;
  tl_status rc = s->worker.gathered ? put (s) : TL_OK;
  if (rc || !s->may_widen)
    return rc ? rc : TL_E_LIMIT;
  s->lost = true;
  rc = tl_worker_widen (&s->worker, transition, move, s);
  s->lost = rc;
  return rc;
}

static const tl_worker_hooks hooks = {.put = put, .widen = widen};

static tl_status fire_all (tl_space *s, const uint32_t *list, uint32_t count) {
  const tl_status rc = tl_worker_fire (&s->worker, list, count, &hooks, s);
  if (rc) {
    s->worker.gathered = 0;
    return rc;
  }
  return s->worker.gathered ? put (s) : TL_OK;
}

// Notes the states that these arcs lead to, if they have to be looked at: they
// have their arcs, but not all of them.  True: one is the state at hand.
static bool note_targets (tl_space *s, size_t first, size_t end, uint64_t *list,
                          size_t *count) {
  for (size_t i = first; i < end; i++) {
    const uint64_t to = tl_numbers_get (&s->target, i);
    if (to == s->at || *count == LOOK)
      return true;
    if (s->partial[to] && s->partial[to] != s->looks) {
      s->partial[to] = s->looks;
      list[(*count)++] = to;
    }
  }
  return false;
}

// Do the arcs from number `first` on, of the state at hand, close a cycle of
// states with missing arcs?  Perhaps, if that takes long to find out.
static bool closes_cycle (tl_space *s, size_t first) {
  uint64_t list[LOOK];
  size_t count = 0;
  if (s->looks == UINT32_MAX)
    return true;
  s->looks++;
  bool closes = note_targets (s, first, s->arcs, list, &count);
  for (size_t i = 0; !closes && i < count; i++) {
    const size_t from = (size_t)s->first[list[i]];
    closes = note_targets (s, from, from + s->degree[list[i]], list, &count);
  }
  return closes;
}

// The arcs of the state at hand, from number `first` on; some may be missing.
static tl_status find_some_arcs (tl_space *s, size_t first) {
  const tl_worker *w = &s->worker;
  memcpy (s->chosen, w->enabled, w->count * sizeof *s->chosen);
  const uint32_t count = tl_stubborn_hidden (w->stubborn, s->visible, w->state,
                                             s->chosen, w->count);
  const tl_status rc = fire_all (s, s->chosen, count);
  if (rc || count == w->count)
    return rc;
  if (!TL_ROOM (s->mem, s->partial, &s->partial_room, s->store->count))
    return TL_E_NOMEM;
  if (!closes_cycle (s, first)) {
    s->partial[s->at] = s->looks;
    return TL_OK;
  }
  s->arcs = first;
  return fire_all (s, w->enabled, w->count);
}

tl_status tl_space_expand (tl_space *s, uint64_t number) {
  if (s->degree[number] != TL_SPACE_CLOSED)
    return TL_OK;
  const uint64_t most = s->search->options->max_states;
  if (most && s->store->count > most)
    return TL_E_LIMIT;
  tl_space_load (s, number);
  const size_t first = s->arcs;
  const tl_status rc = s->visible
                           ? find_some_arcs (s, first)
                           : fire_all (s, s->worker.enabled, s->worker.count);
  if (rc) {
    s->arcs = first;
    return rc;
  }
  s->first[number] = first;
  s->degree[number] = (uint32_t)(s->arcs - first);
  return tl_space_step (s);
}

// The state at hand, which has no number so far.
static tl_status put_here (tl_space *s, uint64_t *number) {
  uint8_t isnew;
  tl_worker *w = &s->worker;
  tl_code_key (&s->search->code, w->state, w->key);
  tl_status rc = s->store->kind->put (s->store, &(tl_batch){.count = 1,
                                                            .keys = w->key,
                                                            .isnew = &isnew,
                                                            .numbers = number});
  if (!rc)
    rc = extend (s);
  s->at = rc ? NOWHERE : *number;
  return rc;
}

tl_status tl_space_wander (tl_space *s, uint64_t number, uint64_t steps,
                           tl_random *random, uint64_t *end) {
  tl_worker *w = &s->worker;
  tl_status rc = TL_OK;
  tl_space_load (s, number);
  s->at = NOWHERE;
  for (uint64_t i = 0; !rc && w->count && i < steps; i++) {
    const uint32_t t = w->enabled[tl_random_below (random, w->count)];
    while (!rc && !tl_fire_fits (s->search->fire, w->state, &t, 1))
      rc = widen (s, t);
    if (rc)
      return rc;
    tl_fire_step (s->search->fire, t, w->state);
    tl_worker_list (w);
    rc = tl_space_step (s);
  }
  return rc ? rc : put_here (s, end);
}

uint32_t tl_space_transition (tl_space *s, uint64_t number, uint64_t arc) {
  if (s->visible)
    return s->by[s->first[number] + arc];
  tl_space_load (s, number);
  return s->worker.enabled[arc];
}
