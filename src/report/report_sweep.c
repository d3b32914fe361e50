// What the sweep-line did, in the text reports.

#include "report/writing.h"

#include <string.h>

// Lines of a measure with many weights.
#define MEASURE_LINES 6

static void write_sweeps (FILE *f, const tl_sweep *s) {
  fprintf (f, TL_LABEL "%s, ", "sweep", tl_several (s->sweeps, "sweep").text);
  if (s->window == UINT64_MAX)
    fputs ("everything kept", f);
  else
    fprintf (f, "window %s", tl_count (s->window).text);
  fputs (s->monotone ? "; progress is never lost\n"
                     : "; progress is lost at times\n",
         f);
}

// The name of one that was derived, then its weights.
static void write_measure (FILE *f, const tl_sweep *s) {
  const bool derived = strcmp (s->measure, "expression");
  if (derived || !s->weights)
    fprintf (f, TL_LABEL "%s\n", "measure", s->measure);
  if (s->weights) {
    fprintf (f, TL_LABEL, derived ? "" : "measure");
    tl_report_words (f, TL_LABEL_WIDTH, s->weights, MEASURE_LINES);
  }
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
  fprintf (f, "\n" TL_LABEL "%s; %s in the largest\n", "layers",
           tl_count (s->layers).text,
           tl_several (s->largest_layer, "state").text);
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
  if (x->sweep.declined) {
    fprintf (f, TL_LABEL "not made: of those tried none pays\n", "sweep");
    fprintf (f, TL_LABEL "(--window 0 makes one%s)\n", "",
             x->ranks > 1 ? "" : ", and so does --memory");
    return;
  }
  write_sweeps (f, &x->sweep);
  write_measure (f, &x->sweep);
  write_stored (f, x);
}
