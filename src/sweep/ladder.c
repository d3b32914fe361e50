// The order `sweep`.  Where the window is elastic the budget says how much is
// kept, and whoever grows first takes what another would have needed: a run
// might fail for want of memory where one with less comes to its end.  So
// budgets are the rungs of a ladder, eight to a doubling, and a run that fails
// goes down rung by rung.  What a budget reaches, every larger one does: it
// tries the same, if nothing else helps.

#include "base/clock.h"
#include "base/error.h"
#include "base/tuning.h"
#include "explore/how.h"
#include "sweep/fleet.h"

#include <stdlib.h>

// The rung at or below so many bytes: their four highest bits.
static size_t rung_of (size_t bytes) {
  const unsigned low = bytes < 16 ? 0 : 60 - (unsigned)__builtin_clzll (bytes);
  return bytes >> low << low;
}

// What the attempts of all rungs have shown: how far each figure came where
// states were counted, all lower bounds, and the sweep that came furthest.
typedef struct reach {
  bool counted;
  uint64_t states, arcs, followed, deadlocks, depth;
  uint64_t explored; // by all
  tl_sweep sweep;
} reach;

static void raise (uint64_t *most, uint64_t value) {
  if (value > *most)
    *most = value;
}

static void raise_counts (reach *r, const tl_search *s, uint64_t states) {
  r->counted = true;
  raise (&r->states, states);
  raise (&r->arcs, s->census.arcs);
  raise (&r->followed, s->census.followed);
  raise (&r->deadlocks, s->census.deadlocks);
  raise (&r->depth, s->depth);
}

// Takes over what the attempt has told of its sweep, unless another came
// further.
static void note (reach *r, tl_search *s, bool ended) {
  const uint64_t seen = tl_search_seen (s),
                 states = seen > s->found ? seen : s->found;
  tl_sweep sweep = s->result->sweep;
  s->result->sweep = (tl_sweep){.choosing = sweep.choosing};
  r->explored += sweep.explored;
  if (ended || states >= r->states) {
    const tl_sweep other = r->sweep;
    r->sweep = sweep;
    sweep = other;
  }
  free (sweep.weights);
  free (sweep.point);
  if (s->result->counted)
    raise_counts (r, s, states);
}

static void tell (const reach *r, tl_search *s, bool ended) {
  s->result->sweep = r->sweep;
  s->result->sweep.explored = r->explored;
  if (ended || !(s->result->counted = r->counted))
    return;
  s->found = r->states;
  s->census.arcs = r->arcs;
  s->census.followed = r->followed;
  s->census.deadlocks = r->deadlocks;
  s->depth = r->depth;
}

// As if nothing had been tried, but for what was seen.
static tl_status begin_anew (tl_search *s) {
  if (!s->sweeping)
    tl_search_enter_layers (s);
  s->found = 0;
  tl_census_forget (&s->census);
  return tl_search_again (s);
}

// Tries the measures with a part of the memory.
static tl_status try_within (tl_sweeping *w, const tl_measures *list,
                             size_t budget) {
  tl_mem *root = w->search->root;
  const size_t all = root->limit;
  root->limit = budget;
  const tl_status rc = tl_sweep_try (w, list);
  root->limit = all;
  return rc;
}

static tl_status go_down (tl_sweeping *w, const tl_measures *list) {
  tl_search *s = w->search;
  const size_t begin = s->root->used;
  const bool counted = s->result->counted;
  reach most = {0};
  tl_status rc = TL_OK;
  // It does the same each time.
  s->one_thread = "a sweep that fits its window to --memory has one";
  for (size_t rung = rung_of (s->root->limit); !rc; rung = rung_of (rung - 1)) {
    rc = try_within (w, list, rung);
    note (&most, s, !rc);
    if (!rc)
      break;
    if (rc == TL_E_NOMEM && rung_of (rung - 1) > begin) {
      s->result->counted = counted;
      rc = begin_anew (s);
    }
  }
  tell (&most, s, !rc);
  return rc;
}

// A short run has less time for the choice of a measure.
static double time_to_choose (const tl_search *s) {
  const double share = s->options->timeout / 4;
  return share > 0 && share < TL_MEASURE_SECONDS ? share : TL_MEASURE_SECONDS;
}

static tl_status sweep_run (tl_search *s) {
  if (s->store_kind == tl_store_find ("delta"))
    return tl_fail (s->error, TL_E_ARG,
                    "the store delta cannot be swept: its states are "
                    "differences to others that a sweep frees");
  tl_search_drop_log (s); // each measure has its own
  tl_sweeping *w;
  tl_measures measures;
  const double begin = tl_clock_busy ();
  if (!TL_NEW (&s->engine, w, 1))
    return TL_E_NOMEM;
  const tl_measure_request request = {.progress = s->options->progress,
                                      .seed = s->options->seed,
                                      .seconds = time_to_choose (s),
                                      .cancel = s->options->cancel,
                                      .threads = s->how->threads};
  tl_status rc =
      s->cluster ? tl_fleet_measures (s, &measures, &request)
      : tl_saving_resumes (s->saving) && !tl_saving_has_journal (s->saving)
          ? tl_sweep_saved_measures (s, &measures, &request)
          : tl_measures_open (&measures, &s->engine, s->structure, &request,
                              s->error);
  s->result->sweep.choosing = tl_clock_busy () - begin;
  if (rc == TL_E_IO)
    rc = TL_E_ARG; // a file with a measure: no fault of the machine
  if (!rc) {
    w->search = s;
    rc = tl_sweep_is_elastic (s) ? go_down (w, &measures)
                                 : tl_sweep_try (w, &measures);
    tl_measures_close (&measures);
  }
  TL_DEL (&s->engine, w, 1);
  return rc;
}

const tl_order tl_order_sweep = {
    .name = "sweep", .run = sweep_run, .finalises = true};
