#include "random_measure.h"

#include <stdio.h>

static uint32_t below (tl_random *random, uint32_t n) {
  return (uint32_t)tl_random_below (random, n);
}

// A sum of places, or several, some of them halved or taken modulo 3.
static void write_sum (random_measure *m, tl_random *random, uint32_t places) {
  static const char *const forms[] = {"p%u", "p%u", "p%u", "(p%u/2)",
                                      "(p%u mod 3)"};
  const uint32_t terms = 1 + below (random, 8);
  int end = 0;
  for (uint32_t i = 0; i < terms; i++) {
    char value[32];
    const char *form = forms[below (random, 8) ? 0 : below (random, 5)];
    snprintf (value, sizeof value, form, below (random, places));
    const char *sign = i && !below (random, 10) ? ", "
                       : below (random, 2)      ? i ? " + " : ""
                                                : " - ";
    end += snprintf (m->text + end, sizeof m->text - (size_t)end, "%s%u*%s",
                     sign, 1 + below (random, 4), value);
  }
}

void random_measure_pick (random_measure *m, tl_random *random, uint32_t places,
                          tl_options *options) {
  static const char *const names[] = {"schmidt", "maxfs", "ranks"};
  static const uint64_t windows[] = {0, 1, 4, UINT64_MAX, TL_WINDOW_AUTO};
  options->window = windows[below (random, 5)];
  options->exact_count = below (random, 2);
  options->progress = m->text;
  const char *name = names[below (random, 3)];
  // Sampling takes as long as everything else together: not often.
  if (!below (random, 16)) {
    name = "auto";
    // Breadth-first search makes way somewhere, or not at all.
    options->bfs_memory = (uint64_t)1 << below (random, 24);
    if (below (random, 2))
      options->window = TL_WINDOW_AUTO;
  }
  snprintf (m->text, sizeof m->text, "%s", name);
  if (places && below (random, 8))
    write_sum (m, random, places);
}
