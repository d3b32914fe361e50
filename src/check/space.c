#include "check/space.h"

#include <string.h>

enum {
  BATCH = 64, // successors put at once
  LOOK = 1024 // states looked at in search of a cycle
};

#define NOWHERE UINT64_MAX // as the number of the state at hand

static tl_status take_buffers (tl_space *s) {
  const tl_search *search = s->search;
  s->state_words = search->layout.words;
  s->key_words = search->code.key_words;
  s->state = s->key = s->keys = 0;
  return TL_NEW (s->mem, s->state, s->state_words) &&
                 TL_NEW (s->mem, s->key, s->key_words) &&
                 TL_NEW (s->mem, s->keys, (size_t)BATCH * s->key_words)
             ? TL_OK
             : TL_E_NOMEM;
}

static void release_buffers (tl_space *s) {
  TL_DEL (s->mem, s->state, s->state_words);
  TL_DEL (s->mem, s->key, s->key_words);
  TL_DEL (s->mem, s->keys, (size_t)BATCH * s->key_words);
}

static tl_status open_store (tl_space *s) {
  const tl_search *search = s->search;
  return tl_store_find ("plain")->open (
      &s->store, s->mem,
      &(tl_store_spec){.key_words = search->code.key_words,
                       .key_bits = search->code.key_bits,
                       .numbered = true});
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
  tl_status rc = tl_search_initial (s->search, s->state);
  if (rc)
    return rc;
  uint8_t isnew;
  tl_code_key (&s->search->code, s->state, s->key);
  rc = s->store->kind->put (
      s->store, &(tl_batch){.count = 1, .keys = s->key, .isnew = &isnew});
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
                  .most = UINT64_MAX};
  search->trace_here = no_trace;
  search->tell_progress = tell_progress;
  search->order_context = s;
  tl_status rc = open_store (s);
  if (!rc)
    rc = take_buffers (s);
  if (!rc &&
      (!TL_NEW (s->mem, s->enabled, most) || !TL_NEW (s->mem, s->chosen, most)))
    rc = TL_E_NOMEM;
  return rc ? rc : put_initial (s);
}

void tl_space_close (tl_space *s) {
  if (!s->search)
    return;
  const uint32_t most = s->search->generator->most_enabled;
  release_buffers (s);
  TL_DEL (s->mem, s->enabled, most);
  TL_DEL (s->mem, s->chosen, most);
  TL_DEL (s->mem, s->by, s->by_room);
  TL_DEL (s->mem, s->partial, s->partial_room);
  TL_DEL (s->mem, s->first, s->first_room);
  TL_DEL (s->mem, s->degree, s->degree_room);
  TL_DEL (s->mem, s->target, s->target_room);
  if (s->store)
    s->store->kind->close (s->store);
  s->search->trace_here = 0;
  s->search->tell_progress = 0;
  s->search->order_context = 0;
}

// ---- States ----------------------------------------------------------------

void tl_space_load (tl_space *s, uint64_t number) {
  const tl_search *search = s->search;
  if (s->at == number)
    return;
  s->store->get (s->store, number, s->key);
  tl_code_state (&search->code, s->key, s->state);
  s->enabled_count = tl_fire_enabled (search->fire, s->state, s->enabled);
  s->at = number;
}

// The successor of the state at hand does not fit.
static tl_status widen (tl_space *s, uint32_t transition) {
  tl_widening widening;
  if (!s->may_widen)
    return TL_E_LIMIT;
  s->lost = true;
  tl_status rc = tl_search_widen (s->search, s->state, transition, &widening);
  if (rc)
    return rc;
  const uint64_t number = s->at;
  tl_store *old = s->store;
  s->store = 0;
  s->at = NOWHERE;
  release_buffers (s);
  rc = take_buffers (s);
  if (!rc)
    rc = open_store (s);
  if (!rc)
    rc = tl_widening_store (&widening, old, s->store); // the numbers stay
  old->kind->close (old);
  tl_widening_close (&widening);
  s->lost = rc;
  if (!rc)
    tl_space_load (s, number);
  return rc;
}

// Puts the successors of the state at hand by the listed transitions.
static tl_status put_successors (tl_space *s, const uint32_t *list,
                                 uint32_t count) {
  uint8_t isnew[BATCH];
  uint64_t numbers[BATCH];
  if (!TL_ROOM (s->mem, s->target, &s->target_room, s->arcs + count) ||
      (s->visible && !TL_ROOM (s->mem, s->by, &s->by_room, s->arcs + count)))
    return TL_E_NOMEM;
  tl_code_steps (&s->search->code, s->key, list, count, s->keys);
  tl_status rc = s->store->kind->put (
      s->store,
      &(tl_batch){
          .count = count, .keys = s->keys, .isnew = isnew, .numbers = numbers});
  if (!rc)
    rc = s->store->count < TL_SPACE_CLOSED ? extend (s) : TL_E_LIMIT;
  for (uint32_t i = 0; !rc && i < count; i++)
    s->target[s->arcs + i] = (uint32_t)numbers[i];
  if (!rc && s->visible)
    memcpy (s->by + s->arcs, list, count * sizeof *list);
  s->arcs += rc ? 0 : count;
  s->work += count;
  return rc;
}

static tl_status fire_all (tl_space *s, const uint32_t *list, uint32_t count) {
  tl_status rc = TL_OK;
  for (uint32_t from = 0; !rc && from < count;) {
    const uint32_t want = count - from < BATCH ? count - from : BATCH;
    const uint32_t got =
        tl_fire_fits (s->search->fire, s->state, list + from, want);
    if (got)
      rc = put_successors (s, list + from, got);
    from += got;
    if (!rc && got < want)
      rc = widen (s, list[from]);
  }
  return rc;
}

// Notes the states that these arcs lead to, if they have to be looked at: they
// have their arcs, but not all of them.  True: one is the state at hand.
static bool note_targets (tl_space *s, size_t first, size_t end, uint32_t *list,
                          size_t *count) {
  for (size_t i = first; i < end; i++) {
    const uint32_t to = s->target[i];
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
  uint32_t list[LOOK];
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
  memcpy (s->chosen, s->enabled, s->enabled_count * sizeof *s->chosen);
  const uint32_t count = tl_stubborn_hidden (
      s->search->stubborn, s->visible, s->state, s->chosen, s->enabled_count);
  const tl_status rc = fire_all (s, s->chosen, count);
  if (rc || count == s->enabled_count)
    return rc;
  if (!TL_ROOM (s->mem, s->partial, &s->partial_room, s->store->count))
    return TL_E_NOMEM;
  if (!closes_cycle (s, first)) {
    s->partial[s->at] = s->looks;
    return TL_OK;
  }
  s->arcs = first;
  return fire_all (s, s->enabled, s->enabled_count);
}

tl_status tl_space_expand (tl_space *s, uint64_t number) {
  if (s->degree[number] != TL_SPACE_CLOSED)
    return TL_OK;
  const uint64_t most = s->search->options->max_states;
  if (most && s->store->count > most)
    return TL_E_LIMIT;
  tl_space_load (s, number);
  const size_t first = s->arcs;
  const tl_status rc = s->visible ? find_some_arcs (s, first)
                                  : fire_all (s, s->enabled, s->enabled_count);
  if (rc) {
    s->arcs = first;
    return rc;
  }
  s->first[number] = first;
  s->degree[number] = (uint32_t)(s->arcs - first);
  return tl_space_step (s);
}

uint32_t tl_space_transition (tl_space *s, uint64_t number, uint64_t arc) {
  if (s->visible)
    return s->by[s->first[number] + arc];
  tl_space_load (s, number);
  return s->enabled[arc];
}
