// tideline mcc: a tool of the Model Checking Contest.  What to do is in the
// environment, the model and the formulas are in the current folder, and every
// answer is printed as soon as it is known.

#include "cli/cli.h"
#include "cli/quantities.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODEL "model.pnml"

typedef struct examination {
  const char *name;
  const char *question; // null: those of the file NAME.xml
  bool counts;          // the state space is asked for
} examination;

static const examination examinations[] = {
    {.name = "StateSpace", .counts = true},
    {.name = "ReachabilityDeadlock", .question = "deadlock"},
    {.name = "QuasiLiveness", .question = "quasi-live"},
    {.name = "StableMarking", .question = "stable-marking"},
    {.name = "Liveness", .question = "live"},
    {.name = "OneSafe", .question = "one-safe"},
    {.name = "UpperBounds"},
    {.name = "ReachabilityFireability"},
    {.name = "ReachabilityCardinality"},
    {.name = "CTLFireability"},
    {.name = "CTLCardinality"},
    {.name = "LTLFireability"},
    {.name = "LTLCardinality"},
};

static const examination *find_examination (const char *name) {
  for (size_t i = 0; i < sizeof examinations / sizeof *examinations; i++)
    if (!strcmp (examinations[i].name, name))
      return examinations + i;
  return 0;
}

// ---- The environment -------------------------------------------------------

// A number in the environment; 0: it is not set.
static int read_number (const char *variable, uint64_t most, uint64_t *value) {
  const char *text = getenv (variable);
  *value = 0;
  if (!text || !*text)
    return 0;
  if (!parse_count (text, value) || *value > most)
    return usage_error ("%s: '%s' is not a number from 0 to %llu", variable,
                        text, (unsigned long long)most);
  return 0;
}

// When to stop, so that there is time to say what is not known.
static double usable_seconds (uint64_t allowed) {
  const double seconds = (double)allowed,
               margin = seconds / 20 < 30 ? seconds / 20 : 30;
  return seconds - margin;
}

typedef struct limits {
  double end; // by clock_now; 0: none
  uint64_t memory;
} limits;

static int read_limits (limits *l) {
  enum { YEAR = 31536000, MOST_MEGABYTES = 1 << 30 };
  uint64_t seconds, megabytes;
  int code = read_number ("BK_TIME_CONFINEMENT", YEAR, &seconds);
  if (!code)
    code = read_number ("BK_MEMORY_CONFINEMENT", MOST_MEGABYTES, &megabytes);
  if (code)
    return code;
  l->end = seconds ? clock_now () + usable_seconds (seconds) : 0;
  l->memory = megabytes * ((uint64_t)1 << 20) / 10 * 9;
  return 0;
}

static double seconds_left (const limits *l) {
  const double left = l->end - clock_now ();
  return l->end <= 0 ? 0 : left > 0 ? left : 1e-3;
}

static void apply_limits (tl_options *how, const limits *l) {
  how->memory = l->memory;
  how->timeout = seconds_left (l);
}

// ---- Answers ---------------------------------------------------------------

static int count_states (const tl_net *net, const options *o, const limits *l) {
  search s;
  tl_exploration x;
  tl_error err = {0};
  search_begin (&s, o);
  apply_limits (&s.how, l);
  const tl_status status = tl_explore (net, &s.how, &x, &err);
  search_end (&s);
  if (status)
    return library_error (&err);
  int code = print_text (tl_exploration_report (net, &x, TL_FORM_MCC));
  if (!code && !x.complete)
    code = EXIT_UNFINISHED;
  tl_exploration_close (&x);
  return code;
}

static int answer_all (const tl_net *net, const tl_questions *questions,
                       const examination *e, const options *o,
                       const limits *l) {
  search s;
  tl_answers answers;
  tl_error err = {0};
  telling t = {.name = e->question ? e->name : 0};
  search_begin (&s, o);
  apply_limits (&s.how, l);
  tell_answers (&t, &s.how);
  const tl_status status = tl_check (net, questions, &s.how, &answers, &err);
  search_end (&s);
  if (status)
    return library_error (&err);
  bool open = false;
  for (size_t i = 0; i < answers.count; i++)
    open |= answers.answer[i].verdict == TL_VERDICT_UNKNOWN;
  const int code = tell_open (&t, &answers);
  tl_answers_close (&answers);
  return code ? code : open ? EXIT_UNFINISHED : 0;
}

// ---- The command -----------------------------------------------------------

static int do_not_compete (const char *why) {
  fprintf (stderr, "tideline: %s\n", why);
  return puts ("DO_NOT_COMPETE") < 0 ? EXIT_FAULT : EXIT_HOLDS;
}

static tl_status read_examination (tl_questions **questions, const tl_net *net,
                                   const examination *e, tl_error *err) {
  char path[64];
  snprintf (path, sizeof path, "%s.xml", e->name);
  const tl_status status = tl_questions_open (questions, net, err);
  if (status)
    return status;
  return e->question ? tl_questions_add_text (*questions, e->question, err)
                     : tl_questions_add_file (*questions, path, err);
}

static int examine (const tl_net *net, const examination *e, const options *o,
                    const limits *l) {
  if (e->counts)
    return count_states (net, o, l);
  tl_questions *questions = 0;
  tl_error err = {0};
  const tl_status status = read_examination (&questions, net, e, &err);
  const int code = status == TL_E_MODEL ? do_not_compete (err.text)
                   : status             ? library_error (&err)
                                        : answer_all (net, questions, e, o, l);
  tl_questions_close (questions);
  return code;
}

int run_mcc (const options *o) {
  const char *name = getenv ("BK_EXAMINATION");
  limits l;
  if (!name || !*name)
    return usage_error ("BK_EXAMINATION is not set: it names what to do, such "
                        "as StateSpace");
  int code = read_limits (&l);
  if (code)
    return code;
  const examination *e = find_examination (name);
  if (!e)
    return do_not_compete ("there is no such examination");
  tl_net *net;
  tl_error err = {0};
  tl_settings settings = tl_settings_default ();
  work_begin (o, &settings.timeout, &settings.cancel);
  settings.memory = l.memory;
  settings.timeout = seconds_left (&l);
  const tl_status status = tl_net_open_with (&net, MODEL, &settings, &err);
  work_end ();
  if (status)
    return status == TL_E_MODEL ? do_not_compete (err.text)
                                : library_error (&err);
  code = examine (net, e, o, &l);
  tl_net_close (net);
  return code;
}
