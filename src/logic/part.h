#ifndef TL_LOGIC_PART_H
#define TL_LOGIC_PART_H

#include "logic/clue.h"

// A formula that AND and OR make of others is decided part by part: each part
// that speaks of what comes has a clue of its own (logic/clue.h), and once it
// is decided the constant stands for it.  What is left is simpler, or a
// constant, too.

typedef struct tl_part {
  tl_formula *formula;
  tl_clue clue;
  bool missed, met; // the marking of the clue, and what it needs: looked for
  uint32_t turn;    // which of these is next
} tl_part;

typedef struct tl_parts {
  tl_part *part; // in the arena
  uint32_t count;
} tl_parts;

// Does it matter to one of them whether the net can always return?
bool tl_parts_return (const tl_formula *);

// Of a simplified formula; without AND and OR that is the only part.  Of parts
// that are there already, what was looked for stays known.  TL_E_NOMEM.
tl_status tl_parts_find (tl_parts *, tl_arena *, tl_formula *, tl_next,
                         bool returns);

// The formula with the constant for a part that is decided where the whole is:
// not behind temporal operators, where the same words speak of other markings.
// Simplified; null: there is no memory.
tl_formula *tl_parts_settle (tl_arena *, tl_formula *, const tl_part *, tl_next,
                             bool holds);

#endif
