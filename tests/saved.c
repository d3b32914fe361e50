#include "saved.h"

tl_status check_saved (const tl_net *net, const tl_questions *questions,
                       const tl_options *options, tl_answers *answers,
                       tl_error *err) {
  tl_condensed *graph;
  tl_exploration run;
  tl_status rc = tl_condensed_build (&graph, net, options, &run, err);
  if (rc)
    return rc;
  rc = graph ? tl_condensed_check (graph, questions, options, answers, err)
             : tl_check (net, questions, options, answers, err);
  tl_condensed_close (graph);
  tl_exploration_close (&run);
  return rc;
}
