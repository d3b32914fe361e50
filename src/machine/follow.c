#include "base/error.h"
#include "colour/uses.h"
#include "machine/parts.h"

#include <string.h>

// Keys without redundant places: their local markings follow from the others.
// What was found out is remembered for the local markings that it follows from.
//
// Of places of which the net itself says so (colour/coloured.h), it is checked
// where a state is made, before it becomes a key.

// The places that the relations of a place, or its initial marking, speak of,
// ascending.
static uint32_t find_sources (tl_machine *m, uint32_t place, bool *speaks,
                              uint32_t *source) {
  const tl_coded *c = &m->coded;
  const tl_cplace *of = m->coloured->place + place;
  for (uint32_t p = 0; p < m->places; p++)
    speaks[p] = of->derived && tl_label_reads_place (&of->initial, of, p);
  for (size_t i = 0; i < c->relations; i++)
    if (c->relation[i].place == place)
      for (size_t k = 0; k < c->relation[i].count; k++)
        speaks[c->term[c->relation[i].start + k].place] = true;
  uint32_t count = 0;
  for (uint32_t p = 0; p < m->places; p++)
    if (speaks[p])
      source[count++] = p;
  return count;
}

static tl_status open_follower (tl_machine *m, uint32_t place, bool *speaks) {
  tl_follower *f = m->follower + m->followers;
  f->place = place;
  if (!TL_ARENA_NEW (&m->names, f->source, m->places))
    return TL_E_NOMEM;
  f->sources = find_sources (m, place, speaks, f->source);
  const tl_status rc = tl_memo_open (m, &f->memo, f->sources);
  m->followers += !rc;
  return rc;
}

static tl_status open_followers (tl_machine *m) {
  tl_status rc = TL_OK;
  bool *speaks;
  tl_follower *all;
  if (!TL_ARENA_NEW (&m->names, all, (size_t)m->places + 1) ||
      !TL_ARENA_NEW (&m->names, speaks, (size_t)m->places + 1))
    return TL_E_NOMEM;
  m->follower = all;
  for (uint32_t p = 0; !rc && p < m->places; p++)
    if (m->coded.redundant[p])
      rc = open_follower (m, p, speaks);
  return rc;
}

tl_status tl_follow_open (tl_machine *m) {
  const tl_status rc = tl_redundant_open (m);
  return rc ? rc : open_followers (m);
}

tl_status tl_follow_beside (tl_machine *m, const tl_machine *first) {
  const tl_status rc = tl_redundant_beside (m, first);
  return rc ? rc : open_followers (m);
}

void tl_follow_close (tl_machine *m) {
  for (uint32_t i = 0; i < m->followers; i++)
    tl_memo_close (m, &m->follower[i].memo);
}

static tl_status follow (tl_machine *m, tl_follower *f, const uint32_t *state,
                         uint32_t *local) {
  for (uint32_t i = 0; i < f->sources; i++)
    m->around[i] = state[f->source[i]];
  uint32_t *entry = tl_memo_at (&f->memo, m->around);
  const size_t size = f->sources * sizeof *entry;
  if (!entry[f->sources] || memcmp (entry, m->around, size)) {
    tl_status rc = tl_redundant_bag (m, f->place, state);
    if (!rc)
      rc = tl_machine_number_bag (m, f->place, local);
    if (rc)
      return rc;
    memcpy (entry, m->around, size);
    entry[f->sources] = *local + 1;
  }
  *local = entry[f->sources] - 1;
  return TL_OK;
}

void tl_follow (tl_machine *m, uint32_t *state) {
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < m->followers; i++)
    rc = follow (m, m->follower + i, state, state + m->follower[i].place);
  if (rc)
    tl_machine_fail (m, rc, TL_NO_EVENT);
}

tl_status tl_follow_check (tl_machine *m, const uint32_t *state) {
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < m->followers; i++) {
    const tl_cplace *p = m->coloured->place + m->follower[i].place;
    uint32_t local;
    if (p->derived && !(rc = follow (m, m->follower + i, state, &local)) &&
        local != state[m->follower[i].place])
      rc = tl_fail_at (m->evaluation.error, TL_E_ARG, m->coloured->path,
                       (long)p->where.line, (long)p->where.column,
                       "the marking of place %s is not the one that its "
                       "initial marking tells from other places",
                       p->name);
  }
  return rc;
}

// ---- Where it does not pay -------------------------------------------------

bool tl_follow_fill (tl_machine *m, const uint64_t *key) {
  tl_shape_read (m, &m->before, key, m->next);
  tl_follow (m, m->next);
  for (uint32_t i = 0; i < m->followers; i++)
    if (m->next[m->follower[i].place] >= m->follower[i].known)
      return false;
  return true;
}

enum { CROWD = 1 << 12 };

bool tl_follow_is_crowded (const tl_machine *m) {
  const uint32_t least = tl_divide_early ? 2 : CROWD;
  for (uint32_t p = 0; p < m->places; p++)
    if (!m->coded.redundant[p] && m->local[p].count >= least &&
        m->local[p].count > m->visited / 2)
      return true;
  return false;
}

// Local markings of places that were left out were part of the engine.  They
// keep their numbers.
static tl_status count_for_keys (tl_machine *m, uint32_t place) {
  tl_intern *before = m->local + place, after = TL_INTERN (&m->numbers);
  tl_status rc = TL_OK;
  for (uint32_t i = 0, number; !rc && i < before->count; i++)
    rc = tl_intern_put (&after, tl_intern_list (before, i),
                        tl_intern_length (before, i), &number);
  tl_intern_close (rc ? &after : before);
  if (!rc)
    *before = after;
  return rc;
}

tl_status tl_follow_end (tl_machine *m) {
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < m->followers; i++)
    if (!tl_section_is_gone (m, m->follower[i].place))
      rc = count_for_keys (m, m->follower[i].place);
  for (uint32_t i = 0; i < m->followers; i++)
    m->follower[i].known = m->local[m->follower[i].place].count;
  if (!rc)
    m->form = TL_KEYS_NUMBERS;
  return rc;
}
