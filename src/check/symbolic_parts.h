#ifndef TL_CHECK_SYMBOLIC_PARTS_H
#define TL_CHECK_SYMBOLIC_PARTS_H

#include "check/diagram_sets.h"
#include "check/engine.h"

// What check/symbolic_engine.c is made of: the questions that have a name.

typedef struct tl_asking {
  tl_checking *checking;
  tl_goals *goals;
  tl_reachable *reach;
  tl_diagram *d;           // of it
  const tl_events *events; // of it
  double seconds;          // for each question; 0: any
  tl_mem mem;
  tl_diagram_sets sets;
  tl_held *target; // [questions] markings that show the answer
  bool *runs;      // [questions] a run may show the answer
  tl_held returns; // from where the initial marking can be reached
  bool knows_returns;
} tl_asking;

// Markings that show the answer to a question.
void tl_asking_note (tl_asking *, const tl_asked *, tl_set);

// Each decides a question of its kind.
tl_status tl_asking_one_safe (tl_asking *, tl_asked *);
tl_status tl_asking_stable (tl_asking *, tl_asked *);
tl_status tl_asking_quasi_live (tl_asking *, tl_asked *);
tl_status tl_asking_live (tl_asking *, tl_asked *);
tl_status tl_asking_home_state (tl_asking *, tl_asked *);

// Names the places with several tokens where a trace leads.
tl_status tl_asking_name_unsafe (tl_asking *, const tl_trace *);

#endif
