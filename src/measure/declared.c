#include "colour/proposition.h"
#include "measure/measure.h"

// The measure that a coloured net gives itself, as a sum over the places that
// it was unfolded into.

static const tl_term *progress_of (const tl_net *net) {
  return net->origin && net->origin->coloured ? net->origin->coloured->progress
                                              : 0;
}

static tl_status add (tl_measures *list, const tl_summand *summand,
                      size_t count) {
  const size_t places = list->net->places;
  int64_t *weight;
  if (!TL_NEW (list->mem, weight, places + 1))
    return TL_E_NOMEM;
  bool over = false;
  for (size_t i = 0; i < count; i++) {
    int64_t *w = weight + summand[i].place;
    over |= __builtin_add_overflow (*w, summand[i].coefficient, w);
  }
  const tl_status rc =
      over ? TL_E_LIMIT : tl_measures_add (list, "progress", 1, weight);
  TL_DEL (list->mem, weight, places + 1);
  return rc;
}

tl_status tl_measures_add_declared (tl_measures *list, tl_error *error) {
  const tl_term *progress = progress_of (list->net);
  if (!progress)
    return TL_E_MODEL;
  tl_arena arena = TL_ARENA (list->mem);
  tl_summand *summand;
  size_t count;
  int64_t constant;
  tl_status rc = tl_measure_sum (list->net, progress,
                                 list->net->origin->coloured->progress_frame,
                                 &arena, &summand, &count, &constant, error);
  if (!rc)
    rc = add (list, summand, count);
  tl_arena_close (&arena);
  return rc;
}
