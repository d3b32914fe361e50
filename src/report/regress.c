// Where a measure that should be monotone loses progress: the transition, the
// markings around it, and the way there, fired again.

#include "base/sized.h"
#include "net/marking.h"
#include "report/writing.h"

#include <inttypes.h>
#include <stdlib.h>

// Of a large marking only so many lines are shown.
#define MARKING_LINES 6

// "place" or "place*3" for every marked place.
static void write_marking (FILE *f, const char *label, const tl_net *net,
                           const uint64_t *marking) {
  fprintf (f, "  " TL_LABEL, label);
  tl_column c = tl_column_at (f, 2 + TL_LABEL_WIDTH);
  uint64_t left_out = 0;
  char word[256];
  for (uint32_t p = 0; p < net->places; p++) {
    if (!marking[p])
      continue;
    if (c.lines > MARKING_LINES) {
      left_out++;
      continue;
    }
    if (marking[p] > 1)
      snprintf (word, sizeof word, "%.200s*%" PRIu64, net->place_id[p],
                marking[p]);
    else
      snprintf (word, sizeof word, "%.200s", net->place_id[p]);
    tl_column_word (&c, word);
  }
  if (left_out) {
    snprintf (word, sizeof word, "... and %s more",
              tl_several (left_out, "place").text);
    tl_column_word (&c, word);
  }
  tl_column_close (&c);
}

static void write_changes (FILE *f, const tl_net *net, const uint64_t *before,
                           uint32_t transition) {
  fprintf (f, "  " TL_LABEL, "changes");
  tl_column column = tl_column_at (f, 2 + TL_LABEL_WIDTH);
  char word[320];
  for (tl_change c = tl_net_change (net, transition);
       tl_net_change_next (&c);) {
    const uint64_t tokens = before[c.place];
    snprintf (word, sizeof word, "%.200s: %" PRIu64 "->%" PRIu64,
              net->place_id[c.place], tokens, tokens + (uint64_t)c.amount);
    tl_column_word (&column, word);
  }
  tl_column_close (&column);
}

static void write_way (FILE *f, const tl_net *net, const tl_trace *trace,
                       uint64_t *marking) {
  const uint64_t steps = trace->length - 1;
  const uint32_t last = trace->transition[steps];
  tl_marking_initial (net, marking);
  for (uint64_t i = 0; i < steps; i++)
    tl_marking_fire (net, marking, trace->transition[i]);
  write_marking (f, "before", net, marking);
  write_changes (f, net, marking, last);
  tl_marking_fire (net, marking, last);
  write_marking (f, "after", net, marking);
  fprintf (f, "  " TL_LABEL "%s\n", "trace",
           tl_several (trace->length, "transition").text);
  tl_report_trace (f, net, trace, 4, TL_TRACE_SHOWN);
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

char *tl_regress_report (const tl_net *net, const tl_exploration *given) {
  tl_exploration x;
  if (!net || !TL_TAKE (&x, given))
    return 0;
  const tl_trace *trace = &x.regress;
  const bool known = trace->transition && trace->length;
  uint64_t *marking = calloc (net->places + 1, sizeof *marking);
  tl_writing w;
  if (!marking || !tl_writing_open (&w)) {
    free (marking);
    return 0;
  }
  fputs ("the measure is not monotone: ", w.file);
  if (known)
    fprintf (w.file, "transition %s ",
             tl_trace_step (net, trace, trace->length - 1));
  else
    fputs ("a transition ", w.file);
  write_values (w.file, &x);
  if (known && !tl_net_has_arcs (net))
    tl_report_trace (w.file, net, trace, 4, TL_TRACE_SHOWN);
  else if (known)
    write_way (w.file, net, trace, marking);
  else
    fputs ("  the way there was not kept for lack of memory\n", w.file);
  free (marking);
  return tl_writing_close (&w);
}
