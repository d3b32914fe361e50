// Keys that are not sums, for the delta store: events are met during the
// search, and keys get longer.
//
// What an event adds to the hash is asked when it comes first, and the codes of
// all states get longer when the numbers of events do.  Longer keys concern
// only the states that are whole, as fingerprints and events have nothing to do
// with the form of keys.

#include "store/delta.h"

// Makes the codes so long that they have room for events below `events`.
static tl_status widen_codes (tl_deltas *d, uint32_t events) {
  const unsigned bits = tl_bits_for (2 * (uint64_t)events + 1);
  if (bits <= d->fingerprints.payload_bits)
    return TL_OK;
  uint64_t code;
  return tl_runs_change_payloads (
      &d->fingerprints, &(tl_payload_change){.bits = bits, .new = &code});
}

void tl_delta_learn (tl_deltas *d, const tl_batch *batch) {
  const tl_steps *steps = &d->base.spec.steps;
  uint32_t events = d->events;
  for (size_t i = 0; i < batch->count; i++)
    if (batch->events[i] >= events)
      events = batch->events[i] + 1;
  if (events == d->events ||
      !TL_ROOM (d->base.mem, d->step, &d->step_room, (size_t)events) ||
      widen_codes (d, events))
    return;
  for (; d->events < events; d->events++)
    d->step[d->events] = steps->change (steps->context, d->events);
}

static tl_status reshape_table (tl_runs *r, unsigned bits, uint64_t *old,
                                uint64_t *key, const tl_conversion *how) {
  return tl_runs_change_payloads (
      r, &(tl_payload_change){.bits = bits,
                              .old = old,
                              .new = key,
                              .context = how->context,
                              .convert = how->convert});
}

tl_status tl_delta_reshape (tl_store *base, const tl_store_spec *spec,
                            const tl_conversion *how) {
  tl_deltas *d = (tl_deltas *)base;
  tl_mem *mem = base->mem;
  tl_deltas then = *d; // with the longer keys
  then.base.spec = *spec;
  if (!TL_NEW (mem, then.left, (size_t)TL_DELTA_WALKS * spec->key_words))
    return TL_E_NOMEM;
  if (!TL_NEW (mem, then.recent,
               tl_delta_recent_words (&then) << d->recent_bits)) {
    TL_DEL (mem, then.left, (size_t)TL_DELTA_WALKS * spec->key_words);
    return TL_E_NOMEM;
  }
  tl_status rc =
      reshape_table (&then.roots, spec->key_bits, d->left, then.left, how);
  if (!rc)
    rc = reshape_table (&then.twins, spec->key_bits, d->left, then.left, how);
  TL_DEL (mem, d->left, (size_t)TL_DELTA_WALKS * base->spec.key_words);
  TL_DEL (mem, d->recent, tl_delta_recent_words (d) << d->recent_bits);
  *d = then;
  return rc;
}
