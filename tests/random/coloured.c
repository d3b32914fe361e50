// Random coloured nets: unfolded and explored, and by the naive interpreter.
// Propositions are read in each marking, and as formulas on the unfolded net.
//
//   coloured [--nets N] [--seed S] [--long]
//
// --long, or the variable LONG, stands for many nets.  Net number i is made
// from seed S + i.

#include "../brute.h"
#include "../naive_coloured.h"
#include "../random_coloured.h"
#include "../trials.h"
#include "colour/proposition.h"
#include "colour/unfold.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NORMAL = 2500, LONG = 100000, STATES = 150 };

typedef struct tally {
  uint64_t same, refused, wrong, large;
  uint64_t said, unsaid; // propositions
} tally;

static bool holds (const tl_formula *f, const uint64_t *marking) {
  __int128 sum = 0;
  switch (f->op) {
  case TL_TRUE: return true;
  case TL_FALSE: return false;
  case TL_NOT: return !holds (f->operand[0], marking);
  case TL_COMPARE:
    for (uint32_t i = 0; i < f->count; i++)
      sum += (__int128)f->term[i].coefficient *
             (__int128)marking[f->term[i].place];
    return sum <= f->bound;
  case TL_AND:
  case TL_OR:
    for (uint32_t i = 0; i < f->count; i++)
      if (holds (f->operand[i], marking) == (f->op == TL_OR))
        return f->op == TL_OR;
    return f->op == TL_AND;
  default: abort ();
  }
}

enum { MOST_TOKENS = 200, MOST_CELLS = 8 };

// The coloured marking of an unfolded one.
typedef struct coloured_marking {
  tl_tokens place[8];
  tl_cell token[MOST_TOKENS * MOST_CELLS];
  uint32_t many[MOST_TOKENS];
} coloured_marking;

static void colour (const tl_net *net, const uint64_t *marking,
                    coloured_marking *m) {
  const tl_origin *o = net->origin;
  tl_cell *token = m->token;
  uint32_t *many = m->many;
  for (uint32_t p = 0; p < o->places; p++) {
    const uint32_t cells = o->coloured->place[p].cells;
    m->place[p] = (tl_tokens){token, many, 0};
    for (uint32_t i = o->place_first[p]; i < o->place_first[p + 1]; i++) {
      if (!marking[i])
        continue;
      if (many == m->many + MOST_TOKENS || cells > MOST_CELLS)
        abort ();
      memcpy (token, o->token[p] + (i - o->place_first[p]) * cells, cells * 4);
      token += cells;
      *many++ = (uint32_t)marking[i];
      m->place[p].count++;
    }
  }
}

// Does a proposition say the same as its formula, in every marking?
static bool compare_proposition (const tl_proposition *p, const brute *b,
                                 tl_mem *mem, tally *all) {
  tl_arena arena = TL_ARENA (mem);
  tl_evaluation e;
  tl_error err;
  tl_formula *f;
  static coloured_marking m;
  tl_cell frame[100] = {0};
  bool same = true;
  const tl_net *net = b->net;
  const tl_status s =
      tl_proposition_formula (net, p->term, p->frame, &arena, &f, &err);
  ++*(s ? &all->unsaid : &all->said);
  tl_evaluation_open (&e, mem, "random", &err);
  e.marking = m.place;
  e.place = net->origin->coloured->place;
  for (uint64_t i = 0; !s && same && i < b->states; i++) {
    int64_t yes;
    colour (net, brute_marking (b, i), &m);
    same = !tl_evaluate_number (&e, p->term, frame, &yes) &&
           holds (f, brute_marking (b, i)) == yes;
  }
  if (s && s != TL_E_MODEL)
    same = false;
  if (!same)
    printf ("proposition %s differs\n", p->name);
  tl_evaluation_close (&e);
  tl_arena_close (&arena);
  return same;
}

static bool compare (const tl_coloured *coloured, const tl_net *net,
                     tl_mem *mem, tally *all) {
  const naive_coloured naive = naive_coloured_explore (coloured, STATES);
  if (naive.wrong || !naive.complete) {
    ++*(naive.wrong ? &all->wrong : &all->large);
    return true;
  }
  brute b = brute_explore (net, 2 * STATES);
  bool same = b.complete && b.states == naive.states && b.arcs == naive.arcs &&
              b.deadlocks == naive.deadlocks &&
              b.max_in_place == naive.most_in_place;
  if (!same)
    printf ("unfolded: %" PRIu64 " states, %" PRIu64 " arcs, %" PRIu64
            " deadlocks\nnaive: %" PRIu64 " states, %" PRIu64 " arcs, %" PRIu64
            " deadlocks\n",
            b.states, b.arcs, b.deadlocks, naive.states, naive.arcs,
            naive.deadlocks);
  for (uint32_t i = 0; same && !naive.unasked && i < coloured->propositions;
       i++)
    same = compare_proposition (coloured->proposition + i, &b, mem, all);
  brute_close (&b);
  all->same += same;
  return same;
}

static bool try_seed (uint64_t seed, void *sum) {
  tally *all = sum;
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  const tl_unfold_limits limits = {.transitions = 100000, .seconds = 10};
  tl_coloured *const coloured = random_coloured (&mem, seed);
  tl_net *net;
  bool ok = true;
  const tl_status s = tl_unfold (coloured, &limits, &mem, &net, &err);
  if (s == TL_E_MODEL)
    all->refused++;
  else if (s)
    ok = false, printf ("%s\n", err.text);
  else
    ok = compare (coloured, net, &mem, all);
  tl_net_close (net);
  tl_coloured_close (coloured);
  if (mem.used)
    ok = false, printf ("memory is lost\n");
  return ok;
}

int main (int count, char **word) {
  trials t;
  if (!trials_wanted (&t, count, word, NORMAL, LONG))
    return 2;
  tally all = {0};
  if (!trials_run (&t, "coloured net", try_seed, &all))
    return 1;
  printf ("ok - %" PRIu64 " coloured nets: %" PRIu64 " compared, %" PRIu64
          " too large, %" PRIu64 " not unfolded, %" PRIu64 " wrong; %" PRIu64
          " of %" PRIu64 " propositions\n",
          t.nets, all.same, all.large, all.refused, all.wrong, all.said,
          all.said + all.unsaid);
  return 0;
}
