#include "cli/cli.h"

#include <stdio.h>

static int verify (const tl_net *net, const options *o) {
  search s;
  tl_verification v;
  tl_error err = {0};
  search_begin (&s, o);
  const tl_status status =
      tl_verify (o->operands.item[0], net, &s.how, &v, &err);
  search_end (&s);
  if (status)
    return library_error (&err);
  const int code =
      print_text (tl_verification_report (&v, form_wanted (o, false)));
  if (!v.verified)
    fprintf (stderr, "tideline: %s: refused: %s\n", o->operands.item[0],
             v.reason);
  const bool verified = v.verified;
  tl_verification_close (&v);
  return code ? code : verified ? EXIT_HOLDS : EXIT_VIOLATED;
}

int run_verify (const options *o) {
  tl_net *net = 0;
  int code =
      o->operands.count > 1 ? open_named (&net, o, o->operands.item[1]) : 0;
  if (code)
    return code;
  code = verify (net, o);
  tl_net_close (net);
  return code;
}
