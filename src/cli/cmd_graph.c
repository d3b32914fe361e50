#include "cli/cli.h"

#include <stdio.h>

// A graph of more states than this cannot be drawn.
#define MOST_DRAWN 1000

// What to write instead of the graph itself; at most one.
static int count_forms (const options *o) {
  return o->aut + (o->picture || o->around != NO_STATE) + o->graphml +
         o->states + o->csv + o->published + (o->path != NO_STATE) +
         (o->state != NO_STATE);
}

// Is the size of the graph to be told besides?  The object of --json is that,
// but for --state, which has one of its own.
static bool size_asked (const options *o) {
  return o->stats || (o->json && o->state == NO_STATE);
}

static int check_forms (const options *o) {
  if (count_forms (o) > 1)
    return usage_error (
        "one of --aut, --dot, --graphml, --states, --csv, --published, --path "
        "and --state at a time");
  if (count_forms (o) && size_asked (o) && !o->graph_file)
    return usage_error ("--%s: where should the rest go? give -o FILE",
                        o->stats ? "stats" : "json");
  return 0;
}

static int write_path (const tl_condensed *graph, const options *o,
                       const char *path) {
  tl_trace trace;
  tl_error err = {0};
  if (tl_condensed_path (graph, o->path, &trace, &err))
    return library_error (&err);
  const int code =
      save_text (tl_condensed_path_report (tl_condensed_net (graph), &trace,
                                           o->path, trace_form (o)),
                 path);
  tl_condensed_path_close (&trace);
  return code;
}

static int write_state (const tl_condensed *graph, const options *o,
                        const char *path) {
  const uint64_t states = tl_condensed_sizes (graph).states;
  if (o->state >= states)
    return usage_error ("--state: there is no state %llu: they are numbered 0 "
                        "to %llu",
                        (unsigned long long)o->state,
                        (unsigned long long)states - 1);
  return save_text (
      tl_condensed_state_report (graph, o->state, form_wanted (o, false)),
      path);
}

static tl_status export_graph (const tl_condensed *graph, const options *o,
                               const char *path, tl_error *err) {
  tl_settings within;
  writing_begin (o, path, &within);
  const tl_status status =
      o->around != NO_STATE
          ? tl_condensed_draw (graph, path, o->around, (uint32_t)o->steps,
                               MOST_DRAWN, trace_form (o), &within, err)
          : tl_condensed_export_with (graph, path,
                                      o->aut       ? "aut"
                                      : o->picture ? "dot"
                                      : o->graphml ? "graphml"
                                      : o->states  ? "states"
                                      : o->csv     ? "csv"
                                                   : "published",
                                      trace_form (o), &within, err);
  work_end ();
  return status;
}

static int write_graph (const tl_condensed *graph, const options *o) {
  const char *path = o->graph_file ? o->graph_file : "-";
  tl_error err = {0};
  tl_status status = TL_OK;
  if (o->path != NO_STATE)
    return write_path (graph, o, path);
  if (o->state != NO_STATE)
    return write_state (graph, o, path);
  if (o->picture && o->around == NO_STATE &&
      tl_condensed_sizes (graph).states > MOST_DRAWN)
    return usage_error ("--dot: the graph has more than %d states; --around "
                        "STATE draws a part of it",
                        MOST_DRAWN);
  if (count_forms (o))
    status = export_graph (graph, o, path, &err);
  else if (o->graph_file)
    status = tl_condensed_save (graph, path, &err);
  return status ? library_error (&err) : 0;
}

// `x`: what building it took, or null.
static int use_graph (const tl_condensed *graph, const tl_exploration *x,
                      const options *o) {
  int code = write_graph (graph, o);
  if (!code)
    code = save_graph_page (graph, x, o);
  if (code || (!size_asked (o) && (o->graph_file || count_forms (o))))
    return code;
  const tl_condensed_size size = tl_condensed_sizes (graph);
  return print_text (tl_condensed_built_report (tl_condensed_net (graph), &size,
                                                x, form_wanted (o, false)));
}

static int from_file (const options *o) {
  tl_condensed *graph;
  tl_error err = {0};
  if (tl_condensed_open (&graph, o->operands.item[0], &err))
    return library_error (&err);
  const int code = use_graph (graph, 0, o);
  tl_condensed_close (graph);
  return code;
}

// What was found of it until the end is told to programs only.
static int no_graph (const tl_net *net, const tl_exploration *x,
                     const options *o) {
  if (x->stop == TL_STOP_REGRESS)
    return regress_error (net, x, o);
  if (x->stop == TL_STOP_FAULT)
    return fault_error (net, x, o);
  fprintf (stderr, "tideline: %s: no graph, %s\n", o->operands.item[0],
           tl_stop_text (x->stop));
  const int code =
      o->json
          ? print_text (tl_exploration_report (net, x, form_wanted (o, false)))
          : 0;
  return code ? code : EXIT_UNFINISHED;
}

static int from_search (const tl_net *net, const options *o) {
  search s;
  tl_exploration x;
  tl_error err = {0};
  tl_condensed *graph;
  search_begin (&s, o);
  const tl_status status = tl_condensed_build (&graph, net, &s.how, &x, &err);
  search_end (&s);
  if (status)
    return end_error (&err, o, o->operands.item[0]);
  const int code = graph ? use_graph (graph, &x, o) : no_graph (net, &x, o);
  tl_condensed_close (graph);
  tl_exploration_close (&x);
  return code;
}

int run_graph (const options *o) {
  tl_net *net;
  int code = check_forms (o);
  if (!code)
    code = check_outputs (o);
  if (!code && tl_condensed_is (o->operands.item[0]) && !o->parameters.count)
    return from_file (o);
  if (!code)
    code = open_model (&net, o);
  if (code)
    return code;
  code = from_search (net, o);
  tl_net_close (net);
  return code;
}
