#include "symbolic/reachable.h"

#include "base/budget.h"
#include "base/clock.h"
#include "base/error.h"
#include "symbolic/edges.h"
#include "symbolic/given_order.h"

#include <assert.h>
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

static void note_outgrown (tl_reachable *r) {
  const tl_variables *v = &r->variables;
  r->outgrown = true;
  r->outgrown_place =
      v->place[v->variable[r->events.at[r->diagram.outgrown]].first];
}

// Saturates with one order; what is left open is dropped.
static tl_status try_order (tl_reachable *r, const uint32_t *order) {
  tl_status rc = tl_events_open (&r->events, &r->engine, &r->variables, order);
  if (rc || (rc = tl_diagram_open (&r->diagram, &r->nodes,
                                   r->stress ? &r->stress->limits : 0))) {
    drop (r);
    return rc;
  }
  tl_diagram *d = &r->diagram;
  d->look = r->look;
  d->context = r->context;
  rc = tl_saturate (d, &r->events, r->variables.initial, &r->reached);
  assert (rc || tl_diagram_is_sound (d));
  if (d->outgrown)
    note_outgrown (r);
  r->told.collections += d->collections;
  if (d->peak > r->told.peak_nodes)
    r->told.peak_nodes = d->peak;
  if (rc)
    drop (r);
  return rc;
}

static tl_status try_for (tl_reachable *r, tl_order_trial *t, double seconds) {
  const tl_budget slice = tl_budget_part (r->root, seconds);
  r->nodes.budget = &slice;
  const tl_status rc = try_order (r, t->order);
  r->nodes.budget = 0;
  r->told.tried++;
  if (!rc)
    r->told.order = t->kind->name;
  t->failed |= rc == TL_E_NOMEM;
  return rc;
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
  if (r->next == r->trials) {
    r->next = 0;
    r->slice *= LONGER;
  }
  return r->trial + (r->next++ + first) % r->trials;
}

tl_status tl_reachable_find (tl_reachable *r, double seconds) {
  const double end = seconds > 0 ? tl_clock () + seconds : 0;
  while (!r->ended) {
    const double left = end > 0 ? end - tl_clock () : r->slice;
    tl_order_trial *t = next_trial (r);
    if (t->failed)
      continue;
    if (left <= 0) {
      r->next--;
      return TL_E_LIMIT;
    }
    const tl_status rc = try_for (r, t, left < r->slice ? left : r->slice);
    if (rc && rc != TL_E_NOMEM && rc != TL_E_LIMIT)
      return rc;
    r->ended = !rc;
    if (rc && (r->outgrown || tl_budget_look (r->root)))
      return TL_E_LIMIT;
    if (all_failed (r))
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
