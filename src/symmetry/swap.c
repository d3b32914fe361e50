#include "symmetry/swap.h"

#include <stdlib.h>
#include <string.h>

// ---- Places ----------------------------------------------------------------

static int compare_cells (const tl_cell *a, const tl_cell *b, uint32_t cells) {
  for (uint32_t i = 0; i < cells; i++)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}

typedef struct domain {
  const tl_net *net;
  uint32_t of, cells;
} domain;

static int by_token (const void *left, const void *right, void *context) {
  const uint32_t *a = left, *b = right;
  const domain *d = context;
  return compare_cells (tl_swapper_token (d->net, d->of, *a),
                        tl_swapper_token (d->net, d->of, *b), d->cells);
}

static void order_places (tl_swapper *s) {
  const tl_origin *o = s->net->origin;
  for (uint32_t p = 0; p < s->net->places; p++)
    s->by_token[p] = s->image[p] = p;
  for (uint32_t of = 0; of < o->places; of++) {
    domain d = {s->net, of, s->coloured->place[of].cells};
    const uint32_t first = o->place_first[of];
    qsort_r (s->by_token + first, o->place_first[of + 1] - first,
             sizeof *s->by_token, by_token, &d);
  }
}

// The place of that token, or TL_NO_NAME.
static uint32_t find_place (const tl_swapper *s, uint32_t of,
                            const tl_cell *token) {
  const uint32_t *first = s->net->origin->place_first;
  uint32_t low = first[of], high = first[of + 1];
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const int order =
        compare_cells (tl_swapper_token (s->net, of, s->by_token[middle]),
                       token, s->coloured->place[of].cells);
    if (!order)
      return s->by_token[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return TL_NO_NAME;
}

// ---- Transitions -----------------------------------------------------------

// What a transition is: of which coloured one, and its arcs.
typedef struct shape {
  uint32_t of;
  tl_arcs arcs[3];
} shape;

static shape shape_of (const tl_net *net, uint32_t t) {
  return (shape){
      tl_origin_transition (net->origin, t),
      {tl_net_pre (net, t), tl_net_post (net, t), tl_net_inhibitors (net, t)}};
}

static int compare_arcs (tl_arcs a, tl_arcs b) {
  if (a.count != b.count)
    return a.count < b.count ? -1 : 1;
  for (uint32_t i = 0; i < a.count; i++) {
    if (a.arc[i].place != b.arc[i].place)
      return a.arc[i].place < b.arc[i].place ? -1 : 1;
    if (a.arc[i].weight != b.arc[i].weight)
      return a.arc[i].weight < b.arc[i].weight ? -1 : 1;
  }
  return 0;
}

static int compare_shapes (const shape *a, const shape *b) {
  if (a->of != b->of)
    return a->of < b->of ? -1 : 1;
  int order = 0;
  for (int i = 0; !order && i < 3; i++)
    order = compare_arcs (a->arcs[i], b->arcs[i]);
  return order;
}

static int by_shape (const void *left, const void *right, void *net) {
  const uint32_t *t = left, *u = right;
  const shape a = shape_of (net, *t), b = shape_of (net, *u);
  return compare_shapes (&a, &b);
}

// How many transitions come before that shape in their order, or not after it.
static uint32_t before (const tl_swapper *s, const shape *wanted, bool and_it) {
  uint32_t low = 0, high = s->net->transitions;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const shape found = shape_of (s->net, s->by_arcs[middle]);
    if (compare_shapes (&found, wanted) < and_it)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static uint32_t how_many (const tl_swapper *s, const shape *wanted) {
  return before (s, wanted, true) - before (s, wanted, false);
}

static int by_place (const void *left, const void *right) {
  const tl_arc *a = left, *b = right;
  return a->place < b->place ? -1 : a->place > b->place;
}

// In the room that there is for one.
static shape image_of (tl_swapper *s, uint32_t t) {
  const shape now = shape_of (s->net, t);
  shape then = now;
  tl_arc *room = s->room;
  for (int i = 0; i < 3; i++) {
    const tl_arcs arcs = now.arcs[i];
    for (uint32_t j = 0; j < arcs.count; j++)
      room[j] = (tl_arc){s->image[arcs.arc[j].place], arcs.arc[j].weight};
    qsort (room, arcs.count, sizeof *room, by_place);
    then.arcs[i] = (tl_arcs){room, arcs.count};
    room += arcs.count;
  }
  return then;
}

static bool has_image (tl_swapper *s, uint32_t t) {
  const shape now = shape_of (s->net, t), then = image_of (s, t);
  return how_many (s, &then) == how_many (s, &now);
}

// ---- Opening ---------------------------------------------------------------

static void count_touches (tl_swapper *s) {
  for (uint32_t t = 0; t < s->net->transitions; t++) {
    const shape x = shape_of (s->net, t);
    for (int i = 0; i < 3; i++)
      for (uint32_t j = 0; j < x.arcs[i].count; j++)
        s->touch_from[x.arcs[i].arc[j].place + 1]++;
  }
  for (uint32_t p = 0; p < s->net->places; p++)
    s->touch_from[p + 1] += s->touch_from[p];
}

// The starts move to the ends, and back.
static void list_touches (tl_swapper *s) {
  for (uint32_t t = 0; t < s->net->transitions; t++) {
    const shape x = shape_of (s->net, t);
    for (int i = 0; i < 3; i++)
      for (uint32_t j = 0; j < x.arcs[i].count; j++)
        s->touch[s->touch_from[x.arcs[i].arc[j].place]++] = t;
  }
  memmove (s->touch_from + 1, s->touch_from,
           s->net->places * sizeof *s->touch_from);
  s->touch_from[0] = 0;
}

static void measure (tl_swapper *s) {
  for (uint32_t t = 0; t < s->net->transitions; t++) {
    const shape x = shape_of (s->net, t);
    const size_t arcs =
        (size_t)x.arcs[0].count + x.arcs[1].count + x.arcs[2].count;
    if (arcs > s->most_arcs)
      s->most_arcs = arcs;
  }
  for (uint32_t p = 0; p < s->coloured->places; p++)
    if (s->coloured->place[p].cells > s->most_cells)
      s->most_cells = s->coloured->place[p].cells;
}

tl_status tl_swapper_open (tl_swapper *s, tl_mem *mem, const tl_net *net) {
  *s = (tl_swapper){.mem = mem, .net = net, .coloured = net->origin->coloured};
  measure (s);
  if (!TL_NEW (mem, s->by_token, net->places + 1) ||
      !TL_NEW (mem, s->image, net->places + 1) ||
      !TL_NEW (mem, s->moved, net->places + 1) ||
      !TL_NEW (mem, s->by_arcs, net->transitions + 1) ||
      !TL_NEW (mem, s->seen, net->transitions + 1) ||
      !TL_NEW (mem, s->looked_at, net->transitions + 1) ||
      !TL_NEW (mem, s->room, s->most_arcs + 1) ||
      !TL_NEW (mem, s->token, s->most_cells + 1) ||
      !TL_NEW (mem, s->touch_from, net->places + 1) ||
      !TL_NEW (mem, s->touch, net->arcs + 1))
    return TL_E_NOMEM;
  order_places (s);
  for (uint32_t t = 0; t < net->transitions; t++)
    s->by_arcs[t] = t;
  qsort_r (s->by_arcs, net->transitions, sizeof *s->by_arcs, by_shape,
           (void *)net);
  count_touches (s);
  list_touches (s);
  return TL_OK;
}

void tl_swapper_close (tl_swapper *s) {
  if (!s->mem)
    return;
  TL_DEL (s->mem, s->by_token, s->net->places + 1);
  TL_DEL (s->mem, s->image, s->net->places + 1);
  TL_DEL (s->mem, s->moved, s->net->places + 1);
  TL_DEL (s->mem, s->by_arcs, s->net->transitions + 1);
  TL_DEL (s->mem, s->seen, s->net->transitions + 1);
  TL_DEL (s->mem, s->looked_at, s->net->transitions + 1);
  TL_DEL (s->mem, s->room, s->most_arcs + 1);
  TL_DEL (s->mem, s->token, s->most_cells + 1);
  TL_DEL (s->mem, s->touch_from, s->net->places + 1);
  TL_DEL (s->mem, s->touch, s->net->arcs + 1);
}

// ---- Swapping --------------------------------------------------------------

// Swaps the values in the token of a place; false: there are none in it.
static bool swap_token (tl_swapper *s, uint32_t of, uint32_t p,
                        const tl_type *type, tl_cell a, tl_cell b) {
  const tl_cplace *place = s->coloured->place + of;
  bool moved = false;
  if (!place->cells)
    return false;
  memcpy (s->token, tl_swapper_token (s->net, of, p),
          place->cells * sizeof *s->token);
  for (uint32_t i = 0; i < place->parts; i++) {
    tl_cell *cell = s->token + place->part_offset[i];
    if (tl_swapper_type (place, i) != type || (*cell != a && *cell != b))
      continue;
    *cell = *cell == a ? b : a;
    moved = true;
  }
  return moved;
}

static bool may_be_image (const tl_net *net, uint32_t p, uint32_t q) {
  const uint32_t *capacity = net->origin->capacity;
  return q != TL_NO_NAME && net->initial[p] == net->initial[q] &&
         (!capacity || capacity[p] == capacity[q]);
}

static bool find_images (tl_swapper *s, const tl_type *type, tl_cell a,
                         tl_cell b, uint32_t *count) {
  const tl_origin *o = s->net->origin;
  for (uint32_t of = 0; of < o->places; of++)
    for (uint32_t p = o->place_first[of]; p < o->place_first[of + 1]; p++)
      if (swap_token (s, of, p, type, a, b)) {
        const uint32_t q = find_place (s, of, s->token);
        if (!may_be_image (s->net, p, q))
          return false;
        s->moved[(*count)++] = p;
        s->image[p] = q;
      }
  return true;
}

static bool all_have_images (tl_swapper *s, uint32_t moved, uint32_t *count) {
  for (uint32_t i = 0; i < moved; i++) {
    const uint32_t p = s->moved[i];
    for (uint64_t j = s->touch_from[p]; j < s->touch_from[p + 1]; j++) {
      const uint32_t t = s->touch[j];
      if (s->seen[t])
        continue;
      s->seen[t] = 1;
      s->looked_at[(*count)++] = t;
      if (!has_image (s, t))
        return false;
    }
  }
  return true;
}

static void forget (tl_swapper *s, uint32_t moved, uint32_t looked_at) {
  for (uint32_t i = 0; i < moved; i++)
    s->image[s->moved[i]] = s->moved[i];
  for (uint32_t i = 0; i < looked_at; i++)
    s->seen[s->looked_at[i]] = 0;
}

bool tl_can_swap (tl_swapper *s, const tl_type *type, tl_cell a, tl_cell b) {
  uint32_t moved = 0, looked_at = 0;
  const bool can = find_images (s, type, a, b, &moved) &&
                   all_have_images (s, moved, &looked_at);
  forget (s, moved, looked_at);
  return can;
}

static bool spread_fired (tl_swapper *s, uint32_t t, uint8_t *fired) {
  const shape then = image_of (s, t);
  bool news = false;
  for (uint32_t i = before (s, &then, false); i < before (s, &then, true);
       i++) {
    news |= !fired[s->by_arcs[i]];
    fired[s->by_arcs[i]] = 1;
  }
  return news;
}

bool tl_swap_spread (tl_swapper *s, const tl_type *type, tl_cell a, tl_cell b,
                     uint64_t *place_max, uint8_t *fired) {
  uint32_t moved = 0;
  bool news = false;
  find_images (s, type, a, b, &moved);
  for (uint32_t i = 0; i < moved; i++) {
    const uint32_t p = s->moved[i], q = s->image[p];
    if (place_max[p] > place_max[q]) {
      place_max[q] = place_max[p];
      news = true;
    }
    for (uint64_t j = s->touch_from[p]; j < s->touch_from[p + 1]; j++)
      if (fired[s->touch[j]])
        news |= spread_fired (s, s->touch[j], fired);
  }
  forget (s, moved, 0);
  return news;
}
