// What one thread does in a sweep: it takes states of the line, expands them,
// and puts their successors.

#include "base/tuning.h"
#include "sweep/sweep_crew.h"

#include <sched.h>

enum { EARLY = 512 }; // successors of a round while others have nothing to do

// ---- The desk --------------------------------------------------------------

static bool is_halted (const tl_sweep_crew *c) {
  return __atomic_load_n (&c->halt, __ATOMIC_RELAXED);
}

// At the desk: all are to stop.
static void halt (tl_sweep_crew *c, tl_status rc) {
  if (!c->rc)
    c->rc = rc;
  __atomic_store_n (&c->halt, true, __ATOMIC_RELAXED);
  pthread_cond_broadcast (&c->more);
}

static void halt_all (tl_sweep_crew *c) {
  tl_lock_soon (&c->desk);
  halt (c, TL_OK);
  pthread_mutex_unlock (&c->desk);
}

// At the desk: tells what was expanded.
static void tell_counts (tl_sweep_mate *m) {
  tl_census *all = &m->crew->sweep->worker.census;
  all->states += m->counted.states;
  all->arcs += m->counted.arcs;
  all->followed += m->counted.followed;
  all->deadlocks += m->counted.deadlocks;
  m->expanded += m->counted.states;
  tl_census_forget (&m->counted);
}

// The thread that began looks at the budgets for all, and at whether the
// visitor is to have its turn.
static void look_up (tl_sweep_mate *m) {
  tl_search *s = m->crew->sweep->search;
  const tl_visitor *v = s->visitor;
  const tl_status rc = tl_search_poll (s);
  if (rc || tl_sweep_is_due (m->crew->sweep) ||
      (v && v->is_due && v->is_due (v->context, s)))
    halt (m->crew, rc);
}

// Some states of the line get their numbers.
static void take_some (tl_sweep_mate *m) {
  tl_sweeping *w = m->crew->sweep;
  const uint32_t words = w->key_words + 1;
  const tl_status rc = tl_layers_pop_some (&w->layers, w->line, TL_MATE_BLOCK,
                                           m->record, &m->states);
  if (rc)
    halt (m->crew, rc);
  for (size_t i = 0; i < m->states; i++) {
    uint64_t *origin = m->record + i * words + w->key_words;
    tl_expand_begin (w, *origin);
    m->here = i ? m->here : w->number;
  }
}

// At the desk, without states: waits until something happens.  That is often
// soon.
static void wait_at_desk (tl_sweep_crew *c, unsigned *looks) {
  if (++*looks > TL_LOCK_LOOKS) {
    pthread_cond_wait (&c->more, &c->desk);
    return;
  }
  pthread_mutex_unlock (&c->desk);
  sched_yield ();
  tl_lock_soon (&c->desk);
}

// Takes the next states; if there are none, waits until somebody has found
// some.  False: there will be none.
static bool take (tl_sweep_mate *m, bool wait) {
  tl_sweep_crew *c = m->crew;
  const tl_layer *line = c->sweep->line;
  unsigned looks = 0;
  m->states = 0;
  tl_lock_soon (&c->desk);
  tell_counts (m);
  if (!m->who && !is_halted (c))
    look_up (m);
  __atomic_fetch_add (&c->idle, 1, __ATOMIC_RELAXED);
  while (wait && !c->over && !is_halted (c) && !tl_layer_left (line))
    if (c->idle < c->size)
      wait_at_desk (c, &looks);
    else {
      c->over = true;
      pthread_cond_broadcast (&c->more);
    }
  __atomic_fetch_sub (&c->idle, 1, __ATOMIC_RELAXED);
  if (!is_halted (c) && tl_layer_left (line))
    take_some (m);
  pthread_mutex_unlock (&c->desk);
  return m->states;
}

// ---- A round ---------------------------------------------------------------

// May the state be persistent, so that nothing is to be done?
static bool may_be_kept (const tl_sweep_mate *m, size_t i) {
  const tl_sweeping *w = m->crew->sweep;
  return m->deal.isnew[i] == TL_DEAL_NEW
             ? w->layers.persistent_before
             : m->crew->behind[w->class_of[m->worker.events[m->waits + i]]];
}

// Leaves out those that are.
static void forget_kept (tl_sweep_mate *m, const uint64_t *keys,
                         const uint32_t *list, size_t count) {
  enum { SOME = 64 };
  const tl_layers *l = &m->crew->sweep->layers;
  const uint32_t words = m->worker.key_words;
  uint64_t some[SOME * words];
  uint32_t place[SOME];
  uint8_t isnew[SOME];
  for (size_t k = 0; k < count;) {
    size_t n = 0;
    for (; k < count && n < SOME; k++)
      if (may_be_kept (m, list[k])) {
        tl_copy_words (some + n * words, keys + list[k] * words, words);
        place[n++] = list[k];
      }
    if (n)
      tl_pool_look (&l->persistent, &l->persistent_kind, some, n, isnew);
    for (size_t i = 0; i < n; i++)
      if (!isnew[i]) {
        const uint16_t lead = m->lead[m->waits + place[i]];
        m->lost |= lead == TL_DEAL_NOWHERE;
        if (lead != TL_DEAL_NOWHERE)
          m->kept[lead]++;
        m->deal.isnew[place[i]] = 0;
      }
  }
}

// It moves to those that wait.
static void keep (tl_sweep_mate *m, size_t from, bool is_put) {
  tl_worker *w = &m->worker;
  const size_t to = m->waits++;
  tl_copy_words (w->keys + to * w->key_words, w->keys + from * w->key_words,
                 w->key_words);
  w->events[to] = w->events[from];
  m->origin[to] = m->origin[from];
  m->lead[to] = m->lead[from];
  m->is_put[to] = is_put;
}

// At the desk: lists a state that is new.
tl_status tl_sweep_mate_list (tl_sweep_mate *m, size_t i) {
  const tl_sweep_crew *c = m->crew;
  const uint32_t words = m->worker.key_words;
  uint64_t record[words + 1];
  tl_copy_words (record, m->worker.keys + i * words, words);
  record[words] = m->origin[i];
  return tl_layers_push (&c->sweep->layers, c->layer[m->lead[i]], record);
}

static void list_all (tl_sweep_mate *m, size_t first, const uint32_t *list,
                      size_t count) {
  tl_sweep_crew *c = m->crew;
  tl_lock_soon (&c->desk);
  for (size_t k = 0; k < count; k++) {
    const uint8_t isnew = m->deal.isnew[list[k]];
    const size_t i = first + list[k];
    if (isnew == TL_DEAL_WAITS)
      keep (m, i, false);
    else if (isnew && tl_sweep_mate_list (m, i)) {
      keep (m, i, true);
      halt (c, TL_OK);
    }
  }
  if (c->idle)
    pthread_cond_broadcast (&c->more);
  pthread_mutex_unlock (&c->desk);
}

// Puts what was gathered, but for what is left to who is alone.
static void put_round (tl_sweep_mate *m) {
  tl_sweep_crew *c = m->crew;
  tl_worker *w = &m->worker;
  const size_t first = m->waits, count = w->gathered - first;
  const uint64_t *keys = w->keys + first * w->key_words;
  if (!count)
    return;
  tl_deal_begin (&m->deal, count);
  tl_deal_sort_among (&m->deal, c->shards, c->leads, m->lead + first, keys,
                      count, m->who * (c->leads << c->shard_bits) / c->size);
  if (tl_deal_put (&m->deal, true)) { // for want of memory
    tl_deal_leave (&m->deal);
    halt_all (c);
  }
  const uint32_t *list;
  const size_t marked = tl_deal_marked (&m->deal, count, &list);
  for (size_t k = 0; k < marked; k++)
    if (m->deal.isnew[list[k]] == TL_DEAL_NEW)
      m->added[m->lead[first + list[k]]]++;
  if (c->sweep->layers.persistent.count)
    forget_kept (m, keys, list, marked);
  list_all (m, first, list, marked);
  w->gathered = m->gathered = m->waits;
  if (m->waits > TL_MATE_GATHER / 2)
    halt_all (c);
}

// ---- States ----------------------------------------------------------------

static tl_status put_hook (void *context) {
  put_round (context);
  return TL_OK;
}

// What does not fit is for who is alone.
static tl_status leave_it (void *context, uint32_t event) {
  (void)context, (void)event;
  return TL_E_LIMIT;
}

static tl_status note (void *context, const uint32_t *list, uint32_t count) {
  tl_sweep_mate *m = context;
  const tl_sweeping *w = m->crew->sweep;
  const size_t at = m->worker.gathered;
  const uint64_t number = m->here << w->event_bits;
  for (uint32_t i = 0; i < count; i++) {
    m->origin[at + i] = number | list[i];
    m->lead[at + i] = m->crew->lead_of[w->class_of[list[i]]];
  }
  return TL_OK;
}

static const tl_worker_hooks hooks = {
    .note = note, .put = put_hook, .widen = leave_it};

static tl_status show (void *context, const tl_visit *visit) {
  tl_sweep_mate *m = context;
  const tl_visitor *v = visit->search->visitor;
  m->shows = !v->skips (v->context, visit, m->room);
  return TL_OK;
}

// Expands the state at hand; false: it is for who is alone.
static bool expand (tl_sweep_mate *m, uint64_t origin) {
  tl_worker *w = &m->worker;
  const tl_sweeping *sweep = m->crew->sweep;
  m->shows = false;
  tl_worker_load (w);
  const uint32_t arcs = w->count;
  if ((!arcs && m->crew->wants_dead) || tl_worker_visit (w) || m->shows)
    return false;
  if (m->here) // else it is the initial one, which nothing led to
    tl_worker_prune (w, (uint32_t)(origin & tl_low_bits (sweep->event_bits)));
  const uint32_t followed = w->count;
  if (tl_worker_fire (w, w->enabled, w->count, &hooks, m))
    return false;
  m->counted.states++;
  m->counted.arcs += arcs;
  m->counted.followed += followed;
  m->counted.deadlocks += !arcs;
  return true;
}

static void expand_block (tl_sweep_mate *m) {
  tl_sweep_crew *c = m->crew;
  tl_worker *w = &m->worker;
  const uint32_t words = w->key_words, all = words + 1;
  for (size_t i = 0; i < m->states; i++, m->here++) {
    uint64_t *record = m->record + i * all;
    m->gathered = w->gathered;
    tl_copy_words (w->key, record, words);
    if (!expand (m, record[words])) {
      w->gathered = m->gathered;
      tl_copy_words (m->record + m->aside++ * all, record, all);
    }
    const size_t count = w->gathered - m->waits;
    if (count >= TL_MATE_GATHER ||
        (count >= EARLY && __atomic_load_n (&c->idle, __ATOMIC_RELAXED)))
      put_round (m);
  }
  if (m->aside)
    halt_all (c);
}

void tl_sweep_mate_work (void *crew, unsigned who) {
  tl_sweep_mate *m = ((tl_sweep_crew *)crew)->mate + who;
  for (;;) {
    if (!take (m, false)) {
      put_round (m);
      if (!take (m, true))
        break;
    }
    expand_block (m);
    if (m->aside)
      break;
  }
  put_round (m);
  tl_lock_soon (&m->crew->desk);
  tell_counts (m);
  pthread_mutex_unlock (&m->crew->desk);
}

// ---- Buffers ---------------------------------------------------------------

void tl_sweep_mate_close (tl_sweep_mate *m) {
  tl_sweeping *w = m->crew->sweep;
  tl_mem *mem = &w->search->engine;
  const uint32_t words = w->key_words + 1;
  // What it has counted was told.
  if (m->worker.census.net)
    tl_census_forget (&m->worker.census);
  tl_worker_close (&m->worker);
  tl_deal_close (&m->deal);
  TL_DEL (mem, m->record, TL_MATE_BLOCK * words);
  TL_DEL (mem, m->origin, TL_MATE_ROOM);
  TL_DEL (mem, m->lead, TL_MATE_ROOM);
  TL_DEL (mem, m->is_put, TL_MATE_ROOM);
  TL_DEL (mem, m->added, m->crew->room);
  TL_DEL (mem, m->kept, m->crew->room);
}

tl_status tl_sweep_mate_open (tl_sweep_mate *m) {
  const tl_sweep_crew *c = m->crew;
  tl_search *s = c->sweep->search;
  tl_mem *mem = &s->engine;
  const uint32_t words = c->sweep->key_words + 1;
  if (!TL_NEW (mem, m->record, TL_MATE_BLOCK * words) ||
      !TL_NEW (mem, m->origin, TL_MATE_ROOM) ||
      !TL_NEW (mem, m->lead, TL_MATE_ROOM) ||
      !TL_NEW (mem, m->is_put, TL_MATE_ROOM) ||
      !TL_NEW (mem, m->added, c->room) || !TL_NEW (mem, m->kept, c->room))
    return TL_E_NOMEM;
  const tl_status rc = tl_worker_open (&m->worker, s,
                                       &(tl_worker_plan){.mem = mem,
                                                         .room = TL_MATE_ROOM,
                                                         .visits = true,
                                                         .apart = true,
                                                         .show = show,
                                                         .order = m,
                                                         .lists = true,
                                                         .events = true});
  return rc ? rc
            : tl_deal_open (&m->deal, mem, 1u << c->shard_bits, c->room,
                            TL_MATE_ROOM, s->code.key_words, 0);
}
