#include "measure/measure.h"

#include "base/error.h"
#include "colour/proposition.h"
#include "measure/evaluated.h"
#include "measure/traits.h"

#include <stdio.h>
#include <string.h>

// The measure that a coloured net gives itself, or that it was read with.  Of a
// net that is not unfolded its parts can be seen like places.  In a net that it
// was unfolded into it is a sum over the places where it is one, else it is
// evaluated.

static const tl_coloured *coloured_of (const tl_net *net) {
  return net->folded   ? net->folded->coloured
         : net->origin ? net->origin->coloured
                       : 0;
}

bool tl_measures_is_declared (const tl_measures *list, const char *text) {
  const tl_coloured *net = coloured_of (list->net);
  return net && net->asked && !strcmp (net->asked, text);
}

// What people are shown, instead of what it had.
static bool set_source (tl_measures *list, tl_measure *m, const char *text) {
  const size_t size = strlen (text) + 1;
  if (m->source)
    TL_DEL (list->mem, m->source, strlen (m->source) + 1);
  if (!TL_NEW (list->mem, m->source, size))
    return false;
  memcpy (m->source, text, size);
  return true;
}

// ---- What can be seen ------------------------------------------------------

static tl_status add_seen (tl_measures *list, uint32_t count, tl_error *error) {
  const tl_folded *folded = list->net->folded;
  const char **id =
      list->net->place_id + folded->counted + folded->propositions;
  const char *asked = folded->coloured->asked;
  char text[TL_MEASURE_PARTS * 40] = "";
  for (uint32_t i = 0, end = 0; i < count; i++) {
    end += (uint32_t)snprintf (text + end, sizeof text - end, "%s\"%s\"",
                               i ? ", " : "", id[i]);
    if (asked)
      end += (uint32_t)snprintf (text + end, sizeof text - end, " - %u",
                                 TL_ASKED_BIAS);
  }
  const bool own = count == 1 && !asked;
  tl_status rc = tl_measures_add_expression (list, own ? id[0] : text, error);
  if (!rc && asked &&
      !set_source (list, list->measure + list->count - 1, asked)) {
    tl_measures_drop_last (list);
    rc = TL_E_NOMEM;
  }
  return rc;
}

static bool is_time (const tl_coloured *net) {
  return net->has_time && net->progress_parts == net->measures;
}

static uint32_t clock_of (const tl_coloured *net) {
  return net->measure[net->measures - 1]->loop->place;
}

uint32_t tl_measures_clock (const tl_measures *list) {
  const tl_folded *folded = list->net->folded;
  return folded && is_time (folded->coloured) ? clock_of (folded->coloured)
                                              : UINT32_MAX;
}

// The clock holds one token, and that says what time it is.
tl_status tl_measures_add_time (tl_measures *list) {
  const tl_folded *folded = list->net->folded;
  if (!folded || !folded->has_time)
    return TL_E_MODEL;
  const tl_coloured *net = folded->coloured;
  const uint32_t clock = clock_of (net);
  tl_measure m = {.name = "time", .parts = 1, .monotone = true};
  if (!TL_ROOM (list->mem, list->measure, &list->room, list->count + 1) ||
      !TL_NEW (list->mem, list->traits, 1) ||
      tl_traits_open_one (list->traits, list->mem, net,
                          (tl_trait){TL_TRAIT_SUM, clock, 0, 0}) ||
      !TL_NEW (list->mem, m.trait_weight, 1))
    return TL_E_NOMEM;
  m.traits = list->traits;
  m.trait_weight[0] = 1;
  list->measure[list->count++] = m;
  return TL_OK;
}

// ---- A sum -----------------------------------------------------------------

// The weights of one part.  TL_E_MODEL, TL_E_LIMIT: it has none.
static tl_status find_weights (const tl_measures *list, const tl_term *term,
                               int64_t *weight) {
  tl_arena arena = TL_ARENA (list->mem);
  tl_summand *summand;
  size_t count = 0;
  int64_t constant;
  tl_status rc =
      tl_measure_sum (list->net, term, coloured_of (list->net)->measure_frame,
                      &arena, &summand, &count, &constant, 0);
  for (size_t i = 0; !rc && i < count; i++) {
    int64_t *w = weight + summand[i].place;
    if (__builtin_add_overflow (*w, summand[i].coefficient, w))
      rc = TL_E_LIMIT;
  }
  tl_arena_close (&arena);
  return rc;
}

static tl_status add_sum (tl_measures *list, const tl_coloured *net) {
  const size_t places = list->net->places,
               weights = net->progress_parts * places;
  int64_t *weight;
  if (!TL_NEW (list->mem, weight, weights))
    return TL_E_NOMEM;
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < net->progress_parts; i++)
    rc = find_weights (list, net->measure[i], weight + i * places);
  if (!rc)
    rc = tl_measures_add (list, "progress", net->progress_parts, weight);
  TL_DEL (list->mem, weight, weights);
  return rc;
}

// ---- Anything else ---------------------------------------------------------

static tl_status add_evaluated (tl_measures *list, const tl_coloured *net,
                                tl_error *error) {
  tl_measure m = {.name = "progress", .parts = net->progress_parts};
  if (!TL_ROOM (list->mem, list->measure, &list->room, list->count + 1))
    return TL_E_NOMEM;
  tl_status rc = tl_evaluated_open (&m.evaluated, list->mem, list->net);
  if (rc)
    return rc;
  list->measure[list->count++] = m;
  tl_measure *added = list->measure + list->count - 1;
  uint64_t *marking;
  if (!TL_NEW (list->mem, added->start, added->parts) ||
      !set_source (list, added, net->asked ? net->asked : "progress") ||
      !TL_NEW (list->mem, marking, list->net->places))
    rc = TL_E_NOMEM;
  else {
    for (uint32_t p = 0; p < list->net->places; p++)
      marking[p] = list->net->initial[p];
    rc = tl_measure_value (added, list->net, marking, added->start, error);
    TL_DEL (list->mem, marking, list->net->places);
  }
  if (rc)
    tl_measures_drop_last (list);
  return rc;
}

tl_status tl_measures_add_declared (tl_measures *list, tl_error *error) {
  const tl_coloured *net = coloured_of (list->net);
  if (!net || !net->progress_parts)
    return TL_E_MODEL;
  if (list->net->folded)
    return is_time (net) ? tl_measures_add_time (list)
                         : add_seen (list, net->progress_parts, error);
  const tl_status rc = add_sum (list, net);
  return rc == TL_E_MODEL || rc == TL_E_LIMIT ? add_evaluated (list, net, error)
                                              : rc;
}
