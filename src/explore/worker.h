#ifndef TL_EXPLORE_WORKER_H
#define TL_EXPLORE_WORKER_H

#include "base/bits.h"
#include "explore/roster.h"
#include "explore/search.h"

#include <string.h>

// A worker expands states.  It has the state at hand and all that is written to
// on the way: the list of enabled transitions, the successors gathered, scratch
// of the successor generator and of stubborn sets, a census of its own.  What
// the search has (layout, code, successor generator, sleep sets, what
// interferes with what) stays as it is while states are expanded, until
// somebody widens fields.  So a worker is all that a thread needs for itself;
// but where the generator changes on the way, as that of coloured nets does,
// other threads have one of their own, in a hand.
//
//     key -- load --> state, enabled -- visit --> counted, shown, reduced
//                                    -- prune --> without those that sleep
//         -- fire --> keys of the successors, gathered -- put --> store
//
// An order of search is a loop over this.  It says which key is next, and what
// becomes of those that are new.

// What a thread has where it cannot use that of the search.
typedef struct tl_hand {
  tl_generator *generator; // null: it can
  tl_fault fault;
  tl_code code;
  tl_fire *fire;
} tl_hand;

// Opens one beside the generator of the search, which is shared.
tl_status tl_hand_open (tl_hand *, tl_search *);
void tl_hand_close (tl_hand *);
// The search has another layout, or another program; while nobody works.
tl_status tl_hand_follow (tl_hand *, tl_search *);

typedef struct tl_worker_plan {
  tl_mem *mem;     // account of the buffers
  size_t room;     // successors gathered at most
  uint32_t behind; // words behind the key at hand that the order has a use for
  bool visits;     // states are visited, not only fired
  bool apart;      // of a thread beside others: the search counts what it has
                   // seen when it is closed, and tells of no dead state
  const tl_hand *hand; // null: it uses what the search has
  // Shows a state to the visitor, of such a thread; and has something go wrong
  // in it.
  tl_status (*show) (void *order, const tl_visit *);
  tl_status (*fail) (void *order);
  void *order;
  bool lists;  // `enabled` has a list; else the order sets it, to its own
  bool events; // transitions to the successors are gathered with the keys
} tl_worker_plan;

struct tl_worker {
  tl_search *search;
  tl_worker_plan plan;
  // Those of the search, or of its hand.
  tl_generator *generator;
  const tl_code *code;
  const tl_fire *fire;

  // The state at hand.
  uint64_t *state, *key;
  uint32_t *enabled; // what is to be fired there, ascending
  uint32_t count;    // of these

  // Successors that were gathered and not yet put.
  size_t gathered;
  uint64_t *keys;   // [room]
  uint32_t *events; // [room] or null

  tl_census census;
  tl_roster_part noted;  // states that the roster is to know of
  tl_stubborn *stubborn; // null: every enabled transition is fired, unless
  tl_coarse *coarse;     // this makes sets, of a coloured net
  uint64_t *scratch;     // of the successor generator
  uint32_t *shown;       // [most enabled] or null: transitions of events
  uint32_t state_words, key_words, scratch_words; // of these buffers
  tl_worker *next;                                // of those that visit states
};

// To be closed in any case.
tl_status tl_worker_open (tl_worker *, tl_search *, const tl_worker_plan *);
// Adds what was counted to the census of the search.
void tl_worker_close (tl_worker *);

// The initial state becomes the one at hand.
tl_status tl_worker_begin (tl_worker *);

// Lists what is enabled in the state at hand.
static inline void tl_worker_list (tl_worker *w) {
  w->count = tl_fire_enabled (w->fire, w->state, w->enabled, w->scratch);
}

// The state of w->key becomes the one at hand; and the same with its list.
static inline void tl_worker_unpack (tl_worker *w) {
  tl_code_state (w->code, w->key, w->state);
}

static inline void tl_worker_load (tl_worker *w) {
  tl_worker_unpack (w);
  tl_worker_list (w);
}

// Shows the state at hand to the census and the visitor, and with stubborn sets
// leaves only those on the list that are to be fired.  Not TL_OK: the search is
// to end (search->stop says why).
tl_status tl_worker_visit (tl_worker *);
// Counts a state that another worker has visited, with so many enabled and so
// many of them followed; not what is in it.
tl_status tl_worker_adopt (tl_worker *, uint32_t enabled, uint32_t followed);
// Makes the list again for a state that was visited.  It may differ from the
// first one when questions were decided in between; then it is as good, but
// only as a whole.
void tl_worker_relist (tl_worker *);
// The state at hand as visitors see it: of events they see the transitions,
// each once.
tl_visit tl_worker_shown (tl_worker *);

// Leaves those on the list that sleep sets do not prune in a state found by
// that.
static inline void tl_worker_prune (tl_worker *w, uint32_t found_by) {
  const tl_search *s = w->search;
  uint32_t left;
  if (s->sleep.row)
    left = tl_sleep_prune (&s->sleep, found_by, w->enabled, w->count);
  else if (s->prunes_events)
    left = w->generator->kind->prune (w->generator, found_by, w->enabled,
                                      w->count);
  else
    return;
  w->census.followed -= w->count - left;
  w->count = left;
}

// Makes the keys of the successors by the listed transitions, behind those that
// were gathered.  Returns how many, counted from the first, before one did not
// fit.
static inline uint32_t tl_worker_steps (tl_worker *w, const uint32_t *list,
                                        uint32_t count) {
  const uint32_t got = tl_fire_fits (w->fire, w->state, list, count);
  tl_code_steps (w->code, w->key, list, got,
                 w->keys + w->gathered * w->code->key_words);
  return got;
}

// The same for `count` successors at most, which it looks up; the batch has
// room for what is found out.
static inline uint32_t tl_worker_look (tl_worker *w, tl_store *store,
                                       const uint32_t *list, uint32_t count,
                                       tl_batch *batch) {
  batch->count = tl_worker_steps (w, list, count);
  batch->keys = w->keys;
  batch->look = true;
  if (batch->count)
    store->kind->put (store, batch);
  return (uint32_t)batch->count;
}

// The first of the keys made, to which the transition led, becomes the state at
// hand; and back.
static inline void tl_worker_enter (tl_worker *w, uint32_t transition) {
  tl_copy_words (w->key, w->keys, w->key_words);
  tl_fire_step (w->fire, transition, w->state);
}

static inline void tl_worker_leave (tl_worker *w, uint32_t transition) {
  tl_fire_undo (w->fire, transition, w->state);
  tl_code_undo (w->code, transition, w->key);
}

// What an order does with successors.
typedef struct tl_worker_hooks {
  // Notes what else is to be known of successors whose keys were made just now;
  // null: nothing.
  tl_status (*note) (void *order, const uint32_t *list, uint32_t count);
  // Puts those gathered: there is no more room.
  tl_status (*put) (void *order);
  // The next one does not fit: puts those gathered and widens; or defers it,
  // and it is left out.
  tl_status (*widen) (void *order, uint32_t transition);
  bool defers;
} tl_worker_hooks;

// Gathers the successors of the state at hand by the listed transitions.
static inline __attribute__ ((always_inline)) tl_status
tl_worker_fire (tl_worker *w, const uint32_t *list, uint32_t count,
                const tl_worker_hooks *hooks, void *order) {
  tl_status rc = TL_OK;
  for (uint32_t from = 0; !rc && from < count;) {
    const size_t room = w->plan.room - w->gathered;
    const uint32_t want = count - from < room ? count - from : (uint32_t)room;
    const uint32_t got = tl_worker_steps (w, list + from, want);
    if (hooks->note && (rc = hooks->note (order, list + from, got)))
      return rc;
    if (w->events)
      memcpy (w->events + w->gathered, list + from, got * sizeof *list);
    w->gathered += got;
    from += got;
    if (got < want)
      rc = hooks->widen (order, list[from]), from += hooks->defers;
    else if (w->gathered == w->plan.room)
      rc = hooks->put (order);
  }
  return rc;
}

// The successor of the state at hand by this transition does not fit: fields or
// keys get wider, and what the worker and the store have moves to the new
// layout.  `move` (null: nothing) moves what else the order holds; `old_key` is
// room for a key of the old form.  TL_NO_EVENT: all fits, and the successor
// generator forgets states that are not moved.
typedef tl_status tl_worker_move (void *order, const tl_widening *,
                                  uint64_t *old_key);
tl_status tl_worker_widen (tl_worker *, uint32_t transition, tl_worker_move *,
                           void *order);

#endif
