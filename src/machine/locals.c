#include "base/error.h"
#include "machine/parts.h"

#include <stdlib.h>
#include <string.h>

// Markings of single places, and of their sections.

uint32_t tl_machine_many (const tl_machine *m, uint32_t section, uint32_t local,
                          uint32_t token) {
  const tl_local_list list = tl_machine_list (m, section, local);
  uint32_t low = 0, high = list.count;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (tl_list_token (list, middle) < token)
      low = middle + 1;
    else
      high = middle;
  }
  return low < list.count && tl_list_token (list, low) == token
             ? tl_list_many (list, low)
             : 0;
}

uint32_t tl_machine_many_now (const tl_machine *m, uint32_t place,
                              uint32_t token) {
  if (m->kernel.holds)
    return tl_kernel_many (m, place, token);
  const uint32_t section = tl_machine_section (m, place, token);
  return tl_machine_many (m, section, m->now[section], token);
}

size_t tl_machine_squeeze (tl_machine *m, size_t pairs) {
  uint32_t *list = m->list;
  size_t single = 0;
  while (single < pairs && list[2 * single + 1] == 1)
    single++;
  if (single < pairs) {
    memmove (list + 1, list, 2 * pairs * sizeof *list);
    *list = TL_SEVERAL;
    return 2 * pairs + 1;
  }
  for (size_t i = 0; i < pairs; i++)
    list[i] = list[2 * i];
  return pairs;
}

static int compare_pairs (const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

tl_status tl_machine_number_list (tl_machine *m, uint32_t section, size_t pairs,
                                  uint32_t *local) {
  qsort (m->list, pairs, 2 * sizeof *m->list, compare_pairs);
  return tl_intern_put (m->local + section, m->list,
                        tl_machine_squeeze (m, pairs), local);
}

static tl_status too_many (tl_machine *m, uint32_t place, int64_t many) {
  const tl_cplace *p = m->coloured->place + place;
  return tl_fail_at (m->evaluation.error, TL_E_ARG, m->coloured->path,
                     (long)p->where.line, (long)p->where.column,
                     "capacity exceeded: place %s gets %lld tokens of one "
                     "value, and its capacity is %u",
                     p->name, (long long)many, p->capacity);
}

// Does the place have as many tokens in all as the net says?  One of which it
// says something is not divided.
static tl_status check_tokens (tl_machine *m, uint32_t place, size_t pairs) {
  const tl_cplace *p = m->coloured->place + place;
  uint64_t all = 0;
  for (size_t i = 0; i < pairs; i++)
    all += m->list[2 * i + 1];
  if (!p->most || (all >= p->least && all <= p->most))
    return TL_OK;
  return tl_fail_at (m->evaluation.error, TL_E_ARG, m->coloured->path,
                     (long)p->where.line, (long)p->where.column,
                     "place %s gets %llu tokens, and it is to have %u to %u",
                     p->name, (unsigned long long)all, p->least, p->most);
}

// Writes the pairs of the local marking that effects lead to, or with a sign of
// -1 come from.  TL_E_INTERNAL: they did not lead here.
static tl_status write_list (tl_machine *m, uint32_t section, uint32_t local,
                             const tl_effect *effect, uint32_t effects,
                             int sign, size_t *pairs) {
  const uint32_t place = m->place_of[section];
  const tl_local_list list = local == TL_NO_NUMBER
                                 ? (tl_local_list){0}
                                 : tl_machine_list (m, section, local);
  const uint32_t count = list.count;
  if (!TL_ROOM (m->mem, m->list, &m->list_room,
                2 * ((size_t)count + effects) + 1))
    return TL_E_NOMEM;
  *pairs = 0;
  for (uint32_t i = 0, k = 0; i < count || k < effects;) {
    const uint32_t held = i < count ? tl_list_token (list, i) : UINT32_MAX;
    const uint32_t moved = k < effects ? effect[k].token : UINT32_MAX;
    const uint32_t token = held < moved ? held : moved;
    int64_t many = held == token ? tl_list_many (list, i) : 0;
    if (moved == token)
      many += (int64_t)sign * effect[k].change;
    if (many < 0 || (sign < 0 && moved == token && many < effect[k].need))
      return TL_E_INTERNAL;
    if (sign > 0 && moved == token && many > m->coloured->place[place].capacity)
      return too_many (m, place, many);
    i += held == token;
    k += moved == token;
    if (many) {
      m->list[2 * *pairs] = token;
      m->list[2 * (*pairs)++ + 1] = (uint32_t)many;
    }
  }
  return TL_OK;
}

// Going back from any local marking by any event that was fired is not to need
// memory.
static bool make_room_back (tl_machine *m, size_t pairs, size_t effects) {
  if (pairs > m->most_pairs)
    m->most_pairs = pairs;
  if (effects > m->most_effects)
    m->most_effects = effects;
  return TL_ROOM (m->mem, m->list, &m->list_room,
                  2 * (m->most_pairs + m->most_effects) + 1);
}

tl_status tl_machine_after (tl_machine *m, uint32_t section, uint32_t local,
                            const tl_effect *effect, uint32_t effects,
                            uint32_t *after) {
  size_t pairs;
  tl_status rc = write_list (m, section, local, effect, effects, 1, &pairs);
  if (rc || (rc = check_tokens (m, m->place_of[section], pairs)))
    return rc;
  for (size_t i = 0; i < pairs; i++)
    if (m->list[2 * i + 1] > m->view.most_alike)
      m->view.most_alike = m->list[2 * i + 1];
  if (!make_room_back (m, pairs, effects))
    return TL_E_NOMEM;
  return tl_intern_put (m->local + section, m->list,
                        tl_machine_squeeze (m, pairs), after);
}

tl_status tl_machine_before (tl_machine *m, uint32_t section, uint32_t local,
                             const tl_effect *effect, uint32_t effects,
                             uint32_t *before) {
  size_t pairs;
  const tl_status rc =
      write_list (m, section, local, effect, effects, -1, &pairs);
  if (rc)
    return rc;
  *before = tl_intern_find (m->local + section, m->list,
                            tl_machine_squeeze (m, pairs));
  return *before == TL_NO_NUMBER ? TL_E_INTERNAL : TL_OK;
}

// Adds the tokens of a list to those that are shown of a place.
static tl_status show_more (tl_machine *m, uint32_t place, tl_local_list list,
                            uint32_t *count) {
  const uint32_t cells = m->coloured->place[place].cells;
  const tl_status rc = tl_intern_catch_up (m->token + place);
  if (rc)
    return rc;
  const size_t room = (size_t)*count + list.count;
  if (!TL_ROOM (m->mem, m->cells[place], m->cell_room + place,
                room * cells + 1) ||
      !TL_ROOM (m->mem, m->many[place], m->many_room + place, room + 1))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < list.count; i++, ++*count) {
    memcpy (m->cells[place] + (size_t)*count * cells,
            tl_intern_list (m->token + place, tl_list_token (list, i)),
            cells * sizeof (tl_cell));
    m->many[place][*count] = tl_list_many (list, i);
  }
  m->marking[place] = (tl_tokens){m->cells[place], m->many[place], *count};
  return TL_OK;
}

tl_status tl_machine_show_local (tl_machine *m, uint32_t place,
                                 uint32_t local) {
  uint32_t count = 0;
  if (m->shown[place] == local + 1)
    return TL_OK;
  m->shown[place] = 0;
  const tl_status rc =
      show_more (m, place, tl_machine_list (m, place, local), &count);
  if (!rc)
    m->shown[place] = local + 1;
  return rc;
}

tl_status tl_machine_show (tl_machine *m, uint32_t place) {
  const tl_division *d = m->division + place;
  uint32_t count = 0;
  tl_status rc = TL_OK;
  if (m->kernel.holds)
    return tl_kernel_show (m, place);
  if (!d->count)
    return tl_machine_show_local (m, place, m->now[place]);
  for (uint32_t s = d->base; !rc && s < d->base + d->count; s++)
    rc = show_more (m, place, tl_machine_list (m, s, m->now[s]), &count);
  return rc;
}

static uint64_t total (tl_local_list list) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < list.count; i++)
    sum += tl_list_many (list, i);
  return sum;
}

tl_status tl_machine_look_at (tl_machine *m, uint32_t section) {
  const uint32_t count = m->local[section].count;
  if (!TL_ROOM (m->mem, m->total[section], m->total_room + section,
                (size_t)count))
    return TL_E_NOMEM;
  tl_status rc = tl_intern_catch_up (m->token + m->place_of[section]);
  for (uint32_t i = m->looked_at[section]; !rc && i < count; i++) {
    const tl_local_list list = tl_machine_list (m, section, i);
    m->total[section][i] = total (list);
    if (!(rc = tl_machine_meet (m, m->place_of[section], list)))
      m->looked_at[section] = i + 1;
  }
  return rc;
}
