#include "graph/export.h"

#include "net/folded.h"

#include <inttypes.h>

typedef struct text {
  const tl_net *net;
  const tl_mem *mem;
  tl_titles *titles;
  FILE *file;
  const char *gap, *before; // between marked places, and before the next one
  bool quoted;
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
  const char *label =
      kind->transition ? kind->event_name (v->generator, step) : names[step];
  const uint32_t transition =
      tl_shown_number (t->net, tl_generator_transition (v->generator, step));
  write_word (t->file, t->titles
                           ? tl_title_in (t->titles, false, transition, label)
                           : label);
}

static tl_status aut_state (void *context, const tl_walk_visit *v) {
  const text *t = context;
  for (uint32_t i = 0; i < v->arcs; i++) {
    fprintf (t->file, "(%" PRIu64 ",\"", v->number);
    write_label (t, v, t->net->transition_id, v->step[i]);
    fprintf (t->file, "\",%" PRIu64 ")\n", v->target[i]);
  }
  return tl_walk_look (v, t->mem);
}

tl_status tl_graph_write_aut (const tl_graph *g, tl_mem *mem, const tl_net *net,
                              const uint64_t *most, tl_titles *titles,
                              FILE *file) {
  text t = {.net = net, .mem = mem, .titles = titles, .file = file};
  fprintf (file, "des (0,%" PRIu64 ",%" PRIu64 ")\n", g->arcs, g->states);
  return tl_graph_walk (g, mem, net, most, aut_state, &t);
}

// ---- Markings --------------------------------------------------------------

static tl_status write_marked (void *context, uint32_t place, const char *id,
                               uint64_t tokens) {
  text *t = context;
  const char *label = t->titles ? tl_title_in (t->titles, true, place, id) : id;
  fputs (t->before, t->file);
  if (t->quoted)
    write_word (t->file, label);
  else
    fputs (label, t->file);
  if (tokens > 1)
    fprintf (t->file, "*%" PRIu64, tokens);
  t->before = t->gap;
  return TL_OK;
}

static tl_status write_marking (text *t, const tl_walk_visit *v) {
  t->before = "";
  return v->generator->kind->marking (v->generator, v->visit.layout,
                                      v->visit.state, write_marked, t);
}

static tl_status dot_state (void *context, const tl_walk_visit *v) {
  text *t = context;
  fprintf (t->file, "  s%" PRIu64 " [label=\"", v->number);
  const tl_status rc = write_marking (t, v);
  fputs (v->number ? "\"];\n" : "\", penwidth=2];\n", t->file);
  for (uint32_t i = 0; i < v->arcs; i++) {
    fprintf (t->file, "  s%" PRIu64 " -> s%" PRIu64 " [label=\"", v->number,
             v->target[i]);
    write_label (
        t, v, t->net->origin ? t->net->transition_name : t->net->transition_id,
        v->step[i]);
    fputs ("\"];\n", t->file);
  }
  return rc ? rc : tl_walk_look (v, t->mem);
}

tl_status tl_graph_write_dot (const tl_graph *g, tl_mem *mem, const tl_net *net,
                              const uint64_t *most, tl_titles *titles,
                              FILE *file) {
  text t = {.net = net,
            .mem = mem,
            .titles = titles,
            .file = file,
            .gap = "\\n",
            .quoted = true};
  fputs ("digraph states {\n  node [shape=box];\n", file);
  const tl_status rc = tl_graph_walk (g, mem, net, most, dot_state, &t);
  fputs ("}\n", file);
  return rc;
}

static tl_status list_state (void *context, const tl_walk_visit *v) {
  text *t = context;
  fprintf (t->file, "%" PRIu64 "\t", v->number);
  const tl_status rc = write_marking (t, v);
  putc ('\n', t->file);
  return rc ? rc : tl_walk_look (v, t->mem);
}

tl_status tl_graph_write_states (const tl_graph *g, tl_mem *mem,
                                 const tl_net *net, const uint64_t *most,
                                 tl_titles *titles, FILE *file) {
  text t = {.net = net, .mem = mem, .titles = titles, .file = file, .gap = " "};
  return tl_graph_walk (g, mem, net, most, list_state, &t);
}
