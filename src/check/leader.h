#ifndef TL_CHECK_LEADER_H
#define TL_CHECK_LEADER_H

#include "base/random.h"
#include "logic/distance.h"
#include "structure/course.h"

// Leads a walk to where a state formula holds, by the state equation
// (structure/course.h).  Where tokens count in thousands, the nearest such
// marking is thousands of steps away, and what has to be fired before the
// distance in tokens gets less no search finds out by trying.  The equation
// says it at once, but for the order.
//
// A plan chooses among the operands of each OR, and says how often each
// transition is to fire on a way to what is left, in any order.  Where nothing
// of that is enabled, a detour leads, in the same way, to where something is.
// The equation does not see that a cycle without tokens never begins to turn:
// what wakes those that wait for each other is added to the plan (increments:
// Wimmel, Wolf, "Applying CEGAR to the Petri net state equation", LMCS 8,
// 2012).

typedef struct tl_leader {
  tl_mem *mem;
  const tl_net *net;
  tl_course *course;
  tl_random random;
  // The marking at hand, and what is enabled there, ascending.
  uint64_t *marking; // [places]
  const uint32_t *enabled;
  uint32_t count;
  tl_entry *term; // of a sum
  size_t term_room;
  const uint8_t *avoid; // [transitions] not to be planned, or null
  uint32_t detours;     // since there was a plan
  uint8_t *given;       // [places] by what can fire of a plan
  uint8_t *opened;      // [transitions] can fire
  uint64_t *before;     // [transitions] the plan before this one
  bool whim;            // choices are made by chance
} tl_leader;

tl_status tl_leader_open (tl_leader *, tl_mem *, const tl_net *, uint64_t seed);
void tl_leader_close (tl_leader *);

// To where the simplified formula holds.  False: no way is known.
bool tl_leader_plan (tl_leader *, const tl_formula *, uint64_t *times);

// To where all of them hold; and to a marking by at least one step, or to one
// that has more in places that are not `exact` [places] (null: there are none).
bool tl_leader_plan_all (tl_leader *, tl_formula *const *, uint32_t count,
                         uint64_t *times);
bool tl_leader_return (tl_leader *, const uint64_t *marking,
                       const uint8_t *exact, uint64_t *times);

// From where nothing of what is left of a plan is enabled.  False: nothing is
// left of it, or there were enough detours.
bool tl_leader_detour (tl_leader *, uint64_t *times, bool *left);

#endif
