// Graphs of random coloured nets that are not unfolded: walked in two ways by
// nets that have met nothing before, which see the same.
//
//   machine_graph [--nets N] [--seed S] [--long]
//
// --long, or the variable LONG, stands for many nets.  Net number i is made
// from seed S + i.

#include "../random_coloured.h"
#include "../trials.h"
#include "graph/construct.h"
#include "graph/walk.h"
#include "compile/compiled.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NORMAL = 500, LONG = 30000, STATES = 1000 };

typedef struct tally {
  uint64_t graphs, others;
} tally;

// What a walk sees, as a sum for each state that it visits.
typedef struct sight {
  const tl_net *net;
  uint64_t *sum; // [states]
} sight;

static uint64_t mix (uint64_t sum, uint64_t value) {
  return (sum ^ value) * 0x9e3779b97f4a7c15u + (sum >> 29);
}

static tl_status look (void *context, const tl_walk_visit *v) {
  const sight *s = context;
  uint64_t sum = 1;
  for (uint32_t p = 0; p < s->net->places; p++)
    sum = mix (sum, tl_layout_tokens (v->visit.layout, v->visit.state, p));
  for (uint32_t i = 0; i < v->arcs; i++) {
    sum = mix (sum, v->target[i]);
    for (const char *c =
             v->generator->kind->event_name (v->generator, v->step[i]);
         *c; c++)
      sum = mix (sum, (unsigned char)*c);
  }
  for (uint32_t i = 0; i < v->visit.enabled_count; i++)
    sum = mix (sum, v->visit.enabled[i]);
  s->sum[v->number] = sum;
  return TL_OK;
}

typedef tl_status walk (const tl_graph *, tl_mem *, const tl_net *,
                        const uint64_t *most, tl_walk_step *, void *context);

// Walks with a net of its own, which has not met an event.
static uint64_t *walk_anew (uint64_t seed, const tl_graph *g, walk *way) {
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  sight s = {.sum = calloc (g->states, sizeof *s.sum)};
  tl_net *net = 0;
  bool good =
      s.sum && !tl_folded_open (&net, &mem, random_coloured (&mem, seed),
                                TL_COMPILE_NEVER, &err);
  s.net = net;
  good = good && !way (g, &mem, net, 0, look, &s);
  tl_net_close (net);
  if (good && !mem.used)
    return s.sum;
  free (s.sum);
  return 0;
}

// With too little memory a walk ends, and gives back what it had.
static bool starve (uint64_t seed, const tl_graph *g) {
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  sight s = {.sum = calloc (g->states, sizeof *s.sum)};
  tl_net *net = 0;
  tl_status rc = TL_E_NOMEM;
  if (s.sum && !tl_folded_open (&net, &mem, random_coloured (&mem, seed),
                                TL_COMPILE_NEVER, &err)) {
    s.net = net;
    mem.limit = mem.used + seed % 50 * 12000;
    rc = tl_graph_walk (g, &mem, net, 0, look, &s);
  }
  tl_net_close (net);
  free (s.sum);
  return (!rc || rc == TL_E_NOMEM) && !mem.used;
}

// Both walks see the same states, each with the same bindings and successors.
static bool compare_walks (uint64_t seed, const tl_graph *g) {
  uint64_t *tree = walk_anew (seed, g, tl_graph_walk),
           *arcs = walk_anew (seed, g, tl_graph_walk_arcs);
  const bool same =
      tree && arcs && !memcmp (tree, arcs, g->states * sizeof *tree);
  free (tree);
  free (arcs);
  return same;
}

// No graph: the search was not complete.
static bool try_net (uint64_t seed, const tl_net *net, tally *all) {
  tl_mem root = TL_MEM (0, "total"), mem = TL_MEM (&root, "graph");
  tl_options how = tl_options_default ();
  tl_exploration x;
  tl_error err = {0};
  tl_graph *g;
  how.max_states = STATES;
  if (tl_graph_build (&g, &mem, &root, net, &how, &x, &err)) {
    all->others++;
    return true; // the initial state is wrong
  }
  ++*(g ? &all->graphs : &all->others);
  const bool same = !g || (compare_walks (seed, g) && starve (seed, g));
  tl_graph_close (g);
  tl_exploration_close (&x);
  return same;
}

static bool try_seed (uint64_t seed, void *sum) {
  tally *all = sum;
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  tl_net *net;
  const bool wrong = tl_folded_open (&net, &mem, random_coloured (&mem, seed),
                                     TL_COMPILE_NEVER, &err);
  all->others += wrong;
  const bool same = wrong || try_net (seed, net, all);
  tl_net_close (net);
  return same && !mem.used;
}

int main (int count, char **word) {
  trials t;
  if (!trials_wanted (&t, count, word, NORMAL, LONG))
    return 2;
  tally all = {0};
  if (!trials_run (&t, "the graph of a coloured net", try_seed, &all))
    return 1;
  printf ("ok - %" PRIu64 " graphs of coloured nets walked; %" PRIu64
          " nets are wrong or too large\n",
          all.graphs, all.others);
  return 0;
}
