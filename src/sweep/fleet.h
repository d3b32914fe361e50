#ifndef TL_SWEEP_FLEET_H
#define TL_SWEEP_FLEET_H

#include "explore/post.h"
#include "sweep/sweep.h"

// Several ranks make one sweep (docs/cluster.md).  A rank owns a part of the
// keys, by a hash, and has layers, persistent states, archive and log of these
// alone.
//
//     rank 0                      rank 1                     rank 2
//     | layer v, its part |       | layer v, its part |      (none of v)
//        expands        \_________/   expands                   |
//        puts its own    packets to   puts its own              puts what
//                        the owners                             comes
//     ---- all was sent, and put: the ranks agree on the least value that has
//          states to be expanded, the line of the next round -----------------
//
// In a round every rank expands what it has at the line.  With a linear measure
// the event tells how much further a successor is than the line, which is the
// same for all: packets have keys, events and parents, as in breadth-first
// search.  States that come to the line meanwhile are for the next round, which
// is at the same line then.
//
// Whether a state is new, persistent, in the archive or freed only its owner
// has to know, and goes by its own layers alone: the proofs of sweep/sweep.h
// hold for the states of each rank, with one line for all.  A sweep is over
// when no rank has states to be expanded, and the last one is that after which
// no rank has roots.
//
// What is for all happens between rounds: budgets, the way to the first dead
// state, states that somebody wants to see.  A field that is too small makes
// the ranks widen it and begin anew: all keys would have other owners.

// Figures that are added up when a round is over.
enum {
  TL_FLEET_EXPANDED,
  TL_FLEET_STORED,
  TL_FLEET_UNPROCESSED,
  TL_FLEET_PERSISTENT,
  TL_FLEET_LAYER, // states at the line
  TL_FLEET_SHOWN, // words of what is to be seen
  TL_FLEET_LOST,  // logs
  TL_FLEET_ENDS,  // ranks that cannot go on
  TL_FLEET_SUMS
};

// And what each rank says for itself: where its line is, if it has one, the
// first dead state that it has met, whether a successor has lost progress where
// that is not to be, and whether one did not fit.
enum {
  TL_FLEET_HAS_LINE,
  TL_FLEET_DEAD, // and one
  TL_FLEET_REGRESS,
  TL_FLEET_MISFIT,
  TL_FLEET_LINE,
  TL_FLEET_SLOT = TL_FLEET_LINE + TL_MEASURE_PARTS
};

struct tl_sweep_fleet {
  tl_cluster *all;
  tl_post post;
  tl_outbox outbox;
  bool counted;      // in this round all was sent
  bool told_to_stop; // by another rank
  // Successors that come, or are about to leave.
  size_t room;
  uint64_t *keys;    // [room]
  uint64_t *parents; // [room]
  uint32_t *events;  // [room]
  uint32_t *list;    // [room]
  uint16_t *owner;   // [room]

  uint64_t *board;  // what all have said, words [sums + ranks * slot]
  tl_layer no_line; // of a rank that has no states there: only its value counts
  uint64_t largest; // layer, with all its parts

  uint64_t dead;       // first state that is, and one; 0: none was met
  uint64_t regress[4]; // state, event, progress before and after
  bool has_regress;
  uint64_t *misfit; // state, event and key of a successor that does not fit
  bool has_misfit;
  uint64_t *shown; // states that are to be seen: number and key
  size_t shown_room, showns;
  uint64_t *look; // room of the visitor
  size_t look_words;
  uint64_t asked; // state to which the way is wanted
};

// A state among those of all ranks.
static inline uint64_t tl_fleet_number (const tl_sweep_fleet *f,
                                        uint64_t number) {
  return number * f->all->ranks + f->all->rank;
}

// The measure of the first rank becomes the one of all, and the only one of the
// list.  The status is not TL_OK where this rank is not to go on; where the
// first one goes on alone, search->cluster is null.
tl_status tl_fleet_measures (tl_search *, tl_measures *,
                             const tl_measure_request *);
// To be closed in any case; all begin if all could be opened.
tl_status tl_fleet_open (tl_sweeping *);
tl_status tl_fleet_begin (tl_sweeping *, tl_status opened);
void tl_fleet_close (tl_sweeping *);
bool tl_fleet_owns (const tl_sweep_fleet *, const uint64_t *key,
                    uint32_t words);
// All have an archive, or none has.
void tl_fleet_agree_archive (tl_sweeping *);

// Of a state that was visited, or is to be seen, or does not fit; and of the
// successor that gets a share, but may not.
void tl_fleet_note_dead (tl_sweeping *);
tl_status tl_fleet_show (void *sweeping, const tl_visit *);
tl_status tl_fleet_defer (void *sweeping, uint32_t event);
void tl_fleet_note_regress (tl_sweeping *, uint32_t event);
// Sends what was gathered and belongs to others; the rest get their shares.
tl_status tl_fleet_send (tl_sweeping *);

// A sweep; and its end: does any rank have roots?
tl_status tl_fleet_sweep (tl_sweeping *);
tl_status tl_fleet_go_on (tl_sweeping *, tl_status, bool *more);
// The parts of that: all expand what they have at the line, and agree.
tl_status tl_fleet_round (tl_sweeping *);
void tl_fleet_break_off (tl_sweeping *, tl_status);
tl_status tl_fleet_end_round (tl_sweeping *, tl_status);
void tl_fleet_publish (tl_sweeping *, tl_status);

// Visits so far will be made again, by all.
tl_status tl_fleet_again (tl_search *, tl_status);
// The figures of a sweep, and of the search, become those of all.
void tl_fleet_add_up (tl_search *);

#endif
