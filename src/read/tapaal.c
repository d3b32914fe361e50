// TAPAAL's nets, as its editor writes them (.tapn) and as its engines take
// them: XML that looks like PNML, but what a node is stands in attributes.
//
//     <constant name="N" value="3"/>
//     <shared-place name="wire" initialMarking="0" invariant="&lt; inf"/>
//     <net id="Sender" active="true">
//       <place id="P0" name="idle" initialMarking="1" invariant="&lt; inf"/>
//       <transition id="T0" name="send"/>
//       <arc source="P0" target="T0" type="timed" inscription="[0,inf)"/>
//
// Each net is a component.  Its nodes are called Sender.idle, as in TAPAAL's
// queries, and nodes that are shared have no component before their names: a
// shared transition takes part in all components that have it.  Time is not
// supported: intervals other than [0,inf), invariants other than < inf and
// colours are refused.

#include "base/error.h"
#include "read/formats.h"
#include "read/ids.h"
#include "read/text.h"
#include "read/xml.h"

#include <string.h>
#include <strings.h>

enum state {
  DOCUMENT,
  PNML,
  CONSTANT,
  SHARED_PLACE,
  SHARED_TRANSITION,
  NET,
  PLACE,
  TRANSITION,
  ARC,
  INPUT_ARC,
  OUTPUT_ARC,
  TRANSPORT_ARC,
  INHIBITOR_ARC,
  SORT,
  SORT_STRUCTURE,
  SORT_NAME,
  FEATURE
};

static const tl_xml_row rows[] = {
    {DOCUMENT, "pnml", PNML, TL_XML_NO_TEXT},
    {PNML, "constant", CONSTANT, TL_XML_NO_TEXT},
    {PNML, "shared-place", SHARED_PLACE, TL_XML_NO_TEXT},
    {PNML, "shared-transition", SHARED_TRANSITION, TL_XML_NO_TEXT},
    {PNML, "net", NET, TL_XML_NO_TEXT},
    {PNML, "feature", FEATURE, TL_XML_NO_TEXT},
    {NET, "place", PLACE, TL_XML_NO_TEXT},
    {NET, "transition", TRANSITION, TL_XML_NO_TEXT},
    {NET, "arc", ARC, TL_XML_NO_TEXT},
    {NET, "inputArc", INPUT_ARC, TL_XML_NO_TEXT},
    {NET, "outputArc", OUTPUT_ARC, TL_XML_NO_TEXT},
    {NET, "transportArc", TRANSPORT_ARC, TL_XML_NO_TEXT},
    {NET, "inhibitorArc", INHIBITOR_ARC, TL_XML_NO_TEXT},
    {PLACE, "type", SORT, TL_XML_NO_TEXT},
    {SHARED_PLACE, "type", SORT, TL_XML_NO_TEXT},
    {SORT, "structure", SORT_STRUCTURE, TL_XML_NO_TEXT},
    {SORT_STRUCTURE, "usersort", SORT_NAME, TL_XML_NO_TEXT},
};

// An arc waits for the end of its component: then its nodes are known.
typedef struct arc {
  const char *from, *to;
  const char *through; // the transition of a transport arc in one piece, or 0
  uint32_t weight;
  long line;
  bool inhibitor;
} arc;

typedef struct tapaal {
  tl_reading *reading;
  tl_mem *mem;
  tl_builder *builder;
  tl_arena arena; // texts of the whole document
  tl_names constants, components;
  uint32_t *value; // of the constants
  size_t value_room;
  uint32_t shared_places; // the first of the builder
  tl_names shared_transitions;
  uint32_t nets;
  // The component at hand
  bool active;
  const char *component; // or null
  tl_arena texts;
  tl_names ids;
  tl_node *node;
  size_t node_room;
  arc *arcs;
  size_t arc_count, arc_room;
  char *id; // of the node at hand, as the net has it
  size_t id_room;
} tapaal;

// A shared transition that no component has had so far is not in the net.
#define NOT_THERE (TL_NO_NAME - 1)

static tl_status no_memory (tl_xml *xml) {
  return tl_xml_fail (xml, TL_E_NOMEM, "no memory for the net");
}

static tl_status coloured (tl_xml *xml) {
  return tl_xml_fail (xml, TL_E_MODEL,
                      "coloured nets of TAPAAL are not supported");
}

static const char *after_blanks (const char *text) {
  return text + strspn (text, " \t\r\n");
}

// The attribute, or null if it is empty, too.
static const char *attribute (const char *const *attributes, const char *name) {
  const char *text = tl_xml_attribute (attributes, name);
  return text && *text ? text : 0;
}

// Other formats do not keep blanks there.
static bool has_blanks_around (const char *text) {
  const size_t length = strlen (text);
  return length &&
         (strchr (" \t\r\n", text[0]) || strchr (" \t\r\n", text[length - 1]));
}

static tl_status check_text (tl_xml *xml, const char *what, const char *text) {
  const char *problem = !text ? "is not there"
                        : has_blanks_around (text)
                            ? "has a blank before or after it"
                            : tl_text_id (text, strlen (text));
  return problem ? tl_xml_fail (xml, TL_E_SYNTAX, "the %s %s", what, problem)
                 : TL_OK;
}

// ---- Numbers and time ------------------------------------------------------

static bool find_constant (const tapaal *p, const char *name, uint32_t *value) {
  const uint32_t number = tl_names_find (&p->constants, name);
  if (number == TL_NO_NAME)
    return false;
  *value = p->value[number];
  return true;
}

static tl_status number (tl_xml *xml, const char *what, const char *text,
                         uint32_t *value) {
  const char *problem = tl_text_count (text, value);
  return problem ? tl_xml_fail (xml, TL_E_SYNTAX, "the %s '%.40s' %s", what,
                                text, problem)
                 : TL_OK;
}

static tl_status read_weight (const tapaal *p, tl_xml *xml, const char *text,
                              uint32_t *weight) {
  *weight = 1;
  if (!text)
    return TL_OK;
  const tl_status status = find_constant (p, text, weight)
                               ? TL_OK
                               : number (xml, "arc weight", text, weight);
  return status || *weight ? status
                           : tl_xml_fail (xml, TL_E_SYNTAX,
                                          "the arc weight '%.40s' is not "
                                          "positive",
                                          text);
}

// [0,inf), where a constant may stand for 0, and :N for the number of a
// transport arc may follow.
static bool is_unlimited (const tapaal *p, const char *text) {
  char low[256];
  if (*text != '[')
    return false;
  text = after_blanks (text + 1);
  const size_t length = strcspn (text, ", \t\r\n");
  uint32_t least;
  if (length >= sizeof low)
    return false;
  memcpy (low, text, length);
  low[length] = 0;
  if ((!find_constant (p, low, &least) && tl_text_count (low, &least)) || least)
    return false;
  text = after_blanks (text + length);
  if (*text != ',')
    return false;
  text = after_blanks (text + 1);
  if (strncmp (text, "inf", 3))
    return false;
  text = after_blanks (text + 3);
  return *text == ')' && (!text[1] || text[1] == ':');
}

// Of an arc from a place an interval of ages, of one to a place a number that
// says what the weight says.
static tl_status check_inscription (const tapaal *p, tl_xml *xml,
                                    const char *text, uint32_t weight) {
  uint32_t said;
  if (!text)
    return TL_OK;
  text = after_blanks (text);
  if (*text == '[' || *text == '(')
    return is_unlimited (p, text)
               ? TL_OK
               : tl_xml_fail (xml, TL_E_MODEL,
                              "the arc has the interval %.60s: time is not "
                              "supported, only [0,inf) is",
                              text);
  const tl_status status = number (xml, "inscription", text, &said);
  return status || said == 1 || said == weight
             ? status
             : tl_xml_fail (xml, TL_E_MODEL,
                            "the inscription '%.40s' is not the weight of the "
                            "arc",
                            text);
}

static tl_status check_invariant (tl_xml *xml, const char *text) {
  if (!text)
    return TL_OK;
  const char *at = after_blanks (text);
  const bool inf = *at == '<' && !strcmp (after_blanks (at + 1), "inf");
  return inf ? TL_OK
             : tl_xml_fail (xml, TL_E_MODEL,
                            "the place has the invariant '%.60s': time is not "
                            "supported, only '< inf' is",
                            text);
}

// ---- Declarations ----------------------------------------------------------

// Adds a name that lives as long as `arena`.  *value becomes that of the name.
static tl_status add_name (tl_xml *xml, tl_names *names, tl_arena *arena,
                           const char *name, const char *what,
                           uint32_t *value) {
  bool added;
  const char *copy = tl_arena_text (arena, name, strlen (name));
  if (!copy || tl_names_add (names, copy, value, &added))
    return no_memory (xml);
  return added ? TL_OK
               : tl_xml_fail (xml, TL_E_SYNTAX, "a second %s '%.80s'", what,
                              name);
}

static tl_status open_constant (tapaal *p, tl_xml *xml,
                                const char *const *attributes) {
  const char *name = attribute (attributes, "name");
  const char *text = attribute (attributes, "value");
  uint32_t count = (uint32_t)p->constants.count, value;
  tl_status status = check_text (xml, "name of this constant", name);
  if (!status)
    status = number (xml, "value", text ? text : "", &value);
  if (!status)
    status = add_name (xml, &p->constants, &p->arena, name, "constant", &count);
  if (status)
    return status;
  if (!TL_ROOM (p->mem, p->value, &p->value_room, p->constants.count))
    return no_memory (xml);
  p->value[count] = value;
  return TL_OK;
}

static tl_status initial_tokens (tl_xml *xml, const char *const *attributes,
                                 uint32_t *tokens) {
  const char *text = attribute (attributes, "initialMarking");
  *tokens = 0;
  return text ? number (xml, "initial marking", text, tokens) : TL_OK;
}

// What the builder said about a node.
static tl_status added (tl_xml *xml, tl_status status, const char *what,
                        const char *id) {
  return status == TL_E_ARG
             ? tl_xml_fail (xml, TL_E_SYNTAX, "a second %s '%.80s'", what, id)
         : status ? no_memory (xml)
                  : TL_OK;
}

static tl_status add_place (tapaal *p, tl_xml *xml,
                            const char *const *attributes, const char *id,
                            const char *name, uint32_t *index) {
  uint32_t tokens;
  tl_status status = check_invariant (xml, attribute (attributes, "invariant"));
  if (!status)
    status = initial_tokens (xml, attributes, &tokens);
  if (status)
    return status;
  return added (xml, tl_builder_place (p->builder, id, name, tokens, index),
                "place", id);
}

static tl_status add_transition (tapaal *p, tl_xml *xml, const char *id,
                                 const char *name, uint32_t *index) {
  return added (xml, tl_builder_transition (p->builder, id, name, index),
                "transition", id);
}

static tl_status open_shared (tapaal *p, tl_xml *xml,
                              const char *const *attributes, bool place) {
  const char *name = attribute (attributes, "name");
  uint32_t index = 0;
  tl_status status = check_text (xml, "name of this shared node", name);
  if (status)
    return status;
  if (p->nets)
    return tl_xml_fail (xml, TL_E_SYNTAX,
                        "shared nodes stand before the first net");
  if (!place)
    return add_name (xml, &p->shared_transitions, &p->arena, name,
                     "shared transition", &(uint32_t){NOT_THERE});
  status = add_place (p, xml, attributes, name, 0, &index);
  p->shared_places += !status;
  return status;
}

// ---- Components ------------------------------------------------------------

static tl_status open_net (tapaal *p, tl_xml *xml,
                           const char *const *attributes) {
  const char *active = attribute (attributes, "active");
  const char *name = attribute (attributes, "name");
  if (!name)
    name = attribute (attributes, "id");
  p->nets++;
  p->active = !active || !strcmp (active, "true");
  p->component = 0;
  if (!name)
    return TL_OK;
  tl_status status = check_text (xml, "name of this net", name);
  if (!status)
    status = add_name (xml, &p->components, &p->arena, name, "net",
                       &(uint32_t){p->nets});
  if (status)
    return status;
  p->component = tl_arena_text (&p->arena, name, strlen (name));
  if (!p->component)
    return no_memory (xml);
  if (!p->reading->name)
    p->reading->name = tl_arena_text (&p->reading->arena, name, strlen (name));
  return p->reading->name ? TL_OK : no_memory (xml);
}

// Component.name in p->id
static tl_status join_id (tapaal *p, tl_xml *xml, const char *name) {
  const tl_status wrong = check_text (xml, "name of this node", name);
  if (wrong)
    return wrong;
  const size_t front = p->component ? strlen (p->component) + 1 : 0;
  const size_t length = front + strlen (name);
  if (!TL_ROOM (p->mem, p->id, &p->id_room, length + 1))
    return no_memory (xml);
  if (front) {
    memcpy (p->id, p->component, front - 1);
    p->id[front - 1] = '.';
  }
  memcpy (p->id + front, name, length - front + 1);
  return check_text (xml, "name of this node", p->id);
}

// A name is shown beside the id where it is not all of it.
static const char *shown (const tapaal *p, const char *name) {
  return p->component ? name : 0;
}

static tl_status make_place (tapaal *p, tl_xml *xml,
                             const char *const *attributes, const char *name,
                             uint32_t *index) {
  *index = tl_builder_find_place (p->builder, name);
  if (*index < p->shared_places)
    return TL_OK;
  const tl_status status = join_id (p, xml, name);
  return status ? status
                : add_place (p, xml, attributes, p->id, shown (p, name), index);
}

static tl_status make_transition (tapaal *p, tl_xml *xml, const char *name,
                                  uint32_t *index) {
  *index = tl_names_find (&p->shared_transitions, name);
  if (*index < NOT_THERE)
    return TL_OK;
  const bool is_shared = *index == NOT_THERE;
  tl_status status = is_shared ? TL_OK : join_id (p, xml, name);
  if (!status)
    status = add_transition (p, xml, is_shared ? name : p->id,
                             is_shared ? 0 : shown (p, name), index);
  if (!status && is_shared)
    tl_names_set (&p->shared_transitions, name, *index);
  return status;
}

static tl_status open_node (tapaal *p, tl_xml *xml,
                            const char *const *attributes, bool place) {
  const char *id = attribute (attributes, "id");
  const char *name = attribute (attributes, "name");
  uint32_t count = (uint32_t)p->ids.count;
  tl_node node = {place ? TL_NODE_PLACE : TL_NODE_TRANSITION, 0};
  if (!p->active)
    return TL_OK;
  id = id ? id : name;
  name = name ? name : id;
  tl_status status = check_text (xml, "name of this node", name);
  if (!status)
    status = place ? make_place (p, xml, attributes, name, &node.index)
                   : make_transition (p, xml, name, &node.index);
  if (!status)
    status = add_name (xml, &p->ids, &p->texts, id, "node", &count);
  if (status)
    return status;
  if (!TL_ROOM (p->mem, p->node, &p->node_room, p->ids.count))
    return no_memory (xml);
  p->node[count] = node;
  return TL_OK;
}

// ---- Arcs ------------------------------------------------------------------

static tl_status check_type (tl_xml *xml, const char *type, bool *inhibitor) {
  *inhibitor =
      type && (!strcmp (type, "inhibitor") || !strcmp (type, "tapnInhibitor"));
  return !type || *inhibitor || !strcmp (type, "timed") ||
                 !strcmp (type, "normal") || !strcmp (type, "transport")
             ? TL_OK
             : tl_xml_fail (xml, TL_E_MODEL,
                            "arcs of type '%.40s' are not known", type);
}

static tl_status keep_end (tapaal *p, tl_xml *xml,
                           const char *const *attributes, const char *name,
                           const char **end) {
  const char *text = attribute (attributes, name);
  if (!text)
    return tl_xml_fail (xml, TL_E_SYNTAX, "this arc has no '%s'", name);
  *end = tl_arena_text (&p->texts, text, strlen (text));
  return *end ? TL_OK : no_memory (xml);
}

static tl_status open_arc (tapaal *p, tl_xml *xml,
                           const char *const *attributes, int state) {
  arc a = {.line = tl_xml_line (xml)};
  if (!p->active)
    return TL_OK;
  const char *type = attribute (attributes, "type");
  tl_status status = check_type (xml, type, &a.inhibitor);
  a.inhibitor |= state == INHIBITOR_ARC;
  if (!status)
    status = keep_end (p, xml, attributes, "source", &a.from);
  if (!status)
    status = keep_end (p, xml, attributes, "target", &a.to);
  if (!status && attribute (attributes, "transition"))
    status = keep_end (p, xml, attributes, "transition", &a.through);
  if (!status)
    status = read_weight (p, xml, attribute (attributes, "weight"), &a.weight);
  if (!status)
    status = check_inscription (p, xml, attribute (attributes, "inscription"),
                                a.weight);
  if (status)
    return status;
  if (!TL_ROOM (p->mem, p->arcs, &p->arc_room, p->arc_count + 1))
    return no_memory (xml);
  p->arcs[p->arc_count++] = a;
  return TL_OK;
}

static tl_status fail_arc (const tapaal *p, const arc *a, const char *what,
                           const char *name) {
  return tl_fail_at (p->reading->err, TL_E_SYNTAX, p->reading->in->name,
                     a->line, 0, "this arc %s '%.80s'", what, name);
}

static tl_status connect (const tapaal *p, const arc *a, const char *from,
                          const char *to) {
  const uint32_t source = tl_names_find (&p->ids, from);
  const uint32_t target = tl_names_find (&p->ids, to);
  if (source == TL_NO_NAME)
    return fail_arc (p, a, "begins at unknown node", from);
  if (target == TL_NO_NAME)
    return fail_arc (p, a, "ends at unknown node", to);
  const tl_node *const f = p->node + source, *const t = p->node + target;
  const bool pre = f->kind == TL_NODE_PLACE;
  if (f->kind == t->kind)
    return fail_arc (p, a, "connects two nodes of a kind, at", to);
  if (a->inhibitor && !pre)
    return fail_arc (p, a, "inhibits a place,", to);
  const tl_arc_kind kind = a->inhibitor ? TL_ARC_INHIBITOR
                           : pre        ? TL_ARC_PRE
                                        : TL_ARC_POST;
  return tl_builder_arc (p->builder, kind, pre ? f->index : t->index,
                         pre ? t->index : f->index, a->weight)
             ? tl_fail (p->reading->err, TL_E_NOMEM, "no memory for the net")
             : TL_OK;
}

static void forget_component (tapaal *p) {
  tl_names_close (&p->ids);
  p->ids = TL_NAMES (p->mem);
  tl_arena_close (&p->texts);
  p->texts = TL_ARENA (p->mem);
  p->arc_count = 0;
}

static tl_status close_net (tapaal *p) {
  tl_status status = TL_OK;
  for (size_t i = 0; !status && i < p->arc_count; i++) {
    const arc *a = p->arcs + i;
    status = connect (p, a, a->from, a->through ? a->through : a->to);
    if (!status && a->through)
      status = connect (p, a, a->through, a->to);
  }
  forget_component (p);
  return status;
}

// ---- The document ----------------------------------------------------------

static tl_status check_sort (tl_xml *xml, const char *const *attributes) {
  const char *sort = tl_xml_attribute (attributes, "declaration");
  return sort && !strcasecmp (sort, "dot") ? TL_OK : coloured (xml);
}

static bool is_true (const char *const *attributes, const char *name) {
  const char *text = tl_xml_attribute (attributes, name);
  return text && !strcmp (text, "true");
}

static tl_status check_features (tl_xml *xml, const char *const *attributes) {
  if (is_true (attributes, "isColored"))
    return coloured (xml);
  return is_true (attributes, "isStochastic")
             ? tl_xml_fail (xml, TL_E_MODEL,
                            "stochastic nets of TAPAAL are not supported")
             : TL_OK;
}

static tl_status on_open (void *context, tl_xml *xml, int state,
                          const char *const *attributes) {
  tapaal *p = context;
  switch ((enum state)state) {
  case CONSTANT: return open_constant (p, xml, attributes);
  case SHARED_PLACE: return open_shared (p, xml, attributes, true);
  case SHARED_TRANSITION: return open_shared (p, xml, attributes, false);
  case NET: return open_net (p, xml, attributes);
  case PLACE: return open_node (p, xml, attributes, true);
  case TRANSITION: return open_node (p, xml, attributes, false);
  case ARC:
  case INPUT_ARC:
  case OUTPUT_ARC:
  case TRANSPORT_ARC:
  case INHIBITOR_ARC: return open_arc (p, xml, attributes, state);
  case SORT_NAME: return check_sort (xml, attributes);
  case FEATURE: return check_features (xml, attributes);
  default: return TL_OK;
  }
}

static tl_status on_close (void *context, tl_xml *xml, int state,
                           const char *text, size_t length) {
  (void)xml, (void)text, (void)length;
  return state == NET ? close_net (context) : TL_OK;
}

// Queries and drawings are read over; what could mean something is not.
static tl_status on_unknown (void *context, tl_xml *xml, int within,
                             const char *element) {
  (void)context;
  static const char *const harmless[] = {
      "labels", "name", "graphics", "arcpath", "text", "toolspecific", "dot"};
  static const char *const colours[] = {"hlinitialMarking", "hlinscription",
                                        "condition", "colorinvariant",
                                        "colorinterval"};
  if (within == PNML)
    return TL_OK;
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
    if (!strcmp (element, harmless[i]))
      return TL_OK;
  for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
    if (!strcmp (element, colours[i]))
      return coloured (xml);
  return tl_xml_fail (xml, TL_E_MODEL,
                      "the element <%.60s> is not known in nets of TAPAAL",
                      element);
}

static void close_reader (tapaal *p) {
  forget_component (p);
  tl_names_close (&p->constants);
  tl_names_close (&p->components);
  tl_names_close (&p->shared_transitions);
  TL_DEL (p->mem, p->value, p->value_room);
  TL_DEL (p->mem, p->node, p->node_room);
  TL_DEL (p->mem, p->arcs, p->arc_room);
  TL_DEL (p->mem, p->id, p->id_room);
  tl_arena_close (&p->arena);
}

tl_status tl_read_tapaal (tl_reading *reading) {
  static const tl_xml_form form = {.row = rows,
                                   .rows = sizeof rows / sizeof *rows,
                                   .open = on_open,
                                   .close = on_close,
                                   .unknown = on_unknown};
  tl_mem *mem = reading->mem;
  tapaal p = {.reading = reading,
              .mem = mem,
              .builder = reading->builder,
              .arena = TL_ARENA (mem),
              .constants = TL_NAMES (mem),
              .components = TL_NAMES (mem),
              .shared_transitions = TL_NAMES (mem),
              .texts = TL_ARENA (mem),
              .ids = TL_NAMES (mem)};
  tl_status status = tl_xml_read (&form, &p, reading->in, mem, reading->err);
  if (!status && !p.nets)
    status = tl_fail_at (reading->err, TL_E_SYNTAX, reading->in->name, 1, 0,
                         "the document holds no net");
  close_reader (&p);
  return status;
}
