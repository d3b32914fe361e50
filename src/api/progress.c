// The measures of progress that a sweep could go by, for people to compare.

#include "base/error.h"
#include "measure/measure.h"

#include <stdlib.h>
#include <string.h>

// About how long the structure is studied.
#define ANALYSIS_SECONDS 10.0

static bool tell (tl_candidate *c, const tl_measure *m, const tl_net *net) {
  *c = (tl_candidate){.name = m->name,
                      .weights = m->source ? strdup (m->source)
                                           : tl_measure_text_full (m, net),
                      .window = m->window,
                      .linear = m->offset,
                      .regress = m->regress,
                      .peak = m->peak,
                      .work = m->work,
                      .seconds = m->seconds};
  return c->weights;
}

static tl_status tell_all (tl_candidates *all, const tl_measures *list) {
  all->sampled = list->sampled;
  all->sampled_all = list->sampled_all;
  all->seconds = list->seconds;
  if (!(all->candidate = calloc (list->count + 1, sizeof *all->candidate)))
    return TL_E_NOMEM;
  for (size_t i = 0; i < list->count; i++)
    if (!tell (&all->candidate[all->count++], &list->measure[i], list->net))
      return TL_E_NOMEM;
  return TL_OK;
}

tl_status tl_candidates_find (const tl_net *net, const tl_options *options,
                              tl_candidates *all, tl_error *err) {
  tl_mem mem = TL_MEM (0, "measures");
  tl_structure *structure = 0;
  tl_measures list;
  *all = (tl_candidates){0};
  const tl_measure_wish wish = {
      .progress = options->progress,
      .seed = options->seed,
      .seconds = options->timeout > 0 ? options->timeout : TL_MEASURE_SECONDS,
      .cancel = options->cancel};
  tl_status rc = tl_net_want_arcs (net, "deriving measures", err);
  if (!rc)
    rc = tl_structure_open (&structure, &mem, net, ANALYSIS_SECONDS, err);
  if (!rc && !(rc = tl_measures_open (&list, &mem, structure, &wish, err))) {
    rc = tell_all (all, &list);
    tl_measures_close (&list);
  }
  tl_structure_close (structure);
  if (rc)
    tl_candidates_close (all);
  return rc == TL_E_NOMEM ? tl_fail (err, rc, "no memory to find measures")
                          : rc;
}

void tl_candidates_close (tl_candidates *all) {
  for (size_t i = 0; i < all->count; i++)
    free (all->candidate[i].weights);
  free (all->candidate);
  *all = (tl_candidates){0};
}
