#include "logic/reach.h"

#include "logic/eval.h"
#include "logic/simplify.h"

// ---- Shapes ----------------------------------------------------------------

// Shapes of path formulas, beyond those of state formulas.
enum {
  STEP = TL_FRAGMENT_CTL_STAR + 1, // X, F, G, U or R of formulas without time
  CTL_STEP,                        // of CTL formulas
  LINEAR,                          // without quantifiers
  BRANCHING
};

static int shape (const tl_formula *);

// Bits for the shapes of the operands.
static unsigned operand_shapes (const tl_formula *f) {
  unsigned shapes = 0;
  for (uint32_t i = 0; i < tl_formula_operands (f); i++)
    shapes |= 1u << shape (f->operand[i]);
  return shapes;
}

#define BIT(SHAPE) (1u << (SHAPE))
#define REACH_SHAPES                                                           \
  (BIT (TL_FRAGMENT_STATE) | BIT (TL_FRAGMENT_EF) | BIT (TL_FRAGMENT_AG) |     \
   BIT (TL_FRAGMENT_REACH))
#define CTL_SHAPES (REACH_SHAPES | BIT (TL_FRAGMENT_CTL))
#define PATH_SHAPES                                                            \
  (BIT (STEP) | BIT (CTL_STEP) | BIT (LINEAR) | BIT (BRANCHING))
#define LINEAR_SHAPES (BIT (TL_FRAGMENT_STATE) | BIT (STEP) | BIT (LINEAR))

static int boolean_shape (const tl_formula *f) {
  const unsigned shapes = operand_shapes (f);
  if (shapes & PATH_SHAPES)
    return shapes & ~LINEAR_SHAPES ? BRANCHING : LINEAR;
  if (shapes == BIT (TL_FRAGMENT_STATE))
    return TL_FRAGMENT_STATE;
  if (f->op == TL_NOT && shapes == BIT (TL_FRAGMENT_EF))
    return TL_FRAGMENT_AG;
  if (f->op == TL_NOT && shapes == BIT (TL_FRAGMENT_AG))
    return TL_FRAGMENT_EF;
  return !(shapes & ~REACH_SHAPES) ? TL_FRAGMENT_REACH
         : !(shapes & ~CTL_SHAPES) ? TL_FRAGMENT_CTL
                                   : TL_FRAGMENT_CTL_STAR;
}

static int quantified_shape (const tl_formula *f) {
  const int path = shape (f->operand[0]);
  const tl_op op = f->operand[0]->op;
  switch (path) {
  case STEP:
    return f->op == TL_EXISTS && op == TL_FINALLY ? TL_FRAGMENT_EF
           : f->op == TL_ALL && op == TL_GLOBALLY ? TL_FRAGMENT_AG
                                                  : TL_FRAGMENT_CTL;
  case CTL_STEP: return TL_FRAGMENT_CTL;
  case LINEAR: return f->op == TL_ALL ? TL_FRAGMENT_LTL : TL_FRAGMENT_CTL_STAR;
  case BRANCHING: return TL_FRAGMENT_CTL_STAR;
  default: return path; // a state formula: the quantifier says nothing
  }
}

static int temporal_shape (const tl_formula *f) {
  const unsigned shapes = operand_shapes (f);
  return shapes == BIT (TL_FRAGMENT_STATE) ? STEP
         : !(shapes & ~CTL_SHAPES)         ? CTL_STEP
         : !(shapes & ~LINEAR_SHAPES)      ? LINEAR
                                           : BRANCHING;
}

static int shape (const tl_formula *f) {
  if (f->op < TL_NOT)
    return TL_FRAGMENT_STATE;
  if (f->op < TL_EXISTS)
    return boolean_shape (f);
  return f->op < TL_NEXT ? quantified_shape (f) : temporal_shape (f);
}

tl_fragment tl_formula_fragment (const tl_formula *f) {
  const int s = shape (f);
  return s < STEP ? (tl_fragment)s : TL_FRAGMENT_CTL_STAR;
}

// ---- Plans -----------------------------------------------------------------

// The formula in negation normal form over the goals.
typedef struct tl_plan_node {
  enum { DECIDED, GOAL, BOTH, EITHER } kind;
  bool value;    // of what is decided
  bool negated;  // the goal must not be reachable
  uint32_t goal; // its number
  uint32_t count;
  struct tl_plan_node **operand; // of BOTH (all of them) and EITHER
} node;

typedef struct planner {
  tl_arena *arena;
  const tl_net *net;
  const uint64_t *initial;
  bool unseen; // something must be known of the initial state that tokens do
               // not tell
  tl_plan *plan;
} planner;

// The parts of b in AG b, where AG of all of them is what AG b is; the same for
// EF.  They are parts of an AND (OR), or b itself.
static uint32_t parts (const tl_formula *f) {
  const tl_formula *b = f->operand[0]->operand[0];
  return b->op == (f->op == TL_ALL ? TL_AND : TL_OR) ? b->count : 1;
}

static tl_formula *part (const tl_formula *f, uint32_t i) {
  tl_formula *b = f->operand[0]->operand[0];
  return b->op == (f->op == TL_ALL ? TL_AND : TL_OR) ? b->operand[i] : b;
}

// Is it AG b where every part of b has no temporal operators or is EF of
// something that has none?  Or the same with EF and AG exchanged?
static bool is_home (const tl_formula *f) {
  const bool all = f->op == TL_ALL;
  if (f->operand[0]->op != (all ? TL_GLOBALLY : TL_FINALLY))
    return false;
  for (uint32_t i = 0; i < parts (f); i++) {
    const int s = shape (part (f, i));
    if (s != TL_FRAGMENT_STATE && s != (all ? TL_FRAGMENT_EF : TL_FRAGMENT_AG))
      return false;
  }
  return true;
}

// Of a simplified formula.
static bool can_be_planned (const tl_formula *f) {
  if (f->op == TL_EXISTS || f->op == TL_ALL)
    return is_home (f);
  if (f->op != TL_AND && f->op != TL_OR)
    return !tl_formula_has_temporal (f);
  for (uint32_t i = 0; i < f->count; i++)
    if (!can_be_planned (f->operand[i]))
      return false;
  return true;
}

static bool is_reach (const tl_formula *f) {
  return shape (f) <= TL_FRAGMENT_AG;
}

static uint32_t count_goals (const tl_formula *f) {
  if (f->op == TL_EXISTS || f->op == TL_ALL)
    return is_reach (f) ? 1 : parts (f);
  uint32_t count = 0;
  for (uint32_t i = 0; i < tl_formula_operands (f); i++)
    count += count_goals (f->operand[i]);
  return count;
}

// EF b, or with `all` AG b: that is NOT EF NOT b; and with `home` the other of
// them before it.  False when there is no memory.
static bool set_goal (planner *p, node *n, tl_formula *b, bool all, bool home) {
  const uint32_t goal = p->plan->goals++;
  *n = (node){.kind = GOAL, .negated = all, .goal = goal};
  p->plan->home[goal] = home;
  p->plan->homes += home;
  return (p->plan->goal[goal] = all ? tl_formula_negate (p->arena, b) : b);
}

static bool open_operands (planner *p, node *n, uint32_t count) {
  n->count = count;
  return TL_ARENA_NEW (p->arena, n->operand, count);
}

static bool plan_quantified (planner *p, const tl_formula *f, node *n) {
  const bool all = f->op == TL_ALL;
  if (is_reach (f))
    return set_goal (p, n, f->operand[0]->operand[0], all, false);
  n->kind = all ? BOTH : EITHER;
  if (!open_operands (p, n, parts (f)))
    return false;
  for (uint32_t i = 0; i < n->count; i++) {
    tl_formula *b = part (f, i);
    const bool home = tl_formula_has_temporal (b);
    if (!TL_ARENA_NEW (p->arena, n->operand[i], 1) ||
        !set_goal (p, n->operand[i], home ? b->operand[0]->operand[0] : b,
                   home ? !all : all, home))
      return false;
  }
  return true;
}

// Null when there is no memory.  `f` is simplified.
static node *plan (planner *p, const tl_formula *f) {
  node *n;
  if (!TL_ARENA_NEW (p->arena, n, 1))
    return 0;
  if (!tl_formula_has_temporal (f)) {
    n->kind = DECIDED;
    n->value = tl_formula_holds (f, p->net, p->initial);
    p->unseen |=
        !tl_net_has_arcs (p->net) && f->op != TL_TRUE && f->op != TL_FALSE;
    return n;
  }
  if (f->op == TL_EXISTS || f->op == TL_ALL)
    return plan_quantified (p, f, n) ? n : 0;
  n->kind = f->op == TL_AND ? BOTH : EITHER;
  if (!open_operands (p, n, f->count))
    return 0;
  for (uint32_t i = 0; i < n->count; i++)
    if (!(n->operand[i] = plan (p, f->operand[i])))
      return 0;
  return n;
}

static const uint64_t *initial_marking (tl_arena *arena, const tl_net *net) {
  uint64_t *marking;
  if (TL_ARENA_NEW (arena, marking, net->places))
    for (uint32_t p = 0; p < net->places; p++)
      marking[p] = net->initial[p];
  return marking;
}

tl_status tl_reach_plan (tl_arena *arena, const tl_net *net, tl_formula *f,
                         tl_plan *out) {
  *out = (tl_plan){0};
  if (!(f = tl_formula_simplify (arena, f)))
    return TL_E_NOMEM;
  if (!can_be_planned (f))
    return TL_E_MODEL;
  planner p = {.arena = arena, .net = net, .plan = out};
  if (!(p.initial = initial_marking (arena, net)) ||
      !TL_ARENA_NEW (arena, out->goal, count_goals (f)) ||
      !TL_ARENA_NEW (arena, out->home, count_goals (f)) ||
      !(out->root = plan (&p, f)))
    return TL_E_NOMEM;
  if (p.unseen)
    *out = (tl_plan){0};
  return p.unseen ? TL_E_MODEL : TL_OK;
}

static tl_verdict verdict_of (bool value) {
  return value ? TL_VERDICT_TRUE : TL_VERDICT_FALSE;
}

static tl_verdict verdict (const node *n, const tl_verdict *goal) {
  if (n->kind == DECIDED)
    return verdict_of (n->value);
  if (n->kind == GOAL)
    return goal[n->goal] == TL_VERDICT_UNKNOWN
               ? TL_VERDICT_UNKNOWN
               : verdict_of ((goal[n->goal] == TL_VERDICT_TRUE) != n->negated);
  const tl_verdict deciding = verdict_of (n->kind == EITHER);
  tl_verdict all = verdict_of (n->kind == BOTH);
  for (uint32_t i = 0; i < n->count; i++) {
    const tl_verdict one = verdict (n->operand[i], goal);
    if (one == deciding)
      return deciding;
    if (one == TL_VERDICT_UNKNOWN)
      all = TL_VERDICT_UNKNOWN;
  }
  return all;
}

tl_verdict tl_plan_verdict (const tl_plan *plan, const tl_verdict *goal) {
  return verdict (plan->root, goal);
}
