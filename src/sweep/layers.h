#ifndef TL_SWEEP_LAYERS_H
#define TL_SWEEP_LAYERS_H

#include "sweep/attic.h"
#include "sweep/backlog.h"
#include "sweep/sieve.h"
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
// found again behind `least` are kept for good, all in one store: they are the
// roots of the next sweep.
//
// With an attic a layer that is freed goes to the disk.  When a later sweep
// comes to it, the states found by then are sifted: those in the attic were
// visited before and need not be expanded again.  So every state is expanded
// once, and nothing is kept for good: roots are in their layers, where they are
// the first states of the next sweep.

typedef struct tl_layer {
  int64_t value[TL_MEASURE_PARTS];
  tl_pool states;
  uint64_t twice;    // of these, also kept
  tl_backlog todo;   // to be expanded
  tl_backlog unsure; // in `states`, but perhaps visited in another sweep
  tl_backlog mixed;  // the same, but for those in the sieve they are new
  tl_sieve *sieve;   // null: all that are mixed are new
  tl_backlog roots;  // of the next sweep
  tl_pool ahead;     // with an attic: these, which will be its states then
  tl_stowed stowed;  // states in the attic
  tl_stowed before;  // the same when the sweep came here
  bool open;         // takes part in this sweep
  bool whole;        // and has all that it has in the attic, too
  bool waiting;      // is in the heap of layers with todo
  uint8_t sifted;    // so often, in this sweep
  // For whoever deals successors out to layers: it gets a share, and which.
  // Such a layer may not be freed.
  bool dealt;
  uint32_t share;
} tl_layer;

typedef struct tl_layer_heap {
  tl_layer **layer;
  size_t count, room;
} tl_layer_heap;

typedef struct tl_layers {
  tl_mem *queue;
  tl_pool_kind kind, kept_kind; // kept states are in a store that can look
  tl_backlog_kind backlogs;
  uint32_t parts;
  tl_layer **slot; // by the hash of the value
  size_t slots, count;
  tl_layer_heap todo, open; // the least value first
  uint64_t stored;          // states in memory
  tl_pool kept;
  uint64_t kept_before; // of these, before this sweep
  uint64_t most_kept;   // at the end of a sweep, or roots of the next
  uint64_t roots;       // of the next sweep
  tl_attic *attic;      // null: what is freed is gone
  bool lost;            // there was one, but it failed
  uint64_t sifted;      // states read there, and layers asked for roots
  bool hoards;          // layers are whole, and stay in memory between sweeps
  uint64_t largest;     // states of a layer
  uint64_t unprocessed;
  uint64_t seen;    // values at which a layer was opened
  uint64_t spilled; // bytes
} tl_layers;

tl_layers tl_layers_init (const tl_pool_kind *, tl_mem *queue, uint32_t parts);
void tl_layers_close (tl_layers *);

// From now on layers that are freed go to the disk, if that can be.  If it
// cannot, what was there is as good as never visited.
void tl_layers_open_attic (tl_layers *);
void tl_layers_close_attic (tl_layers *);
void tl_layers_lose_attic (tl_layers *);

// A layer is to be freed.
void tl_layers_stow (tl_layers *, tl_layer *);

// Nothing is left to be expanded for sure.  Sifts the states that are not: they
// are mixed afterwards, or wait for the next sweep.  And takes some of those
// that are mixed: the new ones are to be expanded.  TL_E_NOMEM: it can be tried
// again.
tl_status tl_layers_sift (tl_layers *, tl_layer *);
tl_status tl_layers_sieve (tl_layers *, tl_layer *);
void tl_layer_drop_sieve (tl_layers *, tl_layer *);

int tl_layers_compare (const tl_layers *, const int64_t *, const int64_t *);

// The layer of a value, made if need be.
tl_status tl_layers_at (tl_layers *, const int64_t *value, tl_layer **);

// Makes it take part in the sweep.
tl_status tl_layers_enter (tl_layers *, tl_layer *);

// Puts keys into a layer in memory; those that were kept in a sweep before are
// not new.  Or keeps keys of a layer, for good or for the next sweep.  On
// TL_E_NOMEM the first batch->done keys were put.  Where states are numbered,
// the batch tells which names of the pool are theirs: layer->states.name and
// kept.name.  The caller gives new ones.
tl_status tl_layers_put (tl_layers *, tl_layer *, tl_batch *);
tl_status tl_layers_keep (tl_layers *, tl_layer *, tl_batch *);
// How many are kept; the initial state does not count.
uint64_t tl_layers_kept (const tl_layers *);

// One more state to be expanded in this sweep, if that is sure; in the next,
// which was kept; and the next one.
tl_status tl_layers_push (tl_layers *, tl_layer *, const uint64_t *record);
tl_status tl_layers_push_root (tl_layers *, tl_layer *, const uint64_t *record);
tl_status tl_layers_pop (tl_layers *, tl_layer *, uint64_t *record);

uint64_t tl_layer_left (const tl_layer *);  // to be expanded, for sure
uint64_t tl_layer_mixed (const tl_layer *); // or if they are new

// The layer with the least value that has something to be expanded, or that may
// have; or null.
tl_layer *tl_layers_line (tl_layers *);
// The layer in memory with the least value, or null.
tl_layer *tl_layers_least (const tl_layers *);
// Frees the layer of the least value.  It has nothing to be expanded.
void tl_layers_free_least (tl_layers *);

// Keys have another shape from now on: `convert` makes the new out of the old.
// After a failure it can only be closed.
tl_status tl_layers_move (tl_layers *, const tl_pool_kind *,
                          void (*convert) (const void *, const uint64_t *old,
                                           uint64_t *key),
                          const void *context);

// The sweep is over: frees all layers and makes the roots those of the next;
// *any tells whether there are some.
tl_status tl_layers_restart (tl_layers *, bool *any);

#endif
