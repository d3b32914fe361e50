#ifndef TL_LOGIC_CLUE_H
#define TL_LOGIC_CLUE_H

#include "logic/simplify.h"

// Formulas about runs that one marking may decide:
//
//   A X X G f   is violated by a marking that does not satisfy f, at the end
//               of a run of two steps at least, and holds if there is none;
//   A GF f      is violated by a dead marking that does not satisfy f, for that
//               is where a run ends and stays.  So is FG f, and what AND and OR
//               make of such formulas;
//   A FG f      is the same as AG f in a net that can always return to its
//               initial marking, for what can be reached can be reached again
//               and again.  But the way there does not show that.
//
// And so for E, where the marking shows that it holds.  Of formulas of CTL with
// others inside, something is known of the markings that decide them
// (logic/bracket.h):
//
//   EF f, AG f        are decided by a marking below f, or below NOT f;
//   E (f U g), AF g   and others hold nowhere if no marking is above g; EG f,
//                     A (g R f) and others hold if none is above NOT f.

typedef struct tl_clue {
  tl_formula *target; // what the marking satisfies; null: there is no clue
  uint64_t least;     // steps that lead there
  bool holds;         // then
  bool decides;       // it is the other way round if there is no such marking
  bool shows;         // the way there shows it
  tl_formula *needed; // some marking satisfies this; null: nothing is known
  bool without;       // whether it holds if there is none
} tl_clue;

// Does it matter whether the net can always return?
bool tl_clue_returns (const tl_formula *);

// Of a simplified formula; `next` says what X means in it.  TL_E_NOMEM.
tl_status tl_clue_find (tl_arena *, tl_formula *, tl_next, bool returns,
                        tl_clue *);

#endif
