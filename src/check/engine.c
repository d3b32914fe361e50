#include "check/engine.h"

#include "base/error.h"
#include "check/portfolio.h"
#include "check/symbolic_engine.h"
#include "check/temporal.h"

#include <string.h>

// Steps on the fly for each question, before the graph is built; and fewer
// where there is another turn for that when the net turns out to be not so
// small.
#define FIRST_EFFORT 50000
#define FIRST_WALKS 4000
#define GLANCE_EFFORT 2000
#define GLANCE_WALKS 1000
// And of a limit of time for all of them: in large nets steps take longer.
#define FIRST_SHARE 0.1
// Afterwards: so many times the arcs of the search for all questions together,
// and so many for each at least.
#define MORE_EFFORT 4
#define LEAST_EFFORT 1000000
// Of these, as many again for walks.
#define WALKS 4
// Of a limit of time, for the graph if the rest may be used on the fly.
#define GRAPH_SHARE 0.75

// ---- Names -----------------------------------------------------------------

// The names, and in the same order what they mean.
static const tl_kind_row names[] = {
    {"auto", "on the fly for a while, then on the graph"},
    {"graph", "on the whole reachability graph"},
    {"fly", "on the fly: no more of the graph than the answer needs"},
    {"nested", "the same, LTL by nested depth-first search"},
    {"guided", "each question by itself: searches for what decides it"},
    {"symbolic", "on the set of all markings, as a decision diagram"},
    {"nested-graph", "on the whole graph, LTL by nested depth-first search"}};

enum { METHODS = sizeof names / sizeof *names };

static const tl_method methods[METHODS] = {
    {.fly = true, .graph = true},
    {.graph = true},
    {.fly = true},
    {.fly = true, .nested = true},
    {.fly = true, .guided = true},
    {.fly = true, .graph = true, .symbolic = true},
    {.graph = true, .nested = true}};

const tl_kind_row *tl_engines (size_t *count) {
  if (count)
    *count = METHODS;
  return names;
}

tl_status tl_method_parse (tl_method *method, const tl_options *options,
                           tl_error *error) {
  const char *name = options->engine ? options->engine : names[0].name;
  for (size_t i = 0; i < METHODS; i++)
    if (!strcmp (names[i].name, name)) {
      *method = methods[i];
      return TL_OK;
    }
  return tl_fail (error, TL_E_ARG, "unknown engine '%s'", name);
}

// ---- Shares ----------------------------------------------------------------

double tl_checking_time (const tl_checking *c, const tl_allowance *share) {
  return c->options->timeout > 0 ? tl_goals_time_left (c->goals) * share->time
                                 : 0;
}

tl_mem tl_checking_share (const tl_checking *c, const char *name) {
  const tl_mem *whole = tl_mem_root (c->root);
  tl_mem share = TL_MEM (c->root, name);
  if (whole->limit)
    share.limit = (whole->limit - whole->used) / 2 + 1;
  return share;
}

static bool can_decide (const tl_engine_kind *kind, const tl_checking *c) {
  for (size_t i = 0; i < c->goals->count; i++)
    if (!tl_goals_is_decided (c->goals->asked + i) &&
        kind->cost (c, c->goals->asked + i) != TL_COST_NONE)
      return true;
  return false;
}

static bool has_time (const tl_checking *c, const tl_allowance *share) {
  return tl_checking_time (c, share) >= 0;
}

static tl_status give (tl_checking *c, const tl_engine_kind *kind,
                       const tl_allowance *share) {
  return can_decide (kind, c) && has_time (c, share) ? kind->decide (c, share)
                                                     : TL_OK;
}

size_t tl_checking_formulas (const tl_checking *c) {
  size_t n = 0;
  for (size_t i = 0; i < c->goals->count; i++)
    n += c->goals->asked[i].temporal &&
         !tl_goals_is_decided (c->goals->asked + i);
  return n;
}

// What is worth another try on the fly, after a search that a budget ended.
static tl_allowance allowance_after (const tl_checking *c) {
  const tl_exploration *run = c->run;
  const size_t open = tl_checking_formulas (c);
  tl_allowance share = {.time = 1, .effort = 0, .last = true};
  if (!open || run->complete || run->stop == TL_STOP_CANCEL)
    return share;
  share.effort = run->arcs * MORE_EFFORT / open;
  if (share.effort < LEAST_EFFORT || c->goals->unbounded)
    share.effort = LEAST_EFFORT;
  share.walks = share.effort / WALKS;
  return share;
}

// Is something open that is not for the set of all markings, or that took too
// much there?
static bool is_beyond_sets (const tl_checking *c) {
  for (size_t i = 0; i < c->goals->count; i++) {
    const tl_asked *a = c->goals->asked + i;
    if (!tl_goals_is_decided (a) &&
        (tl_engine_symbolic.cost (c, a) == TL_COST_NONE ||
         tl_symbolic_needs_automaton (a)))
      return true;
  }
  return false;
}

const tl_allowance tl_first_on_fly = {
    .time = FIRST_SHARE, .effort = FIRST_EFFORT, .walks = FIRST_WALKS};

// On the fly, before a search.
static tl_status fly_before (tl_checking *c) {
  const tl_allowance all = {.time = 1, .effort = UINT64_MAX, .last = true},
                     glance = {.time = FIRST_SHARE,
                               .effort = GLANCE_EFFORT,
                               .walks = GLANCE_WALKS,
                               .then = &tl_first_on_fly};
  if (!c->method.graph)
    return give (c, &tl_engine_fly, &all);
  if (!tl_portfolio_flies (c))
    return give (c, &tl_engine_fly, &tl_first_on_fly);
  return c->options->interludes_from ? TL_OK
                                     : give (c, &tl_engine_fly, &glance);
}

static tl_status decide (tl_checking *c) {
  const tl_method *m = &c->method;
  const tl_allowance all = {.time = 1, .effort = UINT64_MAX, .last = true},
                     most = {.time = GRAPH_SHARE, .effort = UINT64_MAX};
  if (c->saved)
    return tl_engine_saved.decide (c, &all);
  tl_status rc = give (c, &tl_engine_symbolic, &all);
  if (m->symbolic && c->searched && !is_beyond_sets (c))
    return rc;
  if (!rc)
    rc = give (c, &tl_engine_guided, &all);
  if (!rc && m->guided && c->searched)
    return TL_OK;
  if (!rc)
    rc = fly_before (c);
  if (!rc)
    rc = give (c, &tl_engine_search,
               m->fly && tl_checking_formulas (c) ? &most : &all);
  if (!rc && !c->searched) // all was decided without: the result says so
    rc = tl_engine_search.decide (c, &all);
  if (rc || !m->graph)
    return rc;
  const tl_allowance after = allowance_after (c);
  return after.effort ? give (c, &tl_engine_fly, &after) : TL_OK;
}

tl_status tl_engines_run (tl_checking *c) {
  const tl_status rc = decide (c);
  if (rc)
    return rc;
  tl_goals_settle (c->goals, c->run);
  (c->saved ? &tl_engine_saved : &tl_engine_search)->show (c);
  return TL_OK;
}

// ---- Results ---------------------------------------------------------------

// Adds what the accounts of another search had at their largest.
static void merge_memory (tl_exploration *into, const tl_exploration *from) {
  for (size_t i = 0; i < from->memory_rows; i++)
    for (size_t k = 0; k < into->memory_rows; k++)
      if (!strcmp (into->memory[k].name, from->memory[i].name) &&
          from->memory[i].used > into->memory[k].used)
        into->memory[k].used = from->memory[i].used;
}

void tl_checking_take (tl_checking *c, tl_exploration *x, bool instead) {
  tl_exploration *kept = c->run, other = *x;
  if (!c->searched || instead) {
    other = *kept;
    *kept = *x;
  }
  if (c->searched) {
    kept->seconds += other.seconds;
    if (other.peak_rss_bytes > kept->peak_rss_bytes)
      kept->peak_rss_bytes = other.peak_rss_bytes;
    merge_memory (kept, &other);
    tl_exploration_close (&other);
  }
  c->searched = true;
}
