// Driving a search: an order runs on what was prepared, what ends it becomes a
// status, and batches find room in the store.

#include "explore/search.h"

#include "base/clock.h"
#include "base/error.h"
#include "explore/certify.h"
#include "explore/choose.h"
#include "explore/how.h"
#include "explore/parallel.h"
#include "explore/replay.h"
#include "explore/saving.h"
#include "explore/together.h"

#include <errno.h>

void tl_search_open_log (tl_search *s) {
  if (!s->log && tl_log_open (&s->log, &s->trace, &s->packer))
    s->log = 0;
}

void tl_search_drop_log (tl_search *s) {
  if (!s->log)
    return;
  s->spilled += tl_log_spilled (s->log);
  tl_log_close (s->log);
  s->log = 0;
}

tl_status tl_search_log_trace (tl_search *s, uint64_t number, tl_trace *trace) {
  if (!s->log)
    return TL_E_LIMIT;
  const tl_status rc = tl_log_trace (s->log, number, trace);
  if (rc != TL_E_IO)
    return rc;
  tl_search_drop_log (s); // the disk failed; the states are all there
  return TL_E_LIMIT;
}

tl_status tl_search_leave_layers (tl_search *s) {
  s->sweeping = false;
  tl_search_open_log (s);
  return tl_store_open (&s->store, s->store_kind, &s->states, &s->spec);
}

void tl_search_enter_layers (tl_search *s) {
  tl_search_drop_log (s);
  if (s->store) // else it was lost when keys were to be widened
    s->store->kind->close (s->store);
  s->store = 0;
  if (!s->how->store) // it may have changed on the way
    s->store_kind = tl_choose_store (s);
  s->sweeping = true;
  s->found = s->depth = s->queued = s->enough = 0;
}

// Puts what is left of a batch.
static tl_status put_rest (tl_search *s, tl_batch *batch) {
  tl_batch rest = *batch;
  const size_t done = batch->done;
  rest.count -= done;
  rest.keys += done * s->code.key_words;
  rest.isnew += done;
  if (rest.events)
    rest.events += done;
  if (rest.numbers)
    rest.numbers += done;
  const tl_status rc = s->store->kind->put (s->store, &rest);
  batch->done += rest.done;
  return rc;
}

bool tl_search_give_way (tl_search *s) {
  if ((s->log && tl_log_flush (s->log)) || (s->flush && s->flush (s)))
    return true;
  const bool drops = s->log;
  tl_search_drop_log (s);
  return drops;
}

// Memory was short: puts the rest where somebody gives some, then without
// being patient, then in a leaner store.
static __attribute__ ((noinline)) tl_status put_in_need (tl_search *s,
                                                         tl_batch *batch) {
  tl_status rc = TL_E_NOMEM;
  while (rc == TL_E_NOMEM && tl_search_give_way (s))
    rc = put_rest (s, batch);
  batch->patient = false;
  if (rc == TL_E_NOMEM)
    rc = put_rest (s, batch);
  if (rc == TL_E_NOMEM && tl_choose_should_save (s) &&
      !(rc = tl_choose_leaner (s)))
    rc = put_rest (s, batch);
  return rc;
}

tl_status tl_search_put (tl_search *s, tl_batch *batch) {
  batch->patient = true;
  tl_status rc = s->store->kind->put (s->store, batch);
  if (rc == TL_E_NOMEM)
    rc = put_in_need (s, batch);
  return !rc && tl_choose_should_try (s) ? tl_choose_try (s) : rc;
}

// The keys of a store, whose memory is given back.
typedef struct draining {
  tl_store *store;
  uint64_t cursor;
} draining;

static size_t drain (void *context, size_t most, uint64_t *keys) {
  draining *d = context;
  return d->store->kind->each (d->store, &d->cursor, most, keys, true);
}

// The search is complete.
static tl_status finalise_all (tl_search *s) {
  tl_search_drop_log (s); // there are no traces any more
  draining d = {.store = s->store};
  return tl_search_finalise_all (
      s, &(tl_finalised){.context = &d, .next = drain, .store = s->store});
}

static tl_status begin (tl_search *s) {
  const tl_visitor *v = s->visitor;
  if (s->stop != TL_STOP_DONE || !v || !v->begin)
    return TL_OK;
  const tl_status rc = tl_search_heed (s, v->begin (v->context, s));
  return !rc && s->stop != TL_STOP_DONE ? TL_E_LIMIT : rc;
}

static tl_status run (tl_search *s, const tl_order *order) {
  tl_status rc = tl_search_open (s);
  const bool opened = !rc;
  if (!rc)
    rc = begin (s);
  if (!rc && s->stop == TL_STOP_DONE)
    rc = order->run (s);
  if (s->cluster && opened && !s->met)
    rc = tl_together_meet (s, false, rc);
  if (!rc && s->stop == TL_STOP_DONE && s->roster && (rc = tl_certify (s)) &&
      rc != TL_E_NOMEM && rc != TL_E_LIMIT)
    return rc;
  if (!rc && s->stop == TL_STOP_DONE && !order->finalises &&
      tl_search_finalises (s))
    rc = finalise_all (s);
  if (rc == TL_E_NOMEM && (s->store || s->found || s->census.states)) {
    s->stop = TL_STOP_MEMORY; // what was found until then is a result
    rc = TL_OK;
  }
  if (rc == TL_E_LIMIT && s->stop != TL_STOP_DONE)
    rc = TL_OK;
  if (!rc)
    rc = tl_search_fill_result (s);
  if (rc == TL_E_IO && !s->external) {
    errno = EIO; // whatever the read made of it: a fault of the machine
    return tl_fail (s->error, rc, "a temporary file cannot be read back");
  }
  return rc == TL_E_NOMEM
             ? tl_fail (s->error, TL_E_NOMEM,
                        "the memory budget is too small to start with")
             : rc;
}

static tl_status check_stubborn (const tl_net *net, const tl_how *how,
                                 const tl_visitor *visitor, tl_error *error) {
  if (!tl_net_has_arcs (net) && how->stubborn == TL_REDUCE_PROPERTY)
    return tl_fail (error, TL_E_ARG,
                    "stubborn sets for a property are for nets that can be "
                    "unfolded");
  if (how->stubborn == TL_REDUCE_PROPERTY && !(visitor && visitor->attract))
    return tl_fail (error, TL_E_ARG,
                    "stubborn sets for a property need a property");
  return TL_OK;
}

static tl_status check_options (const tl_net *net, const tl_options *options,
                                const tl_visitor *visitor, tl_how *how,
                                tl_error *error) {
  tl_status rc = tl_how_parse (how, options, error);
  if (rc)
    return rc;
  if (options->delta_k < 1 || options->delta_k > 255)
    return tl_fail (error, TL_E_ARG, "delta_k is not a number from 1 to 255");
  if (options->threads > TL_MOST_THREADS)
    return tl_fail (error, TL_E_ARG, "there are at most %d threads",
                    TL_MOST_THREADS);
  if ((rc = check_stubborn (net, how, visitor, error)) ||
      (rc = tl_certify_check (net, options, how, visitor, error)))
    return rc;
  if (visitor && visitor->arcs &&
      (how->order == &tl_order_dfs || (how->store && !how->store->numbers)))
    return tl_fail (
        error, TL_E_ARG,
        "a graph needs the order bfs or sweep, and the store plain");
  return TL_OK;
}

tl_status tl_explore_share (tl_mem *root, const tl_net *net,
                            const tl_options *options,
                            const tl_visitor *visitor, const tl_fleet *team,
                            tl_exploration *result, tl_error *error) {
  *result =
      (tl_exploration){.size = sizeof *result, .threads = 1, .counted = true};
  tl_how how;
  tl_status rc = check_options (net, options, visitor, &how, error);
  if (rc)
    return rc;
  result->order = how.order->name;
  result->stubborn = tl_reduction_name (how.stubborn);
  result->counted = !result->stubborn;
  const double now = tl_clock ();
  tl_search s = {.net = net,
                 .options = options,
                 .how = &how,
                 .visitor = visitor,
                 .result = result,
                 .error = error,
                 .root = root,
                 .cluster = team ? team->cluster : 0,
                 .lookout = team ? team->lookout : 0,
                 .engine = TL_MEM (root, "engine"),
                 .states = TL_MEM (root, "states"),
                 .queue = TL_MEM (root, "queue"),
                 .trace = TL_MEM (root, "trace log"),
                 .components = TL_MEM (root, "components"),
                 .store_kind = how.store,
                 .sweeping = how.order == &tl_order_sweep,
                 .external = how.order == &tl_order_disk,
                 .for_property = how.stubborn == TL_REDUCE_PROPERTY,
                 .start = now,
                 .next_report = now + 0.1,
                 .deadline = options->timeout > 0 ? now + options->timeout : 0};
  tl_parallel_plan (&s);
  s.packer = TL_PACKER (&s.engine);
  if (options->checkpoint)
    rc = tl_saving_open (&s.saving, &s);
  if (!rc) {
    rc = run (&s, how.order);
    if (s.saving)
      tl_saving_end (s.saving, &s, rc);
    if (s.lookout)
      s.lookout->close (&s.watch);
    tl_search_close (&s);
  }
  tl_saving_close (s.saving);
  if (!rc && (rc = tl_replay_result (net, result)) == TL_E_INTERNAL)
    tl_fail (error, rc,
             "a trace does not replay: this is a fault in tideline, "
             "please report it");
  if (rc)
    tl_exploration_close (result);
  return rc;
}

tl_status tl_explore_on (tl_mem *root, const tl_net *net,
                         const tl_options *options, const tl_visitor *visitor,
                         tl_exploration *result, tl_error *error) {
  return tl_explore_share (root, net, options, visitor, 0, result, error);
}

tl_status tl_explore_together (tl_mem *root, const tl_net *net,
                               const tl_options *options,
                               const tl_visitor *visitor, const tl_fleet *team,
                               tl_exploration *result, tl_error *error) {
  const char *why = tl_together_refusal (net, options, visitor);
  tl_mem mem = TL_MEM (root, "engine");
  tl_status rc =
      why ? TL_OK : tl_together_call (team->cluster, net, options, &mem);
  if (rc)
    return tl_fail (error, rc, "no memory to tell the net to other ranks");
  rc = tl_explore_share (root, net, options, visitor, why ? 0 : team, result,
                         error);
  if (!rc && result->ranks < 2 && !result->ranks_why)
    result->ranks_why = why ? why : "so few states are found sooner by one";
  return rc;
}
