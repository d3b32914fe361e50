#ifndef TL_LOGIC_REACH_H
#define TL_LOGIC_REACH_H

#include "logic/formula.h"

// Which means a formula needs to be decided, and how to decide by visiting
// reachable markings, and those from which there is no way out, all those that
// can be.

typedef enum tl_fragment {
  TL_FRAGMENT_STATE,   // about the initial marking
  TL_FRAGMENT_EF,      // EF b, where b has no temporal operators
  TL_FRAGMENT_AG,      // AG b
  TL_FRAGMENT_REACH,   // a combination of the above by NOT, AND, OR
  TL_FRAGMENT_CTL,     // every temporal operator directly under a quantifier
  TL_FRAGMENT_LTL,     // A, and no other quantifier
  TL_FRAGMENT_CTL_STAR // anything else
} tl_fragment;

// As the formula is written; simplify it first to see through more.
tl_fragment tl_formula_fragment (const tl_formula *);

// A formula as goals: state formulas that some reachable marking satisfies, or
// none; and with `home`, state formulas that can be reached from every
// reachable marking, or not.  So AG EF b is a goal, EF AG b the opposite of
// one, and AG of several such things is all of them.  What is said about the
// initial marking is decided when the plan is made.
typedef struct tl_plan {
  tl_formula **goal; // simplified
  bool *home;        // of each goal
  uint32_t goals;
  uint32_t homes; // of these with `home`
  struct tl_plan_node *root;
} tl_plan;

// TL_E_MODEL: such goals are not enough for this formula.
tl_status tl_reach_plan (tl_arena *, const tl_net *, tl_formula *, tl_plan *);

// The verdict of the formula, given those of the goals: TL_VERDICT_TRUE when
// the goal is reachable (from everywhere), TL_VERDICT_FALSE when it is not, or
// unknown so far.
tl_verdict tl_plan_verdict (const tl_plan *, const tl_verdict *goal);

#endif
