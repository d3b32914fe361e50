// The way to an accepting component, as short as possible: breadth-first in the
// product.  That may look at far more nodes than the search that found the
// component, so it does not try for ever; then the way of that search will do.

#include "check/product_parts.h"

#include <stdlib.h>

// Nodes; and steps where these may have to be found first.
enum { PATIENCE = 20000, PATIENCE_ON_FLY = 5000 };

// A node, and how it was reached.
typedef struct step {
  uint64_t node;
  uint32_t from; // number of a step
  uint32_t arc;
} step;

typedef struct stem {
  tl_product *p;
  bool terminal; // the component is
  uint64_t *seen;
  size_t words; // of it
  step *step;
  size_t count, room;
} stem;

// Is it worth going there?  In a graph of which only what was found is known,
// a component that is not terminal is among that.
static bool is_there (const stem *s, uint64_t node) {
  return s->terminal || !s->p->space || tl_product_order (s->p, node);
}

static bool arrives (const stem *s, uint64_t node) {
  const tl_product *p = s->p;
  return s->terminal ? tl_product_is_terminal (p, node)
                     : p->order[node] >= p->root[p->roots - 1].order &&
                           p->order[node] <= p->found;
}

static bool is_seen (const stem *s, uint64_t node) {
  return node / 64 < s->words && s->seen[node / 64] >> node % 64 & 1;
}

static bool add_step (stem *s, uint64_t node, size_t from, uint64_t arc) {
  if (!TL_ROOM (s->p->mem, s->step, &s->room, s->count + 1) ||
      !TL_ROOM (s->p->mem, s->seen, &s->words, (size_t)(node / 64) + 1))
    return false;
  s->step[s->count++] =
      (step){.node = node, .from = (uint32_t)from, .arc = (uint32_t)arc};
  s->seen[node / 64] |= (uint64_t)1 << node % 64;
  return true;
}

// Until the last step has arrived.
static tl_status search (stem *s) {
  const uint64_t patience = 2 * (uint64_t)s->p->found + PATIENCE;
  const uint64_t limit = patience < UINT32_MAX ? patience : UINT32_MAX;
  const uint64_t first = s->p->start * s->p->automaton->states;
  if (!add_step (s, first, 0, 0))
    return TL_E_NOMEM;
  if (arrives (s, first))
    return TL_OK;
  for (size_t i = 0; i < s->count && s->count < limit; i++) {
    tl_product_frame f = tl_product_begin (s->p, s->step[i].node);
    for (uint64_t to, sets; tl_product_next (s->p, &f, &to, &sets);) {
      if (!is_there (s, to) || is_seen (s, to))
        continue;
      if (!add_step (s, to, i, f.arc - 1))
        return TL_E_NOMEM;
      if (arrives (s, to))
        return TL_OK;
    }
  }
  return s->p->rc ? s->p->rc : TL_E_LIMIT;
}

// The arcs up to the last step, or to a dead state on the way: from there on
// the graph stays where it is.  What the last state before a terminal component
// shows is enough, wherever the run goes on from there.
static tl_status tell (const stem *s, tl_run *run, uint64_t *home) {
  size_t length = 0, end;
  size_t last = s->count - 1;
  if (s->terminal)
    last = s->step[last].from;
  for (size_t i = last; i; i = s->step[i].from)
    length++;
  run->arc = calloc (length + 1, sizeof *run->arc);
  if (!run->arc)
    return TL_E_NOMEM;
  run->room = length + 1;
  run->length = end = length;
  *home = s->step[last].node;
  for (size_t i = last; end; i = s->step[i].from) {
    run->arc[--end] = s->step[i].arc;
    const uint64_t before = s->step[s->step[i].from].node;
    if (tl_product_is_dead (s->p, before)) {
      run->length = end;
      *home = before;
    }
  }
  return TL_OK;
}

// Of those that there are for the whole search; returns how many these are.
static uint64_t allow_steps (const tl_product *p) {
  tl_space *space = p->space;
  const uint64_t most = space->most,
                 some = space->work + 2 * (uint64_t)p->found + PATIENCE_ON_FLY;
  space->most = some < most ? some : most;
  return most;
}

static tl_status shortest (tl_product *p, tl_run *run, uint64_t *home) {
  stem s = {.p = p,
            .terminal = tl_product_is_terminal (p, p->path[p->depth - 1].node)};
  const uint64_t most = p->space ? allow_steps (p) : 0;
  tl_status rc = search (&s);
  if (p->space)
    p->space->most = most;
  if (!rc)
    rc = tell (&s, run, home);
  TL_DEL (p->mem, s.step, s.room);
  TL_DEL (p->mem, s.seen, s.words);
  return rc;
}

// The way on the stack of the search.
static tl_status searched (tl_product *p, tl_run *run, uint64_t *home) {
  const tl_product_frame *end = p->path + p->depth - 1;
  const bool terminal = tl_product_is_terminal (p, end->node);
  const uint32_t least = p->root[p->roots - 1].order;
  run->arc = calloc (p->depth, sizeof *run->arc);
  if (!run->arc)
    return TL_E_NOMEM;
  run->room = p->depth;
  end -= terminal && end > p->path;
  for (const tl_product_frame *f = p->path;; f++) {
    *home = f->node;
    if (f == end || tl_product_is_dead (p, f->node) ||
        (!terminal && p->order[f->node] >= least))
      return TL_OK;
    run->arc[run->length++] = f->arc - 1;
  }
}

tl_status tl_product_stem (tl_product *p, tl_run *run, uint64_t *home) {
  *run = (tl_run){.found = true};
  if (!shortest (p, run, home))
    return TL_OK;
  p->rc = TL_OK;
  return searched (p, run, home);
}
