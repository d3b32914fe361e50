#ifndef TL_STRUCTURE_COURSE_H
#define TL_STRUCTURE_COURSE_H

#include "structure/incidence.h"

// How often each transition fires on the way from one marking to another that
// satisfies some conditions, as far as the state equation says (Murata 1989):
// the numbers add up, but whether they can be fired in some order nobody knows.
// Among many tokens the way may have thousands of steps, and a search that
// looks at one after the other does not get there.
//
// Of the solutions one is taken that fires little, in a measure that is drawn
// anew each time, so that other ways are shown, too.

typedef struct tl_course tl_course;

// TL_E_LIMIT: the net is too large.  The net is borrowed.
tl_status tl_course_open (tl_course **, tl_mem *, const tl_net *);
void tl_course_close (tl_course *);

// Begins with a way from that marking [places] to anywhere.
void tl_course_from (tl_course *, const uint64_t *marking);

// And where it leads, the place has at least, or at most, so many tokens; or
// the sum is at most that.  The same sum always has the same name.  TL_E_LIMIT:
// it has too large numbers.
void tl_course_least (tl_course *, uint32_t place, uint64_t tokens);
void tl_course_most (tl_course *, uint32_t place, uint64_t tokens);
tl_status tl_course_sum (tl_course *, const void *name, tl_vector sum,
                         int64_t most);

// Nowhere less than where it begins: it can be repeated, as far as that goes.
void tl_course_repeats (tl_course *);

// The transition fires at least once; or not at all.
void tl_course_fires (tl_course *, uint32_t transition);
void tl_course_avoids (tl_course *, uint32_t transition);

// Writes how often each transition fires [transitions], rounded up; on a way
// back to where it begins, or that repeats, as often as makes all of them
// integers.  False:
// there is no such way, so says the solver, or it was not found in time.
bool tl_course_find (tl_course *, uint64_t seed, double seconds,
                     uint64_t *times);

#endif
