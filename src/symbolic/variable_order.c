#include "symbolic/variable_order.h"

#include <stdlib.h>
#include <string.h>

// Rounds of moving.
#define ROUNDS 200
// It ends after so many that were no better than those before.
#define PATIENCE 10
// Of units in units.
#define MOST_DEPTH 64

static const tl_order_kind kinds[] = {
    {.name = "force", .force = true},
    {.name = "greedy", .greedy = true},
    {.name = "greedy, force", .greedy = true, .force = true},
    {.name = "force, upside down", .force = true, .reverse = true},
    {.name = "greedy, upside down", .greedy = true, .reverse = true},
    {.name = "greedy from the end", .greedy = true, .backwards = true},
    {.name = "file"},
    {.name = "units", .units = true},
    {.name = "invariants, force", .force = true, .invariants = true},
};

const tl_order_kind *tl_variable_orders (size_t *count) {
  *count = sizeof kinds / sizeof *kinds;
  return kinds;
}

// ---- Who touches what ------------------------------------------------------

static void add (tl_touching *x, const tl_variables *v, uint32_t *last,
                 uint32_t t, tl_arcs arcs, uint32_t *n) {
  for (uint32_t i = 0; i < arcs.count; i++) {
    const uint32_t variable = v->of[arcs.arc[i].place];
    if (variable == TL_NO_NAME || last[variable] == t + 1)
      continue;
    last[variable] = t + 1;
    x->variable[(*n)++] = variable;
  }
}

// Starts are ends first, and go down as the lists are filled from behind.
static void turn (tl_touching *x) {
  uint32_t *start = x->transition_start;
  const uint32_t all = x->variable_start[x->transitions];
  for (uint32_t i = 0; i < all; i++)
    start[x->variable[i]]++;
  for (uint32_t i = 0; i < x->variables; i++)
    start[i + 1] += start[i];
  for (uint32_t t = x->transitions; t-- > 0;)
    for (uint32_t i = x->variable_start[t]; i < x->variable_start[t + 1]; i++)
      x->transition[--start[x->variable[i]]] = t;
}

// The same for the places of an invariant.
static void add_semiflow (tl_touching *x, const tl_variables *v, uint32_t *last,
                          uint32_t t, tl_vector terms, uint32_t *n) {
  for (uint32_t i = 0; i < terms.count; i++) {
    const uint32_t variable = v->of[terms.term[i].index];
    if (variable == TL_NO_NAME || last[variable] == t + 1)
      continue;
    last[variable] = t + 1;
    x->variable[(*n)++] = variable;
  }
}

tl_status tl_touching_open (tl_touching *x, tl_mem *mem, const tl_variables *v,
                            const tl_semiflows *semiflows) {
  const tl_net *net = v->net;
  const uint32_t more = semiflows ? (uint32_t)semiflows->count : 0;
  *x = (tl_touching){.mem = mem,
                     .net = net,
                     .variables = v->count,
                     .transitions = net->transitions + more,
                     .room = net->arcs + 1};
  uint32_t *last = 0, n = 0;
  if (semiflows)
    x->room += semiflows->term_count;
  if (x->room >= UINT32_MAX)
    return TL_E_NOMEM;
  if (!TL_NEW (mem, last, v->count + 1) ||
      !TL_NEW (mem, x->variable_start, x->transitions + 1) ||
      !TL_NEW (mem, x->transition_start, x->variables + 1) ||
      !TL_NEW (mem, x->variable, x->room) ||
      !TL_NEW (mem, x->transition, x->room)) {
    TL_DEL (mem, last, v->count + 1);
    tl_touching_close (x);
    return TL_E_NOMEM;
  }
  for (uint32_t t = 0; t < net->transitions; t++) {
    add (x, v, last, t, tl_net_pre (net, t), &n);
    add (x, v, last, t, tl_net_post (net, t), &n);
    add (x, v, last, t, tl_net_inhibitors (net, t), &n);
    x->variable_start[t + 1] = n;
  }
  for (uint32_t i = 0, t = net->transitions; i < more; i++, t++) {
    add_semiflow (x, v, last, t, tl_semiflows_terms (semiflows, i), &n);
    x->variable_start[t + 1] = n;
  }
  TL_DEL (mem, last, v->count + 1);
  turn (x);
  return TL_OK;
}

void tl_touching_close (tl_touching *x) {
  if (!x->mem)
    return;
  TL_DEL (x->mem, x->variable_start, x->transitions + 1);
  TL_DEL (x->mem, x->transition_start, x->variables + 1);
  TL_DEL (x->mem, x->variable, x->room);
  TL_DEL (x->mem, x->transition, x->room);
  *x = (tl_touching){0};
}

// ---- Moving ----------------------------------------------------------------

typedef struct placed {
  uint32_t variable;
  double at;
} placed;

static int by_place (const void *a, const void *b) {
  const placed *x = a, *y = b;
  if (x->at < y->at || x->at > y->at)
    return x->at < y->at ? -1 : 1;
  return (x->variable > y->variable) - (x->variable < y->variable);
}

static uint64_t span (const tl_touching *x, uint32_t t, const placed *where) {
  double low = x->variables, high = -1;
  for (uint32_t i = x->variable_start[t]; i < x->variable_start[t + 1]; i++) {
    const double at = where[x->variable[i]].at;
    low = at < low ? at : low;
    high = at > high ? at : high;
  }
  return high > low ? (uint64_t)(high - low) : 0;
}

static double middle (const tl_touching *x, uint32_t t, const placed *where) {
  double sum = 0;
  for (uint32_t i = x->variable_start[t]; i < x->variable_start[t + 1]; i++)
    sum += where[x->variable[i]].at;
  const uint32_t n = x->variable_start[t + 1] - x->variable_start[t];
  return n ? sum / n : 0;
}

// `where` has the positions of the variables; moves them once.
static void move (const tl_touching *x, placed *where, placed *sorted,
                  double *centre) {
  for (uint32_t t = 0; t < x->transitions; t++)
    centre[t] = middle (x, t, where);
  for (uint32_t v = 0; v < x->variables; v++) {
    const uint32_t first = x->transition_start[v],
                   end = x->transition_start[v + 1];
    double sum = 0;
    for (uint32_t i = first; i < end; i++)
      sum += centre[x->transition[i]];
    sorted[v] = (placed){v, end > first ? sum / (end - first) : where[v].at};
  }
  qsort (sorted, x->variables, sizeof *sorted, by_place);
  for (uint32_t i = 0; i < x->variables; i++)
    where[sorted[i].variable].at = i;
}

static uint64_t spans (const tl_touching *x, const placed *where) {
  uint64_t sum = 0;
  for (uint32_t t = 0; t < x->transitions; t++)
    sum += span (x, t, where);
  return sum;
}

// The best of all rounds.
static void move_on (const tl_touching *x, uint32_t *order, placed *where,
                     placed *sorted, double *centre) {
  for (uint32_t i = 0; i < x->variables; i++)
    where[order[i]].at = i;
  uint64_t best = spans (x, where);
  for (int round = 0, idle = 0; round < ROUNDS && idle < PATIENCE; round++) {
    move (x, where, sorted, centre);
    const uint64_t now = spans (x, where);
    idle = now < best ? 0 : idle + 1;
    if (now >= best)
      continue;
    best = now;
    for (uint32_t i = 0; i < x->variables; i++)
      order[i] = sorted[i].variable;
  }
}

static tl_status force (const tl_touching *x, uint32_t *order) {
  placed *where = 0, *sorted = 0;
  double *centre = 0;
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (x->mem, where, x->variables) &&
      TL_NEW (x->mem, sorted, x->variables) &&
      TL_NEW (x->mem, centre, x->transitions)) {
    move_on (x, order, where, sorted, centre);
    rc = TL_OK;
  }
  TL_DEL (x->mem, where, x->variables);
  TL_DEL (x->mem, sorted, x->variables);
  TL_DEL (x->mem, centre, x->transitions);
  return rc;
}

// ---- One after the other ---------------------------------------------------

// How good a variable would be as the next: transitions that it ends, and those
// that it begins; `seen` says how many variables of each are there already.
static double worth (const tl_touching *x, uint32_t v, const uint32_t *seen) {
  double sum = 0;
  for (uint32_t i = x->transition_start[v]; i < x->transition_start[v + 1];
       i++) {
    const uint32_t t = x->transition[i],
                   all = x->variable_start[t + 1] - x->variable_start[t];
    if (all == 1)
      continue;
    if (!seen[t])
      sum -= 1;
    else
      sum += seen[t] + 1 == all ? 2 : 2 * (double)seen[t] / all;
  }
  return sum;
}

// Of all that a transition touches, each only once: `fresh` has for each when
// it was looked at.
static void look_again (const tl_touching *x, uint32_t t, uint32_t now,
                        const uint32_t *seen, double *value, uint32_t *fresh) {
  for (uint32_t i = x->variable_start[t]; i < x->variable_start[t + 1]; i++) {
    const uint32_t v = x->variable[i];
    if (fresh[v] == now)
      continue;
    fresh[v] = now;
    value[v] = worth (x, v, seen);
  }
}

static void line_up (const tl_touching *x, uint32_t *order, double *value,
                     uint32_t *seen, uint32_t *fresh) {
  for (uint32_t n = 0; n < x->variables; n++) {
    uint32_t best = n;
    for (uint32_t i = n + 1; i < x->variables; i++)
      if (value[order[i]] > value[order[best]])
        best = i;
    const uint32_t v = order[best];
    // Those that wait keep their order.
    memmove (order + n + 1, order + n, (best - n) * sizeof *order);
    order[n] = v;
    for (uint32_t i = x->transition_start[v]; i < x->transition_start[v + 1];
         i++)
      seen[x->transition[i]]++;
    for (uint32_t i = x->transition_start[v]; i < x->transition_start[v + 1];
         i++)
      look_again (x, x->transition[i], n + 1, seen, value, fresh);
  }
}

static tl_status greedy (const tl_touching *x, uint32_t *order) {
  double *value = 0;
  uint32_t *seen = 0, *fresh = 0;
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (x->mem, value, x->variables) &&
      TL_NEW (x->mem, fresh, x->variables) &&
      TL_NEW (x->mem, seen, x->transitions)) {
    for (uint32_t v = 0; v < x->variables; v++)
      value[v] = worth (x, v, seen);
    line_up (x, order, value, seen, fresh);
    rc = TL_OK;
  }
  TL_DEL (x->mem, value, x->variables);
  TL_DEL (x->mem, fresh, x->variables);
  TL_DEL (x->mem, seen, x->transitions);
  return rc;
}

// ---- Units -----------------------------------------------------------------

// Appends the variables of the unit, then those of the units in it.  Files nest
// units a few levels deep; what hangs deeper than there are units is a ring.
static void follow_unit (const tl_variables *v, uint32_t unit, uint32_t depth,
                         uint8_t *seen, uint32_t *order, uint32_t *n) {
  const tl_net *net = v->net;
  for (uint32_t i = 0; i < net->unit[unit].place_count; i++) {
    const uint32_t variable = v->of[net->unit[unit].places[i]];
    if (variable == TL_NO_NAME || seen[variable])
      continue;
    seen[variable] = 1;
    order[(*n)++] = variable;
  }
  for (uint32_t u = 0; depth < MOST_DEPTH && u < net->units; u++)
    if (net->unit[u].parent == unit)
      follow_unit (v, u, depth + 1, seen, order, n);
}

static tl_status by_units (const tl_touching *x, const tl_variables *v,
                           uint32_t *order) {
  uint8_t *seen;
  uint32_t *file, n = 0;
  if (!TL_NEW (x->mem, seen, v->count + 1))
    return TL_E_NOMEM;
  if (!TL_NEW (x->mem, file, v->count + 1)) {
    TL_DEL (x->mem, seen, v->count + 1);
    return TL_E_NOMEM;
  }
  memcpy (file, order, v->count * sizeof *file);
  for (uint32_t u = 0; u < v->net->units; u++)
    if (v->net->unit[u].parent == TL_NO_UNIT)
      follow_unit (v, u, 0, seen, order, &n);
  for (uint32_t i = 0; i < v->count; i++) // those that are in none
    if (!seen[file[i]])
      order[n++] = file[i];
  TL_DEL (x->mem, file, v->count + 1);
  TL_DEL (x->mem, seen, v->count + 1);
  return TL_OK;
}

static void reverse (uint32_t *order, uint32_t count) {
  for (uint32_t i = 0; i < count / 2; i++) {
    const uint32_t v = order[i];
    order[i] = order[count - 1 - i];
    order[count - 1 - i] = v;
  }
}

tl_status tl_variable_order (const tl_touching *x, const tl_variables *v,
                             const tl_order_kind *kind, uint32_t *order) {
  uint32_t n = 0;
  tl_status rc = TL_OK;
  for (uint32_t p = 0; p < v->net->places; p++)
    if (v->of[p] != TL_NO_NAME && v->place[v->variable[v->of[p]].first] == p)
      order[n++] = v->of[p];
  if (kind->backwards)
    reverse (order, n);
  if (kind->units)
    rc = by_units (x, v, order);
  if (!rc && kind->greedy)
    rc = greedy (x, order);
  if (!rc && kind->force)
    rc = force (x, order);
  if (kind->reverse)
    reverse (order, n);
  return rc;
}
