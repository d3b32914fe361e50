#include "sweep/timeline.h"

#include "base/tuning.h"

#include <stdlib.h>

static const tl_sweep_point *fuller (const tl_sweep_point *a,
                                     const tl_sweep_point *b) {
  return a->stored >= b->stored ? a : b;
}

// Makes one point of two.  Sweeps are not checked.
static void thin_out (tl_timeline *m) {
  size_t kept = 0;
  for (size_t i = 0; i < m->count; i++) {
    const bool pair =
        i + 1 < m->count && m->point[i].sweep == m->point[i + 1].sweep;
    m->point[kept++] =
        pair ? *fuller (m->point + i, m->point + i + 1) : m->point[i];
    i += pair;
  }
  m->count = kept;
  m->stride *= 2;
  m->in_last = m->stride;
}

void tl_timeline_add (tl_timeline *m, const tl_sweep_point *now) {
  if (!m->point) {
    m->point = malloc (TL_TIMELINE_POINTS * sizeof *m->point);
    m->stride = m->in_last = 1;
  }
  if (!m->point)
    return; // there will be no picture
  if (m->count == TL_TIMELINE_POINTS)
    thin_out (m);
  tl_sweep_point *last = m->count ? m->point + m->count - 1 : 0;
  if (last && m->in_last < m->stride && last->sweep == now->sweep) {
    *last = *fuller (last, now);
    m->in_last++;
  } else if (m->count < TL_TIMELINE_POINTS) {
    m->point[m->count++] = *now;
    m->in_last = 1;
  }
}
