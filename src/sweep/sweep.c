#include "sweep/sweep.h"

#include "base/clock.h"
#include "base/error.h"
#include "sweep/timeline.h"
#include "measure/order.h"

#include <stdlib.h>
#include <string.h>

enum {
  FEW_STATES = 10000, // so few are no reason to give up a measure or a sweep
  MOST_VISITS = 6,    // of a state, before a measure is given up
  MOST_READS = 30,    // for each state on the disk, before all is kept
  MOST_TRIALS = 3     // of measures, before everything is kept
};

// ---- Memory ----------------------------------------------------------------

static void free_least (tl_sweeping *w) {
  const tl_layer *layer = tl_layers_least (&w->layers);
  memcpy (w->gone, layer->value, sizeof w->gone);
  w->has_gone = true;
  w->freed += layer->states.count;
  tl_layers_free_least (&w->layers);
}

bool tl_sweep_relieve (tl_sweeping *w) {
  if ((w->ancestry && tl_ancestry_flush (w->ancestry)) ||
      (w->layers.archive && tl_archive_flush (w->layers.archive)))
    return true;
  const tl_layer *least = tl_layers_least (&w->layers);
  if (w->elastic && least && w->line && !least->has_share &&
      tl_layers_compare (&w->layers, least->value, w->line->value) < 0) {
    free_least (w);
    return true;
  }
  if (!w->ancestry)
    return false;
  // States matter more than traces.
  w->search->spilled += tl_ancestry_spilled (w->ancestry);
  tl_ancestry_close (w->ancestry);
  w->ancestry = 0;
  return true;
}

// Frees early, so that there is always something left to go on with.
static void keep_below_budget (tl_sweeping *w) {
  const tl_mem *root = w->search->root;
  if (!w->elastic || !root->limit || root->used < root->limit / 8 * 7)
    return;
  for (const tl_layer *least;
       root->used > root->limit / 4 * 3 &&
       (least = tl_layers_least (&w->layers)) &&
       tl_layers_compare (&w->layers, least->value, w->line->value) < 0;)
    free_least (w);
}

// ---- The line --------------------------------------------------------------

// The line comes to a layer: those too far behind are freed.
static void arrive (tl_sweeping *w, tl_layer *line) {
  w->line = line;
  if (!w->has_furthest ||
      tl_layers_compare (&w->layers, line->value, w->furthest) > 0) {
    memcpy (w->furthest, line->value, sizeof w->furthest);
    w->has_furthest = true;
  }
  for (const tl_layer *least;
       (least = tl_layers_least (&w->layers)) && least != line &&
       tl_sweep_outside (w, least->value) &&
       tl_layers_compare (&w->layers, least->value, line->value) < 0;)
    free_least (w);
  keep_below_budget (w);
}

// An automatic measure that keeps a large part of what it frees is no good, and
// neither is one that makes one sweep after the other and visits states again
// in each.  With an archive there is a limit to what further sweeps cost, and
// to begin anew would cost more.
static bool gives_up (tl_sweeping *w) {
  const uint64_t kept = tl_layers_persistent (&w->layers),
                 expanded = w->search->expanded;
  const uint64_t here = expanded - w->begun,
                 longest = here > w->longest ? here : w->longest;
  w->given_up =
      w->watched && ((kept > FEW_STATES && kept > w->freed) ||
                     (!w->layers.archive && expanded > 4 * FEW_STATES &&
                      expanded > MOST_VISITS * longest));
  return w->given_up;
}

static uint64_t most_persistent (const tl_sweeping *w) {
  const uint64_t now = tl_layers_persistent (&w->layers),
                 most = w->layers.most_persistent;
  return most > now ? most : now;
}

static tl_status sweep_once (tl_sweeping *w) {
  tl_status rc = TL_OK;
  for (tl_layer *line; !rc && (line = tl_layers_line (&w->layers));) {
    arrive (w, line);
    rc = tl_expand_line (w);
    tl_timeline_add (
        &w->timeline,
        &(tl_sweep_point){.sweep = w->sweep,
                          .progress = w->line->value[0],
                          .stored = w->layers.stored,
                          .unprocessed = w->layers.unprocessed,
                          .persistent = tl_layers_persistent (&w->layers)});
    if (!rc && w->by_layer)
      rc = tl_sweep_finalise_line (w);
    if (!rc && gives_up (w))
      return TL_OK;
  }
  return rc;
}

// To keep everything and go on would not have taken longer by now.
static bool has_read_enough (const tl_sweeping *w) {
  const uint64_t states = w->begun > FEW_STATES ? w->begun : FEW_STATES;
  return w->layers.looked_up > MOST_READS * states;
}

static tl_status sweep_all (tl_sweeping *w) {
  tl_status rc = TL_OK;
  for (bool more = true; !rc && more && !w->given_up;) {
    w->begun = w->search->expanded;
    w->search->result->sweep.sweeps = ++w->sweep;
    w->has_furthest = w->has_gone = false;
    w->layers.keep_all = has_read_enough (w);
    rc = sweep_once (w);
    if (w->search->expanded - w->begun > w->longest)
      w->longest = w->search->expanded - w->begun;
    if (!rc && !w->given_up)
      rc = tl_sweep_finalise_rest (w);
    if (!rc && !w->given_up)
      rc = tl_layers_restart (&w->layers, &more);
  }
  return rc;
}

// ---- Measures --------------------------------------------------------------

void tl_sweep_read (tl_sweeping *w, const uint64_t *state) {
  for (uint32_t i = 0; i < w->reads; i++)
    w->marking[w->read[i]] =
        tl_layout_tokens (&w->search->layout, state, w->read[i]);
}

static tl_status value_read (const tl_sweeping *w, int64_t *value) {
  return tl_measure_value (w->measure, w->search->net, w->marking, value,
                           w->search->error);
}

tl_status tl_sweep_value (tl_sweeping *w, const uint64_t *state,
                          int64_t *value) {
  tl_sweep_read (w, state);
  return value_read (w, value);
}

tl_status tl_sweep_value_after (tl_sweeping *w, uint32_t transition,
                                int64_t *value) {
  const tl_touch *first = w->touch + w->touch_start[transition],
                 *end = w->touch + w->touch_start[transition + 1];
  for (const tl_touch *c = first; c < end; c++)
    w->marking[c->place] += (uint64_t)c->amount;
  const tl_status rc = value_read (w, value);
  for (const tl_touch *c = first; c < end; c++)
    w->marking[c->place] -= (uint64_t)c->amount;
  return rc;
}

static int compare_offsets (const void *a, const void *b, void *context) {
  const tl_measure *m = ((const tl_sweeping *)context)->measure;
  const uint32_t t = *(const uint32_t *)a, u = *(const uint32_t *)b;
  return tl_progress_compare (m->offset + (size_t)t * m->parts,
                              m->offset + (size_t)u * m->parts, m->parts);
}

// Puts transitions with the same offset into one class.
static tl_status classify (tl_sweeping *w) {
  tl_mem *mem = &w->search->engine;
  const uint32_t transitions = w->search->net->transitions;
  uint32_t *sorted;
  if (!TL_NEW (mem, w->class_of, transitions) ||
      !TL_NEW (mem, w->offset, transitions) ||
      !TL_NEW (mem, w->class_share, transitions) ||
      !TL_NEW (mem, sorted, transitions))
    return TL_E_NOMEM;
  for (uint32_t t = 0; t < transitions; t++)
    sorted[t] = t;
  qsort_r (sorted, transitions, sizeof *sorted, compare_offsets, w);
  for (uint32_t i = 0; i < transitions; i++) {
    if (!i || compare_offsets (sorted + i - 1, sorted + i, w))
      w->offset[w->classes++] =
          w->measure->offset + (size_t)sorted[i] * w->measure->parts;
    w->class_of[sorted[i]] = w->classes - 1;
  }
  memset (w->class_share, 0xff, w->classes * sizeof *w->class_share);
  TL_DEL (mem, sorted, transitions);
  return TL_OK;
}

// Where the measure is linear.  Else an arc may lose progress, and be the only
// one that does, although it leads where others lead.
static void open_sleep (tl_sweeping *w) {
  tl_mem *mem = &w->search->engine;
  const uint32_t transitions = w->search->net->transitions;
  uint32_t *order;
  if (!TL_NEW (mem, order, transitions))
    return;
  tl_measure_order (w->measure->offset, w->measure->parts, transitions,
                    w->layers.archive, order);
  tl_search_open_sleep (w->search, order);
  TL_DEL (mem, order, transitions);
}

// Finds out what transitions change of what the measure reads.
static tl_status note_touches (tl_sweeping *w) {
  tl_mem *mem = &w->search->engine;
  const tl_net *net = w->search->net;
  if (!tl_net_has_arcs (net))
    return TL_OK;
  if (!TL_NEW (mem, w->touch_start, net->transitions + 1))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < w->reads; i++)
    w->marking[w->read[i]] = 1; // a set for the time being
  for (uint32_t t = 0; t < net->transitions; t++) {
    for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);) {
      if (!w->marking[c.place])
        continue;
      if (!TL_ROOM (mem, w->touch, &w->touch_room, w->touch_count + 1))
        return TL_E_NOMEM;
      w->touch[w->touch_count++] = (tl_touch){c.place, c.amount};
    }
    w->touch_start[t + 1] = w->touch_count;
  }
  return TL_OK;
}

static tl_status open_rows (tl_sweeping *w) {
  tl_mem *mem = &w->search->engine;
  const tl_net *net = w->search->net;
  if (!TL_NEW (mem, w->enabled, w->search->generator->most_enabled) ||
      !TL_NEW (mem, w->marking, net->places) ||
      !TL_NEW (mem, w->read, net->places))
    return TL_E_NOMEM;
  w->reads = tl_measure_reads (w->measure, net, w->read);
  if (!w->measure->offset)
    return note_touches (w);
  open_sleep (w);
  return classify (w);
}

static void close_rows (tl_sweeping *w) {
  tl_mem *mem = &w->search->engine;
  const uint32_t transitions = w->search->net->transitions;
  TL_DEL (mem, w->marking, w->search->net->places);
  TL_DEL (mem, w->read, w->search->net->places);
  TL_DEL (mem, w->enabled, w->search->generator->most_enabled);
  TL_DEL (mem, w->class_of, transitions);
  TL_DEL (mem, w->offset, transitions);
  TL_DEL (mem, w->class_share, transitions);
  TL_DEL (mem, w->touch_start, transitions + 1);
  TL_DEL (mem, w->touch, w->touch_room);
  tl_sleep_close (&w->search->sleep);
  w->classes = 0;
  w->touch_count = w->touch_room = 0;
}

// ---- A search with one measure ---------------------------------------------

tl_pool_kind tl_sweep_pools (tl_search *s) {
  return (tl_pool_kind){
      .mem = &s->states, .store = s->store_kind, .spec = s->spec};
}

static tl_status trace_here (tl_search *s, tl_trace *trace) {
  tl_sweeping *w = s->order_context;
  if (!w->ancestry)
    return TL_E_LIMIT;
  const tl_status rc = tl_ancestry_trace (w->ancestry, w->number, trace);
  return rc == TL_E_IO ? TL_E_LIMIT : rc; // the disk failed: no trace
}

// The initial state is kept from the beginning, unless it goes to the disk.
static tl_status put_initial (tl_sweeping *w) {
  tl_search *s = w->search;
  int64_t value[TL_MEASURE_PARTS];
  tl_layer *layer;
  uint8_t isnew;
  tl_status rc = tl_search_initial (s, w->state);
  if (!rc)
    rc = tl_sweep_value (w, w->state, value);
  if (!rc)
    rc = tl_layers_at (&w->layers, value, &layer);
  if (rc)
    return rc;
  tl_code_key (&s->code, w->state, w->record);
  w->record[s->code.key_words] = 0;
  if (s->spec.numbered)
    w->record[s->code.key_words + 1] = 0;
  tl_batch batch = {.count = 1, .keys = w->record, .isnew = &isnew};
  const bool keeps = !w->layers.archive;
  if (keeps)
    rc = tl_layers_keep (&w->layers, layer, &batch);
  if (!rc)
    rc = tl_layers_enter (&w->layers, layer);
  if (!rc)
    rc = tl_layers_put (&w->layers, layer, &batch);
  if (!rc && keeps) { // it is there twice and counts once
    layer->twice++;
    w->layers.stored--;
  }
  w->found = !rc;
  return rc ? rc : tl_layers_push (&w->layers, layer, w->record);
}

static void tell_progress (const tl_search *s, tl_progress *p) {
  const tl_sweeping *w = s->order_context;
  p->sweep = w->sweep;
  p->progress = w->has_furthest ? w->furthest[0] : 0;
  p->stored = w->layers.stored;
}

static tl_status run_measure (tl_sweeping *w) {
  tl_search *s = w->search;
  s->trace_here = trace_here;
  s->tell_progress = tell_progress;
  s->order_context = w;
  const tl_pool_kind kind = tl_sweep_pools (s);
  w->layers = tl_layers_init (&kind, &s->queue, w->measure->parts);
  w->window = w->elastic                             ? TL_WINDOW_ALL
              : s->options->window == TL_WINDOW_AUTO ? w->measure->window
                                                     : s->options->window;
  if (tl_search_finalises (s)) {
    // Where no progress is lost, cycles lie within layers; else all is kept.
    w->by_layer = w->measure->offset && !w->measure->regress;
    w->elastic &= w->by_layer;
    w->window = w->by_layer ? w->window : TL_WINDOW_ALL;
  }
  // Numbers do not go to the disk: what is to be counted stays in memory.
  const bool loses = !w->measure->offset || w->measure->regress;
  if (s->spec.numbered && s->options->exact_count && loses) {
    w->elastic = false;
    w->window = TL_WINDOW_ALL;
  }
  // A trace is a help, not a need: without memory for it the search goes on.
  if (tl_ancestry_open (&w->ancestry, &s->trace, &s->packer))
    w->ancestry = 0;
  // Without a loss of progress there is one sweep, and nothing comes back.
  if ((s->options->exact_count || w->automatic) && !s->spec.numbered && loses)
    tl_layers_open_archive (&w->layers);
  tl_status rc = open_rows (w);
  if (!rc)
    rc = tl_expand_open (w);
  if (!rc)
    rc = put_initial (w);
  return rc ? rc : sweep_all (w);
}

static void close_measure (tl_sweeping *w) {
  tl_expand_close (w);
  close_rows (w);
  tl_sweep_finalise_close (w);
  tl_layers_close (&w->layers);
  w->search->spilled += w->layers.spilled;
  if (w->ancestry) {
    w->search->spilled += tl_ancestry_spilled (w->ancestry);
    tl_ancestry_close (w->ancestry);
  }
  w->ancestry = 0;
}

static void fill_result (const tl_sweeping *w) {
  tl_exploration *r = w->search->result;
  tl_sweep *sweep = &r->sweep;
  sweep->measure = w->measure->name;
  sweep->weights = w->measure->source
                       ? strdup (w->measure->source)
                       : tl_measure_text_full (w->measure, w->search->net);
  sweep->window = w->window;
  sweep->monotone = !w->lost;
  sweep->explored += w->search->expanded;
  sweep->persistent = most_persistent (w);
  sweep->largest_layer = w->layers.largest;
  sweep->layers = w->layers.seen;
  sweep->point = w->timeline.point;
  sweep->points = w->timeline.count;
  // Without an archive some may have been visited again.
  r->counted &= w->sweep <= 1 || (w->layers.archive && !w->layers.lost);
}

static bool keeps_all (const tl_measure *m) {
  return m->window == TL_WINDOW_ALL;
}

// Without a measure nothing is ever left behind.  Unless somebody asks for
// layers, breadth-first search does the same in less time.
static bool needs_no_layers (const tl_sweeping *w) {
  const tl_search *s = w->search;
  return keeps_all (w->measure) && !s->spec.numbered &&
         !tl_search_finalises (s);
}

// Bytes at which breadth-first search makes way for a sweep.
static size_t enough (const tl_search *s) {
  const size_t half = s->root->limit / 2;
  return half && half < s->options->bfs_memory ? half : s->options->bfs_memory;
}

// With `turns` it makes way where it has taken enough.
static tl_status run_without_layers (tl_sweeping *w, bool turns) {
  tl_search *s = w->search;
  tl_sweep *sweep = &s->result->sweep;
  w->sweep = sweep->sweeps = 1;
  w->window = TL_WINDOW_ALL;
  s->tell_progress = 0;
  tl_status rc = tl_search_leave_layers (s);
  if (rc)
    return rc;
  s->enough = turns ? enough (s) : 0;
  rc = tl_order_bfs.run (s);
  w->given_up = turns && (rc == TL_E_NOMEM ||
                          (rc == TL_E_LIMIT && s->stop == TL_STOP_DONE));
  const uint64_t states = s->store->count;
  w->layers.seen = 1;
  w->layers.largest = states;
  if (states > sweep->peak_states)
    sweep->peak_states = states;
  tl_timeline_add (&w->timeline,
                   &(tl_sweep_point){.sweep = 1, .stored = states});
  if (w->given_up)
    tl_search_enter_layers (s);
  return rc;
}

// What was found with a measure that was given up is found once more.
static tl_status forget_measure (tl_sweeping *w) {
  tl_search *s = w->search;
  s->result->sweep.explored += s->expanded;
  s->result->sweep.discarded++;
  s->expanded = s->followed = s->census.arcs = s->census.deadlocks = 0;
  free (w->timeline.point);
  *w = (tl_sweeping){.search = s, .elastic = w->elastic};
  return tl_search_again (s);
}

// Does somebody want a sweep although it may take longer than none?
static bool insists (const tl_sweeping *w) {
  const tl_options *o = w->search->options;
  return w->elastic || o->window != TL_WINDOW_AUTO || !o->bfs_memory;
}

static tl_status run_measures (tl_sweeping *w, const tl_measures *list) {
  const tl_options *o = w->search->options;
  const bool automatic =
      !strcmp (o->progress, "auto") || !strcmp (o->progress, "sampled");
  const bool declines = keeps_all (list->measure), others = list->count > 1;
  // Everything is kept in the end, and where no sweep pays at first, too.
  const size_t none = declines ? 0 : list->count - 1,
               most = declines ? MOST_TRIALS + 1 : MOST_TRIALS;
  for (size_t i = declines && others && insists (w);; i++) {
    if (i >= most || i >= list->count)
      i = none;
    const bool first = !w->search->result->sweep.discarded;
    w->measure = list->measure + i;
    w->watched = automatic && i != none;
    w->automatic = automatic;
    tl_status rc = needs_no_layers (w) ? run_without_layers (w, first && others)
                                       : run_measure (w);
    w->given_up |= w->watched && rc == TL_E_NOMEM; // another may need less
    if (!w->given_up)
      fill_result (w);
    close_measure (w);
    w->search->result->sweep.declined = first && others && i == none;
    if (!w->given_up)
      return rc;
    // A measure that took whole sweeps to fail is the last that is tried.
    const bool late = w->sweep > 1;
    if ((rc = forget_measure (w)))
      return rc;
    if (late)
      i = list->count;
  }
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
  tl_search_drop_log (s); // it is for states in the order in which they come
  tl_sweeping *w;
  tl_measures measures;
  const double begin = tl_clock_busy ();
  if (!TL_NEW (&s->engine, w, 1))
    return TL_E_NOMEM;
  tl_status rc =
      tl_measures_open (&measures, &s->engine, s->structure,
                        &(tl_measure_request){.progress = s->options->progress,
                                              .seed = s->options->seed,
                                              .seconds = time_to_choose (s),
                                              .cancel = s->options->cancel},
                        s->error);
  s->result->sweep.choosing = tl_clock_busy () - begin;
  if (rc == TL_E_IO)
    rc = TL_E_ARG; // a file with a measure: no fault of the machine
  if (!rc) {
    *w = (tl_sweeping){.search = s,
                       .elastic = s->options->memory &&
                                  s->options->window == TL_WINDOW_AUTO};
    rc = run_measures (w, &measures);
    tl_measures_close (&measures);
  }
  TL_DEL (&s->engine, w, 1);
  return rc;
}

const tl_order tl_order_sweep = {
    .name = "sweep", .run = sweep_run, .finalises = true};
