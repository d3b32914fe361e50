#include "refuting.h"

#include "brute.h"
#include "check/refute.h"
#include "logic/eval.h"
#include "random_formula.h"
#include "random_net.h"

#include <stdlib.h>
#include <string.h>

enum { STATES = 300, FORMULAS = 20 };

static uint64_t satisfying (const brute *b, const tl_formula *f) {
  uint64_t n = 0;
  for (uint64_t i = 0; i < b->states; i++)
    n += tl_formula_holds (f, b->net, brute_marking (b, i));
  return n;
}

static void try (refuting *x, tl_refuter *r, const brute *b,
                 const tl_formula *f) {
  const uint64_t n = satisfying (b, f);
  r->seconds = 0.5;
  const tl_verdict verdict = tl_refuter_verdict (r, f);
  x->constant += b->complete && (n == 0 || n == b->states);
  x->proven += b->complete && verdict != TL_VERDICT_UNKNOWN;
  x->wrong += (verdict == TL_VERDICT_TRUE && n < b->states) ||
              (verdict == TL_VERDICT_FALSE && n > 0);
}

static bool leads (const brute *b, const uint8_t *can, uint64_t state,
                   uint64_t *marking) {
  for (uint32_t t = 0; t < b->net->transitions; t++) {
    if (!brute_enabled (b->net, brute_marking (b, state), t))
      continue;
    memcpy (marking, brute_marking (b, state),
            b->net->places * sizeof *marking);
    brute_fire (b->net, marking, t);
    if (can[brute_find (b, marking)])
      return true;
  }
  return false;
}

// From every state one of those that `can` can be reached, by the definition;
// frees it.
static bool always_leads (const brute *b, uint8_t *can) {
  uint64_t *marking = calloc (b->net->places, sizeof *marking);
  uint64_t count = 0, before;
  if (!marking)
    abort ();
  for (uint64_t s = 0; s < b->states; s++)
    count += can[s];
  do {
    before = count;
    for (uint64_t s = 0; s < b->states; s++)
      if (!can[s] && leads (b, can, s, marking))
        count += can[s] = 1;
  } while (count > before);
  free (can);
  free (marking);
  return count == b->states;
}

static uint8_t *states_of (const brute *b, const tl_formula *f) {
  uint8_t *can = calloc (b->states, 1);
  if (!can)
    abort ();
  for (uint64_t s = 0; s < b->states; s++)
    can[s] = f ? tl_formula_holds (f, b->net, brute_marking (b, s)) : !s;
  return can;
}

static void ask_returns (refuting *x, tl_refuter *r, const brute *b) {
  r->for_returns = 0.5;
  const bool right = always_leads (b, states_of (b, 0)),
             claimed = tl_refuter_returns (r);
  x->returning += right;
  x->returns += claimed;
  x->wrong += claimed && !right;
}

static void ask_ends (refuting *x, tl_refuter *r, const brute *b) {
  const tl_formula dead = {.op = TL_DEADLOCK};
  const bool right = always_leads (b, states_of (b, &dead)),
             claimed = tl_refuter_ends (r);
  x->ending += right;
  x->ends += claimed;
  x->wrong += claimed && !right;
}

static void ask_leads (refuting *x, tl_refuter *r, const brute *b,
                       const tl_formula *f) {
  r->for_leads = 0.5;
  const bool right = always_leads (b, states_of (b, f)),
             claimed = tl_refuter_leads (r, f);
  x->leading += right && satisfying (b, f) < b->states;
  x->leads += claimed && satisfying (b, f) < b->states;
  x->wrong += claimed && !right;
}

static void ask (refuting *x, tl_refuter *r, const brute *b, uint64_t seed) {
  tl_mem mem = TL_MEM (0, "formulas");
  tl_arena arena = TL_ARENA (&mem);
  tl_random random = {seed};
  try (x, r, b, tl_formula_deadlock (&arena));
  for (unsigned i = 0; i < FORMULAS; i++) {
    const tl_formula *f =
        random_formula (&arena, b->net, RANDOM_STATE, i % 4, &random);
    try (x, r, b, f);
    if (b->complete)
      ask_leads (x, r, b, f);
  }
  tl_arena_close (&arena);
}

void refuting_add (refuting *x, tl_mem *mem, uint64_t seed) {
  static random_net sketch;
  random_net_make (&sketch, seed);
  tl_net *net = random_net_build (&sketch, mem);
  brute b = brute_explore (net, STATES);
  tl_structure *s;
  tl_refuter r = {.mem = mem};
  if (tl_structure_open (&s, mem, net, 10, 0) ||
      tl_equation_open (&r.equation, mem, s->incidence, net->initial, 10))
    abort ();
  r.structure = s;
  if (net->places && net->transitions)
    ask (x, &r, &b, seed);
  if (net->places && b.complete) {
    ask_returns (x, &r, &b);
    ask_ends (x, &r, &b);
  }
  tl_equation_close (r.equation);
  tl_refuter_close (&r);
  tl_structure_close (s);
  brute_close (&b);
  tl_net_close (net);
}
