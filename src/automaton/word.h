#ifndef TL_AUTOMATON_WORD_H
#define TL_AUTOMATON_WORD_H

#include "automaton/automaton.h"

// Words that an automaton reads letter by letter, with all states that it may
// be in: a letter is a set of atoms that hold.  Sets of states are bits, so of
// an automaton with up to so many.
#define TL_WORD_STATES 64

// Where it may be after the letter.  0: no word that goes on is accepted.
uint64_t tl_word_after (const tl_automaton *, uint64_t states, uint64_t letter);

// The states from which everything is accepted.
uint64_t tl_word_terminal (const tl_automaton *);

// Is the word accepted that repeats these letters, from one of the states on?
// `scratch` has 2 * length words.
bool tl_word_repeats (const tl_automaton *, uint64_t states,
                      const uint64_t *letter, size_t length, uint64_t *scratch);

#endif
