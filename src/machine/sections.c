#include "machine/parts.h"

#include <string.h>

// Places that are divided.
//
// In many nets the tokens of a place tell what each of several processes does:
// <(process, what)>.  Then the place has a local marking for nearly every
// state, and nothing is gained by numbering them.  But what one process does is
// one of a few things.  So a place that has come to have many local markings is
// divided into sections, one for each value of a part of its tokens, and each
// section has local markings and numbers of its own.
//
// Which part that is, is tried: the one that makes keys shortest.

// A place with so many local markings is divided if keys take at most so many
// times the bits for it then, and the sections together have a small part of
// its local markings: tables for many of them take time and memory.
static const struct {
  uint32_t locals, longer;
} limits[] = {{256, 1}, {1 << 12, 2}, {1 << 15, 4}};

enum { PART = 16, MOST_VALUES = 64, MOST_SECTIONS = 4096 };

bool tl_divide_early;

// The bits that keys may take for a place that is divided; 0: none.
static uint64_t most_bits (uint32_t locals) {
  uint64_t most = tl_divide_early ? UINT64_MAX : 0;
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    if (locals >= limits[i].locals)
      most = tl_bits_for (locals) * limits[i].longer;
  return most;
}

// ---- Tables ----------------------------------------------------------------

static bool grow (tl_machine *m, void **array, size_t size, uint32_t more) {
  void *larger = tl_arena_get (&m->names, (size_t)m->sections + more + 1, size);
  if (larger && m->sections)
    memcpy (larger, *array, m->sections * size);
  if (larger)
    *array = larger;
  return larger;
}

#define GROW(ARRAY) grow (m, (void **)&(ARRAY), sizeof *(ARRAY), more)

tl_status tl_machine_add_sections (tl_machine *m, uint32_t more) {
  if (!GROW (m->local) || !GROW (m->old_local) || !GROW (m->now) ||
      !GROW (m->next) || !GROW (m->first) || !GROW (m->around) ||
      !GROW (m->looked_at) || !GROW (m->total) || !GROW (m->total_room) ||
      !GROW (m->place_of))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < more; i++, m->sections++)
    m->local[m->sections] = TL_INTERN (&m->numbers);
  return TL_OK;
}

tl_status tl_machine_watch (tl_machine *m, uint32_t transition) {
  struct tl_watch *w = m->watch + transition;
  tl_memo_close (m, &w->memo);
  if (!TL_ARENA_NEW (&m->names, w->section, (size_t)m->sections + 1))
    return TL_E_NOMEM;
  w->sections = 0;
  for (uint32_t i = 0; i < w->places; i++) {
    const tl_division *d = m->division + w->place[i];
    if (!d->count)
      w->section[w->sections++] = w->place[i];
    for (uint32_t s = 0; s < d->count; s++)
      w->section[w->sections++] = d->base + s;
  }
  return TL_OK;
}

// ---- Trying a part ---------------------------------------------------------

// A division of a place, and what its local markings are then.
typedef struct trial {
  tl_division division;
  tl_intern *table; // [count] local markings of the sections
  uint64_t locals;  // of all of them
  uint64_t bits;    // that keys take for these
} trial;

static void close_trial (tl_machine *m, trial *t) {
  for (uint32_t i = 0; t->table && i < t->division.count; i++)
    tl_intern_close (t->table + i);
  TL_DEL (m->mem, t->table, t->division.count);
  TL_DEL (m->mem, t->division.moved, t->division.moved_room);
  *t = (trial){0};
}

// Numbers the tokens of one section of a local marking.
static tl_status number_section (tl_machine *m, trial *t, uint32_t place,
                                 tl_local_list list, uint32_t section,
                                 uint32_t *number) {
  size_t pairs = 0;
  for (uint32_t i = 0; i < list.count; i++) {
    const uint32_t token = tl_list_token (list, i);
    if (tl_division_section (&t->division, (const tl_cell *)tl_intern_list (
                                               m->token + place, token)) !=
        section)
      continue;
    m->list[2 * pairs] = token;
    m->list[2 * pairs++ + 1] = tl_list_many (list, i);
  }
  return tl_intern_put (t->table + section, m->list,
                        tl_machine_squeeze (m, pairs), number);
}

static tl_status number_all (tl_machine *m, trial *t, uint32_t place) {
  const uint32_t count = t->division.count;
  for (uint32_t local = 0; local < m->local[place].count; local++) {
    const tl_local_list list = tl_machine_list (m, place, local);
    uint32_t *moved = t->division.moved + (size_t)local * count;
    if (!TL_ROOM (m->mem, m->list, &m->list_room, 2 * (size_t)list.count + 1))
      return TL_E_NOMEM;
    for (uint32_t s = 0; s < count; s++) {
      const tl_status rc = number_section (m, t, place, list, s, moved + s);
      if (rc)
        return rc;
    }
  }
  for (uint32_t s = 0; s < count; s++) {
    t->locals += t->table[s].count;
    t->bits += tl_section_width (t->table[s].count);
  }
  return TL_OK;
}

static tl_status try_part (tl_machine *m, uint32_t place, uint32_t part,
                           trial *t) {
  const tl_cplace *p = m->coloured->place + place;
  const tl_type *type = p->part[part];
  const uint32_t count = (uint32_t)tl_type_values (type);
  *t = (trial){
      .division = {.offset = p->part_offset[part],
                   .first = (tl_cell)type->first,
                   .count = count,
                   .moved_room = (size_t)m->local[place].count * count}};
  tl_status rc =
      TL_NEW (m->mem, t->table, count) &&
              TL_NEW (m->mem, t->division.moved, t->division.moved_room)
          ? TL_OK
          : TL_E_NOMEM;
  for (uint32_t i = 0; t->table && i < count; i++)
    t->table[i] = TL_INTERN (&m->numbers);
  return rc ? rc : number_all (m, t, place);
}

static bool can_be_tried (const tl_type *type) {
  return tl_type_is_discrete (type) && type->last > type->first &&
         type->last - type->first < MOST_VALUES;
}

// The best part, if any is good enough.
static bool find_part (tl_machine *m, uint32_t place, trial *best) {
  const uint32_t locals = m->local[place].count;
  const uint64_t most = most_bits (locals);
  *best = (trial){0};
  for (uint32_t i = 0; i < m->coloured->place[place].parts; i++) {
    trial t = {0};
    if (can_be_tried (m->coloured->place[place].part[i]) &&
        !try_part (m, place, i, &t) && t.bits <= most &&
        (tl_divide_early || t.locals <= locals / PART) &&
        (!best->table || t.bits < best->bits)) {
      close_trial (m, best);
      *best = t;
    } else
      close_trial (m, &t);
  }
  return best->table;
}

// ---- Dividing --------------------------------------------------------------

static tl_status install (tl_machine *m, uint32_t place, trial *t) {
  tl_division *d = m->division + place;
  const uint32_t base = m->sections, count = t->division.count;
  const tl_status rc = tl_machine_add_sections (m, count);
  if (rc)
    return rc;
  const uint32_t tried = d->tried;
  *d = t->division;
  d->base = base;
  d->tried = tried;
  for (uint32_t s = 0; s < count; s++) {
    m->local[base + s] = t->table[s];
    m->place_of[base + s] = place;
    m->first[base + s] = d->moved[(size_t)m->first[place] * count + s];
  }
  TL_DEL (m->mem, t->table, count);
  t->division.moved = 0;
  m->now[place] = m->next[place] = m->first[place] = 0;
  m->looked_at[place] = UINT32_MAX;
  m->shown[place] = 0;
  return TL_OK;
}

static tl_status divide_place (tl_machine *m, uint32_t place, bool *divided) {
  tl_division *d = m->division + place;
  const uint32_t locals = m->local[place].count;
  trial best;
  if (d->count || !most_bits (locals) || locals / 2 < d->tried)
    return TL_OK;
  d->tried = locals;
  if (!find_part (m, place, &best))
    return TL_OK;
  tl_status rc = TL_OK;
  if (best.division.count <= MOST_SECTIONS - m->sections) {
    rc = install (m, place, &best);
    *divided |= !rc;
  }
  close_trial (m, &best);
  return rc;
}

// All that speaks of sections.
static tl_status redo (tl_machine *m) {
  tl_status rc = TL_OK;
  tl_machine_forget (m);
  tl_machine_clear_moves (m);
  for (uint32_t e = 0; !rc && e < m->event.count; e++)
    rc = tl_machine_make_moves (m, e);
  for (uint32_t t = 0; !rc && t < m->transitions; t++)
    rc = tl_machine_watch (m, t);
  tl_machine_redo_known (m);
  return rc;
}

tl_status tl_machine_divide (tl_machine *m, bool *divided) {
  tl_status rc = TL_OK;
  *divided = false;
  for (uint32_t p = 0; !rc && p < m->places; p++)
    if (m->sections < MOST_SECTIONS && !m->coloured->place[p].most)
      rc = divide_place (m, p, divided);
  return rc || !*divided ? rc : redo (m);
}

// ---- Keys ------------------------------------------------------------------

void tl_machine_move_divided (tl_machine *m, uint32_t place, uint32_t local,
                              uint64_t *key) {
  const tl_division *d = m->division + place;
  const uint32_t *moved = d->moved + (size_t)local * d->count;
  for (uint32_t s = 0; s < d->count; s++)
    tl_shape_set (&m->shape, key, d->base + s, moved[s]);
}

void tl_machine_settle_divided (tl_machine *m) {
  for (uint32_t p = 0; m->division && p < m->places; p++) {
    tl_division *d = m->division + p;
    if (!d->moved)
      continue;
    TL_DEL (m->mem, d->moved, d->moved_room);
    tl_intern_close (m->local + p);
  }
}
