#include "measure/by_traits.h"

#include "base/error.h"
#include "base/tuning.h"
#include "measure/gather.h"
#include "measure/jury.h"
#include "measure/sampled.h"
#include "net/folded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MARKINGS = 12000,       // of a sample
  MOST_CHANGES = 2500,    // of all samples
  MOST_CHANGED = 1 << 20, // of a trait, by an arc; else it is left alone
  KINDS = 2               // of samples
};

typedef struct guide {
  tl_measures *list;
  const tl_measure_request *request;
  tl_intern changes;
  tl_sample sample[KINDS];
  uint32_t samples;
  int32_t *initial; // [traits]
  bool *wild;       // [traits] changes by too much
  tl_net *net;      // the abstract one
} guide;

// ---- The abstract net ------------------------------------------------------

static int32_t change_of (const guide *g, uint32_t number, size_t trait) {
  return (int32_t)tl_intern_list (&g->changes, number)[trait];
}

static tl_status add_transition (const guide *g, tl_builder *b,
                                 uint32_t number) {
  char id[24];
  uint32_t t;
  snprintf (id, sizeof id, "t%u", number);
  tl_status rc = tl_builder_transition (b, id, 0, &t);
  for (size_t i = 0; !rc && i < g->list->traits->count; i++) {
    const int32_t by = change_of (g, number, i);
    if (by && !g->wild[i])
      rc = tl_builder_arc (b, by < 0 ? TL_ARC_PRE : TL_ARC_POST, (uint32_t)i, t,
                           (uint32_t)abs (by));
  }
  return rc;
}

// What may be negative has enough for everything.
static uint32_t initial_of (const guide *g, size_t trait) {
  return g->initial[trait] < 0 ? MOST_CHANGED : (uint32_t)g->initial[trait];
}

static tl_status make_net (guide *g) {
  const size_t traits = g->list->traits->count;
  tl_builder *b;
  tl_status rc = tl_builder_open (&b, g->list->mem);
  if (rc)
    return rc;
  for (size_t i = 0; !rc && i < traits; i++) {
    char id[24];
    snprintf (id, sizeof id, "p%zu", i);
    rc = tl_builder_place (b, id, 0, initial_of (g, i), 0);
  }
  for (uint32_t i = 0; !rc && i < g->changes.count; i++)
    rc = add_transition (g, b, i);
  if (!rc)
    return tl_builder_finish (b, "traits", "", &g->net, 0);
  tl_builder_close (b);
  return rc;
}

static tl_status find_wild (guide *g) {
  const size_t traits = g->list->traits->count;
  if (!TL_NEW (g->list->mem, g->wild, traits))
    return TL_E_NOMEM;
  for (uint32_t n = 0; n < g->changes.count; n++)
    for (size_t i = 0; i < traits; i++)
      g->wild[i] |= change_of (g, n, i) > MOST_CHANGED ||
                    change_of (g, n, i) < -MOST_CHANGED;
  return TL_OK;
}

// ---- Samples ---------------------------------------------------------------

static tl_status gather (guide *g) {
  const tl_measures *list = g->list;
  const tl_sample_limits limits = {.markings = MARKINGS,
                                   .arcs = (uint64_t)MARKINGS * TL_SAMPLE_ARCS,
                                   .seconds = g->request->seconds / 4,
                                   .cancel = g->request->cancel};
  tl_status rc = TL_OK;
  for (tl_sample_kind k = TL_SAMPLE_NEAR; !rc && k <= TL_SAMPLE_DEEP; k++) {
    rc = tl_sample_gather (g->sample + g->samples, list->mem, list->net,
                           list->traits, &g->changes, g->initial, k, &limits,
                           g->request->seed + k);
    g->samples += !rc;
    if (!rc && g->sample[g->samples - 1].all)
      break;
  }
  return rc;
}

// A part of a sample: its first markings.
static tl_status copy (void *context, tl_sample *s, tl_mem *mem,
                       tl_sample_kind kind, uint32_t markings) {
  const guide *g = context;
  const tl_sample *from = g->sample + (kind < g->samples ? kind : 0);
  const uint32_t n = from->count < markings ? from->count : markings;
  const uint64_t arcs = from->start[n];
  *s = (tl_sample){.mem = mem,
                   .net = g->net,
                   .abstract = true,
                   .count = n,
                   .all = from->all && n == from->count};
  if (!TL_ROOM (mem, s->hash, &s->hash_room, n) ||
      !TL_ROOM (mem, s->from, &s->from_room, n) ||
      !TL_ROOM (mem, s->by, &s->by_room, n) ||
      !TL_ROOM (mem, s->start, &s->start_room, (size_t)n + 1) ||
      !TL_ROOM (mem, s->arc, &s->arc_room, arcs + 1)) {
    tl_sample_close (s);
    return TL_E_NOMEM;
  }
  memcpy (s->hash, from->hash, n * sizeof *s->hash);
  memcpy (s->from, from->from, n * sizeof *s->from);
  memcpy (s->by, from->by, n * sizeof *s->by);
  memcpy (s->start, from->start, ((size_t)n + 1) * sizeof *s->start);
  if (arcs)
    memcpy (s->arc, from->arc, arcs * sizeof *s->arc);
  for (uint64_t i = 0; i < arcs; i++)
    if (s->arc[i].target != TL_OUTSIDE && s->arc[i].target >= n)
      s->arc[i].target = TL_OUTSIDE;
  return TL_OK;
}

// ---- Measures --------------------------------------------------------------

// A measure of the abstract net as one of the coloured net.
static tl_status take (const guide *g, const tl_measure *from) {
  tl_measures *list = g->list;
  const size_t traits = list->traits->count;
  tl_measure m = {.name = from->name,
                  .parts = 1,
                  .window = from->window,
                  .regress = from->regress,
                  .peak = from->peak,
                  .work = from->work,
                  .seconds = from->seconds,
                  .traits = list->traits};
  if (!TL_ROOM (list->mem, list->measure, &list->room, list->count + 1) ||
      !TL_NEW (list->mem, m.trait_weight, traits))
    return TL_E_NOMEM;
  for (size_t i = 0; i < traits; i++)
    m.trait_weight[i] = g->wild[i] ? 0 : from->weight[i];
  list->measure[list->count++] = m;
  return TL_OK;
}

// The trait that is the time, or -1.
static ptrdiff_t find_clock (const guide *g) {
  const tl_traits *traits = g->list->traits;
  const uint32_t place = tl_measures_clock (g->list);
  for (size_t i = 0; place != UINT32_MAX && i < traits->count; i++)
    if (traits->trait[i].kind == TL_TRAIT_SUM &&
        traits->trait[i].place == place && !traits->trait[i].part &&
        !g->wild[i])
      return (ptrdiff_t)i;
  return -1;
}

// Puts the time before the others, with estimates as they have.
static tl_status add_time (guide *g, const tl_measure_request *request) {
  const ptrdiff_t clock = find_clock (g);
  const size_t traits = g->list->traits->count;
  tl_measures abstract = {.mem = g->list->mem, .net = g->net};
  int64_t *weight;
  if (clock < 0)
    return TL_OK;
  if (!TL_NEW (abstract.mem, weight, traits))
    return TL_E_NOMEM;
  weight[clock] = 1;
  tl_status rc = tl_measures_add (&abstract, "time", 1, weight);
  if (!rc)
    rc = tl_jury_estimate (abstract.mem, g->net, request, MARKINGS,
                           abstract.measure);
  if (!rc && !(rc = take (g, abstract.measure))) {
    tl_measures_move_up (g->list, g->list->count - 1, 0);
    g->list->measure->monotone = true;
  }
  TL_DEL (abstract.mem, weight, traits);
  tl_measures_close (&abstract);
  return rc == TL_E_LIMIT ? TL_OK : rc;
}

static tl_status find (guide *g, tl_error *error) {
  tl_measures abstract = {.mem = g->list->mem, .net = g->net};
  tl_structure *structure = 0;
  const tl_sample_source source = {.context = g, .open = copy};
  tl_measure_request request = *g->request;
  request.source = &source;
  tl_status rc = tl_structure_open (&structure, abstract.mem, g->net,
                                    request.seconds, error);
  if (!rc)
    rc = tl_measures_sample (&abstract, structure, &request, error);
  for (size_t i = 0; !rc && i < abstract.count; i++)
    rc = take (g, abstract.measure + i);
  if (!rc && request.compares)
    rc = add_time (g, &request);
  g->list->sampled = abstract.sampled;
  g->list->sampled_all = abstract.sampled_all;
  g->list->seconds = abstract.seconds;
  tl_measures_close (&abstract);
  tl_structure_close (structure);
  return rc;
}

static void close_guide (guide *g) {
  tl_intern_close (&g->changes);
  while (g->samples)
    tl_sample_close (g->sample + --g->samples);
  TL_DEL (g->list->mem, g->wild, g->list->traits->count);
  TL_DEL (g->list->mem, g->initial, g->list->traits->count);
  tl_net_close (g->net);
}

// Too many changes to learn from them?
static bool is_too_large (const guide *g) {
  return g->changes.count > MOST_CHANGES;
}

tl_status tl_measures_by_traits (tl_measures *list,
                                 const tl_measure_request *request,
                                 tl_error *error) {
  tl_mem *mem = list->mem;
  if (!TL_NEW (mem, list->traits, 1))
    return TL_E_NOMEM;
  guide g = {.list = list, .request = request, .changes = TL_INTERN (mem)};
  tl_status rc =
      tl_traits_open (list->traits, mem, list->net->folded->coloured);
  if (!rc && !TL_NEW (mem, g.initial, list->traits->count))
    rc = TL_E_NOMEM;
  if (!rc)
    rc = gather (&g);
  if (!rc && !is_too_large (&g) && !(rc = find_wild (&g)) &&
      !(rc = make_net (&g)))
    rc = find (&g, error);
  close_guide (&g);
  if (rc != TL_E_NOMEM)
    return rc;
  while (list->count) // then there are none
    tl_measures_drop_last (list);
  return TL_OK;
}
