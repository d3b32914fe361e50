#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

// While a question is open the check is not finished, whatever the answers to
// the others are; nor is one with a certificate that does not have them all.
static int exit_code (const tl_answers *answers) {
  bool violated = false;
  for (size_t i = 0; i < answers->count; i++) {
    const tl_answer *a = answers->answer + i;
    if (a->verdict == TL_VERDICT_UNKNOWN || a->uncertified_why)
      return EXIT_UNFINISHED;
    violated |= answers->answer[i].verdict == TL_VERDICT_FALSE;
  }
  return violated ? EXIT_VIOLATED : EXIT_HOLDS;
}

// `told` has told of the answers already, but for those that are open; or null.
static int report (const tl_net *net, const tl_answers *answers,
                   const options *o, telling *told) {
  if (answers->run.stop == TL_STOP_REGRESS)
    return regress_error (net, &answers->run, o);
  if (answers->run.stop == TL_STOP_FAULT)
    return fault_error (net, &answers->run, o);
  if (o->certificate && !answers->run.certificate_bytes)
    not_written (o->certificate, "no answer is certified");
  int code = told ? tell_open (told, answers)
                  : print_text (tl_answers_report (
                        net, answers, form_wanted (o, o->properties.count)));
  if (!code && o->trace)
    code =
        save_text (tl_answers_traces (net, answers, trace_form (o)), o->trace);
  if (!code)
    code = save_plot (net, &answers->run, o);
  if (!code)
    code = save_answers_page (net, answers, o);
  return code ? code : exit_code (answers);
}

// Some ways to search are refused only when the search begins, or on the way.
static bool may_be_refused (const options *o) {
  return o->checkpoint || o->certificate || o->disk || o->device ||
         o->variables || strcmp (o->order, tl_options_default ().order) ||
         strcmp (o->stubborn, tl_options_default ().stubborn);
}

// Contest lines are printed one by one, unless there may be a complaint instead
// of them.
static bool tells_at_once (const options *o) {
  return o->properties.count && !o->json && !may_be_refused (o);
}

// `graph` is null where there is none: then it is searched.
static int check (const tl_net *net, const tl_condensed *graph,
                  const tl_questions *questions, const options *o) {
  search s;
  tl_answers answers;
  tl_error err = {0};
  telling told = {0};
  const bool tells = tells_at_once (o);
  search_begin (&s, o);
  s.how.certificate = o->certificate;
  if (tells)
    tell_answers (&told, &s.how);
  const tl_status status =
      graph ? tl_condensed_check (graph, questions, &s.how, &answers, &err)
            : tl_check (net, questions, &s.how, &answers, &err);
  search_end (&s);
  if (status)
    return end_error (&err, o, o->operands.item[0]);
  const int code = end_request (o, &answers.run,
                                report (net, &answers, o, tells ? &told : 0));
  tl_answers_close (&answers);
  return code;
}

// Reading questions about coloured nets may take long, too.
static int read_in_time (tl_questions *questions, const options *o) {
  tl_settings settings = tl_settings_default ();
  tl_error err = {0};
  settings.memory = o->memory;
  work_begin (o, &settings.timeout, &settings.cancel);
  const int code = tl_questions_limit (questions, &settings, &err)
                       ? end_error (&err, o, o->operands.item[0])
                       : read_questions (questions, o);
  work_end ();
  return code;
}

static int ask (const tl_net *net, const tl_condensed *graph,
                const options *o) {
  tl_questions *questions = 0;
  tl_error err = {0};
  int code = check_measure (net, o);
  if (!code && tl_questions_open (&questions, net, &err))
    code = end_error (&err, o, o->operands.item[0]);
  if (!code)
    code = read_in_time (questions, o);
  if (!code)
    code = check (net, graph, questions, o);
  tl_questions_close (questions);
  return code;
}

static int ask_file (const options *o) {
  tl_condensed *graph;
  tl_error err = {0};
  if (tl_condensed_open (&graph, o->operands.item[0], &err))
    return library_error (&err);
  const int code = ask (tl_condensed_net (graph), graph, o);
  tl_condensed_close (graph);
  return code;
}

static int keep_questions (const options *o) {
  char *implied = implied_option (o);
  const int code = keep_request (o, "check", implied);
  free (implied);
  return code;
}

int run_check (const options *o) {
  if (!something_asked (o))
    return usage_error ("nothing to check: give a formula, a name such as "
                        "deadlock, or --mcc FILE");
  tl_net *net;
  int code = check_outputs (o);
  if (!code && tl_condensed_is (o->operands.item[0]) && !o->parameters.count)
    return ask_file (o);
  if (!code)
    code = keep_questions (o);
  if (!code)
    code = open_model (&net, o);
  if (code)
    return code;
  code = ask (net, 0, o);
  tl_net_close (net);
  return code;
}
