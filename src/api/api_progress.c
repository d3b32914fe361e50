// The measures of progress that a sweep could go by, for people to compare.

#include "api/api_call.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/sized.h"
#include "measure/measure.h"

#include <stdlib.h>
#include <string.h>

// About how long the structure is studied.
#define ANALYSIS_SECONDS 10.0

// What changes traits is known where the sample has everything, and time is
// never lost.
static bool is_linear (const tl_measures *list, const tl_measure *m) {
  return m->offset || m->monotone || (m->traits && list->sampled_all);
}

static bool tell (tl_candidate *c, const tl_measures *list,
                  const tl_measure *m) {
  *c =
      (tl_candidate){.size = sizeof *c,
                     .name = m->name,
                     .weights = m->source ? strdup (m->source)
                                          : tl_measure_text_full (m, list->net),
                     .window = m->window,
                     .linear = is_linear (list, m),
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
    if (!tell (&all->candidate[all->count++], list, list->measure + i))
      return TL_E_NOMEM;
  return TL_OK;
}

static tl_status find (tl_api_call *c, const tl_net *net, tl_candidates *all,
                       tl_error *err) {
  tl_structure *structure = 0;
  tl_measures list;
  const tl_options *o = &c->options;
  // Of the time that there is the structure takes some, and what is looked for
  // may take four times what it is told, or twice that on a busy machine.
  const double seconds = o->timeout / 8;
  const tl_measure_request request = {
      .progress = o->progress,
      .seed = o->seed,
      .seconds = seconds > 0 ? seconds : TL_MEASURE_SECONDS,
      .cancel = o->cancel,
      .compares = true};
  tl_mem mem = TL_MEM (&c->root, "measures");
  tl_status rc =
      tl_structure_open (&structure, &mem, net, ANALYSIS_SECONDS, err);
  if (!rc && !(rc = tl_measures_open (&list, &mem, structure, &request, err))) {
    rc = tell_all (all, &list);
    tl_measures_close (&list);
  }
  tl_structure_close (structure);
  return rc;
}

// Hands over the measures, in elements of the caller's size.
static tl_status give (tl_candidates *out, size_t stride,
                       tl_candidates *whole) {
  tl_candidate *const rest = whole->candidate;
  const size_t count = whole->count;
  tl_candidate *given = tl_sized_give_array (rest, count, sizeof *rest, stride);
  if (!given)
    return TL_E_NOMEM;
  whole->candidate = given;
  whole->candidate_size = stride;
  TL_GIVE (out, whole);
  whole->candidate = rest;
  whole->candidate_size = sizeof *rest;
  whole->count = count;
  return TL_OK;
}

tl_status tl_candidates_find_sized (const tl_net *net,
                                    const tl_options *options,
                                    tl_candidates *out, tl_error *err) {
  tl_api_call call;
  tl_candidates whole = {.size = sizeof whole,
                         .candidate_size = sizeof *whole.candidate};
  const size_t stride = out ? out->candidate_size : 0;
  tl_status rc = tl_api_open (&call, options, out, err);
  if (!rc && (!net || !tl_sized_is (stride)))
    rc = tl_api_lacks ("tl_candidates_find",
                       "a net, and the size of a candidate", err);
  if (rc)
    return rc;
  rc = find (&call, net, &whole, err);
  if (!rc && tl_cancelled (call.options.cancel))
    rc =
        tl_fail (err, TL_E_CANCEL, "it was interrupted while finding measures");
  if (!rc)
    rc = give (out, stride, &whole);
  tl_candidates_close (&whole);
  return rc == TL_E_NOMEM ? tl_fail (err, rc, "no memory to find measures")
                          : rc;
}

void tl_candidates_close (tl_candidates *all) {
  tl_candidates whole;
  if (!TL_TAKE (&whole, all))
    return;
  for (size_t i = 0; whole.candidate && i < whole.count; i++) {
    tl_candidate c;
    TL_TAKE (&c, (const char *)whole.candidate + i * whole.candidate_size);
    free (c.weights);
  }
  free (whole.candidate);
  tl_sized_clear (all);
}
