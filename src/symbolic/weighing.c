#include "symbolic/weighing.h"

#include "base/bits.h"

#include <string.h>

#define FEWEST_ROWS 256

tl_status tl_weighing_open (tl_weighing *s, tl_reachable *r) {
  *s = (tl_weighing){.reach = r};
  return TL_NEW (&r->engine, s->weight, r->net->places + 1) ? TL_OK
                                                            : TL_E_NOMEM;
}

static void drop (tl_weighing *s, tl_weighing_rows *t) {
  TL_DEL (&s->reach->engine, t->row, t->rows);
  *t = (tl_weighing_rows){0};
}

void tl_weighing_close (tl_weighing *s) {
  if (!s->reach)
    return;
  drop (s, &s->ranges);
  drop (s, &s->parts);
  TL_DEL (&s->reach->engine, s->weight, s->reach->net->places + 1);
  *s = (tl_weighing){0};
}

void tl_weighing_begin (tl_weighing *s, const tl_summand *term,
                        uint32_t count) {
  const tl_reachable *r = s->reach;
  s->constant = 0;
  s->lowest = r->events.levels + 1;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t p = term[i].place, variable = r->variables.of[p];
    if (variable == TL_NO_NAME) {
      s->constant += (__int128)term[i].coefficient * r->net->initial[p];
      continue;
    }
    s->weight[p] += term[i].coefficient;
    const uint32_t level = r->events.level_of[variable];
    s->lowest = level < s->lowest ? level : s->lowest;
  }
}

void tl_weighing_end (tl_weighing *s, const tl_summand *term, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    s->weight[term[i].place] = 0;
  drop (s, &s->ranges);
  drop (s, &s->parts);
}

// What an edge adds to the sum.
static __int128 worth (const tl_weighing *s, uint32_t level, uint32_t value) {
  const tl_variables *v = &s->reach->variables;
  const uint32_t variable = s->reach->events.at[level];
  const uint32_t *place = v->place + v->variable[variable].first;
  if (!tl_variable_is_group (v, variable))
    return (__int128)value * s->weight[*place];
  return value ? s->weight[place[value - 1]] : 0;
}

static uint32_t level_of (const tl_weighing *s, tl_set set) {
  return set == TL_ALL_SET ? 0
                           : tl_diagram_node (&s->reach->diagram, set)->level;
}

// ---- What was found --------------------------------------------------------

// `rest`: what is still allowed; of ranges 0.
static tl_weighing_row *find (const tl_weighing_rows *t, tl_set set,
                              __int128 rest, bool part) {
  size_t i =
      tl_mix (set ^ tl_mix ((uint64_t)rest ^ (uint64_t)(rest >> 64) << 7)) &
      (t->rows - 1);
  while (t->row[i].set &&
         (t->row[i].set != set || (part && t->row[i].least != rest)))
    i = (i + 1) & (t->rows - 1);
  return t->row + i;
}

static bool grow (tl_weighing *s, tl_weighing_rows *t, bool part) {
  tl_weighing_rows more = {.rows = t->rows ? 2 * t->rows : FEWEST_ROWS,
                           .used = t->used};
  if (!TL_NEW (&s->reach->engine, more.row, more.rows)) {
    s->reach->diagram.status = TL_E_NOMEM;
    return false;
  }
  for (size_t i = 0; i < t->rows; i++) {
    const tl_weighing_row *row = t->row + i;
    if (row->set)
      *find (&more, row->set, part ? row->least : 0, part) = *row;
  }
  drop (s, t);
  *t = more;
  return true;
}

static void put (tl_weighing *s, tl_weighing_rows *t, tl_weighing_row row,
                 bool part) {
  if (2 * t->used >= t->rows && !grow (s, t, part))
    return;
  tl_weighing_row *at = find (t, row.set, part ? row.least : 0, part);
  t->used += !at->set;
  *at = row;
}

// Parts that were made may have been collected.
static void refresh (tl_weighing *s) {
  const uint64_t now = s->reach->diagram.collections;
  if (s->collections != now && s->parts.row) {
    memset (s->parts.row, 0, s->parts.rows * sizeof *s->parts.row);
    s->parts.used = 0;
  }
  s->collections = now;
}

// ---- Ranges ----------------------------------------------------------------

static void widen (tl_weighing_row *row, __int128 least, __int128 most,
                   bool first) {
  row->least = first || least < row->least ? least : row->least;
  row->most = first || most > row->most ? most : row->most;
}

static tl_weighing_row range_of (tl_weighing *s, tl_set set) {
  tl_diagram *d = &s->reach->diagram;
  const uint32_t level = level_of (s, set);
  tl_weighing_row row = {.set = set};
  if (level < s->lowest || tl_diagram_ends (d))
    return row;
  if (s->ranges.rows) {
    const tl_weighing_row *known = find (&s->ranges, set, 0, false);
    if (known->set)
      return *known;
  }
  const tl_set_node *n = tl_diagram_node (d, set);
  for (uint32_t i = 0; i < n->count && !d->status; i++) {
    const tl_weighing_row below = range_of (s, n->edge[i].to);
    const __int128 here = worth (s, level, n->edge[i].value);
    widen (&row, here + below.least, here + below.most, !i);
  }
  if (!d->status)
    put (s, &s->ranges, row, false);
  return row;
}

bool tl_weighing_range (tl_weighing *s, tl_set set, __int128 *least,
                        __int128 *most) {
  const tl_weighing_row row = range_of (s, set);
  *least = s->constant + row.least;
  *most = s->constant + row.most;
  return !s->reach->diagram.status;
}

// ---- Parts -----------------------------------------------------------------

static tl_set at_most (tl_weighing *s, tl_set set, __int128 rest) {
  tl_diagram *d = &s->reach->diagram;
  const uint32_t level = level_of (s, set);
  if (level < s->lowest)
    return rest >= 0 ? set : TL_EMPTY_SET;
  const tl_weighing_row range = range_of (s, set);
  if (d->status || range.least > rest)
    return TL_EMPTY_SET;
  if (range.most <= rest)
    return set;
  refresh (s);
  if (s->parts.rows) {
    const tl_weighing_row *known = find (&s->parts, set, rest, true);
    if (known->set)
      return known->result;
  }
  const tl_set_node *n = tl_diagram_node (d, set);
  const size_t base = d->slots;
  for (uint32_t i = 0; i < n->count && !d->status; i++) {
    const tl_branch edge = n->edge[i];
    const tl_set to = at_most (s, edge.to, rest - worth (s, level, edge.value));
    if (to && !d->status)
      tl_diagram_push (d, to, edge.value);
  }
  const tl_set result = tl_diagram_make (d, level, base);
  refresh (s);
  if (!d->status)
    put (s, &s->parts,
         (tl_weighing_row){.set = set, .result = result, .least = rest}, true);
  return result;
}

tl_set tl_weighing_at_most (tl_weighing *s, tl_set set, __int128 bound) {
  return set ? at_most (s, set, bound - s->constant) : TL_EMPTY_SET;
}
