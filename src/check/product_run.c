// A run that the automaton accepts, once the search has found one: the way to
// the accepting component (product_stem.c), and inside it a round that takes an
// edge of every set.

#include "check/product_parts.h"

#include <stdlib.h>
#include <string.h>

// A search inside the component.
typedef struct round {
  tl_product *p;
  const uint64_t *member; // nodes of the component, by their order
  size_t members;
  tl_run *run;
  uint32_t *from; // [members] where each was found from, + 1
  uint64_t *arc;  // and by which arc
  uint32_t *queue;
} round;

bool tl_run_add (tl_run *run, uint64_t arc) {
  if (run->length == run->room) {
    const size_t more = 2 * run->room + 1;
    uint64_t *longer = realloc (run->arc, more * sizeof *longer);
    if (!longer)
      return false;
    run->arc = longer;
    run->room = more;
  }
  run->arc[run->length++] = arc;
  return true;
}

// The number of a node in the component; `members` if it is not in it.
static size_t member_number (const round *r, uint64_t node) {
  const uint32_t order = tl_product_order (r->p, node);
  size_t low = 0, high = r->members;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (r->p->order[r->member[middle]] < order)
      low = middle + 1;
    else
      high = middle;
  }
  return low < r->members && r->member[low] == node ? low : r->members;
}

// Adds the way to member number `at`, found by the search that began at
// `begin`, and one more arc.
static bool add_way (round *r, size_t begin, size_t at, uint64_t arc) {
  size_t length = 1;
  for (size_t i = at; i != begin; i = r->from[i] - 1)
    length++;
  const uint64_t end = r->run->length + length;
  for (size_t i = 0; i < length; i++)
    if (!tl_run_add (r->run, arc))
      return false;
  uint64_t position = end - 1;
  for (size_t i = at; i != begin; i = r->from[i] - 1)
    r->run->arc[--position] = r->arc[i];
  return true;
}

// Goes the shortest way from a member to an edge of one of the sets, or, when
// these are none, back to member `home`.  The member after it.
static tl_status go (round *r, size_t begin, size_t home, uint64_t *missing,
                     size_t *end) {
  memset (r->from, 0, r->members * sizeof *r->from);
  size_t read = 0, written = 0;
  r->queue[written++] = (uint32_t)begin;
  r->from[begin] = (uint32_t)begin + 1;
  while (read < written) {
    const size_t at = r->queue[read++];
    tl_product_frame f = tl_product_begin (r->p, r->member[at]);
    for (uint64_t to, sets; tl_product_next (r->p, &f, &to, &sets);) {
      const size_t next = member_number (r, to);
      if (next == r->members)
        continue;
      if (*missing ? sets & *missing : next == home) {
        *missing &= ~sets;
        *end = next;
        return add_way (r, begin, at, f.arc - 1) ? TL_OK : TL_E_NOMEM;
      }
      if (!r->from[next]) {
        r->from[next] = (uint32_t)at + 1;
        r->arc[next] = f.arc - 1;
        r->queue[written++] = (uint32_t)next;
      }
    }
  }
  // It is strongly connected.
  return r->p->rc ? r->p->rc : TL_E_INTERNAL;
}

static tl_status go_round (round *r, size_t home) {
  const uint32_t sets = r->p->automaton->sets;
  uint64_t missing = sets < 64 ? ((uint64_t)1 << sets) - 1 : ~(uint64_t)0;
  size_t at = home;
  tl_status rc = TL_OK;
  bool moved = false;
  while (!rc && (missing || at != home || !moved)) {
    rc = go (r, at, home, &missing, &at);
    moved = true;
  }
  return rc;
}

static tl_status make_round (tl_product *p, tl_run *run, uint64_t home) {
  const uint32_t least = p->root[p->roots - 1].order;
  size_t before = p->lives;
  while (before && p->order[p->live[before - 1]] >= least)
    before--;
  round r = {.p = p,
             .member = p->live + before,
             .members = p->lives - before,
             .run = run};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (p->mem, r.from, r.members) && TL_NEW (p->mem, r.arc, r.members) &&
      TL_NEW (p->mem, r.queue, r.members))
    rc = go_round (&r, member_number (&r, home));
  TL_DEL (p->mem, r.from, r.members);
  TL_DEL (p->mem, r.arc, r.members);
  TL_DEL (p->mem, r.queue, r.members);
  return rc;
}

tl_status tl_product_run (tl_product *p, tl_run *run) {
  const bool terminal = tl_product_is_terminal (p, p->path[p->depth - 1].node);
  uint64_t home;
  tl_status rc = tl_product_stem (p, run, &home);
  run->loop_from = run->length;
  run->terminal = terminal;
  run->end = home;
  if (!rc && !terminal && !tl_product_is_dead (p, home))
    rc = make_round (p, run, home);
  if (rc) {
    free (run->arc);
    *run = (tl_run){0};
  }
  return rc;
}

bool tl_run_append (tl_run *run, const tl_run *more) {
  const uint64_t before = run->length;
  for (uint64_t i = 0; i < more->length; i++)
    if (!tl_run_add (run, more->arc[i])) {
      run->length = before;
      return false;
    }
  run->found = true;
  run->loop_from = before + more->loop_from;
  return true;
}

tl_reason tl_product_reason (tl_product *p, const tl_run *run) {
  const tl_automaton *a = p->automaton;
  if (!run->found || !run->terminal)
    return (tl_reason){0};
  tl_product_frame f = tl_product_begin (p, run->end);
  for (; tl_product_next_edge (p, &f); f.arc = 1) {
    const tl_edge *e = a->edge + f.edge;
    if (a->kind[a->component[e->to]] == TL_TERMINAL)
      return (tl_reason){e->holds, e->fails};
  }
  return (tl_reason){0};
}
