// LoLA's low-level format.  It knows no inhibitor arcs.

#include "base/error.h"
#include "read/lola.h"
#include "read/write.h"

#include <inttypes.h>
#include <string.h>

// Would the reader take the beginning of this name for something else?
static bool is_special (const char *name) {
  return tl_lola_is_keyword (name) ||
         (name[0] == '/' && (name[1] == '/' || name[1] == '*'));
}

static bool needs_escapes (const char *name) {
  const char *c = name;
  while (*c && !tl_lola_ends_name ((unsigned char)*c))
    c++;
  return *c || is_special (name);
}

static bool any_needs_escapes (const char *const *names, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (needs_escapes (names[i]))
      return true;
  return false;
}

static void name (FILE *f, const char *text, bool escapes) {
  bool escape = escapes && is_special (text);
  for (const char *c = text; *c; c++, escape = false)
    if (escape || tl_lola_ends_name ((unsigned char)*c) ||
        (escapes && tl_lola_is_escape (c, strnlen (c, 3))))
      fprintf (f, "%%%02X", (unsigned)(unsigned char)*c);
    else
      putc (*c, f);
}

static void list (const tl_net *net, FILE *f, tl_arcs arcs, bool escapes) {
  for (uint32_t i = 0; i < arcs.count; i++) {
    fputs (i ? ", " : " ", f);
    name (f, net->place_id[arcs.arc[i].place], escapes);
    fprintf (f, ": %" PRIu32, arcs.arc[i].weight);
  }
  fputs (";\n", f);
}

static tl_status places (const tl_net *net, tl_mem *mem, FILE *f,
                         bool escapes) {
  tl_status rc = TL_OK;
  fputs ("PLACE", f);
  for (uint32_t p = 0; p < net->places && !(rc = tl_write_look (mem, p)); p++) {
    fputs (p ? ",\n  " : "\n  ", f);
    name (f, net->place_id[p], escapes);
  }
  fputs (";\n\nMARKING", f);
  bool first = true;
  for (uint32_t p = 0; !rc && p < net->places; p++) {
    if (!net->initial[p])
      continue;
    fputs (first ? "\n  " : ",\n  ", f);
    name (f, net->place_id[p], escapes);
    fprintf (f, ": %" PRIu32, net->initial[p]);
    first = false;
  }
  fputs (";\n", f);
  return rc;
}

tl_status tl_write_lola (const tl_net *net, tl_mem *mem, FILE *f,
                         tl_error *err) {
  if (net->inhibitor_start[net->transitions])
    return tl_fail (err, TL_E_MODEL, "LoLA's format has no inhibitor arcs");
  const bool escapes = any_needs_escapes (net->place_id, net->places) ||
                       any_needs_escapes (net->transition_id, net->transitions);
  if (escapes)
    fputs ("{" TL_LOLA_ESCAPES "}\n", f);
  tl_status rc = places (net, mem, f, escapes);
  for (uint32_t t = 0;
       !rc && t < net->transitions && !(rc = tl_write_look (mem, t)); t++) {
    fputs ("\nTRANSITION ", f);
    name (f, net->transition_id[t], escapes);
    fputs ("\n  CONSUME", f);
    list (net, f, tl_net_pre (net, t), escapes);
    fputs ("  PRODUCE", f);
    list (net, f, tl_net_post (net, t), escapes);
  }
  return rc;
}
