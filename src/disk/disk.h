#ifndef TL_DISK_DISK_H
#define TL_DISK_DISK_H

#include "base/threads.h"
#include "disk/successors.h"
#include "disk/filter.h"
#include "disk/run.h"
#include "explore/saving.h"
#include "explore/worker.h"

#include <pthread.h>

// Breadth-first search with the states on disk (docs/disk.md): delayed
// duplicate detection.  No successor is looked up when it is found.  Those of a
// level are gathered, sorted, and compared with all known states at once when
// the level is over:
//
//     level d -- expand --> successors, gathered -- sort --> piles of them
//                                                              |
//     tiers: all states that are known, sorted -- strike -->   |  minus these
//        ^                                                     v
//        +---------------------- added -------------------- level d + 1
//
// All are sorted runs (disk/run.h), so that everything is read and written from
// the beginning to the end.  Piles are what threads have gathered when their
// memory was full.  Tiers are runs of known states; the later are shorter, and
// are merged when they are not.  The levels stay for traces.
//
// States of a level are expanded by all threads, page by page, and successors
// are looked up by all threads, each in a range of keys.

enum {
  TL_DISK_TIERS = 8,   // merged at once
  TL_DISK_BATCH = 256, // keys read at once
  TL_DISK_ROOM = 2048  // successors of a few states
};

typedef struct tl_disk tl_disk;

// A thread and what is its own.
typedef struct tl_disk_hand {
  tl_disk *disk;
  unsigned who;
  tl_worker worker;
  uint64_t *gathered;            // [room] records
  uint64_t *spare;               // [room] where they are sorted and looked up
  size_t count;                  // gathered
  uint8_t *mark;                 // [room / 2]
  uint64_t *batch;               // [TL_DISK_BATCH] keys
  uint32_t event[TL_DISK_BATCH]; // and their events
  uint64_t *from, *end;          // the range of keys at hand
  tl_run_reader with_events;     // of levels and piles
  tl_run_reader tier[TL_DISK_TIERS]; // of tiers
  uint64_t *ahead;            // [TL_DISK_TIERS * TL_DISK_BATCH] keys read
  tl_run_writer found, known; // of a level or pile, and of tiers
  uint64_t visited;           // states
  uint64_t told;              // arcs that all know of
  uint64_t *room;             // of the visitor
  bool dead;                  // a state without successors: its key, and
  uint64_t *dead_key;         // its depth
  uint64_t dead_depth;
} tl_disk_hand;

// A range of keys whose successors are looked up.
typedef struct tl_range_task {
  tl_sorted_run found, known;
} tl_range_task;

struct tl_disk {
  tl_search *search;
  tl_threads *team;
  unsigned size;
  tl_disk_hand *hand; // [size]
  tl_pages pages;
  tl_run_form form;
  tl_successor_form record;
  size_t room; // records that a thread may gather
  bool prunes; // by sleep sets

  tl_sorted_run *level; // [search->depth + 1] the states by their depths
  size_t levels, level_room;
  tl_sorted_run *tier; // all of them
  size_t tiers, tier_room;
  tl_sorted_run *pile; // successors that do not fit into memory
  size_t piles, pile_room;

  tl_filter filter; // of all known states, while levels are narrow
  size_t narrow;    // levels that were, one after the other

  // What threads do together: parts of it that were taken, and how many there
  // are.
  size_t taken, parts;
  tl_range_task *task; // [parts]
  uint64_t *cut;       // [parts - 1] keys at which ranges begin but the first
  size_t cut_room;
  size_t first_tier; // of those that are merged

  pthread_mutex_t lock;    // of the piles and rc
  pthread_rwlock_t visits; // taken by one: the others wait for a visit
  unsigned halt;           // threads are to stop
  tl_status rc;            // why
  uint64_t arcs;           // of states visited

  uint64_t *asked; // the key of the state whose way is wanted
  uint64_t asked_depth;
  uint64_t *misfit; // a state with a successor that does not fit, or null
  uint32_t misfit_event;
  uint64_t spilled, merged; // piles that were written, tiers that were merged

  // Checkpoints (disk_save.c): the file has a name; the pages with the places
  // of all others, as the last one has them.
  bool named;
  tl_page *index;
  size_t indices, index_room;
};

// Does something with all threads, or with one; the status of the first that
// failed.
tl_status tl_disk_together (tl_disk *, void (*work) (void *disk, unsigned who),
                            bool alone);
// The end of what a thread does.
void tl_disk_leave (tl_disk *, tl_status);
static inline bool tl_disk_halts (const tl_disk *d) {
  return __atomic_load_n (&d->halt, __ATOMIC_RELAXED);
}
// The thread that began the search looks at the budgets for all.
tl_status tl_disk_poll (tl_disk_hand *);

// How the worker of a thread is opened.
tl_worker_plan tl_disk_plan (tl_disk_hand *);
// Expands the level at hand: its successors are gathered and in piles then.
tl_status tl_disk_expand (tl_disk *);
// Finds out which of them are new: the next level.
tl_status tl_disk_look_up (tl_disk *);
// Cuts the successors into ranges of keys; how many.
tl_status tl_disk_cut (tl_disk *);
// Merges tiers where the last ones are too long.
tl_status tl_disk_merge_tiers (tl_disk *);

// A level is over: marks where the search stands, at once, since the mark is of
// the level that is the last one; writes a checkpoint if it is time; and one at
// the end of a search that does not come to its own.
void tl_disk_mark (tl_disk *);
void tl_disk_save_if_due (tl_disk *);
void tl_disk_save_last (tl_disk *);
tl_status tl_disk_save (tl_search *, tl_parcel *, tl_error *);
// Goes on from a checkpoint: bytes of pages, as they were, before pages are
// opened; then file, levels and tiers.
tl_status tl_disk_restore_size (const tl_unparcel *, size_t *page_bytes);
tl_status tl_disk_restore (tl_disk *, const tl_unparcel *);
void tl_disk_close_index (tl_disk *);

// The way to the state that is asked for.
tl_status tl_disk_trace (tl_search *, tl_trace *);

#endif
