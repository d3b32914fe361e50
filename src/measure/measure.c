#include "measure/measure.h"

#include "base/error.h"
#include "measure/candidates.h"
#include "measure/evaluated.h"
#include "measure/jury.h"
#include "measure/by_traits.h"
#include "measure/sampled.h"
#include "measure/traits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// sum of weight * amount, or false where it does not fit 64 bits.
static bool add_product (int64_t *sum, int64_t weight, int64_t amount) {
  int64_t product;
  return !__builtin_mul_overflow (weight, amount, &product) &&
         !__builtin_add_overflow (*sum, product, sum);
}

static bool find_offsets (tl_measure *m, const tl_net *net) {
  for (uint32_t t = 0; t < net->transitions; t++)
    for (uint32_t i = 0; i < m->parts; i++) {
      int64_t *offset = m->offset + (size_t)t * m->parts + i;
      const int64_t *weight = m->weight + (size_t)i * net->places;
      for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);)
        if (!add_product (offset, weight[c.place], c.amount))
          return false;
    }
  return true;
}

static bool find_start (tl_measure *m, const tl_net *net) {
  for (uint32_t i = 0; i < m->parts; i++)
    for (uint32_t p = 0; p < net->places; p++)
      if (!add_product (m->start + i, m->weight[(size_t)i * net->places + p],
                        net->initial[p]))
        return false;
  return true;
}

// The first part that is not 0 decides.
static bool loses (const int64_t *offset, uint32_t parts) {
  for (uint32_t i = 0; i < parts; i++)
    if (offset[i])
      return offset[i] < 0;
  return false;
}

static void close_measure (tl_measures *list, tl_measure *m) {
  const size_t parts = m->parts;
  TL_DEL (list->mem, m->start, parts);
  TL_DEL (list->mem, m->weight, parts * list->net->places);
  TL_DEL (list->mem, m->offset, parts * list->net->transitions);
  for (size_t i = 0; m->expression && i < parts; i++)
    tl_expression_close (m->expression + i);
  TL_DEL (list->mem, m->expression, parts);
  tl_evaluated_close (m->evaluated);
  if (m->traits)
    TL_DEL (list->mem, m->trait_weight, m->traits->count);
  if (m->source)
    TL_DEL (list->mem, m->source, strlen (m->source) + 1);
}

void tl_measures_close (tl_measures *list) {
  for (size_t i = 0; i < list->count; i++)
    close_measure (list, list->measure + i);
  TL_DEL (list->mem, list->measure, list->room);
  if (list->traits) {
    tl_traits_close (list->traits);
    TL_DEL (list->mem, list->traits, 1);
  }
  *list = (tl_measures){0};
}

void tl_measures_drop_last (tl_measures *list) {
  close_measure (list, list->measure + --list->count);
}

void tl_measures_move_up (tl_measures *list, size_t from, size_t to) {
  const tl_measure moved = list->measure[from];
  memmove (list->measure + to + 1, list->measure + to,
           (from - to) * sizeof moved);
  list->measure[to] = moved;
}

tl_status tl_measures_add (tl_measures *list, const char *name, uint32_t parts,
                           const int64_t *weight) {
  const tl_net *net = list->net;
  if (!TL_ROOM (list->mem, list->measure, &list->room, list->count + 1))
    return TL_E_NOMEM;
  tl_measure m = {.name = name, .parts = parts};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (list->mem, m.start, parts) &&
      TL_NEW (list->mem, m.weight, (size_t)parts * net->places) &&
      TL_NEW (list->mem, m.offset, (size_t)parts * net->transitions)) {
    memcpy (m.weight, weight, (size_t)parts * net->places * sizeof *weight);
    rc = find_offsets (&m, net) && find_start (&m, net) ? TL_OK : TL_E_LIMIT;
  }
  if (rc) {
    close_measure (list, &m);
    return rc;
  }
  for (uint32_t t = 0; t < net->transitions; t++)
    m.regress += loses (m.offset + (size_t)t * parts, parts);
  list->measure[list->count++] = m;
  return TL_OK;
}

// The measure that is 0 everywhere: nothing is ever left behind.
static tl_status add_none (tl_measures *list) {
  int64_t *weight;
  if (!TL_NEW (list->mem, weight, list->net->places))
    return TL_E_NOMEM;
  const tl_status rc = tl_measures_add (list, "none", 1, weight);
  TL_DEL (list->mem, weight, list->net->places);
  if (!rc)
    list->measure[list->count - 1].window = TL_WINDOW_ALL;
  return rc;
}

enum { COMPARED_MARKINGS = 20000 }; // of a sample

// A limit that only large nets on slow machines come near to.
#define LP_SECONDS 20

static tl_status find_schmidt (tl_measures *list, tl_structure *s) {
  return tl_candidates_schmidt (list, s);
}

static tl_status find_maxfs (tl_measures *list, tl_structure *s) {
  return tl_candidates_maxfs (list, s, "maxfs", 0, LP_SECONDS);
}

static tl_status find_monotone (tl_measures *list, tl_structure *s) {
  return tl_candidates_monotone (list, s, "monotone", LP_SECONDS);
}

static tl_status find_ranks (tl_measures *list, tl_structure *s) {
  return tl_candidates_ranks (list, s, "ranks");
}

static const struct word {
  const char *text;
  // By the structure alone; null: it is found in another way.
  tl_status (*find) (tl_measures *, tl_structure *);
} words[] = {[TL_PROGRESS_AUTO] = {"auto", 0},
             [TL_PROGRESS_SAMPLED] = {"sampled", 0},
             [TL_PROGRESS_SCHMIDT] = {"schmidt", find_schmidt},
             [TL_PROGRESS_MAXFS] = {"maxfs", find_maxfs},
             [TL_PROGRESS_MONOTONE] = {"monotone", find_monotone},
             [TL_PROGRESS_RANKS] = {"ranks", find_ranks},
             [TL_PROGRESS_TIME] = {"time", 0},
             [TL_PROGRESS_NONE] = {"none", 0},
             [TL_PROGRESS_EXPRESSION] = {"", 0}};

tl_progress_kind tl_progress_parse (const char *text) {
  for (int i = 0; i < TL_PROGRESS_EXPRESSION; i++)
    if (!strcmp (text, words[i].text))
      return (tl_progress_kind)i;
  return TL_PROGRESS_EXPRESSION;
}

// Saves enough, and takes no longer than breadth-first search, as far as is
// known.  A state in one of many layers takes up to twice the bytes of one in a
// single table, and some estimates are too low.  What a sweep does for 1.13
// visits of each state takes as long as a visit to one in a large table
// (docs/sweep-line.md has the nets).
static bool pays (const tl_measure *m) {
  return m->peak < 0.35 && m->work < 1.13;
}

// The best of those that pay comes first; where none does, the last, with which
// everything is kept.
static void put_paying_first (tl_measures *list) {
  size_t i = 0;
  while (i + 1 < list->count && !pays (list->measure + i))
    i++;
  tl_measures_move_up (list, i, 0);
}

static tl_status sample (tl_measures *list, tl_structure *structure,
                         const tl_measure_request *request, tl_error *error) {
  return tl_net_has_arcs (list->net)
             ? tl_measures_sample (list, structure, request, error)
             : tl_measures_by_traits (list, request, error);
}

static tl_status find_sampled (tl_measures *list, tl_structure *structure,
                               const tl_measure_request *request,
                               tl_error *error) {
  tl_measure_request alone = *request;
  alone.compares = false;
  tl_status rc = sample (list, structure, &alone, error);
  if (!rc && !(rc = add_none (list)))
    put_paying_first (list);
  return rc;
}

static void drop_all (tl_measures *list) {
  tl_mem *mem = list->mem;
  const tl_net *net = list->net;
  tl_measures_close (list);
  *list = (tl_measures){.mem = mem, .net = net};
}

// What the net says itself comes first, then what would be found without that.
static tl_status compare (tl_measures *list, tl_structure *structure,
                          const tl_measure_request *request, tl_error *error) {
  drop_all (list);
  tl_status rc = sample (list, structure, request, error);
  if (rc || (list->count && list->measure->monotone)) // the time is among them
    return rc;
  if (tl_measures_clock (list) != UINT32_MAX)
    drop_all (list);
  if ((rc = tl_measures_add_declared (list, error)))
    return rc;
  tl_measures_move_up (list, list->count - 1, 0);
  return list->measure->offset && tl_net_has_arcs (list->net)
             ? tl_jury_estimate (list->mem, list->net, request,
                                 COMPARED_MARKINGS, list->measure)
             : TL_OK;
}

// What a net says itself of its progress comes before what is found, and time
// before a place of that name.  TL_E_MODEL: there is nothing of the kind.
static tl_status add_own (tl_measures *list, tl_progress_kind kind,
                          const char *text, tl_error *error) {
  return kind == TL_PROGRESS_TIME ? tl_measures_add_time (list)
         : kind == TL_PROGRESS_AUTO || tl_measures_is_declared (list, text)
             ? tl_measures_add_declared (list, error)
             : TL_E_MODEL;
}

static tl_status find_measures (tl_measures *list, tl_structure *structure,
                                const tl_measure_request *request,
                                tl_error *error) {
  const tl_progress_kind kind = tl_progress_parse (request->progress);
  const struct word *word = words + kind;
  if (!tl_net_has_arcs (list->net) && word->find)
    return tl_fail (error, TL_E_ARG,
                    "the measure %s is for nets that can be unfolded; give an "
                    "expression, or 'sampled'",
                    word->text);
  tl_status rc = add_own (list, kind, request->progress, error);
  if (!rc && kind == TL_PROGRESS_AUTO && request->compares)
    rc = compare (list, structure, request, error);
  if (rc != TL_E_MODEL)
    return rc ? rc : add_none (list);
  if (tl_progress_is_chosen (kind))
    return find_sampled (list, structure, request, error);
  rc = word->find ? word->find (list, structure)
       : kind == TL_PROGRESS_NONE
           ? TL_OK
           : tl_measures_add_expression (list, request->progress, error);
  return rc ? rc : add_none (list);
}

// Names are no part of a list, and outlive it.
static const char *lasting_name (const char *name) {
  static const char *const known[] = {
      "annealed", "elastic", "expression", "frequency", "maxfs",
      "monotone", "none",    "progress",   "ranks",     "schmidt"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp (known[i], name))
      return known[i];
  return "resumed";
}

tl_status tl_measures_open_again (tl_measures *list, tl_mem *mem,
                                  const tl_net *net, const tl_measure *m) {
  *list = (tl_measures){.mem = mem, .net = net};
  tl_status rc =
      tl_measures_add (list, lasting_name (m->name), m->parts, m->weight);
  if (!rc) {
    list->measure->window = m->window;
    rc = add_none (list);
  }
  if (rc)
    tl_measures_close (list);
  return rc;
}

tl_status tl_measures_open (tl_measures *list, tl_mem *mem,
                            tl_structure *structure,
                            const tl_measure_request *request,
                            tl_error *error) {
  *list = (tl_measures){.mem = mem, .net = structure->net};
  const tl_status rc = find_measures (list, structure, request, error);
  if (rc == TL_E_NOMEM)
    tl_fail (error, rc, "no memory for progress measures");
  if (rc)
    tl_measures_close (list);
  return rc;
}
