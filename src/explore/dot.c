// A small reachability graph as a picture, in Graphviz's language: states with
// their marked places, edges with the names of transitions.  The states are
// kept as whole markings; this is for graphs that a person looks at.

#include "base/error.h"
#include "base/output.h"
#include "explore/explore.h"
#include "net/marking.h"

#include <string.h>
#include <xxhash.h>

typedef struct picture {
  tl_mem *mem;
  const tl_net *net;
  uint64_t *marking; // [states][places], in the order of the visits
  size_t states, room;
  uint64_t most;
  uint32_t *slot; // state + 1 by hash; 4 * most slots
} picture;

static uint64_t *marking_at (const picture *p, size_t state) {
  return p->marking + state * p->net->places;
}

// The slot where the marking is or belongs.
static size_t find (const picture *p, const uint64_t *marking) {
  const size_t bytes = p->net->places * sizeof *marking,
               slots = (size_t)(4 * p->most + 4);
  size_t i = (size_t)(XXH3_64bits (marking, bytes) % slots);
  while (p->slot[i] && memcmp (marking_at (p, p->slot[i] - 1), marking, bytes))
    i = (i + 1) % slots;
  return i;
}

static tl_wish keep_state (void *context, const tl_visit *v) {
  picture *p = context;
  const size_t places = p->net->places;
  if (p->states > p->most)
    return TL_ENOUGH;
  if (!TL_ROOM (p->mem, p->marking, &p->room, (p->states + 1) * places + 1))
    return TL_FAILED;
  tl_layout_unpack (v->layout, v->state, marking_at (p, p->states));
  p->slot[find (p, marking_at (p, p->states))] = (uint32_t)p->states + 1;
  p->states++;
  return TL_GO_ON;
}

static void write_quoted (FILE *f, const char *text) {
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      putc ('\\', f);
    putc (*text, f);
  }
}

static void draw_state (const picture *p, FILE *f, size_t state) {
  const uint64_t *marking = marking_at (p, state);
  fprintf (f, "  s%zu [label=\"", state);
  const char *gap = "";
  for (uint32_t place = 0; place < p->net->places; place++) {
    if (!marking[place])
      continue;
    fputs (gap, f);
    write_quoted (f, p->net->place_name[place]);
    if (marking[place] > 1)
      fprintf (f, "*%llu", (unsigned long long)marking[place]);
    gap = "\\n";
  }
  fputs (state ? "\"];\n" : "\", penwidth=2];\n", f);
}

static void draw_edges (const picture *p, FILE *f, size_t state,
                        uint64_t *marking) {
  const tl_net *net = p->net;
  for (uint32_t t = 0; t < net->transitions; t++) {
    memcpy (marking, marking_at (p, state), net->places * sizeof *marking);
    if (!tl_marking_enables (net, marking, t))
      continue;
    tl_marking_fire (net, marking, t);
    fprintf (f, "  s%zu -> s%u [label=\"", state,
             p->slot[find (p, marking)] - 1);
    write_quoted (f, net->transition_name[t]);
    fputs ("\"];\n", f);
  }
}

static tl_status draw (const picture *p, const char *path, tl_error *error) {
  uint64_t *marking;
  if (!TL_NEW (p->mem, marking, p->net->places))
    return tl_fail (error, TL_E_NOMEM, "no memory for the picture");
  tl_output out;
  tl_status rc = tl_output_open (&out, path, error);
  if (!rc) {
    fputs ("digraph states {\n  node [shape=box];\n", out.file);
    for (size_t s = 0; s < p->states; s++)
      draw_state (p, out.file, s);
    for (size_t s = 0; s < p->states; s++)
      draw_edges (p, out.file, s, marking);
    fputs ("}\n", out.file);
    rc = tl_output_close (&out, TL_OK, error);
  }
  TL_DEL (p->mem, marking, p->net->places);
  return rc;
}

tl_status tl_explore_dot (const tl_net *net, const tl_options *options,
                          const char *path, uint64_t most_states,
                          tl_error *error) {
  if (strcmp (options->stubborn, "none"))
    return tl_fail (error, TL_E_ARG,
                    "with stubborn sets there is no whole graph to draw");
  tl_mem root = TL_MEM (0, "total");
  picture p = {.mem = &root, .net = net, .most = most_states};
  if (!TL_NEW (&root, p.slot, (size_t)(4 * p.most + 4)))
    return tl_fail (error, TL_E_NOMEM, "no memory for the picture");
  const tl_visitor visitor = {.context = &p, .visit = keep_state};
  tl_exploration result;
  tl_status rc = tl_explore_on (&root, net, options, &visitor, &result, error);
  if (!rc && !result.complete)
    rc = tl_fail (error, TL_E_LIMIT, "the graph is not drawn: %s",
                  result.stop == TL_STOP_DECIDED ? "it has too many states"
                                                 : tl_stop_text (result.stop));
  if (!rc)
    rc = draw (&p, path, error);
  tl_exploration_close (&result);
  if (p.marking)
    TL_DEL (&root, p.marking, p.room);
  TL_DEL (&root, p.slot, (size_t)(4 * p.most + 4));
  return rc;
}
