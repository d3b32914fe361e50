#include "encode/digits.h"

#include <math.h>

// Costs of places are in this part of a bit.
#define BIT 1024.0
// Keys of so many bits need not be shorter.
#define SHORT 16

static uint32_t cost_of (uint64_t most) {
  return (uint32_t)(BIT * log2 ((double)most + 1));
}

// What storing each place costs: a group of k places costs log2 k bits and
// stands for k - 1 independent places, or for k if none of them may be marked.
// Groups that the file only claims do not count.
static void set_costs (const tl_layout *l, const uint64_t *most,
                       const tl_groups *groups, uint32_t *cost) {
  for (uint32_t p = 0; p < l->net->places; p++)
    cost[p] = l->field[p].width ? cost_of (most[p]) : 0;
  for (size_t g = 0; g < groups->count; g++) {
    const tl_group *group = groups->group + g;
    const double values = group->count + !group->full;
    for (uint32_t i = 0; !group->claimed && i < group->count; i++)
      cost[tl_group_places (groups, g)[i]] =
          (uint32_t)(BIT * log2 (values) / (values - 1));
  }
}

// A place is left out when its function gives it without a division.
static tl_status choose_dependent (tl_digits *d, const tl_layout *l,
                                   tl_structure *structure,
                                   const uint64_t *most,
                                   const tl_groups *groups) {
  uint32_t *cost;
  const uint32_t places = l->net->places;
  if (!TL_NEW (d->mem, cost, places))
    return TL_E_NOMEM;
  set_costs (l, most, groups, cost);
  const tl_status rc =
      tl_elimination_open (&d->functions, d->mem, structure->incidence,
                           l->net->initial, cost, TL_ELIMINATION_WORK);
  TL_DEL (d->mem, cost, places);
  if (rc)
    return rc;
  for (size_t i = 0; i < d->functions->relations; i++) {
    const tl_relation *r = d->functions->relation + i;
    if (r->denominator == 1 && l->field[r->place].width)
      d->relation_of[r->place] = (uint32_t)i;
  }
  return TL_OK;
}

static void add_digit (tl_digits *d, uint64_t radix, uint32_t first,
                       uint32_t count) {
  d->digit[d->count++] = (tl_digit){radix, d->places + first, count};
}

// Lists the places that need a digit: for each group those left of it, as one
// digit if that is shorter, then the others.
static void make_digits (tl_digits *d, const tl_layout *l, const uint64_t *most,
                         const tl_groups *groups, uint8_t *done) {
  uint32_t n = 0;
  for (uint32_t p = 0; p < l->net->places; p++)
    done[p] = !l->field[p].width || d->relation_of[p] != TL_NO_NAME;
  for (size_t g = 0; g < groups->count; g++) {
    const uint32_t first = n, *place = tl_group_places (groups, g);
    for (uint32_t i = 0; i < groups->group[g].count; i++)
      if (!done[place[i]] && !groups->group[g].claimed)
        d->places[n++] = place[i];
    const uint32_t count = n - first;
    if (count < 2) {
      n = first;
      continue;
    }
    add_digit (d, (uint64_t)count + 1, first, count);
    for (uint32_t i = first; i < n; i++)
      done[d->places[i]] = 1;
  }
  for (uint32_t p = 0; p < l->net->places; p++)
    if (!done[p]) {
      d->places[n] = p;
      add_digit (d, most[p] + 1, n++, 1);
    }
}

// Room for the digits; no place is a function of others so far.
static tl_status open_room (tl_digits *d, tl_mem *mem, uint32_t places) {
  *d = (tl_digits){.mem = mem, .room = places};
  if (!TL_NEW (mem, d->digit, places) || !TL_NEW (mem, d->places, places) ||
      !TL_NEW (mem, d->relation_of, places)) {
    tl_digits_close (d);
    return TL_E_NOMEM;
  }
  for (uint32_t p = 0; p < places; p++)
    d->relation_of[p] = TL_NO_NAME;
  return TL_OK;
}

static tl_status open_with (tl_digits *d, tl_mem *mem, const tl_layout *l,
                            tl_structure *structure, const uint64_t *most,
                            const tl_groups *groups) {
  const uint32_t places = l->net->places;
  uint8_t *done;
  tl_status rc = open_room (d, mem, places);
  if (rc)
    return rc;
  if (!TL_NEW (mem, done, places))
    rc = TL_E_NOMEM;
  if (!rc)
    rc = choose_dependent (d, l, structure, most, groups);
  if (!rc)
    make_digits (d, l, most, groups, done);
  TL_DEL (mem, done, places);
  if (rc)
    tl_digits_close (d);
  return rc;
}

tl_status tl_digits_open_each (tl_digits *d, tl_mem *mem, const tl_layout *l,
                               const uint64_t *most) {
  const tl_status rc = open_room (d, mem, l->net->places);
  for (uint32_t p = 0, n = 0; !rc && p < l->net->places; p++)
    if (l->field[p].width) {
      d->places[n] = p;
      add_digit (d, (uint64_t)1 << tl_bits_for (most[p]), n++, 1);
    }
  return rc;
}

// How long all digits together are, in bits.
static double length (const tl_digits *d) {
  double bits = 0;
  for (uint32_t i = 0; i < d->count; i++)
    bits += log2 ((double)d->digit[i].radix);
  return bits;
}

// Replaces the digits by those with groups that were found in another way, if
// these are shorter: that is seen only when all is done.
static tl_status try_exclusion (tl_digits *d, const tl_layout *l,
                                tl_structure *structure, const uint64_t *most) {
  tl_groups groups;
  tl_digits other = {0};
  tl_status rc = tl_structure_exclusive_groups (structure, &groups, 0);
  const bool found = !rc && groups.count;
  if (found)
    rc = open_with (&other, d->mem, l, structure, most, &groups);
  tl_groups_close (&groups);
  if (found && !rc && length (&other) < length (d)) {
    const tl_digits shorter = other;
    other = *d;
    *d = shorter;
  }
  tl_digits_close (&other);
  return rc;
}

tl_status tl_digits_open (tl_digits *d, tl_mem *mem, const tl_layout *l,
                          tl_structure *structure, const uint64_t *most) {
  tl_groups groups;
  *d = (tl_digits){0};
  tl_status rc = tl_structure_groups (structure, &groups, 0);
  if (rc)
    return rc;
  rc = open_with (d, mem, l, structure, most, &groups);
  tl_groups_close (&groups);
  if (!rc && length (d) > SHORT)
    rc = try_exclusion (d, l, structure, most);
  if (rc)
    tl_digits_close (d);
  return rc;
}

void tl_digits_close (tl_digits *d) {
  TL_DEL (d->mem, d->digit, d->room);
  TL_DEL (d->mem, d->places, d->room);
  TL_DEL (d->mem, d->relation_of, d->room);
  tl_elimination_close (d->functions);
  *d = (tl_digits){0};
}
