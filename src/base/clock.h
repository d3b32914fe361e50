#ifndef TL_BASE_CLOCK_H
#define TL_BASE_CLOCK_H

// Seconds that only go forward, from some point in the past.
double tl_clock (void);

#endif
