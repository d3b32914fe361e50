#include "report/writing.h"

char *tl_progress_report (const tl_progress *p) {
  tl_writing w;
  if (!tl_writing_open (&w))
    return 0;
  const double rate = p->seconds > 0 ? (double)p->states / p->seconds : 0;
  fprintf (w.file, "%.1f s  %s states  %.1f M/s  queue %s  depth %s  %s",
           p->seconds, tl_count (p->states).text, rate / 1e6,
           tl_count (p->queued).text, tl_count (p->depth).text,
           tl_size (p->bytes).text);
  if (p->budget)
    fprintf (w.file, " (%.0f %%)", 100 * (double)p->bytes / (double)p->budget);
  return tl_writing_close (&w);
}
