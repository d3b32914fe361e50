#ifndef TL_MACHINE_PROSPECTS_H
#define TL_MACHINE_PROSPECTS_H

#include "colour/bind.h"
#include "machine/parts.h"

// Bindings that are known before they are enabled.
//
// A token is met when a place holds it for the first time.  A prospect of a
// transition is a binding whose guard holds and that takes only tokens that
// were met, though perhaps never together.  All of them are known: when a token
// is met, the bindings that take it are looked for.
//
// So it is no search to say which ones are enabled in a state.  For each
// section that a transition takes from there is a row of bits for each local
// marking: which prospects find there what they need of it?  Those that all
// rows have are enabled, and stand in their order.  A prospect gets the number
// of an event when it is enabled for the first time: not before is computed
// what it puts, for that may go wrong.
//
// Some transitions have no prospects, and their bindings are searched for
// (enabled.c): those with inhibitors or a clock, those with too many, and those
// of which something cannot be computed for tokens that perhaps are never
// together.

// So many of a token must be there for the prospect of this bit.
typedef struct tl_prospect_need {
  uint32_t bit, token, many;
} tl_prospect_need;

// The rows of one section.
typedef struct tl_prospect_rows {
  uint32_t section;
  uint32_t first, words; // which words of all they have
  // For each local marking its row; the highest bit, which stands for no
  // prospect, says that it was made.
  uint64_t *row;
  size_t row_room;
  tl_prospect_need *need;
  size_t needs, need_room;
} tl_prospect_rows;

// Transitions that share rows.  Each has whole words.
typedef struct tl_bundle {
  uint32_t first; // transition
  uint32_t words; // of all of them
  uint64_t *all;  // [words] the bits that stand for a prospect
  uint64_t *bits; // [words] those that are enabled in the state at hand
  size_t room;    // of both
  tl_prospect_rows *rows;
  uint32_t sections; // that have rows
  size_t rows_room;
} tl_bundle;

typedef struct tl_prospects {
  const tl_ctransition *transition;
  bool none; // it has no prospects
  // The search for them.
  tl_cell *frame;
  uint32_t takes;
  tl_schedule *schedule; // [takes, or 1]
  tl_binder *binder;     // of these
  uint32_t *seen;        // [places] tokens that were taken into account
  bool searched;         // at least once
  // Those found, by number.
  tl_intern binding;
  tl_effect *need;
  size_t needs, need_room;
  size_t *need_end; // [count]
  size_t end_room;
  // In the order of their bindings, by rank.
  uint32_t *number, *event;
  size_t number_room, event_room;
  uint32_t ranked; // so many
  uint32_t bundle; // that it is in, if there are any
  uint32_t start;  // its first word there
} tl_prospects;

// Those of all transitions.
struct tl_known {
  tl_token_set *set; // [places] tokens that were met
  uint8_t **is_met;  // [places] [tokens]
  size_t *is_met_room;
  uint64_t met;     // of all places together
  tl_prospects *of; // [transitions]
  uint64_t tried;   // tokens, in all searches
  uint64_t updated; // `met` when they were, + 1
  tl_bundle *bundle;
  uint32_t bundles;
  size_t bundle_room;
  bool bundled;    // all that have prospects
  uint64_t made;   // needs and words that rows and bundles were made of
  uint64_t listed; // states
  size_t row_bytes;
  uint32_t *many; // room for a local marking, by token
  size_t many_room;
  uint32_t *row_of; // [sections] its place among the rows of a bundle, + 1
  size_t row_of_room;
};

// ---- Finding them (prospects.c)

// Is more work done to know bindings than that can save?
bool tl_prospects_are_dear (const tl_known *);
// The transition is to have none.
void tl_prospects_give_up (tl_machine *, tl_prospects *);

// ---- Rows (prospect_rows.c)

// Makes bundles of the prospects there are.
tl_status tl_bundles_make (tl_machine *);
void tl_bundles_close (tl_machine *);

#endif
