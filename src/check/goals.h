#ifndef TL_CHECK_GOALS_H
#define TL_CHECK_GOALS_H

#include "check/shrink.h"
#include "check/noted.h"
#include "explore/how.h"
#include "logic/eval.h"
#include "logic/part.h"
#include "logic/reach.h"
#include "stubborn/attract.h"

// Questions that are decided by visiting reachable markings.  Each is broken
// up into goals: something that a marking may show.  A visitor looks for all
// goals of all questions in one search; a goal that was reached is not looked
// at again, and when every question is decided the search may end.  Goals that
// are to be reachable from everywhere are looked for when the search is over
// (check/home.h).

typedef struct tl_goal {
  const tl_formula *formula;
  tl_predicate program;
  tl_verdict verdict;      // unknown until reached
  tl_trace trace;          // to the marking that showed it
  uint64_t number;         // of that state, or of `target`: check/saved.h
  tl_attractor *attractor; // with stubborn sets for a property
  // To be reachable from everywhere: `verdict` is false when it is not.
  bool home;
  bool met;        // in the component being looked at
  bool moot;       // the question is decided without it
  tl_noted target; // a marking from where it cannot be reached
} tl_goal;

// What is asked, and what is known of it.
typedef struct tl_asked {
  const tl_question *question;
  tl_answer *answer;
  tl_shrunk small;         // of a formula: what is left of it
  tl_plan plan;            // of that; its goals are
  uint32_t first_goal;     // [first_goal, first_goal + plan.goals)
  tl_attractor *attractor; // of a bound, with stubborn sets for a property
  uint64_t most;           // of a bound: it is never more than that
  bool beyond_reach;       // visiting markings one by one does not decide it
  tl_parts parts;          // then: one marking may decide each of these
  struct tl_sat *temporal; // then: how to decide it on the graph
  uint32_t turn;           // of check/guided.h: who is next
  uint32_t tries, walks;   // searches so far, and on the fly
} tl_asked;

typedef struct tl_goals {
  tl_mem *mem;
  const tl_net *net;
  tl_arena arena;
  double start;
  double opening; // seconds that this took
  const tl_options *options;
  tl_reduction reduction; // by stubborn sets, which these ask for
  // Who decides at the moment; null: as the question says.  And whether with
  // stubborn sets, though nobody asked for them.
  const char *by;
  bool by_reduced;
  tl_asked *asked;
  size_t count;
  tl_goal *goal;
  tl_verdict *verdict; // of the goals, as plans want them
  size_t goals, goal_room;
  size_t undecided; // questions
  tl_shrinker shrinker;

  // What has to be looked at for the goals that are left.
  uint8_t *wanted; // [places of the net] is in the next list
  uint32_t *place; // to be unpacked
  size_t places;
  bool reads_enabled, asks_bounds, asks_safe, asks_stable, asks_fired;
  uint64_t number;   // of the state at hand; 0 in a search
  uint64_t unsafe;   // the first one with two tokens in a place
  uint64_t *marking; // [places of the net]
  uint64_t *enabled; // bitmap
  uint8_t *changed;  // [shown places] its number of tokens is not constant
  uint32_t constant; // places not changed so far
  uint8_t *fired;    // [transitions]
  uint32_t unfired;  // transitions not enabled so far
  // From every reachable marking the initial one can be reached, for certain:
  // what is enabled somewhere is live.
  bool returns;
  int64_t *gain;    // [places] what a loop adds
  uint8_t *culprit; // see check/culprits.h

  // Of check/unbounded.h.
  bool unbounded;    // the net is
  uint64_t patience; // states that may still be visited; UINT64_MAX: any number
  size_t open;       // undecided when that was last thought over

  // Of check/home.h.
  size_t homes;         // goals
  bool wait_for_graph;  // these are to be decided on a graph, if there is one
  bool asks_live;       //
  uint8_t *alive;       // [transitions] fires in the component looked at
  uint32_t dead;        // transitions that do not
  tl_noted live_target; // a marking from where one is dead
  uint64_t live_number; // of that state: check/saved.h
  bool asks_home_state;
  uint64_t components;  // terminal ones found so far
  tl_noted home_target; // a marking of the first of them
  uint64_t home_number; // of that state: check/saved.h
  const char *home_why; // why components are not known; null: they are
  // Why it is not known whether there is a home state, while other questions
  // about components are decided; null: for no reason but that.
  const char *home_state_why;
} tl_goals;

// What is asked, and how.
typedef struct tl_enquiry {
  const tl_net *net;
  const tl_questions *questions;
  const tl_options *options;
  tl_reduction reduction;  // by stubborn sets
  tl_answer *answers;      // questions that are decided are left as they are
  double start;            // of the limit of time
  bool hasty;              // proofs that may take long are left out
  bool soon;               // they get less: a search will decide that soon
  tl_structure *structure; // of the net, or null: it is found out
} tl_enquiry;

tl_status tl_goals_open (tl_goals *, tl_mem *, const tl_enquiry *);
void tl_goals_close (tl_goals *);

// Another goal, of no question; `verdict` is to be made anew then.
tl_status tl_goals_add (tl_goals *, const tl_formula *);
// A part of an open question is decided: of the formula there is left what it
// says with the constant.  No run of the net shows that any more.
void tl_goals_settle_part (tl_goals *, tl_asked *, const tl_part *, bool holds);
// An open question becomes this formula, which has the same answer. TL_E_MODEL:
// visiting markings does not decide that.
tl_status tl_goals_replan (tl_goals *, tl_asked *, tl_formula *);

tl_visitor tl_goals_visitor (tl_goals *);
// What it does at a state, for visitors that do more.
tl_visit_verdict tl_goals_visit (void *goals, const tl_visit *);
// See tl_visitor; so many words of room.
bool tl_goals_skips (void *goals, const tl_visit *, uint64_t *room);
size_t tl_goals_room (const tl_goals *);

static inline bool tl_goals_is_decided (const tl_asked *a) {
  return a->answer->verdict != TL_VERDICT_UNKNOWN;
}

// Of a limit of time, what is left since the questions were opened; negative
// when it is over.
double tl_goals_time_left (const tl_goals *);

// The answer to a question is known: tells who wants to know it.
void tl_goals_tell (const tl_goals *, const tl_answer *);
// A goal has a verdict now: decides the questions that follow.
void tl_goals_look (tl_goals *);
// Decides a question.
void tl_goals_answer (tl_goals *, tl_asked *, tl_verdict);
// Decides all questions of a kind.  If that is false, the way to the state that
// is visited shows it, unless that is null.
tl_status tl_goals_decide (tl_goals *, tl_question_kind, tl_verdict,
                           const tl_visit *);
// The trace to the state being visited.  There is none without a search or when
// its log was given up.
tl_status tl_goals_trace (const tl_visit *, tl_trace *);
// A transition is never enabled: what follows for whether all are live.
void tl_goals_not_live (tl_goals *);
// Would the answer be another if its only goal had another verdict?
bool tl_goals_hinges (const tl_asked *);
// Adds up in `gain` what the loop of the run does to the places.
void tl_goals_gain (tl_goals *, const tl_trace *run);
// Marks a transition, and those that answers do not tell apart from it.
void tl_goals_mark_all (const tl_goals *, uint8_t *mark, uint32_t transition);
// Makes the set of enabled transitions, or clears it.
void tl_goals_set_enabled (tl_goals *, const tl_visit *, bool on);

// The search is over: what was not reached is unreachable if it was complete,
// else unknown.
void tl_goals_settle (tl_goals *, const tl_exploration *);

#endif
