#include "graph/export.h"

#include "net/folded.h"

#include <inttypes.h>

typedef struct text {
  const tl_net *net;
  FILE *file;
} text;

// For inside quotation marks.
static void write_word (FILE *f, const char *word) {
  for (; *word; word++) {
    if (*word == '"' || *word == '\\')
      putc ('\\', f);
    putc (*word, f);
  }
}

// Events that are not transitions have one name only.
static void write_label (const text *t, const tl_walk_visit *v,
                         const char *const *names, uint32_t step) {
  const tl_model_kind *kind = v->generator->kind;
  write_word (t->file, kind->transition ? kind->event_name (v->generator, step)
                                        : names[step]);
}

static tl_status aut_state (void *context, const tl_walk_visit *v) {
  const text *t = context;
  for (uint32_t i = 0; i < v->arcs; i++) {
    fprintf (t->file, "(%" PRIu64 ",\"", v->number);
    write_label (t, v, t->net->transition_id, v->step[i]);
    fprintf (t->file, "\",%" PRIu64 ")\n", v->target[i]);
  }
  return TL_OK;
}

tl_status tl_graph_write_aut (const tl_graph *g, tl_mem *mem, const tl_net *net,
                              const uint64_t *most, FILE *file) {
  text t = {net, file};
  fprintf (file, "des (0,%" PRIu64 ",%" PRIu64 ")\n", g->arcs, g->states);
  return tl_graph_walk (g, mem, net, most, aut_state, &t);
}

// A state as its marked places.
static void draw_state (const text *t, const tl_walk_visit *v) {
  fprintf (t->file, "  s%" PRIu64 " [label=\"", v->number);
  const char *gap = "";
  const uint32_t places = tl_net_seen (t->net);
  for (uint32_t p = 0; p < places; p++) {
    const uint64_t tokens =
        tl_layout_tokens (v->visit.layout, v->visit.state, p);
    if (!tokens)
      continue;
    fputs (gap, t->file);
    write_word (t->file, t->net->place_name[p]);
    if (tokens > 1)
      fprintf (t->file, "*%" PRIu64, tokens);
    gap = "\\n";
  }
  fputs (v->number ? "\"];\n" : "\", penwidth=2];\n", t->file);
}

static tl_status dot_state (void *context, const tl_walk_visit *v) {
  const text *t = context;
  draw_state (t, v);
  for (uint32_t i = 0; i < v->arcs; i++) {
    fprintf (t->file, "  s%" PRIu64 " -> s%" PRIu64 " [label=\"", v->number,
             v->target[i]);
    write_label (t, v, t->net->transition_name, v->step[i]);
    fputs ("\"];\n", t->file);
  }
  return TL_OK;
}

tl_status tl_graph_write_dot (const tl_graph *g, tl_mem *mem, const tl_net *net,
                              const uint64_t *most, FILE *file) {
  text t = {net, file};
  fputs ("digraph states {\n  node [shape=box];\n", file);
  const tl_status rc = tl_graph_walk (g, mem, net, most, dot_state, &t);
  fputs ("}\n", file);
  return rc;
}
