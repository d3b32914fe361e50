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
  tl_error err = {0};
  if (tl_net_save (net, o->output ? o->output : "-", format, &err))
    code = library_error (&err);
  tl_net_close (net);
  return code;
}
