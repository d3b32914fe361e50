#ifndef TL_VERIFY_REASONING_H
#define TL_VERIFY_REASONING_H

#include "base/mem.h"

// What follows from bounds of variables: a contradiction, or nothing that is
// asked here.  Variables are the tokens of the places, at least 0, and choices,
// which are 0 or 1.  A literal says that a variable is at least, or at most,
// something.  Rules are linear inequalities, perhaps only where a choice is 1;
// of a clause one literal holds at least.
//
// Bounds rise as long as a rule or a clause makes them.  Nothing is guessed: to
// see that a clause follows, all of its literals are denied for a while.

#define TL_REASON_NONE UINT32_MAX
#define TL_REASON_OPEN (INT64_MIN / 4) // the value of a bound that is not known

// 2 * v for `at least k`, 2 * v + 1 for `at most -k`.
typedef struct tl_cert_literal {
  uint32_t bound;
  int64_t least;
} tl_cert_literal;

static inline tl_cert_literal tl_cert_at_least (uint32_t v, int64_t k) {
  return (tl_cert_literal){2 * v, k};
}

static inline tl_cert_literal tl_cert_at_most (uint32_t v, int64_t k) {
  return (tl_cert_literal){2 * v + 1, -k};
}

static inline tl_cert_literal tl_cert_not (tl_cert_literal l) {
  return (tl_cert_literal){l.bound ^ 1, 1 - l.least};
}

// factor * the variable, or minus it, as the bound says.
typedef struct tl_reason_term {
  uint32_t bound, rule;
  uint32_t next;  // term of the same bound, + 1
  int64_t factor; // more than 0
} tl_reason_term;

typedef struct tl_reason_rule {
  uint32_t start, count;
  int64_t most;
  uint32_t choice; // where it is 1; TL_REASON_NONE: everywhere
  uint32_t next;   // rule of the same choice, + 1
  bool queued;
} tl_reason_rule;

typedef struct tl_reason_literal {
  tl_cert_literal literal;
  uint32_t clause;
  uint32_t next; // literal that is false by the same bound, + 1
} tl_reason_literal;

typedef struct tl_reason_clause {
  uint32_t start, count;
} tl_reason_clause;

typedef struct tl_reasoning {
  tl_mem *mem;
  uint32_t variables;
  size_t value_room, term_head_room, choice_head_room, literal_head_room;
  int64_t *value;         // [2 * variables] of bounds
  uint32_t *term_head;    // [2 * variables] terms of each, + 1
  uint32_t *choice_head;  // [variables] rules of each, + 1
  uint32_t *literal_head; // [2 * variables] literals that it may make false
  tl_reason_rule *rule;
  tl_reason_term *term;
  tl_reason_clause *clause;
  tl_reason_literal *literal;
  size_t rules, terms, clauses, literals;
  size_t rule_room, term_room, clause_room, literal_room;
  // What rose, in order, and its value before.
  struct tl_reason_rise {
    uint32_t bound;
    int64_t before;
  } * rise;
  size_t rises, rise_room, looked;
  uint32_t *queue; // rules to be looked at, from `first` on
  size_t queue_room, first, queued;
  bool absurd; // there is a contradiction
  uint64_t work;
  // TL_E_NOMEM, TL_E_LIMIT, TL_E_CANCEL, or TL_E_MODEL where it takes too long:
  // it is of no use any more.
  tl_status rc;
} tl_reasoning;

void tl_reasoning_open (tl_reasoning *, tl_mem *);
void tl_reasoning_close (tl_reasoning *);

// Numbers are below 2^60 in size.  Variables have numbers from 0 on.
void tl_reasoning_variable (tl_reasoning *, bool choice);
// A rule gets its terms one by one: sum of factor * variable <= most.
void tl_reasoning_rule (tl_reasoning *, int64_t most, uint32_t choice);
void tl_reasoning_term (tl_reasoning *, uint32_t variable, int64_t factor);
void tl_reasoning_clause (tl_reasoning *, const tl_cert_literal *,
                          size_t count);

// Follows all of it.
void tl_reasoning_follow (tl_reasoning *);
// Does the clause follow?
bool tl_reasoning_denies (tl_reasoning *, const tl_cert_literal *,
                          size_t count);

// Its code, which is told.
tl_status tl_reasoning_told (const tl_reasoning *, tl_error *);

// What was added since then is taken away again.
typedef struct tl_reason_mark {
  uint32_t variables;
  size_t rules, terms, clauses, literals, rises;
} tl_reason_mark;

tl_reason_mark tl_reasoning_mark (const tl_reasoning *);
void tl_reasoning_back (tl_reasoning *, const tl_reason_mark *);

#endif
