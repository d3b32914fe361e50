#include "machine/prospects.h"

#include <stdlib.h>
#include <string.h>

// Which prospects are enabled.

// All rows together may take this part of the memory of the run, or so many
// bytes.
enum { SHARE = 16 };
// Words of rows that are made anew when there are other prospects.
#define MOST_REDONE (UINT64_C (1) << 28)
#define MOST_BYTES ((size_t)1 << 28)

// ---- The order of prospects -----------------------------------------------

static int compare (const void *a, const void *b, void *bindings) {
  return tl_machine_compare (bindings, *(const uint32_t *)a,
                             *(const uint32_t *)b);
}

// Ranks; prospects that are events keep their numbers.
static tl_status rank (tl_machine *m, tl_prospects *c, uint32_t before) {
  const uint32_t count = c->binding.count;
  uint32_t *event;
  if (!TL_ROOM (m->mem, c->number, &c->number_room, (size_t)count) ||
      !TL_ROOM (m->mem, c->event, &c->event_room, (size_t)count) ||
      !TL_NEW (m->mem, event, (size_t)count))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < before; i++)
    event[c->number[i]] = c->event[i];
  for (uint32_t i = before; i < count; i++) {
    event[i] = TL_NO_EVENT;
    c->number[i] = i;
  }
  qsort_r (c->number, count, sizeof *c->number, compare, &c->binding);
  for (uint32_t i = 0; i < count; i++)
    c->event[i] = event[c->number[i]];
  c->ranked = count;
  TL_DEL (m->mem, event, (size_t)count);
  return TL_OK;
}

// ---- Rows ------------------------------------------------------------------

static void drop_rows (tl_machine *m, tl_prospect_rows *r) {
  m->known->row_bytes -= r->row_room * sizeof *r->row;
  TL_DEL (m->mem, r->row, r->row_room);
  r->row_room = 0;
}

void tl_prospect_rows_close (tl_machine *m, tl_prospects *c) {
  for (uint32_t i = 0; i < c->sections; i++) {
    drop_rows (m, c->rows + i);
    TL_DEL (m->mem, c->rows[i].need, c->rows[i].need_room);
  }
  TL_DEL (m->mem, c->rows, c->rows_room);
  c->rows_room = 0;
  c->sections = 0;
}

// The rows of a section, made where there are none.
static tl_prospect_rows *rows_of (tl_machine *m, tl_prospects *c,
                                  uint32_t section) {
  for (uint32_t i = 0; i < c->sections; i++)
    if (c->rows[i].section == section)
      return c->rows + i;
  if (!TL_ROOM (m->mem, c->rows, &c->rows_room, (size_t)c->sections + 1))
    return 0;
  tl_prospect_rows *r = c->rows + c->sections++;
  *r = (tl_prospect_rows){.section = section};
  return r;
}

static tl_status share_needs (tl_machine *m, tl_prospects *c, uint32_t rank) {
  const uint32_t number = c->number[rank];
  for (size_t i = number ? c->need_end[number - 1] : 0; i < c->need_end[number];
       i++) {
    const tl_effect *need = c->need + i;
    tl_prospect_rows *r =
        rows_of (m, c, tl_machine_section (m, need->place, need->token));
    if (!r || !TL_ROOM (m->mem, r->need, &r->need_room, r->needs + 1))
      return TL_E_NOMEM;
    r->need[r->needs++] = (tl_prospect_need){rank, need->token, need->need};
  }
  return TL_OK;
}

tl_status tl_prospect_rows_make (tl_machine *m, tl_prospects *c) {
  const uint32_t words = c->binding.count / 64 + 1;
  tl_status rc = rank (m, c, c->ranked);
  for (uint32_t i = 0; i < c->sections; i++) {
    tl_prospect_rows *r = c->rows + i;
    r->needs = 0;
    c->redone += r->row_room;
    if (words != c->words)
      drop_rows (m, r);
    else if (r->row)
      memset (r->row, 0, r->row_room * sizeof *r->row);
  }
  if (c->redone > MOST_REDONE)
    return TL_E_LIMIT;
  c->words = words;
  for (uint32_t i = 0; !rc && i < c->binding.count; i++)
    rc = share_needs (m, c, i);
  return rc;
}

// Room for the rows of the local markings that there are by now.  TL_E_LIMIT:
// too much.
static tl_status make_room (tl_machine *m, const tl_prospects *c,
                            tl_prospect_rows *r) {
  tl_known *k = m->known;
  const size_t limit = tl_mem_root (m->mem)->limit / SHARE,
               most = limit && limit < MOST_BYTES ? limit : MOST_BYTES;
  const size_t before = r->row_room;
  if (!TL_ROOM (m->mem, r->row, &r->row_room,
                (size_t)m->local[r->section].count * c->words))
    return TL_E_NOMEM;
  k->row_bytes += (r->row_room - before) * sizeof *r->row;
  return k->row_bytes > most ? TL_E_LIMIT : TL_OK;
}

static tl_status make_row (tl_machine *m, const tl_prospects *c,
                           tl_prospect_rows *r, uint32_t local) {
  tl_known *k = m->known;
  const size_t at = (size_t)local * c->words;
  const tl_status rc =
      at + c->words > r->row_room ? make_room (m, c, r) : TL_OK;
  if (rc)
    return rc;
  if (!TL_ROOM (m->mem, k->many, &k->many_room,
                (size_t)m->token[m->place_of[r->section]].count + 1))
    return TL_E_NOMEM;
  const tl_local_list list = tl_machine_list (m, r->section, local);
  for (uint32_t i = 0; i < list.count; i++)
    k->many[tl_list_token (list, i)] = tl_list_many (list, i);
  uint64_t *row = r->row + at;
  memset (row, 0xff, c->words * sizeof *row); // and so it is made
  for (size_t i = 0; i < r->needs; i++)
    if (k->many[r->need[i].token] < r->need[i].many)
      row[r->need[i].rank / 64] &= ~(UINT64_C (1) << r->need[i].rank % 64);
  for (uint32_t i = 0; i < list.count; i++)
    k->many[tl_list_token (list, i)] = 0;
  return TL_OK;
}

// ---- What is enabled -------------------------------------------------------

static inline bool is_made (const tl_prospects *c, const tl_prospect_rows *r,
                            size_t at) {
  const size_t last = at + c->words - 1;
  return last < r->row_room && r->row[last] >> 63;
}

// The prospects that all rows have, in m->known->bits; false: none.
static tl_status meet_rows (tl_machine *m, tl_prospects *c, bool *any) {
  uint64_t *bits = m->known->bits;
  const uint32_t words = c->words;
  *any = true;
  memset (bits, 0xff, words * sizeof *bits);
  bits[words - 1] = tl_low_bits (c->binding.count % 64);
  for (uint32_t i = 0; *any && i < c->sections; i++) {
    tl_prospect_rows *r = c->rows + i;
    const uint32_t local = m->now[r->section];
    const size_t at = (size_t)local * words;
    const tl_status rc = is_made (c, r, at) ? TL_OK : make_row (m, c, r, local);
    if (rc)
      return rc;
    uint64_t some = 0;
    for (uint32_t w = 0; w < words; w++)
      some |= bits[w] &= r->row[at + w];
    *any = some;
  }
  return TL_OK;
}

// A prospect that is enabled for the first time.
static tl_status make_event (tl_machine *m, tl_prospects *c, uint32_t rank) {
  const uint32_t transition =
      (uint32_t)(c->transition - m->coloured->transition);
  tl_status rc = tl_machine_restore (
      m, transition, tl_intern_list (&c->binding, c->number[rank]));
  if (!rc)
    rc = tl_machine_event (m, transition, m->frame, c->event + rank);
  return !rc && c->event[rank] == TL_NO_EVENT ? TL_E_INTERNAL : rc;
}

static tl_status list_bits (tl_machine *m, tl_prospects *c, uint32_t *events,
                            uint32_t room, uint32_t *count) {
  for (uint32_t w = 0; w < c->words; w++)
    for (uint64_t bits = m->known->bits[w]; bits; bits &= bits - 1) {
      const uint32_t rank = 64 * w + (uint32_t)__builtin_ctzll (bits);
      if (c->event[rank] == TL_NO_EVENT) {
        const tl_status rc = make_event (m, c, rank);
        if (rc)
          return rc;
      }
      if (*count < room)
        events[*count] = c->event[rank];
      ++*count;
    }
  return TL_OK;
}

tl_status tl_machine_list_known (tl_machine *m, uint32_t transition,
                                 uint32_t *events, uint32_t room,
                                 uint32_t *count, bool *known) {
  tl_prospects *c = m->known->of + transition;
  *known = false;
  tl_status rc = TL_OK;
  if (!c->none && c->met != m->known->met + 1)
    rc = tl_prospects_update (m, transition);
  if (rc || c->none)
    return rc;
  *known = true;
  *count = 0;
  if (!c->binding.count)
    return TL_OK;
  if (!TL_ROOM (m->mem, m->known->bits, &m->known->bits_room, (size_t)c->words))
    return TL_E_NOMEM;
  bool any;
  rc = meet_rows (m, c, &any);
  if (rc == TL_E_LIMIT) {
    tl_prospects_give_up (m, c);
    *known = false;
    return TL_OK;
  }
  return rc || !any ? rc : list_bits (m, c, events, room, count);
}
