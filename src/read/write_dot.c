// A picture of the net in Graphviz's language: places are circles with their
// tokens inside and their names beside, transitions boxes, inhibitor arcs end
// in small circles.

#include "read/write.h"

#include <inttypes.h>

static void quoted (FILE *f, const char *text) {
  putc ('"', f);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      putc ('\\', f);
    putc (*text, f);
  }
  putc ('"', f);
}

static void tokens (FILE *f, uint32_t count) {
  if (!count)
    fputs ("\"\"", f);
  else if (count == 1)
    fputs ("\"\u25cf\"", f);
  else
    fprintf (f, "\"%" PRIu32 "\"", count);
}

static void arcs (FILE *f, tl_arcs list, uint32_t t, tl_arc_kind kind) {
  for (const tl_arc *arc = list.arc; arc < list.arc + list.count; arc++) {
    if (kind == TL_ARC_POST)
      fprintf (f, "  t%" PRIu32 " -> p%" PRIu32, t, arc->place);
    else
      fprintf (f, "  p%" PRIu32 " -> t%" PRIu32, arc->place, t);
    if (arc->weight != 1)
      fprintf (f, " [label=\"%" PRIu32 "\"]", arc->weight);
    fputs (kind == TL_ARC_INHIBITOR ? " [arrowhead=odot];\n" : ";\n", f);
  }
}

tl_status tl_write_dot (const tl_net *net, tl_mem *mem, FILE *f,
                        tl_error *err) {
  (void)err;
  tl_status rc = TL_OK;
  fputs ("digraph ", f);
  quoted (f, net->name);
  fputs (" {\n  node [fontsize=10];\n"
         "  node [shape=circle, width=0.4, fixedsize=true];\n",
         f);
  for (uint32_t p = 0; p < net->places && !(rc = tl_write_look (mem, p)); p++) {
    fprintf (f, "  p%" PRIu32 " [label=", p);
    tokens (f, net->initial[p]);
    fputs (", xlabel=", f);
    quoted (f, net->place_id[p]);
    fputs ("];\n", f);
  }
  fputs ("  node [shape=box, height=0.3, fixedsize=false];\n", f);
  for (uint32_t t = 0; !rc && t < net->transitions; t++) {
    fprintf (f, "  t%" PRIu32 " [label=", t);
    quoted (f, net->transition_id[t]);
    fputs ("];\n", f);
  }
  for (uint32_t t = 0;
       !rc && t < net->transitions && !(rc = tl_write_look (mem, t)); t++) {
    arcs (f, tl_net_pre (net, t), t, TL_ARC_PRE);
    arcs (f, tl_net_post (net, t), t, TL_ARC_POST);
    arcs (f, tl_net_inhibitors (net, t), t, TL_ARC_INHIBITOR);
  }
  fputs ("}\n", f);
  return rc;
}
