#include "symmetry/canonical.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

tl_status tl_canonical_open (tl_canonical *c, tl_mem *mem,
                             const tl_classes *classes) {
  const size_t items = (size_t)classes->items + 1,
               places = (size_t)classes->net->places + 1;
  *c = (tl_canonical){.mem = mem, .classes = classes};
  if (!TL_NEW (mem, c->sign, items) || !TL_NEW (mem, c->next_sign, items) ||
      !TL_NEW (mem, c->order, items) || !TL_NEW (mem, c->twins, items) ||
      !TL_NEW (mem, c->cell_from, items) || !TL_NEW (mem, c->to, items) ||
      !TL_NEW (mem, c->swap, items) || !TL_NEW (mem, c->image, places) ||
      !TL_NEW (mem, c->least, places))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < classes->items; i++)
    c->swap[i] = i;
  return TL_OK;
}

void tl_canonical_close (tl_canonical *c) {
  if (!c->mem)
    return;
  const size_t items = (size_t)c->classes->items + 1,
               places = (size_t)c->classes->net->places + 1;
  TL_DEL (c->mem, c->sign, items);
  TL_DEL (c->mem, c->next_sign, items);
  TL_DEL (c->mem, c->order, items);
  TL_DEL (c->mem, c->twins, items);
  TL_DEL (c->mem, c->cell_from, items);
  TL_DEL (c->mem, c->to, items);
  TL_DEL (c->mem, c->swap, items);
  TL_DEL (c->mem, c->image, places);
  TL_DEL (c->mem, c->least, places);
}

// ---- Signs -----------------------------------------------------------------

// What a place adds to the signs of its items: its frame, its tokens, and the
// signs of its items so far, in order.
static void add_signs (tl_canonical *c, uint32_t place, uint64_t tokens) {
  const tl_classes *k = c->classes;
  uint64_t all = tl_mix (tl_mix (k->frame[place] + 1) + tokens);
  for (uint32_t i = k->part_from[place]; i < k->part_from[place + 1]; i++)
    all = tl_mix (all + c->sign[k->part[i]]);
  for (uint32_t i = k->part_from[place]; i < k->part_from[place + 1]; i++)
    c->next_sign[k->part[i]] += tl_mix (all + i - k->part_from[place]);
}

// Where places have several items, these learn of each other in more rounds.
static void sign (tl_canonical *c, const uint64_t *tokens) {
  const tl_classes *k = c->classes;
  const size_t size = k->items * sizeof *c->sign;
  const unsigned rounds = k->widest > 1 ? 3 : 1;
  memset (c->sign, 0, size);
  for (unsigned r = 0; r < rounds; r++) {
    memset (c->next_sign, 0, size);
    for (uint32_t p = 0; p < k->net->places; p++)
      if (tokens[p])
        add_signs (c, p, tokens[p]);
    memcpy (c->sign, c->next_sign, size);
  }
}

static int by_sign (const void *left, const void *right, void *context) {
  const uint32_t *a = left, *b = right;
  const uint64_t *sign = context;
  return sign[*a] != sign[*b] ? (sign[*a] < sign[*b] ? -1 : 1)
                              : (*a < *b ? -1 : *a > *b);
}

// The items of each class by their signs; those with the same are a cell.
static void make_cells (tl_canonical *c) {
  const tl_classes *k = c->classes;
  c->cells = 0;
  for (uint32_t i = 0; i < k->items; i++)
    c->order[i] = i;
  for (uint32_t i = 0; i < k->classes; i++)
    qsort_r (c->order + k->class[i].first, k->class[i].values, sizeof *c->order,
             by_sign, c->sign);
  for (uint32_t i = 0; i < k->items; i++) {
    const uint32_t a = c->order[i], b = i ? c->order[i - 1] : a;
    if (!i || k->class_of[a] != k->class_of[b] || c->sign[a] != c->sign[b])
      c->cell_from[c->cells++] = i;
  }
  c->cell_from[c->cells] = k->items;
}

// ---- Twins -----------------------------------------------------------------

static bool stays (const tl_canonical *c, const uint64_t *tokens,
                   uint32_t item) {
  const tl_classes *k = c->classes;
  for (uint32_t i = k->at_from[item]; i < k->at_from[item + 1]; i++)
    if (tokens[k->at[i]] != tokens[tl_classes_image (k, k->at[i], c->swap)])
      return false;
  return true;
}

static bool are_twins (tl_canonical *c, const uint64_t *tokens, uint32_t a,
                       uint32_t b) {
  c->swap[a] = b;
  c->swap[b] = a;
  const bool are = stays (c, tokens, a) && stays (c, tokens, b);
  c->swap[a] = a;
  c->swap[b] = b;
  return are;
}

// Sorts the items of a cell, twins together, and numbers these.
static void find_twins (tl_canonical *c, const uint64_t *tokens, uint32_t from,
                        uint32_t to) {
  uint32_t numbers = 0;
  for (uint32_t at = from; at < to; numbers++) {
    const uint32_t one = c->order[at];
    c->twins[at++] = numbers;
    for (uint32_t i = at; i < to; i++)
      if (are_twins (c, tokens, one, c->order[i])) {
        const uint32_t other = c->order[i];
        c->order[i] = c->order[at];
        c->order[at] = other;
        c->twins[at++] = numbers;
      }
  }
}

// ---- Arrangements ----------------------------------------------------------

// The next order of the numbers in a cell; false: it was the last, and now they
// are in the first.  Items move with their numbers.
static bool rearrange (tl_canonical *c, uint32_t from, uint32_t to) {
  uint32_t *t = c->twins, *o = c->order, i = to - 1, j = to - 1;
  while (i > from && t[i - 1] >= t[i])
    i--;
  const bool more = i > from;
  if (more) {
    while (t[j] <= t[i - 1])
      j--;
    const uint32_t twin = t[j], item = o[j];
    t[j] = t[i - 1], o[j] = o[i - 1];
    t[i - 1] = twin, o[i - 1] = item;
  }
  for (j = to - 1; i < j; i++, j--) {
    const uint32_t twin = t[j], item = o[j];
    t[j] = t[i], o[j] = o[i];
    t[i] = twin, o[i] = item;
  }
  return more;
}

static bool next_arrangement (tl_canonical *c) {
  for (uint32_t i = 0; i < c->cells; i++)
    if (rearrange (c, c->cell_from[i], c->cell_from[i + 1]))
      return true;
  return false;
}

// The marking with the items in this order.
static void arrange (tl_canonical *c, const uint64_t *tokens, uint64_t *out) {
  const tl_classes *k = c->classes;
  for (uint32_t i = 0; i < k->items; i++)
    c->to[c->order[i]] = i;
  for (uint32_t p = 0; p < k->net->places; p++)
    out[tl_classes_image (k, p, c->to)] = tokens[p];
}

static int compare (const uint64_t *a, const uint64_t *b, uint32_t places) {
  for (uint32_t p = 0; p < places; p++)
    if (a[p] != b[p])
      return a[p] < b[p] ? -1 : 1;
  return 0;
}

// The least marking of all arrangements; how many lead to it.
static uint64_t find_least (tl_canonical *c, const uint64_t *tokens) {
  const uint32_t places = c->classes->net->places;
  uint64_t alike = 1;
  arrange (c, tokens, c->least);
  while (next_arrangement (c)) {
    arrange (c, tokens, c->image);
    const int order = compare (c->image, c->least, places);
    if (order < 0) {
      uint64_t *const least = c->least;
      c->least = c->image;
      c->image = least;
      alike = 1;
    }
    alike += !order;
  }
  return alike;
}

// ---- Orbits ----------------------------------------------------------------

typedef unsigned __int128 wide;

// Multiplies by the ways to choose `some` of `*all` + `some`, and adds these;
// false: it is too large.
static bool choose (wide *ways, uint32_t *all, uint32_t some) {
  for (uint32_t i = 1; i <= some; i++) {
    if (*ways >> 96)
      return false;
    *ways = *ways * ++*all / i;
  }
  return true;
}

// All permutations of the classes, divided by those of twins; and all
// arrangements, which are those of the cells divided by the same.
static bool count_ways (const tl_canonical *c, wide *all, wide *arrangements) {
  uint32_t in_class = 0, in_cell = 0, cell = 0;
  const tl_classes *k = c->classes;
  *all = *arrangements = 1;
  for (uint32_t i = 0, end; i < k->items; i = end) {
    for (; cell < c->cells && c->cell_from[cell] == i; cell++)
      in_cell = 0;
    if (i == k->class[k->class_of[i]].first)
      in_class = 0;
    const uint32_t last = c->cell_from[cell];
    for (end = i + 1; end < last && c->twins[end] == c->twins[i];)
      end++;
    if (!choose (all, &in_class, end - i) ||
        !choose (arrangements, &in_cell, end - i))
      return false;
  }
  return true;
}

tl_status tl_canonical_of (tl_canonical *c, uint64_t *tokens, uint64_t *orbit) {
  wide all, arrangements;
  *orbit = 1;
  if (!c->classes->items)
    return TL_OK;
  sign (c, tokens);
  make_cells (c);
  for (uint32_t i = 0; i < c->cells; i++)
    find_twins (c, tokens, c->cell_from[i], c->cell_from[i + 1]);
  if (!count_ways (c, &all, &arrangements) ||
      arrangements > TL_MOST_ARRANGEMENTS)
    return TL_E_LIMIT;
  const uint64_t alike = find_least (c, tokens);
  memcpy (tokens, c->least, c->classes->net->places * sizeof *tokens);
  all /= alike;
  *orbit = (uint64_t)all;
  return all >> 64 ? TL_E_LIMIT : TL_OK;
}
