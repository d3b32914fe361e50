#include "explore/estimate.h"

#include <string.h>

// How fast levels stop getting wider at least, and a number that stands for all
// that are too large.
#define MOST_FALL 0.995
#define ENDLESS 1e15
// By how much estimates may differ that are steady.
#define STEADY 1.2

static double mean (const double *width) {
  return (width[0] + width[1] + width[2]) / 3;
}

// The first levels only: as the states that wait are to those expanded, so may
// the next be to these.
static double few_levels_factor (double seen, double waiting) {
  const double factor = waiting / (seen - waiting + 1);
  return factor > 1 ? 1 + factor * factor : 2;
}

double tl_levels_estimate (const tl_levels *l, uint64_t seen,
                           uint64_t waiting) {
  const double *w = l->width, now = mean (w), then = mean (w + 3),
               before = mean (w + 6);
  double all = (double)seen, level = now;
  if (w[TL_LEVELS - 1] <= 0)
    return all * few_levels_factor (all, (double)waiting);
  // Of three levels each.
  double factor = now / then, fall = factor / (then / before);
  fall = fall > MOST_FALL ? MOST_FALL : fall;
  while (level > 1 && all < ENDLESS) {
    factor *= fall;
    level *= factor;
    all += 3 * level;
  }
  return all;
}

void tl_levels_add (tl_levels *l, uint64_t wide, uint64_t seen) {
  memmove (l->width + 1, l->width, (TL_LEVELS - 1) * sizeof *l->width);
  l->width[0] = (double)wide;
  if (l->width[TL_LEVELS - 1] <= 0)
    return;
  memmove (l->guess + 1, l->guess, (TL_GUESSES - 1) * sizeof *l->guess);
  l->guess[0] = tl_levels_estimate (l, seen, wide);
}

double tl_levels_least (const tl_levels *l, uint64_t seen, uint64_t waiting) {
  double least = tl_levels_estimate (l, seen, waiting);
  for (int i = 0; i < TL_GUESSES; i++)
    if (l->guess[i] > 0 && l->guess[i] < least)
      least = l->guess[i];
  return least > (double)seen ? least : (double)seen;
}

uint64_t tl_levels_steady (const tl_levels *l, uint64_t seen) {
  double least = l->guess[0], most = least;
  for (int i = 1; i < TL_GUESSES; i++) {
    least = l->guess[i] < least ? l->guess[i] : least;
    most = l->guess[i] > most ? l->guess[i] : most;
  }
  const bool steady =
      least >= (double)seen + 1 && most < ENDLESS && most < STEADY * least;
  return steady ? (uint64_t)l->guess[0] : 0;
}
