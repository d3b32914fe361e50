#ifndef TL_CHECK_ENGINE_H
#define TL_CHECK_ENGINE_H

#include "check/goals.h"
#include "explore/how.h"

// Engines decide questions.  Each says of a question whether it can decide it
// and what that costs, roughly; it decides some of those that are open, within
// its share of time and effort; and it is closed.  Who goes first is decided in
// one place (engine.c): the cheapest one, and an engine that had a small share
// may get another one when the others have had theirs.
//
//     fly      formulas, on as much of the graph as their answers need
//     search   everything, by visiting all markings; formulas on the graph that
//              is built meanwhile
//     symbolic everything, on the set of all markings as a decision diagram
//     guided   what can be looked for, by searches that go where it seems near
//     saved    everything, on a graph that is there already
//
// To add one: a tl_engine_kind in a file of its own, and a line in the table.

typedef enum tl_cost {
  TL_COST_NONE,   // it cannot decide the question
  TL_COST_SOME,   // a part of the states
  TL_COST_STATES, // all states
  TL_COST_GRAPH   // all states and all edges, kept
} tl_cost;

// How far an engine may go.
typedef struct tl_allowance {
  double time;     // of what is left of a limit of time: 1 is all of it
  uint64_t effort; // steps for each question; UINT64_MAX: any number
  uint64_t walks;  // and so many at random where these were not enough
  bool last;       // no other engine can decide what this one leaves open
  // On the fly, for what is left if that are few formulas: it goes on where it
  // is.  Or null.
  const struct tl_allowance *then;
} tl_allowance;

// What the name of an engine, as people give it, allows.
typedef struct tl_method {
  bool fly, graph; // who may decide formulas
  bool nested;     // by nested depth-first search where that can be done
  bool guided;     // nothing but searches for what is asked
  bool symbolic;   // on the set of all markings where that can be done
  bool reduced;    // on the fly with stubborn sets: all formulas allow them
} tl_method;

// What the engines work on.
typedef struct tl_checking {
  tl_mem *root;
  const struct tl_saved *saved; // or null
  const tl_options *options;
  const char *checkpoint; // of the search for all questions, a folder; or null
  tl_how how;             // what they say by name
  tl_method method;
  const tl_enquiry *enquiry;
  tl_goals *goals;
  struct tl_temporal *temporal; // formulas, taken apart
  tl_exploration *run;          // of the search that told most
  bool searched;                // there was one
  tl_error *error;
} tl_checking;

typedef struct tl_engine_kind {
  const char *name;
  tl_cost (*cost) (const tl_checking *, const tl_asked *);
  // Not TL_OK: a fault.  That a question stays open is none.
  tl_status (*decide) (tl_checking *, const tl_allowance *);
  // The answers are settled: their traces that are still missing.  May be null.
  void (*show) (tl_checking *);
} tl_engine_kind;

extern const tl_engine_kind tl_engine_fly, tl_engine_search, tl_engine_guided,
    tl_engine_symbolic, tl_engine_saved;

// TL_E_ARG: there is no such engine.
tl_status tl_method_parse (tl_method *, const tl_options *, tl_error *);

// Decides what can be decided, and shows it.
tl_status tl_engines_run (tl_checking *);

// Formulas on the fly, before the graph of a net that is not small.
extern const tl_allowance tl_first_on_fly;

// Of a limit of time, what is left for this share; 0: there is no limit.
// Negative: nothing.
double tl_checking_time (const tl_checking *, const tl_allowance *);

// Formulas about runs that are open.
size_t tl_checking_formulas (const tl_checking *);

// An account for another search beside the one that goes on: half of what is
// left.
tl_mem tl_checking_share (const tl_checking *, const char *name);

// Takes what an exploration found.  With `instead` it is the one that is told
// of, and the one before only counts by its time and memory.
void tl_checking_take (tl_checking *, tl_exploration *, bool instead);

#endif
