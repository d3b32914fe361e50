#ifndef TL_STRUCTURE_INCIDENCE_H
#define TL_STRUCTURE_INCIDENCE_H

#include "net/net.h"
#include "structure/vector.h"

// The incidence matrix of a net: rows are places, columns are transitions, an
// entry is how many tokens the transition adds to the place.  Sparse, stored
// both ways.
//
// Columns of transitions that can never fire may be left out: those with an
// input place that is empty at the start and that no transition which can fire
// ever fills.  What holds for the smaller matrix holds in every reachable
// marking of the net, and more holds for it.
typedef struct tl_incidence {
  tl_mem *mem;
  uint32_t places, transitions; // also of the columns left out, which are 0
  uint64_t entries;
  uint64_t *place_start, *transition_start; // one more than there are
  tl_entry *place_term, *transition_term;
} tl_incidence;

typedef enum tl_columns {
  TL_COLUMNS_ALL,
  TL_COLUMNS_FIREABLE // without those that can never fire
} tl_columns;

tl_status tl_incidence_open (tl_incidence **, tl_mem *, const tl_net *,
                             tl_columns);
void tl_incidence_close (tl_incidence *);

// The row of a place: its change by every transition that changes it.
static inline tl_vector tl_incidence_place (const tl_incidence *c, uint32_t p) {
  return (tl_vector){c->place_term + c->place_start[p],
                     (uint32_t)(c->place_start[p + 1] - c->place_start[p])};
}

// The column of a transition: what it does to every place it changes.
static inline tl_vector tl_incidence_transition (const tl_incidence *c,
                                                 uint32_t t) {
  return (tl_vector){
      c->transition_term + c->transition_start[t],
      (uint32_t)(c->transition_start[t + 1] - c->transition_start[t])};
}

// No transition changes it.
static inline bool tl_incidence_constant (const tl_incidence *c, uint32_t p) {
  return c->place_start[p] == c->place_start[p + 1];
}

#endif
