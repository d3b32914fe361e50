#ifndef TL_AUTOMATON_ALTERNATING_H
#define TL_AUTOMATON_ALTERNATING_H

#include "automaton/paths.h"

// The very weak alternating automaton of a path formula (Gastin and Oddoux,
// CAV 2001).  Its states are parts of the formula other than AND and OR.  A
// move of a state goes to a set of states, from all of which the rest of the
// run has to be accepted; a state has several moves to choose from.  The only
// loops go from a state to itself, and a run is accepted unless some U stays
// for ever.

#define TL_ALTERNATING_STATES 256u

// A set of states.
typedef struct tl_team {
  uint64_t word[TL_ALTERNATING_STATES / 64];
} tl_team;

typedef struct tl_move {
  uint64_t holds, fails; // atoms that must hold, and that must not
  tl_team to;
} tl_move;

typedef struct tl_moves {
  tl_move *move;
  size_t count, room;
} tl_moves;

typedef struct tl_alternating {
  tl_mem *mem;
  tl_paths *paths;
  uint32_t states;
  tl_path path[TL_ALTERNATING_STATES];   // of a state
  tl_moves moves[TL_ALTERNATING_STATES]; // of a state, when asked for
  bool ready[TL_ALTERNATING_STATES];
  uint64_t effort; // steps left
} tl_alternating;

void tl_alternating_open (tl_alternating *, tl_paths *, uint64_t effort);
void tl_alternating_close (tl_alternating *);

// Makes the moves of a state; TL_E_NOMEM, TL_E_LIMIT.
tl_status tl_alternating_ready (tl_alternating *, uint32_t state);

// The sets of states from which a run may begin, as moves with empty labels.
tl_status tl_alternating_initial (tl_alternating *, tl_path, tl_moves *);
void tl_moves_close (tl_mem *, tl_moves *);

// May the state be left alone only for a time?
static inline bool tl_alternating_is_until (const tl_alternating *a,
                                            uint32_t state) {
  return tl_path_at (a->paths, a->path[state])->op == TL_PATH_UNTIL;
}

#define TL_TEAM_WORDS (TL_ALTERNATING_STATES / 64)

static inline bool tl_team_has (const tl_team *t, uint32_t state) {
  return t->word[state / 64] >> state % 64 & 1;
}

static inline bool tl_team_within (const tl_team *small, const tl_team *large) {
  uint64_t rest = 0;
  for (unsigned i = 0; i < TL_TEAM_WORDS; i++)
    rest |= small->word[i] & ~large->word[i];
  return !rest;
}

static inline void tl_team_add (tl_team *to, const tl_team *more) {
  for (unsigned i = 0; i < TL_TEAM_WORDS; i++)
    to->word[i] |= more->word[i];
}

// The smallest member from `from` on, or TL_ALTERNATING_STATES.
static inline uint32_t tl_team_next (const tl_team *t, uint32_t from) {
  for (uint32_t i = from / 64; i < TL_TEAM_WORDS; i++) {
    const uint64_t word =
        t->word[i] &
        (i == from / 64 ? ~(uint64_t)0 << from % 64 : ~(uint64_t)0);
    if (word)
      return 64 * i + (uint32_t)__builtin_ctzll (word);
  }
  return TL_ALTERNATING_STATES;
}

#endif
