// Stubborn sets of small dense nets, with weights, read arcs and inhibitor arcs
// everywhere: a search that follows the sets alone must find every dead state,
// and what formulas look for.
//
//   stubborn [--nets N] [--seed S] [--long]
//
// Net number i is made from seed S + i.  The searches run on the markings of
// the brute-force explorer, so that nothing but the sets is tested here.

#include "../brute.h"
#include "../random_formula.h"
#include "../random_net.h"
#include "../trials.h"

#include "logic/eval.h"
#include "logic/simplify.h"
#include "stubborn/attract.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  NORMAL = 15000,
  LONG = 200000,
  CAP = 600,  // states at which the brute force gives up
  GOALS = 3,  // looked for at the same time
  ROUNDS = 4, // searches for others
  SHRINK_ATTEMPTS = 5000
};

// ---- Nets -----------------------------------------------------------------

static uint32_t below (tl_random *r, uint32_t n) {
  return (uint32_t)tl_random_below (r, n);
}

static void add_arc (random_net *net, tl_arc_kind kind, uint32_t place,
                     uint32_t transition, uint32_t weight) {
  net->arc[net->arcs++] = (random_arc){kind, place, transition, weight};
}

// Most transitions do not make tokens more.
static void make_net (random_net *net, uint64_t seed) {
  tl_random r = {seed};
  memset (net, 0, sizeof *net);
  net->places = 2 + below (&r, 6);
  net->transitions = 2 + below (&r, 7);
  const uint32_t heavy = 1 + below (&r, 3), inhibited = below (&r, 4);
  for (uint32_t p = 0; p < net->places; p++) {
    net->initial[p] = below (&r, 2 + heavy);
    net->unit_of[p] = TL_NO_UNIT;
  }
  for (uint32_t t = 0; t < net->transitions; t++) {
    uint32_t tokens = below (&r, 8) ? 0 : 2; // that may be put
    for (uint32_t i = 1 + below (&r, 2); i; i--) {
      const uint32_t weight = 1 + below (&r, heavy);
      add_arc (net, TL_ARC_PRE, below (&r, net->places), t, weight);
      tokens += weight;
    }
    while (tokens && below (&r, 8)) {
      const uint32_t weight = 1 + below (&r, tokens);
      add_arc (net, TL_ARC_POST, below (&r, net->places), t, weight);
      tokens -= weight;
    }
    if (!below (&r, 4))
      add_arc (net, TL_ARC_READ, below (&r, net->places), t,
               1 + below (&r, heavy));
    if (below (&r, 4) < inhibited)
      add_arc (net, TL_ARC_INHIBITOR, below (&r, net->places), t,
               1 + below (&r, 4));
  }
}

// ---- A search that follows stubborn sets -----------------------------------

typedef struct search {
  const brute *b;
  tl_mem mem;
  tl_layout layout;
  tl_interference interference;
  tl_stubborn *stubborn;
  uint64_t *marking, *state;
  uint32_t *enabled;
  uint8_t *seen;   // [states]
  uint64_t *stack; // [states]
  uint64_t depth;
  // What is looked for; without any, dead states are.
  tl_formula *goal[GOALS];
  tl_attractor *attractor[GOALS];
  bool found[GOALS];
  size_t goals;
  uint64_t expanded;
} search;

static void must (bool ok) {
  if (!ok) {
    fprintf (stderr, "stubborn: no memory\n");
    exit (4);
  }
}

static void open_search (search *s, const brute *b) {
  const tl_net *net = b->net;
  uint8_t width[RANDOM_PLACES] = {0};
  *s = (search){.b = b, .mem = TL_MEM (0, "search")};
  for (uint32_t t = 0; t < net->transitions; t++)
    for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);) {
      const unsigned bits = tl_bits_for (b->place_max[c.place]);
      width[c.place] = (uint8_t)(bits ? bits : 1);
    }
  must (
      !tl_layout_open (&s->layout, &s->mem, net, width, 0) &&
      !tl_interference_open (&s->interference, &s->mem, net) &&
      !tl_stubborn_open (&s->stubborn, &s->mem, &s->interference, &s->layout) &&
      TL_NEW (&s->mem, s->marking, net->places) &&
      TL_NEW (&s->mem, s->state, s->layout.words) &&
      TL_NEW (&s->mem, s->enabled, net->transitions) &&
      TL_NEW (&s->mem, s->seen, b->states) &&
      TL_NEW (&s->mem, s->stack, b->states));
}

static bool close_search (search *s) {
  const tl_net *net = s->b->net;
  tl_stubborn_close (s->stubborn);
  tl_interference_close (&s->interference);
  TL_DEL (&s->mem, s->marking, net->places);
  TL_DEL (&s->mem, s->state, s->layout.words);
  TL_DEL (&s->mem, s->enabled, net->transitions);
  TL_DEL (&s->mem, s->seen, s->b->states);
  TL_DEL (&s->mem, s->stack, s->b->states);
  tl_layout_close (&s->layout);
  return !s->mem.used;
}

static void reach (search *s, const uint64_t *marking) {
  const uint64_t state = brute_find (s->b, marking);
  if (s->seen[state])
    return;
  s->seen[state] = 1;
  s->stack[s->depth++] = state;
}

// The transitions to follow from the marking.
static uint32_t list (search *s) {
  const tl_net *net = s->b->net;
  uint32_t count = 0;
  for (uint32_t t = 0; t < net->transitions; t++)
    if (brute_enabled (net, s->marking, t))
      s->enabled[count++] = t;
  tl_stubborn_begin (s->stubborn, s->state, s->enabled, count);
  for (size_t i = 0; i < s->goals; i++)
    if (!s->found[i])
      tl_attract (s->attractor[i], s->stubborn);
  if (!s->goals)
    tl_stubborn_add_some (s->stubborn);
  return tl_stubborn_end (s->stubborn, s->enabled, count);
}

static void run (search *s) {
  const tl_net *net = s->b->net;
  memset (s->seen, 0, s->b->states);
  s->expanded = s->depth = 0;
  reach (s, brute_marking (s->b, 0));
  while (s->depth) {
    const uint64_t state = s->stack[--s->depth];
    memcpy (s->marking, brute_marking (s->b, state),
            net->places * sizeof *s->marking);
    must (tl_layout_pack (&s->layout, s->marking, s->state));
    for (size_t i = 0; i < s->goals; i++)
      s->found[i] |= tl_formula_holds (s->goal[i], net, s->marking);
    s->expanded++;
    const uint32_t count = list (s);
    for (uint32_t i = 0; i < count; i++) {
      memcpy (s->marking, brute_marking (s->b, state),
              net->places * sizeof *s->marking);
      brute_fire (net, s->marking, s->enabled[i]);
      reach (s, s->marking);
    }
  }
}

// ---- What it must find ------------------------------------------------------

typedef struct tally {
  uint64_t nets, states, expanded; // for dead states
  uint64_t formulas, reached;
} tally;

static bool finds_dead_states (search *s, tally *sum) {
  s->goals = 0;
  run (s);
  sum->states += s->b->states;
  sum->expanded += s->expanded;
  for (uint64_t i = 0; i < s->b->states; i++)
    if (!s->seen[i] && brute_dead (s->b->net, brute_marking (s->b, i)))
      return false;
  return true;
}

static bool is_reachable (const brute *b, const tl_formula *f) {
  for (uint64_t i = 0; i < b->states; i++)
    if (tl_formula_holds (f, b->net, brute_marking (b, i)))
      return true;
  return false;
}

static bool finds_goals (search *s, tl_random *r, tally *sum) {
  const tl_net *net = s->b->net;
  tl_arena arena = TL_ARENA (&s->mem);
  s->goals = 1 + below (r, GOALS);
  for (size_t i = 0; i < s->goals; i++) {
    s->goal[i] = tl_formula_simplify (
        &arena, random_formula (&arena, net, RANDOM_STATE, below (r, 4), r));
    must (s->goal[i] &&
          !tl_attractor_open (s->attractor + i, &arena, net, s->goal[i]));
    s->found[i] = false;
  }
  run (s);
  bool ok = true;
  for (size_t i = 0; i < s->goals; i++) {
    ok &= s->found[i] == is_reachable (s->b, s->goal[i]);
    sum->formulas++;
    sum->reached += s->found[i];
  }
  tl_arena_close (&arena);
  return ok;
}

static bool good (const random_net *sketch, uint64_t seed, tally *sum) {
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = random_net_build (sketch, &mem);
  must (net);
  brute b = brute_explore (net, CAP);
  bool ok = true;
  if (b.complete && net->places && net->transitions) {
    tl_random r = {~seed};
    search s;
    open_search (&s, &b);
    sum->nets++;
    ok = finds_dead_states (&s, sum);
    for (int i = 0; ok && i < ROUNDS; i++)
      ok = finds_goals (&s, &r, sum);
    ok &= close_search (&s);
  }
  brute_close (&b);
  tl_net_close (net);
  return ok;
}

static bool still_fails (const random_net *sketch, void *seed) {
  tally sum = {0};
  return !good (sketch, *(uint64_t *)seed, &sum);
}

int main (int count, char **arguments) {
  trials t;
  if (!trials_wanted (&t, count, arguments, NORMAL, LONG))
    return 2;
  uint64_t seed = t.seed;
  random_net net;
  tally sum = {0};
  bool ok = true;
  uint64_t passed = 0;
  for (; ok && passed < t.nets; seed++) {
    make_net (&net, seed);
    ok = good (&net, seed, &sum);
    passed += ok;
    if (!ok) {
      random_net_shrink (&net, still_fails, &seed, SHRINK_ATTEMPTS);
      printf ("seed %" PRIu64 " fails, also when cut down to this:\n", seed);
      random_net_print (&net, stdout);
    }
  }
  printf ("%" PRIu64 " bounded nets, %" PRIu64 " of %" PRIu64
          " states followed, %" PRIu64 " of %" PRIu64 " formulas reached\n",
          sum.nets, sum.expanded, sum.states, sum.reached, sum.formulas);
  printf ("%" PRIu64 " passed, %d failed\n", passed, !ok);
  return !ok;
}
