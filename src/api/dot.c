// A small reachability graph as a picture.

#include "base/error.h"
#include "tideline.h"

#include <string.h>

tl_status tl_explore_dot (const tl_net *net, const tl_options *options,
                          const char *path, uint64_t most_states,
                          tl_error *error) {
  if (strcmp (options->stubborn, "none"))
    return tl_fail (error, TL_E_ARG,
                    "with stubborn sets there is no whole graph to draw");
  tl_options how = *options;
  how.max_states = most_states;
  tl_condensed *graph;
  tl_exploration run;
  tl_status rc = tl_condensed_build (&graph, net, &how, &run, error);
  if (rc)
    return rc;
  if (graph)
    rc = tl_condensed_export (graph, path, "dot", error);
  else
    rc = tl_fail (error, TL_E_LIMIT, "the graph is not drawn: %s",
                  run.stop == TL_STOP_STATES ? "it has too many states"
                                             : tl_stop_text (run.stop));
  tl_condensed_close (graph);
  tl_exploration_close (&run);
  return rc;
}
