#include "base/sized.h"
#include "report/writing.h"

#include <inttypes.h>

char *tl_progress_report (const tl_progress *given) {
  tl_progress whole;
  tl_writing w;
  if (!TL_TAKE (&whole, given) || !tl_writing_open (&w))
    return 0;
  const tl_progress *p = &whole;
  const double rate = p->seconds > 0 ? (double)p->states / p->seconds : 0;
  fprintf (w.file, "%.1f s  %s %s  %.1f M/s  queue %s  ", p->seconds,
           tl_count (p->states).text, p->sweep ? "visits" : "states",
           rate / 1e6, tl_count (p->queued).text);
  if (p->sweep)
    fprintf (w.file, "sweep %s  progress %" PRId64 "  stored %s  ",
             tl_count (p->sweep).text, p->progress, tl_count (p->stored).text);
  else
    fprintf (w.file, "depth %s  ", tl_count (p->depth).text);
  fputs (tl_size (p->bytes).text, w.file);
  if (p->budget)
    fprintf (w.file, " (%.0f %%)", 100 * (double)p->bytes / (double)p->budget);
  return tl_writing_close (&w);
}
