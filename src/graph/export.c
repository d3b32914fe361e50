#include "graph/export.h"

#include "base/markup.h"
#include "net/folded.h"

#include <inttypes.h>

typedef struct text {
  const tl_net *net;
  const tl_mem *mem;
  tl_titles *titles;
  FILE *file;
  const char *gap, *before; // between marked places, and before the next one
  void (*write) (FILE *, const char *); // a name there
  const tl_around *around;              // null: all of the graph
  uint64_t number;                      // of the state at hand
} text;

// For inside quotation marks.
static void write_word (FILE *f, const char *word) {
  for (; *word; word++) {
    if (*word == '"' || *word == '\\')
      putc ('\\', f);
    putc (*word, f);
  }
}

static void write_plainly (FILE *f, const char *word) {
  fputs (word, f);
}

// Events that are not transitions have one name only.
static void write_label (const text *t, const tl_walk_visit *v,
                         const char *const *names, uint32_t step) {
  const tl_model_kind *kind = v->generator->kind;
  const char *label =
      kind->transition ? kind->event_name (v->generator, step) : names[step];
  const uint32_t transition =
      tl_shown_number (t->net, tl_generator_transition (v->generator, step));
  t->write (t->file, t->titles
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
  text t = {.net = net,
            .mem = mem,
            .titles = titles,
            .file = file,
            .write = write_word};
  fprintf (file, "des (0,%" PRIu64 ",%" PRIu64 ")\n", g->arcs, g->states);
  return tl_graph_walk (g, mem, net, most, aut_state, &t);
}

// ---- Markings --------------------------------------------------------------

static tl_status write_marked (void *context, uint32_t place, const char *id,
                               uint64_t tokens) {
  text *t = context;
  const char *label = t->titles ? tl_title_in (t->titles, true, place, id) : id;
  fputs (t->before, t->file);
  t->write (t->file, label);
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

// ---- Pictures --------------------------------------------------------------

static bool is_drawn (const text *t, uint64_t state) {
  return !t->around || tl_around_has (t->around, state);
}

static const char *dot_style (const text *t, uint64_t state) {
  const bool centre = t->around && state == t->around->centre;
  return centre   ? "\", style=filled, fillcolor=lightgrey];\n"
         : !state ? "\", penwidth=2];\n"
                  : "\"];\n";
}

static tl_status dot_state (void *context, const tl_walk_visit *v) {
  text *t = context;
  if (!is_drawn (t, v->number))
    return tl_walk_look (v, t->mem);
  fprintf (t->file, "  s%" PRIu64 " [label=\"", v->number);
  const tl_status rc = write_marking (t, v);
  fputs (dot_style (t, v->number), t->file);
  for (uint32_t i = 0; i < v->arcs; i++) {
    if (!is_drawn (t, v->target[i]))
      continue;
    fprintf (t->file, "  s%" PRIu64 " -> s%" PRIu64 " [label=\"", v->number,
             v->target[i]);
    write_label (
        t, v, t->net->origin ? t->net->transition_name : t->net->transition_id,
        v->step[i]);
    fputs ("\"];\n", t->file);
  }
  return rc ? rc : tl_walk_look (v, t->mem);
}

tl_status tl_graph_draw (const tl_graph *g, tl_mem *mem, const tl_net *net,
                         const uint64_t *most, tl_titles *titles,
                         const tl_around *around, FILE *file) {
  text t = {.net = net,
            .mem = mem,
            .titles = titles,
            .file = file,
            .gap = "\\n",
            .write = write_word,
            .around = around};
  fputs ("digraph states {\n  node [shape=box];\n", file);
  const tl_status rc = tl_graph_walk (g, mem, net, most, dot_state, &t);
  fputs ("}\n", file);
  return rc;
}

tl_status tl_graph_write_dot (const tl_graph *g, tl_mem *mem, const tl_net *net,
                              const uint64_t *most, tl_titles *titles,
                              FILE *file) {
  return tl_graph_draw (g, mem, net, most, titles, 0, file);
}

static tl_status graphml_state (void *context, const tl_walk_visit *v) {
  text *t = context;
  fprintf (t->file, "<node id=\"s%" PRIu64 "\"><data key=\"marking\">",
           v->number);
  const tl_status rc = write_marking (t, v);
  fprintf (t->file, "</data><data key=\"dead\">%s</data></node>\n",
           v->arcs ? "false" : "true");
  for (uint32_t i = 0; i < v->arcs; i++) {
    fprintf (t->file,
             "<edge source=\"s%" PRIu64 "\" target=\"s%" PRIu64
             "\"><data key=\"transition\">",
             v->number, v->target[i]);
    write_label (t, v, t->net->transition_id, v->step[i]);
    fputs ("</data></edge>\n", t->file);
  }
  return rc ? rc : tl_walk_look (v, t->mem);
}

tl_status tl_graph_write_graphml (const tl_graph *g, tl_mem *mem,
                                  const tl_net *net, const uint64_t *most,
                                  tl_titles *titles, FILE *file) {
  text t = {.net = net,
            .mem = mem,
            .titles = titles,
            .file = file,
            .gap = " ",
            .write = tl_markup_text};
  fputs ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
         "<key id=\"marking\" for=\"node\" attr.name=\"marking\" "
         "attr.type=\"string\"/>\n"
         "<key id=\"dead\" for=\"node\" attr.name=\"dead\" "
         "attr.type=\"boolean\"/>\n"
         "<key id=\"transition\" for=\"edge\" attr.name=\"transition\" "
         "attr.type=\"string\"/>\n"
         "<graph id=\"states\" edgedefault=\"directed\">\n",
         file);
  const tl_status rc = tl_graph_walk (g, mem, net, most, graphml_state, &t);
  fputs ("</graph>\n</graphml>\n", file);
  return rc;
}

// ---- Tables ----------------------------------------------------------------

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
  text t = {.net = net,
            .mem = mem,
            .titles = titles,
            .file = file,
            .gap = " ",
            .write = write_plainly};
  return tl_graph_walk (g, mem, net, most, list_state, &t);
}

static void write_cell (FILE *f, const char *word) {
  putc ('"', f);
  for (; *word; word++) {
    if (*word == '"')
      putc ('"', f);
    putc (*word, f);
  }
  putc ('"', f);
}

static tl_status csv_place (void *context, uint32_t place, const char *id,
                            uint64_t tokens) {
  const text *t = context;
  fprintf (t->file, "%" PRIu64 ",", t->number);
  write_cell (t->file,
              t->titles ? tl_title_in (t->titles, true, place, id) : id);
  fprintf (t->file, ",%" PRIu64 "\n", tokens);
  return TL_OK;
}

static tl_status csv_state (void *context, const tl_walk_visit *v) {
  text *t = context;
  t->number = v->number;
  const tl_status rc = v->generator->kind->marking (
      v->generator, v->visit.layout, v->visit.state, csv_place, t);
  return rc ? rc : tl_walk_look (v, t->mem);
}

tl_status tl_graph_write_csv (const tl_graph *g, tl_mem *mem, const tl_net *net,
                              const uint64_t *most, tl_titles *titles,
                              FILE *file) {
  text t = {.net = net, .mem = mem, .titles = titles, .file = file};
  fputs ("state,place,tokens\n", file);
  return tl_graph_walk (g, mem, net, most, csv_state, &t);
}
