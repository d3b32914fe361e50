#ifndef TL_BASE_CLOCK_H
#define TL_BASE_CLOCK_H

// Seconds that only go forward, from some point in the past.
double tl_clock (void);

// Seconds that this thread has worked: what is limited by them does as much on
// a machine that is busy with other things.
double tl_clock_busy (void);

#endif
