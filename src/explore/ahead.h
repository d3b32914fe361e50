#ifndef TL_EXPLORE_AHEAD_H
#define TL_EXPLORE_AHEAD_H

#include "base/tuning.h"
#include "explore/worker.h"

// Several threads for an order that takes states one after the other: a graph,
// which numbers them as they are found.  They do what does not depend on that:
// expanding states that will be next, and looking for their successors among
// those that are known.  One thread then takes the states in turn, and finds
// most of the work done.
//
//     states that are next   their successors
//     | chunk | ...  ->      | chunk | ...  -> in turn,    -> in turn, by
//     expanded, a chunk      looked for, a     by one:        another: told
//     by each thread         chunk by each,    numbers, log   to the visitor
//                            then sifted
//
// While the chunks of a round are taken, those of the round before are told,
// and those of the next one are expanded; nothing else happens meanwhile.

// Some states that follow each other, and their successors.
typedef struct tl_chunk {
  uint32_t states; // how many
  uint32_t done;   // of these, expanded; the next was too much for it
  uint32_t taken;  // and taken
  bool told;       // to the visitor
  uint64_t *key;   // of the states, as the order gave them
  uint32_t arcs[TL_CHUNK_STATES];     // events enabled
  uint32_t followed[TL_CHUNK_STATES]; // of these, not left out
  uint32_t end[TL_CHUNK_STATES];      // successors up to here
  bool shows[TL_CHUNK_STATES];        // the visitor wants to see it
  size_t count, room;                 // successors
  uint64_t *keys;
  uint32_t *events;
  // For the order, [room], and what it is to know of each successor.
  uint64_t *parts; // as long as keys
  uint64_t *seen, *numbers;
  uint32_t *place;
  uint8_t *isnew, *fresh;
  size_t missing;
  uint32_t *bound; // [tasks + 1]
} tl_chunk;

// What the order does.
typedef struct tl_ahead_plan {
  void *order;
  // How many states can be taken now, at most, and the next of them.  TL_E_ARG:
  // there is none.
  uint64_t (*left) (void *order);
  tl_status (*next) (void *order, uint64_t *key);
  // A chunk was expanded: its successors are looked for, and what is left to do
  // is dealt to so many tasks.  Then each task is done by one thread, number
  // `who`, for all chunks.  Nothing changes meanwhile.
  uint32_t tasks;
  void (*look) (void *order, tl_chunk *);
  void (*sift) (void *order, tl_chunk *, size_t chunks, uint32_t task,
                unsigned who);
  // Takes the states that are done.
  tl_status (*take) (void *order, tl_chunk *);
  // Tells the visitor of them, by whatever thread, but in turn.
  tl_visit_verdict (*tell) (void *order, tl_chunk *);
  // Expands a state as if there were one thread.
  tl_status (*alone) (void *order, const uint64_t *key);
} tl_ahead_plan;

typedef struct tl_ahead tl_ahead;

// Why there is one thread only; null: there may be several.
const char *tl_ahead_refusal (const tl_search *);
// Is it time to begin?
bool tl_ahead_pays (const tl_search *, uint64_t left);

// TL_E_NOMEM: there is no memory, or no thread.
tl_status tl_ahead_open (tl_ahead **, tl_search *, const tl_ahead_plan *);
void tl_ahead_close (tl_ahead *);
unsigned tl_ahead_threads (const tl_ahead *);

// Goes on until few states are left; all that were given were taken.
tl_status tl_ahead_run (tl_ahead *);
// Keys have another form: moves those that were given.
tl_status tl_ahead_move (tl_ahead *, const tl_widening *);

#endif
