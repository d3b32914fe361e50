#ifndef TL_MEASURE_PILOT_H
#define TL_MEASURE_PILOT_H

#include "measure/sample.h"
#include "structure/sleep.h"

// A pilot sweep: the sweep as it would go on the net, tried on a sample.  It
// tells how many markings a measure keeps at most, and what it does for them.
//
// The rules are those of the sweep with a disk (sweep/layers.h): of what is
// left the least progress comes first; markings more than `window` behind the
// most progress visited so far are forgotten; a successor that far behind is a
// root of the next sweep.  Markings visited in a sweep before are stored when
// they are found, but not visited again, and to tell them the markings of
// their layer are read.  Arcs are pruned as they are in the sweep
// (structure/sleep.h), provided that the other way round lies in the sample,
// too.

enum { TL_PILOT_VISIT = 256 }; // what a visit counts as work

typedef struct tl_pilot_result {
  uint32_t peak;    // markings kept at most
  uint32_t visited; // each of them once
  uint64_t read;    // markings, from the disk
  uint64_t work;    // visits, and what else takes time
  uint32_t sweeps;
} tl_pilot_result;

// Work, as so many visits.
static inline double tl_pilot_visits (const tl_pilot_result *r) {
  return (double)r->work / TL_PILOT_VISIT;
}

// Arrays for any number of pilot sweeps on one sample.
typedef struct tl_pilot {
  tl_mem *mem;
  const tl_sample *sample; // borrowed
  uint32_t count;
  uint32_t *start;  // [count + 1] arcs inside the sample
  uint32_t *target; // [arcs]
  uint32_t *label;  // [arcs] their transitions, ascending
  size_t arcs;
  tl_sleep may;           // who sleeps for whom, whatever the order;
  uint32_t *order, *rank; // [transitions] that of the measure, and back
  int64_t *progress;      // [count] of the measure tried last
  bool writes;            // it loses progress: markings go to the disk
  int64_t *sorted;        // [count]
  uint32_t *layer;        // [count] its place among the values of progress
  uint32_t layers;        // in use
  uint32_t layer_room;
  const int64_t *value; // [layers] their progress; null: one apart
  uint32_t *head;       // [layer_room] first of those not yet visited, plus one
  uint32_t *next;       // [count] the same
  uint32_t *kept;       // [layer_room] markings in memory
  uint32_t *archived;   // [layer_room] and visited so far
  uint32_t *seen;       // [count] the last sweep that stored it
  uint32_t *rooted;     // [count] and that made it a root of the next
  uint32_t *visited;    // [count] the last run that visited it
  uint32_t *root;       // [count] roots of the next sweep
  uint32_t *from;       // [count] the marking from which it was found last
  uint32_t *by;         // [count] and the transition
  uint32_t sweep, run;  // numbers for these
  uint64_t work;        // about how many arcs were followed so far
} tl_pilot;

tl_status tl_pilot_open (tl_pilot *, const tl_sample *);
void tl_pilot_close (tl_pilot *);

// Gives every marking its progress: `offset` [transitions] is what firing
// adds.  The initial marking has progress 0.
void tl_pilot_measure (tl_pilot *, const int64_t *offset);

// A pilot sweep with the measure set last.  False: given up, because
// peak + share * visits (both in markings) got beyond `limit`.
bool tl_pilot_sweep (tl_pilot *, uint64_t window, double share, double limit,
                     tl_pilot_result *);

#endif
