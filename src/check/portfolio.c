#include "check/portfolio.h"

#include "base/clock.h"
#include "check/fly.h"
#include "check/temporal.h"
#include "structure/structure.h"

// Before the first interlude: nodes of the net times states that were found or
// visited.  And before formulas are decided on the fly, for each of them: the
// graph of a small net is there sooner.
#define FIRST_WORK ((uint64_t)20000000)
#define FLY_WORK ((uint64_t)4000000)
// So many are decided on the fly before the search.
#define FEW_FORMULAS 3
// What a state costs beside that of its nodes, in the same unit.
#define STATE_WORK 100
// Looks at the clock after so many of them.
#define LOOK 64
// Seconds of a turn in the first round, with more for each node of the net; and
// how much more in the next.
#define FIRST_SLICE 0.03
#define NODE_SLICE 0.00002
#define GROWTH 2
// When the search has taken so long, diagrams have the next turn, of this
// slice, then turns from this slice on; they have one more for each so many
// questions, for what they find is for all of these, and more for each question
// once all markings are known.
#define SYMBOLIC_FROM 2
#define SYMBOLIC_SLICE 0.1
#define SYMBOLIC_DECIDES 3
#define SYMBOLIC_QUESTIONS 4
// What proofs that wait take, about: more for each node of the net.
#define REVIEW_SECONDS 0.05
#define NODE_REVIEW 0.0001
// On the fly: steps that are made in a second, about.
#define FLY_SPEED 1000000
// Of these, as many again for walks.
#define FLY_WALKS 4
// Interludes, as a part of what the search takes: while it may come to its end,
// when that will take more than half of the time that is left, when it seems
// that it will not, and when it will not even if that is a guess that is wrong
// by a factor.
#define SMALL_PART 0.06
#define CLOSE_PART 0.2
#define MIDDLE_PART 0.5
#define LARGE_PART 4.0
#define WRONG 3
// A search without a limit of time that takes longer than this will not.
#define LONG_SEARCH 120

bool tl_portfolio_is_used (const tl_checking *c) {
  return c->method.fly && c->method.graph && !c->method.nested &&
         c->how.order == &tl_order_bfs && c->how.stubborn == TL_REDUCE_NONE &&
         !c->options->unaided && !c->options->ranks;
}

bool tl_portfolio_waits (const tl_checking *c) {
  return tl_portfolio_is_used (c) && !c->saved && !c->options->max_states;
}

bool tl_portfolio_flies (const tl_checking *c) {
  const size_t few = c->options->interludes_from ? 0 : FEW_FORMULAS;
  return tl_portfolio_is_used (c) && tl_checking_formulas (c) > few;
}

static uint64_t visits_of (const tl_portfolio *p, uint64_t work) {
  const tl_net *net = p->first->goals->net;
  return work / (STATE_WORK + net->places + net->transitions);
}

void tl_portfolio_open (tl_portfolio *p, tl_checking *c) {
  const tl_net *net = c->goals->net;
  *p = (tl_portfolio){
      .checking = c,
      .first = c,
      .reviewed = !c->enquiry->hasty,
      .guided = {.checking = c,
                 .structure = c->goals->shrinker.structure,
                 .seed = c->options->seed},
      .symbolic = {.checking = c, .over = !c->method.graph},
      .slice =
          c->options->interludes_from
              ? NODE_SLICE
              : FIRST_SLICE + NODE_SLICE * (net->places + net->transitions)};
  p->flown = !tl_portfolio_flies (c);
  p->next = visits_of (p, p->flown ? FIRST_WORK
                                   : tl_checking_formulas (c) * FLY_WORK);
}

void tl_portfolio_close (tl_portfolio *p) {
  tl_symbolic_turns_close (&p->symbolic);
  tl_review_close (&p->review);
}

// ---- Turns -----------------------------------------------------------------

// What is asked about components is a formula of CTL, too.
static bool is_for_fly (const tl_asked *a) {
  return (a->temporal ||
          (a->question->kind == TL_ASK_FORMULA && a->plan.homes)) &&
         !tl_goals_is_decided (a);
}

static size_t open_on_fly (const tl_checking *c) {
  size_t open = 0;
  for (size_t i = 0; c->method.fly && i < c->goals->count; i++)
    open += is_for_fly (c->goals->asked + i);
  return open;
}

// What is left of a limit of time; without one, a long time.
static double time_left (const tl_portfolio *p) {
  const tl_checking *c = p->checking;
  return c->options->timeout > 0 ? tl_goals_time_left (c->goals) : LONG_SEARCH;
}

// Seconds that a turn of so many slices has.
static double turn_seconds (const tl_portfolio *p, double slices) {
  const double left = time_left (p), wanted = slices * p->slice;
  return left < wanted ? left : wanted;
}

// Steps for each formula about runs.
static tl_allowance steps_of_turn (const tl_portfolio *p) {
  const uint64_t steps = (uint64_t)(p->slice * FLY_SPEED) + 1;
  return (tl_allowance){.time = 1, .effort = steps, .walks = steps / FLY_WALKS};
}

// Each formula about runs in a net that is made smaller for it.
static tl_status try_each (tl_portfolio *p, const tl_allowance *share) {
  tl_checking *c = p->checking;
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < c->goals->count && time_left (p) > 0; i++) {
    tl_asked *a = c->goals->asked + i;
    if (is_for_fly (a))
      rc = tl_fly_alone (c, a, p->guided.structure, share, p->slice);
  }
  return rc;
}

// All of them in the same graph.
static tl_status try_fly (tl_portfolio *p, const tl_allowance *share) {
  tl_checking *c = p->checking, other = *c;
  tl_options how = *c->options;
  tl_mem half = tl_checking_share (c, "on the fly");
  how.on_progress = 0;
  tl_exploration run = {.size = sizeof run};
  other.root = &half;
  other.options = &how;
  other.run = &run;
  other.searched = false;
  const tl_status rc = tl_engine_fly.decide (&other, share);
  p->guided.full |= run.stop == TL_STOP_STATES;
  if (other.searched && p->guided.alone)
    tl_checking_take (c, &run, false);
  else
    tl_exploration_close (&run);
  return rc;
}

static tl_status try_question (tl_portfolio *p, tl_asked *a) {
  if (!tl_guided_may_decide (p->checking, a))
    return TL_OK;
  const tl_status rc = tl_guided_try (&p->guided, a, turn_seconds (p, 1));
  p->idle = rc == TL_E_LIMIT ? p->idle : 0;
  return rc == TL_E_LIMIT ? TL_OK : rc;
}

// Who is next, and what that takes.  Behind the questions come walks, and all
// that is done on diagrams and on the fly.
typedef enum turn { TURN_QUESTION, TURN_WALK, TURN_SYMBOLIC, TURN_FLY } turn;

static turn next_turn (const tl_portfolio *p) {
  const size_t questions = p->checking->goals->count;
  return p->turn < questions        ? TURN_QUESTION
         : p->turn == questions     ? TURN_WALK
         : p->turn == questions + 1 ? TURN_SYMBOLIC
                                    : TURN_FLY;
}

// How many questions are tried on diagrams; until all markings are known, as if
// there were one.
static size_t open_on_diagram (const tl_portfolio *p) {
  const bool early =
      p->slice < SYMBOLIC_SLICE && !p->first->options->interludes_from;
  return early ? 0 : tl_symbolic_turns_left (&p->symbolic);
}

static bool draws_first (const tl_portfolio *p) {
  const bool late = p->guided.alone || p->first->options->interludes_from ||
                    p->counted > SYMBOLIC_FROM;
  return late && !p->drawn && tl_symbolic_turns_left (&p->symbolic);
}

static bool knows_all (const tl_portfolio *p) {
  return p->symbolic.open && p->symbolic.reach.ended;
}

static double slices_of_diagram (const tl_portfolio *p) {
  const double slices =
      1 + (double)(p->checking->goals->undecided / SYMBOLIC_QUESTIONS);
  return knows_all (p) ? SYMBOLIC_DECIDES * slices : slices;
}

// About what proofs take.
static double cost_of_review (const tl_portfolio *p) {
  const tl_net *net = p->first->goals->net;
  return p->first->goals->opening + REVIEW_SECONDS +
         NODE_REVIEW * (net->places + net->transitions);
}

static double cost_of_turn (const tl_portfolio *p) {
  if (draws_first (p))
    return SYMBOLIC_SLICE;
  if (!p->reviewed)
    return cost_of_review (p);
  switch (next_turn (p)) {
  case TURN_FLY: return 3 * p->slice * (double)open_on_fly (p->checking);
  case TURN_SYMBOLIC:
    return p->slice * slices_of_diagram (p) * (double)open_on_diagram (p);
  default: return p->slice;
  }
}

static tl_status draw_first (tl_portfolio *p) {
  const double left = time_left (p),
               seconds = left < SYMBOLIC_SLICE ? left : SYMBOLIC_SLICE;
  p->drawn = true;
  const tl_status rc = tl_symbolic_turn (&p->symbolic, seconds);
  return rc || !knows_all (p)
             ? rc
             : tl_symbolic_turn (&p->symbolic, SYMBOLIC_DECIDES * seconds);
}

static tl_status try_symbolic (tl_portfolio *p) {
  if (!open_on_diagram (p))
    return TL_OK;
  p->idle = 0;
  return tl_symbolic_turn (&p->symbolic,
                           turn_seconds (p, slices_of_diagram (p)));
}

static tl_status review (tl_portfolio *p, bool soon) {
  if (p->reviewed)
    return TL_OK;
  p->reviewed = true;
  const tl_status rc = tl_review_open (&p->review, p->first, soon);
  if (p->review.open)
    p->checking = p->guided.checking = p->symbolic.checking = &p->review.second;
  return rc;
}

static tl_status make_turn (tl_portfolio *p) {
  tl_checking *c = p->checking;
  if (draws_first (p))
    return draw_first (p);
  if (!p->reviewed)
    return review (p, p->soon);
  const turn which = next_turn (p);
  const size_t question = p->turn++;
  if (time_left (p) <= 0)
    return TL_OK;
  p->idle++;
  if (which == TURN_QUESTION)
    return try_question (p, c->goals->asked + question);
  if (which == TURN_WALK)
    return tl_guided_walk (&p->guided, turn_seconds (p, 1));
  if (which == TURN_SYMBOLIC)
    return try_symbolic (p);
  const bool any = open_on_fly (c);
  const tl_allowance share = steps_of_turn (p);
  tl_status rc = any ? try_each (p, &share) : TL_OK;
  if (!rc && open_on_fly (c) && time_left (p) > 0)
    rc = try_fly (p, &share);
  p->idle = any ? 0 : p->idle;
  p->turn = 0;
  p->slice *= GROWTH;
  return rc;
}

// Adds up how long the turns of a round take, but for walks.
static void count_turn (tl_portfolio *p, turn which, double seconds) {
  p->round += which == TURN_WALK ? 0 : seconds;
  if (p->turn)
    return;
  p->round_before = p->round_last;
  p->round_last = p->round;
  p->round = 0;
}

static tl_status take_turn (tl_portfolio *p) {
  const double start = tl_clock ();
  const turn which = next_turn (p);
  tl_review_exchange (&p->review);
  const tl_status rc = make_turn (p);
  tl_review_exchange (&p->review);
  count_turn (p, which, tl_clock () - start);
  return rc;
}

// With slices of this length, rounds that take no longer than those with half
// of it, by so much, have run out of memory.
#define STUCK_SLICE 1.0
#define STUCK 1.2

// Does more time not help any more?  Walks would go on for ever.
static bool is_stuck (const tl_portfolio *p) {
  const bool memory =
      p->round_before > 0 && p->round_before * STUCK > p->round_last;
  return p->slice >= STUCK_SLICE && (memory || p->guided.full);
}

// A round has gone by, and there was nothing to be tried.
static bool is_idle (const tl_portfolio *p) {
  return p->idle > p->checking->goals->count + 2;
}

// ---- Beside the search -----------------------------------------------------

// The part of the time for interludes, by whether the search can come to its
// end.
static double part_now (const tl_portfolio *p, const tl_search *s,
                        double searched) {
  const double seen = (double)tl_search_seen (s),
               all =
                   tl_levels_least (&s->levels, tl_search_seen (s), s->queued),
               takes = (all - seen) / seen * searched, left = time_left (p);
  return takes > WRONG * left ? LARGE_PART
         : takes > left       ? MIDDLE_PART
         : takes > left / 2   ? CLOSE_PART
                              : SMALL_PART;
}

// What the search earns it earns at the part of that time: a guess that changes
// does not count for what was before.  A turn that would take more than half of
// what is left does not wait until that is gone.
static bool is_due (tl_portfolio *p, const tl_search *s) {
  const double searched = tl_clock () - p->begun - p->spent;
  const double part = part_now (p, s, searched);
  p->earned += (searched - p->counted) * part;
  p->soon = part == SMALL_PART;
  p->counted = searched;
  const double cost = cost_of_turn (p), most = time_left (p) / 2;
  return p->spent + (cost < most ? cost : most) < p->earned;
}

// What is tried on the fly before all else.  It takes nothing from what others
// may have.
static tl_status fly_first (tl_portfolio *p) {
  const double start = tl_clock ();
  const tl_status rc = try_fly (p, &tl_first_on_fly);
  p->flown = true;
  p->next = visits_of (p, FIRST_WORK);
  p->begun += tl_clock () - start;
  return rc;
}

static tl_status take_due_turn (tl_portfolio *p) {
  const double start = tl_clock ();
  const tl_status rc = take_turn (p);
  p->spent += tl_clock () - start;
  return rc;
}

tl_visit_verdict tl_portfolio_turn (tl_portfolio *p, const tl_search *s) {
  p->guided.structure = s->structure;
  const tl_status rc = p->flown ? take_due_turn (p) : fly_first (p);
  return rc                           ? TL_VISIT_FAILED
         : p->first->goals->undecided ? TL_VISIT_CONTINUE
                                      : TL_VISIT_STOP;
}

bool tl_portfolio_is_due (tl_portfolio *p, const tl_search *s) {
  const uint64_t from = p->first->options->interludes_from;
  if (!p->visits++)
    p->begun = tl_clock ();
  if (from)
    return p->visits >= from && !is_idle (p);
  const uint64_t work = p->visits + tl_search_seen (s);
  if (work < p->next)
    return false;
  p->next = work + LOOK;
  return !p->flown || is_due (p, s);
}

tl_visit_verdict tl_portfolio_visit (tl_portfolio *p, const tl_visit *v) {
  return tl_portfolio_is_due (p, v->search) ? tl_portfolio_turn (p, v->search)
                                            : TL_VISIT_CONTINUE;
}

// ---- Afterwards ------------------------------------------------------------

tl_status tl_portfolio_prove (tl_portfolio *p) {
  tl_status rc = review (p, false);
  // What is left of the net for a formula may have a bound.
  if (!rc && p->first->goals->unbounded)
    rc = try_each (p, &tl_first_on_fly);
  // In a net that can always return little is left to be seen.
  if (!rc && p->checking->goals->undecided && p->checking->goals->returns)
    rc = tl_guided_walk (&p->guided, turn_seconds (p, 1));
  tl_review_exchange (&p->review);
  return rc;
}

tl_status tl_portfolio_finish (tl_portfolio *p, double seconds) {
  const double end = tl_clock () + seconds;
  const bool limited = p->first->options->timeout > 0;
  tl_status rc = review (p, false);
  tl_checking *c = p->checking;
  c->searched = p->first->searched;
  p->idle = 0;
  p->guided.alone = true;
  while (!rc && c->goals->undecided && !is_idle (p) &&
         !tl_budget_look (c->root) && (seconds <= 0 || tl_clock () < end) &&
         time_left (p) > 0 && (limited || !is_stuck (p)))
    rc = take_turn (p);
  p->first->searched = c->searched;
  return rc;
}

// ---- The engine ------------------------------------------------------------

static tl_cost cost (const tl_checking *c, const tl_asked *a) {
  return c->method.guided && (a->temporal || tl_guided_may_decide (c, a))
             ? TL_COST_SOME
             : TL_COST_NONE;
}

static tl_status decide_guided (tl_checking *c, const tl_allowance *share) {
  tl_portfolio p;
  (void)share; // it has what there is
  tl_portfolio_open (&p, c);
  const tl_status rc = tl_portfolio_finish (&p, c->options->timeout);
  const bool full = p.guided.full;
  tl_portfolio_close (&p);
  if (!rc && c->searched)
    c->run->stop = !c->goals->undecided      ? TL_STOP_DECIDED
                   : c->options->timeout > 0 ? TL_STOP_TIME
                   : full                    ? TL_STOP_STATES
                                             : TL_STOP_MEMORY;
  return rc;
}

const tl_engine_kind tl_engine_guided = {"guided", cost, decide_guided, 0};
