// The report of an exploration: what was asked, what was found, where the
// memory went, and at the end what was not done.  An incomplete run shows no
// figure that could be taken for a final one.

#include "base/sized.h"
#include "report/forms.h"
#include "report/showing.h"

#include <string.h>

static void write_number (FILE *f, uint64_t n, const char *digits, bool exact) {
  tl_report_number (f, n, digits, exact);
  fputc ('\n', f);
}

static void write_deadlocks (FILE *f, const tl_exploration *x) {
  fprintf (f, TL_LABEL, "deadlocks");
  if (x->deadlocks_unknown)
    fputs ("not counted: that took too long\n", f);
  else if (x->deadlocks && !tl_counted_deadlocks (x))
    fprintf (f, "some, not counted: %s\n",
             tl_several (x->deadlocks, "visit").text);
  else if (x->deadlocks)
    write_number (f, x->deadlocks, x->deadlocks_text, x->complete);
  else
    fputs (x->complete ? "none\n" : "none found so far\n", f);
}

typedef struct naming {
  tl_showing *showing;
  tl_unfired unfired;
} naming;

static const char *next_name (void *context) {
  naming *n = context;
  return tl_showing_node (n->showing, false, tl_unfired_next (&n->unfired));
}

static void write_dead_names (FILE *f, tl_showing *s, const tl_exploration *x,
                              uint64_t count) {
  naming all = {s, {s->net, x, 0}};
  fprintf (f, "%s\n" TL_LABEL, tl_count (count).text, "");
  tl_report_names (f, TL_LABEL_WIDTH, count, next_name, &all);
}

static void write_dead_transitions (FILE *f, tl_showing *s,
                                    const tl_exploration *x) {
  const uint64_t n = tl_not_fired (s->net, x);
  fprintf (f, TL_LABEL, "dead transitions");
  if (!n)
    fputs ("none\n", f);
  else if (tl_saw_everything (x))
    write_dead_names (f, s, x, n);
  else
    fprintf (f, "at most %s, which did not fire%s\n", tl_count (n).text,
             x->complete ? "" : " so far");
}

// Of the states, some were left out.
static void write_reduced (FILE *f, const tl_exploration *x) {
  fprintf (f, TL_LABEL "not counted: %s, others were left out\n", "states",
           tl_several (x->states, "visit").text);
  fprintf (f, TL_LABEL "not counted: %s, %s followed\n", "arcs",
           tl_several (x->arcs, "firing").text, tl_count (x->followed).text);
}

// Where some states were visited again, visits are no number of states.
static void write_visits (FILE *f, const tl_exploration *x) {
  fprintf (f, TL_LABEL "not counted: %s, some states more than once\n",
           "states", tl_several (x->states, "visit").text);
  if (x->complete)
    fprintf (f, TL_LABEL "(--exact-count tells how many there are)\n", "");
  fprintf (f, TL_LABEL "not counted: %s\n", "arcs",
           tl_several (x->arcs, "firing").text);
}

static void write_size (FILE *f, const tl_exploration *x) {
  fprintf (f, TL_LABEL, "states");
  if (x->stop == TL_STOP_UNBOUNDED)
    fprintf (f, "infinitely many; %s were visited\n",
             tl_count (x->states).text);
  else
    write_number (f, x->states, x->states_text, x->complete);
  fprintf (f, TL_LABEL, "arcs");
  write_number (f, x->arcs, x->arcs_text, x->complete);
}

static void write_findings (FILE *f, tl_showing *s, const tl_exploration *x) {
  const bool exact = tl_saw_everything (x);
  if (x->counted || x->stop == TL_STOP_UNBOUNDED)
    write_size (f, x);
  else if (x->stubborn)
    write_reduced (f, x);
  else
    write_visits (f, x);
  write_deadlocks (f, x);
  write_dead_transitions (f, s, x);
  fprintf (f, TL_LABEL "%s in a place, %s in a marking\n", "most tokens",
           tl_amount (x->max_tokens_in_place, exact).text,
           tl_amount (x->max_tokens_per_marking, exact).text);
  if (tl_has_depth (x))
    fprintf (f, TL_LABEL "%s\n", "depth", tl_amount (x->depth, exact).text);
  if (x->certificate_bytes)
    fprintf (f, TL_LABEL "%s, %.2f bytes a state\n", "certificate",
             tl_size (x->certificate_bytes).text,
             (double)x->certificate_bytes / (double)x->states);
}

static void write_deadlock_trace (FILE *f, tl_showing *s,
                                  const tl_exploration *x) {
  const tl_trace *trace = &x->deadlock;
  if (!trace->transition)
    return;
  if (!trace->length)
    fputs ("\nthe initial marking is dead\n", f);
  else
    fprintf (f, "\nfirst deadlock, after %s\n",
             tl_several (trace->length, "transition").text);
  tl_report_trace (f, s, trace, 2, TL_TRACE_SHOWN);
}

static void write_not_done (FILE *f, const tl_exploration *x) {
  const char *label = "not done";
  if (!x->complete) {
    fprintf (f, TL_LABEL "visiting the rest of the states\n", label);
    label = "";
  }
  if (x->deadlock.transition && x->deadlocks > 1 && tl_counted_deadlocks (x))
    fprintf (f, TL_LABEL "traces to %s: only the first is kept\n", label,
             tl_several (x->deadlocks - 1, "other deadlock").text);
}

static void write_text (FILE *f, tl_showing *s, const tl_exploration *x) {
  tl_report_head (f, "explore", s->net, x);
  fputc ('\n', f);
  write_findings (f, s, x);
  write_deadlock_trace (f, s, x);
  tl_report_unbounded (f, s, x);
  tl_report_sweep (f, x);
  fputc ('\n', f);
  tl_report_memory (f, x);
  tl_report_time (f, x);
  tl_report_checkpoints (f, x);
  write_not_done (f, x);
}

static void write_incomplete (FILE *f, const tl_exploration *x, bool brief) {
  const char *hint = tl_exploration_hint (x);
  fprintf (f, "%sINCOMPLETE: %s\n", brief ? "" : "\n", tl_stop_text (x->stop));
  if (hint)
    fprintf (f, "%s\n", hint);
}

static char *text (const tl_net *net, const tl_exploration *x, tl_form form) {
  const bool brief = TL_FORM_OF (form) == TL_FORM_SHORT;
  tl_showing s;
  tl_writing w;
  if (!tl_writing_open (&w))
    return 0;
  tl_showing_open (&s, net, form, !brief);
  if (brief)
    write_findings (w.file, &s, x);
  else
    write_text (w.file, &s, x);
  if (!x->complete)
    write_incomplete (w.file, x, brief);
  tl_showing_close (&s);
  return tl_writing_close (&w);
}

char *tl_exploration_report (const tl_net *net, const tl_exploration *given,
                             tl_form form) {
  tl_exploration x;
  if (!net || !TL_TAKE (&x, given) || !x.order)
    return 0;
  switch (TL_FORM_OF (form)) {
  case TL_FORM_TEXT:
  case TL_FORM_SHORT: return text (net, &x, form);
  case TL_FORM_JSON: return tl_exploration_json (net, &x, form);
  case TL_FORM_MCC: return tl_exploration_contest (net, &x);
  default: return 0;
  }
}

char *tl_exploration_traces (const tl_net *net, const tl_exploration *given,
                             tl_form form) {
  tl_exploration x;
  tl_showing s;
  tl_writing w;
  if (!net || !TL_TAKE (&x, given) || !tl_writing_open (&w))
    return 0;
  tl_showing_open (&s, net, form, false);
  if (x.deadlock.transition)
    tl_report_trace_lines (w.file, &s, &x.deadlock, "a deadlock");
  if (x.unbounded.transition)
    tl_report_trace_lines (w.file, &s, &x.unbounded, "a place without a bound");
  if (x.regress.transition)
    tl_report_trace_lines (w.file, &s, &x.regress, "progress is lost");
  tl_showing_close (&s);
  return tl_writing_close (&w);
}
