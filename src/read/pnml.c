// PNML place/transition nets: pages and reference nodes are flattened, the
// order of elements is free, weights and markings are read with or without
// blanks around them, inhibitor and read arcs in the dialects in use.  Arcs
// between nodes that are known already go to the builder at once; what must
// wait for the end of the document is kept as small numbers.  A symmetric net
// is handed over to the reader of these.

#include "read/formats.h"
#include "read/ids.h"
#include "read/nupn.h"
#include "read/symmetric.h"
#include "read/text.h"
#include "read/xml.h"
#include "base/error.h"

#include <string.h>
#include <strings.h>

enum state {
  DOCUMENT,
  PNML,
  NET,
  NET_NAME,
  NET_NAME_TEXT,
  PAGE,
  PLACE,
  TRANSITION,
  ARC,
  REFERENCE_PLACE,
  REFERENCE_TRANSITION,
  NODE_NAME,
  NODE_NAME_TEXT,
  MARKING,
  MARKING_TEXT,
  CAPACITY,
  CAPACITY_TEXT,
  INSCRIPTION,
  INSCRIPTION_TEXT,
  ARC_TYPE,
  ARC_TYPE_TEXT,
  TOOL, // of the net or a page: may hold units, or the origin of the net
  UNFOLDED,
  COLOURED_PLACE,
  COLOURED_TRANSITION,
  UNITS,
  UNIT,
  UNIT_PLACES,
  UNIT_SUBUNITS,
  NODE_TOOL, // of a node: may hold the id it has in the net
  NODE_ID,
  COLOURED
};

// What may stand in a net may stand in a page of it, and the other way round.
#define CONTENT(WITHIN)                                                        \
  {WITHIN, "page", PAGE, TL_XML_NO_TEXT},                                      \
      {WITHIN, "arc", ARC, TL_XML_NO_TEXT},                                    \
      {WITHIN, "place", PLACE, TL_XML_NO_TEXT},                                \
      {WITHIN, "transition", TRANSITION, TL_XML_NO_TEXT},                      \
      {WITHIN, "referencePlace", REFERENCE_PLACE, TL_XML_NO_TEXT},             \
      {WITHIN, "referenceTransition", REFERENCE_TRANSITION, TL_XML_NO_TEXT}, { \
    WITHIN, "toolspecific", TOOL, TL_XML_NO_TEXT                               \
  }

static const tl_xml_row rows[] = {
    {DOCUMENT, "pnml", PNML, TL_XML_NO_TEXT},
    {PNML, "net", NET, TL_XML_NO_TEXT},
    {NET, "name", NET_NAME, TL_XML_NO_TEXT},
    {NET_NAME, "text", NET_NAME_TEXT, TL_XML_WHOLE},
    CONTENT (NET),
    CONTENT (PAGE),
    {PLACE, "name", NODE_NAME, TL_XML_NO_TEXT},
    {PLACE, "initialMarking", MARKING, TL_XML_NO_TEXT},
    {PLACE, "capacity", CAPACITY, TL_XML_NO_TEXT},
    {PLACE, "toolspecific", NODE_TOOL, TL_XML_NO_TEXT},
    {PLACE, "hlinitialMarking", COLOURED, TL_XML_NO_TEXT},
    {TRANSITION, "name", NODE_NAME, TL_XML_NO_TEXT},
    {TRANSITION, "toolspecific", NODE_TOOL, TL_XML_NO_TEXT},
    {TRANSITION, "condition", COLOURED, TL_XML_NO_TEXT},
    {ARC, "inscription", INSCRIPTION, TL_XML_NO_TEXT},
    {ARC, "hlinscription", COLOURED, TL_XML_NO_TEXT},
    {ARC, "type", ARC_TYPE, TL_XML_NO_TEXT},
    {ARC, "arctype", ARC_TYPE, TL_XML_NO_TEXT},
    {NODE_NAME, "text", NODE_NAME_TEXT, TL_XML_WHOLE},
    {MARKING, "text", MARKING_TEXT, TL_XML_WHOLE},
    {MARKING, "value", MARKING_TEXT, TL_XML_WHOLE},
    {CAPACITY, "text", CAPACITY_TEXT, TL_XML_WHOLE},
    {CAPACITY, "value", CAPACITY_TEXT, TL_XML_WHOLE},
    {INSCRIPTION, "text", INSCRIPTION_TEXT, TL_XML_WHOLE},
    {INSCRIPTION, "value", INSCRIPTION_TEXT, TL_XML_WHOLE},
    {ARC_TYPE, "text", ARC_TYPE_TEXT, TL_XML_WHOLE},
    {TOOL, "structure", UNITS, TL_XML_NO_TEXT},
    {TOOL, "unfolded", UNFOLDED, TL_XML_NO_TEXT},
    {TOOL, "colouredPlace", COLOURED_PLACE, TL_XML_NO_TEXT},
    {TOOL, "colouredTransition", COLOURED_TRANSITION, TL_XML_NO_TEXT},
    {UNITS, "unit", UNIT, TL_XML_NO_TEXT},
    {UNIT, "places", UNIT_PLACES, TL_XML_PARTS},
    {UNIT, "subunits", UNIT_SUBUNITS, TL_XML_PARTS},
    {NODE_TOOL, "node", NODE_ID, TL_XML_NO_TEXT},
};

// A text of the element at hand, kept until its end.
typedef struct kept {
  char *text;
  size_t length, room;
} kept;

typedef struct pending_arc {
  tl_node from, to;
  uint32_t weight, line;
  tl_arc_kind kind; // TL_ARC_PRE: by its direction
} pending_arc;

typedef struct pnml {
  tl_reading *reading;
  tl_mem *mem;
  tl_builder *builder;
  tl_ids ids;
  tl_nupn *nupn;
  const char *file;
  tl_error *err;
  bool seen_net;
  // The node or arc at hand
  kept id, own_id, name;
  uint32_t number; // tokens or weight
  bool has_number;
  pending_arc arc;
  pending_arc *pending;
  size_t pending_count, pending_room;
  bool tool_is_ours;     // nupn, or tideline
  bool tells_origin;     // tideline, of the net
  tl_document *document; // of a symmetric net
} pnml;

static tl_status no_memory (tl_xml *xml) {
  return tl_xml_fail (xml, TL_E_NOMEM, "no memory for the net");
}

static tl_status keep (pnml *p, tl_xml *xml, kept *k, const char *text) {
  k->length = strlen (text);
  if (!TL_ROOM (p->mem, k->text, &k->room, k->length + 1))
    return no_memory (xml);
  memcpy (k->text, text, k->length + 1);
  return TL_OK;
}

// The attribute `name` of an element called `what`, which must be there and
// be fit for an id.
static tl_status id_attribute (tl_xml *xml, const char *const *attributes,
                               const char *what, const char *name,
                               const char **value) {
  *value = tl_xml_attribute (attributes, name);
  if (!*value)
    return tl_xml_fail (xml, TL_E_SYNTAX, "this %s has no '%s'", what, name);
  const char *problem = tl_text_id (*value, strlen (*value));
  return problem ? tl_xml_fail (xml, TL_E_SYNTAX, "the '%s' of this %s %s",
                                name, what, problem)
                 : TL_OK;
}

static bool ends_with (const char *text, const char *end) {
  const size_t n = strlen (text), m = strlen (end);
  return n >= m && !strcasecmp (text + n - m, end);
}

static tl_status keep_name (pnml *p, tl_xml *xml, const char *id) {
  if (!id || tl_text_id (id, strlen (id)))
    return TL_OK;
  p->reading->name = tl_arena_text (&p->reading->arena, id, strlen (id));
  return p->reading->name ? TL_OK : no_memory (xml);
}

static tl_status open_symmetric (pnml *p, tl_xml *xml) {
  if (!TL_NEW (p->mem, p->document, 1))
    return no_memory (xml);
  tl_document_read (p->document, xml, p->mem, p->file, p->err);
  return TL_OK;
}

static tl_status open_net (pnml *p, tl_xml *xml,
                           const char *const *attributes) {
  if (p->seen_net)
    return tl_xml_fail (xml, TL_E_MODEL, "the file holds more than one net");
  p->seen_net = true;
  const char *type = tl_xml_attribute (attributes, "type");
  const tl_status status =
      keep_name (p, xml, tl_xml_attribute (attributes, "id"));
  if (status)
    return status;
  if (type && ends_with (type, "symmetricnet"))
    return open_symmetric (p, xml);
  if (type && *type && !ends_with (type, "ptnet") &&
      !ends_with (type, "ptnetb") && !ends_with (type, "coremodel"))
    return tl_xml_fail (xml, TL_E_MODEL, "nets of type '%.80s' are not known",
                        type);
  return TL_OK;
}

static tl_status open_node (pnml *p, tl_xml *xml, const char *const *attributes,
                            const char *what) {
  const char *id;
  const tl_status status = id_attribute (xml, attributes, what, "id", &id);
  if (status)
    return status;
  if (tl_ids_defined (&p->ids, id))
    return tl_xml_fail (xml, TL_E_SYNTAX, "a second node '%.80s'", id);
  p->own_id.length = p->name.length = 0;
  p->has_number = false;
  p->number = 0;
  return keep (p, xml, &p->id, id);
}

static tl_status open_reference (pnml *p, tl_xml *xml,
                                 const char *const *attributes,
                                 tl_node_kind must) {
  const char *target;
  tl_node node;
  tl_status status = open_node (p, xml, attributes, "reference");
  if (!status)
    status = id_attribute (xml, attributes, "reference", "ref", &target);
  if (status)
    return status;
  if (tl_ids_node (&p->ids, target, &node) ||
      tl_ids_refer (&p->ids, p->id.text, node, must, tl_xml_line (xml)))
    return no_memory (xml);
  return TL_OK;
}

static tl_status set_arc_type (pnml *p, tl_xml *xml, const char *type) {
  if (!type || !*type || !strcasecmp (type, "normal"))
    return TL_OK;
  if (!strcasecmp (type, "inhibitor"))
    p->arc.kind = TL_ARC_INHIBITOR;
  else if (!strcasecmp (type, "read") || !strcasecmp (type, "test"))
    p->arc.kind = TL_ARC_READ;
  else
    return tl_xml_fail (xml, TL_E_MODEL, "arcs of type '%.40s' are not known",
                        type);
  return TL_OK;
}

static tl_status open_arc (pnml *p, tl_xml *xml,
                           const char *const *attributes) {
  const char *from, *to;
  tl_status status = id_attribute (xml, attributes, "arc", "source", &from);
  if (!status)
    status = id_attribute (xml, attributes, "arc", "target", &to);
  if (status)
    return status;
  p->arc = (pending_arc){.line = (uint32_t)tl_xml_line (xml)};
  p->has_number = false;
  p->number = 1;
  if (tl_ids_node (&p->ids, from, &p->arc.from) ||
      tl_ids_node (&p->ids, to, &p->arc.to))
    return no_memory (xml);
  // Some tools tell it so.
  return set_arc_type (p, xml, tl_xml_attribute (attributes, "type"));
}

static tl_status open_own_id (pnml *p, tl_xml *xml,
                              const char *const *attributes) {
  const char *id;
  if (!p->tool_is_ours)
    return TL_OK;
  const tl_status status = id_attribute (xml, attributes, "node", "id", &id);
  return status ? status : keep (p, xml, &p->own_id, id);
}

static bool tool_is (const char *const *attributes, const char *name) {
  const char *tool = tl_xml_attribute (attributes, "tool");
  return tool && !strcasecmp (tool, name);
}

static tl_status count_attribute (tl_xml *xml, const char *const *attributes,
                                  const char *name, uint32_t *value) {
  const char *text = tl_xml_attribute (attributes, name);
  const char *problem = text ? tl_text_count (text, value) : "is not there";
  return problem ? tl_xml_fail (xml, TL_E_SYNTAX, "the '%s' of this element %s",
                                name, problem)
                 : TL_OK;
}

static tl_status open_unfolded (pnml *p, tl_xml *xml,
                                const char *const *attributes) {
  uint32_t arcs;
  if (!p->tells_origin)
    return TL_OK;
  const tl_status status = count_attribute (xml, attributes, "arcs", &arcs);
  if (status)
    return status;
  p->reading->origin.there = true;
  p->reading->origin.arcs = arcs;
  return TL_OK;
}

static tl_status open_coloured (pnml *p, tl_xml *xml,
                                const char *const *attributes, bool place) {
  const char *id;
  uint32_t count;
  if (!p->tells_origin)
    return TL_OK;
  tl_status status = id_attribute (xml, attributes, "element", "id", &id);
  if (!status)
    status = count_attribute (xml, attributes, "count", &count);
  if (status)
    return status;
  const char *name = tl_xml_attribute (attributes, "name");
  tl_arena *arena = &p->reading->arena;
  const struct tl_kept_node node = {
      tl_arena_text (arena, id, strlen (id)),
      name ? tl_arena_text (arena, name, strlen (name)) : 0, count};
  return node.id && (node.name || !name) &&
                 !tl_kept_origin_add (&p->reading->origin, place, node)
             ? TL_OK
             : no_memory (xml);
}

static tl_status on_open (void *context, tl_xml *xml, int state,
                          const char *const *attributes) {
  pnml *p = context;
  switch ((enum state)state) {
  case NET: return open_net (p, xml, attributes);
  case PLACE: return open_node (p, xml, attributes, "place");
  case TRANSITION: return open_node (p, xml, attributes, "transition");
  case ARC: return open_arc (p, xml, attributes);
  case REFERENCE_PLACE:
    return open_reference (p, xml, attributes, TL_NODE_PLACE);
  case REFERENCE_TRANSITION:
    return open_reference (p, xml, attributes, TL_NODE_TRANSITION);
  case ARC_TYPE:
    return set_arc_type (p, xml, tl_xml_attribute (attributes, "value"));
  case TOOL:
    p->tool_is_ours = tool_is (attributes, "nupn");
    p->tells_origin = tool_is (attributes, "tideline");
    return TL_OK;
  case UNFOLDED: return open_unfolded (p, xml, attributes);
  case COLOURED_PLACE: return open_coloured (p, xml, attributes, true);
  case COLOURED_TRANSITION: return open_coloured (p, xml, attributes, false);
  case UNITS:
    return p->tool_is_ours
               ? tl_nupn_open (&p->nupn, p->mem, &p->ids, xml, attributes)
               : TL_OK;
  case UNIT:
    return p->tool_is_ours ? tl_nupn_unit (p->nupn, xml,
                                           tl_xml_attribute (attributes, "id"))
                           : TL_OK;
  case NODE_TOOL:
    p->tool_is_ours = tool_is (attributes, "tideline");
    return TL_OK;
  case NODE_ID: return open_own_id (p, xml, attributes);
  case COLOURED:
    return tl_xml_fail (xml, TL_E_MODEL,
                        "terms over colours in a net that is not declared as "
                        "a symmetric net");
  default: return TL_OK;
  }
}

static tl_nupn_list list_of (int state) {
  return state == UNIT_PLACES ? TL_NUPN_PLACES : TL_NUPN_SUBUNITS;
}

static tl_status on_part (void *context, tl_xml *xml, int state,
                          const char *text, size_t length) {
  pnml *p = context;
  return p->tool_is_ours
             ? tl_nupn_part (p->nupn, xml, list_of (state), text, length)
             : TL_OK;
}

static tl_status set_number (pnml *p, tl_xml *xml, const char *what,
                             const char *text, uint32_t least) {
  if (!*text)
    return TL_OK;
  if (p->has_number)
    return tl_xml_fail (xml, TL_E_SYNTAX, "a second %s", what);
  p->has_number = true;
  const char *problem = tl_text_count (text, &p->number);
  if (!problem && p->number < least)
    problem = "is not positive";
  return problem ? tl_xml_fail (xml, TL_E_SYNTAX, "the %s '%.40s' %s", what,
                                text, problem)
                 : TL_OK;
}

// Capacities would change which transitions are enabled; some editors write
// 0 for "none".
static tl_status check_capacity (tl_xml *xml, const char *text) {
  uint32_t capacity;
  if (!*text || (!tl_text_count (text, &capacity) && !capacity))
    return TL_OK;
  return tl_xml_fail (xml, TL_E_MODEL, "place capacities are not supported");
}

static tl_status close_node (pnml *p, tl_xml *xml, bool is_place) {
  // A node that bears another id in the net than in this document
  const bool own = p->own_id.length;
  const char *id = own ? p->own_id.text : p->id.text;
  const char *name = p->name.length && *p->name.text ? p->name.text : 0;
  tl_node node = {is_place ? TL_NODE_PLACE : TL_NODE_TRANSITION, 0};
  const tl_status status =
      is_place ? tl_builder_place (p->builder, id, name, p->number, &node.index)
               : tl_builder_transition (p->builder, id, name, &node.index);
  if (status == TL_E_ARG)
    return tl_xml_fail (xml, TL_E_SYNTAX, "a second node '%.80s'", id);
  if (status || (own && tl_ids_refer (&p->ids, p->id.text, node,
                                      TL_NODE_UNKNOWN, tl_xml_line (xml))))
    return no_memory (xml);
  return TL_OK;
}

// Both ends are nodes of the net.
static tl_status add_arc (pnml *p, const pending_arc *arc) {
  const bool pre = arc->from.kind == TL_NODE_PLACE;
  const tl_node place = pre ? arc->from : arc->to;
  const tl_node transition = pre ? arc->to : arc->from;
  if (arc->from.kind == arc->to.kind)
    return tl_fail_at (p->err, TL_E_SYNTAX, p->file, arc->line, 0,
                       "this arc connects two %s",
                       pre ? "places" : "transitions");
  if (arc->kind == TL_ARC_INHIBITOR && !pre)
    return tl_fail_at (p->err, TL_E_SYNTAX, p->file, arc->line, 0,
                       "this inhibitor arc leads to a place");
  const tl_arc_kind kind = arc->kind ? arc->kind
                           : pre     ? TL_ARC_PRE
                                     : TL_ARC_POST;
  return tl_builder_arc (p->builder, kind, place.index, transition.index,
                         arc->weight)
             ? tl_fail (p->err, TL_E_NOMEM, "no memory for the net")
             : TL_OK;
}

static tl_status close_arc (pnml *p, tl_xml *xml) {
  p->arc.weight = p->number;
  if (p->arc.from.kind != TL_NODE_NAMED && p->arc.to.kind != TL_NODE_NAMED)
    return add_arc (p, &p->arc);
  if (!TL_ROOM (p->mem, p->pending, &p->pending_room, p->pending_count + 1))
    return no_memory (xml);
  p->pending[p->pending_count++] = p->arc;
  return TL_OK;
}

static tl_status set_name (pnml *p, tl_xml *xml, const char *text) {
  const tl_status status = keep (p, xml, &p->name, text);
  if (!status)
    tl_text_one_line (p->name.text);
  return status;
}

static tl_status set_title (pnml *p, tl_xml *xml, const char *text) {
  char *title = tl_arena_text (&p->reading->arena, text, strlen (text));
  if (!title)
    return no_memory (xml);
  tl_text_one_line (title);
  p->reading->title = *title ? title : 0;
  return TL_OK;
}

static tl_status on_close (void *context, tl_xml *xml, int state,
                           const char *text, size_t length) {
  (void)length;
  pnml *p = context;
  switch ((enum state)state) {
  case PLACE: return close_node (p, xml, true);
  case TRANSITION: return close_node (p, xml, false);
  case ARC: return close_arc (p, xml);
  case NET_NAME_TEXT: return set_title (p, xml, text);
  case NODE_NAME_TEXT: return set_name (p, xml, text);
  case MARKING_TEXT: return set_number (p, xml, "initial marking", text, 0);
  case CAPACITY_TEXT: return check_capacity (xml, text);
  case INSCRIPTION_TEXT: return set_number (p, xml, "arc weight", text, 1);
  case ARC_TYPE_TEXT: return set_arc_type (p, xml, text);
  case UNIT_PLACES:
  case UNIT_SUBUNITS:
    return p->tool_is_ours ? tl_nupn_list_end (p->nupn, xml, list_of (state))
                           : TL_OK;
  default: return TL_OK;
  }
}

// What had to wait for the end of the document

static tl_status check_references (pnml *p) {
  for (size_t i = 0; i < p->ids.count; i++) {
    const struct tl_id *id = p->ids.id + i;
    const tl_node_kind must = id->must;
    const tl_node end =
        tl_ids_resolve (&p->ids, (tl_node){TL_NODE_NAMED, (uint32_t)i});
    if (must && end.kind != must)
      return tl_fail_at (p->err, TL_E_SYNTAX, p->file, id->line, 0,
                         "reference '%.80s' does not lead to a %s", id->text,
                         must == TL_NODE_PLACE ? "place" : "transition");
  }
  return TL_OK;
}

static tl_status resolve_end (pnml *p, tl_node *node, uint32_t line,
                              const char *verb) {
  const tl_node end = tl_ids_resolve (&p->ids, *node);
  if (!end.kind)
    return tl_fail_at (p->err, TL_E_SYNTAX, p->file, line, 0,
                       "this arc %s unknown node '%.80s'", verb,
                       p->ids.id[node->index].text);
  *node = end;
  return TL_OK;
}

static tl_status add_pending (pnml *p) {
  tl_status status = TL_OK;
  for (size_t i = 0; !status && i < p->pending_count; i++) {
    pending_arc *arc = p->pending + i;
    status = resolve_end (p, &arc->from, arc->line, "begins at");
    if (!status)
      status = resolve_end (p, &arc->to, arc->line, "ends at");
    if (!status)
      status = add_arc (p, arc);
  }
  return status;
}

static tl_status finish (pnml *p) {
  if (!p->seen_net)
    return tl_fail_at (p->err, TL_E_SYNTAX, p->file, 1, 0,
                       "the document holds no net");
  if (p->document)
    return tl_symmetric_make (p->document, p->mem, &p->reading->coloured);
  tl_status status = check_references (p);
  if (!status)
    status = add_pending (p);
  if (!status && p->nupn)
    status = tl_nupn_finish (p->nupn, p->builder, p->file, p->err);
  return status;
}

static void close_reader (pnml *p) {
  kept *const all[] = {&p->id, &p->own_id, &p->name};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    TL_DEL (p->mem, all[i]->text, all[i]->room);
  TL_DEL (p->mem, p->pending, p->pending_room);
  if (p->document) {
    tl_document_close (p->document);
    TL_DEL (p->mem, p->document, 1);
  }
  tl_nupn_close (p->nupn);
  tl_ids_close (&p->ids);
}

tl_status tl_read_pnml (tl_reading *reading) {
  static const tl_xml_form form = {.row = rows,
                                   .rows = sizeof rows / sizeof *rows,
                                   .open = on_open,
                                   .part = on_part,
                                   .close = on_close};
  pnml p = {.reading = reading,
            .mem = reading->mem,
            .builder = reading->builder,
            .ids = TL_IDS (reading->mem, reading->builder),
            .file = reading->in->name,
            .err = reading->err};
  tl_status status = tl_xml_read (&form, &p, reading->in, p.mem, p.err);
  if (!status)
    status = finish (&p);
  close_reader (&p);
  return status;
}

// XML in an encoding that expat knows.
bool tl_is_pnml (const tl_input *in) {
  static const char *const wide[] = {"\xfe\xff", "\xff\xfe", "\0<", "<\0"};
  const char *at = (const char *)in->block, *end = at + in->length;
  for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
    if (in->length >= 2 && !memcmp (at, wide[i], 2))
      return true;
  if (in->length >= 3 && !memcmp (at, "\xef\xbb\xbf", 3))
    at += 3;
  while (at < end && strchr (" \t\r\n", *at) && *at)
    at++;
  return at < end && *at == '<';
}
