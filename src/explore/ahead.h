#ifndef TL_EXPLORE_AHEAD_H
#define TL_EXPLORE_AHEAD_H

#include "base/tuning.h"
#include "explore/worker.h"
#include "store/joint.h"

// Several threads for an order that numbers states as they are found and takes
// them in turn: a graph.  They expand the states that are next and put the
// successors together (store/joint.h), so that these get the numbers that one
// thread would have given them; what is left is done in turn.
//
//     states that are next   their successors
//     | chunk | ...  ->      | list | ...    -> settled,  -> taken   -> told to
//     a chunk is expanded, and its list is      numbered,    in turn    the
//     looked for, by one thread                 by all       by one     visitor
//
// While the chunks of a round are expanded, those of the round before are told,
// by one thread after the other.  What a visitor wants to know of the arcs may
// be made ready by whoever has numbered them (tl_arcs_apart).

// Some states that follow each other; their successors are a list of the round.
typedef struct tl_chunk {
  uint64_t first;  // number of the first
  uint32_t states; // how many
  uint32_t done;   // of these, expanded, and their successors looked for
  unsigned who;    // has expanded it
  bool claimed;    // somebody expands, settles or numbers it
  uint32_t arcs[TL_CHUNK_STATES];     // events enabled
  uint32_t followed[TL_CHUNK_STATES]; // of these, not left out
  uint32_t end[TL_CHUNK_STATES];      // successors up to here
  bool shows[TL_CHUNK_STATES];        // the visitor wants to see it
  size_t room;                        // successors
  uint64_t *numbers;                  // [room] as all that follows
  uint64_t *keys, *at;                // of candidates, see tl_joint_list
  uint32_t *which, *rank, *repeat;
  uint32_t *events; // by which they were found
  bool *isnew;
  size_t found; // in the end `which` and `events` are of so many new states
  void *part;   // of the visitor; null: it has none
  bool ready;   // it has the arcs of this chunk,
  bool told;    // which the visitor was told of, and they are to be written
} tl_chunk;

// What the order does with the states of a chunk that are done: it takes them,
// and tells the visitor of them, by whatever thread, but in turn.
typedef struct tl_ahead_plan {
  void *order;
  tl_status (*take) (void *order, const tl_chunk *);
  tl_visit_verdict (*tell) (void *order, const tl_chunk *);
} tl_ahead_plan;

typedef struct tl_ahead tl_ahead;

// Why there is one thread only; null: there may be several.
const char *tl_ahead_refusal (const tl_search *);
// Is it time to begin?
bool tl_ahead_pays (const tl_search *, uint64_t left);

// TL_E_NOMEM: there is no memory, or no thread.
tl_status tl_ahead_open (tl_ahead **, tl_search *, const tl_ahead_plan *);
void tl_ahead_close (tl_ahead *);

// Goes on with the states from number `*next` to `end`, until few are left or
// one is too much for it, which is the next then.  TL_E_ARG: it is of no use
// any more, for lack of memory.
tl_status tl_ahead_run (tl_ahead *, uint64_t *next, uint64_t end);

#endif
