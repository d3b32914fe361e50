#include "check/witness.h"

#include <stdlib.h>
#include <string.h>

typedef struct guide {
  const tl_arc_list *graph;
  uint64_t start;
  tl_numbers mark; // [states] 0: not visited
  tl_numbers way;  // [states + 1] a queue, and in the end the states of the run
  uint64_t steps;  // of the run
  uint64_t loop_from;
  bool found;
} guide;

// The shortest way through the states of `along` into the goal; null: through
// anything.
static void go (guide *u, const tl_state_set *along, const tl_state_set *goal) {
  const tl_arc_list *g = u->graph;
  uint64_t read = 0, written = 0;
  uint64_t at = u->start;
  u->found = tl_bits_has (goal, at);
  tl_numbers_set (&u->mark, at, at + 1);
  if (!u->found && (!along || tl_bits_has (along, at)))
    tl_numbers_set (&u->way, written++, at);
  while (!u->found && read < written) {
    const uint64_t from = tl_numbers_get (&u->way, read++);
    for (uint64_t a = g->first[from]; !u->found && a < g->first[from + 1];
         a++) {
      at = tl_numbers_get (&g->target, a);
      if (tl_numbers_get (&u->mark, at))
        continue;
      tl_numbers_set (&u->mark, at, from + 1);
      u->found = tl_bits_has (goal, at);
      if (!along || tl_bits_has (along, at))
        tl_numbers_set (&u->way, written++, at);
    }
  }
  for (uint64_t i = at; u->found && i != u->start;
       i = tl_numbers_get (&u->mark, i) - 1)
    u->steps++;
  for (uint64_t i = u->steps; u->found && i;
       at = tl_numbers_get (&u->mark, at) - 1)
    tl_numbers_set (&u->way, i--, at);
  tl_numbers_set (&u->way, 0, u->start);
  u->loop_from = u->steps;
}

// One step into the goal.
static void step (guide *u, const tl_state_set *goal) {
  const tl_arc_list *g = u->graph;
  const uint64_t at = u->start;
  tl_numbers_set (&u->way, 0, at);
  for (uint64_t a = g->first[at]; !u->found && a < g->first[at + 1]; a++) {
    const uint64_t to = tl_numbers_get (&g->target, a);
    tl_numbers_set (&u->way, 1, to);
    u->found = tl_bits_has (goal, to);
  }
  u->steps = u->loop_from = 1;
}

// Goes on inside of a set that every state but dead ones has a successor in.
static void stay (guide *u, const tl_state_set *inside) {
  const tl_arc_list *g = u->graph;
  uint64_t at = u->start;
  u->steps = 0;
  u->found = tl_bits_has (inside, at);
  while (u->found && !tl_numbers_get (&u->mark, at)) {
    tl_numbers_set (&u->way, u->steps, at);
    tl_numbers_set (&u->mark, at, ++u->steps);
    if (g->first[at] == g->first[at + 1]) {
      u->loop_from = --u->steps;
      return;
    }
    uint64_t a = g->first[at];
    while (a + 1 < g->first[at + 1] &&
           !tl_bits_has (inside, tl_numbers_get (&g->target, a)))
      a++;
    at = tl_numbers_get (&g->target, a);
  }
  tl_numbers_set (&u->way, u->steps, at);
  u->loop_from = tl_numbers_get (&u->mark, at) - 1;
}

// Which arc leads from each state to the next.
static tl_status tell (const guide *u, tl_run *run) {
  const uint64_t before = run->length;
  for (uint64_t i = 0; i < u->steps; i++) {
    const uint64_t first = u->graph->first[tl_numbers_get (&u->way, i)],
                   to = tl_numbers_get (&u->way, i + 1);
    uint64_t arc = 0;
    while (tl_numbers_get (&u->graph->target, first + arc) != to)
      arc++;
    if (!tl_run_add (run, arc)) {
      run->length = before;
      return TL_E_NOMEM;
    }
  }
  run->found = true;
  run->loop_from = before + u->loop_from;
  return TL_OK;
}

static tl_status find (guide *u, tl_fixpoints *f, tl_op op, tl_state_set *a,
                       tl_state_set *b) {
  tl_status rc = TL_OK;
  if (op == TL_NEXT)
    step (u, b);
  else if (op == TL_FINALLY || op == TL_UNTIL)
    go (u, a, b);
  else if (op == TL_GLOBALLY && !(rc = f->sets.kind->stay (&f->sets, b)))
    stay (u, b);
  return rc;
}

// E (a R b): b until a and b, or else b for ever.
static tl_status find_release (guide *u, tl_fixpoints *f, tl_state_set *a,
                               tl_state_set *b, bool *arrived) {
  const tl_status rc = f->sets.kind->intersect (&f->sets, a, b);
  if (rc)
    return rc;
  go (u, b, a);
  *arrived = u->found;
  if (u->found)
    return TL_OK;
  memset (u->mark.at, 0, u->mark.room * (u->mark.wide ? 8 : 4));
  return find (u, f, TL_GLOBALLY, a, b);
}

tl_status tl_witness (tl_sets *s, tl_op op, tl_state_set *a, tl_state_set *b,
                      uint64_t *state, bool *arrived, tl_run *run) {
  tl_fixpoints *f = s->bits;
  tl_status rc = tl_fixpoints_unpack (f);
  if (rc)
    return rc;
  const size_t states = (size_t)f->arcs.states;
  guide u = {.graph = &f->arcs, .start = *state};
  *arrived = op != TL_GLOBALLY;
  rc = TL_E_NOMEM;
  if (tl_numbers_grow (&u.mark, f->mem, states, states) &&
      tl_numbers_grow (&u.way, f->mem, states + 1, states))
    rc = op == TL_RELEASE ? find_release (&u, f, a, b, arrived)
                          : find (&u, f, op, a, b);
  if (!rc)
    rc = u.found ? tell (&u, run) : TL_E_INTERNAL;
  if (!rc)
    *state = tl_numbers_get (&u.way, u.steps);
  tl_numbers_close (&u.mark, f->mem);
  tl_numbers_close (&u.way, f->mem);
  return rc;
}
