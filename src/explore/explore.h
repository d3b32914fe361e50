#ifndef TL_EXPLORE_EXPLORE_H
#define TL_EXPLORE_EXPLORE_H

#include "base/mem.h"
#include "base/threads.h"
#include "encode/layout.h"
#include "net/trace.h"

#include <stdio.h>

// Exploration as the questions see it: a visitor is shown every state once,
// when its enabled transitions are known.

typedef struct tl_search tl_search;

typedef struct tl_visit {
  tl_search *search;
  const tl_layout *layout;
  const uint64_t *state;   // working state
  const uint32_t *enabled; // ascending
  uint32_t enabled_count;
} tl_visit;

struct tl_stubborn;
struct tl_record_writer;
struct tl_parcel;
struct tl_unparcel;

// A finalised region: states that were all visited, such that every cycle
// lies within one region.  `next` gives their keys, some at a time, and returns
// 0 at the end.
typedef struct tl_finalised {
  void *context;
  size_t (*next) (void *context, size_t most, uint64_t *keys);
  // The store that holds them, or null.  After the last of them only its
  // `close` may be called.
  struct tl_store *store;
} tl_finalised;

// What a visitor says to the search after each call.
typedef enum tl_visit_verdict {
  TL_VISIT_CONTINUE,
  TL_VISIT_STOP,    // all is decided: the search ends
  TL_VISIT_GIVE_UP, // so it does: the net is unbounded, and nothing that is
                    // left to be found out can be found out by going on
  TL_VISIT_FAILED   // no memory
} tl_visit_verdict;

// For several threads that number states: the arcs of so many states are made
// ready by one of them, whichever, in a part, and told in their turn.  After
// that they are written, again by whatever thread, and before arcs are told as
// they are.
typedef struct tl_arcs_apart {
  uint32_t states; // of a part; the first one is a multiple of that
  tl_status (*open) (void **part, tl_mem *);
  void (*close) (void *part);
  // So many states were found before; `end` says where the numbers of a state
  // end.  TL_E_NOMEM: they are told as they are, instead.
  tl_status (*make) (void *part, uint64_t found, const uint64_t *numbers,
                     const uint32_t *end);
  tl_visit_verdict (*tell) (void *context, void *part);
  // Makes the memory ready for what was told, by all threads.
  void (*touch) (void *context, tl_threads *);
  void (*write) (void *context, const void *part);
} tl_arcs_apart;

typedef struct tl_visitor {
  void *context;
  // What is known of the net already; null: the search studies it.
  struct tl_structure *structure;
  // Called before the first visit, with all means of the search.  Null: not
  // needed.
  tl_visit_verdict (*begin) (void *context, tl_search *);
  // Called for every state.  Null: not needed.
  tl_visit_verdict (*visit) (void *context, const tl_visit *);
  // For several threads: would a visit of this state change nothing?  Then it
  // need not be made.  May be asked by several threads at the same time, each
  // with so many words of room of its own, which are zero before and after;
  // visits and all else are made while the others wait.  Null: the search has
  // one thread.
  bool (*skips) (void *context, const tl_visit *, uint64_t *room);
  size_t skips_room;
  // For a device: writes a test of states as `skips` is, which is true where a
  // visit may change something (gpu/kernel_text.h), and the numbers that it
  // looks at, which visits change.  Null: the search stays here.
  void (*write_test) (void *context, FILE *);
  size_t test_limits;
  void (*set_limits) (void *context, uint64_t *limit);
  // The same: is there something else to be done, and doing it.  Asked by the
  // thread that began the search, now and then.  Null: not needed.
  bool (*is_due) (void *context, const tl_search *);
  tl_visit_verdict (*turn) (void *context, tl_search *);
  // The numbers of successors of the states, in the order of the visits and of
  // the lists of enabled transitions; perhaps not all of a state in one call,
  // `last` tells.  States are numbered as they are found: a number that did not
  // come before is the next one.  A sweep that forgets a state and finds it
  // again gives it another.  Not depth-first, and only with a store that can
  // tell numbers.  Null: not needed.
  tl_visit_verdict (*arcs) (void *context, uint64_t state,
                            const uint64_t *numbers, size_t count, bool last);
  // The same in parts, perhaps.  Null: arcs are told as they are.
  const tl_arcs_apart *apart;
  // All visits and arcs so far will be repeated, in another order.  Null: that
  // does not matter.
  tl_visit_verdict (*again) (void *context);
  // Called when the net is proven unbounded, with a path whose
  // end can be repeated for ever.
  // Null: the search ends there.
  tl_visit_verdict (*unbounded) (void *context, const tl_trace *);
  // With stubborn sets for a property: adds transitions of which one at least
  // is in every run from this state to anything that is still looked for.
  // Null: there is no property.
  void (*attract) (void *context, const tl_visit *, struct tl_stubborn *);
  // Called with finalised regions: with all states when the search is complete,
  // or with parts of them as it leaves them behind.  Every state is in one.
  // There are no traces to be had.  Null: not needed.
  tl_visit_verdict (*finalised) (void *context, tl_search *,
                                 const tl_finalised *);
  // For several ranks: what is to be looked for, as words that a lookout
  // understands.  Null: this visitor has one rank.
  tl_status (*brief) (void *context, tl_mem *, uint64_t **words, size_t *count,
                      size_t *room);
  // For a checkpoint: adds what visits have shown so far, while nobody visits;
  // and takes it back, before the first visit.  TL_E_ARG: it is of another
  // visitor.  Null: such a search has no checkpoints.
  void (*save) (void *context, struct tl_parcel *);
  tl_status (*restore) (void *context, struct tl_unparcel *);
  // Of a certificate: writes what comes behind the net.  Null: nothing.
  void (*certify) (void *context, struct tl_record_writer *);
} tl_visitor;

// What other ranks look with, of a visitor that briefs them: it notes for
// itself what a state shows, and tells whether that is new (`visit`, `skips`).
typedef struct tl_lookout {
  tl_status (*open) (tl_visitor *, tl_mem *, const tl_net *,
                     const uint64_t *words, size_t count);
  void (*close) (tl_visitor *); // also of one that could not be opened
} tl_lookout;

// The way to the state being visited, made with malloc; TL_E_LIMIT where the
// search had to give up its log for lack of memory.  The trace needs nothing of
// the search any more.
tl_status tl_search_trace (tl_search *, tl_trace *);
// The same with one more event; TL_NO_EVENT: none.
tl_status tl_search_trace_by (tl_search *, uint32_t event, tl_trace *);

// What every option means when nothing was said.
tl_options tl_options_whole (void);

// tl_explore on a given root account, with a visitor (null: none).
tl_status tl_explore_on (tl_mem *root, const tl_net *, const tl_options *,
                         const tl_visitor *, tl_exploration *, tl_error *);

// Several ranks (explore/together.h).
typedef struct tl_fleet {
  struct tl_cluster *cluster;
  const tl_lookout *lookout; // null: no visitor briefs anybody
} tl_fleet;

// The same as tl_explore_on by the first of several ranks, which calls the
// others where such a search is for several; and that part of it which all
// make, of a search they were called to.
tl_status tl_explore_together (tl_mem *root, const tl_net *, const tl_options *,
                               const tl_visitor *, const tl_fleet *,
                               tl_exploration *, tl_error *);
tl_status tl_explore_share (tl_mem *root, const tl_net *, const tl_options *,
                            const tl_visitor *, const tl_fleet *,
                            tl_exploration *, tl_error *);

// Adds a row to the memory table.
void tl_exploration_add_row (tl_exploration *, const char *name, size_t used,
                             size_t would_be);

#endif
