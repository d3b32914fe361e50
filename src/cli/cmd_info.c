#include "cli/cli.h"

int run_info (const options *o) {
  tl_net *net;
  int code = open_model (&net, o);
  if (code)
    return code;
  tl_info info;
  tl_error err = {0};
  search s;
  search_begin (&s, o);
  const tl_status status = tl_net_info_with (net, &s.how, &info, &err);
  search_end (&s);
  if (status)
    code = end_error (&err, o, o->operands.item[0]);
  else {
    code = print_text (
        tl_info_report (net, &info, o->json ? TL_FORM_JSON : TL_FORM_TEXT));
    tl_info_close (&info);
  }
  tl_net_close (net);
  return code;
}
