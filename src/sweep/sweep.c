// Sweeps with one measure: where the line stands, what is freed behind it, and
// when there is another sweep.

#include "base/tuning.h"
#include "sweep/fleet.h"

#include <string.h>

// ---- Memory ----------------------------------------------------------------

static void free_least (tl_sweeping *w) {
  const tl_layer *layer = tl_layers_least (&w->layers);
  memcpy (w->gone, layer->value, sizeof w->gone);
  w->has_gone = true;
  w->freed += layer->states.count;
  tl_layers_free_least (&w->layers);
}

// Is there a layer behind the line?
static bool is_behind (const tl_sweeping *w, const tl_layer *least) {
  return least &&
         tl_layers_compare (&w->layers, least->value, w->line->value) < 0;
}

static bool should_shrink_window (tl_sweeping *w) {
  tl_layer *least = tl_layers_least (&w->layers);
  return w->elastic && w->line && is_behind (w, least) &&
         tl_expand_release (w, least);
}

// States matter more than traces, but where the log is a small part of all it
// is the last to go.
static bool should_drop_log (const tl_sweeping *w) {
  const tl_search *s = w->search;
  return s->log && s->trace.used > s->root->limit / TL_SWEEP_LOG_PART;
}

bool tl_sweep_relieve (tl_sweeping *w) {
  tl_search *s = w->search;
  if ((s->log && tl_log_flush (s->log)) || tl_layers_flush (&w->layers))
    return true;
  if (!should_drop_log (w) && should_shrink_window (w)) {
    free_least (w);
    return true;
  }
  const bool drops = s->log;
  tl_search_drop_log (s);
  return drops;
}

static bool should_free_early (const tl_sweeping *w) {
  const tl_mem *root = w->search->root;
  return w->elastic && root->limit && root->used >= root->limit / 8 * 7;
}

// So there is always something left to go on with.
static void free_early (tl_sweeping *w) {
  const tl_mem *root = w->search->root;
  if (should_drop_log (w))
    tl_search_drop_log (w->search);
  while (root->used > root->limit / 4 * 3 &&
         is_behind (w, tl_layers_least (&w->layers)))
    free_least (w);
}

// ---- The line --------------------------------------------------------------

void tl_sweep_arrive (tl_sweeping *w, tl_layer *line) {
  w->line = line;
  if (!w->has_furthest ||
      tl_layers_compare (&w->layers, line->value, w->furthest) > 0) {
    memcpy (w->furthest, line->value, sizeof w->furthest);
    w->has_furthest = true;
  }
  for (const tl_layer *least;
       is_behind (w, least = tl_layers_least (&w->layers)) &&
       tl_sweep_outside (w, least->value);)
    free_least (w);
  if (should_free_early (w))
    free_early (w);
}

// An automatic measure that keeps a large part of what it frees is no good, and
// neither is one that makes one sweep after the other and visits states again
// in each.  With an archive there is a limit to what further sweeps cost, and
// to begin anew would cost more.
static bool should_give_up (const tl_sweeping *w) {
  const uint64_t kept = tl_layers_persistent (&w->layers),
                 expanded = tl_search_expanded (w->search);
  const uint64_t here = expanded - w->begun,
                 longest = here > w->longest ? here : w->longest;
  const bool keeps_much = kept > TL_SWEEP_FEW && kept > w->freed,
             repeats_much = !w->layers.archive && expanded > 4 * TL_SWEEP_FEW &&
                            expanded > TL_SWEEP_VISITS * longest;
  return w->watched && (keeps_much || repeats_much);
}

static tl_status sweep_once (tl_sweeping *w) {
  tl_status rc = TL_OK;
  for (tl_layer *line; !rc && (line = tl_layers_line (&w->layers));) {
    tl_sweep_arrive (w, line);
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
    w->given_up = !rc && should_give_up (w);
    if (w->given_up)
      return TL_OK;
  }
  return rc;
}

// To keep everything and go on would not have taken longer by now.
static bool should_stop_freeing (const tl_sweeping *w) {
  const uint64_t states = w->begun > TL_SWEEP_FEW ? w->begun : TL_SWEEP_FEW;
  return w->layers.looked_up > TL_SWEEP_READS * states &&
         (!w->elastic || tl_layers_fit (&w->layers, w->begun));
}

static void begin_sweep (tl_sweeping *w) {
  w->begun = tl_search_expanded (w->search);
  w->search->result->sweep.sweeps = ++w->sweep;
  w->has_furthest = w->has_gone = false;
  w->layers.keep_all = should_stop_freeing (w);
}

tl_status tl_sweep_run (tl_sweeping *w) {
  tl_status rc = TL_OK;
  for (bool more = true; !rc && more && !w->given_up;) {
    if (!w->resumed)
      begin_sweep (w);
    w->resumed = false;
    rc = w->fleet ? tl_fleet_sweep (w) : sweep_once (w);
    if (tl_search_expanded (w->search) - w->begun > w->longest)
      w->longest = tl_search_expanded (w->search) - w->begun;
    if (!rc && !w->given_up)
      rc = tl_sweep_finalise_rest (w);
    if (!rc && !w->given_up)
      rc = tl_layers_restart (&w->layers, &more);
    if (w->fleet && !w->given_up)
      rc = tl_fleet_go_on (w, rc, &more);
  }
  if (!rc && !w->given_up && w->search->defers)
    w->search->stop = TL_STOP_DONE; // all is done before it was to end
  return rc;
}
