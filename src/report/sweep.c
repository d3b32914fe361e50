// What the sweep-line did, in the text reports.

#include "report/writing.h"

// Lines of a measure with many weights.
#define MEASURE_LINES 6

static void write_sweeps (FILE *f, const tl_sweep *s) {
  fprintf (f, TL_LABEL "%s by measure %s, ", "sweep",
           tl_several (s->sweeps, "sweep").text, s->measure);
  if (s->window == UINT64_MAX)
    fputs ("everything kept", f);
  else
    fprintf (f, "window %s", tl_count (s->window).text);
  fputs (s->monotone ? "; progress is never lost\n"
                     : "; progress is lost at times\n",
         f);
  if (s->discarded)
    fprintf (f, TL_LABEL "%s given up before\n", "",
             tl_several (s->discarded, "measure").text);
}

static void write_stored (FILE *f, const tl_exploration *x) {
  const tl_sweep *s = &x->sweep;
  fprintf (f, TL_LABEL "%s at once", "stored",
           tl_several (s->peak_states, "state").text);
  if (x->counted && x->complete && x->states)
    fprintf (f, ", %.3g %% of all",
             100 * (double)s->peak_states / (double)x->states);
  fprintf (f, "; %s in the largest of %s\n", tl_count (s->largest_layer).text,
           tl_several (s->layers, "layer").text);
  if (s->persistent)
    fprintf (f, TL_LABEL "%s\n", "persistent",
             tl_several (s->persistent, "state").text);
  if (x->counted && x->complete && s->explored > x->states)
    fprintf (f, TL_LABEL "%s, %.2f a state\n", "visits",
             tl_count (s->explored).text,
             (double)s->explored / (double)x->states);
}

void tl_report_sweep (FILE *f, const tl_exploration *x) {
  if (!x->sweep.measure)
    return;
  fputc ('\n', f);
  write_sweeps (f, &x->sweep);
  if (x->sweep.weights) {
    fprintf (f, TL_LABEL, "measure");
    tl_report_words (f, TL_LABEL_WIDTH, x->sweep.weights, MEASURE_LINES);
  }
  write_stored (f, x);
}
