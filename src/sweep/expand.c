// The inner loop of the sweep: expands the states of the line and says which
// layers their successors belong to.

#include "base/bits.h"
#include "base/error.h"
#include "base/tuning.h"
#include "sweep/fleet.h"

#include <string.h>

// What depends on the shape of states.
static void release_buffers (tl_sweeping *w) {
  tl_mem *mem = &w->search->engine;
  TL_DEL (mem, w->next_state, w->state_words);
  TL_DEL (mem, w->layer_keys, w->room * w->key_words);
  TL_DEL (mem, w->initial, w->key_words);
  TL_DEL (mem, w->origin, w->room);
  TL_DEL (mem, w->share_of, w->room);
  TL_DEL (mem, w->from, w->room);
  TL_DEL (mem, w->share, w->room);
  TL_DEL (mem, w->isnew, w->room);
  TL_DEL (mem, w->numbers, w->room);
  TL_DEL (mem, w->targets, w->room);
  TL_DEL (mem, w->expansion, w->room);
}

static tl_status take_buffers (tl_sweeping *w) {
  tl_mem *mem = &w->search->engine;
  w->state_words = w->search->layout.words;
  w->key_words = w->search->code.key_words;
  w->event_bits = tl_bits_for (w->search->logs_positions
                                   ? w->search->generator->most_enabled
                                   : w->search->generator->most_events);
  w->next_state = w->layer_keys = 0;
  w->initial = w->origin = w->numbers = w->targets = 0;
  w->share_of = w->from = 0;
  w->isnew = 0;
  w->expansion = 0;
  w->share = 0;
  if (!TL_NEW (mem, w->next_state, w->state_words) ||
      !TL_NEW (mem, w->layer_keys, w->room * w->key_words) ||
      !TL_NEW (mem, w->initial, w->key_words) ||
      !TL_NEW (mem, w->origin, w->room) ||
      !TL_NEW (mem, w->share_of, w->room) || !TL_NEW (mem, w->from, w->room) ||
      !TL_NEW (mem, w->share, w->room) || !TL_NEW (mem, w->isnew, w->room) ||
      !TL_NEW (mem, w->numbers, w->room) ||
      !TL_NEW (mem, w->targets, w->room) ||
      !TL_NEW (mem, w->expansion, w->room))
    return TL_E_NOMEM;
  const tl_status rc = tl_worker_begin (&w->worker);
  if (!rc)
    tl_copy_words (w->initial, w->worker.key, w->key_words);
  return rc;
}

// Where memory is short buffers are a small part of it.
static size_t room_within (size_t limit) {
  const size_t least = TL_SWEEP_ROOM / 16, room = limit / TL_SWEEP_ROOM_BUDGET;
  return !limit || room > TL_SWEEP_ROOM ? TL_SWEEP_ROOM
         : room < least                 ? least
                                        : room;
}

tl_status tl_expand_open (tl_sweeping *w) {
  tl_search *s = w->search;
  w->room = room_within (s->root->limit);
  w->begins = 0;
  tl_status rc =
      tl_worker_open (&w->worker, s,
                      &(tl_worker_plan){.mem = &s->engine,
                                        .room = w->room,
                                        .behind = 1 + s->spec.numbered,
                                        .visits = true,
                                        .show = s->cluster ? tl_fleet_show : 0,
                                        .order = w,
                                        .lists = true});
  if (!rc)
    rc = take_buffers (w);
  return rc || !s->cluster ? rc : tl_fleet_open (w);
}

void tl_expand_close (tl_sweeping *w) {
  tl_sweep_close_crew (w);
  tl_fleet_close (w);
  release_buffers (w);
  tl_worker_close (&w->worker);
}

// ---- Where successors belong -----------------------------------------------

// The line's value and the offset, or TL_E_LIMIT.
static tl_status add_offset (const tl_sweeping *w, const int64_t *offset,
                             int64_t *value) {
  for (uint32_t i = 0; i < w->layers.parts; i++)
    if (__builtin_add_overflow (w->line->value[i], offset[i], value + i))
      return tl_fail (w->search->error, TL_E_ARG,
                      "the progress measure exceeds 64 bits");
  return TL_OK;
}

// `monotone` was asked for and the transition loses progress, perhaps in a
// state that another thread has expanded.  Of several ranks all show that
// together.
static tl_status complain (tl_sweeping *w, const int64_t *value,
                           uint32_t transition) {
  tl_exploration *r = w->search->result;
  uint32_t part = 0;
  while (w->line->value[part] == value[part])
    part++;
  r->progress_before = w->line->value[part];
  r->progress_after = value[part];
  w->number = w->origin[w->worker.gathered + w->sharing] >> w->event_bits;
  if (w->fleet) {
    tl_fleet_note_regress (w, transition);
    return TL_E_LIMIT;
  }
  const tl_status rc = tl_search_trace_by (w->search, transition, &r->regress);
  if (rc == TL_E_NOMEM)
    return rc;
  w->search->stop = TL_STOP_REGRESS;
  return TL_E_LIMIT;
}

static tl_status find_layer (tl_sweeping *w, const int64_t *value,
                             uint32_t transition, tl_layer **layer) {
  if (tl_layers_compare (&w->layers, value, w->line->value) < 0) {
    w->lost = true;
    if (w->search->options->monotone)
      return complain (w, value, transition);
    if (w->by_layer) // cycles may leave their layers
      return TL_E_LIMIT;
  }
  tl_status rc;
  while ((rc = tl_layers_at (&w->layers, value, layer)) && tl_sweep_relieve (w))
    ;
  return rc;
}

// Gives a layer a share, unless it has one.
static uint32_t share_with (tl_sweeping *w, tl_layer *layer) {
  if (!layer->has_share) {
    layer->has_share = true;
    layer->share = (uint32_t)w->shares;
    w->share[w->shares++] = (tl_portion){.layer = layer};
  }
  return layer->share;
}

// With a linear measure the transition tells the layer: gives that a share.
static tl_status share_with_class (tl_sweeping *w, uint32_t transition,
                                   uint32_t class) {
  int64_t value[TL_MEASURE_PARTS];
  tl_layer *layer;
  tl_status rc = add_offset (w, w->offset[class], value);
  if (!rc)
    rc = find_layer (w, value, transition, &layer);
  if (!rc)
    w->class_share[class] = share_with (w, layer);
  return rc;
}

// Or its binding does.
static tl_status value_by_event (tl_sweeping *w, uint32_t event,
                                 int64_t *value) {
  int64_t offset = 0;
  const tl_status rc = tl_sweep_event_offset (w, event, &offset);
  return rc ? rc : add_offset (w, &offset, value);
}

// Else: by looking at the successor, unless it has the same progress.
static tl_status reach_any (tl_sweeping *w, const uint64_t *key,
                            uint32_t transition, tl_layer **layer) {
  int64_t value[TL_MEASURE_PARTS];
  tl_status rc;
  if (w->measure->traits)
    rc = value_by_event (w, transition, value);
  else if (!w->touch_start) { // nobody knows what it changes
    tl_code_state (&w->search->code, key, w->next_state);
    rc = tl_sweep_value (w, w->next_state, value);
  } else if (w->touch_start[transition] < w->touch_start[transition + 1])
    rc = tl_sweep_value_after (w, transition, value);
  else {
    *layer = w->line;
    return TL_OK;
  }
  return rc ? rc : find_layer (w, value, transition, layer);
}

// ---- Expanding -------------------------------------------------------------

static void convert (const void *widening, const uint64_t *old, uint64_t *key) {
  tl_widening_key (widening, old, key);
}

// Moves what the sweep holds to the new layout.
static tl_status move (void *order, const tl_widening *widening,
                       uint64_t *old_key) {
  (void)old_key;
  tl_sweeping *w = order;
  tl_sweeping old = *w;
  tl_status rc = take_buffers (w);
  if (!rc) {
    const tl_pool_kind kind = tl_sweep_pools (w->search);
    rc = tl_layers_move (&w->layers, &kind, convert, widening);
  }
  release_buffers (&old);
  if (!rc && w->crew)
    rc = tl_sweep_crew_move (w->crew, widening);
  return rc;
}

// Finds the shares of successors.  Their layers mostly have one: then there is
// nothing to be decided, and many are found at the same time.
static bool find_shares (const tl_sweeping *w, const uint32_t *list,
                         uint32_t count, uint32_t *share_of) {
  const uint32_t *class_of = w->class_of, *class_share = w->class_share;
  uint32_t most = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t found = class_share[class_of[list[i]]];
    share_of[i] = found;
    most = found > most ? found : most;
  }
  return most != TL_NO_SHARE;
}

static tl_status gather_linear (tl_sweeping *w, const uint32_t *list,
                                uint32_t count) {
  const tl_generator *generator = w->search->generator;
  uint32_t *share_of = w->share_of + w->worker.gathered;
  if (!generator->kind->transition && find_shares (w, list, count, share_of))
    return TL_OK;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t class =
        w->class_of[tl_generator_transition (generator, list[i])];
    w->sharing = i;
    const tl_status rc = w->class_share[class] == TL_NO_SHARE
                             ? share_with_class (w, list[i], class)
                             : TL_OK;
    if (rc)
      return rc;
    share_of[i] = w->class_share[class];
  }
  return TL_OK;
}

static tl_status gather_any (tl_sweeping *w, const uint32_t *list,
                             uint32_t count) {
  const uint32_t words = w->search->code.key_words;
  const uint64_t *key = w->worker.keys + w->worker.gathered * words;
  uint32_t *share_of = w->share_of + w->worker.gathered;
  for (uint32_t i = 0; i < count; i++, key += words) {
    tl_layer *layer;
    w->sharing = i;
    const tl_status rc = reach_any (w, key, list[i], &layer);
    if (rc)
      return rc;
    share_of[i] = share_with (w, layer);
  }
  return TL_OK;
}

tl_status tl_expand_share (tl_sweeping *w, const uint32_t *events,
                           uint32_t count) {
  return w->class_of ? gather_linear (w, events, count)
                     : gather_any (w, events, count);
}

// Notes where successors were found, and where they belong; of several ranks
// their owners do that.
static tl_status note (void *order, const uint32_t *list, uint32_t count) {
  tl_sweeping *w = order;
  uint64_t *origin = w->origin + w->worker.gathered;
  const uint64_t number =
      (w->fleet ? tl_fleet_number (w->fleet, w->number) : w->number)
      << w->event_bits;
  const bool positions = w->search->logs_positions;
  const uint32_t first = positions ? (uint32_t)(list - w->worker.enabled) : 0;
  for (uint32_t i = 0; i < count; i++)
    origin[i] = number | (positions ? first + i : list[i]);
  return w->fleet ? TL_OK : tl_expand_share (w, list, count);
}

static tl_status put (void *order) {
  tl_sweeping *w = order;
  const tl_status rc = w->fleet ? tl_fleet_send (w) : TL_OK;
  return rc ? rc : tl_expand_distribute (w);
}

tl_status tl_expand_gather (tl_sweeping *w, const uint64_t *keys,
                            const uint32_t *events, const uint64_t *origins,
                            size_t count) {
  tl_worker *worker = &w->worker;
  const uint32_t words = worker->key_words;
  tl_status rc = TL_OK;
  for (size_t from = 0, n; !rc && from < count; from += n) {
    const size_t room = w->room - worker->gathered;
    n = count - from < room ? count - from : room;
    memcpy (worker->keys + worker->gathered * words, keys + from * words,
            n * words * sizeof *keys);
    memcpy (w->origin + worker->gathered, origins + from, n * sizeof *origins);
    rc = tl_expand_share (w, events + from, (uint32_t)n);
    worker->gathered += n;
    if (!rc && worker->gathered == w->room)
      rc = tl_expand_distribute (w);
  }
  return !rc && worker->gathered >= w->room / 2 ? tl_expand_distribute (w) : rc;
}

// The successor by `transition` does not fit the layout.
static tl_status widen (void *order, uint32_t transition) {
  tl_sweeping *w = order;
  tl_status rc = tl_expand_distribute (w);
  if (!rc)
    rc = tl_sweep_finalise_waiting (w);
  return rc ? rc : tl_worker_widen (&w->worker, transition, move, w);
}

static tl_status collect (tl_sweeping *w) {
  tl_status rc = tl_sweep_finalise_waiting (w);
  if (!rc)
    rc = tl_worker_widen (&w->worker, TL_NO_EVENT, move, w);
  tl_sweep_collected (w);
  return !rc && w->search->fault.failed ? tl_search_failed (w->search) : rc;
}

static const tl_worker_hooks hooks = {.note = note, .put = put, .widen = widen},
                             fleet_hooks = {.note = note,
                                            .put = put,
                                            .widen = tl_fleet_defer,
                                            .defers = true};

static uint32_t event_of (const tl_sweeping *w, uint64_t origin) {
  return (uint32_t)(origin & tl_low_bits (w->event_bits));
}

// Looks for new states among those that are not sure; frees memory and tries
// again as long as there is some to be freed.
static tl_status check_candidates (tl_sweeping *w,
                                   tl_status (*how) (tl_layers *, tl_layer *)) {
  tl_status rc;
  while ((rc = how (&w->layers, w->line)) == TL_E_NOMEM && tl_sweep_relieve (w))
    continue;
  return rc;
}

tl_status tl_expand_check (tl_sweeping *w) {
  return check_candidates (w, tl_layers_take_new);
}

tl_status tl_expand_pop (tl_sweeping *w, uint64_t *record, uint32_t *event) {
  tl_status rc = TL_OK;
  while (!rc && !tl_layer_left (w->line))
    rc = tl_layer_checked (w->line) ? check_candidates (w, tl_layers_take_new)
                                    : TL_E_ARG;
  if (rc)
    return rc;
  while ((rc = tl_layers_pop (&w->layers, w->line, record)) == TL_E_NOMEM &&
         tl_sweep_relieve (w))
    continue;
  if (!rc)
    *event = event_of (w, record[w->key_words]);
  return rc;
}

void tl_expand_begin (tl_sweeping *w, uint64_t origin) {
  w->number = w->begins++;
  if (w->number) // else it is the initial one, which nothing led to
    tl_search_log (w->search, origin >> w->event_bits, event_of (w, origin));
  if (w->stream)
    tl_stream_add (w->stream, &(uint64_t){0}, origin >> w->event_bits,
                   event_of (w, origin));
}

tl_status tl_expand_here (tl_sweeping *w) {
  tl_worker *worker = &w->worker;
  const uint64_t *behind = worker->key + w->key_words;
  const uint64_t origin = behind[0];
  tl_expand_begin (w, origin);
  tl_worker_load (worker);
  if (w->touch_start)
    tl_sweep_read (w, worker->state);
  if (w->search->spec.numbered)
    w->found_as = behind[1];
  tl_status rc = tl_worker_visit (worker);
  if (w->number)
    tl_worker_prune (worker, event_of (w, origin));
  if (w->fleet)
    tl_fleet_note_dead (w);
  if (!rc)
    rc = tl_worker_fire (worker, worker->enabled, worker->count,
                         w->fleet ? &fleet_hooks : &hooks, w);
  if (!rc)
    w->expansion[w->expansions++] =
        (tl_expanded){w->found_as, worker->gathered};
  return rc;
}

static tl_status expand_next (tl_sweeping *w) {
  uint32_t event;
  const tl_status rc = tl_expand_pop (w, w->worker.key, &event);
  return rc ? rc : tl_expand_here (w);
}

// Expands the next state of the line; if it is not sure that there is one, it
// may be the next time.
static tl_status go_on (tl_sweeping *w) {
  return tl_layer_left (w->line) ? expand_next (w)
                                 : check_candidates (w, tl_layers_take_new);
}

tl_status tl_expand_some (tl_sweeping *w) {
  tl_status rc = TL_OK;
  if (!tl_layer_left (w->line) && !tl_layer_checked (w->line))
    rc = check_candidates (w, tl_layers_detect);
  while (!rc && w->worker.gathered < w->room / 2 && w->expansions < w->room &&
         (tl_layer_left (w->line) || tl_layer_checked (w->line)))
    rc = go_on (w);
  return rc ? rc : put (w);
}

tl_status tl_expand_line (tl_sweeping *w) {
  tl_status rc = TL_OK;
  while (!rc && tl_layers_line (&w->layers) == w->line) {
    if ((rc = tl_sweep_save_here (w)))
      break;
    if (tl_sweep_has_crew (w)) {
      rc = tl_sweep_run_crew (w);
      continue;
    }
    rc = tl_expand_some (w);
    if (!rc && tl_sweep_should_collect (w))
      rc = collect (w);
  }
  return rc;
}
