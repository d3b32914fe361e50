#ifndef TL_COLOUR_WAITING_H
#define TL_COLOUR_WAITING_H

#include "colour/tokens.h"

// Bindings that lack a token, kept until it turns up.

// A binding: its transition, and where its cells are.
typedef struct tl_waiter {
  uint32_t transition;
  uint32_t next; // number + 1 in the list it is in, or 0
  size_t cell;
} tl_waiter;

typedef struct tl_waiting {
  tl_mem *mem;
  uint32_t places;
  tl_token_set *wanted; // [places]
  struct tl_waiting_list {
    uint32_t *first; // for each wanted token: number + 1, or 0
    size_t room;
  } * list; // [places]
  tl_waiter *waiter;
  size_t waiters, waiter_room;
  tl_cell *cell;
  size_t cells, cell_room;
  uint32_t ready; // number + 1 of the first whose token has come, or 0
} tl_waiting;

tl_status tl_waiting_open (tl_waiting *, tl_mem *, const tl_cplace *,
                           uint32_t places);
void tl_waiting_close (tl_waiting *);

// The binding waits for a token of a place.
tl_status tl_waiting_add (tl_waiting *, uint32_t place, const tl_cell *token,
                          uint32_t transition, const tl_cell *binding,
                          uint32_t cells);
// The token is there.
void tl_waiting_wake (tl_waiting *, uint32_t place, const tl_cell *token);
// One of those whose token has come, or null.  It is good until others wait.
const tl_waiter *tl_waiting_next (tl_waiting *);

#endif
