#include "symbolic/variables.h"

#include <string.h>

// What may become of a place.
enum { STAYS, ALONE, GROUPED };

static void find_kinds (const tl_structure *structure, uint8_t *kind) {
  const tl_net *net = structure->net;
  for (uint32_t t = 0; t < net->transitions; t++) {
    tl_change c = tl_net_change (net, t);
    while (tl_net_change_next (&c))
      if (kind[c.place] == STAYS)
        kind[c.place] = GROUPED;
  }
  for (uint64_t i = 0; i < net->inhibitor_start[net->transitions]; i++) {
    uint8_t *k = kind + net->inhibitor_arc[i].place;
    if (*k == GROUPED)
      *k = ALONE;
  }
  for (uint32_t p = 0; p < net->places; p++)
    if (kind[p] == GROUPED && structure->source[p] == TL_BOUND_CLAIM)
      kind[p] = ALONE; // nothing proves that it has one token
}

static bool counts (const tl_groups *groups, size_t g, const uint8_t *kind) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < groups->group[g].count; i++)
    n += kind[tl_group_places (groups, g)[i]] == GROUPED;
  return n > 1 && !groups->group[g].claimed;
}

// By how much they make the variables fewer.
static uint64_t saving (const tl_groups *groups, const uint8_t *kind) {
  uint64_t sum = 0;
  for (size_t g = 0; g < groups->count; g++)
    for (uint32_t i = 0; counts (groups, g, kind) && i < groups->group[g].count;
         i++)
      sum += kind[tl_group_places (groups, g)[i]] == GROUPED;
  for (size_t g = 0; g < groups->count; g++)
    sum -= counts (groups, g, kind);
  return sum;
}

static void add_place (tl_variables *v, uint32_t p, uint32_t *places) {
  v->variable[v->count].count++;
  v->place[(*places)++] = p;
  v->of[p] = v->count;
}

static void add_group (tl_variables *v, const tl_groups *groups, size_t g,
                       const uint8_t *kind, uint32_t *places) {
  const uint32_t *place = tl_group_places (groups, g);
  v->variable[v->count].first = *places;
  for (uint32_t i = 0; i < groups->group[g].count; i++)
    if (kind[place[i]] == GROUPED) {
      add_place (v, place[i], places);
      v->value[place[i]] = v->variable[v->count].count;
      if (v->net->initial[place[i]])
        v->initial[v->count] = v->value[place[i]];
    }
  v->count++;
}

static void fill (tl_variables *v, const tl_groups *groups,
                  const uint8_t *kind) {
  uint32_t places = 0;
  for (size_t g = 0; g < groups->count; g++)
    if (counts (groups, g, kind))
      add_group (v, groups, g, kind, &places);
  for (uint32_t p = 0; p < v->net->places; p++)
    if (kind[p] != STAYS && v->of[p] == TL_NO_NAME) {
      v->variable[v->count].first = places;
      v->initial[v->count] = v->net->initial[p];
      add_place (v, p, &places);
      v->count++;
    }
}

static tl_status choose (tl_variables *v, tl_structure *structure,
                         const uint8_t *kind, tl_error *error) {
  tl_groups shared, exclusive;
  tl_status rc = tl_structure_groups (structure, &shared, error);
  if (rc)
    return rc;
  rc = tl_structure_exclusive_groups (structure, &exclusive, error);
  if (!rc)
    fill (v,
          saving (&exclusive, kind) > saving (&shared, kind) ? &exclusive
                                                             : &shared,
          kind);
  if (!rc)
    tl_groups_close (&exclusive);
  tl_groups_close (&shared);
  return rc;
}

tl_status tl_variables_open (tl_variables *v, tl_mem *mem,
                             tl_structure *structure, const uint8_t *kept,
                             tl_error *error) {
  const tl_net *net = structure->net;
  uint8_t *kind = 0;
  *v = (tl_variables){.mem = mem, .net = net, .room = net->places + 1};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, kind, v->room) && TL_NEW (mem, v->variable, v->room) &&
      TL_NEW (mem, v->place, v->room) && TL_NEW (mem, v->of, v->room) &&
      TL_NEW (mem, v->value, v->room) && TL_NEW (mem, v->initial, v->room)) {
    memset (v->of, 0xff, v->room * sizeof *v->of);
    find_kinds (structure, kind);
    for (uint32_t p = 0; kept && p < net->places; p++)
      if (kept[p] && kind[p] == STAYS)
        kind[p] = ALONE;
    rc = choose (v, structure, kind, error);
    if (!rc)
      rc = tl_variables_follow (v);
  }
  TL_DEL (mem, kind, v->room);
  if (rc)
    tl_variables_close (v);
  return rc;
}

void tl_variables_close (tl_variables *v) {
  if (!v->mem)
    return;
  TL_DEL (v->mem, v->variable, v->room);
  TL_DEL (v->mem, v->place, v->room);
  TL_DEL (v->mem, v->of, v->room);
  TL_DEL (v->mem, v->value, v->room);
  TL_DEL (v->mem, v->initial, v->room);
  *v = (tl_variables){0};
}
