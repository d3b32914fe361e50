#ifndef TL_EXPLORE_PARALLEL_PARTS_H
#define TL_EXPLORE_PARALLEL_PARTS_H

#include "base/threads.h"
#include "base/tuning.h"
#include "checkpoint/journal.h"
#include "explore/lane.h"
#include "explore/parallel.h"
#include "explore/deal.h"
#include "explore/growing.h"
#include "explore/post.h"
#include "explore/saving.h"
#include "explore/worker.h"

#include <pthread.h>

// What the files of the parallel search share.

typedef struct tl_crew tl_crew;

// A state is told by who found it, of all threads of all ranks, and as which
// one, from 1 on; those of the search with one thread before by their numbers.
// The journal of a checkpoint tells them in the same way.
#define TL_MATE_BIT TL_STREAM_BIT

// Successors that wait for the next round, at most.
enum { TL_ROUND_LEFT = TL_ROUND / 4 };

// A thread and what is its own.
typedef struct tl_mate {
  tl_crew *crew;
  unsigned who;
  tl_hand hand; // none for the first, and where one generator is for all
  tl_worker worker;
  tl_deal deal;
  tl_outbox outbox; // for other ranks
  tl_lane_reader reader;
  tl_packer packer;      // of lanes and log
  tl_lane now, next;     // its states of this level, which all read, and of the
                         // next one
  tl_log *log;           // null: given up
  tl_stream *stream;     // of the journal; null: there are no checkpoints
  uint64_t found;        // states that it put first
  tl_saved_part marked;  // of these, with several ranks: see saving.h
  uint64_t here;         // the state being expanded
  uint64_t *parent;      // [room] of each successor gathered
  size_t known;          // of these, parents that are known
  size_t own;            // with several ranks, those that are to be put here
  uint64_t visited;      // states in all
  uint64_t told;         // arcs that the crew knows of
  uint64_t *room;        // of the visitor, to see whether a visit is needed
  const tl_visit *visit; // that is to be made while the others wait
  bool turns;            // the visitor is to have its turn then
  bool failed;           // the state being expanded is wrong: see its generator
  uint64_t dead;         // a state without successors; 0: none
  uint64_t *misfit;      // successors that do not fit: parent, event, its key
  size_t misfits, misfit_room; // words
} tl_mate;

// A block of this level that is to be expanded.
typedef struct tl_ticket {
  const tl_lane *lane;
  uint64_t block;
} tl_ticket;

// Blocks that go from rank to rank (parallel_share.c).
typedef struct tl_sharing {
  bool on; // in this level
  pthread_mutex_t lock;
  uint64_t worth;             // blocks that a rank has to have, to be asked
  uint64_t *left;             // [ranks] blocks that each had when it last spoke
  bool asks;                  // somebody was asked and has not answered
  uint64_t came;              // blocks that have come, in all
  tl_packet *waiting, **last; // of these, those that nobody has taken
  size_t waitings;
  tl_packer packer; // to read those that are given
} tl_sharing;

struct tl_crew {
  tl_search *search;
  tl_threads *team;
  unsigned size;
  tl_mate *mate;     // [size]
  tl_shards *shards; // the store of the search
  tl_store *before;  // the one that it had; null: all was taken over
  bool prunes;       // by sleep sets
  size_t gather;     // successors of a round
  size_t window;     // with several ranks: that are put at once
  size_t room;       // that a thread may have

  tl_ticket *ticket;
  size_t tickets, ticket_room;
  size_t taken;       // of these, by all threads
  bool pause;         // nobody is to take another one
  tl_lane later;      // states of the level after the first, found before
  bool expands_later; // that is the level at hand
  tl_growing growing;
  uint64_t width;   // of this level
  uint64_t seen;    // states when it began
  uint64_t widest;  // of all
  unsigned holders; // threads, the first so many, that have states of it
  unsigned workers; // the same for those that expand it: all, or one

  // Those at work, those of them that wait for a meeting, and how many meetings
  // there were.
  pthread_mutex_t lock;
  pthread_cond_t met;
  unsigned running, waiting;
  uint64_t meetings;
  unsigned halt;  // TL_MEET, TL_STOP: why threads are to look up
  tl_status rc;   // why they stop
  bool crowded;   // memory is short: somebody is to make room
  bool patient;   // see tl_batch
  uint64_t arcs;  // of states visited
  uint64_t asked; // the state whose way is wanted
  bool lost;      // a state is missing in a log: they are of no use

  // Several ranks.
  tl_post *post; // null: there is one
  tl_sharing sharing;
  const tl_visitor *looks;   // who looks at the states while they are expanded
  uint64_t *first_mate;      // [ranks + 1] threads of the ranks before
  unsigned attending;        // threads that wait for what others send
  bool told_to_stop;         // by another rank
  bool told_to_pause;        // others were
  bool broken_off;           // what was sent has come, and is not put
  bool restored;             // from a checkpoint, and this is the first level
  uint64_t before_all;       // states that every rank has found for itself,
  uint64_t order;            // and what tells the last of them, in turn
  uint64_t *shown;           // states that somebody is to see: number and key
  size_t showns, shown_room; // words
};

enum { TL_MEET = 1, TL_STOP = 2 };

// ---- Planning (parallel_plan.c)

// Successors that a thread gathers at most: a round, and what waits to be put.
size_t tl_crew_room (const tl_search *);
// Shards for so many threads, as a power of two.
unsigned tl_crew_shard_bits (const tl_search *, uint64_t threads);
// States of a block where this rank has so many in a level.
size_t tl_crew_block (const tl_crew *, uint64_t states);
// A level of so many states begins: who expands it, in which blocks, and which
// shards grow for it.
tl_status tl_crew_begin_level (tl_crew *, uint64_t width);
// The next level becomes this one; returns how wide it is.
uint64_t tl_crew_turn (tl_crew *);

// ---- Beginning (parallel_take.c)

tl_status tl_crew_take_over (tl_crew *, const tl_handover *);

// ---- Working (parallel.c, parallel_mate.c, parallel_widen.c)

// What depends on the layout of states and keys.
tl_status tl_mate_open_parts (tl_mate *);
void tl_mate_close_parts (tl_mate *);
void tl_mate_open_lane (tl_mate *, tl_lane *);

// Puts what was gathered; or what can be put without waiting for somebody.
tl_status tl_mate_put (tl_mate *, bool all);
// Looks up where somebody wants that.
tl_status tl_mate_heed (const tl_mate *);
// Waits until all have come, and room was made.
tl_status tl_mate_crowded (tl_mate *);

// Shows a state to the visitor.
tl_status tl_mate_show (void *mate, const tl_visit *);
// The state being expanded is wrong: that ends the search.
tl_status tl_mate_fail (void *mate);
// Waits until all have come, and what is to be done then is done.
tl_status tl_mate_meet (tl_mate *);

// Notes how a state was found, of which this thread has so many: in its log,
// and in the journal.
void tl_mate_note (tl_mate *, uint64_t parent, const uint64_t *key,
                   uint32_t event);
// The same of a state that it has put first, also in its lane.
tl_status tl_mate_found (tl_mate *, uint64_t parent, const uint64_t *key,
                         uint32_t event);
// A successor of the state at hand does not fit: that is for the end of the
// level.
tl_status tl_mate_defer (tl_mate *, uint32_t event);

// Memory is short, and all threads wait: makes some room, or rc says that there
// is none.
void tl_crew_make_room (tl_crew *);
// The same for who may go on alone.  TL_E_NOMEM: there is none.
tl_status tl_crew_relieve (tl_crew *);
// All threads wait: widens fields, and fires what did not fit.
tl_status tl_crew_widen (tl_crew *);

// No thread is at work: marks where the search stands; then a checkpoint may be
// made, and is if it is time for it.
void tl_crew_save (tl_crew *);

// The parts of what a thread has found.
tl_saved_part tl_mate_part (const tl_crew *, const tl_mate *);

// Makes the successor fit, of a state in the layout before: all that the crew
// has moves to the new one.
tl_status tl_crew_widen_for (tl_crew *, const uint64_t *state, uint32_t event);

// The parent of a state of this thread, and the event.
tl_status tl_mate_step_back (tl_mate *, uint64_t *state, uint32_t *event);

// The number of the first state that one of the threads finds, less one.
uint64_t tl_crew_first_number (const tl_crew *, unsigned who);

// ---- Several ranks (parallel_post.c, together.c)

tl_status tl_crew_open_post (tl_crew *);
void tl_crew_close_post (tl_crew *);
// Sends what belongs to other ranks, of what was gathered.
tl_status tl_mate_send (tl_mate *);
// Takes what came from them, puts what makes a window, and waits while too much
// is on its way to them.
tl_status tl_mate_exchange (tl_mate *);
// This thread has nothing more to send: puts what comes, until all of the level
// has come.
tl_status tl_mate_attend (tl_mate *);
// One look at what comes while there is nothing else to be done.
tl_status tl_mate_wait (tl_mate *, unsigned *times);
// Notes a state that is to be shown to who began the search, and looks at it.
tl_status tl_crew_note_shown (tl_crew *, tl_mate *);
// All ranks have their part of the states, unless something failed for one.
tl_status tl_crew_begin_together (tl_crew *, tl_status);
// The level is over, or something has ended the work of this rank: all ranks do
// what is to be done then.
tl_status tl_crew_end_together (tl_crew *, tl_status);
tl_status tl_crew_widen_together (tl_crew *);
// This rank does not go on: the others are told, and what is on its way comes.
void tl_crew_break_off (tl_crew *, tl_status);
tl_status tl_crew_trace_deadlock_together (tl_crew *);

// Blocks that ranks give each other (parallel_share.c).
tl_status tl_crew_open_sharing (tl_crew *);
void tl_crew_close_sharing (tl_crew *);
// A level begins: whether its blocks are shared, for all ranks alike.
void tl_crew_plan_sharing (tl_crew *);
// The blocks of a level, or those left after a pause, are about to be expanded.
void tl_crew_begin_sharing (tl_crew *);
// The next block of this rank; c->tickets: there is none.
size_t tl_crew_take_ticket (tl_crew *);
// Asks another rank for blocks, where few are left.
void tl_crew_ask (tl_crew *);
// What a packet says; a block is kept.
tl_status tl_crew_hear (tl_crew *, tl_packet *);
// This rank has no blocks left: waits for the next that another one gives.
// Null: none has any, and all that were given have come.
tl_status tl_mate_await (tl_mate *, tl_packet **block);
// Its states are to be read next.
void tl_mate_read_given (tl_mate *, const tl_packet *block);
// Gives up those that came and wait.
void tl_crew_drop_blocks (tl_crew *);

// Keys that move to their owners (together_move.c).  What goes wrong ends the
// run, and says what is lacking.
enum { TL_MOVE = 256 };

typedef struct tl_moving {
  tl_crew *crew;
  const char *lacks;
  tl_outbox outbox;
  uint64_t *keys, *parents;
  uint32_t *events;
  uint16_t *owner;
  uint8_t *isnew;
} tl_moving;

void tl_moving_begin (tl_moving *, tl_crew *, const char *lacks);
void tl_moving_keys (tl_moving *, const uint64_t *keys, uint32_t count);
tl_status tl_moving_end (tl_moving *);

// Checkpoints (together_save.c): runs the blocks of a level, unless that could
// not begin, with pauses where one is to be made.
tl_status tl_crew_run_saved (tl_crew *, tl_status,
                             tl_status (*run) (tl_crew *));
// The last one, unless all is done.
void tl_crew_end_saving (tl_crew *, tl_status);
// Goes on from one; the level at hand is so wide.
tl_status tl_crew_restore (tl_crew *, uint64_t *width);

// A step further back; all ranks ask for the same.
tl_status tl_crew_step_back (tl_crew *, uint64_t *state, uint32_t *event);

// The way to the first dead state that somebody has met.
tl_status tl_crew_trace_deadlock (tl_crew *);

// The way to the state that is asked for.
tl_status tl_crew_trace (tl_search *, tl_trace *);
tl_status tl_crew_trace_together (tl_search *, tl_trace *);
void tl_crew_drop_logs (tl_crew *);

#endif
