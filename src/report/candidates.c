// The report on measures of progress: what each would cost, the one chosen, and
// its weights.

#include "base/sized.h"
#include "report/forms.h"
#include "report/writing.h"

// Lines of a measure with many weights.
#define MEASURE_LINES 12

// An estimate, or ? where there is none.
static tl_figure estimate (double value, const char *format) {
  tl_figure figure = {"?"};
  if (value > 0)
    snprintf (figure.text, sizeof figure.text, format, value);
  return figure;
}

static void write_row (FILE *f, const tl_candidate *c, bool chosen) {
  fprintf (f, "%c %-16s%10s", chosen ? '*' : ' ', c->name,
           c->window == UINT64_MAX ? "all" : tl_count (c->window).text);
  fprintf (f, "%10s%10s%10s", c->linear ? tl_count (c->regress).text : "?",
           c->linear ? c->regress ? "no" : "yes" : "?",
           estimate (100 * c->peak, "%.3g %%").text);
  fprintf (f, "%10s%8.2f s\n", estimate (c->work, "%.2f").text, c->seconds);
}

static void write_table (FILE *f, const tl_candidates *all) {
  fprintf (f, "\n  %-16s%10s%10s%10s%10s%10s%10s\n", "measure", "window",
           "regress", "monotone", "peak", "work", "time");
  for (size_t i = 0; i < all->count; i++)
    write_row (f, &all->candidate[i], !i);
}

static void write_chosen (FILE *f, const tl_candidate *c) {
  const bool pays = c->window != UINT64_MAX;
  fprintf (f, TL_LABEL "%s%s\n", "chosen", c->name,
           pays ? "" : ": no sweep pays, explore begins without one");
  fprintf (f, TL_LABEL, "");
  tl_report_words (f, TL_LABEL_WIDTH, c->weights, MEASURE_LINES);
}

static void write_explained (FILE *f) {
  fputs (
      "\nregress: transitions that lose progress; peak: states stored at "
      "once, of all;\nwork: what a sweep does, as visits per state; peak and "
      "work are estimates\n",
      f);
}

static char *text (const tl_net *net, const tl_candidates *all, bool brief) {
  tl_writing w;
  if (!tl_writing_open (&w))
    return 0;
  if (!brief) {
    fprintf (w.file, "tideline %s: progress %s\n\n", tl_version (),
             tl_net_name (net));
    tl_report_net (w.file, net, 0);
    if (all->sampled)
      fprintf (w.file, TL_LABEL "%s%s\n", "sample",
               tl_several (all->sampled, "state").text,
               all->sampled_all ? ", which are all" : "");
    write_table (w.file, all);
    write_explained (w.file);
    fputc ('\n', w.file);
  }
  if (all->count)
    write_chosen (w.file, &all->candidate[0]);
  if (!brief)
    fprintf (w.file, TL_LABEL "%.2f s\n", "time", all->seconds);
  return tl_writing_close (&w);
}

static char *in_form (const tl_net *net, const tl_candidates *all,
                      tl_form form) {
  switch (TL_FORM_OF (form)) {
  case TL_FORM_TEXT: return text (net, all, false);
  case TL_FORM_JSON: return tl_candidates_json (net, all);
  case TL_FORM_MCC: // it has no such lines
  case TL_FORM_SHORT: return text (net, all, true);
  default: return 0;
  }
}

char *tl_candidates_report (const tl_net *net, const tl_candidates *given,
                            tl_form form) {
  tl_candidates all;
  if (!net || !tl_candidates_take (&all, given))
    return 0;
  char *report = in_form (net, &all, form);
  tl_candidates_release (&all, given);
  return report;
}
