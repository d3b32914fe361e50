#include "symbolic/reachable.h"

#include "base/budget.h"
#include "base/clock.h"
#include "base/error.h"
#include "symbolic/edges.h"
#include "symbolic/given_order.h"

#include <math.h>
#include <string.h>

// As long may it take to find bounds and groups.
#define ANALYSIS_SECONDS 0.5
// How long each order is tried at first, and how much longer the next time.
#define FIRST_SLICE 0.1
#define LONGER 3

// ---- Orders ----------------------------------------------------------------

static bool is_there (const tl_reachable *r, const uint32_t *order) {
  for (size_t i = 0; i < r->trials; i++)
    if (!memcmp (r->trial[i].order, order, r->variables.count * sizeof *order))
      return true;
  return false;
}

static tl_status add_order (tl_reachable *r, const tl_order_kind *kind,
                            const char *file, tl_error *error) {
  const tl_touching *x = kind->invariants ? &r->wide : &r->touching;
  uint32_t *order;
  if (!TL_NEW (&r->engine, order, r->variables.count))
    return TL_E_NOMEM;
  const tl_status rc =
      file ? tl_given_order (&r->engine, &r->variables, file, order, error)
           : tl_variable_order (x, &r->variables, kind, order);
  if (rc || is_there (r, order))
    TL_DEL (&r->engine, order, r->variables.count);
  else
    r->trial[r->trials++] = (tl_order_trial){kind, order, false};
  return rc;
}

static tl_status make_orders (tl_reachable *r) {
  size_t count;
  const tl_order_kind *kind = tl_variable_orders (&count);
  tl_status rc = tl_touching_open (&r->touching, &r->engine, &r->variables, 0);
  if (!rc)
    rc = tl_touching_open (&r->wide, &r->engine, &r->variables,
                           &r->structure->semiflows);
  for (size_t i = 0; !rc && i < count && r->trials < TL_MOST_ORDERS; i++)
    if (!kind[i].units || r->net->units)
      rc = add_order (r, kind + i, 0, 0);
  return rc;
}

// ---- Trying them -----------------------------------------------------------

static void drop (tl_reachable *r) {
  tl_diagram_close (&r->diagram);
  tl_events_close (&r->events);
}

static bool all_failed (const tl_reachable *r) {
  for (size_t i = 0; i < r->trials; i++)
    if (!r->trial[i].failed)
      return false;
  return true;
}

// The next order; behind the last come longer slices.
static tl_order_trial *next_trial (tl_reachable *r) {
  const size_t first = r->stress ? r->stress->first_order : 0;
  tl_order_trial *t;
  do {
    if (r->next == r->trials) {
      r->next = 0;
      r->slice *= LONGER;
    }
    t = r->trial + (r->next++ + first) % r->trials;
  } while (t->failed);
  return t;
}

// The first order is tried alone: mostly that is enough.
static uint32_t tried_at_once (const tl_reachable *r) {
  const bool at_once = r->told.tried || (r->stress && r->stress->threads);
  uint32_t left = 0;
  for (size_t i = 0; i < r->trials; i++)
    left += !r->trial[i].failed;
  return !at_once || r->alone ? 1 : r->threads < left ? r->threads : left;
}

// What one attempt tells.
static tl_status take (tl_reachable *r, tl_attempt *a, tl_order_trial *t,
                       bool alone) {
  r->told.tried++;
  r->told.collections += a->collections;
  if (a->peak > r->told.peak_nodes)
    r->told.peak_nodes = a->peak;
  if (a->outgrown) {
    const tl_variables *v = &r->variables;
    r->outgrown = true;
    r->outgrown_place = v->place[v->variable[a->outgrown - 1].first];
  }
  t->failed |= alone && a->rc == TL_E_NOMEM;
  r->alone |= !alone && a->rc == TL_E_NOMEM;
  if (!a->rc) {
    r->told.order = t->kind->name;
    r->events = a->events;
    r->diagram = a->diagram;
    r->diagram.look = r->look;
    r->diagram.context = r->context;
    r->reached = a->reached;
    a->events = (tl_events){0};
    a->diagram = (tl_diagram){0};
    r->ended = true;
  }
  return a->rc == TL_E_NOMEM || a->rc == TL_E_LIMIT ? TL_OK : a->rc;
}

// The next orders, for so many seconds at most (0: any).
static tl_status try_some (tl_reachable *r, double left) {
  const uint32_t count = tried_at_once (r);
  tl_order_trial *t[TL_MOST_ORDERS];
  tl_status rc = TL_OK;
  for (uint32_t i = 0; i < count; i++) {
    t[i] = next_trial (r);
    r->attempt[i] =
        (tl_attempt){.order = t[i]->order,
                     .seconds = left > 0 && left < r->slice ? left : r->slice};
  }
  r->attempts = (tl_attempts){.root = r->root,
                              .engine = &r->engine,
                              .nodes = &r->nodes,
                              .variables = &r->variables,
                              .limits = r->stress ? &r->stress->limits : 0,
                              .look = r->look,
                              .context = r->context};
  const uint32_t made = tl_attempts_make (&r->attempts, r->attempt, count);
  if (made > r->used)
    r->used = made;
  for (uint32_t i = 0; i < count; i++) {
    const tl_status more = take (r, r->attempt + i, t[i], count == 1);
    rc = more ? more : rc;
  }
  return r->ended && rc == TL_E_CANCEL ? TL_OK : rc;
}

tl_status tl_reachable_find (tl_reachable *r, double seconds) {
  const double end = seconds > 0 ? tl_clock () + seconds : 0;
  while (!r->ended) {
    const double left = end > 0 ? end - tl_clock () : 0;
    if (end > 0 && left <= 0)
      return TL_E_LIMIT;
    const tl_status rc = try_some (r, left);
    if (rc)
      return rc;
    if (!r->ended && (r->outgrown || tl_budget_look (r->root)))
      return TL_E_LIMIT;
    if (!r->ended && all_failed (r))
      return TL_E_NOMEM;
  }
  return TL_OK;
}

// ---- What structure says ---------------------------------------------------

static double bits_of (const tl_structure *structure, const tl_variables *v) {
  double bits = 0;
  for (uint32_t i = 0; i < v->count; i++) {
    const uint64_t bound = structure->bound[v->place[v->variable[i].first]];
    bits += tl_variable_is_group (v, i)  ? log2 (v->variable[i].count + 1.0)
            : bound < TL_SYMBOLIC_TOKENS ? log2 ((double)bound + 1)
                                         : INFINITY;
  }
  return bits;
}

double tl_reachable_bits (tl_mem *root, const tl_net *net) {
  tl_mem mem = TL_MEM (root, "engine");
  tl_structure *structure = 0;
  tl_variables variables = {0};
  double bits = INFINITY;
  if (!tl_structure_open (&structure, &mem, net, ANALYSIS_SECONDS, 0) &&
      !tl_variables_open (&variables, &mem, structure, 0, 0))
    bits = bits_of (structure, &variables);
  tl_variables_close (&variables);
  tl_structure_close (structure);
  return bits;
}

// ---- All of it -------------------------------------------------------------

tl_status tl_reachable_open (tl_reachable *r, tl_mem *root, const tl_net *net,
                             const tl_reachable_ways *given_ways,
                             tl_error *error) {
  const tl_reachable_ways ways =
      given_ways ? *given_ways : (tl_reachable_ways){0};
  *r = (tl_reachable){.net = net,
                      .root = root,
                      .engine = TL_MEM (root, "engine"),
                      .nodes = TL_MEM (root, "nodes"),
                      .stress = ways.stress,
                      .threads = ways.threads ? ways.threads : 1,
                      .slice = FIRST_SLICE};
  tl_status rc = tl_structure_open (&r->structure, &r->engine, net,
                                    ANALYSIS_SECONDS, error);
  if (!rc)
    rc = tl_variables_open (&r->variables, &r->engine, r->structure, ways.kept,
                            error);
  if (rc)
    return rc;
  r->told.variables = r->variables.count;
  if (r->variables.count > TL_SET_LEVELS)
    return tl_fail (error, TL_E_MODEL,
                    "the symbolic engine takes %d variables at most, and this "
                    "net has %u; try --engine explicit",
                    TL_SET_LEVELS, r->variables.count);
  static const tl_order_kind given = {.name = "given"};
  return ways.variables ? add_order (r, &given, ways.variables, error)
                        : make_orders (r);
}

void tl_reachable_close (tl_reachable *r) {
  drop (r);
  for (size_t i = 0; i < r->trials; i++)
    TL_DEL (&r->engine, r->trial[i].order, r->variables.count);
  tl_touching_close (&r->touching);
  tl_touching_close (&r->wide);
  tl_variables_close (&r->variables);
  tl_structure_close (r->structure);
  *r = (tl_reachable){0};
}
