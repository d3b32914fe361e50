#ifndef TL_CHECK_SHRINK_H
#define TL_CHECK_SHRINK_H

#include "check/facts.h"

// Questions made smaller before any search, and decided where that is enough.
// Formulas are rewritten; what they say about the initial marking itself is put
// in its place; and they lose what is known about every reachable marking by
// the structure of the net (check/facts.h), which is studied when a question
// first needs it.

typedef struct tl_shrinker {
  tl_mem *mem;
  tl_arena *arena; // where formulas are made
  const tl_net *net;
  const uint64_t *initial;   // [places]
  const tl_options *options; // for its time limit and its cancel flag
  bool hasty;                // what may take long is left out
  bool soon;                 // it gets less: a search will decide that soon
  tl_structure *given;       // null: it is found out
  bool studied;
  // Of a coloured net: no place can have more tokens than its capacity.
  bool asked_capacities, keeps_capacities;
  bool no_dead;  // no transition is known to be dead
  uint8_t *dead; // [shown transitions] those that are; null: not asked
  tl_structure *structure; // null: not known
  tl_facts facts;          // then
  double for_staying;      // seconds that are left for check/staying.h
} tl_shrinker;

// Gives back what questions are made smaller with.  The structure, if it was
// studied, is there until the shrinker is closed.
void tl_shrinker_finish (tl_shrinker *);
void tl_shrinker_close (tl_shrinker *);

typedef struct tl_shrunk {
  tl_formula *formula; // true at the initial marking if the question is
  bool linear;         // every X in it is one of LTL (logic/linear.h)
  bool unshown;        // and for a reason that no run shows:
  bool returns;        // perhaps that the net can always return
  // How it was decided: "rewrite", "initial" for the initial marking, or
  // "structure".  Then the formula is a constant.  Null: it is not.
  const char *engine;
} tl_shrunk;

tl_status tl_shrink (tl_shrinker *, const tl_question *, tl_shrunk *);

// What the structure says about one of the named properties.  The places or
// transitions by which it is decided are marked (check/culprits.h), not all
// where that would take long.
tl_verdict tl_shrink_named (tl_shrinker *, tl_question_kind, uint8_t *mark);

// True: it is proven that from every reachable marking the initial one can be
// reached.
bool tl_shrink_returns (tl_shrinker *);

// True: the sum of a question about a bound is proven to be at most that.
bool tl_shrink_bound (tl_shrinker *, const tl_question *, uint64_t *most);

#endif
