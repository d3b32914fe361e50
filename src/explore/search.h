#ifndef TL_EXPLORE_SEARCH_H
#define TL_EXPLORE_SEARCH_H

#include "explore/capacity.h"
#include "explore/census.h"
#include "explore/cluster.h"
#include "explore/estimate.h"
#include "explore/explore.h"
#include "explore/log.h"
#include "encode/digits.h"
#include "model/model.h"
#include "store/store.h"
#include "structure/structure.h"
#include "structure/sleep.h"
#include "stubborn/coarse.h"
#include "stubborn/stubborn.h"

// What all orders of search share: the net made ready for firing, the store,
// the figures, the budgets.  An order (breadth-first, depth-first, ...) is a
// loop over this.

typedef struct tl_worker tl_worker; // explore/worker.h
typedef struct tl_saving tl_saving; // explore/saving.h
struct tl_widening;
struct tl_parcel;

struct tl_search {
  const tl_net *net;
  const tl_options *options;
  const struct tl_how *how;  // what they say by name
  const tl_visitor *visitor; // or null
  tl_saving *saving;         // null: there are no checkpoints
  tl_exploration *result;
  tl_error *error;

  tl_mem *root;
  // Accounts below the root.
  tl_mem engine, states, queue, trace, components;

  tl_generator *generator;
  tl_fault fault; // the state being visited is wrong
  tl_structure *structure;
  tl_structure *own_structure; // null: it is the visitor's
  uint8_t *width;              // [places] bits of each field
  uint64_t *most;   // [places] largest number of tokens that is told apart
  uint32_t *sample; // [places] how often marked in a random walk
  tl_layout layout;
  tl_code code;
  tl_fire *fire;
  const tl_store_kind *store_kind; // null: to be chosen
  tl_store_spec spec;
  tl_store *store;    // null: the order keeps states elsewhere
  tl_census census;   // of all workers that were closed
  tl_worker *workers; // those that visit states now
  tl_capacities capacities;
  tl_packer packer;    // of queue and log
  tl_log *log;         // null: given up for lack of memory
  bool logs_positions; // not events, which lose their numbers
  // For a certificate: all states, and what keys are made of (none: a key is
  // the working state).  Null: none is wanted.
  struct tl_roster *roster;
  tl_digits digits;

  bool reduces;      // by stubborn sets; else every enabled transition is fired
  bool for_property; // stubborn sets that lead to what the visitor seeks
  tl_interference interference; // what they are made of
  tl_sleep sleep;               // sleep sets: arcs pruned, as others lead there
  bool prunes_events;           // the successor generator has them

  double start, deadline, next_report;
  bool sweeping;   // states are in layers: there is no store
  bool external;   // nor is there one if they are on disk
  uint64_t stored; // then: how many
  uint64_t found;  // states, where there is no store: it was lost for lack of
                   // memory, or a device or the disk has them
  uint64_t next_choice;   // at so many states look for a leaner store; 0: never
  unsigned owner_bits;    // of the shards of the store; 0: it has none
  uint64_t parallel_from; // states from which on there are several threads
  uint64_t parallel_narrow; // and those of a level that one expands alone
  bool on_device;           // it has the states
  const char *one_thread;   // why there will be no others; null: there may be

  // Several ranks (explore/together.h).
  tl_cluster *cluster;                // null: there is one
  const tl_lookout *lookout;          // what the others look with
  tl_visitor watch;                   // that, opened
  bool met;                           // nobody searches for itself any more
  const struct tl_sightings *showing; // shown to the first now, or null
  uint64_t all_threads;               // of all ranks
  uint64_t sent[3];                   // to others: successors, bytes, blocks
  uint64_t elsewhere; // states of the others, when they last met
  uint64_t visits;    // states that several threads of this rank visited
  size_t enough; // at so many bytes the order makes way for another; 0: never
  bool trims;    // pages are given back when there are many states
  uint64_t depth, queued;
  tl_levels levels; // breadth-first
  uint64_t spilled; // bytes that were written to temporary files
  tl_stop stop;     // TL_STOP_DONE while nothing ended the search
  bool defers;      // the order looks at that itself, where it can be resumed

  // Of the order that runs: the way to the state being visited, and what it has
  // to say of its progress (null: nothing).
  tl_status (*trace_here) (tl_search *, tl_trace *);
  void (*tell_progress) (const tl_search *, tl_progress *);
  // Moves what it holds to the disk; false: that gave no memory back.  Null:
  // it holds nothing.
  bool (*flush) (tl_search *);
  // Moves a store to the new layout in another way than tl_widening_store, or
  // null.
  tl_status (*move_store) (const struct tl_widening *, tl_store *old);
  // Adds what it knows to a checkpoint (explore/saving.h); null: all states are
  // in the journal.
  tl_status (*save) (tl_search *, struct tl_parcel *, tl_error *);
  void *order_context;
};

// An order of search.  `run` returns TL_OK when it came to its end or when
// s->stop says why not; anything else is a failure.
typedef struct tl_order {
  const char *name; // as in --order=NAME
  tl_status (*run) (tl_search *);
  bool finalises; // calls tl_search_finalise itself; else all is shown at the
                  // end
} tl_order;

// The orders: name in the code, on the command line, what to say of it.
#define TL_ORDERS(ORDER)                                                       \
  ORDER (bfs, "bfs", "breadth-first: shortest traces, the fastest")            \
  ORDER (dfs, "dfs", "depth-first: finds deep states early, smallest queue")   \
  ORDER (sweep, "sweep", "least progress first, forgetting what is behind")

#define DECLARE(SYMBOL, NAME, BLURB) extern const tl_order tl_order_##SYMBOL;
TL_ORDERS (DECLARE)
#undef DECLARE
extern const tl_order tl_order_disk; // breadth-first, with a folder for states

const tl_order *tl_order_find (const char *name); // or null

// Prepares a search; what was opened before a failure is closed by the other.
// And tells what it has found (TL_E_NOMEM).
tl_status tl_search_open (tl_search *);
void tl_search_close (tl_search *);
tl_status tl_search_fill_result (tl_search *);

// Makes layout, code, engine and store for the widths chosen.
tl_status tl_search_shape (tl_search *);

// Acts on a visitor's verdict: TL_E_LIMIT where it stops the search (s->stop
// says so), TL_E_NOMEM where it failed.
tl_status tl_search_heed (tl_search *, tl_visit_verdict);

// States seen so far, while the search goes on, and states expanded.
uint64_t tl_search_seen (const tl_search *);
uint64_t tl_search_expanded (const tl_search *);

// There is a fault in the state being visited: ends the search with the way
// there.
tl_status tl_search_failed (tl_search *);
// Is the budget of time spent?  Then it says so in `stop`.
bool tl_search_is_late (tl_search *);

// The initial state in the layout in use.
tl_status tl_search_initial (tl_search *, uint64_t *state);

// Tells the visitor the numbers of successors of a state.
tl_status tl_search_arcs (tl_search *, uint64_t state, const uint64_t *numbers,
                          size_t count, bool last);
// All visits so far will be made again.
tl_status tl_search_again (tl_search *);

// s->result->unbounded has been set: asks the visitor whether to go on.
tl_status tl_search_unbounded (tl_search *);

// Looks at the budgets and the clock; not TL_OK: s->stop says why, or there is
// `enough`.  Call it every hundred states or so.
tl_status tl_search_poll (tl_search *);

// Gives pages back once, if that is wanted: see options->trim.
void tl_search_trim (tl_search *);

// Does the visitor want to see finalised regions?  Then an order that forgets
// states has to show them first, such that every cycle lies within one region.
bool tl_search_finalises (const tl_search *);
tl_status tl_search_finalise (tl_search *, const tl_finalised *);
// The same with the last of them: the search is complete.
tl_status tl_search_finalise_all (tl_search *, const tl_finalised *);

// The log is a help, not a need: where there is no memory for it, or the disk
// fails, it is dropped, and there are no traces.
void tl_search_open_log (tl_search *);
void tl_search_drop_log (tl_search *);
// The next state was found from the parent, by this event; where the search
// says so by the event at this position of the list of what is enabled there.
static inline void tl_search_log (tl_search *s, uint64_t parent,
                                  uint32_t transition) {
  if (s->log && tl_log_add (s->log, parent, transition))
    tl_search_drop_log (s);
}
// The way to a state.  TL_E_LIMIT: there is no log.
tl_status tl_search_log_trace (tl_search *, uint64_t number, tl_trace *);

// A search in layers becomes one with a store and a log.
tl_status tl_search_leave_layers (tl_search *);
// And back, with nothing in it: to begin anew.
void tl_search_enter_layers (tl_search *);

// Opens sleep sets with the transitions in that order; null: the last first.
// None where somebody wants to know all arcs.  They are a help, not a need:
// without memory there are none either.
void tl_search_open_sleep (tl_search *, const uint32_t *order);

// Puts a batch of keys that have the same owner.  When memory is short others
// give way first.
tl_status tl_search_put (tl_search *, tl_batch *);
// States matter more than traces: moves to the disk what can be there, or else
// gives up the log.  False: nothing gave way.
bool tl_search_give_way (tl_search *);

// The old layout of states, while those that are stored move to a wider one.
typedef struct tl_widening {
  tl_search *search;
  tl_layout layout;
  tl_code code;
  uint64_t *state, *tokens; // room for one
} tl_widening;

// The successor of `state` by `transition` does not fit: makes the fields that
// are too small wider and moves the store to the new layout.  The order then
// moves what it holds itself and closes the widening (on failure there is
// nothing to close).  The census (null: nothing was counted) is that of who
// expands the state; it is settled.  Decides first whether the net is
// unbounded; then s->stop says so and the status is TL_E_LIMIT.
tl_status tl_search_widen (tl_search *, tl_census *, const uint64_t *state,
                           uint32_t transition, tl_widening *);
void tl_widening_state (const tl_widening *, const uint64_t *old,
                        uint64_t *state);
void tl_widening_key (const tl_widening *, const uint64_t *old, uint64_t *key);
// Puts all keys of a store into another one, which has the new layout; the
// memory of the old one is given back on the way.
tl_status tl_widening_store (const tl_widening *, tl_store *old, tl_store *to);
void tl_widening_close (tl_widening *);

#endif
