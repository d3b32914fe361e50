// What several ranks agree on between two rounds: where the line is, whether
// the search goes on, what the first rank is to see, and wider fields.

#include "base/bits.h"
#include "explore/together.h"
#include "sweep/fleet.h"

#include <string.h>

// ---- The board -------------------------------------------------------------

static uint64_t *slot_of (const tl_sweep_fleet *f, unsigned rank) {
  return f->board + TL_FLEET_SUMS + (size_t)rank * TL_FLEET_SLOT;
}

static void write_line (const tl_sweeping *w, uint64_t *slot,
                        const tl_layer *line) {
  slot[TL_FLEET_HAS_LINE] = 1;
  for (uint32_t i = 0; i < w->layers.parts; i++)
    slot[TL_FLEET_LINE + i] = (uint64_t)line->value[i];
}

static void write_board (tl_sweeping *w, tl_status rc) {
  tl_sweep_fleet *f = w->fleet;
  uint64_t *sums = f->board, *slot = slot_of (f, f->all->rank);
  const tl_layer *here =
                     w->line ? tl_layers_find (&w->layers, w->line->value) : 0,
                 *line = tl_layers_line (&w->layers);
  memset (f->board, 0,
          (TL_FLEET_SUMS + (size_t)f->all->ranks * TL_FLEET_SLOT) *
              sizeof *f->board);
  sums[TL_FLEET_EXPANDED] = tl_search_expanded (w->search);
  sums[TL_FLEET_STORED] = w->layers.stored;
  sums[TL_FLEET_UNPROCESSED] = w->layers.unprocessed;
  sums[TL_FLEET_PERSISTENT] = tl_layers_persistent (&w->layers);
  sums[TL_FLEET_LAYER] = here ? here->states.count : 0;
  sums[TL_FLEET_SHOWN] = f->showns;
  sums[TL_FLEET_LOST] = !w->search->log;
  sums[TL_FLEET_ENDS] = rc != TL_OK;
  slot[TL_FLEET_DEAD] = f->dead;
  slot[TL_FLEET_REGRESS] = f->has_regress;
  slot[TL_FLEET_MISFIT] = f->has_misfit;
  if (line)
    write_line (w, slot, line);
}

void tl_fleet_publish (tl_sweeping *w, tl_status rc) {
  tl_sweep_fleet *f = w->fleet;
  tl_search *s = w->search;
  write_board (w, rc);
  f->all->add_up (f->all, f->board,
                  TL_FLEET_SUMS + (size_t)f->all->ranks * TL_FLEET_SLOT);
  s->elsewhere = f->board[TL_FLEET_EXPANDED] - tl_search_expanded (s);
  if (f->board[TL_FLEET_LAYER] > f->largest)
    f->largest = f->board[TL_FLEET_LAYER];
  if (f->board[TL_FLEET_LOST])
    tl_search_drop_log (s);
}

// The lowest rank of which that is true, or as many as there are.
static unsigned first_with (const tl_sweep_fleet *f, unsigned what) {
  unsigned rank = 0;
  while (rank < f->all->ranks && !slot_of (f, rank)[what])
    rank++;
  return rank;
}

// ---- The line --------------------------------------------------------------

// The least value that has states to be expanded; false: none has.
static bool least_value (const tl_sweeping *w, int64_t *least) {
  const tl_sweep_fleet *f = w->fleet;
  bool found = false;
  for (unsigned rank = 0; rank < f->all->ranks; rank++) {
    const uint64_t *slot = slot_of (f, rank);
    int64_t value[TL_MEASURE_PARTS] = {0};
    for (uint32_t i = 0; i < w->layers.parts; i++)
      value[i] = (int64_t)slot[TL_FLEET_LINE + i];
    if (slot[TL_FLEET_HAS_LINE] &&
        (!found || tl_layers_compare (&w->layers, value, least) < 0)) {
      memcpy (least, value, sizeof value);
      found = true;
    }
  }
  return found;
}

// The line has left a layer.
static void add_point (tl_sweeping *w) {
  const uint64_t *sums = w->fleet->board;
  tl_timeline_add (&w->timeline,
                   &(tl_sweep_point){.sweep = w->sweep,
                                     .progress = w->line->value[0],
                                     .stored = sums[TL_FLEET_STORED],
                                     .unprocessed = sums[TL_FLEET_UNPROCESSED],
                                     .persistent = sums[TL_FLEET_PERSISTENT]});
}

// The line comes to a value; where this rank has no states of it, the line is a
// layer that is not there.
static void go_to (tl_sweeping *w, const int64_t *value) {
  tl_layer *own = tl_layers_line (&w->layers);
  if (own && !tl_layers_compare (&w->layers, own->value, value)) {
    tl_sweep_arrive (w, own);
    return;
  }
  memcpy (w->fleet->no_line.value, value, sizeof w->fleet->no_line.value);
  tl_sweep_arrive (w, &w->fleet->no_line);
}

tl_status tl_fleet_sweep (tl_sweeping *w) {
  int64_t value[TL_MEASURE_PARTS], before[TL_MEASURE_PARTS];
  tl_status rc = TL_OK;
  tl_fleet_publish (w, TL_OK);
  while (!rc && !w->given_up && least_value (w, value)) {
    go_to (w, value);
    memcpy (before, value, sizeof before);
    rc = tl_fleet_end_round (w, tl_fleet_round (w));
    if (!least_value (w, value) ||
        tl_layers_compare (&w->layers, value, before))
      add_point (w);
  }
  w->line = 0;
  return rc;
}

tl_status tl_fleet_go_on (tl_sweeping *w, tl_status rc, bool *more) {
  tl_cluster *all = w->fleet->all;
  uint64_t any = *more;
  rc = tl_together_agree (w->search, rc);
  all->raise (all, &any, 1);
  *more = any;
  return rc;
}

// ---- Traces ----------------------------------------------------------------

static const char no_room[] = "no memory for a trace";

// The state before, and what led from there, as the rank says that has expanded
// it.
static tl_status step_back (tl_search *s, uint64_t *state, uint32_t *event) {
  tl_cluster *all = s->cluster;
  const unsigned who = (unsigned)(*state % all->ranks);
  uint64_t said[3] = {TL_OK, 0, 0};
  if (who == all->rank) {
    uint32_t by = 0;
    said[0] = tl_log_find (s->log, *state / all->ranks, said + 1, &by);
    said[2] = by;
  }
  all->tell (all, who, said, sizeof said);
  *state = said[1];
  *event = (uint32_t)said[2];
  return (tl_status)said[0];
}

// The way to the state that is asked for, backwards; all ranks go it, and a
// rank that cannot ends the run.
static tl_status go_back (tl_search *s, uint64_t state, tl_trace *back) {
  tl_cluster *all = s->cluster;
  tl_status rc = TL_OK;
  while (!rc && state / all->ranks) {
    uint32_t event = 0;
    rc = step_back (s, &state, &event);
    if (!rc && !tl_trace_extend (back, event))
      all->abandon (all, 3, no_room);
  }
  return rc;
}

static tl_status trace_together (tl_search *s, tl_trace *trace) {
  const tl_sweeping *w = s->order_context;
  tl_trace back = {0};
  *trace = (tl_trace){0};
  if (!s->log)
    return TL_E_LIMIT;
  tl_log_look_again (s->log);
  const tl_status rc = go_back (s, w->fleet->asked, &back);
  bool room = rc || !tl_log_trace (s->log, 0, trace); // with no step
  for (uint64_t i = back.length; !rc && room && i-- > 0;)
    room = tl_trace_extend (trace, back.transition[i]);
  if (!room)
    s->cluster->abandon (s->cluster, 3, no_room);
  tl_trace_close (&back);
  if (rc) // the disk failed; the states are all there
    tl_search_drop_log (s);
  return rc ? TL_E_LIMIT : TL_OK;
}

// The first dead state is that of the lowest rank that has met one.
static void trace_deadlock (tl_sweeping *w) {
  tl_search *s = w->search;
  tl_sweep_fleet *f = w->fleet;
  const unsigned who = first_with (f, TL_FLEET_DEAD);
  if (who == f->all->ranks || s->result->deadlock.transition)
    return;
  f->asked = slot_of (f, who)[TL_FLEET_DEAD] - 1;
  tl_search_trace (s, &s->result->deadlock);
}

// The same with a loss of progress.
static void trace_regress (tl_sweeping *w) {
  tl_sweep_fleet *f = w->fleet;
  tl_search *s = w->search;
  tl_exploration *r = s->result;
  const unsigned who = first_with (f, TL_FLEET_REGRESS);
  if (who == f->all->ranks)
    return;
  f->all->tell (f->all, who, f->regress, sizeof f->regress);
  f->asked = f->regress[0];
  r->progress_before = (int64_t)f->regress[2];
  r->progress_after = (int64_t)f->regress[3];
  tl_search_trace_by (s, (uint32_t)f->regress[1], &r->regress);
}

static tl_status show_all (tl_sweeping *w) {
  tl_sweep_fleet *f = w->fleet;
  const tl_sightings showing = {.trace = trace_together,
                                .asked = &f->asked,
                                .worker = &w->worker,
                                .room = f->look,
                                .shown = f->shown,
                                .words = f->showns};
  if (!f->board[TL_FLEET_SHOWN])
    return TL_OK;
  f->showns = 0;
  return tl_together_show (w->search, &showing);
}

// ---- Wider fields ----------------------------------------------------------

// All widen the same fields, for the successor that this rank tells.  Nothing
// moves: the sweep begins anew.
static tl_status widen (tl_sweeping *w, unsigned who) {
  tl_sweep_fleet *f = w->fleet;
  tl_search *s = w->search;
  tl_cluster *all = f->all;
  tl_census *census = &w->worker.census;
  tl_widening how;
  all->tell (all, who, f->misfit, (w->key_words + 2) * sizeof *f->misfit);
  tl_code_state (&s->code, f->misfit + 2, w->worker.state);
  f->asked = f->misfit[0];
  tl_census_settle (census, 0);
  all->raise (all, census->place_max, s->net->places);
  all->raise (all, s->census.place_max, s->net->places);
  const tl_status rc = tl_search_widen (s, census, w->worker.state,
                                        (uint32_t)f->misfit[1], &how);
  if (rc == TL_E_NOMEM)
    all->abandon (all, 3, "no memory for wider fields");
  if (!rc)
    tl_widening_close (&how);
  w->reshaped = w->given_up = !rc;
  return rc;
}

// ---- The end of a round ----------------------------------------------------

// What all do with what the board says.
static tl_status heed_board (tl_sweeping *w, tl_status rc) {
  tl_search *s = w->search;
  trace_deadlock (w);
  trace_regress (w);
  const tl_status shown = show_all (w);
  const unsigned misfit = first_with (w->fleet, TL_FLEET_MISFIT);
  if (rc || (rc = shown))
    return rc;
  if (misfit < s->cluster->ranks)
    return widen (w, misfit);
  if (s->options->max_states && tl_search_seen (s) > s->options->max_states) {
    s->stop = TL_STOP_STATES;
    return TL_E_LIMIT;
  }
  return TL_OK;
}

tl_status tl_fleet_end_round (tl_sweeping *w, tl_status rc) {
  tl_search *s = w->search;
  if (rc)
    tl_fleet_break_off (w, rc);
  else
    rc = tl_search_poll (s);
  tl_fleet_publish (w, rc);
  if (w->fleet->board[TL_FLEET_ENDS])
    rc = tl_together_agree (s, rc == TL_E_CANCEL ? TL_E_LIMIT : rc);
  if (rc && rc != TL_E_LIMIT)
    return rc;
  s->trace_here = trace_together;
  rc = heed_board (w, rc);
  s->trace_here = 0;
  return rc;
}
