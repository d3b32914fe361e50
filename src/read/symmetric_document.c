#include "read/symmetric_document.h"

#include "base/error.h"
#include "read/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum state {
  DOCUMENT,
  NET,
  PAGE,
  PLACE,
  TRANSITION,
  ARC,
  REFERENCE,
  NODE_NAME,
  NODE_NAME_TEXT,
  SORT,
  MARKING,
  CONDITION,
  INSCRIPTION,
  DECLARATION,
  STRUCTURE,
  ARC_TYPE,
  ARC_TYPE_TEXT,
  PLAIN_MARKING,
  TAGS // the first tag; the others follow
};

#define CONTENT(WITHIN)                                                        \
  {WITHIN, "page", PAGE, TL_XML_NO_TEXT},                                      \
      {WITHIN, "arc", ARC, TL_XML_NO_TEXT},                                    \
      {WITHIN, "place", PLACE, TL_XML_NO_TEXT},                                \
      {WITHIN, "transition", TRANSITION, TL_XML_NO_TEXT},                      \
      {WITHIN, "referencePlace", REFERENCE, TL_XML_NO_TEXT},                   \
      {WITHIN, "referenceTransition", REFERENCE, TL_XML_NO_TEXT}, {            \
    WITHIN, "declaration", DECLARATION, TL_XML_NO_TEXT                         \
  }

static const tl_xml_row rows[] = {
    CONTENT (NET),
    CONTENT (PAGE),
    {PLACE, "name", NODE_NAME, TL_XML_NO_TEXT},
    {PLACE, "type", SORT, TL_XML_NO_TEXT},
    {PLACE, "hlinitialMarking", MARKING, TL_XML_NO_TEXT},
    {PLACE, "initialMarking", PLAIN_MARKING, TL_XML_NO_TEXT},
    {TRANSITION, "name", NODE_NAME, TL_XML_NO_TEXT},
    {TRANSITION, "condition", CONDITION, TL_XML_NO_TEXT},
    {ARC, "hlinscription", INSCRIPTION, TL_XML_NO_TEXT},
    {ARC, "inscription", PLAIN_MARKING, TL_XML_NO_TEXT},
    {ARC, "type", ARC_TYPE, TL_XML_NO_TEXT},
    {ARC, "arctype", ARC_TYPE, TL_XML_NO_TEXT},
    {ARC_TYPE, "text", ARC_TYPE_TEXT, TL_XML_WHOLE},
    {NODE_NAME, "text", NODE_NAME_TEXT, TL_XML_WHOLE},
    {SORT, "structure", STRUCTURE, TL_XML_NO_TEXT},
    {MARKING, "structure", STRUCTURE, TL_XML_NO_TEXT},
    {CONDITION, "structure", STRUCTURE, TL_XML_NO_TEXT},
    {INSCRIPTION, "structure", STRUCTURE, TL_XML_NO_TEXT},
    {DECLARATION, "structure", STRUCTURE, TL_XML_NO_TEXT},
#define TAG(NAME, ELEMENT, FIRST, SECOND)                                      \
  {TL_XML_INSIDE, ELEMENT, TAGS + TL_TAG_##NAME, TL_XML_NO_TEXT},
    TL_TAGS (TAG)
#undef TAG
};

static const struct tag {
  const char *element, *first, *second;
} tags[] = {
#define TAG(NAME, ELEMENT, FIRST, SECOND) {ELEMENT, FIRST, SECOND},
    TL_TAGS (TAG)
#undef TAG
};

const char *tl_tag_name (tl_tag tag) {
  return tags[tag].element;
}

tl_status tl_document_fail (const tl_document *d, tl_where where,
                            tl_status code, const char *format, ...) {
  char text[sizeof d->err->text];
  va_list list;
  va_start (list, format);
  vsnprintf (text, sizeof text, format, list);
  va_end (list);
  return tl_fail_at (d->err, code, d->file, where.line, where.column, "%s",
                     text);
}

tl_status tl_document_no_memory (const tl_document *d) {
  return tl_fail (d->err, TL_E_NOMEM, "no memory for the net");
}

static tl_where here (const tl_xml *xml) {
  return (tl_where){(uint32_t)tl_xml_line (xml), (uint32_t)tl_xml_column (xml)};
}

static tl_status copy (tl_document *d, const char *text, const char **out) {
  *out = tl_arena_text (&d->arena, text, strlen (text));
  return *out ? TL_OK : tl_document_no_memory (d);
}

// ---- Nodes and arcs --------------------------------------------------------

// The attribute, which must be there and be fit for an id.
static tl_status take_id (tl_document *d, tl_xml *xml,
                          const char *const *attributes, const char *name,
                          const char **out) {
  const char *text = tl_xml_attribute (attributes, name);
  const char *problem = text ? tl_text_id (text, strlen (text)) : 0;
  if (!text)
    return tl_xml_fail (xml, TL_E_SYNTAX, "this element has no '%s'", name);
  if (problem)
    return tl_xml_fail (xml, TL_E_SYNTAX, "the '%s' of this element %s", name,
                        problem);
  return copy (d, text, out);
}

static tl_status open_place (tl_document *d, tl_xml *xml,
                             const char *const *attributes) {
  if (!TL_ROOM (d->mem, d->place, &d->place_room, d->places + 1))
    return tl_document_no_memory (d);
  tl_xml_place *p = d->place + d->places++;
  *p = (tl_xml_place){.where = here (xml)};
  d->name = 0;
  return take_id (d, xml, attributes, "id", &p->id);
}

static tl_status open_transition (tl_document *d, tl_xml *xml,
                                  const char *const *attributes) {
  if (!TL_ROOM (d->mem, d->transition, &d->transition_room, d->transitions + 1))
    return tl_document_no_memory (d);
  tl_xml_transition *t = d->transition + d->transitions++;
  *t = (tl_xml_transition){.where = here (xml)};
  d->name = 0;
  return take_id (d, xml, attributes, "id", &t->id);
}

static tl_status open_reference (tl_document *d, tl_xml *xml,
                                 const char *const *attributes) {
  if (!TL_ROOM (d->mem, d->reference, &d->reference_room, d->references + 1))
    return tl_document_no_memory (d);
  tl_xml_reference *r = d->reference + d->references++;
  *r = (tl_xml_reference){.where = here (xml)};
  const tl_status status = take_id (d, xml, attributes, "id", &r->id);
  return status ? status : take_id (d, xml, attributes, "ref", &r->target);
}

static tl_status open_arc (tl_document *d, tl_xml *xml,
                           const char *const *attributes) {
  if (!TL_ROOM (d->mem, d->arc, &d->arc_room, d->arcs + 1))
    return tl_document_no_memory (d);
  tl_xml_arc *a = d->arc + d->arcs++;
  *a = (tl_xml_arc){.where = here (xml)};
  const tl_status status = take_id (d, xml, attributes, "source", &a->from);
  return status ? status : take_id (d, xml, attributes, "target", &a->to);
}

static tl_status set_arc_type (tl_document *d, tl_xml *xml, const char *type) {
  if (!type || !*type || !strcasecmp (type, "normal"))
    return TL_OK;
  if (!strcasecmp (type, "inhibitor")) {
    d->arc[d->arcs - 1].inhibits = true;
    return TL_OK;
  }
  return tl_xml_fail (xml, TL_E_MODEL,
                      "arcs of type '%.40s' are not supported in a coloured "
                      "net",
                      type);
}

static tl_status set_name (tl_document *d, const char *text) {
  d->name = tl_arena_text (&d->arena, text, strlen (text));
  if (!d->name)
    return tl_document_no_memory (d);
  tl_text_one_line (d->name);
  return TL_OK;
}

// ---- Structures ------------------------------------------------------------

static tl_status open_slot (tl_document *d, tl_xml *xml,
                            const tl_element **slot, const char *what) {
  d->slot = slot;
  d->depth = 0;
  return *slot ? tl_xml_fail (xml, TL_E_SYNTAX, "a second %s", what) : TL_OK;
}

static tl_status take_attribute (tl_document *d, tl_xml *xml,
                                 const char *const *attributes, tl_tag tag,
                                 const char *name, const char **out) {
  if (!name)
    return TL_OK;
  const char *text = tl_xml_attribute (attributes, name);
  const bool optional = !strcmp (name, "name");
  if (!text && optional)
    return TL_OK;
  if (!text)
    return tl_xml_fail (xml, TL_E_SYNTAX, "this <%s> has no '%s'",
                        tags[tag].element, name);
  const char *problem = tl_text_id (text, strlen (text));
  if (problem && optional)
    return TL_OK;
  return problem ? tl_xml_fail (xml, TL_E_SYNTAX, "the '%s' of this <%s> %s",
                                name, tags[tag].element, problem)
                 : copy (d, text, out);
}

// Hangs the element where it belongs: under the one around it, in the slot, or
// at the end of the declarations.
static tl_status hang (tl_document *d, tl_xml *xml, tl_element *e) {
  if (d->depth) {
    tl_element *parent = d->open[d->depth - 1];
    if (parent->last)
      parent->last->next = e;
    else
      parent->inside = e;
    parent->last = e;
    return TL_OK;
  }
  if (!d->slot)
    return tl_xml_fail (xml, TL_E_SYNTAX, "a <%s> outside of a <structure>",
                        tags[e->tag].element);
  if (*d->slot)
    return tl_xml_fail (xml, TL_E_SYNTAX, "a second term in one <structure>");
  *d->slot = e;
  return TL_OK;
}

static tl_status open_element (tl_document *d, tl_xml *xml, tl_tag tag,
                               const char *const *attributes) {
  tl_element *e;
  if (!TL_ARENA_NEW (&d->arena, e, 1))
    return tl_document_no_memory (d);
  e->tag = tag;
  e->where = here (xml);
  tl_status status =
      take_attribute (d, xml, attributes, tag, tags[tag].first, &e->first);
  if (!status)
    status =
        take_attribute (d, xml, attributes, tag, tags[tag].second, &e->second);
  if (!status)
    status = hang (d, xml, e);
  if (!status)
    d->open[d->depth++] = e; // the XML reader bounds the depth
  return status;
}

// Puts what several declarations contain into one list.
static tl_status close_declaration (tl_document *d) {
  const tl_element *all = *d->slot;
  d->slot = 0;
  if (!all)
    return TL_OK;
  if (all->tag != TL_TAG_DECLARATIONS)
    return tl_document_fail (d, all->where, TL_E_SYNTAX,
                             "this <%s> is not a declaration",
                             tags[all->tag].element);
  if (!all->inside)
    return TL_OK;
  if (d->last_declaration)
    d->last_declaration->next = all->inside;
  else
    d->declarations = all->inside;
  d->last_declaration = all->last;
  return TL_OK;
}

// ---- The form --------------------------------------------------------------

static tl_status on_open (void *context, tl_xml *xml, int state,
                          const char *const *attributes) {
  tl_document *d = context;
  switch ((enum state)state) {
  case PLACE: return open_place (d, xml, attributes);
  case TRANSITION: return open_transition (d, xml, attributes);
  case ARC: return open_arc (d, xml, attributes);
  case REFERENCE: return open_reference (d, xml, attributes);
  case SORT: return open_slot (d, xml, &d->place[d->places - 1].sort, "type");
  case MARKING:
    return open_slot (d, xml, &d->place[d->places - 1].marking,
                      "initial marking");
  case CONDITION:
    return open_slot (d, xml, &d->transition[d->transitions - 1].condition,
                      "condition");
  case INSCRIPTION:
    return open_slot (d, xml, &d->arc[d->arcs - 1].label, "inscription");
  case DECLARATION:
    d->declared = 0;
    return open_slot (d, xml, &d->declared, "declaration");
  case ARC_TYPE:
    return set_arc_type (d, xml, tl_xml_attribute (attributes, "value"));
  case PLAIN_MARKING:
    return tl_xml_fail (xml, TL_E_MODEL,
                        "a plain number where a coloured net has a term");
  default:
    return state >= TAGS
               ? open_element (d, xml, (tl_tag)(state - TAGS), attributes)
               : TL_OK;
  }
}

static tl_status on_close (void *context, tl_xml *xml, int state,
                           const char *text, size_t length) {
  (void)length;
  tl_document *d = context;
  switch ((enum state)state) {
  case PLACE: d->place[d->places - 1].name = d->name; return TL_OK;
  case TRANSITION:
    d->transition[d->transitions - 1].name = d->name;
    return TL_OK;
  case NODE_NAME_TEXT: return set_name (d, text);
  case ARC_TYPE_TEXT: return set_arc_type (d, xml, text);
  case SORT:
  case MARKING:
  case CONDITION:
  case INSCRIPTION: d->slot = 0; return TL_OK;
  case DECLARATION: return close_declaration (d);
  default: d->depth -= state >= TAGS; return TL_OK;
  }
}

static tl_status on_unknown (void *context, tl_xml *xml, int within,
                             const char *element) {
  (void)context;
  // A number says <positive/> or <natural/>, which its digits say as well.
  if (within < TAGS && within != STRUCTURE)
    return TL_OK;
  return within == TAGS + TL_TAG_NUMBER
             ? TL_OK
             : tl_xml_fail (xml, TL_E_MODEL,
                            "<%.60s> is not known in symmetric nets", element);
}

void tl_document_read (tl_document *d, tl_xml *xml, tl_mem *mem,
                       const char *file, tl_error *err) {
  static const tl_xml_form form = {.row = rows,
                                   .rows = sizeof rows / sizeof *rows,
                                   .open = on_open,
                                   .close = on_close,
                                   .unknown = on_unknown};
  *d = (tl_document){
      .mem = mem, .arena = TL_ARENA (mem), .file = file, .err = err};
  tl_xml_hand_over (xml, &form, d, NET);
}

void tl_document_close (tl_document *d) {
  if (!d->mem)
    return;
  TL_DEL (d->mem, d->place, d->place_room);
  TL_DEL (d->mem, d->transition, d->transition_room);
  TL_DEL (d->mem, d->reference, d->reference_room);
  TL_DEL (d->mem, d->arc, d->arc_room);
  tl_arena_close (&d->arena);
}
