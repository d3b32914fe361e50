// TINA's .net format: all places first, in their order, because nodes exist
// from their first mention.

#include "read/text.h"
#include "read/tina.h"
#include "read/write.h"

#include <inttypes.h>
#include <string.h>

static bool is_plain (const char *name) {
  const char *c = name;
  while (*c && tl_tina_is_plain ((unsigned char)*c))
    c++;
  return !*c && *name && !tl_tina_is_keyword (name);
}

static void quoted (FILE *f, const char *text) {
  if (is_plain (text)) {
    fputs (text, f);
    return;
  }
  putc ('{', f);
  for (const char *c = text; *c; c++) {
    if (strchr ("{}\\", *c))
      putc ('\\', f);
    putc (*c, f);
  }
  putc ('}', f);
}

// Names that are too long to be read are left out.
static bool is_readable (const char *name) {
  return *name && strlen (name) <= TL_LONGEST_ID;
}

static void node (FILE *f, const char *keyword, const char *id,
                  const char *label) {
  fputs (keyword, f);
  quoted (f, id);
  if (strcmp (id, label) && is_readable (label)) {
    fputs (" : ", f);
    quoted (f, label);
  }
}

static void list (const tl_net *net, FILE *f, tl_arcs arcs, const char *sign) {
  for (uint32_t i = 0; i < arcs.count; i++) {
    putc (' ', f);
    quoted (f, net->place_id[arcs.arc[i].place]);
    if (*sign != '*' || arcs.arc[i].weight != 1)
      fprintf (f, "%s%" PRIu32, sign, arcs.arc[i].weight);
  }
}

tl_status tl_write_tina (const tl_net *net, tl_mem *mem, FILE *f,
                         tl_error *err) {
  (void)err;
  tl_status rc = TL_OK;
  fputs ("net ", f);
  quoted (f, is_readable (net->name) ? net->name : "unnamed");
  putc ('\n', f);
  for (uint32_t p = 0; p < net->places && !(rc = tl_write_look (mem, p)); p++) {
    node (f, "pl ", net->place_id[p], net->place_name[p]);
    if (net->initial[p])
      fprintf (f, " (%" PRIu32 ")", net->initial[p]);
    putc ('\n', f);
  }
  for (uint32_t t = 0;
       !rc && t < net->transitions && !(rc = tl_write_look (mem, t)); t++) {
    node (f, "tr ", net->transition_id[t], net->transition_name[t]);
    list (net, f, tl_net_pre (net, t), "*");
    list (net, f, tl_net_inhibitors (net, t), "?-");
    fputs (" ->", f);
    list (net, f, tl_net_post (net, t), "*");
    putc ('\n', f);
  }
  return rc;
}
