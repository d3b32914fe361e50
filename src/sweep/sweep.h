#ifndef TL_SWEEP_SWEEP_H
#define TL_SWEEP_SWEEP_H

#include "base/tuning.h"
#include "sweep/layers.h"
#include "sweep/timeline.h"
#include "explore/saving.h"
#include "explore/worker.h"

// The sweep-line method, in the generalised form with a window.
//
// States are expanded in the order of their progress.  The line stands at the
// least progress that has states to be expanded; layers that lie more than the
// window behind the furthest one reached are freed.  A successor whose layer
// was freed may have been expanded before or not: it becomes persistent, and
// after the sweep it is a root of the next one.  When a sweep finds no new
// persistent state, all is done.
//
// Every state is expanded at least once: along any path, a successor is either
// in memory, to be expanded in this sweep, or persistent, to be expanded in the
// next; and since every further sweep adds a persistent state, there is a last
// one.  No state is expanded twice in one sweep, because a layer that was freed
// takes no states before the next.  The initial state is persistent from
// the beginning: cycles through it cost nothing.
//
// Where states are to be counted, or the measure was chosen by the tool, layers
// that are freed go to the archive on the disk (sweep/archive.h), and states
// that a later sweep finds are looked up there: then every state is expanded
// exactly once. When that has been done too often, all is kept in memory, and
// the next sweep is the last.  Without a disk it goes on as above.

// A state whose successors were gathered: its number, and how many had been
// gathered by then.
typedef struct tl_expanded {
  uint64_t state;
  size_t end;
} tl_expanded;

// A change of a place.
typedef struct tl_touch {
  uint32_t place;
  int64_t amount;
} tl_touch;

typedef struct tl_event_offset {
  int64_t by;
  bool known;
} tl_event_offset;

// The successors that belong to one layer: where they are when all have been
// brought into the order of layers, how many have been put, and whether the
// layer is gone.
typedef struct tl_portion {
  tl_layer *layer;
  bool behind;
  uint32_t first, end, done;
  uint32_t next[TL_SWEEP_LANES]; // where successors go, each by one in turn
} tl_portion;

#define TL_NO_SHARE UINT32_MAX

typedef struct tl_sweep_crew tl_sweep_crew;
typedef struct tl_sweep_fleet tl_sweep_fleet;

typedef struct tl_sweeping {
  tl_search *search;
  const tl_measure *measure;
  tl_layers layers;
  uint64_t window;
  bool elastic; // the window shrinks when memory is short
  // Every layer is a finalised region, shown to the visitor when it is
  // complete; and the keys that wait for that.  Where nobody knows whether the
  // measure loses progress, that is tried until it does.
  bool by_layer, doubted;
  uint64_t *waiting;
  size_t waits, waiting_room;
  uint64_t sweep;
  uint64_t freed;   // states
  uint64_t begun;   // states expanded before this sweep
  uint64_t longest; // sweep before this one: states it expanded
  bool automatic;   // the measure was chosen by the tool
  bool watched;     // there is another one
  bool archives;    // it began with an archive, which sleep sets are made for
  bool given_up;    // it is time for that one
  // When the generator forgot all: how many states were expanded, the bytes
  // that it still had, and those it had some time later (0: not yet).
  uint64_t collected;
  size_t kept, live;
  tl_timeline timeline;

  tl_layer *line;
  int64_t furthest[TL_MEASURE_PARTS]; // value expanded in this sweep
  int64_t gone[TL_MEASURE_PARTS];     // largest value freed in this sweep
  bool has_furthest, has_gone, lost;  // lost: some transition lost progress

  // Transitions by what they add to the progress.
  uint32_t classes;
  uint32_t *class_of;     // [transitions]
  const int64_t **offset; // [classes]
  uint32_t *class_share;  // [classes] of their layer, or TL_NO_SHARE: none yet
  // Where the measure is not linear, but for nets without arcs: what each
  // transition changes of what the measure reads.
  tl_touch *touch;
  size_t touch_count, touch_room;
  size_t *touch_start; // [transitions + 1]

  size_t room; // successors that the buffers take
  // Where tokens tell the progress: what each event adds to it, once it is
  // known.
  tl_event_offset *event_offset;
  size_t event_room;

  // The state being expanded, and successors that were found and not yet
  // has_share out to their layers.
  tl_worker worker; // behind the key at hand: where it was found
  uint64_t *next_state;
  uint64_t *initial;               // key
  uint32_t state_words, key_words; // of these buffers
  unsigned event_bits;  // of where a state was found; above is who found it
  uint64_t *marking;    // [places] as far as the measure reads it
  uint32_t *read;       // [places] which these are
  uint32_t reads;       // how many
  uint64_t number;      // of the state, in the order of expanding
  uint64_t begins;      // states that were given a number
  uint64_t *layer_keys; // [room] of the successors, by layers
  uint64_t *origin;     // [room] where they were found
  uint32_t *share_of;   // [room] which share they belong to
  tl_portion *share;    // [room] what each layer gets
  size_t shares;
  uint32_t sharing;  // behind those gathered: the successor that gets one
  bool putting;      // they are being put, no more are gathered
  uint32_t *from;    // [room] by layers: their places as they were found,
  uint8_t *isnew;    // whether they are new,
  uint64_t *numbers; // and their numbers in the pools

  // Where states are numbered as they are found: how many were, the number of
  // the state being expanded, those of the successors, and for whom they are.
  uint64_t found, found_as;
  uint64_t *targets;      // [room]
  tl_expanded *expansion; // [room]
  size_t expansions;

  // Several threads expand states of the line (sweep_crew.c).
  tl_sweep_crew *crew;
  bool no_crew; // there was no memory for that

  // Several ranks make the sweep (fleet.h); null: there is one.  Fields got
  // wider, and they begin anew.
  tl_sweep_fleet *fleet;
  bool reshaped;

  // Checkpoints (sweep_save.c): how states were found, for traces, in a file
  // beside the log, and whether the sweep at hand goes on from one.
  tl_journal *trail;
  tl_stream *stream; // null: it is lost, or there are no checkpoints
  bool resumed;
} tl_sweeping;

// To be closed in any case.
tl_status tl_expand_open (tl_sweeping *);
void tl_expand_close (tl_sweeping *);

// Expands states of the line until none is left, or until some lie behind it;
// then all successors are in their layers.
tl_status tl_expand_line (tl_sweeping *);
// Expands some of them, and puts their successors.
tl_status tl_expand_some (tl_sweeping *);

// The parts of that: the next record of the line, and the event by which it was
// found; that state is now the one being expanded, which begins; it is the one
// of w->worker.key.  Successors are gathered, with where they were found, and
// when there are many, or at once, distributed.  Layers get shares of those
// that the events led to, behind the ones gathered.
// TL_E_ARG: there is none.
tl_status tl_expand_pop (tl_sweeping *, uint64_t *record, uint32_t *event);
tl_status tl_expand_check (tl_sweeping *);
void tl_expand_begin (tl_sweeping *, uint64_t origin);
tl_status tl_expand_here (tl_sweeping *);
tl_status tl_expand_gather (tl_sweeping *, const uint64_t *keys,
                            const uint32_t *events, const uint64_t *origins,
                            size_t count);
tl_status tl_expand_share (tl_sweeping *, const uint32_t *events,
                           uint32_t count);
tl_status tl_expand_distribute (tl_sweeping *);
// Tells the search how many states are there now.
void tl_expand_tell (tl_sweeping *);

// Does it pay that several threads go on with the line?  They leave few states.
bool tl_sweep_has_crew (tl_sweeping *);
tl_status tl_sweep_run_crew (tl_sweeping *);
void tl_sweep_close_crew (tl_sweeping *);
// Keys have another form: moves those that it holds.
tl_status tl_sweep_crew_move (tl_sweep_crew *, const tl_widening *);

// Is a checkpoint to be written as soon as all that was found is in its layer?
// Then writes one; not TL_OK: the search is to end there.
bool tl_sweep_is_due (const tl_sweeping *);
tl_status tl_sweep_save_here (tl_sweeping *);
// What checkpoints need while a measure is tried; null if there are none.
void tl_sweep_open_saving (tl_sweeping *);
void tl_sweep_close_saving (tl_sweeping *);
tl_status tl_sweep_save (tl_search *, tl_parcel *, tl_error *);
// Going on from one: the measure, what is known of the sweep, and all layers.
tl_status tl_sweep_saved_measures (tl_search *, tl_measures *,
                                   const tl_measure_request *);
bool tl_sweep_has_archived (const tl_search *);
tl_status tl_sweep_restore (tl_sweeping *);

// Can the layer be freed?  It can if nothing of what was gathered belongs to
// it, or nothing new does.
bool tl_expand_release (tl_sweeping *, tl_layer *);

// Makes sweeps with the measure at hand until all is done, or it is given up.
tl_status tl_sweep_run (tl_sweeping *);
// The line comes to a layer: those too far behind are freed.
void tl_sweep_arrive (tl_sweeping *, tl_layer *line);

// May the window shrink when memory is short, if the measure allows that?
bool tl_sweep_is_elastic (const tl_search *);
// Tries the measures in turn, for the search that is set.
tl_status tl_sweep_try (tl_sweeping *, const tl_measures *);
// The one that is tried first.
size_t tl_sweep_first_trial (const tl_search *, const tl_measures *);

// Is short of memory: moves what it can out of the way.  False: nothing was
// left to be moved.
bool tl_sweep_relieve (tl_sweeping *);

// Does the generator know much of states that are gone?  Then it forgets all,
// and whoever makes it says so (forget.c).
bool tl_sweep_should_collect (tl_sweeping *);
void tl_sweep_collected (tl_sweeping *);

// Is a value further behind than the window?
static inline bool tl_sweep_outside (const tl_sweeping *w,
                                     const int64_t *value) {
  if (!w->has_furthest || w->window == TL_WINDOW_ALL || w->layers.keep_all)
    return false;
  if (!w->window)
    return tl_layers_compare (&w->layers, value, w->furthest) < 0;
  const uint64_t distance = (uint64_t)w->furthest[0] - (uint64_t)value[0];
  return value[0] < w->furthest[0] && distance > w->window;
}

// Is a value behind what was freed, or would have been?
static inline bool tl_sweep_gone (const tl_sweeping *w, const int64_t *value) {
  return (w->has_gone && tl_layers_compare (&w->layers, value, w->gone) <= 0) ||
         tl_sweep_outside (w, value);
}

// What the measure needs in a sweep.
tl_status tl_sweep_open_measure (tl_sweeping *);
void tl_sweep_close_measure (tl_sweeping *);

// The progress of a working state.
tl_status tl_sweep_value (tl_sweeping *, const uint64_t *state, int64_t *value);
// Of the state that is read, when the transition has fired.
void tl_sweep_read (tl_sweeping *, const uint64_t *state);
tl_status tl_sweep_value_after (tl_sweeping *, uint32_t transition,
                                int64_t *value);

// What an event adds, where tokens tell the progress.  TL_E_NOMEM.  Events may
// get other numbers: then all that is forgotten.
tl_status tl_sweep_event_offset (tl_sweeping *, uint32_t event,
                                 int64_t *offset);
void tl_sweep_forget_events (tl_sweeping *);

// The states of the line were all visited: shows them to the visitor, or makes
// them wait for others.  Shows those that wait, before keys take another shape;
// and at the end of a sweep all that it has not been shown.
tl_status tl_sweep_finalise_line (tl_sweeping *);
tl_status tl_sweep_finalise_waiting (tl_sweeping *);
tl_status tl_sweep_finalise_rest (tl_sweeping *);
void tl_sweep_finalise_close (tl_sweeping *);

// The kind of the pools that hold states of the shape in use.
tl_pool_kind tl_sweep_pools (tl_search *);

#endif
