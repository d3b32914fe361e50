#ifndef TL_MEASURE_JURY_H
#define TL_MEASURE_JURY_H

#include "measure/measure.h"
#include "measure/pilot.h"

// Judges measures by pilot sweeps on samples of both kinds.  A sample of near
// markings has most of its arcs and shows how wide layers are, a deep one knows
// what comes later; each misleads where the other does not, so the geometric
// mean of what they say counts.  If the net is small, there is only one sample:
// the whole of it.  Large samples are better judged one after the other.

enum { TL_JURORS = 2 };

typedef struct tl_jury {
  uint32_t count;
  bool all; // the only sample has all reachable markings
  tl_sample sample[TL_JURORS];
  tl_pilot pilot[TL_JURORS];
} tl_jury;

typedef struct tl_estimate {
  double peak, work; // shares of all markings
  double cost;       // both together
} tl_estimate;

// With samples of the kinds first .. last, from the source, or of the net if
// that is null.
tl_status tl_jury_open (tl_jury *, tl_mem *, const tl_net *,
                        const tl_sample_source *, tl_sample_kind first,
                        tl_sample_kind last, const tl_sample_limits *,
                        uint64_t seed);
void tl_jury_close (tl_jury *);
uint64_t tl_jury_markings (const tl_jury *);

// A visit costs as much as `share` of a marking kept.  False: the cost is
// beyond the limit, or the offsets are too large to be added up.
bool tl_jury_judge (tl_jury *, const tl_measure *, uint64_t window,
                    double share, double limit, tl_estimate *);

// The estimates of one linear measure that nobody has judged, without a window,
// on samples of so many markings at most.
tl_status tl_jury_estimate (tl_mem *, const tl_net *,
                            const tl_measure_request *, uint32_t markings,
                            tl_measure *);

// The usual size of an offset: what windows are measured by.
uint64_t tl_measure_unit (const tl_measure *, const tl_net *);

#endif
