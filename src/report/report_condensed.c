// The report on a condensed graph: how large it is, and how large the published
// layout of the same graph would be.

#include "base/sized.h"
#include "report/forms.h"
#include "report/showing.h"

static void write_sizes (FILE *f, const tl_condensed_size *s) {
  const double states = (double)s->states, arcs = (double)s->arcs;
  const bool unfolded = s->markings != s->states;
  if (!unfolded)
    fprintf (f, TL_LABEL "%s\n", "states", tl_count (s->states).text);
  else if (s->markings)
    fprintf (f, TL_LABEL "%s, in the unfolded graph %s\n", "states",
             tl_count (s->markings).text, tl_count (s->states).text);
  else
    fprintf (f, TL_LABEL "%s at most: so many has the unfolded graph\n",
             "states", tl_count (s->states).text);
  fprintf (f, TL_LABEL "%s%s\n", "arcs", tl_count (s->arcs).text,
           unfolded ? " in the unfolded graph" : "");
  fprintf (f, TL_LABEL "%s, %.2f bytes a state", "graph",
           tl_size (s->bytes).text, (double)s->bytes / states);
  if (s->arcs)
    fprintf (f, ", %.2f bits an arc", 8 * (double)s->bytes / arcs);
  fprintf (f, "\n" TL_LABEL "%s, %.2f bytes a state: %.1f times as much\n",
           "published layout", tl_size (s->published_bytes).text,
           (double)s->published_bytes / states,
           (double)s->published_bytes / (double)s->bytes);
}

// What the search that built it took.
static void write_search (FILE *f, const tl_exploration *x) {
  tl_report_sweep (f, x);
  fputc ('\n', f);
  tl_report_memory (f, x);
  tl_report_time (f, x);
}

static char *text (const tl_net *net, const tl_condensed_size *s,
                   const tl_exploration *x, bool brief) {
  tl_writing w;
  if (!tl_writing_open (&w))
    return 0;
  if (!brief) {
    fprintf (w.file, "tideline %s: graph %s\n\n", tl_version (),
             tl_net_name (net));
    tl_report_net (w.file, net, s->compiled);
  }
  write_sizes (w.file, s);
  if (!brief)
    fprintf (w.file, TL_LABEL "%s\n", "net in the file",
             tl_size (s->net_bytes).text);
  if (!brief && x)
    write_search (w.file, x);
  return tl_writing_close (&w);
}

char *tl_condensed_built_report (const tl_net *net,
                                 const tl_condensed_size *given,
                                 const tl_exploration *built, tl_form form) {
  tl_condensed_size s;
  tl_exploration whole;
  if (!net || !TL_TAKE (&s, given) || (built && !TL_TAKE (&whole, built)))
    return 0;
  const tl_exploration *x = built ? &whole : 0;
  switch (TL_FORM_OF (form)) {
  case TL_FORM_TEXT: return text (net, &s, x, false);
  case TL_FORM_MCC: // it has no such lines
  case TL_FORM_SHORT: return text (net, &s, x, true);
  case TL_FORM_JSON: return tl_condensed_json (net, &s, x);
  default: return 0;
  }
}

char *tl_condensed_report (const tl_net *net, const tl_condensed_size *size,
                           tl_form form) {
  return tl_condensed_built_report (net, size, 0, form);
}

char *tl_condensed_path_report (const tl_net *net, const tl_trace *trace,
                                uint64_t state, tl_form form) {
  tl_showing s;
  tl_writing w;
  if (!net || !trace || !tl_writing_open (&w))
    return 0;
  tl_showing_open (&s, net, form, false);
  tl_figure shows;
  snprintf (shows.text, sizeof shows.text, "state %llu",
            (unsigned long long)state);
  tl_report_trace_lines (w.file, &s, trace, shows.text);
  tl_showing_close (&s);
  return tl_writing_close (&w);
}
