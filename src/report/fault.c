#include "base/sized.h"
#include "report/showing.h"

// A model that computes something undefined: what is wrong, where in the file,
// and how it came to that.
char *tl_fault_report (const tl_net *net, const tl_exploration *given,
                       tl_form form) {
  tl_exploration x;
  tl_showing s;
  tl_writing w;
  const tl_error *e = &x.fault;
  const tl_trace *trace = &x.fault_trace;
  if (!net || !TL_TAKE (&x, given) || !tl_writing_open (&w))
    return 0;
  tl_showing_open (&s, net, form, true);
  if (e->line)
    fprintf (w.file, "%s:%ld: ", e->file, e->line);
  fputs (e->text, w.file);
  if (e->line && e->column)
    fprintf (w.file, " (column %ld)", e->column);
  fputc ('\n', w.file);
  if (trace->transition && trace->length) {
    fprintf (w.file, "  " TL_LABEL "%s\n", "trace",
             tl_several (trace->length, "transition").text);
    tl_report_trace (w.file, &s, trace, 4, TL_TRACE_SHOWN);
  } else
    fputs ("  in the initial marking\n", w.file);
  tl_showing_close (&s);
  return tl_writing_close (&w);
}
