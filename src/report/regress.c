// Where a measure that should be monotone loses progress: the transition, the
// markings around it, and the way there, fired again.

#include "base/sized.h"
#include "report/showing.h"

#include <inttypes.h>

static void write_marked (FILE *f, tl_showing *s, const char *label,
                          tl_playback *p, bool changes) {
  fprintf (f, "  " TL_LABEL, label);
  tl_column c = tl_column_at (f, 2 + TL_LABEL_WIDTH);
  tl_report_marked (s, &c, p, changes);
  tl_column_close (&c);
}

// The markings around the last step.
static void write_markings (FILE *f, tl_showing *s, const tl_trace *trace) {
  tl_playback *p;
  if (tl_playback_open (&p, s->net, trace, 0))
    return;
  uint64_t left = trace->length - 1;
  while (left && !tl_playback_step (p, 0))
    left--;
  write_marked (f, s, "before", p, false);
  if (!tl_playback_step (p, 0)) {
    write_marked (f, s, "changes", p, true);
    write_marked (f, s, "after", p, false);
  }
  tl_playback_close (p);
}

static void write_values (FILE *f, const tl_exploration *x) {
  if (x->progress_before != x->progress_after)
    fprintf (f, "takes progress from %" PRId64 " to %" PRId64 "\n",
             x->progress_before, x->progress_after);
  else // of a list of numbers
    fprintf (f,
             "loses progress in a later part of the measure (the first is "
             "%" PRId64 ")\n",
             x->progress_after);
}

char *tl_regress_report (const tl_net *net, const tl_exploration *given,
                         tl_form form) {
  tl_exploration x;
  if (!net || !TL_TAKE (&x, given))
    return 0;
  const tl_trace *trace = &x.regress;
  const bool known = trace->transition && trace->length;
  tl_showing s;
  tl_writing w;
  if (!tl_writing_open (&w))
    return 0;
  tl_showing_open (&s, net, form, true);
  fputs ("the measure is not monotone: ", w.file);
  if (known)
    fprintf (w.file, "transition %s ",
             tl_showing_step (&s, trace, trace->length - 1));
  else
    fputs ("a transition ", w.file);
  write_values (w.file, &x);
  if (known) {
    write_markings (w.file, &s, trace);
    fprintf (w.file, "  " TL_LABEL "%s\n", "trace",
             tl_several (trace->length, "transition").text);
    tl_report_trace (w.file, &s, trace, 4, TL_TRACE_SHOWN);
  } else
    fputs ("  the way there was not kept for lack of memory\n", w.file);
  tl_showing_close (&s);
  return tl_writing_close (&w);
}
