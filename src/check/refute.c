#include "check/refute.h"

#include "base/clock.h"
#include "logic/eval.h"
#include "net/marking.h"
#include "structure/ranking.h"
#include "structure/returns.h"

// Part of the time that is left for one formula.
#define SHARE 0.4
// Less is not worth while.
#define LEAST_SECONDS 0.0002
// Transitions that are enough to lead to a marking.
#define MOST_FEW 64
// Part of the time for whether the net can always end, for whether it ever can.
#define DEAD_SHARE 0.1
// Lists of transitions, one of which is to be enabled, that are looked at.
#define MANY_TRANSITIONS 5000

void tl_refuter_close (tl_refuter *r) {
  if (!r->mem)
    return;
  tl_cases_close (r->cases);
  TL_DEL (r->mem, r->initial, r->structure->net->places);
  TL_DEL (r->mem, r->literal, r->room);
  TL_DEL (r->mem, r->term, r->term_room);
  *r = (tl_refuter){0};
}

// ---- Clauses being made ----------------------------------------------------

static void note_gap (const tl_refuter *r) {
  if (r->proof)
    r->proof->has_gaps = true;
}

static bool push (tl_refuter *r, tl_literal l) {
  if (!TL_ROOM (r->mem, r->literal, &r->room, r->literals + 1))
    return false;
  r->literal[r->literals++] = l;
  return true;
}

// A clause of the literals from `start` on, unless not `whole`: it would say
// too much then.
static void finish (tl_refuter *r, size_t start, bool whole) {
  if (!whole)
    note_gap (r);
  if (whole)
    (void)tl_cases_clause (r->cases, r->literal + start, r->literals - start);
  r->literals = start;
}

// What is required, everywhere or where *when holds.
static void require (tl_refuter *, const tl_formula *, bool negated,
                     const tl_literal *when);

static bool push_not (tl_refuter *r, const tl_literal *when) {
  return !when || push (r, tl_literal_not (*when));
}

static void require_literal (tl_refuter *r, tl_literal l,
                             const tl_literal *when) {
  const size_t start = r->literals;
  const bool whole = push_not (r, when) && push (r, l);
  finish (r, start, whole);
}

static void require_never (tl_refuter *r, const tl_literal *when) {
  const size_t start = r->literals;
  const bool whole = push_not (r, when);
  finish (r, start, whole);
}

// ---- Literals --------------------------------------------------------------

static void require_enabled (tl_refuter *r, uint32_t t,
                             const tl_literal *when) {
  const tl_net *net = r->structure->net;
  const tl_arcs pre = tl_net_pre (net, t),
                inhibitors = tl_net_inhibitors (net, t);
  for (uint32_t i = 0; i < pre.count; i++)
    require_literal (r, tl_at_least (pre.arc[i].place, pre.arc[i].weight),
                     when);
  for (uint32_t i = 0; i < inhibitors.count; i++)
    require_literal (r,
                     tl_at_most (inhibitors.arc[i].place,
                                 (int64_t)inhibitors.arc[i].weight - 1),
                     when);
}

static bool push_enabled (tl_refuter *r, uint32_t t) {
  tl_literal chosen;
  if (!tl_cases_choice (r->cases, &chosen))
    return false;
  require_enabled (r, t, &chosen);
  return push (r, chosen);
}

// One of the transitions is enabled, or none.  Without a list it is about all.
static void require_fireable (tl_refuter *r, const uint32_t *list,
                              uint32_t count, bool negated,
                              const tl_literal *when) {
  for (uint32_t i = 0; negated && i < count; i++)
    (void)tl_cases_disabled (r->cases, list ? list[i] : i, when);
  if (negated || (count > MANY_TRANSITIONS && !r->proof))
    return;
  if (count == 1) {
    require_enabled (r, list ? *list : 0, when);
    return;
  }
  const size_t start = r->literals;
  bool whole = push_not (r, when);
  for (uint32_t i = 0; whole && i < count; i++)
    whole = push_enabled (r, list ? list[i] : i);
  finish (r, start, whole);
}

// not s <= b  is  -s <= -b - 1
static void require_comparison (tl_refuter *r, const tl_formula *f,
                                bool negated, const tl_literal *when) {
  if (!TL_ROOM (r->mem, r->term, &r->term_room, f->count)) {
    note_gap (r);
    return;
  }
  for (uint32_t i = 0; i < f->count; i++)
    r->term[i] = (tl_entry){f->term[i].place, negated ? -f->term[i].coefficient
                                                      : f->term[i].coefficient};
  (void)tl_cases_rule (r->cases, (tl_vector){r->term, f->count},
                       negated ? ~f->bound : f->bound, when);
}

// ---- Formulas --------------------------------------------------------------

static int64_t divide_down (int64_t a, int64_t b) {
  return a / b - (a % b < 0);
}

// c * m <= b as a literal, for b that is not large.
static bool push_bound (tl_refuter *r, tl_summand s, int64_t b) {
  return push (r,
               s.coefficient > 0
                   ? tl_at_most (s.place, divide_down (b, s.coefficient))
                   : tl_at_least (s.place, -divide_down (b, -s.coefficient)));
}

static bool is_small (int64_t x) {
  return x < TL_CASES_LARGE && x > -TL_CASES_LARGE;
}

// Something from which the formula follows, as a literal.
static bool push_formula (tl_refuter *r, const tl_formula *f, bool negated) {
  tl_literal chosen;
  if (f->op == TL_NOT)
    return push_formula (r, f->operand[0], !negated);
  if (f->op == TL_COMPARE && f->count == 1 && is_small (f->bound) &&
      is_small (f->term->coefficient)) {
    const int64_t c = f->term->coefficient;
    return push_bound (r, (tl_summand){f->term->place, negated ? -c : c},
                       negated ? ~f->bound : f->bound);
  }
  if (!tl_cases_choice (r->cases, &chosen))
    return false;
  require (r, f, negated, &chosen);
  return push (r, chosen);
}

static void require_one (tl_refuter *r, const tl_formula *f, bool negated,
                         const tl_literal *when) {
  const size_t start = r->literals;
  bool whole = push_not (r, when);
  for (uint32_t i = 0; whole && i < f->count; i++)
    whole = push_formula (r, f->operand[i], negated);
  finish (r, start, whole);
}

static void require (tl_refuter *r, const tl_formula *f, bool negated,
                     const tl_literal *when) {
  switch (f->op) {
  case TL_TRUE:
  case TL_FALSE:
    if ((f->op == TL_TRUE) == negated)
      require_never (r, when);
    break;
  case TL_COMPARE: require_comparison (r, f, negated, when); break;
  case TL_FIREABLE:
    require_fireable (r, f->transition, f->count, negated, when);
    break;
  case TL_DEADLOCK:
    require_fireable (r, 0, r->structure->net->transitions, !negated, when);
    break;
  case TL_NOT: require (r, f->operand[0], !negated, when); break;
  case TL_AND:
  case TL_OR:
    if ((f->op == TL_OR) != negated) {
      require_one (r, f, negated, when);
      break;
    }
    for (uint32_t i = 0; i < f->count; i++)
      require (r, f->operand[i], negated, when);
    break;
  default: break; // not a state formula: anything
  }
}

// ---- Proofs ----------------------------------------------------------------

static bool begin (tl_refuter *r) {
  const tl_net *net = r->structure->net;
  if (!r->tried && TL_NEW (r->mem, r->initial, net->places)) {
    tl_marking_initial (net, r->initial);
    (void)tl_cases_open (&r->cases, r->mem, r->structure, r->equation);
    if (r->cases && r->proof)
      tl_cases_prove (r->cases, r->proof);
  }
  r->tried = true;
  return r->cases;
}

bool tl_refuter_returns (tl_refuter *r) {
  if (!r->asked_returns && r->for_returns > 0 && begin (r))
    r->returns =
        tl_net_returns (r->structure, r->mem, r->cases, r->for_returns);
  r->asked_returns = true;
  return r->returns;
}

// Where it is proven soon that no marking is dead, nothing else is tried.
bool tl_refuter_ends (tl_refuter *r) {
  const tl_formula dead = {.op = TL_DEADLOCK};
  if (!r->asked_ends && r->for_returns > 0 && begin (r) &&
      !tl_refuter_never (r, &dead, false, r->for_returns * DEAD_SHARE))
    r->ends = tl_net_ends (r->structure, r->mem, r->cases, r->for_returns);
  r->asked_ends = true;
  return r->ends;
}

bool tl_refuter_never (tl_refuter *r, const tl_formula *f, bool negated,
                       double seconds) {
  if (!begin (r))
    return false;
  r->literals = 0;
  require (r, f, negated, 0);
  return tl_cases_excluded (r->cases, seconds);
}

// ---- Markings to be reached ------------------------------------------------

// Transitions to be fired as long as one of them is enabled.
typedef struct few {
  uint32_t list[MOST_FEW];
  uint32_t count;
  bool more; // than there is room for
} few;

static void add_few (few *d, uint32_t t) {
  for (uint32_t i = 0; i < d->count; i++)
    if (d->list[i] == t)
      return;
  if (d->count == MOST_FEW)
    d->more = true;
  else
    d->list[d->count++] = t;
}

// Those that make the sum, of what is added in it, smaller.
static void add_takers (const tl_net *net, const tl_formula *f, bool negated,
                        few *d) {
  for (uint32_t t = 0; t < net->transitions && !d->more; t++) {
    __int128 sum = 0;
    for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);) {
      const int64_t times = tl_formula_coefficient (f, c.place);
      if ((times < 0) == negated)
        sum += (__int128)times * c.amount;
    }
    if (negated ? sum > 0 : sum < 0)
      add_few (d, t);
  }
}

static void choose_few (const tl_net *net, const tl_formula *f, bool negated,
                        few *d) {
  if (f->op == TL_NOT)
    choose_few (net, f->operand[0], !negated, d);
  else if (f->op == TL_FIREABLE)
    for (uint32_t i = 0; negated && i < f->count; i++)
      add_few (d, f->transition[i]);
  else if (f->op == TL_COMPARE)
    add_takers (net, f, negated, d);
  else
    for (uint32_t i = 0; i < tl_formula_operands (f); i++)
      choose_few (net, f->operand[i], negated, d);
}

static bool few_lead (tl_refuter *r, const tl_formula *f) {
  const tl_net *net = r->structure->net;
  few d = {.count = 0};
  choose_few (net, f, false, &d);
  few left = d;
  if (!d.count || d.more || !tl_transitions_end (net, left.list, left.count))
    return false;
  r->literals = 0;
  require (r, f, true, 0);
  for (uint32_t i = 0; i < d.count; i++)
    (void)tl_cases_disabled (r->cases, d.list[i], 0);
  return tl_cases_excluded (r->cases, r->for_leads * SHARE);
}

bool tl_refuter_leads (tl_refuter *r, const tl_formula *f) {
  const double start = tl_clock_busy ();
  const bool proven =
      r->for_leads >= LEAST_SECONDS && begin (r) && few_lead (r, f);
  r->for_leads -= tl_clock_busy () - start;
  return proven;
}

// ---- Verdicts --------------------------------------------------------------

tl_verdict tl_refuter_verdict (tl_refuter *r, const tl_formula *f) {
  const double start = tl_clock_busy ();
  if (r->seconds < LEAST_SECONDS || !begin (r))
    return TL_VERDICT_UNKNOWN;
  const bool initially = tl_formula_holds (f, r->structure->net, r->initial);
  const bool decided =
      !(r->sights && tl_sights_show (r->sights, f, !initially)) &&
      tl_refuter_never (r, f, initially, r->seconds * SHARE);
  r->seconds -= tl_clock_busy () - start;
  return !decided ? TL_VERDICT_UNKNOWN
                  : (initially ? TL_VERDICT_TRUE : TL_VERDICT_FALSE);
}
