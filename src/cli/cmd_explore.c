#include "cli/cli.h"

#include <stdio.h>

// A graph of more states than this cannot be drawn.
#define MOST_DRAWN 1000

// The graph is drawn by a search of its own, which leaves nothing out.
static int draw (const tl_net *net, const tl_exploration *x, const options *o,
                 const tl_options *how) {
  if (!o->dot)
    return 0;
  if (!x->complete)
    return not_written (o->dot, "the exploration is incomplete");
  tl_error err = {0};
  tl_options whole = *how;
  whole.order = tl_options_default ().order;
  whole.certificate = 0;
  whole.stubborn = tl_options_default ().stubborn;
  if (tl_explore_dot (net, &whole, o->dot, MOST_DRAWN, &err))
    return library_error (&err);
  return 0;
}

static int save_trace (const tl_net *net, const tl_exploration *x,
                       const options *o) {
  const char *path = o->trace;
  if (!path)
    return 0;
  if (x->deadlock.transition || x->unbounded.transition)
    return save_text (tl_exploration_traces (net, x, trace_form (o)), path);
  return not_written (path, "there is no trace");
}

static int report (const tl_net *net, const tl_exploration *x, const options *o,
                   const tl_options *how) {
  if (x->stop == TL_STOP_REGRESS)
    return regress_error (net, x, o);
  if (x->stop == TL_STOP_FAULT)
    return fault_error (net, x, o);
  if (o->certificate && !x->complete)
    not_written (o->certificate, "the exploration is incomplete");
  int code =
      print_text (tl_exploration_report (net, x, form_wanted (o, o->contest)));
  if (!code)
    code = save_trace (net, x, o);
  if (!code)
    code = save_plot (net, x, o);
  if (!code)
    code = draw (net, x, o, how);
  if (!code)
    code = save_exploration_page (net, x, o);
  if (!code && !x->complete)
    code = EXIT_UNFINISHED;
  return code;
}

static int explore (const tl_net *net, const options *o) {
  search s;
  tl_exploration x;
  tl_error err = {0};
  search_begin (&s, o);
  s.how.engine = o->explorer;
  s.how.certificate = o->certificate;
  const tl_status status = tl_explore (net, &s.how, &x, &err);
  search_end (&s);
  if (status)
    return end_error (&err, o, o->operands.item[0]);
  const int code = end_request (o, &x, report (net, &x, o, &s.how));
  tl_exploration_close (&x);
  return code;
}

int run_explore (const options *o) {
  tl_net *net;
  int code = check_outputs (o);
  if (!code)
    code = keep_request (o, "explore", 0);
  if (!code)
    code = open_model (&net, o);
  if (code)
    return code;
  code = check_measure (net, o);
  if (!code)
    code = explore (net, o);
  tl_net_close (net);
  return code;
}
