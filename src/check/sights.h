#ifndef TL_CHECK_SIGHTS_H
#define TL_CHECK_SIGHTS_H

#include "logic/formula.h"
#include "structure/equation.h"

// Some reachable markings of a net.  What one of them satisfies no proof can
// exclude, so that none has to be looked for: with few markings, chosen among
// those of a random walk for what was not seen before them, most of what is
// asked is known.  Beside them are points that satisfy the state equation, as
// linear programs gave them: what one of these satisfies the equation does not
// exclude.

enum { TL_SIGHTS = 128, TL_POINTS = 64 }; // of each at most

// Begins as {mem, net}, and is taken when it is first asked.  In a large net,
// or without memory, it is small or empty.
typedef struct tl_sights {
  tl_mem *mem;
  const tl_net *net;
  bool taken;
  uint32_t count;    // markings
  uint32_t *tokens;  // [places * TL_SIGHTS] of a place, in all of them
  uint64_t *marking; // [places] one of them
  uint64_t points;   // seen so far; the last ones are kept
  double *place;     // [places * TL_POINTS] tokens of a place, in all of them
  double *point;     // [places] one of them
} tl_sights;

void tl_sights_close (tl_sights *);

// Which of them satisfy an inequality, a bit each.  Begins empty.
typedef struct tl_sighted {
  uint64_t marking[TL_SIGHTS / 64], point;
  bool known;      // those of the markings
  uint64_t points; // looked at so far
} tl_sighted;

// Looks at those that it has not looked at.
void tl_sights_look (tl_sights *, const tl_inequality *, tl_sighted *);

// Takes the point of what was asked last, if there is one.
void tl_sights_take (tl_sights *, const tl_equation *);

// Has the state formula that value in one of them?
bool tl_sights_show (tl_sights *, const tl_formula *, bool value);

#endif
