#include "machine/prospects.h"

#include <stdlib.h>
#include <string.h>

// Which prospects are enabled.

// All rows together may take so many bytes at most.
#define MOST_BYTES ((size_t)1 << 28)
// Words of a bundle of several transitions.
enum { BUNDLE_WORDS = 16 };

// ---- The order of prospects ------------------------------------------------

static int compare (const void *a, const void *b, void *bindings) {
  return tl_machine_compare (bindings, *(const uint32_t *)a,
                             *(const uint32_t *)b);
}

// Ranks; prospects that are events keep their numbers.
static tl_status rank (tl_machine *m, tl_prospects *c) {
  const uint32_t before = c->ranked, count = c->binding.count;
  uint32_t *event;
  if (before == count)
    return TL_OK;
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

// ---- Bundles ---------------------------------------------------------------

static uint32_t words_of (const tl_prospects *c) {
  return c->binding.count / 64 + 1; // the highest bit is free
}

static void close_bundle (tl_machine *m, tl_bundle *b) {
  for (uint32_t i = 0; i < b->sections; i++) {
    tl_prospect_rows *r = b->rows + i;
    m->known->row_bytes -= r->row_room * sizeof *r->row;
    TL_DEL (m->mem, r->row, r->row_room);
    TL_DEL (m->mem, r->need, r->need_room);
  }
  TL_DEL (m->mem, b->rows, b->rows_room);
  TL_DEL (m->mem, b->all, b->room);
  TL_DEL (m->mem, b->bits, b->room);
}

void tl_bundles_close (tl_machine *m) {
  tl_known *k = m->known;
  for (uint32_t i = 0; i < k->bundles; i++)
    close_bundle (m, k->bundle + i);
  k->bundles = 0;
  k->bundled = false;
}

// The rows of a section, made where there are none.
static tl_prospect_rows *rows_of (tl_machine *m, tl_bundle *b,
                                  uint32_t section) {
  uint32_t *at = m->known->row_of + section;
  if (*at)
    return b->rows + *at - 1;
  if (!TL_ROOM (m->mem, b->rows, &b->rows_room, (size_t)b->sections + 1))
    return 0;
  tl_prospect_rows *r = b->rows + b->sections++;
  *r = (tl_prospect_rows){.section = section, .first = UINT32_MAX};
  *at = b->sections;
  return r;
}

// What the prospects of a transition need; words up to the last of these.
static tl_status share_needs (tl_machine *m, tl_bundle *b,
                              const tl_prospects *c, uint32_t rank) {
  const uint32_t number = c->number[rank], bit = 64 * c->start + rank;
  for (size_t i = number ? c->need_end[number - 1] : 0; i < c->need_end[number];
       i++) {
    const tl_effect *need = c->need + i;
    tl_prospect_rows *r =
        rows_of (m, b, tl_machine_section (m, need->place, need->token));
    if (!r || !TL_ROOM (m->mem, r->need, &r->need_room, r->needs + 1))
      return TL_E_NOMEM;
    r->need[r->needs++] = (tl_prospect_need){bit, need->token, need->need};
    m->known->made++;
    r->first = bit / 64 < r->first ? bit / 64 : r->first;
    r->words = c->start + words_of (c) - r->first;
  }
  return TL_OK;
}

// The transitions from the first of the bundle on, up to `end`.
static tl_status fill_bundle (tl_machine *m, uint32_t number, uint32_t end) {
  tl_known *k = m->known;
  tl_bundle *b = k->bundle + number;
  b->room = b->words;
  if (!TL_NEW (m->mem, b->all, b->room) || !TL_NEW (m->mem, b->bits, b->room))
    return TL_E_NOMEM;
  tl_status rc = TL_OK;
  for (uint32_t t = b->first; t < end; t++) {
    tl_prospects *c = k->of + t;
    if (c->none || !c->binding.count)
      continue;
    c->bundle = number;
    const uint32_t last = c->start + words_of (c) - 1;
    for (uint32_t w = c->start; w < last; w++)
      b->all[w] = ~UINT64_C (0);
    b->all[last] = tl_low_bits (c->binding.count % 64);
    for (uint32_t i = 0; !rc && i < c->binding.count; i++)
      rc = share_needs (m, b, c, i);
  }
  for (uint32_t i = 0; i < b->sections; i++)
    k->row_of[b->rows[i].section] = 0;
  return rc;
}

// A bundle that begins with a transition, and the one after its last.
static tl_status make_bundle (tl_machine *m, uint32_t first, uint32_t *end) {
  tl_known *k = m->known;
  tl_status rc = TL_OK;
  if (!TL_ROOM (m->mem, k->bundle, &k->bundle_room, (size_t)k->bundles + 1))
    return TL_E_NOMEM;
  tl_bundle *b = k->bundle + k->bundles++;
  *b = (tl_bundle){.first = first};
  for (*end = first; !rc && *end < m->transitions; ++*end) {
    tl_prospects *c = k->of + *end;
    if (c->none || !c->binding.count)
      continue;
    if (b->words && b->words + words_of (c) > BUNDLE_WORDS)
      break;
    rc = rank (m, c);
    c->start = b->words;
    b->words += words_of (c);
  }
  return rc ? rc : fill_bundle (m, k->bundles - 1, *end);
}

tl_status tl_bundles_make (tl_machine *m) {
  tl_known *k = m->known;
  tl_bundles_close (m);
  if (!TL_ROOM (m->mem, k->row_of, &k->row_of_room, (size_t)m->sections + 1))
    return TL_E_NOMEM;
  tl_status rc = TL_OK;
  for (uint32_t t = 0; !rc && t < m->transitions;)
    if (k->of[t].none || !k->of[t].binding.count)
      t++;
    else
      rc = make_bundle (m, t, &t);
  k->bundled = !rc;
  return rc;
}

// ---- Rows ------------------------------------------------------------------

// Room for the rows of the local markings that there are by now.  TL_E_LIMIT:
// too much.
static tl_status make_room (tl_machine *m, tl_prospect_rows *r) {
  tl_known *k = m->known;
  const size_t before = r->row_room;
  if (!TL_ROOM (m->mem, r->row, &r->row_room,
                (size_t)m->local[r->section].count * r->words))
    return TL_E_NOMEM;
  k->row_bytes += (r->row_room - before) * sizeof *r->row;
  return k->row_bytes > tl_machine_most (m, MOST_BYTES) ? TL_E_LIMIT : TL_OK;
}

static tl_status make_row (tl_machine *m, tl_prospect_rows *r, uint32_t local) {
  tl_known *k = m->known;
  const size_t at = (size_t)local * r->words;
  const tl_status rc = at + r->words > r->row_room ? make_room (m, r) : TL_OK;
  if (rc)
    return rc;
  k->made += r->words + r->needs;
  if (tl_prospects_are_dear (k))
    return TL_E_LIMIT;
  if (!TL_ROOM (m->mem, k->many, &k->many_room,
                (size_t)m->token[m->place_of[r->section]].count + 1))
    return TL_E_NOMEM;
  const tl_local_list list = tl_machine_list (m, r->section, local);
  for (uint32_t i = 0; i < list.count; i++)
    k->many[tl_list_token (list, i)] = tl_list_many (list, i);
  uint64_t *row = r->row + at;
  memset (row, 0xff, r->words * sizeof *row); // and so it is made
  for (size_t i = 0; i < r->needs; i++) {
    const tl_prospect_need *need = r->need + i;
    if (k->many[need->token] < need->many)
      row[need->bit / 64 - r->first] &= ~(UINT64_C (1) << need->bit % 64);
  }
  for (uint32_t i = 0; i < list.count; i++)
    k->many[tl_list_token (list, i)] = 0;
  return TL_OK;
}

// ---- What is enabled -------------------------------------------------------

static inline bool is_made (const tl_prospect_rows *r, size_t at) {
  const size_t last = at + r->words - 1;
  return last < r->row_room && r->row[last] >> 63;
}

// The prospects that all rows have.
static tl_status meet_rows (tl_machine *m, tl_bundle *b) {
  memcpy (b->bits, b->all, b->words * sizeof *b->bits);
  for (uint32_t i = 0; i < b->sections; i++) {
    tl_prospect_rows *r = b->rows + i;
    const uint32_t local = m->now[r->section];
    const size_t at = (size_t)local * r->words;
    const tl_status rc = is_made (r, at) ? TL_OK : make_row (m, r, local);
    if (rc)
      return rc;
    uint64_t *bits = b->bits + r->first;
    for (uint32_t w = 0; w < r->words; w++)
      bits[w] &= r->row[at + w];
  }
  return TL_OK;
}

static void give_up_bundle (tl_machine *m, uint32_t number) {
  for (uint32_t t = 0; t < m->transitions; t++) {
    tl_prospects *c = m->known->of + t;
    if (c->binding.count && c->bundle == number)
      tl_prospects_give_up (m, c);
  }
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
  const uint64_t *word = m->known->bundle[c->bundle].bits + c->start;
  const uint32_t words = words_of (c);
  for (uint32_t w = 0; w < words; w++)
    for (uint64_t bits = word[w]; bits; bits &= bits - 1) {
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
  tl_status rc = TL_OK;
  *count = 0;
  *known = !c->none;
  if (c->none || !c->binding.count)
    return TL_OK;
  tl_bundle *b = m->known->bundle + c->bundle;
  if (transition == b->first)
    rc = meet_rows (m, b);
  if (rc == TL_E_LIMIT) {
    give_up_bundle (m, c->bundle);
    *known = false;
    return TL_OK;
  }
  return rc ? rc : list_bits (m, c, events, room, count);
}
