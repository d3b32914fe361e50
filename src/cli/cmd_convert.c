#include "cli/cli.h"

// The questions that the net is to be made smaller for.
static int read_formulas (tl_questions *questions, const options *o) {
  tl_error err = {0};
  for (size_t i = 0; i < o->reduce.count; i++)
    if (tl_questions_add_text (questions, o->reduce.item[i], &err))
      return text_error (&err, o->reduce.item[i]);
  return 0;
}

static int reduce (tl_net **net, const options *o) {
  tl_questions *questions;
  tl_settings settings;
  tl_error err = {0};
  tl_net *smaller = 0;
  if (!settings_open (&settings, o))
    return fault ("out of memory");
  if (tl_questions_open (&questions, *net, &err)) {
    settings_close (&settings);
    return library_error (&err);
  }
  int code = read_formulas (questions, o);
  if (!code && tl_net_reduce (&smaller, questions, &settings, &err))
    code = library_error (&err);
  tl_questions_close (questions);
  settings_close (&settings);
  if (!code) {
    tl_net_close (*net);
    *net = smaller;
  }
  return code;
}

int run_convert (const options *o) {
  const char *format = choose_format (o, 0);
  if (!format)
    return EXIT_USAGE;
  tl_net *net;
  int code = check_outputs (o);
  if (!code)
    code = open_unfolded (&net, o);
  if (code)
    return code;
  const char *path = o->output ? o->output : "-";
  tl_settings within;
  tl_error err = {0};
  if (o->reduce.count)
    code = reduce (&net, o);
  writing_begin (o, path, &within);
  if (!code && tl_net_save_with (net, path, format, &within, &err))
    code = library_error (&err);
  work_end ();
  tl_net_close (net);
  return code;
}
