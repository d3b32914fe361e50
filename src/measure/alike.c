#include "measure/alike.h"

#include "base/bits.h"
#include "base/tuning.h"

#include <stdlib.h>
#include <string.h>

// A place and its colour, to be sorted by colour.
typedef struct tint {
  uint64_t colour;
  uint32_t place;
} tint;

typedef struct painter {
  const tl_net *net;
  uint64_t *place, *transition; // colours
  uint64_t *fresh;              // [places] of the next round
  tint *tint;
  uint32_t count; // of places that change
} painter;

// How an arc looks from one end: kind, weight and what is at the other end.
static uint64_t look (uint64_t kind, uint32_t weight, uint64_t colour) {
  return tl_mix (colour + kind + 4 * (uint64_t)weight);
}

static uint64_t look_all (tl_arcs arcs, uint64_t kind, const uint64_t *colour) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < arcs.count; i++)
    sum += look (kind, arcs.arc[i].weight, colour[arcs.arc[i].place]);
  return sum;
}

static void show (tl_arcs arcs, uint64_t kind, uint64_t colour,
                  uint64_t *fresh) {
  for (uint32_t i = 0; i < arcs.count; i++)
    fresh[arcs.arc[i].place] += look (kind, arcs.arc[i].weight, colour);
}

static void paint (painter *w) {
  const tl_net *net = w->net;
  memcpy (w->fresh, w->place, net->places * sizeof *w->fresh);
  for (uint32_t t = 0; t < net->transitions; t++) {
    const tl_arcs pre = tl_net_pre (net, t), post = tl_net_post (net, t),
                  inhibitors = tl_net_inhibitors (net, t);
    const uint64_t colour = tl_mix (
        w->transition[t] + look_all (pre, 1, w->place) +
        look_all (post, 2, w->place) + look_all (inhibitors, 3, w->place));
    w->transition[t] = colour;
    show (pre, 1, colour, w->fresh);
    show (post, 2, colour, w->fresh);
    show (inhibitors, 3, colour, w->fresh);
  }
  for (uint32_t p = 0; p < net->places; p++)
    w->place[p] = tl_mix (w->fresh[p]);
}

static int by_colour (const void *a, const void *b) {
  const tint *x = a, *y = b;
  return x->colour != y->colour ? x->colour < y->colour ? -1 : 1
                                : (x->place > y->place) - (x->place < y->place);
}

static void sort_places (painter *w) {
  for (uint32_t i = 0; i < w->count; i++)
    w->tint[i].colour = w->place[w->tint[i].place];
  qsort (w->tint, w->count, sizeof *w->tint, by_colour);
}

static bool add_set (tl_alike *a, const tint *first, uint32_t count) {
  const uint64_t end = a->start[a->count];
  if (!TL_ROOM (a->mem, a->start, &a->start_room, (size_t)a->count + 2) ||
      !TL_ROOM (a->mem, a->place, &a->place_room, end + count))
    return false;
  for (uint32_t i = 0; i < count; i++)
    a->place[end + i] = first[i].place;
  a->start[++a->count] = end + count;
  return true;
}

// A set of the round before that has not been split since is listed already:
// its size tells, as sets never grow.
static bool listed (const tl_alike *a, uint32_t since, const tint *first,
                    uint32_t count) {
  for (uint32_t i = since; i < a->count; i++)
    if (a->start[i + 1] - a->start[i] == count &&
        a->place[a->start[i]] == first->place)
      return true;
  return false;
}

// Lists the sets of two and more; *sets: how many colours there are.
static bool list_sets (tl_alike *a, const painter *w, uint32_t *colours) {
  *colours = 0;
  const uint32_t before = a->count;
  for (uint32_t i = 0, n; i < w->count; i += n) {
    for (n = 1; i + n < w->count && w->tint[i + n].colour == w->tint[i].colour;)
      n++;
    ++*colours;
    if (n > 1 && n < w->count && before - a->singles < 1000 &&
        !listed (a, a->singles, w->tint + i, n) && !add_set (a, w->tint + i, n))
      return false;
  }
  return true;
}

static bool find_sets (tl_alike *a, painter *w, const tl_incidence *c) {
  if (!TL_ROOM (a->mem, a->start, &a->start_room, 2))
    return false;
  for (uint32_t p = 0; p < w->net->places; p++)
    if (!tl_incidence_constant (c, p)) {
      w->tint[w->count++].place = p;
      if (!add_set (a, w->tint + w->count - 1, 1))
        return false;
    }
  a->singles = a->count;
  for (uint32_t round = 0, colours, before = 0; round < TL_ALIKE_ROUNDS;
       round++) {
    paint (w);
    sort_places (w);
    if (!list_sets (a, w, &colours))
      return false;
    if (colours == before || colours == w->count)
      break;
    before = colours;
  }
  return true;
}

tl_status tl_alike_open (tl_alike *a, tl_mem *mem, const tl_net *net,
                         const tl_incidence *c) {
  *a = (tl_alike){.mem = mem};
  painter w = {.net = net};
  bool ok = TL_NEW (mem, w.place, net->places) &&
            TL_NEW (mem, w.fresh, net->places) &&
            TL_NEW (mem, w.transition, net->transitions) &&
            TL_NEW (mem, w.tint, net->places) && find_sets (a, &w, c);
  TL_DEL (mem, w.place, net->places);
  TL_DEL (mem, w.fresh, net->places);
  TL_DEL (mem, w.transition, net->transitions);
  TL_DEL (mem, w.tint, net->places);
  if (!ok)
    tl_alike_close (a);
  return ok ? TL_OK : TL_E_NOMEM;
}

void tl_alike_close (tl_alike *a) {
  TL_DEL (a->mem, a->start, a->start_room);
  TL_DEL (a->mem, a->place, a->place_room);
  *a = (tl_alike){0};
}
