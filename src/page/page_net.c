// The net of a page: as data, and as a sketch for Graphviz.  It is the net that
// answers speak of: of an unfolded net the coloured one.

#include "page/page.h"

#include "base/utf8.h"
#include "colour/coloured.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Larger nets a browser would not show in a moment; pages count them only.
#define MOST_NODES 100000
#define MOST_ARCS 500000

// Is told each arc; weight 0: not known, that of a coloured one.
typedef void on_arc (void *context, tl_arc_kind, uint32_t place,
                     uint32_t transition, uint32_t weight);

static const tl_arc_kind kinds[] = {TL_ARC_PRE, TL_ARC_POST, TL_ARC_INHIBITOR};
enum { KINDS = sizeof kinds / sizeof *kinds };

static tl_arcs arcs_of (const tl_net *net, tl_arc_kind kind, uint32_t t) {
  return kind == TL_ARC_PRE    ? tl_net_pre (net, t)
         : kind == TL_ARC_POST ? tl_net_post (net, t)
                               : tl_net_inhibitors (net, t);
}

static void walk_plain (const tl_net *net, tl_arc_kind kind, on_arc *told,
                        void *context) {
  for (uint32_t t = 0; t < net->transitions; t++) {
    const tl_arcs arcs = arcs_of (net, kind, t);
    for (uint32_t i = 0; i < arcs.count; i++)
      told (context, kind, arcs.arc[i].place, t, arcs.arc[i].weight);
  }
}

static void walk_coloured (const tl_coloured *c, tl_arc_kind kind, on_arc *told,
                           void *context) {
  for (uint32_t t = 0; t < c->transitions; t++) {
    const tl_ctransition *of = c->transition + t;
    const tl_carc *arc = kind == TL_ARC_PRE    ? of->in
                         : kind == TL_ARC_POST ? of->out
                                               : of->inhibit;
    const uint32_t count = kind == TL_ARC_PRE    ? of->ins
                           : kind == TL_ARC_POST ? of->outs
                                                 : of->inhibits;
    for (uint32_t i = 0; i < count; i++)
      told (context, kind, arc[i].place, t, 0);
  }
}

// The unfolded arcs of one transition.  `last` says of each coloured place by
// which transition it was told last, plus one.
static void walk_bindings (const tl_net *net, tl_arc_kind kind, uint32_t t,
                           uint32_t *last, on_arc *told, void *context) {
  const tl_node_range range = tl_shown_transition (net, t);
  for (uint32_t u = range.first; u < range.first + range.count; u++) {
    const tl_arcs arcs = arcs_of (net, kind, u);
    for (uint32_t i = 0; i < arcs.count; i++) {
      const uint32_t p = tl_origin_place (net->origin, arcs.arc[i].place);
      if (last[p] != t + 1)
        told (context, kind, p, t, 0);
      last[p] = t + 1;
    }
  }
}

// Where the coloured net was not kept.
static void walk_unfolded (const tl_net *net, tl_arc_kind kind, on_arc *told,
                           void *context) {
  uint32_t *last = calloc (net->origin->places + 1, sizeof *last);
  for (uint32_t t = 0; last && t < net->origin->transitions; t++)
    walk_bindings (net, kind, t, last, told, context);
  free (last);
}

static void walk_arcs (const tl_net *net, tl_arc_kind kind, on_arc *told,
                       void *context) {
  const tl_coloured *c = net->folded   ? net->folded->coloured
                         : net->origin ? net->origin->coloured
                                       : 0;
  if (c)
    walk_coloured (c, kind, told, context);
  else if (net->origin)
    walk_unfolded (net, kind, told, context);
  else
    walk_plain (net, kind, told, context);
}

static uint64_t count_nodes (const tl_net *net) {
  return (uint64_t)tl_shown_places (net) + tl_shown_transitions (net);
}

// ---- As data ---------------------------------------------------------------

// The name where it differs from the id.
static void write_node (FILE *f, tl_showing *s, bool place, const char *id) {
  const char *name = tl_showing_node (s, place, id);
  fputs ("{\"id\":", f);
  tl_page_string (f, id);
  if (strcmp (name, id)) {
    fputs (",\"name\":", f);
    tl_page_string (f, name);
  }
  putc ('}', f);
}

typedef struct arc_list {
  FILE *file;
  const char *before; // the next one
} arc_list;

static void write_arc (void *context, tl_arc_kind kind, uint32_t place,
                       uint32_t transition, uint32_t weight) {
  arc_list *l = context;
  (void)kind;
  fprintf (l->file, "%s[%" PRIu32 ",%" PRIu32, l->before, place, transition);
  if (weight != 1)
    fprintf (l->file, ",%" PRIu32, weight);
  putc (']', l->file);
  l->before = ",";
}

void tl_page_net (FILE *f, tl_showing *s) {
  static const char *const key[] = {"inputs", "outputs", "inhibitors"};
  const tl_net *net = s->net;
  if (count_nodes (net) > MOST_NODES || tl_shown_arcs (net) > MOST_ARCS) {
    fputs ("null", f);
    return;
  }
  fputs ("{\"places\":[", f);
  for (uint32_t p = 0; p < tl_shown_places (net); p++) {
    fputs (p ? "," : "", f);
    write_node (f, s, true, tl_shown_place_id (net, p));
  }
  fputs ("],\"transitions\":[", f);
  for (uint32_t t = 0; t < tl_shown_transitions (net); t++) {
    fputs (t ? "," : "", f);
    write_node (f, s, false, tl_shown_transition_id (net, t));
  }
  putc (']', f);
  for (size_t k = 0; k < KINDS; k++) {
    arc_list list = {f, ""};
    fprintf (f, ",\"%s\":[", key[k]);
    walk_arcs (net, kinds[k], write_arc, &list);
    putc (']', f);
  }
  putc ('}', f);
}

// ---- As a sketch -----------------------------------------------------------

// Inches; the script draws places as large as this, and of a name no more.
#define PLACE_SIZE 0.5
#define CHARACTER 0.095
#define CHARACTERS_SHOWN 18

static double width_of (const char *name) {
  size_t characters = 0;
  for (const char *c = name; *c && characters < CHARACTERS_SHOWN;
       characters++) {
    const size_t length = tl_utf8_length (c, strlen (c));
    c += length ? length : 1;
  }
  return 0.25 + CHARACTER * (double)characters;
}

static void sketch_arc (void *context, tl_arc_kind kind, uint32_t place,
                        uint32_t transition, uint32_t weight) {
  (void)weight;
  fprintf (context,
           kind == TL_ARC_POST ? "t%2$" PRIu32 "->p%1$" PRIu32 "\n"
                               : "p%1$" PRIu32 "->t%2$" PRIu32 "\n",
           place, transition);
}

static void sketch (FILE *f, tl_showing *s) {
  const tl_net *net = s->net;
  fprintf (f,
           "digraph{nodesep=0.8 ranksep=0.36 edge[dir=none]\n"
           "node[fixedsize=true label=\"\" shape=circle width=%g]\n",
           PLACE_SIZE);
  for (uint32_t p = 0; p < tl_shown_places (net); p++)
    fprintf (f, "p%" PRIu32 "\n", p);
  fputs ("node[shape=box height=0.36]\n", f);
  for (uint32_t t = 0; t < tl_shown_transitions (net); t++)
    fprintf (
        f, "t%" PRIu32 "[width=%.2f]\n", t,
        width_of (tl_showing_node (s, false, tl_shown_transition_id (net, t))));
  for (size_t k = 0; k < KINDS; k++)
    walk_arcs (net, kinds[k], sketch_arc, f);
  fputs ("}\n", f);
}

char *tl_net_sketch (const tl_net *net, uint64_t most, tl_form form) {
  tl_showing s;
  tl_writing w;
  if (!net || count_nodes (net) + tl_shown_arcs (net) > most ||
      !tl_writing_open (&w))
    return 0;
  tl_showing_open (&s, net, form, true);
  sketch (w.file, &s);
  tl_showing_close (&s);
  return tl_writing_close (&w);
}
