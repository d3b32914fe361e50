#include "page/page.h"

#include <inttypes.h>

// More states make no picture that somebody would look at.
#define MOST_STATES 250
#define MOST_ARCS 1500

static bool is_small (const tl_condensed *graph) {
  const tl_condensed_size size = tl_condensed_sizes (graph);
  return size.states <= MOST_STATES && size.arcs <= MOST_ARCS;
}

// States as far from the initial one stand beside each other: arcs that lead no
// further do not count.
static void sketch_state (FILE *f, tl_state *state, const uint64_t *depth) {
  const uint64_t number = state->number;
  bool failed = false;
  while (tl_state_next (state, &failed))
    fprintf (f, "s%" PRIu64 "->s%" PRIu64 "%s\n", number, state->target,
             depth[state->target] > depth[number] ? "" : "[constraint=false]");
}

static void sketch (FILE *f, const tl_condensed *graph) {
  const uint64_t states = tl_condensed_sizes (graph).states;
  uint64_t depth[MOST_STATES];
  tl_state state;
  fputs ("digraph{edge[dir=none]node[fixedsize=true label=\"\" "
         "shape=circle width=0.45]\n",
         f);
  for (uint64_t s = 0; s < states; s++) {
    depth[s] = tl_state_open (&state, graph, s) ? state.way.length : 0;
    fprintf (f, "s%" PRIu64 "\n", s);
    tl_state_close (&state);
  }
  for (uint64_t s = 0; s < states; s++) {
    if (tl_state_open (&state, graph, s))
      sketch_state (f, &state, depth);
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
