// Longer fingerprints for the delta store.  The hash of a state is known from
// its root and the steps to it, so its next bits are at hand; and where no
// other state has the longer fingerprint, a twin is none any more.

#include "base/tuning.h"
#include "store/delta.h"

enum { MANY_RECENT = 16 }; // keys met lately, a power of two

tl_status tl_delta_add_root (tl_deltas *d, uint64_t hash, const uint64_t *key) {
  tl_gap fingerprint, root;
  tl_status rc =
      tl_runs_gap (&d->fingerprints, hash >> tl_delta_below (d), &fingerprint);
  if (!rc)
    rc = tl_runs_gap (&d->roots, hash, &root);
  if (rc)
    return rc;
  tl_runs_fill (&d->roots, &root, key + d->implied);
  tl_runs_fill (&d->fingerprints, &fingerprint, &(uint64_t){0});
  return TL_OK;
}

// The hashes of all states in the order of their fingerprints: `more` bits of
// each below the fingerprint, and the carry for fingerprints that are so much
// longer.
typedef struct longer {
  unsigned more;
  size_t words;
  uint64_t *low, *carry;
} longer;

static void find_longer (tl_deltas *d, longer *l) {
  tl_runs_cursor c = {0};
  tl_delta_walk w;
  tl_deltas then = *d; // with the longer fingerprints
  then.fingerprints.head_bits += l->more;
  uint64_t n = 0;
  for (size_t got; (got = tl_delta_walk_from (d, &c, TL_DELTA_WALKS, &w));)
    for (size_t i = 0; i < got; i++, n++) {
      tl_spot ignored;
      const uint64_t hash =
          (tl_delta_walk_root (d, w.fingerprint[i], &ignored) + w.sum[i]) &
          tl_low_bits (d->hash_bits);
      tl_set_bits (l->low, n * l->more, l->more,
                   hash >> tl_delta_below (&then) & tl_low_bits (l->more));
      if (w.code[i])
        tl_set_bits (l->carry, n, 1,
                     tl_delta_code (&then, hash, tl_delta_event (w.code[i])) &
                         1);
    }
}

static void set_carries (tl_deltas *d, const longer *l) {
  tl_runs_cursor c = {0};
  for (uint64_t n = 0; tl_runs_next (&d->fingerprints, &c); n++) {
    const uint64_t code = tl_delta_code_at (d, c.at);
    tl_delta_set_code (d, c.at,
                       (code & ~(uint64_t)1) | tl_get_bits (l->carry, n, 1));
  }
}

// Twins whose longer fingerprint no state has become roots, so that a key whose
// fingerprint is not there need not be looked for among the twins.
static void give_fingerprints (tl_deltas *d) {
  tl_runs_cursor c = {0};
  uint64_t *key = d->left;
  tl_spot at;
  while (!d->loose && tl_runs_next (&d->twins, &c)) {
    const uint64_t hash = tl_runs_head (&d->twins, c.home);
    if (tl_runs_find (&d->fingerprints, hash >> tl_delta_below (d), &at))
      continue;
    tl_runs_payload (&d->twins, c.at, key + d->implied);
    if (tl_delta_add_root (d, hash, key))
      d->loose = true;
    else
      d->promoted++;
  }
}

// A fingerprint that says all needs no event.  Without memory they just stay.
static void drop_codes (tl_deltas *d) {
  uint64_t code;
  tl_runs_change_payloads (&d->fingerprints,
                           &(tl_payload_change){.new = &code});
}

static tl_status lengthen_fingerprints (tl_deltas *d, unsigned more) {
  tl_mem *mem = d->base.mem;
  longer l = {.more = more,
              .words = (size_t)(d->fingerprints.count * more / 64 + 1)};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, l.low, l.words) && TL_NEW (mem, l.carry, l.words)) {
    find_longer (d, &l);
    rc = tl_runs_grow (&d->fingerprints, more, l.low);
    if (!rc) {
      if (tl_delta_exact (d))
        drop_codes (d);
      else
        set_carries (d, &l);
      give_fingerprints (d);
    }
    d->lengthened++;
  }
  TL_DEL (mem, l.low, l.words);
  TL_DEL (mem, l.carry, l.words);
  return rc;
}

// Makes the memory of keys met lately larger, as far as there is room and paths
// are walked at all.
static void grow_recent (tl_deltas *d) {
  tl_mem *mem = d->base.mem;
  const size_t words = tl_delta_recent_words (d),
               most = d->fingerprints.map.size / TL_DELTA_RECENT_SHARE /
                      sizeof (uint64_t);
  unsigned bits = d->recent_bits;
  while (bits < MANY_RECENT && words << (bits + 1) <= most)
    bits++;
  uint64_t *larger;
  if (bits == d->recent_bits || tl_delta_exact (d) ||
      !TL_NEW (mem, larger, words << bits))
    return;
  TL_DEL (mem, d->recent, words << d->recent_bits);
  d->recent = larger;
  d->recent_bits = bits;
}

// How long fingerprints get when it takes so many bits to count the states.
// Where the rest of the key is no longer than an event, a fingerprint is the
// whole key.
static unsigned longer_fingerprints (const tl_deltas *d, unsigned needed) {
  const unsigned want = needed + (needed > TL_DELTA_FEW ? TL_DELTA_SPARE
                                                        : TL_DELTA_SPARE_FEW),
                 most = d->hash_bits,
                 near = tl_delta_can_be_exact (d) ? d->fingerprints.payload_bits
                                                  : 0;
  return want + near < most ? want : most;
}

tl_status tl_delta_grow (tl_deltas *d) {
  grow_recent (d);
  const unsigned now = d->fingerprints.head_bits,
                 needed = tl_bits_for (d->fingerprints.count);
  if (now < needed + TL_DELTA_LEAST_SPARE && now < d->hash_bits) {
    if (!lengthen_fingerprints (d, longer_fingerprints (d, needed) - now))
      return TL_OK;
  }
  return tl_runs_grow (&d->fingerprints, 0, 0);
}
