// Pages for the browser.  Where Graphviz is installed it lays out what they
// show: that is a program, so it is run here and not by the library.

#include "cli/cli.h"

// Larger nets take Graphviz long, and nobody sees all of them at once.
#define MOST_LAID_OUT 1200
// A graph of more states is not drawn on a page.
#define MOST_DRAWN 250

static char *lay_out_net (const tl_net *net, const options *o) {
  return lay_out (tl_net_sketch (net, MOST_LAID_OUT, trace_form (o)));
}

int save_answers_page (const tl_net *net, const tl_answers *answers,
                       const options *o) {
  if (!o->html)
    return 0;
  char *drawn = lay_out_net (net, o);
  const tl_page_layout layout = {.net = drawn};
  const int code = save_text (
      tl_answers_page (net, answers, trace_form (o), &layout), o->html);
  tl_text_close (drawn);
  return code;
}

// All states of a small net; null: there are too many, or no time.
static tl_condensed *small_graph (const tl_net *net, const tl_exploration *x,
                                  const options *o) {
  tl_condensed *graph = 0;
  tl_exploration built;
  search s;
  if (!x->complete || !x->counted || x->states > MOST_DRAWN)
    return 0;
  search_begin (&s, o);
  s.how.order = tl_options_default ().order;
  if (!tl_condensed_build (&graph, net, &s.how, &built, 0))
    tl_exploration_close (&built);
  search_end (&s);
  return graph;
}

int save_exploration_page (const tl_net *net, const tl_exploration *x,
                           const options *o) {
  if (!o->html)
    return 0;
  tl_condensed *graph = small_graph (net, x, o);
  char *drawn = lay_out_net (net, o);
  char *drawn_graph = lay_out (tl_condensed_sketch (graph));
  const tl_page_layout layout = {.net = drawn, .graph = drawn_graph};
  const int code = save_text (
      tl_exploration_page (net, x, graph, trace_form (o), &layout), o->html);
  tl_text_close (drawn);
  tl_text_close (drawn_graph);
  tl_condensed_close (graph);
  return code;
}

int save_graph_page (const tl_condensed *graph, const tl_exploration *built,
                     const options *o) {
  if (!o->html)
    return 0;
  char *drawn = lay_out_net (tl_condensed_net (graph), o);
  char *drawn_graph = lay_out (tl_condensed_sketch (graph));
  const tl_page_layout layout = {.net = drawn, .graph = drawn_graph};
  const int code = save_text (
      tl_condensed_page (graph, built, trace_form (o), &layout), o->html);
  tl_text_close (drawn);
  tl_text_close (drawn_graph);
  return code;
}

int save_game_page (const tl_net *net, tl_game *game, const options *o) {
  if (!o->html)
    return 0;
  char *drawn = lay_out_net (net, o);
  const tl_page_layout layout = {.net = drawn};
  const int code =
      save_text (tl_game_page (net, game, trace_form (o), &layout), o->html);
  tl_text_close (drawn);
  return code;
}
