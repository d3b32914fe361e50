#include "checkpoint/codes.h"

#include <xxhash.h>

// ---- The net ---------------------------------------------------------------

static uint64_t add (uint64_t sum, const void *bytes, size_t size) {
  return XXH3_64bits_withSeed (bytes, size, sum);
}

static uint64_t add_arcs (uint64_t sum, const uint64_t *start,
                          const tl_arc *arc, uint32_t transitions) {
  sum = add (sum, start, (transitions + (size_t)1) * sizeof *start);
  return add (sum, arc, (size_t)start[transitions] * sizeof *arc);
}

uint64_t tl_net_sum (const tl_net *net) {
  const uint32_t size[] = {net->places, net->transitions};
  uint64_t sum = add (0, size, sizeof size);
  sum = add (sum, net->initial, net->places * sizeof *net->initial);
  sum = add_arcs (sum, net->pre_start, net->pre_arc, net->transitions);
  sum = add_arcs (sum, net->post_start, net->post_arc, net->transitions);
  return add_arcs (sum, net->inhibitor_start, net->inhibitor_arc,
                   net->transitions);
}

// ---- Writing ---------------------------------------------------------------

// A place that follows from others: its function.
static void parcel_relation (tl_parcel *p, const tl_digits *d, uint32_t place) {
  const tl_relation *r = d->functions->relation + d->relation_of[place];
  const tl_vector terms = tl_relation_terms (d->functions, r);
  tl_parcel_number (p, place);
  tl_parcel_number (p, (uint64_t)r->constant);
  tl_parcel_number (p, terms.count);
  for (uint32_t i = 0; i < terms.count; i++) {
    tl_parcel_number (p, terms.term[i].index);
    tl_parcel_number (p, (uint64_t)terms.term[i].factor);
  }
}

static void parcel_digits (tl_parcel *p, const tl_digits *d, uint32_t places) {
  uint64_t relations = 0, terms = 0;
  tl_parcel_number (p, d->count);
  for (uint32_t i = 0; i < d->count; i++) {
    tl_parcel_number (p, d->digit[i].radix);
    tl_parcel_number (p, d->digit[i].count);
    for (uint32_t k = 0; k < d->digit[i].count; k++)
      tl_parcel_number (p, d->digit[i].place[k]);
  }
  for (uint32_t q = 0; q < places; q++)
    if (d->relation_of[q] != TL_NO_NAME) {
      relations++;
      terms += d->functions->relation[d->relation_of[q]].count;
    }
  tl_parcel_number (p, relations);
  tl_parcel_number (p, terms);
  for (uint32_t q = 0; q < places; q++)
    if (d->relation_of[q] != TL_NO_NAME)
      parcel_relation (p, d, q);
}

void tl_parcel_code (tl_parcel *p, const tl_net *net, const uint8_t *width,
                     const uint64_t *most, const tl_digits *digits) {
  tl_parcel_bytes (p, width, net->places);
  for (uint32_t q = 0; q < net->places; q++)
    tl_parcel_number (p, most[q]);
  tl_parcel_number (p, !digits);
  if (digits)
    parcel_digits (p, digits, net->places);
}

// ---- Reading ---------------------------------------------------------------

void tl_saved_code_close (tl_saved_code *c, tl_mem *mem, const tl_net *net) {
  TL_DEL (mem, c->width, net->places);
  TL_DEL (mem, c->most, net->places);
  if (c->digits.mem)
    tl_digits_close (&c->digits);
  *c = (tl_saved_code){0};
}

static void unparcel_digit (tl_unparcel *u, tl_digits *d, uint32_t places,
                            uint32_t *used) {
  const uint64_t radix = tl_unparcel_number (u);
  const uint32_t first = *used,
                 count = (uint32_t)tl_unparcel_count (u, places - first);
  u->failed |= !count || !radix;
  for (uint32_t k = 0; k < count && !u->failed; k++) {
    const uint64_t place = tl_unparcel_number (u);
    u->failed |= place >= places;
    d->places[(*used)++] = (uint32_t)place;
  }
  d->digit[d->count++] = (tl_digit){radix, d->places + first, count};
}

static tl_status open_functions (tl_digits *d, uint32_t places,
                                 uint64_t relations, uint64_t terms) {
  tl_elimination *e;
  if (!TL_NEW (d->mem, e, 1))
    return TL_E_NOMEM;
  d->functions = e;
  e->mem = d->mem;
  e->places = places;
  e->relation_capacity = (size_t)relations;
  e->term_capacity = (size_t)terms;
  return TL_NEW (e->mem, e->dependent, places) &&
                 TL_NEW (e->mem, e->relation, e->relation_capacity) &&
                 TL_NEW (e->mem, e->term, e->term_capacity)
             ? TL_OK
             : TL_E_NOMEM;
}

static void unparcel_relation (tl_unparcel *u, tl_digits *d) {
  tl_elimination *e = d->functions;
  const uint64_t place = tl_unparcel_number (u),
                 constant = tl_unparcel_number (u),
                 count = tl_unparcel_count (u, e->term_capacity - e->terms);
  u->failed |= place >= e->places || (place < e->places && e->dependent[place]);
  if (u->failed)
    return;
  e->dependent[place] = true;
  d->relation_of[place] = (uint32_t)e->relations;
  e->relation[e->relations++] = (tl_relation){.place = (uint32_t)place,
                                              .count = (uint32_t)count,
                                              .start = e->terms,
                                              .denominator = 1,
                                              .constant = (int64_t)constant};
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t index = tl_unparcel_number (u),
                   factor = tl_unparcel_number (u);
    u->failed |= index >= e->places;
    e->term[e->terms++] = (tl_entry){(uint32_t)index, (int64_t)factor};
  }
}

static tl_status unparcel_digits (tl_unparcel *u, tl_mem *mem, uint32_t places,
                                  tl_digits *d) {
  const uint64_t most = (uint64_t)(u->end - u->at);
  uint32_t used = 0;
  *d = (tl_digits){.mem = mem, .room = places};
  if (!TL_NEW (mem, d->digit, places) || !TL_NEW (mem, d->places, places) ||
      !TL_NEW (mem, d->relation_of, places))
    return TL_E_NOMEM;
  for (uint32_t q = 0; q < places; q++)
    d->relation_of[q] = TL_NO_NAME;
  const uint64_t digits = tl_unparcel_count (u, places);
  for (uint64_t i = 0; i < digits && !u->failed; i++)
    unparcel_digit (u, d, places, &used);
  const uint64_t relations = tl_unparcel_count (u, places),
                 terms = tl_unparcel_count (u, most);
  const tl_status rc = open_functions (d, places, relations, terms);
  for (uint64_t i = 0; !rc && i < relations && !u->failed; i++)
    unparcel_relation (u, d);
  return rc;
}

tl_status tl_unparcel_code (tl_unparcel *u, tl_mem *mem, const tl_net *net,
                            tl_saved_code *c) {
  *c = (tl_saved_code){0};
  if (!TL_NEW (mem, c->width, net->places) ||
      !TL_NEW (mem, c->most, net->places))
    return TL_E_NOMEM;
  tl_unparcel_copy (u, c->width, net->places);
  for (uint32_t q = 0; q < net->places; q++) {
    c->most[q] = tl_unparcel_number (u);
    u->failed |= c->width[q] > TL_FIELD_MAX_WIDTH;
  }
  c->identity = tl_unparcel_number (u);
  return c->identity || u->failed
             ? TL_OK
             : unparcel_digits (u, mem, net->places, &c->digits);
}
