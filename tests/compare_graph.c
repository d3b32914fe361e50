#include "compare_graph.h"

#include "graph/construct.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool differ (char *why, size_t size, uint32_t threads,
                    const char *what) {
  snprintf (why, size, "graph, %" PRIu32 " threads: %s", threads, what);
  return false;
}

static bool same (const tl_graph *a, const tl_graph *b) {
  return a->states == b->states && a->arcs == b->arcs && a->bits == b->bits &&
         a->blocks == b->blocks && a->markings == b->markings &&
         !memcmp (a->words.base, b->words.base, a->bits / 8) &&
         !memcmp (a->start, b->start, a->blocks * sizeof *a->start);
}

// With that many threads from the first state on.
static bool build (const brute *b, tl_mem *root, uint32_t threads,
                   tl_graph **out, char *why, size_t size) {
  tl_options options = tl_options_default ();
  tl_exploration run;
  tl_error err = {0};
  options.threads = threads;
  options.parallel_from = 1;
  options.max_states = b->complete ? 0 : b->states;
  if (tl_graph_build (out, root, root, b->net, &options, &run, &err))
    return differ (why, size, threads, err.text);
  const bool ok = !run.complete || run.states < 9 || run.threads == threads ||
                  differ (why, size, threads, "there are others");
  tl_exploration_close (&run);
  return ok;
}

bool compare_graph (const brute *b, char *why, size_t size) {
  static const uint32_t threads[] = {2, 3, 8};
  tl_mem root = TL_MEM (0, "total");
  tl_graph *one;
  bool ok = build (b, &root, 1, &one, why, size);
  for (size_t i = 0; ok && i < sizeof threads / sizeof *threads; i++) {
    tl_graph *g;
    ok = build (b, &root, threads[i], &g, why, size) &&
         (!one == !g || differ (why, size, threads[i], "not complete")) &&
         (!g || same (one, g) ||
          differ (why, size, threads[i], "another graph"));
    tl_graph_close (g);
  }
  tl_graph_close (one);
  return ok;
}
