#include "cli/cli.h"

static int compare (const tl_net *net, const options *o) {
  search s;
  tl_candidates all;
  tl_error err = {0};
  search_begin (&s, o);
  const tl_status status = tl_candidates_find (net, &s.how, &all, &err);
  search_end (&s);
  if (status)
    return end_error (&err, o, o->operands.item[0]);
  const int code =
      print_text (tl_candidates_report (net, &all, form_wanted (o, false)));
  tl_candidates_close (&all);
  return code;
}

int run_progress (const options *o) {
  tl_net *net;
  int code = open_model (&net, o);
  if (code)
    return code;
  code = check_measure (net, o);
  if (!code)
    code = compare (net, o);
  tl_net_close (net);
  return code;
}
