#include "read/nupn.h"
#include "base/error.h"
#include "read/text.h"

#include <string.h>

#define NO_PARENT TL_NO_UNIT

typedef struct unit {
  const char *id;
  uint32_t line, parent;
  size_t first_place, place_count; // in `place`
  uint32_t number;                 // in the net, or TL_NO_UNIT
  uint32_t via; // the unit below through which this one was reached
} unit;

// A line "unit `child` hangs below unit `parent`"
typedef struct below {
  const char *child;
  uint32_t parent, line;
} below;

struct tl_nupn {
  tl_mem *mem;
  tl_ids *ids;
  tl_arena arena;
  tl_names numbers; // of unit ids
  unit *unit;
  size_t units, unit_room;
  tl_node *place;
  size_t places, place_room;
  below *below;
  size_t belows, below_room;
  char *word; // the part of a list that has not come to its end
  size_t length, word_room;
  const char *root;
  uint32_t line, declared; // units; 0 where the document does not say
  uint32_t added;          // to the net
  bool safe;
};

static tl_status no_memory (tl_xml *xml) {
  return tl_xml_fail (xml, TL_E_NOMEM, "no memory for the units");
}

tl_status tl_nupn_open (tl_nupn **out, tl_mem *mem, tl_ids *ids, tl_xml *xml,
                        const char *const *attributes) {
  if (*out)
    return tl_xml_fail (xml, TL_E_SYNTAX, "a second structure of units");
  const char *root = tl_xml_attribute (attributes, "root");
  const char *units = tl_xml_attribute (attributes, "units");
  const char *safe = tl_xml_attribute (attributes, "safe");
  if (!root)
    return tl_xml_fail (xml, TL_E_SYNTAX, "the units have no root");
  tl_nupn *n;
  if (!TL_NEW (mem, n, 1))
    return no_memory (xml);
  *n = (tl_nupn){.mem = mem,
                 .ids = ids,
                 .arena = TL_ARENA (mem),
                 .numbers = TL_NAMES (mem),
                 .line = (uint32_t)tl_xml_line (xml),
                 .safe = safe && !strcmp (safe, "true")};
  *out = n;
  if (!(n->root = tl_arena_text (&n->arena, root, strlen (root))))
    return no_memory (xml);
  const char *problem = units ? tl_text_count (units, &n->declared) : 0;
  return problem
             ? tl_xml_fail (xml, TL_E_SYNTAX, "the number of units '%.40s' %s",
                            units, problem)
             : TL_OK;
}

tl_status tl_nupn_unit (tl_nupn *n, tl_xml *xml, const char *id) {
  const char *problem = tl_text_id (id ? id : "", id ? strlen (id) : 0);
  if (problem)
    return tl_xml_fail (xml, TL_E_SYNTAX, "the id of a unit %s", problem);
  const char *copy = tl_arena_text (&n->arena, id, strlen (id));
  uint32_t number = (uint32_t)n->units;
  bool added;
  if (!copy || n->units >= TL_NO_UNIT - 1 ||
      !TL_ROOM (n->mem, n->unit, &n->unit_room, n->units + 1) ||
      tl_names_add (&n->numbers, copy, &number, &added))
    return no_memory (xml);
  if (!added)
    return tl_xml_fail (xml, TL_E_SYNTAX, "a second unit '%.80s'", id);
  n->unit[n->units++] = (unit){.id = copy,
                               .line = (uint32_t)tl_xml_line (xml),
                               .parent = NO_PARENT,
                               .first_place = n->places,
                               .number = TL_NO_UNIT};
  return TL_OK;
}

static tl_status add_place (tl_nupn *n, tl_xml *xml) {
  unit *u = n->unit + n->units - 1;
  if (!TL_ROOM (n->mem, n->place, &n->place_room, n->places + 1) ||
      tl_ids_node (n->ids, n->word, n->place + n->places))
    return no_memory (xml);
  n->places++;
  u->place_count++;
  return TL_OK;
}

static tl_status add_below (tl_nupn *n, tl_xml *xml) {
  const char *child = tl_arena_text (&n->arena, n->word, n->length);
  if (!child || !TL_ROOM (n->mem, n->below, &n->below_room, n->belows + 1))
    return no_memory (xml);
  n->below[n->belows++] =
      (below){child, (uint32_t)n->units - 1, (uint32_t)tl_xml_line (xml)};
  return TL_OK;
}

tl_status tl_nupn_list_end (tl_nupn *n, tl_xml *xml, tl_nupn_list list) {
  if (!n->length)
    return TL_OK;
  n->word[n->length] = 0;
  const tl_status status =
      list == TL_NUPN_PLACES ? add_place (n, xml) : add_below (n, xml);
  n->length = 0;
  return status;
}

tl_status tl_nupn_part (tl_nupn *n, tl_xml *xml, tl_nupn_list list,
                        const char *text, size_t length) {
  tl_status status = TL_OK;
  for (size_t i = 0; !status && i < length; i++)
    if (strchr (" \t\n\r", text[i]))
      status = tl_nupn_list_end (n, xml, list);
    else if (n->length == TL_LONGEST_ID)
      status = tl_xml_fail (xml, TL_E_SYNTAX, "an id is longer than %zu bytes",
                            TL_LONGEST_ID);
    else if (!TL_ROOM (n->mem, n->word, &n->word_room, n->length + 2))
      status = no_memory (xml);
    else
      n->word[n->length++] = text[i];
  return status;
}

static tl_status hang (tl_nupn *n, const char *file, tl_error *err) {
  for (size_t i = 0; i < n->belows; i++) {
    const below *b = n->below + i;
    const uint32_t child = tl_names_find (&n->numbers, b->child);
    if (child == TL_NO_NAME)
      return tl_fail_at (err, TL_E_SYNTAX, file, b->line, 0,
                         "there is no unit '%.80s'", b->child);
    if (n->unit[child].parent != NO_PARENT || !strcmp (b->child, n->root))
      return tl_fail_at (err, TL_E_SYNTAX, file, b->line, 0, "unit '%.80s' %s",
                         b->child,
                         n->unit[child].parent != NO_PARENT
                             ? "hangs below two units"
                             : "is the root and hangs below another unit");
    n->unit[child].parent = b->parent;
  }
  return TL_OK;
}

// Unit `u` lists something that is not a place.
static tl_status bad_place (const tl_nupn *n, const unit *u, tl_node node,
                            const char *file, tl_error *err) {
  if (node.kind != TL_NODE_NAMED)
    return tl_fail_at (err, TL_E_SYNTAX, file, u->line, 0,
                       "unit '%.80s' lists a transition", u->id);
  return tl_fail_at (err, TL_E_SYNTAX, file, u->line, 0,
                     "unit '%.80s' lists unknown place '%.80s'", u->id,
                     n->ids->id[node.index].text);
}

// The numbers of the places of all units, unit after unit.
static tl_status number_places (const tl_nupn *n, uint32_t *number,
                                const char *file, tl_error *err) {
  for (size_t i = 0; i < n->units; i++) {
    const unit *u = n->unit + i;
    for (size_t p = u->first_place; p < u->first_place + u->place_count; p++) {
      const tl_node node = tl_ids_resolve (n->ids, n->place[p]);
      if (node.kind != TL_NODE_PLACE)
        return bad_place (n, u, n->place[p], file, err);
      number[p] = node.index;
    }
  }
  return TL_OK;
}

// No place is in two units.
static tl_status check_disjoint (const tl_nupn *n, const uint32_t *number,
                                 const char *file, tl_error *err) {
  uint32_t most = 0;
  for (size_t p = 0; p < n->places; p++)
    if (number[p] > most)
      most = number[p];
  bool *seen;
  if (!TL_NEW (n->mem, seen, (size_t)most + 1))
    return tl_fail (err, TL_E_NOMEM, "no memory for the units");
  tl_status status = TL_OK;
  for (size_t i = 0; !status && i < n->units; i++) {
    const unit *u = n->unit + i;
    for (size_t p = 0; !status && p < u->place_count; p++) {
      bool *mine = seen + number[u->first_place + p];
      if (*mine)
        status =
            tl_fail_at (err, TL_E_SYNTAX, file, u->line, 0,
                        "a place of unit '%.80s' is in a unit already", u->id);
      *mine = true;
    }
  }
  TL_DEL (n->mem, seen, (size_t)most + 1);
  return status;
}

// Adds unit `u` to the builder, after those above it: the builder wants a unit
// before the ones below, the document has no order.
static tl_status add_unit (tl_nupn *n, uint32_t u, const uint32_t *number,
                           tl_builder *builder, const char *file,
                           tl_error *err) {
  const uint32_t last = u;
  for (size_t steps = 0;; steps++) {
    const uint32_t parent = n->unit[u].parent;
    if (parent == NO_PARENT || n->unit[parent].number != TL_NO_UNIT)
      break;
    if (steps > n->units)
      return tl_fail_at (err, TL_E_SYNTAX, file, n->unit[u].line, 0,
                         "unit '%.80s' hangs below itself", n->unit[u].id);
    n->unit[parent].via = u;
    u = parent;
  }
  for (;; u = n->unit[u].via) {
    unit *at = n->unit + u;
    if (at->number == TL_NO_UNIT) {
      const uint32_t parent =
          at->parent == NO_PARENT ? TL_NO_UNIT : n->unit[at->parent].number;
      if (tl_builder_unit (builder, at->id, parent, number + at->first_place,
                           (uint32_t)at->place_count))
        return tl_fail (err, TL_E_NOMEM, "no memory for the units");
      at->number = n->added++;
    }
    if (u == last)
      return TL_OK;
  }
}

static tl_status add_units (tl_nupn *n, const uint32_t *number,
                            tl_builder *builder, const char *file,
                            tl_error *err) {
  const uint32_t root = tl_names_find (&n->numbers, n->root);
  if (root == TL_NO_NAME)
    return tl_fail_at (err, TL_E_SYNTAX, file, n->line, 0,
                       "there is no unit '%.80s' to be the root", n->root);
  for (uint32_t u = 0; u < n->units; u++) {
    if (n->unit[u].parent == NO_PARENT && u != root)
      return tl_fail_at (err, TL_E_SYNTAX, file, n->unit[u].line, 0,
                         "unit '%.80s' hangs below no other and is not the "
                         "root",
                         n->unit[u].id);
    const tl_status status = add_unit (n, u, number, builder, file, err);
    if (status)
      return status;
  }
  tl_builder_units_safe (builder, n->safe);
  return TL_OK;
}

tl_status tl_nupn_finish (tl_nupn *n, tl_builder *builder, const char *file,
                          tl_error *err) {
  if (n->declared && n->declared != n->units)
    return tl_fail_at (err, TL_E_SYNTAX, file, n->line, 0,
                       "%u units are announced, %zu are there", n->declared,
                       n->units);
  uint32_t *number;
  if (!TL_NEW (n->mem, number, n->places))
    return tl_fail (err, TL_E_NOMEM, "no memory for the units");
  tl_status status = hang (n, file, err);
  if (!status)
    status = number_places (n, number, file, err);
  if (!status)
    status = check_disjoint (n, number, file, err);
  if (!status)
    status = add_units (n, number, builder, file, err);
  TL_DEL (n->mem, number, n->places);
  return status;
}

void tl_nupn_close (tl_nupn *n) {
  if (!n)
    return;
  tl_mem *mem = n->mem;
  TL_DEL (mem, n->unit, n->unit_room);
  TL_DEL (mem, n->place, n->place_room);
  TL_DEL (mem, n->below, n->below_room);
  TL_DEL (mem, n->word, n->word_room);
  tl_names_close (&n->numbers);
  tl_arena_close (&n->arena);
  TL_DEL (mem, n, 1);
}
