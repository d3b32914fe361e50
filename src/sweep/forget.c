// What the successor generator knows of states that were freed goes with them:
// numbers of tokens, of markings of single places, of bindings.  Nobody can
// tell which numbers are still in use but by looking at every state that is
// there; so that is done when much has come together, and, unless memory is
// short, not before as many states were expanded as there are to be looked at.

#include "base/tuning.h"
#include "sweep/sweep.h"

// States in an archive would all be read and written anew each time, and a
// store of differences knows events by their numbers.
static bool can_collect (const tl_sweeping *w) {
  const tl_search *s = w->search;
  return s->logs_positions && s->generator->kind->known && !w->layers.archive &&
         !s->store_kind->figures;
}

// Half and more of what is known is of states that are gone, as far as one can
// tell: all that is needed was met again after so many states.
static bool is_mostly_gone (tl_sweeping *w, size_t known) {
  if (tl_search_expanded (w->search) - w->collected < w->layers.stored)
    return false;
  if (!w->live)
    w->live = known;
  return known > TL_KNOWN_ENOUGH && known > 2 * w->live;
}

// The tables take much of the budget, and will take more.
static bool is_short (const tl_sweeping *w, size_t known) {
  const size_t part = w->search->root->limit / TL_KNOWN_PART;
  return part && known > part && known > w->kept + part / 2;
}

bool tl_sweep_should_collect (tl_sweeping *w) {
  const tl_generator *g = w->search->generator;
  if (!can_collect (w))
    return false;
  const size_t known = g->kind->known (g);
  return is_short (w, known) || is_mostly_gone (w, known);
}

void tl_sweep_collected (tl_sweeping *w) {
  const tl_generator *g = w->search->generator;
  tl_sweep_forget_events (w);
  w->collected = tl_search_expanded (w->search);
  w->kept = g->kind->known (g);
  w->live = 0;
}
