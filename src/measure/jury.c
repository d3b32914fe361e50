#include "measure/jury.h"

#include "base/clock.h"
#include "base/tuning.h"

#include <math.h>
#include <stdlib.h>

// Offsets up to here can be added up along any path in a sample.
#define LARGEST_OFFSET ((int64_t)1 << 36)

// Of what a measure may cost.
#define NO_LIMIT 1e9

static tl_status open_juror (tl_jury *j, tl_mem *mem, const tl_net *net,
                             const tl_sample_source *source,
                             tl_sample_kind kind,
                             const tl_sample_limits *limits, uint64_t seed) {
  tl_sample *s = j->sample + j->count;
  tl_status rc =
      source ? source->open (source->context, s, mem, kind, limits->markings)
             : tl_sample_open (s, mem, net, kind, limits, seed);
  if (rc)
    return rc;
  rc = tl_pilot_open (j->pilot + j->count, s);
  if (rc) {
    tl_sample_close (s);
    return rc;
  }
  j->count++;
  j->all = s->all;
  return TL_OK;
}

tl_status tl_jury_open (tl_jury *j, tl_mem *mem, const tl_net *net,
                        const tl_sample_source *source, tl_sample_kind first,
                        tl_sample_kind last, const tl_sample_limits *limits,
                        uint64_t seed) {
  *j = (tl_jury){0};
  tl_status rc = TL_OK;
  for (tl_sample_kind kind = first; !rc && kind <= last && !j->all; kind++)
    rc = open_juror (j, mem, net, source, kind, limits, seed);
  if (rc)
    tl_jury_close (j);
  return rc;
}

void tl_jury_close (tl_jury *j) {
  for (uint32_t i = 0; i < j->count; i++) {
    tl_pilot_close (j->pilot + i);
    tl_sample_close (j->sample + i);
  }
  *j = (tl_jury){0};
}

uint64_t tl_jury_markings (const tl_jury *j) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < j->count; i++)
    sum += j->sample[i].count;
  return sum;
}

static bool fits (const tl_measure *m, const tl_net *net) {
  for (uint32_t t = 0; t < net->transitions; t++)
    if (llabs (m->offset[t]) > LARGEST_OFFSET)
      return false;
  return true;
}

bool tl_jury_judge (tl_jury *j, const tl_measure *m, uint64_t window,
                    double share, double limit, tl_estimate *v) {
  *v = (tl_estimate){1, 1, 1};
  if (m->parts != 1 || !m->offset || !fits (m, j->sample[0].net))
    return false;
  const double part = 1.0 / j->count;
  for (uint32_t i = 0; i < j->count; i++) {
    tl_pilot_result r;
    const double n = j->sample[i].count;
    tl_pilot_measure (j->pilot + i, m->offset);
    if (!tl_pilot_sweep (j->pilot + i, window, share,
                         TL_JURY_REFUSES * limit * n, &r))
      return false;
    v->peak *= pow (r.peak / n, part);
    v->work *= pow (tl_pilot_visits (&r) / n, part);
    v->cost *= pow ((r.peak + share * tl_pilot_visits (&r)) / n, part);
  }
  return v->cost <= limit;
}

tl_status tl_jury_estimate (tl_mem *mem, const tl_net *net,
                            const tl_measure_request *request,
                            uint32_t markings, tl_measure *m) {
  const tl_sample_limits limits = {.markings = markings,
                                   .arcs = (uint64_t)markings * TL_SAMPLE_ARCS,
                                   .bytes = (size_t)markings * TL_SAMPLE_BYTES,
                                   .seconds = request->seconds,
                                   .cancel = request->cancel};
  const double begin = tl_clock_busy ();
  tl_jury jury;
  tl_estimate e;
  const tl_status rc =
      tl_jury_open (&jury, mem, net, request->source, TL_SAMPLE_NEAR,
                    TL_SAMPLE_DEEP, &limits, request->seed);
  if (rc)
    return rc;
  if (tl_jury_judge (&jury, m, m->window, TL_SAMPLE_SHARE, NO_LIMIT, &e)) {
    m->peak = fmin (e.peak, 1);
    m->work = e.work;
  }
  m->seconds = tl_clock_busy () - begin;
  tl_jury_close (&jury);
  return TL_OK;
}

uint64_t tl_measure_unit (const tl_measure *m, const tl_net *net) {
  double sum = 0, count = 0;
  for (uint32_t t = 0; t < net->transitions; t++) {
    sum += fabs ((double)m->offset[t]);
    count += m->offset[t] != 0;
  }
  return count > 0 ? (uint64_t)llround (sum / count) : 1;
}
