#ifndef TL_CHECK_SIGHTS_H
#define TL_CHECK_SIGHTS_H

#include "logic/formula.h"
#include "structure/equation.h"

// Some reachable markings of a net.  What one of them satisfies no proof can
// exclude, so that none has to be looked for: with few markings, chosen among
// those of a random walk for what was not seen before them, most of what is
// asked is known.

enum { TL_SIGHTS = 128 }; // markings at most

// Begins as {mem, net}, and is taken when it is first asked.  In a large net,
// or without memory, it is small or empty.
typedef struct tl_sights {
  tl_mem *mem;
  const tl_net *net;
  bool taken;
  uint32_t count;    // markings
  uint32_t *tokens;  // [places * TL_SIGHTS] of a place, in all of them
  uint64_t *marking; // [places] one of them
} tl_sights;

void tl_sights_close (tl_sights *);

// Does one of them satisfy all inequalities?
bool tl_sights_satisfies (tl_sights *, const tl_inequality *, size_t count);

// Has the state formula that value in one of them?
bool tl_sights_shows (tl_sights *, const tl_formula *, bool value);

#endif
