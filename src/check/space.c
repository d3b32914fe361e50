#include "check/space.h"

#include <string.h>

enum {
  BATCH = 64,       // successors put at once
  MOVE_BATCH = 256, // keys moved at once
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
  if (s->state)
    TL_DEL (s->mem, s->state, s->state_words);
  if (s->key)
    TL_DEL (s->mem, s->key, s->key_words);
  if (s->keys)
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

tl_status tl_space_open (tl_space *s, tl_search *search) {
  *s = (tl_space){.search = search,
                  .mem = &search->states,
                  .at = NOWHERE,
                  .most = UINT64_MAX};
  search->trace_here = no_trace;
  search->tell_progress = tell_progress;
  search->order_context = s;
  tl_status rc = open_store (s);
  if (!rc)
    rc = take_buffers (s);
  if (!rc && !TL_NEW (s->mem, s->enabled, search->net->transitions))
    rc = TL_E_NOMEM;
  return rc ? rc : put_initial (s);
}

void tl_space_close (tl_space *s) {
  if (!s->search)
    return;
  release_buffers (s);
  if (s->enabled)
    TL_DEL (s->mem, s->enabled, s->search->net->transitions);
  if (s->first)
    TL_DEL (s->mem, s->first, s->first_room);
  if (s->degree)
    TL_DEL (s->mem, s->degree, s->degree_room);
  if (s->target)
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

// The keys change with the layout, the numbers do not.
static tl_status move_states (tl_space *s, const tl_move *m, tl_store *old) {
  const size_t old_words = old->spec.key_words, words = s->key_words;
  uint64_t *old_keys, *keys, cursor = 0;
  uint8_t isnew[MOVE_BATCH];
  tl_status rc = TL_OK;
  if (!TL_NEW (s->mem, old_keys, MOVE_BATCH * old_words))
    return TL_E_NOMEM;
  if (!TL_NEW (s->mem, keys, MOVE_BATCH * words))
    rc = TL_E_NOMEM;
  for (size_t n; !rc && (n = old->kind->each (old, &cursor, MOVE_BATCH,
                                              old_keys, true));) {
    for (size_t i = 0; i < n; i++)
      tl_move_key (m, old_keys + i * old_words, keys + i * words);
    rc = s->store->kind->put (
        s->store, &(tl_batch){.count = n, .keys = keys, .isnew = isnew});
  }
  if (keys)
    TL_DEL (s->mem, keys, MOVE_BATCH * words);
  TL_DEL (s->mem, old_keys, MOVE_BATCH * old_words);
  return rc;
}

// The successor of the state at hand does not fit.
static tl_status widen (tl_space *s, uint32_t transition) {
  tl_move move;
  if (!s->may_widen)
    return TL_E_LIMIT;
  s->lost = true;
  tl_status rc = tl_search_widen (s->search, s->state, transition, &move);
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
    rc = move_states (s, &move, old);
  old->kind->close (old);
  tl_move_close (&move);
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
  if (!TL_ROOM (s->mem, s->target, &s->target_room, s->arcs + count))
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
  s->arcs += rc ? 0 : count;
  s->work += count;
  return rc;
}

static tl_status fire_all (tl_space *s) {
  tl_status rc = TL_OK;
  for (uint32_t from = 0; !rc && from < s->enabled_count;) {
    const uint32_t left = s->enabled_count - from;
    const uint32_t want = left < BATCH ? left : BATCH;
    const uint32_t got =
        tl_fire_fits (s->search->fire, s->state, s->enabled + from, want);
    if (got)
      rc = put_successors (s, s->enabled + from, got);
    from += got;
    if (!rc && got < want)
      rc = widen (s, s->enabled[from]);
  }
  return rc;
}

tl_status tl_space_expand (tl_space *s, uint64_t number) {
  if (s->degree[number] != TL_SPACE_CLOSED)
    return TL_OK;
  const uint64_t most = s->search->options->max_states;
  if (most && s->store->count > most)
    return TL_E_LIMIT;
  tl_space_load (s, number);
  const size_t first = s->arcs;
  const tl_status rc = fire_all (s);
  if (rc) {
    s->arcs = first;
    return rc;
  }
  s->first[number] = first;
  s->degree[number] = s->enabled_count;
  return tl_space_step (s);
}
