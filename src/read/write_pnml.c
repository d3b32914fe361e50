// PNML: one page, NUPN units in their usual block.  In PNML places and
// transitions share one set of ids; a transition with the id of a place gets
// another one and keeps its own in a tool-specific element, which our reader
// knows.

#include "base/error.h"
#include "base/markup.h"
#include "net/origin.h"
#include "read/write.h"

#include <inttypes.h>
#include <string.h>

#define NOWHERE TL_NO_UNIT

static bool is_node (const tl_net *net, const char *id) {
  return tl_names_find (&net->place_ids, id) != TL_NO_NAME ||
         tl_names_find (&net->transition_ids, id) != TL_NO_NAME;
}

// Makes up ids: a word and a number, no id of the net.
typedef struct made {
  const char *word;
  uint64_t last;
  char id[32];
} made;

static const char *make_id (const tl_net *net, made *m) {
  do
    snprintf (m->id, sizeof m->id, "%s%" PRIu64, m->word, ++m->last);
  while (is_node (net, m->id));
  return m->id;
}

// The id of a transition in the document
static const char *transition_id (const tl_net *net, uint32_t t, made *m) {
  const char *id = net->transition_id[t];
  return tl_names_find (&net->place_ids, id) == TL_NO_NAME ? id
                                                           : make_id (net, m);
}

static void name (FILE *f, const char *text, const char *id) {
  if (!strcmp (text, id))
    return; // which is what a reader takes where there is no name
  fputs ("<name><text>", f);
  tl_markup_text (f, text);
  fputs ("</text></name>", f);
}

static tl_status places (const tl_net *net, tl_mem *mem, FILE *f) {
  tl_status rc = TL_OK;
  for (uint32_t p = 0; p < net->places && !(rc = tl_write_look (mem, p)); p++) {
    fputs ("<place id=\"", f);
    tl_markup_text (f, net->place_id[p]);
    fputs ("\">", f);
    name (f, net->place_name[p], net->place_id[p]);
    if (net->initial[p])
      fprintf (f, "<initialMarking><text>%" PRIu32 "</text></initialMarking>",
               net->initial[p]);
    fputs ("</place>\n", f);
  }
  return rc;
}

static tl_status transitions (const tl_net *net, tl_mem *mem, FILE *f) {
  made m = {.word = "transition."};
  tl_status rc = TL_OK;
  for (uint32_t t = 0; t < net->transitions && !(rc = tl_write_look (mem, t));
       t++) {
    const char *id = transition_id (net, t, &m);
    fputs ("<transition id=\"", f);
    tl_markup_text (f, id);
    fputs ("\">", f);
    name (f, net->transition_name[t], net->transition_id[t]);
    if (id == m.id) {
      fputs ("<toolspecific tool=\"tideline\" version=\"1\"><node id=\"", f);
      tl_markup_text (f, net->transition_id[t]);
      fputs ("\"/></toolspecific>", f);
    }
    fputs ("</transition>\n", f);
  }
  return rc;
}

static void arcs (const tl_net *net, FILE *f, tl_arcs list, const char *t,
                  tl_arc_kind kind, made *m) {
  for (const tl_arc *arc = list.arc; arc < list.arc + list.count; arc++) {
    const char *place = net->place_id[arc->place];
    fprintf (f, "<arc id=\"%s\" source=\"", make_id (net, m));
    tl_markup_text (f, kind == TL_ARC_POST ? t : place);
    fputs ("\" target=\"", f);
    tl_markup_text (f, kind == TL_ARC_POST ? place : t);
    fputs ("\">", f);
    if (arc->weight != 1)
      fprintf (f, "<inscription><text>%" PRIu32 "</text></inscription>",
               arc->weight);
    if (kind == TL_ARC_INHIBITOR)
      fputs ("<type value=\"inhibitor\"/>", f);
    fputs ("</arc>\n", f);
  }
}

static tl_status all_arcs (const tl_net *net, tl_mem *mem, FILE *f) {
  made m = {.word = "arc."}, renamed = {.word = "transition."};
  tl_status rc = TL_OK;
  for (uint32_t t = 0; t < net->transitions && !(rc = tl_write_look (mem, t));
       t++) {
    const char *id = transition_id (net, t, &renamed);
    arcs (net, f, tl_net_pre (net, t), id, TL_ARC_PRE, &m);
    arcs (net, f, tl_net_post (net, t), id, TL_ARC_POST, &m);
    arcs (net, f, tl_net_inhibitors (net, t), id, TL_ARC_INHIBITOR, &m);
  }
  return rc;
}

// Units

// The units directly below each: the first of them, and for each the next.
typedef struct family {
  uint32_t *first, *next;
} family;

static bool open_family (const tl_net *net, tl_mem *mem, family *below) {
  *below = (family){0};
  if (!TL_NEW (mem, below->first, net->units) ||
      !TL_NEW (mem, below->next, net->units))
    return false;
  for (uint32_t u = 0; u < net->units; u++)
    below->first[u] = below->next[u] = NOWHERE;
  for (uint32_t u = net->units; u-- > 0;) {
    const uint32_t parent = net->unit[u].parent;
    if (parent == TL_NO_UNIT)
      continue;
    below->next[u] = below->first[parent];
    below->first[parent] = u;
  }
  return true;
}

static void close_family (const tl_net *net, tl_mem *mem, family *below) {
  TL_DEL (mem, below->first, net->units);
  TL_DEL (mem, below->next, net->units);
}

// The lists of the block are separated by blanks.
static tl_status check_units (const tl_net *net, tl_error *err) {
  uint32_t roots = 0;
  for (uint32_t u = 0; u < net->units; u++) {
    const tl_unit *unit = net->unit + u;
    const char *blank = strchr (unit->id, ' ') ? unit->id : 0;
    for (uint32_t p = 0; !blank && p < unit->place_count; p++)
      if (strchr (net->place_id[unit->places[p]], ' '))
        blank = net->place_id[unit->places[p]];
    if (blank)
      return tl_fail (err, TL_E_MODEL,
                      "a unit cannot name '%.80s', because of the blank",
                      blank);
    roots += unit->parent == TL_NO_UNIT;
  }
  return roots > 1 ? tl_fail (err, TL_E_MODEL,
                              "units with several roots cannot be written")
                   : TL_OK;
}

static void unit (const tl_net *net, FILE *f, const family *below, uint32_t u) {
  const tl_unit *at = net->unit + u;
  fputs ("<unit id=\"", f);
  tl_markup_text (f, at->id);
  fputs ("\"><places>", f);
  for (uint32_t p = 0; p < at->place_count; p++) {
    fputs (p ? " " : "", f);
    tl_markup_text (f, net->place_id[at->places[p]]);
  }
  fputs ("</places><subunits>", f);
  for (uint32_t c = below->first[u]; c != NOWHERE; c = below->next[c]) {
    fputs (c == below->first[u] ? "" : " ", f);
    tl_markup_text (f, net->unit[c].id);
  }
  fputs ("</subunits></unit>\n", f);
}

static void units (const tl_net *net, FILE *f, const family *below) {
  uint32_t root = 0; // a unit comes before those below it
  fprintf (f,
           "<toolspecific tool=\"nupn\" version=\"1.1\">\n"
           "<size places=\"%" PRIu32 "\" transitions=\"%" PRIu32
           "\" arcs=\"%" PRIu64 "\"/>\n<structure units=\"%" PRIu32
           "\" root=\"",
           net->places, net->transitions, net->arcs, net->units);
  tl_markup_text (f, net->unit[root].id);
  fprintf (f, "\" safe=\"%s\">\n", net->units_safe ? "true" : "false");
  for (uint32_t u = 0; u < net->units; u++)
    unit (net, f, below, u);
  fputs ("</structure>\n</toolspecific>\n", f);
}

static void coloured (FILE *f, const char *element, const char *const *id,
                      const char *const *names, const uint32_t *first,
                      uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    fprintf (f, "<%s id=\"", element);
    tl_markup_text (f, id[i]);
    if (strcmp (names[i], id[i])) {
      fputs ("\" name=\"", f);
      tl_markup_text (f, names[i]);
    }
    fprintf (f, "\" count=\"%" PRIu32 "\"/>\n", first[i + 1] - first[i]);
  }
}

static void origin (const tl_origin *o, FILE *f) {
  fprintf (f,
           "<toolspecific tool=\"tideline\" version=\"1\">\n"
           "<unfolded arcs=\"%" PRIu64 "\"/>\n",
           o->arcs);
  coloured (f, "colouredPlace", o->place_id, o->place_name, o->place_first,
            o->places);
  coloured (f, "colouredTransition", o->transition_id, o->transition_name,
            o->transition_first, o->transitions);
  fputs ("</toolspecific>\n", f);
}

static tl_status nodes_and_arcs (const tl_net *net, tl_mem *mem, FILE *f) {
  tl_status rc = places (net, mem, f);
  if (!rc)
    rc = transitions (net, mem, f);
  return rc ? rc : all_arcs (net, mem, f);
}

static tl_status document (const tl_net *net, const tl_origin *from,
                           const family *below, tl_mem *mem, FILE *f) {
  made page = {.word = "page."}, clash = {.word = "net."};
  fputs ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n"
         "<net id=\"",
         f);
  tl_markup_text (f, !*net->name || is_node (net, net->name)
                         ? make_id (net, &clash)
                         : net->name);
  fputs ("\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n", f);
  name (f, net->title ? net->title : net->name, "");
  fprintf (f, "\n<page id=\"%s\">\n", make_id (net, &page));
  const tl_status rc = nodes_and_arcs (net, mem, f);
  if (rc)
    return rc;
  if (net->units)
    units (net, f, below);
  if (from)
    origin (from, f);
  fputs ("</page>\n</net>\n</pnml>\n", f);
  return TL_OK;
}

static tl_status write_pnml (const tl_net *net, const tl_origin *from,
                             tl_mem *mem, FILE *f, tl_error *err) {
  tl_status rc = check_units (net, err);
  if (rc)
    return rc;
  family below;
  if (open_family (net, mem, &below))
    rc = document (net, from, &below, mem, f);
  else
    rc = tl_fail (err, TL_E_NOMEM, "no memory to write the net");
  close_family (net, mem, &below);
  return rc;
}

tl_status tl_write_pnml (const tl_net *net, tl_mem *mem, FILE *f,
                         tl_error *err) {
  return write_pnml (net, 0, mem, f, err);
}

tl_status tl_write_pnml_kept (const tl_net *net, tl_mem *mem, FILE *f,
                              tl_error *err) {
  return write_pnml (net, net->origin, mem, f, err);
}
