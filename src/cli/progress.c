#include "cli/cli.h"

int run_progress (const options *o) {
  tl_net *net;
  int code = open_model (&net, o);
  if (code)
    return code;
  search s;
  tl_candidates all;
  tl_error err = {0};
  search_begin (&s, o);
  const tl_status status = tl_candidates_find (net, &s.how, &all, &err);
  search_end (&s);
  if (status)
    code = input_error (&err);
  else {
    code =
        print_text (tl_candidates_report (net, &all, form_wanted (o, false)));
    tl_candidates_close (&all);
  }
  tl_net_close (net);
  return code;
}
