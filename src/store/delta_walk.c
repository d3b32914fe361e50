// Paths of the delta store: from a fingerprint to the fingerprint before, and
// on to a root. Those of a group go side by side, so that the memory of all
// their next steps is waited for together.

#include "store/delta.h"

// One step back; false: the walk is at its end.
static inline __attribute__ ((always_inline)) bool
step_back (const tl_deltas *d, tl_delta_walk *w, size_t i) {
  const tl_runs *fingerprints = &d->fingerprints;
  const uint64_t fingerprint = w->fingerprint[i];
  tl_spot at;
  if (!tl_runs_find (fingerprints, fingerprint, &at)) {
    w->end[i] = TL_NO_FINGERPRINT;
    return false;
  }
  if (tl_delta_exact (d)) {
    w->end[i] = TL_AT_ONCE;
    return false;
  }
  const uint64_t code = tl_delta_code_at (d, at);
  const unsigned shift = tl_delta_below (d);
  if (!code) {
    w->end[i] = TL_AT_ROOT;
    tl_runs_prefetch (&d->roots, fingerprint << shift);
    return false;
  }
  const uint32_t event = tl_delta_event (code);
  const uint64_t step = d->step[event];
  w->fingerprint[i] = (fingerprint - (step >> shift) - code % 2) &
                      tl_low_bits (fingerprints->head_bits);
  w->sum[i] += step;
  if (!d->implied && !w->keyed)
    d->path[i * d->base.spec.delta_k + w->length[i]] = event;
  else if (d->base.spec.key_words > d->implied &&
           !d->base.spec.steps.undo (d->base.spec.steps.context, event,
                                     tl_delta_left (d, i)))
    w->end[i] = TL_APART;
  w->length[i]++;
  if (w->end[i] == TL_APART || (w->keyed && tl_delta_walk_is_met (d, w, i)))
    return false;
  tl_runs_prefetch (fingerprints, w->fingerprint[i]);
  return true;
}

void tl_delta_walk_back (const tl_deltas *d, tl_delta_walk *w) {
  uint8_t active[TL_DELTA_WALKS];
  size_t n = 0;
  for (size_t i = 0; i < w->count; i++)
    active[n++] = (uint8_t)i;
  while (n) {
    size_t kept = 0;
    for (size_t k = 0; k < n; k++)
      if (step_back (d, w, active[k]))
        active[kept++] = active[k];
    n = kept;
  }
}

void tl_delta_walk_back_one (const tl_deltas *d, tl_delta_walk *w, size_t i) {
  while (step_back (d, w, i))
    continue;
}

uint64_t tl_delta_walk_root (const tl_deltas *d, uint64_t fingerprint,
                             tl_spot *at) {
  const unsigned shift = tl_delta_below (d);
  tl_runs_cursor c;
  uint64_t hash;
  tl_runs_seek (&d->roots, fingerprint << shift, &c);
  do {
    tl_runs_next (&d->roots, &c);
    hash = tl_runs_head (&d->roots, c.home);
  } while (hash >> shift != fingerprint);
  *at = c.at;
  return hash;
}

size_t tl_delta_walk_from (tl_deltas *d, tl_runs_cursor *c, size_t most,
                           tl_delta_walk *w) {
  const uint32_t words = d->base.spec.key_words;
  w->count = 0;
  w->keyed = false;
  memset (d->left, 0, (size_t)TL_DELTA_WALKS * words * sizeof *d->left);
  while (w->count < TL_DELTA_WALKS && w->count < most &&
         tl_runs_next (&d->fingerprints, c)) {
    w->code[w->count] = tl_delta_code_at (d, c->at);
    tl_delta_walk_start (w, w->count++,
                         tl_runs_head (&d->fingerprints, c->home));
  }
  tl_delta_walk_back (d, w);
  return w->count;
}
