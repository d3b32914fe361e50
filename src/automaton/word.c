#include "automaton/word.h"

#include <string.h>

static uint64_t bit (uint32_t state) {
  return (uint64_t)1 << state;
}

static uint64_t all_states (const tl_automaton *a) {
  return ~(uint64_t)0 >> (TL_WORD_STATES - a->states);
}

// Where edges lead that are in the set, if that is one.
static uint64_t after_one (const tl_automaton *a, uint32_t state,
                           uint64_t letter, uint64_t set) {
  uint64_t to = 0;
  for (uint32_t e = a->first[state];
       (e = tl_automaton_next (a, state, e, letter)) < a->first[state + 1]; e++)
    to |= (a->edge[e].sets & set) == set ? bit (a->edge[e].to) : 0;
  return to;
}

uint64_t tl_word_after (const tl_automaton *a, uint64_t states,
                        uint64_t letter) {
  uint64_t to = 0;
  for (; states; states &= states - 1)
    to |= after_one (a, (uint32_t)__builtin_ctzll (states), letter, 0);
  return to;
}

uint64_t tl_word_terminal (const tl_automaton *a) {
  uint64_t states = 0;
  for (uint32_t q = 0; q < a->states; q++)
    if (a->kind[a->component[q]] == TL_TERMINAL)
      states |= bit (q);
  return states;
}

// ---- Loops -----------------------------------------------------------------

typedef struct loop {
  const tl_automaton *automaton;
  const uint64_t *letter;
  size_t length;
  uint64_t *alive, *reaches; // [length] before each letter
} loop;

// Those that are alive there and take an edge of the set to one that is, or any
// to one that does so later.
static uint64_t reaching (const loop *l, size_t at, uint64_t set) {
  const size_t next = at + 1 < l->length ? at + 1 : 0;
  uint64_t states = 0;
  for (uint64_t left = l->alive[at]; left; left &= left - 1) {
    const uint32_t q = (uint32_t)__builtin_ctzll (left);
    if ((after_one (l->automaton, q, l->letter[at], set) & l->alive[next]) ||
        (after_one (l->automaton, q, l->letter[at], 0) & l->reaches[next]))
      states |= bit (q);
  }
  return states;
}

// Leaves alive what reaches an edge of the set; false: that is all.
static bool leave_reaching (loop *l, uint64_t set) {
  memset (l->reaches, 0, l->length * sizeof *l->reaches);
  for (bool more = true; more;) {
    more = false;
    for (size_t at = l->length; at--;) {
      const uint64_t states = reaching (l, at, set);
      more |= states != l->reaches[at];
      l->reaches[at] = states;
    }
  }
  const bool fewer =
      memcmp (l->alive, l->reaches, l->length * sizeof *l->alive);
  memcpy (l->alive, l->reaches, l->length * sizeof *l->alive);
  return fewer;
}

bool tl_word_repeats (const tl_automaton *a, uint64_t states,
                      const uint64_t *letter, size_t length,
                      uint64_t *scratch) {
  loop l = {a, letter, length, scratch, scratch + length};
  for (size_t i = 0; i < length; i++)
    l.alive[i] = all_states (a);
  for (bool fewer = true; fewer && l.alive[0] & states;) {
    fewer = !a->sets && leave_reaching (&l, 0);
    for (uint32_t i = 0; i < a->sets; i++)
      fewer |= leave_reaching (&l, (uint64_t)1 << i);
  }
  return l.alive[0] & states;
}
