#ifndef TL_STUBBORN_INTERFERENCE_H
#define TL_STUBBORN_INTERFERENCE_H

#include "net/net.h"

// Which transitions have to do with which, place by place: what stubborn sets
// are made of.  All of it is lists of transitions.  A list that several
// transitions need is there once, so that there is about as much of it as there
// are arcs.
//
// Let t take `pre` tokens from a place and put `post` there, and let it be
// inhibited from `inhibitor` tokens on, and t' the same with pre', post',
// inhibitor'.  At this place
//
//     t' takes from t     when  post' < pre' and post' < pre
//     t' inhibits t       when  post' > pre' and
//                               inhibitor' + post' - pre' > inhibitor
//
// Where t' does not take from t, t has its tokens after t' if it had them
// before: either t' takes none, or it leaves `pre` at least.  The same goes for
// inhibitors.  So an enabled t that nothing takes from or inhibits stays
// enabled.
//
// - The conflicts of t are all t' of which one takes from or inhibits the
//   other, at some place.  Without them t stays enabled, and others fire after
//   t as they do before it: where t takes tokens, `pre` are there all the time,
//   so `post` are left, and none wants more.
// - A t that need not stay enabled has conflicts only at places where it takes
//   tokens, or where it puts some and there are inhibitors: elsewhere it leaves
//   to the others all that they need.  These lists come first, the strict ones,
//   for transitions that must stay enabled, behind them.
// - A transition that is disabled since a place has m < pre tokens waits for
//   the adders of that place: those with post' > pre'.  The first that fires
//   finds m tokens at most, so only those with pre' <= m count; the list is
//   sorted by pre'.
// - One that is disabled by m >= inhibitor tokens waits for the takers: those
//   with post' < pre', and inhibitor' > m for the first of them; the list is
//   sorted by inhibitor', the largest first.

typedef struct tl_interference {
  tl_mem *mem;
  const tl_net *net;
  // List number p: the takers of place p; places + p: the adders; then
  // conflicts.
  uint32_t lists;
  size_t *start; // [lists + 1] where members begin
  uint32_t *member;
  uint64_t *need;         // of the members of the first 2 * places lists
  size_t *conflict_start; // [transitions + 1]
  size_t *strict_start;   // [transitions] those that keep it enabled
  uint32_t *conflict;     // numbers of lists
  size_t members, start_room, member_room, need_room, conflict_room;
} tl_interference;

// TL_E_NOMEM; then, too, it may be closed.
tl_status tl_interference_open (tl_interference *, tl_mem *, const tl_net *);
void tl_interference_close (tl_interference *);

static inline uint32_t tl_takers (const tl_interference *r, uint32_t place) {
  (void)r;
  return place;
}

static inline uint32_t tl_adders (const tl_interference *r, uint32_t place) {
  return r->net->places + place;
}

#endif
