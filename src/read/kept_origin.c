#include "read/kept_origin.h"

#include <string.h>

typedef struct tl_kept_nodes nodes;

tl_status tl_kept_origin_add (tl_kept_origin *k, bool place,
                              struct tl_kept_node node) {
  nodes *list = place ? &k->places : &k->transitions;
  if (!TL_ROOM (k->mem, list->node, &list->room, list->count + 1))
    return TL_E_NOMEM;
  list->node[list->count++] = node;
  return TL_OK;
}

// Fills in ids and names, where the nodes of each begin, and the map; all of
// them together are `total` nodes of the net.
static tl_status fill (const nodes *list, tl_net *net, uint32_t total,
                       const char **ids, const char **names, uint32_t *first,
                       tl_names *map) {
  uint64_t sum = 0;
  for (size_t i = 0; i < list->count; i++) {
    uint32_t number = (uint32_t)i;
    bool added;
    const char *id = list->node[i].id, *name = list->node[i].name;
    ids[i] = tl_arena_text (&net->arena, id, strlen (id));
    names[i] = name ? tl_arena_text (&net->arena, name, strlen (name)) : ids[i];
    if (!ids[i] || !names[i] || tl_names_add (map, ids[i], &number, &added))
      return TL_E_NOMEM;
    first[i] = (uint32_t)sum;
    sum += list->node[i].count;
    if (!added || sum > total)
      return TL_E_SYNTAX;
  }
  first[list->count] = total;
  return sum == total ? TL_OK : TL_E_SYNTAX;
}

tl_status tl_kept_origin_finish (const tl_kept_origin *k, tl_net *net) {
  const size_t places = k->places.count, transitions = k->transitions.count;
  tl_arena *a = &net->arena;
  tl_origin *o;
  uint32_t *place_first, *transition_first;
  if (places >= TL_NO_NAME || transitions >= TL_NO_NAME)
    return TL_E_SYNTAX;
  if (!TL_ARENA_NEW (a, o, 1) || !TL_ARENA_NEW (a, place_first, places + 1) ||
      !TL_ARENA_NEW (a, transition_first, transitions + 1) ||
      !TL_ARENA_NEW (a, o->place_id, places + 1) ||
      !TL_ARENA_NEW (a, o->place_name, places + 1) ||
      !TL_ARENA_NEW (a, o->transition_id, transitions + 1) ||
      !TL_ARENA_NEW (a, o->transition_name, transitions + 1))
    return TL_E_NOMEM;
  o->places = (uint32_t)places;
  o->transitions = (uint32_t)transitions;
  o->arcs = k->arcs;
  o->place_ids = o->transition_ids = TL_NAMES (net->mem);
  o->place_first = place_first;
  o->transition_first = transition_first;
  net->origin = o; // closed with the net, also after a failure
  const tl_status rc = fill (&k->places, net, net->places, o->place_id,
                             o->place_name, place_first, &o->place_ids);
  return rc ? rc
            : fill (&k->transitions, net, net->transitions, o->transition_id,
                    o->transition_name, transition_first, &o->transition_ids);
}

void tl_kept_origin_close (tl_kept_origin *k) {
  TL_DEL (k->mem, k->places.node, k->places.room);
  TL_DEL (k->mem, k->transitions.node, k->transitions.room);
}
