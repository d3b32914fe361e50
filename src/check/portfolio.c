#include "check/portfolio.h"

#include "base/clock.h"
#include "check/temporal.h"
#include "structure/structure.h"

// Before the first interlude: nodes of the net times states.
#define FIRST_WORK ((uint64_t)20000000)
// What a state costs beside that of its nodes, in the same unit.
#define STATE_WORK 100
// Looks at the clock after so many visits.
#define LOOK 256
// Seconds of a turn in the first round, with more for each node of the net; and
// how much more in the next.
#define FIRST_SLICE 0.02
#define NODE_SLICE 0.00001
#define GROWTH 1.6
// Walks of a round, in turns.
#define WALKS 2
// Steps on the fly in the first round.
#define FIRST_EFFORT 200000
// Interludes, as a part of what the search has taken: while it may come to its
// end, and when it will not.
#define SMALL_PART 0.08
#define LARGE_PART 4.0
// States from which on these are told apart: the queue is long (as a multiple
// of those before the first interlude), the search is large and still grows, or
// it is larger than most that end.
#define SOME_STATES 4
#define MANY_STATES 12000000
#define TOO_MANY_STATES 60000000

void tl_portfolio_open (tl_portfolio *p, tl_checking *c) {
  const tl_net *net = c->goals->net;
  *p = (tl_portfolio){
      .checking = c,
      .guided = {.checking = c,
                 .structure = c->goals->shrinker.structure,
                 .seed = c->options->seed},
      .first = FIRST_WORK / (STATE_WORK + net->places + net->transitions),
      .slice = FIRST_SLICE + NODE_SLICE * (net->places + net->transitions),
      .effort = FIRST_EFFORT};
}

// ---- Turns -----------------------------------------------------------------

static bool wants_fly (const tl_checking *c) {
  for (size_t i = 0; i < c->goals->count; i++)
    if (c->goals->asked[i].temporal &&
        !tl_goals_is_decided (c->goals->asked + i))
      return c->method.fly;
  return false;
}

// All formulas about runs, each with the same effort.
static tl_status try_fly (tl_portfolio *p) {
  tl_checking *c = p->checking;
  tl_mem *root = c->root, share = TL_MEM (root, "on the fly");
  const tl_mem *whole = tl_mem_root (root);
  if (whole->limit)
    share.limit = (whole->limit - whole->used) / 2 + 1;
  c->root = &share;
  const tl_status rc =
      tl_engine_fly.decide (c, &(tl_allowance){.time = 1, .effort = p->effort});
  c->root = root;
  return rc;
}

static tl_status try_question (tl_portfolio *p, tl_asked *a) {
  if (!tl_guided_may_decide (p->checking, a))
    return TL_OK;
  const tl_status rc = tl_guided_try (&p->guided, a, p->slice);
  p->idle = rc == TL_E_LIMIT ? p->idle : 0;
  return rc == TL_E_LIMIT ? TL_OK : rc;
}

// One turn.  Behind the questions come walks, and what is done on the fly.
static tl_status take_turn (tl_portfolio *p) {
  tl_checking *c = p->checking;
  const size_t questions = c->goals->count, turn = p->turn++;
  p->idle++;
  if (turn < questions)
    return try_question (p, c->goals->asked + turn);
  if (turn == questions)
    return tl_guided_walk (&p->guided, WALKS * p->slice);
  p->turn = 0;
  p->slice *= GROWTH;
  p->effort += p->effort / 2;
  if (!wants_fly (c))
    return TL_OK;
  p->idle = 0;
  return try_fly (p);
}

// A round has gone by, and there was nothing to be tried.
static bool is_idle (const tl_portfolio *p) {
  return p->idle > p->checking->goals->count + 1;
}

// ---- Beside the search -----------------------------------------------------

// Will the search not come to its end soon?
static bool is_hopeless (const tl_portfolio *p, const tl_search *s) {
  const uint64_t seen = tl_search_seen (s), waiting = s->queued;
  return seen > TOO_MANY_STATES ||
         (seen > MANY_STATES && waiting > seen / 16) ||
         (seen > SOME_STATES * p->first && waiting > seen / 3);
}

static bool is_due (const tl_portfolio *p, const tl_search *s) {
  const double searched = tl_clock () - p->begun - p->spent;
  return p->spent < searched * (is_hopeless (p, s) ? LARGE_PART : SMALL_PART);
}

static tl_visit_verdict interlude (tl_portfolio *p, const tl_visit *v) {
  const double start = tl_clock ();
  p->guided.structure = v->search->structure;
  const tl_status rc = take_turn (p);
  p->spent += tl_clock () - start;
  return rc                              ? TL_VISIT_FAILED
         : p->checking->goals->undecided ? TL_VISIT_CONTINUE
                                         : TL_VISIT_STOP;
}

tl_visit_verdict tl_portfolio_visit (tl_portfolio *p, const tl_visit *v) {
  if (!p->visits++)
    p->begun = tl_clock ();
  if (p->visits < p->first || p->visits % LOOK)
    return TL_VISIT_CONTINUE;
  return is_due (p, v->search) ? interlude (p, v) : TL_VISIT_CONTINUE;
}

// ---- Afterwards ------------------------------------------------------------

tl_status tl_portfolio_finish (tl_portfolio *p, double seconds) {
  tl_checking *c = p->checking;
  const double end = tl_clock () + seconds;
  tl_status rc = TL_OK;
  p->idle = 0;
  p->guided.alone = true;
  while (!rc && c->goals->undecided && !is_idle (p) &&
         !tl_budget_look (c->root)) {
    const double left = seconds > 0 ? end - tl_clock () : p->slice;
    if (left <= 0)
      break;
    p->slice = p->slice > left ? left : p->slice;
    rc = take_turn (p);
  }
  return rc;
}

// ---- The engine ------------------------------------------------------------

static tl_cost cost (const tl_checking *c, const tl_asked *a) {
  return c->method.guided && tl_guided_may_decide (c, a) ? TL_COST_SOME
                                                         : TL_COST_NONE;
}

static tl_status decide_guided (tl_checking *c, const tl_allowance *share) {
  tl_portfolio p;
  (void)share; // it has what there is
  tl_portfolio_open (&p, c);
  const tl_status rc = tl_portfolio_finish (&p, c->options->timeout);
  if (!rc && c->searched)
    c->run->stop = c->goals->undecided ? TL_STOP_TIME : TL_STOP_DECIDED;
  return rc;
}

const tl_engine_kind tl_engine_guided = {"guided", cost, decide_guided, 0};
