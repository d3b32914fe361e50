#ifndef TL_EXPLORE_CHOOSE_H
#define TL_EXPLORE_CHOOSE_H

#include "explore/search.h"

// --store auto: which store suits the keys, and changing it during the run.
//
// The quotient table is the leanest store for short keys.  For long ones the
// tree may be leaner, which depends on how much the states have in common: so
// the search starts with the table, tries the tree on the states found so far
// now and then, and keeps what needs less memory.

// The kind to start with; says why in s->result.
const tl_store_kind *tl_choose_store (tl_search *);

// Is it time to try another store, which may be leaner by now?  Tries it.
static inline bool tl_choose_should_try (const tl_search *s) {
  return s->next_choice && s->store->count >= s->next_choice;
}
tl_status tl_choose_try (tl_search *);

// Deals the keys to shards, as many as that power of two, for several threads.
// The store before is to be closed by the caller.  TL_E_NOMEM: all is as it
// was.
tl_status tl_choose_shards (tl_search *, unsigned bits, tl_store **before);

// The memory is spent: is there a leaner store?  Changes to it; TL_OK: the put
// may be tried again.
bool tl_choose_should_save (const tl_search *);
tl_status tl_choose_leaner (tl_search *);

#endif
