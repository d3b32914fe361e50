// A small reachability graph as a picture.

#include "api/api_call.h"
#include "base/error.h"
#include "explore/how.h"

tl_status tl_explore_dot (const tl_net *net, const tl_options *options,
                          const char *path, uint64_t most_states,
                          tl_error *error) {
  tl_api_call call;
  tl_how parsed;
  tl_condensed *graph;
  tl_exploration run = {.size = sizeof run};
  tl_status rc = tl_api_open (&call, options, &run, error);
  call.options.checkpoint = 0;
  if (rc)
    return rc;
  if (!net || !path)
    return tl_api_lacks ("tl_explore_dot", "a net and a path", error);
  if ((rc = tl_how_parse (&parsed, &call.options, error)))
    return rc;
  if (parsed.stubborn != TL_REDUCE_NONE)
    return tl_fail (error, TL_E_ARG,
                    "with stubborn sets there is no whole graph to draw");
  tl_options how = call.options;
  how.max_states = most_states;
  rc = tl_condensed_build (&graph, net, &how, &run, error);
  if (rc)
    return rc;
  if (graph)
    rc = tl_condensed_export (graph, path, "dot", TL_FORM_TEXT, error);
  else
    rc = tl_fail (error, TL_E_LIMIT, "the graph is not drawn: %s",
                  run.stop == TL_STOP_STATES ? "it has too many states"
                                             : tl_stop_text (run.stop));
  tl_condensed_close (graph);
  tl_exploration_close (&run);
  return rc;
}
