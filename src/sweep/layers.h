#ifndef TL_SWEEP_LAYERS_H
#define TL_SWEEP_LAYERS_H

#include "base/records.h"
#include "sweep/archive.h"
#include "sweep/backlog.h"
#include "sweep/duplicates.h"
#include "measure/measure.h"

// The states of a sweep, one layer for each progress value.
//
//        freed        |  in memory                      |  not reached
//     ----------------+---------------------------------+--------------> value
//                     |  states        todo             |
//                     |              ^ the line: the least value with todo
//                   least
//
// A layer that the line has left behind is freed in one call.  States that were
// found again behind `least` are persistent, all in one store: they are the
// roots of the next sweep.
//
// With an archive a layer that is freed goes to the disk.  When a later sweep
// comes to it, duplicates are detected, all at once (delayed duplicate
// detection): of the states found by then, those in the archive were visited
// before and need not be expanded again.  So every state is expanded once, and
// no state is persistent: roots are in their layers, where they are the first
// states of the next sweep.
//
// What a layer may be, told by `open` and `whole`:
//
//     absent    no such layer is in the table
//     away      not open: has roots and `ahead`, or archived states, or both
//     whole     open, and all its states are in memory
//     partial   open, but states of it are in the archive only: a state that
//               is found is a candidate, then checked, then to be expanded or
//               dropped as a duplicate
//
// and what becomes of it:
//
//     absent            tl_layers_at           away
//     away              tl_layers_enter        whole; partial, with archived
//                                              states
//     whole             tl_layers_push         whole: one more in `todo`
//     partial           tl_layers_push         partial: one more candidate
//     partial           tl_layers_detect       partial: candidates are checked,
//                                              or become roots if they are few;
//                                              whole, if it was the last pass,
//                                              all is kept or the archive lost
//     partial, whole    tl_layers_take_new     the same: of those checked the
//                                              new ones go to `todo`
//     partial, whole    tl_layers_free_least   away, or absent if nothing is
//                                              left; it had nothing in `todo`
//     away              tl_layers_keep         away: more is `ahead`
//     any               tl_layers_restart      away or absent, and then with
//                                              roots whole or partial
//
// tl_layer_is_legal tells what holds in each of these.

typedef struct tl_layer {
  int64_t value[TL_MEASURE_PARTS];
  tl_pool states;
  uint64_t twice;        // of these, also persistent
  tl_backlog todo;       // to be expanded
  tl_backlog candidates; // in `states`, but perhaps visited in a sweep before
  tl_backlog checked;    // the same: new, unless they are among the duplicates
  tl_duplicates *duplicates; // null: there are none
  tl_backlog roots;          // of the next sweep
  tl_pool ahead;        // with an archive: these, which will be its states then
  tl_archived archived; // states in the archive
  tl_archived before;   // the same when the sweep came here
  bool open;            // takes part in this sweep
  bool whole;           // and has all that it has in the archive, too
  bool waiting;         // is in the heap of layers with todo
  uint8_t passes;       // of duplicate detection, in this sweep
  // Of the successors that are distributed it gets a share, and which.
  // Such a layer may not be freed.
  bool has_share;
  uint32_t share;
} tl_layer;

static inline bool tl_layer_is_legal (const tl_layer *layer) {
  const uint64_t todo = tl_backlog_left (&layer->todo),
                 candidates = tl_backlog_left (&layer->candidates),
                 checked = tl_backlog_left (&layer->checked);
  if (!layer->open)
    return !layer->whole && !layer->passes && !layer->states.count && !todo &&
           !candidates && !checked && !layer->duplicates;
  return !(layer->whole && candidates) && (checked || !layer->duplicates) &&
         (layer->waiting || !(todo || candidates || checked)) &&
         layer->twice <= layer->states.count;
}

typedef struct tl_layer_heap {
  tl_layer **layer;
  size_t count, room;
} tl_layer_heap;

// Added to the salt of pools for each sweep: keys that come back from the
// archive, or from a checkpoint, do so in the order of the hashes of the store
// that they were in, and those that take them have other salts.
enum { TL_SWEEP_SALT = 1 << 16 };

typedef struct tl_layers {
  tl_mem *queue;
  tl_pool_kind kind;
  tl_pool_kind persistent_kind; // with a store that can look
  tl_backlog_kind backlogs;
  uint32_t parts;
  tl_layer **slot; // by the hash of the value
  size_t slots, count;
  tl_layer_heap todo, open; // the least value first
  uint64_t stored;          // states in memory
  tl_pool persistent;
  bool has_initial;           // it is one of these
  uint64_t persistent_before; // of these, before this sweep
  uint64_t most_persistent;   // at the end of a sweep, or roots of the next
  uint64_t roots;             // of the next sweep
  tl_archive *archive;        // null: what is freed is gone
  bool lost;                  // there was one, but it failed
  uint64_t looked_up;         // states read there, and layers asked for roots
  bool keep_all;    // layers are whole, and stay in memory between sweeps
  uint64_t largest; // states of a layer
  uint64_t unprocessed;
  uint64_t seen;    // values at which a layer was opened
  uint64_t spilled; // bytes
} tl_layers;

tl_layers tl_layers_init (const tl_pool_kind *, tl_mem *queue, uint32_t parts);
void tl_layers_close (tl_layers *);

// From now on layers that are freed go to the disk, if that can be.  If it
// cannot, what was there is as good as never visited.
void tl_layers_open_archive (tl_layers *);
void tl_layers_close_archive (tl_layers *);
void tl_layers_lose_archive (tl_layers *);
// Moves to the disk what of archive and backlogs is in memory; false: that gave
// no memory back.
bool tl_layers_flush (tl_layers *);
// Is there memory for that many more keys, and to spare?
bool tl_layers_fit (const tl_layers *, uint64_t keys);

// A layer is to be freed.
void tl_layers_archive (tl_layers *, tl_layer *);

// Nothing is left to be expanded for sure.  Detects the duplicates among the
// candidates: these are checked afterwards, or wait for the next sweep.  And
// takes some of those that are checked: the new ones are to be expanded.
// TL_E_NOMEM: it can be tried again.
tl_status tl_layers_detect (tl_layers *, tl_layer *);
tl_status tl_layers_take_new (tl_layers *, tl_layer *);
void tl_layer_close_duplicates (tl_layers *, tl_layer *);

int tl_layers_compare (const tl_layers *, const int64_t *, const int64_t *);

// The layer of a value, made if need be.
tl_status tl_layers_at (tl_layers *, const int64_t *value, tl_layer **);

// The same; null: there is none.
tl_layer *tl_layers_find (const tl_layers *, const int64_t *value);

// Makes it take part in the sweep.
tl_status tl_layers_enter (tl_layers *, tl_layer *);

// So many keys were put into the store of a layer beside it; some of them were
// persistent before this sweep.
void tl_layers_settle (tl_layers *, tl_layer *, uint64_t added, uint64_t kept);
// Puts keys into a layer in memory; those that were persistent before this
// sweep are not new.  Or keeps keys of a layer, as persistent states or for the
// next sweep.  On TL_E_NOMEM the first batch->done keys were put.  Where states
// are numbered, the batch tells which names of the pool are theirs:
// layer->states.name and persistent.name.  The caller gives new ones.
tl_status tl_layers_put (tl_layers *, tl_layer *, tl_batch *);
tl_status tl_layers_keep (tl_layers *, tl_layer *, tl_batch *);
// How many are persistent; the initial state does not count.
uint64_t tl_layers_persistent (const tl_layers *);

// One more state to be expanded in this sweep, if that is sure; in the next,
// which was kept; and the next one.
tl_status tl_layers_push (tl_layers *, tl_layer *, const uint64_t *record);
tl_status tl_layers_push_root (tl_layers *, tl_layer *, const uint64_t *record);
tl_status tl_layers_pop (tl_layers *, tl_layer *, uint64_t *record);
// At most so many, and at least one if one is left.
tl_status tl_layers_pop_some (tl_layers *, tl_layer *, size_t most,
                              uint64_t *records, size_t *n);

uint64_t tl_layer_left (const tl_layer *);    // to be expanded, for sure
uint64_t tl_layer_checked (const tl_layer *); // or if they are new

// The layer with the least value that has something to be expanded, or that may
// have; or null.
tl_layer *tl_layers_line (tl_layers *);
// The layer in memory with the least value, or null.
tl_layer *tl_layers_least (const tl_layers *);
// Frees the layer of the least value.  It has nothing to be expanded.
void tl_layers_free_least (tl_layers *);

// For the states of the next sweep.
tl_pool_kind tl_layers_kind_ahead (const tl_layers *);

// Keys have another shape from now on: `convert` makes the new out of the old.
// After a failure it can only be closed.
tl_status tl_layers_move (tl_layers *, const tl_pool_kind *,
                          void (*convert) (const void *, const uint64_t *old,
                                           uint64_t *key),
                          const void *context);

// Of what is checked the new ones are to be expanded for sure, the others are
// dropped.  TL_E_NOMEM.
tl_status tl_layers_settle_checked (tl_layers *);

// Writes all layers to a file, and reads them into what was opened for keys of
// the same form (layers_save.c).  TL_E_SYNTAX: they are not what they should
// be; after a failure they can only be closed.
tl_status tl_layers_save (tl_layers *, tl_record_writer *);
tl_status tl_layers_restore (tl_layers *, tl_record_reader *, tl_error *);
// A layer that was read is where it belongs.
tl_status tl_layers_arrange (tl_layers *, tl_layer *);

// The sweep is over: frees all layers and makes the roots those of the next;
// *any tells whether there are some.
tl_status tl_layers_restart (tl_layers *, bool *any);

#endif
