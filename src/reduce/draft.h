#ifndef TL_REDUCE_DRAFT_H
#define TL_REDUCE_DRAFT_H

#include "net/net.h"

// A net while rules make it smaller (reduce/rules.h): places and transitions
// go, transitions are put together from others, tokens move before the first
// step.
//
// Whatever the rules do, a marking that the draft can reach is on its places
// one that the net can reach; and every transition of the draft has a *word*,
// the transitions of the net that have to be fired for it, one after the other.

#define TL_NO_WORD UINT32_MAX
// Words are not made longer than this.
#define TL_WORD_MOST 100000u

typedef struct tl_row {
  tl_arc *arc; // sorted by place
  uint32_t count;
} tl_row;

// `first` some times, then `second` some times, which are words themselves; or
// one transition of the net, `first`.
typedef struct tl_sequence {
  uint32_t first, second; // TL_NO_WORD: it is one transition
  uint32_t first_times, second_times;
  uint64_t length;
} tl_sequence;

typedef struct tl_drafted {
  tl_row pre, post, inhibitor;
  uint32_t word; // of a transition of the net: its number
  bool gone;
} tl_drafted;

// Transitions that had an arc to a place when they were added to it.
typedef struct tl_users {
  uint32_t *transition;
  size_t count, room;
} tl_users;

typedef struct tl_draft {
  tl_mem *mem;
  tl_arena arena;
  const tl_net *net;
  const uint64_t *bound; // [places] proven, or null
  // What is looked at: is more of it wanted, or less?  A place with neither is
  // not seen by anybody.
  const uint8_t *up, *down;
  uint32_t places; // as many as the net has
  uint64_t *initial;
  uint8_t *place_gone;
  tl_users *users;
  tl_drafted *transition; // the first are those of the net
  uint32_t transitions;
  size_t transition_room;
  tl_sequence *word;
  size_t words, word_room;
  // Fired before the first step: a word, and how often.
  tl_sequence *prelude;
  size_t preludes, prelude_room;
} tl_draft;

// `up`, `down` and `bound` are borrowed.  TL_E_NOMEM; then, too, it may be
// closed.
tl_status tl_draft_open (tl_draft *, tl_mem *, const tl_net *,
                         const uint64_t *bound, const uint8_t *up,
                         const uint8_t *down);
void tl_draft_close (tl_draft *);

static inline bool tl_draft_is_seen (const tl_draft *d, uint32_t place) {
  return d->up[place] || d->down[place];
}

// The weight of the arc to a place; 0: there is none.
uint32_t tl_row_weight (tl_row, uint32_t place);
// What firing adds to a place.
int64_t tl_draft_change (const tl_draft *, uint32_t transition, uint32_t place);

// The transitions that have an arc to the place, each once; valid until one is
// added.
const tl_users *tl_draft_users (tl_draft *, uint32_t place);
bool tl_draft_inhibits (tl_draft *, uint32_t place); // anybody

void tl_draft_drop_place (tl_draft *, uint32_t place);
void tl_draft_drop_transition (tl_draft *, uint32_t transition);

// Adds what fires one transition some times and then another one some times,
// where all tokens of `through` that the first makes go to the second; nothing
// else that the first makes is taken by the second, and only one of them has
// inhibitor arcs.  TL_E_LIMIT: numbers get too large, and nothing was added.
typedef struct tl_pairing {
  uint32_t first, second, through;
  uint32_t first_times, second_times;
} tl_pairing;
tl_status tl_draft_pair (tl_draft *, const tl_pairing *);

// Fires a transition that takes from one place only so many times at the
// beginning.  TL_E_LIMIT as above.
tl_status tl_draft_begin (tl_draft *, uint32_t transition, uint32_t times);

#endif
