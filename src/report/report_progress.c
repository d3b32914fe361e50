#include "base/sized.h"
#include "report/writing.h"

#include <inttypes.h>

// How much of a budget is used up; 0: there is none.
static void write_share (FILE *f, double part, double budget) {
  if (budget > 0)
    fprintf (f, " (%.0f %%)", 100 * part / budget);
}

// Nobody is to read more from it than there is.
static uint64_t two_digits (uint64_t n) {
  uint64_t unit = 1;
  while (n / unit >= 100)
    unit *= 10;
  return (n / unit + (n % unit > 0)) * unit;
}

static void write_estimate (FILE *f, const tl_progress *p) {
  if (p->expected > p->states)
    fprintf (f, ", about %.0f %% of an estimated %s",
             100 * (double)p->states / (double)p->expected,
             tl_count (two_digits (p->expected)).text);
}

static void write_search (FILE *f, const tl_progress *p) {
  const double rate = p->seconds > 0 ? (double)p->states / p->seconds : 0;
  fprintf (f, "  %s %s", tl_count (p->states).text,
           p->sweep ? "visits" : "states");
  write_share (f, (double)p->states, (double)p->most_states);
  write_estimate (f, p);
  fprintf (f, "  %.1f M/s  queue %s  ", rate / 1e6, tl_count (p->queued).text);
  if (p->sweep)
    fprintf (f, "sweep %s  progress %" PRId64 "  stored %s  ",
             tl_count (p->sweep).text, p->progress, tl_count (p->stored).text);
  else
    fprintf (f, "depth %s  ", tl_count (p->depth).text);
}

char *tl_progress_report (const tl_progress *given) {
  tl_progress whole;
  tl_writing w;
  if (!TL_TAKE (&whole, given) || !tl_writing_open (&w))
    return 0;
  const tl_progress *p = &whole;
  fprintf (w.file, "%.1f s", p->seconds);
  write_share (w.file, p->seconds, p->most_seconds);
  if (p->nodes)
    fprintf (w.file, "  %s nodes (at most %s)  %s events  cache %s  ",
             tl_count (p->nodes).text, tl_count (p->peak_nodes).text,
             tl_count (p->events).text, tl_count (p->cache).text);
  else
    write_search (w.file, p);
  fputs (tl_size (p->bytes).text, w.file);
  write_share (w.file, (double)p->bytes, (double)p->budget);
  if (p->disk)
    fprintf (w.file, "  on disk %s", tl_size (p->disk).text);
  return tl_writing_close (&w);
}
