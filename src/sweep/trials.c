// Measures are tried one after the other, each from the beginning, until one
// comes to its end; the last keeps everything.

#include "base/tuning.h"
#include "sweep/fleet.h"

#include <stdlib.h>
#include <string.h>

tl_pool_kind tl_sweep_pools (tl_search *s) {
  return (tl_pool_kind){
      .mem = &s->states, .store = s->store_kind, .spec = s->spec};
}

// With several ranks there is a way only while all ask for it.
static tl_status trace_here (tl_search *s, tl_trace *trace) {
  tl_sweeping *w = s->order_context;
  return tl_search_log_trace (s, w->number, trace);
}

// The initial state is kept from the beginning, unless it goes to the disk.  Of
// several ranks one has it; number 0 is that state's.
static tl_status put_initial (tl_sweeping *w) {
  tl_search *s = w->search;
  int64_t value[TL_MEASURE_PARTS];
  tl_layer *layer;
  uint8_t isnew;
  uint64_t *record = w->worker.key; // and where it was found
  tl_status rc = tl_worker_begin (&w->worker);
  if (!rc && w->fleet && !tl_fleet_owns (w->fleet, record, w->key_words)) {
    w->begins = 1;
    return TL_OK;
  }
  if (!rc)
    rc = tl_sweep_value (w, w->worker.state, value);
  if (!rc)
    rc = tl_layers_at (&w->layers, value, &layer);
  if (rc)
    return rc;
  record[w->key_words] = 0;
  if (s->spec.numbered)
    record[w->key_words + 1] = 0;
  tl_batch batch = {.count = 1, .keys = record, .isnew = &isnew};
  const bool keeps = !w->layers.archive;
  if (keeps)
    rc = tl_layers_keep (&w->layers, layer, &batch);
  w->layers.has_initial = keeps && !rc;
  if (!rc)
    rc = tl_layers_enter (&w->layers, layer);
  if (!rc)
    rc = tl_layers_put (&w->layers, layer, &batch);
  if (!rc && keeps) { // it is there twice and counts once
    layer->twice++;
    w->layers.stored--;
  }
  w->found = !rc;
  return rc ? rc : tl_layers_push (&w->layers, layer, record);
}

static void tell_progress (const tl_search *s, tl_progress *p) {
  const tl_sweeping *w = s->order_context;
  p->sweep = w->sweep;
  p->progress = w->has_furthest ? w->furthest[0] : 0;
  p->stored = w->layers.stored;
}

// Does it lose progress, for all that is known?
static bool may_lose (const tl_measure *m) {
  return m->offset ? m->regress : !m->monotone;
}

// Where no progress is lost, cycles lie within layers.
static bool should_finalise_by_layer (const tl_sweeping *w) {
  return tl_search_finalises (w->search) && !w->doubted && !w->measure->regress;
}

// Regions cannot be told apart, or numbers are needed, which do not go to the
// disk: what is to be counted stays in memory.
static bool should_keep_all (const tl_sweeping *w) {
  const tl_search *s = w->search;
  return may_lose (w->measure) &&
         ((tl_search_finalises (s) && !w->by_layer) ||
          (s->spec.numbered && s->options->exact_count));
}

static void choose_window (tl_sweeping *w) {
  const uint64_t asked = w->search->options->window;
  w->by_layer = should_finalise_by_layer (w);
  // Where no progress is lost nothing comes back to what lies behind.
  w->elastic &= !should_keep_all (w) && may_lose (w->measure);
  w->window = w->elastic || should_keep_all (w) ? TL_WINDOW_ALL
              : asked == TL_WINDOW_AUTO         ? w->measure->window
                                                : asked;
}

// Where memory is short, what is kept in it would be visited again and again;
// but of states in an archive nothing can be collected.
static bool should_save (const tl_sweeping *w) {
  return w->elastic && !w->search->generator->kind->collect;
}

// Without a loss of progress there is one sweep, and nothing comes back.
static bool should_archive (const tl_sweeping *w) {
  const tl_search *s = w->search;
  return (s->options->exact_count || w->automatic || should_save (w)) &&
         !s->spec.numbered && may_lose (w->measure) && !w->by_layer;
}

static tl_status begin (tl_sweeping *w) {
  tl_status rc = tl_sweep_open_measure (w);
  if (!rc)
    rc = tl_expand_open (w);
  return rc || w->resumed ? rc : put_initial (w);
}

static void close_buffers (tl_sweeping *w) {
  tl_expand_close (w);
  tl_sweep_close_measure (w);
}

static tl_status run_measure (tl_sweeping *w) {
  tl_search *s = w->search;
  s->trace_here = s->cluster ? 0 : trace_here;
  s->logs_positions = s->generator->kind->transition;
  s->tell_progress = tell_progress;
  s->order_context = w;
  const tl_pool_kind kind = tl_sweep_pools (s);
  w->layers = tl_layers_init (&kind, &s->queue, w->measure->parts);
  choose_window (w);
  w->resumed = tl_saving_resumes (s->saving);
  if (should_archive (w) && !w->resumed)
    tl_layers_open_archive (&w->layers);
  if (s->cluster)
    tl_fleet_agree_archive (w);
  w->archives = w->resumed ? tl_sweep_has_archived (s) : w->layers.archive != 0;
  tl_status rc = begin (w);
  if (rc == TL_E_NOMEM && w->layers.archive &&
      !s->cluster) { // that is a help, not a need
    close_buffers (w);
    tl_layers_close (&w->layers);
    w->layers = tl_layers_init (&kind, &s->queue, w->measure->parts);
    w->layers.lost = true;
    w->archives = false;
    rc = begin (w);
  }
  if (s->cluster)
    rc = tl_fleet_begin (w, rc);
  if (rc)
    return rc;
  tl_search_open_log (s);
  if (s->saving)
    tl_sweep_open_saving (w);
  if (w->resumed && (rc = tl_sweep_restore (w)))
    return rc;
  return tl_sweep_run (w);
}

static void close_measure (tl_sweeping *w) {
  tl_sweep_close_saving (w);
  close_buffers (w);
  tl_sweep_finalise_close (w);
  tl_layers_close (&w->layers);
  w->search->spilled += w->layers.spilled;
  tl_search_drop_log (w->search);
  w->search->logs_positions = false;
}

static uint64_t most_persistent (const tl_sweeping *w) {
  const uint64_t now = tl_layers_persistent (&w->layers),
                 most = w->layers.most_persistent;
  return most > now ? most : now;
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
  sweep->explored += tl_search_expanded (w->search);
  sweep->persistent = most_persistent (w);
  sweep->largest_layer = w->fleet ? w->fleet->largest : w->layers.largest;
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
  const uint64_t states = tl_search_seen (s);
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

bool tl_sweep_is_elastic (const tl_search *s) {
  return s->options->memory && s->options->window == TL_WINDOW_AUTO &&
         !s->cluster;
}

// What was found with a measure that was given up is found once more, perhaps
// with the same measure.
static tl_status forget_measure (tl_sweeping *w, bool same) {
  tl_search *s = w->search;
  s->result->sweep.explored += s->census.states;
  s->result->sweep.discarded += !same;
  tl_census_forget (&s->census);
  free (w->timeline.point);
  *w = (tl_sweeping){
      .search = s, .elastic = tl_sweep_is_elastic (s), .doubted = same};
  const tl_status rc = tl_search_again (s);
  return s->cluster ? tl_fleet_again (s, rc) : rc;
}

// Does somebody want a sweep although it may take longer than none?
static bool insists (const tl_search *s) {
  const tl_options *o = s->options;
  return tl_sweep_is_elastic (s) || o->window != TL_WINDOW_AUTO ||
         !o->bfs_memory;
}

// The measures in the order in which they are tried.  One keeps everything: it
// comes in the end, and where no sweep pays at first, too.
typedef struct trials {
  const tl_measures *list;
  bool automatic; // the tool has chosen them
  size_t none;    // the measure that keeps everything
  size_t most;    // so many are tried before that
  size_t at;      // the one being tried
} trials;

static trials plan_trials (const tl_search *s, const tl_measures *list) {
  const tl_progress_kind kind = tl_progress_parse (s->options->progress);
  const bool declines = keeps_all (list->measure);
  if (tl_saving_has_journal (s->saving)) // it was breadth-first
    return (trials){.list = list,
                    .automatic = tl_progress_is_chosen (kind),
                    .none = declines ? 0 : list->count - 1,
                    .most = TL_SWEEP_TRIALS,
                    .at = declines ? 0 : list->count - 1};
  return (trials){.list = list,
                  .automatic = tl_progress_is_chosen (kind),
                  .none = declines ? 0 : list->count - 1,
                  .most = declines ? TL_SWEEP_TRIALS + 1 : TL_SWEEP_TRIALS,
                  .at = declines && list->count > 1 && insists (s)};
}

size_t tl_sweep_first_trial (const tl_search *s, const tl_measures *list) {
  return plan_trials (s, list).at;
}

static bool should_keep_everything (const trials *t) {
  return t->at >= t->most || t->at >= t->list->count;
}

// It was tried whether layers are regions, and they are not.
static bool should_keep_layers (const tl_sweeping *w) {
  return w->by_layer && w->lost && w->search->stop == TL_STOP_DONE;
}

// Another measure may need less.
static bool should_begin_anew (const tl_sweeping *w, tl_status rc) {
  return w->given_up || (w->watched && rc == TL_E_NOMEM) ||
         should_keep_layers (w);
}

static tl_status try_measure (tl_sweeping *w, const trials *t) {
  tl_search *s = w->search;
  tl_sweep *sweep = &s->result->sweep;
  const bool turns = !sweep->discarded && t->list->count > 1;
  w->measure = t->list->measure + t->at;
  w->watched = t->automatic && t->at != t->none;
  w->automatic = t->automatic;
  const bool layers = !needs_no_layers (w);
  const tl_status rc = layers ? run_measure (w) : run_without_layers (w, turns);
  w->given_up = should_begin_anew (w, rc);
  if (!w->given_up)
    fill_result (w);
  close_measure (w);
  if (s->cluster && layers && !w->given_up)
    tl_fleet_add_up (s);
  sweep->declined =
      (turns && t->at == t->none) || (s->cluster && t->automatic && !layers);
  return rc;
}

tl_status tl_sweep_try (tl_sweeping *w, const tl_measures *list) {
  *w = (tl_sweeping){.search = w->search,
                     .elastic = tl_sweep_is_elastic (w->search)};
  for (trials t = plan_trials (w->search, list);;) {
    if (should_keep_everything (&t))
      t.at = t.none;
    tl_status rc = try_measure (w, &t);
    if (!w->given_up)
      return rc;
    // A measure that took whole sweeps to fail is the last that is tried.
    const bool late = w->sweep > 1,
               same = w->reshaped || should_keep_layers (w);
    if ((rc = forget_measure (w, same)))
      return rc;
    if (!same)
      t.at = late ? list->count : t.at + 1;
  }
}
