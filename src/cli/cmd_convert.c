#include "cli/cli.h"

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
  writing_begin (o, path, &within);
  if (tl_net_save_with (net, path, format, &within, &err))
    code = library_error (&err);
  work_end ();
  tl_net_close (net);
  return code;
}
