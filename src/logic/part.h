#ifndef TL_LOGIC_PART_H
#define TL_LOGIC_PART_H

#include "logic/clue.h"

// A formula that AND and OR make of others is decided part by part: each part
// that speaks of what comes has a clue of its own (logic/clue.h), and once it
// is decided the constant stands for it.  What is left is simpler, or a
// constant, too.
//
// Behind temporal operators the same words speak of other markings, and what is
// known of one marking says nothing.  But if no marking at all is what such an
// inner part needs, it is the same everywhere: then the constant stands for it,
// too, wherever it is.

typedef struct tl_part {
  tl_formula *formula;
  tl_clue clue;
  bool inner; // behind temporal operators: only what it needs is looked for
  bool missed, met; // the marking of the clue, and what it needs: looked for
  uint32_t turn;    // which of these is next
} tl_part;

typedef struct tl_parts {
  tl_part *part; // in the arena
  uint32_t count;
} tl_parts;

// Does it matter to one of them whether the net can always return?
bool tl_parts_return (const tl_formula *);

// Of a simplified formula; without AND and OR that is the only part but for
// some inner ones.  Of parts that are there already, what was looked for stays
// known. TL_E_NOMEM.
tl_status tl_parts_find (tl_parts *, tl_arena *, tl_formula *, tl_next,
                         bool returns);

// The formula with the constant for a part that is decided: where the whole is,
// or everywhere if it is an inner one.  Simplified; null: there is no memory.
tl_formula *tl_parts_settle (tl_arena *, tl_formula *, const tl_part *, tl_next,
                             bool holds);

#endif
