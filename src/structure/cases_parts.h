#ifndef TL_STRUCTURE_CASES_PARTS_H
#define TL_STRUCTURE_CASES_PARTS_H

#include "structure/case_proof.h"
#include "structure/trap.h"

// Inside of cases.h.  Each bound has a value, from which it only rises until a
// case is left.  The trail lists what rose, and why, in order.

#define TL_CASES_OPEN (INT64_MIN / 4) // the value of a bound that is not known
#define TL_CASES_NONE UINT32_MAX

// Why a bound rose: a rule, a clause, or (none) since it was decided to.
typedef struct tl_because {
  uint32_t number;
  bool clause;
} tl_because;

typedef struct tl_rise {
  uint32_t bound;
  uint32_t earlier; // rise of the same bound, or TL_CASES_NONE
  uint32_t level;   // decisions so far
  tl_because because;
  int64_t value, before;
  int64_t needed; // of learning: it rose to that at least
  bool wanted;    // then
} tl_rise;

// factor * (variable, or minus it, as the bound says), of a rule.
typedef struct tl_case_term {
  uint32_t bound, rule;
  uint32_t next; // term of the same bound, + 1
  int64_t factor;
} tl_case_term;

typedef struct tl_rule {
  uint32_t start, count;
  int64_t most;
  tl_literal when;    // its bound is TL_CASES_NONE: everywhere
  uint32_t next_when; // rule with the same bound there, + 1
  bool queued;
} tl_rule;

// Its first two literals are watched: when one gets false another takes its
// place.  Those with fewer are not kept.
typedef struct tl_clause {
  uint32_t start, count;
  uint32_t next[2]; // in the lists of clauses that watch the same bound
} tl_clause;

struct tl_cases {
  tl_mem *mem;
  const tl_structure *structure;
  tl_equation *equation;
  tl_case_proof *proof; // or null
  tl_traps traps;

  uint32_t variables; // places first
  size_t variable_room, value_room, last_room, term_head_room, when_head_room,
      watch_head_room;
  double *activity;
  int64_t *value;       // [2 * variables] of bounds
  uint32_t *last;       // the last rise of each, or TL_CASES_NONE
  uint32_t *term_head;  // terms of each, + 1
  uint32_t *when_head;  // rules that hold where it is high, + 1
  uint32_t *watch_head; // 2 * clause + which + 1: wakes when it rises

  tl_rule *rule;
  tl_case_term *term;
  tl_clause *clause;
  tl_literal *literal; // of clauses
  tl_rise *rise;
  uint32_t *queue; // rules to be looked at
  size_t rules, terms, clauses, literals, rises, queued;
  size_t rule_room, term_room, clause_room, literal_room, rise_room, queue_room;
  size_t looked; // rises that clauses have been told of
  size_t given;  // clauses that are conditions; behind them what was learned

  size_t *level; // rises before each decision
  size_t levels, level_room;
  tl_literal *lesson; // a clause to be
  size_t lesson_count, lesson_room;
  double bump;

  // What belongs to the net, not to the conditions.
  size_t base_rules, base_terms, base_rises;
  // Found on the way: rules for later.
  struct tl_case_cut {
    uint32_t start, count;
    int64_t most;
  } * cut;
  tl_entry *cut_term;
  size_t cuts, cut_terms, cut_room, cut_term_room;
  tl_inequality *given_bound; // for the equation
  tl_entry *bound_term;
  size_t given_bound_room, bound_term_room;

  int64_t *left; // [places] the marking of a case that remained
  bool has_left;
  tl_literal *draft; // of a clause
  size_t draft_room;
  bool absurd; // the conditions contradict each other
  bool failed; // there was no memory, or too many
  uint64_t work, work_end;
  double deadline;
};

static inline bool tl_literal_true (const tl_cases *c, tl_literal l) {
  return c->value[l.bound] >= l.least;
}

static inline bool tl_literal_false (const tl_cases *c, tl_literal l) {
  return c->value[l.bound ^ 1] >= 1 - l.least;
}

// Lets a literal be true that is not false.
void tl_cases_raise (tl_cases *, tl_literal, tl_because);
// Follows all that is known; false: that is a contradiction, by this.
bool tl_cases_propagate (tl_cases *, tl_because *contradiction);
// Leaves all cases but those of the first `level` decisions.
void tl_cases_back (tl_cases *, size_t level);
// A rule is to be looked at.
void tl_cases_wake (tl_cases *, uint32_t rule);
// Another clause, of two literals at least; what gets false last comes first.
bool tl_cases_keep (tl_cases *, const tl_literal *, size_t count);

// A rule that is none of the conditions.
bool tl_cases_add (tl_cases *, tl_vector sum, int64_t most,
                   const tl_literal *when);
// A rule that every reachable marking satisfies; false: there is no memory.
bool tl_cases_cut (tl_cases *, tl_vector sum, int64_t most);
// The bounds of the case that rose since the conditions were given, in
// `given_bound`; how many.
size_t tl_cases_bounds (tl_cases *);

// Adds up rules which together contradict the state equation.  True: there is
// no case at all.
bool tl_cases_sum_up (tl_cases *);

// Learns from a contradiction and goes back to where that matters.  False:
// there is no case left.
bool tl_cases_learn (tl_cases *, tl_because contradiction);

#endif
