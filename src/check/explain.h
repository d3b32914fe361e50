#ifndef TL_CHECK_EXPLAIN_H
#define TL_CHECK_EXPLAIN_H

#include "check/sat.h"

// A run that shows why a formula holds at a state or does not, as far as one
// run can: E of a path formula that holds, A of one that does not.  Where that
// run ends at a state because of what holds there, the rest of it shows why
// that does: AG (a -> AF b) is violated by a way to a state with a and, from
// there, a run on which b never comes.

// How the graph is asked.
typedef struct tl_explainer {
  void *context;
  tl_status (*holds) (void *context, const tl_sat *, uint64_t state,
                      bool *holds);
  // Adds arcs to the run, from *state on, that show that E of the path holds or
  // A of it does not.  Moves *state to where they end; *rest is what is left to
  // be shown there, with *value, or null.
  tl_status (*show) (void *context, const tl_sat *, uint64_t *state,
                     tl_run *run, const tl_sat **rest, bool *value);
} tl_explainer;

// Adds to the run, which ends at `state`, why the formula has that value there.
tl_status tl_explain (const tl_explainer *, const tl_sat *, uint64_t state,
                      bool value, tl_run *run);

// The only one of the parts (bits of a set of them) that is about more than the
// state itself; null: there is none, or there are several.
const tl_sat *tl_explain_only (const tl_sat *, uint64_t parts);

// What is left to be shown at the end of a run of an automaton that ends for
// this reason, and with which value; null: nothing.
const tl_sat *tl_explain_end (const tl_sat *, tl_reason, bool *value);

#endif
