#include "page/page.h"

#include <inttypes.h>

// More states make no picture that somebody would look at.
#define MOST_STATES 250
#define MOST_ARCS 1500

static bool is_small (const tl_condensed *graph) {
  const tl_condensed_size size = tl_condensed_sizes (graph);
  return size.states <= MOST_STATES && size.arcs <= MOST_ARCS;
}

static void sketch (FILE *f, const tl_condensed *graph) {
  const uint64_t states = tl_condensed_sizes (graph).states;
  fputs ("digraph{edge[dir=none]node[fixedsize=true label=\"\" shape=circle "
         "width=0.45]\n",
         f);
  for (uint64_t s = 0; s < states; s++) {
    tl_state state;
    bool failed = !tl_state_open (&state, graph, s);
    fprintf (f, "s%" PRIu64 "\n", s);
    while (!failed && tl_state_next (&state, &failed))
      fprintf (f, "s%" PRIu64 "->s%" PRIu64 "\n", s, state.target);
    tl_state_close (&state);
  }
  fputs ("}\n", f);
}

char *tl_condensed_sketch (const tl_condensed *graph) {
  tl_writing w;
  if (!graph || !is_small (graph) || !tl_writing_open (&w))
    return 0;
  sketch (w.file, graph);
  return tl_writing_close (&w);
}

bool tl_page_states (FILE *f, const tl_condensed *graph, tl_form form) {
  if (!graph || !is_small (graph)) {
    fputs ("null", f);
    return true;
  }
  const uint64_t states = tl_condensed_sizes (graph).states;
  bool ok = true;
  putc ('[', f);
  for (uint64_t s = 0; ok && s < states; s++) {
    char *text = tl_condensed_state_report (graph, s, form);
    fputs (s ? "," : "", f);
    if ((ok = text))
      tl_page_json (f, text);
    tl_text_close (text);
  }
  putc (']', f);
  return ok;
}
