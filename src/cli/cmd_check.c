#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A verdict "false" counts before an unknown one: it is certain.
static int exit_code (const tl_answers *answers) {
  bool unknown = false;
  for (size_t i = 0; i < answers->count; i++) {
    if (answers->answer[i].verdict == TL_VERDICT_FALSE)
      return EXIT_VIOLATED;
    unknown |= answers->answer[i].verdict == TL_VERDICT_UNKNOWN;
  }
  return unknown ? EXIT_UNFINISHED : EXIT_HOLDS;
}

static int read_question (tl_questions *questions, const char *text) {
  tl_error err = {0};
  return tl_questions_add_text (questions, text, &err) ? input_error (&err) : 0;
}

// ---- Properties of Helena

static bool is_identifier (const char *text) {
  return *text && !text[strspn (text, "abcdefghijklmnopqrstuvwxyz"
                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")];
}

// model.prop.lna for model.lna, or null: there is no such file.
static char *usual_property_file (const char *model) {
  const size_t length = strlen (model);
  char *path;
  if (length < 4 || strcmp (model + length - 4, ".lna") ||
      asprintf (&path, "%.*s.prop.lna", (int)length - 4, model) < 0)
    return 0;
  if (!access (path, R_OK))
    return path;
  free (path);
  return 0;
}

// Asks for a property of that name (null: all); -1: there is none.
static int read_property (tl_questions *questions, const char *name,
                          const options *o) {
  char *path = o->property_file ? strdup (o->property_file)
                                : usual_property_file (o->operands.item[0]);
  tl_settings settings;
  tl_error err = {0};
  bool found;
  int code = -1;
  if (path && (!name || is_identifier (name))) {
    if (!settings_open (&settings, o))
      code = fault ("out of memory");
    else if (tl_questions_add_property (questions, path, name, &settings,
                                        &found, &err))
      code = input_error (&err);
    else if (found)
      code = 0;
    settings_close (&settings);
  }
  free (path);
  return code;
}

// ---- All questions

// home PREDICATE: the shell has taken the quotes away.
static int read_home (tl_questions *questions, const char *predicate) {
  char *text;
  if (asprintf (&text, "home '%s'", predicate) < 0)
    return fault ("no memory for the formula");
  const int code = read_question (questions, text);
  free (text);
  return code;
}

// The formulas typed, then those of the property files.
static int read_questions (tl_questions *questions, const options *o) {
  tl_error err = {0};
  int code = 0;
  if (o->operands.count < 2 && o->property_file &&
      (code = read_property (questions, 0, o)))
    return code < 0 ? usage_error ("%s: there is no property", o->property_file)
                    : code;
  for (size_t i = 1; !code && i < o->operands.count; i++) {
    const char *text = o->operands.item[i];
    code = !strcmp (text, "home") && i + 1 < o->operands.count
               ? read_home (questions, o->operands.item[++i])
               : read_property (questions, text, o);
    if (code < 0)
      code = read_question (questions, text);
  }
  if (code)
    return code;
  for (size_t i = 0; i < o->properties.count; i++)
    if (tl_questions_add_file (questions, o->properties.item[i], &err))
      return input_error (&err);
  return 0;
}

static int report (const tl_net *net, const tl_answers *answers,
                   const options *o) {
  if (answers->run.stop == TL_STOP_REGRESS)
    return regress_error (net, &answers->run, o);
  if (answers->run.stop == TL_STOP_FAULT)
    return fault_error (net, &answers->run);
  int code = print_text (
      tl_answers_report (net, answers, form_wanted (o, o->properties.count)));
  if (!code && o->trace)
    code = save_text (tl_answers_traces (net, answers), o->trace);
  if (!code)
    code = save_plot (net, &answers->run, o);
  return code ? code : exit_code (answers);
}

// `graph` is null where there is none: then it is searched.
static int check (const tl_net *net, const tl_condensed *graph,
                  const tl_questions *questions, const options *o) {
  search s;
  tl_answers answers;
  tl_error err = {0};
  search_begin (&s, o);
  const tl_status status =
      graph ? tl_condensed_check (graph, questions, &s.how, &answers, &err)
            : tl_check (net, questions, &s.how, &answers, &err);
  search_end (&s);
  if (status) // a file with a measure is an input, too
    return input_error (&err);
  const int code = report (net, &answers, o);
  tl_answers_close (&answers);
  return code;
}

static int ask (const tl_net *net, const tl_condensed *graph,
                const options *o) {
  tl_questions *questions = 0;
  tl_error err = {0};
  int code = check_measure (net, o);
  if (!code && tl_questions_open (&questions, net, &err))
    code = library_error (&err);
  if (!code)
    code = read_questions (questions, o);
  if (!code)
    code = check (net, graph, questions, o);
  tl_questions_close (questions);
  return code;
}

static int ask_file (const options *o) {
  tl_condensed *graph;
  tl_error err = {0};
  if (tl_condensed_open (&graph, o->operands.item[0], &err))
    return input_error (&err);
  const int code = ask (tl_condensed_net (graph), graph, o);
  tl_condensed_close (graph);
  return code;
}

int run_check (const options *o) {
  if (o->operands.count < 2 && !o->properties.count && !o->property_file)
    return usage_error ("nothing to check: give a formula, a name such as "
                        "deadlock, or --mcc FILE");
  tl_net *net;
  int code = check_outputs (o);
  if (!code && tl_condensed_is (o->operands.item[0]) && !o->parameters.count)
    return ask_file (o);
  if (!code)
    code = open_model (&net, o);
  if (code)
    return code;
  code = ask (net, 0, o);
  tl_net_close (net);
  return code;
}
