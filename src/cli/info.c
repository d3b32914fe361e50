#include "cli/cli.h"

int run_info (const options *o) {
  tl_net *net;
  int code = open_model (&net, o);
  if (code)
    return code;
  tl_net_close (net);
  return usage_error ("'info' is not in this version");
}
