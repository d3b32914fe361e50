#include "read/ids.h"

#include <string.h>

static const tl_node unknown = {TL_NODE_UNKNOWN, 0};

static tl_node find (const tl_ids *ids, const char *text) {
  uint32_t index = tl_builder_find_place (ids->builder, text);
  if (index != TL_NO_NAME)
    return (tl_node){TL_NODE_PLACE, index};
  index = tl_builder_find_transition (ids->builder, text);
  return index != TL_NO_NAME ? (tl_node){TL_NODE_TRANSITION, index} : unknown;
}

bool tl_ids_defined (const tl_ids *ids, const char *text) {
  if (find (ids, text).kind)
    return true;
  const uint32_t number = tl_names_find (&ids->numbers, text);
  return number != TL_NO_NAME && ids->id[number].means.kind;
}

static tl_status intern (tl_ids *ids, const char *text, uint32_t *number) {
  *number = tl_names_find (&ids->numbers, text);
  if (*number != TL_NO_NAME)
    return TL_OK;
  if (ids->count >= TL_NO_NAME ||
      !TL_ROOM (ids->mem, ids->id, &ids->capacity, ids->count + 1))
    return TL_E_NOMEM;
  bool added;
  const char *copy = tl_arena_text (&ids->arena, text, strlen (text));
  *number = (uint32_t)ids->count;
  if (!copy || tl_names_add (&ids->numbers, copy, number, &added))
    return TL_E_NOMEM;
  ids->id[ids->count++] = (struct tl_id){.text = copy};
  return TL_OK;
}

tl_status tl_ids_node (tl_ids *ids, const char *text, tl_node *node) {
  *node = find (ids, text);
  if (node->kind)
    return TL_OK;
  node->kind = TL_NODE_NAMED;
  return intern (ids, text, &node->index);
}

tl_status tl_ids_refer (tl_ids *ids, const char *text, tl_node target,
                        tl_node_kind must, long line) {
  uint32_t number;
  if (intern (ids, text, &number))
    return TL_E_NOMEM;
  ids->id[number].means = target;
  ids->id[number].must = must;
  ids->id[number].line = (uint32_t)line;
  return TL_OK;
}

tl_node tl_ids_resolve (tl_ids *ids, tl_node node) {
  tl_node end = node;
  for (size_t steps = 0; end.kind == TL_NODE_NAMED; steps++) {
    const struct tl_id *id = ids->id + end.index;
    end = id->means.kind ? id->means : find (ids, id->text);
    if (steps > ids->count)
      end = unknown;
  }
  // Whoever comes this way again goes straight to the end: chains of
  // references cost their length once.  A circle is cut open here.
  while (node.kind == TL_NODE_NAMED && ids->id[node.index].means.kind) {
    const tl_node next = ids->id[node.index].means;
    ids->id[node.index].means = end;
    node = next;
  }
  return end;
}

void tl_ids_close (tl_ids *ids) {
  TL_DEL (ids->mem, ids->id, ids->capacity);
  tl_names_close (&ids->numbers);
  tl_arena_close (&ids->arena);
}
