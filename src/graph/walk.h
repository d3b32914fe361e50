#ifndef TL_GRAPH_WALK_H
#define TL_GRAPH_WALK_H

#include "base/budget.h"
#include "explore/explore.h"
#include "graph/graph.h"
#include "model/model.h"

// Going through a graph with the markings at hand.  Every state but the first
// has an arc by which it was found: these arcs are a tree, and the children of
// a state were found one after the other.  Along that tree, depth first, each
// marking is made by one firing and left by taking it back.  No marking but the
// one at hand is kept: where a level of the tree is read on takes a few words.

typedef struct tl_walk_visit {
  tl_visit visit;  // without a search
  uint64_t number; // of the state
  uint64_t depth;  // in the tree
  // The arcs: events (model/model.h), and where these lead.  The visit has
  // their transitions.
  tl_generator *generator;
  const uint32_t *step;
  const uint64_t *target;
  uint32_t arcs;
  // States from this number on need not be visited; the step may lower it.
  uint64_t *below;
} tl_walk_visit;

// Not TL_OK ends the walk.
typedef tl_status tl_walk_step (void *context, const tl_walk_visit *);

// For steps that work for long: is there time for more of them?
static inline tl_status tl_walk_look (const tl_walk_visit *v,
                                      const tl_mem *mem) {
  return v->number % 1024 ? TL_OK : tl_budget_look (mem);
}

// `most` has the largest number of tokens of each place.  TL_E_SYNTAX: this is
// not the graph of the net.  TL_E_MODEL: nor that, or what is asked of a net
// that is not unfolded is not defined in some state.
tl_status tl_graph_walk (const tl_graph *, tl_mem *, const tl_net *,
                         const uint64_t *most, tl_walk_step *, void *context);

// The walk of figure 2 of the paper: depth first along every arc, with a mark
// for each state that was visited.  It shows the same states in another order,
// and needs no arcs by which they were found, but memory for all arcs on the
// way.
tl_status tl_graph_walk_arcs (const tl_graph *, tl_mem *, const tl_net *,
                              const uint64_t *most, tl_walk_step *,
                              void *context);

#endif
