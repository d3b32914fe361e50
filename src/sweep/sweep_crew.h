#ifndef TL_SWEEP_SWEEP_CREW_H
#define TL_SWEEP_SWEEP_CREW_H

#include "base/threads.h"
#include "explore/deal.h"
#include "sweep/sweep.h"

#include <pthread.h>

// Several threads expand the states of the line.  Each takes some at a time,
// and puts their successors into the shards of the layers they belong to
// (explore/deal.h).  Records come from the backlog of the line and go to those
// of the layers at the desk, where one thread is at a time.
//
//     backlog of the line        a thread              layers with shards
//     | | | | | |  -- desk -->   expands, gathers  --> shard, shard, ...
//                                     |
//            those that are new, <----+----> what waits for who is alone
//            by the desk
//
// What else there is waits until all have stopped, and is done by one:
// successors of layers that are small, behind the line or not there yet; states
// that somebody wants to see, and those with a successor that does not fit.

enum {
  TL_MATE_BLOCK = 64,               // states taken at once
  TL_MATE_GATHER = 8192,            // successors of a round,
  TL_MATE_ROOM = 2 * TL_MATE_GATHER // with those that wait
};

// A thread and what is its own.
typedef struct tl_sweep_mate {
  tl_sweep_crew *crew;
  unsigned who;
  tl_worker worker;
  tl_deal deal;
  uint64_t *record; // [TL_MATE_BLOCK] of the states being expanded
  size_t states;
  size_t aside;           // of these, the first, which are for who is alone
  uint64_t here;          // number of the state at hand
  size_t gathered;        // before that one
  uint64_t *origin;       // [TL_MATE_ROOM] where each successor was found
  uint16_t *lead;         // [TL_MATE_ROOM] the layer it belongs to
  size_t waits;           // successors, the first of those gathered
  uint8_t *is_put;        // [TL_MATE_ROOM] of these: it is new, but on no list
  uint64_t *added, *kept; // [leads]
  bool lost;              // some transition lost progress
  tl_census counted;      // states that were expanded, since that was told
  uint64_t expanded;
  uint64_t *room; // of the visitor
  bool shows;     // it wants to see the state
} tl_sweep_mate;

// Layers that successors are put into while there are several threads.
struct tl_sweep_crew {
  tl_sweeping *sweep;
  tl_threads *team;
  unsigned size;
  tl_sweep_mate *mate; // [size]
  unsigned shard_bits;
  uint32_t room;      // leads, at most
  uint16_t *lead_of;  // [classes] of transitions; TL_DEAL_NOWHERE: none
  bool *behind;       // [classes] where states become persistent
  tl_layer **layer;   // [room]
  tl_shards **shards; // [room]
  uint32_t leads;
  bool wants_dead; // nobody has seen a dead state

  pthread_mutex_t desk;
  pthread_cond_t more;
  unsigned idle; // threads that wait for states
  bool over;     // all of them do
  bool halt;     // there is something for who is alone
  tl_status rc;

  uint64_t *aside; // records of states that are expanded alone
  size_t aside_words;
};

// What each thread does, until there is something for one alone, or nothing is
// left.
void tl_sweep_mate_work (void *crew, unsigned who);
// Lists a state that is new: a successor that it has gathered.
tl_status tl_sweep_mate_list (tl_sweep_mate *, size_t successor);
// To be closed in any case, while one thread is there.
tl_status tl_sweep_mate_open (tl_sweep_mate *);
void tl_sweep_mate_close (tl_sweep_mate *);

#endif
