// The report of a check: a line for each property with its verdict first and
// the trace that shows it below, then what the search cost.

#include "base/sized.h"
#include "report/forms.h"
#include "report/showing.h"

#include <string.h>

#define VERDICT "%-10s"

// The bound of a place is called as the place.
static void write_line (FILE *f, tl_showing *s, const tl_answer *a) {
  if (a->verdict == TL_VERDICT_BOUND)
    fprintf (f, VERDICT "%s\n",
             a->infinite ? "infinite" : tl_count (a->value).text,
             tl_showing_node (s, true, a->name));
  else
    fprintf (f, VERDICT "%s\n", tl_verdict_word (a->verdict), a->name);
}

// A formula that was typed is its own name, but for blanks.
static bool reads_like (const char *a, const char *b) {
  for (;;) {
    a += strspn (a, " ");
    b += strspn (b, " ");
    if (!*a || *a != *b)
      return *a == *b;
    a++, b++;
  }
}

// Says so where no search was needed.
static void write_at_once (FILE *f, const char *engine) {
  static const struct {
    const char *engine, *text;
  } row[] = {{"rewrite", "whatever the net"},
             {"initial", "by the initial marking"},
             {"structure", "by the structure of the net"}};
  for (size_t i = 0; engine && i < sizeof row / sizeof *row; i++)
    if (!strcmp (engine, row[i].engine))
      fprintf (f, VERDICT "without a search, %s\n", "", row[i].text);
}

typedef struct naming {
  tl_showing *showing;
  const tl_culprits *culprits;
  size_t at;
} naming;

static const char *next_name (void *context) {
  naming *n = context;
  const tl_culprits *c = n->culprits;
  return tl_showing_node (n->showing, c->places, c->id[n->at++]);
}

static void write_culprits (FILE *f, tl_showing *s, const tl_culprits *c) {
  naming all = {s, c, 0};
  if (!c->count)
    return;
  const int indent = fprintf (f, VERDICT "%s: ", "", c->what);
  tl_report_names (f, indent, c->count, next_name, &all);
}

static void write_certified (FILE *f, const tl_answer *a) {
  if (a->certified)
    fprintf (f, VERDICT "certified by %s\n", "", a->certified);
  else if (a->uncertified_why)
    fprintf (f, VERDICT "not certified: %s\n", "", a->uncertified_why);
}

static void write_shown (FILE *f, tl_showing *s, const tl_answer *a,
                         const tl_exploration *run) {
  write_line (f, s, a);
  const char *meaning = tl_answer_meaning (a);
  if (meaning)
    fprintf (f, VERDICT "%s\n", "", meaning);
  else if (a->formula && !reads_like (a->formula, a->name))
    fprintf (f, VERDICT "%s\n", "", a->formula);
  if (a->verdict == TL_VERDICT_UNKNOWN) {
    fprintf (f, VERDICT "%s", "", a->unknown_why ? a->unknown_why : "");
    if (a->value)
      fprintf (f, "; %s", tl_amount (a->value, false).text);
    fprintf (f, "\n" VERDICT "%s\n", "", tl_answer_hint (a, run));
  }
  if (!a->trace.transition) {
    write_at_once (f, a->engine);
    write_culprits (f, s, &a->culprits);
    return;
  }
  if (a->trace.length)
    fprintf (f, VERDICT "shown by %s:\n", "",
             tl_several (a->trace.length, "transition").text);
  else
    fprintf (f, VERDICT "shown by the initial marking\n", "");
  tl_report_trace (f, s, &a->trace, 12, TL_TRACE_SHOWN);
  write_culprits (f, s, &a->culprits);
}

static void write_answer (FILE *f, tl_showing *s, const tl_answer *a,
                          const tl_exploration *run) {
  write_shown (f, s, a, run);
  write_certified (f, a);
}

static size_t count_certified (const tl_answers *answers) {
  size_t n = 0;
  for (size_t i = 0; i < answers->count; i++)
    n += answers->answer[i].certified != 0;
  return n;
}

// There is something to be told where one was asked for.
static void write_certificate (FILE *f, const tl_answers *answers) {
  const tl_answer *a = answers->answer;
  if (!answers->count || (!a->certified && !a->uncertified_why))
    return;
  const uint64_t bytes = answers->run.certificate_bytes;
  fprintf (f, TL_LABEL "%s, %s of %s\n", "certificate",
           bytes ? tl_size (bytes).text : "none",
           tl_count (count_certified (answers)).text,
           tl_several (answers->count, "answer").text);
}

static size_t count_verdicts (const tl_answers *answers, tl_verdict verdict) {
  size_t n = 0;
  for (size_t i = 0; i < answers->count; i++)
    n += answers->answer[i].verdict == verdict;
  return n;
}

static void write_result (FILE *f, const tl_answers *answers) {
  static const struct {
    tl_verdict verdict;
    const char *word;
  } row[] = {{TL_VERDICT_TRUE, "true"},
             {TL_VERDICT_FALSE, "false"},
             {TL_VERDICT_BOUND, "bounded"},
             {TL_VERDICT_UNKNOWN, "unknown"}};
  const char *separator = "";
  fprintf (f, TL_LABEL, "answers");
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    const size_t n = count_verdicts (answers, row[i].verdict);
    if (!n)
      continue;
    fprintf (f, "%s%s %s", separator, tl_count (n).text, row[i].word);
    separator = ", ";
  }
  fputc ('\n', f);
}

static void write_text (FILE *f, tl_showing *s, const tl_answers *answers) {
  const tl_exploration *x = &answers->run;
  tl_report_head (f, "check", s->net, x);
  fprintf (f, TL_LABEL "%s\n\n", "asked",
           tl_several (answers->count, "question").text);
  for (size_t i = 0; i < answers->count; i++)
    write_answer (f, s, &answers->answer[i], x);
  fputc ('\n', f);
  write_result (f, answers);
  write_certificate (f, answers);
  fprintf (f, TL_LABEL, tl_visited_noun (x));
  tl_report_number (f, x->states, x->states_text, x->complete || !x->counted);
  fprintf (f, " (%s)\n", tl_stop_text (x->stop));
  tl_report_unbounded (f, s, x);
  tl_report_sweep (f, x);
  fputc ('\n', f);
  tl_report_memory (f, x);
  tl_report_time (f, x);
  tl_report_checkpoints (f, x);
}

// There is an answer that is not known.
static const char *first_hint (const tl_answers *answers) {
  const tl_answer *a = answers->answer;
  while (a->verdict != TL_VERDICT_UNKNOWN)
    a++;
  return tl_answer_hint (a, &answers->run);
}

static char *text (const tl_net *net, const tl_answers *answers, tl_form form) {
  const bool brief = TL_FORM_OF (form) == TL_FORM_SHORT;
  tl_showing s;
  tl_writing w;
  if (!tl_writing_open (&w))
    return 0;
  tl_showing_open (&s, net, form, !brief);
  for (size_t i = 0; brief && i < answers->count; i++)
    write_line (w.file, &s, &answers->answer[i]);
  if (brief)
    write_certificate (w.file, answers);
  if (!brief)
    write_text (w.file, &s, answers);
  const size_t unknown = count_verdicts (answers, TL_VERDICT_UNKNOWN);
  if (unknown)
    fprintf (w.file, "%sINCOMPLETE: %s of %s not answered\n", brief ? "" : "\n",
             tl_count (unknown).text,
             tl_several (answers->count, "question").text);
  if (unknown && brief)
    fprintf (w.file, "%s\n", first_hint (answers));
  tl_showing_close (&s);
  return tl_writing_close (&w);
}

static char *in_form (const tl_net *net, const tl_answers *answers,
                      tl_form form) {
  switch (TL_FORM_OF (form)) {
  case TL_FORM_TEXT:
  case TL_FORM_SHORT: return text (net, answers, form);
  case TL_FORM_JSON: return tl_answers_json (net, answers, form);
  case TL_FORM_MCC: return tl_answers_contest (answers);
  default: return 0;
  }
}

char *tl_answers_report (const tl_net *net, const tl_answers *given,
                         tl_form form) {
  tl_answers answers;
  if (!net || !tl_answers_take (&answers, given))
    return 0;
  char *report = answers.run.order ? in_form (net, &answers, form) : 0;
  tl_answers_release (&answers, given);
  return report;
}

static char *traces (const tl_net *net, const tl_answers *answers,
                     tl_form form) {
  tl_showing s;
  tl_writing w;
  if (!tl_writing_open (&w))
    return 0;
  tl_showing_open (&s, net, form, false);
  for (size_t i = 0; i < answers->count; i++)
    if (answers->answer[i].trace.transition)
      tl_report_trace_lines (w.file, &s, &answers->answer[i].trace,
                             answers->answer[i].name);
  tl_showing_close (&s);
  return tl_writing_close (&w);
}

char *tl_answers_traces (const tl_net *net, const tl_answers *given,
                         tl_form form) {
  tl_answers answers;
  if (!net || !tl_answers_take (&answers, given))
    return 0;
  char *text_of_all = traces (net, &answers, form);
  tl_answers_release (&answers, given);
  return text_of_all;
}
