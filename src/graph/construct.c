#include "graph/construct.h"

#include "base/error.h"
#include "explore/search.h"

tl_visit_verdict tl_graph_arcs (tl_graph *g, uint64_t state,
                                const uint64_t *numbers, size_t count,
                                bool last) {
  tl_status rc = tl_graph_targets (g, numbers, count);
  if (!rc && last)
    rc = tl_graph_place (g, state);
  if (!rc && last)
    rc = tl_graph_end_state (g);
  return rc ? TL_VISIT_FAILED : TL_VISIT_CONTINUE;
}

tl_options tl_graph_options (const tl_options *options) {
  tl_options how = *options;
  if (tl_order_find (options->order) != &tl_order_sweep)
    how.order = "bfs";
  how.store = "auto";
  how.stubborn = "none";
  return how;
}

uint64_t tl_graph_markings (const tl_exploration *run) {
  return run->counted ? run->states : 0;
}

static tl_visit_verdict arcs (void *context, uint64_t state,
                              const uint64_t *numbers, size_t count,
                              bool last) {
  return tl_graph_arcs (context, state, numbers, count, last);
}

static tl_status open_part (void **part, tl_mem *mem) {
  tl_graph_part *p;
  const tl_status rc = tl_graph_part_open (&p, mem);
  *part = p;
  return rc;
}

static void close_part (void *part) {
  tl_graph_part_close (part);
}

static tl_status make_part (void *part, uint64_t found, const uint64_t *numbers,
                            const uint32_t *end) {
  return tl_graph_part_make (part, found, numbers, end);
}

static tl_visit_verdict place (void *context, void *part) {
  return tl_graph_part_place (context, part) ? TL_VISIT_FAILED
                                             : TL_VISIT_CONTINUE;
}

static void touch (void *context, tl_threads *team) {
  tl_graph_touch (context, team);
}

static void write_part (void *context, const void *part) {
  tl_graph_part_write (context, part);
}

static const tl_arcs_apart apart = {.states = TL_GRAPH_BLOCK,
                                    .open = open_part,
                                    .close = close_part,
                                    .make = make_part,
                                    .tell = place,
                                    .touch = touch,
                                    .write = write_part};

static tl_visit_verdict again (void *context) {
  return tl_graph_restart (context) ? TL_VISIT_FAILED : TL_VISIT_CONTINUE;
}

tl_status tl_graph_build (tl_graph **out, tl_mem *mem, tl_mem *root,
                          const tl_net *net, const tl_options *options,
                          tl_exploration *run, tl_error *error) {
  *out = 0;
  *run = (tl_exploration){.size = sizeof *run};
  tl_graph *g;
  if (tl_graph_open (&g, mem))
    return tl_fail (error, TL_E_NOMEM, "no memory for the graph");
  const tl_visitor visitor = {
      .context = g, .arcs = arcs, .apart = &apart, .again = again};
  const tl_options how = tl_graph_options (options);
  tl_status rc = tl_explore_on (root, net, &how, &visitor, run, error);
  if (!rc && run->complete) {
    if ((rc = tl_graph_finish (g, tl_graph_markings (run))))
      tl_fail (error, rc, "no memory for the graph");
    else
      *out = g;
  }
  if (!*out)
    tl_graph_close (g);
  if (rc)
    tl_exploration_close (run);
  return rc;
}
