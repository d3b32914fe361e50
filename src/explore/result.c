// Telling the result of a search: figures of states and places, what the store
// took, and where the bytes went.

#include "base/clock.h"
#include "explore/how.h"
#include "explore/on_device.h"
#include "explore/parallel.h"
#include "explore/saving.h"
#include "net/origin.h"

#include <stdlib.h>
#include <string.h>

static uint64_t states_of (const tl_search *s) {
  const uint64_t seen = tl_search_seen (s),
                 most = seen > s->found ? seen : s->found;
  // A walk may have proved the net unbounded before anything was stored.
  return most ? most : 1;
}

static void fill_counts (const tl_search *s) {
  tl_exploration *r = s->result;
  r->stop = s->stop;
  r->complete = s->stop == TL_STOP_DONE;
  r->states = states_of (s);
  r->arcs = s->census.arcs;
  r->followed = s->census.followed;
  r->deadlocks = s->census.deadlocks;
  r->max_tokens_per_marking = s->census.max_tokens;
  r->depth = s->depth;
}

static tl_status fill_nodes (const tl_search *s) {
  tl_exploration *r = s->result;
  const tl_net *net = s->net;
  r->places = net->places;
  r->transitions = net->transitions;
  r->place_max = malloc ((net->places + 1) * sizeof *r->place_max);
  r->fired = malloc (net->transitions + 1);
  if (!r->place_max || !r->fired)
    return TL_E_NOMEM;
  memcpy (r->place_max, s->census.place_max,
          net->places * sizeof *r->place_max);
  memcpy (r->fired, s->census.fired, net->transitions);
  s->generator->kind->tell (s->generator, r);
  for (uint32_t t = 0; t < tl_shown_transitions (net); t++) {
    const tl_node_range same = tl_shown_transition (net, t);
    r->dead_transitions +=
        !same.count || !memchr (r->fired + same.first, 1, same.count);
  }
  return TL_OK;
}

static void fill_store (const tl_search *s) {
  tl_exploration *r = s->result;
  r->store = s->external ? "disk" : s->store_kind->name;
  if (s->external)
    r->store_why = "sorted runs, looked through at the end of each level";
  else if (!tl_net_has_arcs (s->net) && s->how->store)
    r->store = tl_store_name (s->options->store);
  else if (s->how->store && strcmp (s->options->store, r->store))
    r->store_why = "collapse is for nets that are not unfolded";
  if (s->store && s->store_kind->figures)
    s->store_kind->figures (s->store, &r->delta);
  r->bits = s->code.bits;
  r->plain_bits = s->layout.plain_bits;
  r->store_bytes = s->states.peak;
  r->bytes_per_state = (double)r->store_bytes / (double)r->states;
}

static void add_row (tl_exploration *r, const tl_mem *account,
                     size_t would_be) {
  tl_exploration_add_row (r, account->name, account->peak, would_be);
}

static void fill_memory (const tl_search *s) {
  tl_exploration *r = s->result;
  add_row (r, &s->states,
           (size_t)(r->states * ((s->layout.plain_bits + 7) / 8 + 8)));
  add_row (r, &s->queue, 0);
  add_row (r, &s->trace, 0);
  add_row (r, &s->engine, 0);
  if (s->components.peak)
    add_row (r, &s->components, 0);
  if (s->saving)
    add_row (r, tl_saving_account (s->saving), 0);
  r->spilled_bytes = s->spilled + (s->log ? tl_log_spilled (s->log) : 0);
  r->peak_rss_bytes = tl_mem_peak_resident ();
}

tl_status tl_search_fill_result (tl_search *s) {
  fill_counts (s);
  fill_store (s);
  const tl_status rc = fill_nodes (s);
  if (rc)
    return rc;
  fill_memory (s);
  tl_on_device_tell (s);
  s->result->threads_why = s->on_device ? 0 : tl_parallel_why (s);
  s->result->seconds = tl_clock () - s->start;
  return TL_OK;
}
