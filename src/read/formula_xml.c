#include "read/formula_xml.h"

#include "base/error.h"
#include "read/formula_text.h"
#include "read/operands.h"
#include "read/xml.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// States of the document; the order is that of the tables below.
typedef enum state {
  DOCUMENT,
  SET,
  TAPAAL, // a net of TAPAAL, which has its queries inside
  PROPERTY,
  QUERY,
  ID,
  FORMULA,
  EXISTS,
  ALL,
  NEXT,
  FINALLY,
  GLOBALLY,
  UNTIL,
  BEFORE,
  REACH,
  NOT,
  AND,
  OR,
  XOR,
  IMPLIES,
  IFF,
  LESS_EQUAL,
  LESS,
  GREATER_EQUAL,
  GREATER,
  EQUAL,
  UNEQUAL,
  CONSTANT,
  PLUS,
  MINUS,
  TIMES,
  TOKENS,
  FIREABLE,
  PLACE,
  TRANSITION,
  BOUND,
  TRUE_,
  FALSE_,
  DEADLOCK
} state;

static const tl_xml_row rows[] = {
    {DOCUMENT, "property-set", SET, TL_XML_NO_TEXT},
    {DOCUMENT, "pnml", TAPAAL, TL_XML_NO_TEXT},
    {SET, "property", PROPERTY, TL_XML_NO_TEXT},
    {PROPERTY, "id", ID, TL_XML_WHOLE},
    {PROPERTY, "formula", FORMULA, TL_XML_NO_TEXT},
    {TAPAAL, "query", QUERY, TL_XML_NO_TEXT},
    {QUERY, "formula", FORMULA, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "exists-path", EXISTS, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "all-paths", ALL, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "next", NEXT, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "finally", FINALLY, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "globally", GLOBALLY, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "until", UNTIL, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "before", BEFORE, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "reach", REACH, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "negation", NOT, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "conjunction", AND, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "disjunction", OR, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "exclusive-disjunction", XOR, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "implication", IMPLIES, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "equivalence", IFF, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "integer-le", LESS_EQUAL, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "integer-lt", LESS, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "integer-ge", GREATER_EQUAL, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "integer-gt", GREATER, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "integer-eq", EQUAL, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "integer-ne", UNEQUAL, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "integer-constant", CONSTANT, TL_XML_WHOLE},
    {TL_XML_INSIDE, "integer-sum", PLUS, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "integer-difference", MINUS, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "integer-product", TIMES, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "tokens-count", TOKENS, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "is-fireable", FIREABLE, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "place", PLACE, TL_XML_WHOLE},
    {TL_XML_INSIDE, "transition", TRANSITION, TL_XML_WHOLE},
    {TL_XML_INSIDE, "place-bound", BOUND, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "true", TRUE_, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "false", FALSE_, TL_XML_NO_TEXT},
    {TL_XML_INSIDE, "deadlock", DEADLOCK, TL_XML_NO_TEXT},
};

// What an element is to the one around it.
typedef enum role {
  NO_ROLE,
  IS_PROPERTY = 1,
  IS_PART = 2, // of a property
  IS_FORMULA = 4,
  IS_BOUND = 8,
  IS_BEFORE = 16,
  IS_REACH = 32,
  IS_SUM = 64,
  IS_PLACE = 128,
  IS_TRANSITION = 256
} role;

#define ANY_NUMBER UINT32_MAX

// What an element is, what it takes inside, and how many of that.
static const struct element {
  unsigned is, takes;
  uint32_t least, most;
} elements[] = {
    [SET] = {NO_ROLE, IS_PROPERTY, 0, ANY_NUMBER},
    [TAPAAL] = {NO_ROLE, IS_PROPERTY, 0, ANY_NUMBER},
    [PROPERTY] = {IS_PROPERTY, IS_PART, 2, 2},
    [QUERY] = {IS_PROPERTY, IS_PART, 0, 1},
    [ID] = {IS_PART, NO_ROLE, 0, 0},
    [FORMULA] = {IS_PART, IS_FORMULA | IS_BOUND, 1, 1},
    [EXISTS] = {IS_FORMULA, IS_FORMULA, 1, 1},
    [ALL] = {IS_FORMULA, IS_FORMULA, 1, 1},
    [NEXT] = {IS_FORMULA, IS_FORMULA, 1, 1},
    [FINALLY] = {IS_FORMULA, IS_FORMULA, 1, 1},
    [GLOBALLY] = {IS_FORMULA, IS_FORMULA, 1, 1},
    [UNTIL] = {IS_FORMULA, IS_BEFORE | IS_REACH, 2, 2},
    [BEFORE] = {IS_BEFORE, IS_FORMULA, 1, 1},
    [REACH] = {IS_REACH, IS_FORMULA, 1, 1},
    [NOT] = {IS_FORMULA, IS_FORMULA, 1, 1},
    [AND] = {IS_FORMULA, IS_FORMULA, 1, ANY_NUMBER},
    [OR] = {IS_FORMULA, IS_FORMULA, 1, ANY_NUMBER},
    [XOR] = {IS_FORMULA, IS_FORMULA, 2, ANY_NUMBER},
    [IMPLIES] = {IS_FORMULA, IS_FORMULA, 2, 2},
    [IFF] = {IS_FORMULA, IS_FORMULA, 2, ANY_NUMBER},
    [LESS_EQUAL] = {IS_FORMULA, IS_SUM, 2, 2},
    [LESS] = {IS_FORMULA, IS_SUM, 2, 2},
    [GREATER_EQUAL] = {IS_FORMULA, IS_SUM, 2, 2},
    [GREATER] = {IS_FORMULA, IS_SUM, 2, 2},
    [EQUAL] = {IS_FORMULA, IS_SUM, 2, 2},
    [UNEQUAL] = {IS_FORMULA, IS_SUM, 2, 2},
    [CONSTANT] = {IS_SUM, NO_ROLE, 0, 0},
    [PLUS] = {IS_SUM, IS_SUM, 1, ANY_NUMBER},
    [MINUS] = {IS_SUM, IS_SUM, 2, 2},
    [TIMES] = {IS_SUM, IS_SUM, 1, ANY_NUMBER},
    [TOKENS] = {IS_SUM, IS_PLACE, 1, ANY_NUMBER},
    [FIREABLE] = {IS_FORMULA, IS_TRANSITION, 1, ANY_NUMBER},
    [PLACE] = {IS_PLACE, NO_ROLE, 0, 0},
    [TRANSITION] = {IS_TRANSITION, NO_ROLE, 0, 0},
    [BOUND] = {IS_BOUND, IS_PLACE, 1, ANY_NUMBER},
    [TRUE_] = {IS_FORMULA, NO_ROLE, 0, 0},
    [FALSE_] = {IS_FORMULA, NO_ROLE, 0, 0},
    [DEADLOCK] = {IS_FORMULA, NO_ROLE, 0, 0},
};

// An element that is open.
typedef struct frame {
  int state;
  tl_position at;
  uint32_t count; // of what was inside so far
} frame;

typedef struct reader {
  tl_questions *questions;
  tl_operands operands;
  frame *open;
  size_t depth, room;
  const char *id;    // of the property
  const char *query; // of TAPAAL, as text
  bool linear;       // it is one of LTL
} reader;

static const char *element_name (int s) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].state == s)
      return rows[i].element;
  return "document";
}

// Does the element fit into the one that is open?
static tl_status check_place (reader *r, tl_xml *xml, int s) {
  if (!r->depth)
    return TL_OK;
  frame *outer = r->open + r->depth - 1;
  const struct element *e = elements + outer->state;
  const bool in_order =
      outer->state != UNTIL || s == (outer->count ? REACH : BEFORE);
  if (!(e->takes & elements[s].is) || !in_order)
    return tl_xml_fail (xml, TL_E_SYNTAX, "<%s> does not belong in <%s> here",
                        element_name (s), element_name (outer->state));
  if (outer->count == e->most)
    return tl_xml_fail (xml, TL_E_SYNTAX,
                        "<%s> is one too many in this <%s>, which takes %u",
                        element_name (s), element_name (outer->state), e->most);
  outer->count++;
  return TL_OK;
}

// A text that lives as long as the questions; where there is none null.
static tl_status keep (const reader *r, const char *text, const char **kept) {
  *kept = text ? tl_arena_text (r->operands.arena, text, strlen (text)) : 0;
  return *kept || !text ? TL_OK : tl_operands_no_memory (&r->operands);
}

// What the attributes of a query of TAPAAL say.
static tl_status open_query (reader *r, tl_xml *xml,
                             const char *const *attributes) {
  const char *type = tl_xml_attribute (attributes, "type");
  const char *name = tl_xml_attribute (attributes, "name");
  r->linear = type && !strcmp (type, "LTL");
  if (type && *type && !r->linear && strcmp (type, "CTL") &&
      strcmp (type, "Default"))
    return tl_xml_fail (xml, TL_E_MODEL,
                        "queries of type '%.40s' are not supported", type);
  const tl_status rc = keep (r, name ? name : "query", &r->id);
  return rc ? rc : keep (r, tl_xml_attribute (attributes, "query"), &r->query);
}

static bool is_inactive (const char *const *attributes) {
  const char *active = tl_xml_attribute (attributes, "active");
  return active && !strcmp (active, "false");
}

static tl_status on_open (void *context, tl_xml *xml, int s,
                          const char *const *attributes) {
  static const tl_xml_form nothing = {0};
  reader *r = context;
  if (s == QUERY && is_inactive (attributes)) {
    tl_xml_hand_over (xml, &nothing, 0, 1);
    return TL_OK;
  }
  tl_status rc = check_place (r, xml, s);
  if (!rc && s == QUERY)
    rc = open_query (r, xml, attributes);
  if (rc)
    return rc;
  if (s == TAPAAL) // where nodes are meant by their names as well
    r->operands.ids_only = false;
  if (!TL_ROOM (r->operands.mem, r->open, &r->room, r->depth + 1))
    return tl_operands_no_memory (&r->operands);
  const tl_position at = {tl_xml_line (xml), 0};
  r->open[r->depth++] = (frame){.state = s, .at = at};
  if (s == PROPERTY)
    r->id = 0;
  // Places add to a sum: here it begins.
  return s == TOKENS || s == BOUND ? tl_operands_number (&r->operands, at, 0)
                                   : TL_OK;
}

static tl_status on_unknown (void *context, tl_xml *xml, int within,
                             const char *element) {
  (void)context;
  if (within == SET || within == TAPAAL || within == PROPERTY ||
      within == QUERY)
    return TL_OK;
  return tl_xml_fail (xml, TL_E_SYNTAX, "unknown element <%.60s> in <%s>",
                      element, element_name (within));
}

static tl_status read_constant (tl_operands *operands, tl_position at,
                                const char *text, size_t length) {
  errno = 0;
  const unsigned long long n = strtoull (text, 0, 10);
  if (!length || strspn (text, "0123456789") != length)
    return tl_operands_fail (operands, at, "'%.60s' is not a whole number",
                             text);
  return tl_operands_number (operands, at, errno ? UINT64_MAX : n);
}

static tl_status read_id (reader *r, const char *text, size_t length) {
  r->id = tl_arena_text (r->operands.arena, text, length);
  return r->id ? TL_OK : tl_operands_no_memory (&r->operands);
}

static tl_status end_property (reader *r, tl_position at) {
  if (!r->id)
    return tl_operands_fail (&r->operands, at, "the property has no <id>");
  if (!*r->id)
    return tl_operands_fail (&r->operands, at, "the <id> is empty");
  if (r->operands.count != 1)
    return tl_operands_fail (&r->operands, at,
                             "property '%.200s' needs one <formula>", r->id);
  const tl_status rc = tl_operands_finish (&r->operands, r->questions, r->id);
  // The contest says in the name which logic a formula is in that could be of
  // either.
  if (!rc && strstr (r->id, "-LTL"))
    r->questions->question[r->questions->count - 1].linear = true;
  return rc;
}

// A formula inside, or the text.
static tl_status end_query (reader *r, tl_position at) {
  if (r->operands.count != 1 && !r->query)
    return tl_operands_fail (&r->operands, at, "query '%.200s' has no formula",
                             r->id);
  const tl_status rc =
      r->operands.count
          ? tl_operands_finish (&r->operands, r->questions, r->id)
          : tl_formula_query_read (r->questions, r->query, r->operands.file, at,
                                   r->operands.err);
  if (rc)
    return rc;
  tl_question *question = r->questions->question + r->questions->count - 1;
  question->name = r->id;
  question->linear = r->linear;
  return TL_OK;
}

// The last `count` sums become one.
static tl_status join_sums (tl_operands *o, tl_position at, tl_arithmetic op,
                            uint32_t count) {
  tl_status rc = TL_OK;
  for (; !rc && count > 1; count--)
    rc = tl_operands_arithmetic (o, at, op);
  return rc;
}

static tl_status apply (reader *r, const frame *f, const char *text,
                        size_t length) {
  tl_operands *o = &r->operands;
  switch ((state)f->state) {
  case PROPERTY: return end_property (r, f->at);
  case QUERY: return end_query (r, f->at);
  case ID: return read_id (r, text, length);
  case EXISTS: return tl_operands_unary (o, f->at, TL_EXISTS);
  case ALL: return tl_operands_unary (o, f->at, TL_ALL);
  case NEXT: return tl_operands_unary (o, f->at, TL_NEXT);
  case FINALLY: return tl_operands_unary (o, f->at, TL_FINALLY);
  case GLOBALLY: return tl_operands_unary (o, f->at, TL_GLOBALLY);
  case UNTIL: return tl_operands_binary (o, f->at, TL_STRONG_UNTIL);
  case NOT: return tl_operands_unary (o, f->at, TL_NOT);
  case AND: return tl_operands_join (o, f->at, TL_AND, f->count);
  case OR: return tl_operands_join (o, f->at, TL_OR, f->count);
  case XOR: return tl_operands_chain (o, f->at, TL_XOR, f->count);
  case IMPLIES: return tl_operands_binary (o, f->at, TL_IMPLIES);
  case IFF: return tl_operands_chain (o, f->at, TL_IFF, f->count);
  case LESS_EQUAL: return tl_operands_compare (o, f->at, TL_LESS_EQUAL);
  case LESS: return tl_operands_compare (o, f->at, TL_LESS);
  case GREATER_EQUAL: return tl_operands_compare (o, f->at, TL_GREATER_EQUAL);
  case GREATER: return tl_operands_compare (o, f->at, TL_GREATER);
  case EQUAL: return tl_operands_compare (o, f->at, TL_EQUAL);
  case UNEQUAL: return tl_operands_compare (o, f->at, TL_UNEQUAL);
  case CONSTANT: return read_constant (o, f->at, text, length);
  case PLUS: return join_sums (o, f->at, TL_PLUS, f->count);
  case MINUS: return join_sums (o, f->at, TL_MINUS, f->count);
  case TIMES: return join_sums (o, f->at, TL_TIMES, f->count);
  case FIREABLE: return tl_operands_fireable (o, f->at);
  case PLACE: return tl_operands_place (o, f->at, text);
  case TRANSITION: return tl_operands_transition (o, f->at, text);
  case BOUND: return tl_operands_maximum (o, f->at);
  case TRUE_:
  case FALSE_:
    return tl_operands_formula (
        o, f->at, tl_formula_constant (o->arena, f->state == TRUE_));
  case DEADLOCK:
    return tl_operands_formula (o, f->at, tl_formula_deadlock (o->arena));
  default: return TL_OK;
  }
}

static tl_status on_close (void *context, tl_xml *xml, int s, const char *text,
                           size_t length) {
  reader *r = context;
  const frame f = r->open[--r->depth];
  if (s == TAPAAL && !f.count)
    return tl_operands_fail (&r->operands, f.at,
                             "this is a net, and it has no query");
  // A property says itself what it lacks.
  if (s != PROPERTY && f.count < elements[s].least)
    return tl_xml_fail (xml, TL_E_SYNTAX, "<%s> needs %u inside, it has %u",
                        element_name (s), elements[s].least, f.count);
  return apply (r, &f, text, length);
}

tl_status tl_formula_xml_read (tl_questions *questions, tl_input *in,
                               tl_error *err) {
  static const tl_xml_form form = {.row = rows,
                                   .rows = sizeof rows / sizeof *rows,
                                   .open = on_open,
                                   .close = on_close,
                                   .unknown = on_unknown};
  const size_t before = questions->count;
  reader r = {.questions = questions};
  tl_operands_open (&r.operands, questions, in->name, err);
  r.operands.ids_only = true;
  const tl_status rc = tl_xml_read (&form, &r, in, &questions->mem, err);
  if (rc)
    questions->count = before;
  TL_DEL (&questions->mem, r.open, r.room);
  tl_operands_close (&r.operands);
  return rc;
}
