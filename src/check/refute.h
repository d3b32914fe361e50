#ifndef TL_CHECK_REFUTE_H
#define TL_CHECK_REFUTE_H

#include "check/sights.h"
#include "structure/case_proof.h"

// State formulas that no reachable marking satisfies, by the structure of the
// net: a formula becomes conditions on a marking (structure/cases.h).  What is
// too large is left out, so that more markings satisfy the conditions than the
// formula.
typedef struct tl_refuter {
  tl_mem *mem;
  const tl_structure *structure;
  tl_equation *equation; // or null
  tl_sights *sights;     // the same
  tl_case_proof *proof;  // where to note what proves it, or null
  tl_cases *cases;       // made when it is first needed
  bool tried;            // to make it
  double seconds;        // that are left for formulas,
  double for_returns;    // for whether the net can always return, or end,
  double for_leads;      // and for whether it can get to other markings
  uint64_t *initial;     // [places]
  bool asked_returns, returns, asked_ends, ends;
  tl_literal *literal; // of clauses being made
  size_t literals, room;
  tl_entry *term;
  size_t term_room;
} tl_refuter;

void tl_refuter_close (tl_refuter *);

// TL_VERDICT_TRUE: every reachable marking satisfies the state formula, FALSE:
// none does; this is proven.
tl_verdict tl_refuter_verdict (tl_refuter *, const tl_formula *);

// Is it proven that no reachable marking satisfies the state formula, or, if
// negated, that each does?  Takes about so many seconds at most.
bool tl_refuter_never (tl_refuter *, const tl_formula *, bool negated,
                       double seconds);

// It is proven that from every reachable marking the initial one can be reached
// (structure/returns.h).
bool tl_refuter_returns (tl_refuter *);

// The same of some dead marking.
bool tl_refuter_ends (tl_refuter *);

// It is proven that from every reachable marking one that satisfies the state
// formula can be reached: by firing, as long as one of them is enabled, those
// transitions that are to be disabled, and those that bring a sum down that is
// to be small.
bool tl_refuter_leads (tl_refuter *, const tl_formula *);

#endif
