#ifndef TL_STORE_DELTA_H
#define TL_STORE_DELTA_H

#include "store/kinds.h"
#include "store/runs.h"

#include <string.h>

// What the parts of the delta store share: the tables with their hashes and
// codes, and walks along paths.  See delta.c for the whole; walk.c goes from
// states to their roots, lengthen.c makes fingerprints longer, and unsummed.c
// has what only keys that are not sums need.

// Keys or fingerprints that are looked at together.
enum { TL_DELTA_WALKS = 32 };

typedef struct tl_deltas {
  tl_store base;
  tl_runs fingerprints, roots, twins;
  unsigned hash_bits; // min (key bits, 64), or 64 if keys are not sums
  uint32_t implied;   // words of a key that the hash implies, the first ones:
                      // 1, or 0 if keys are not sums
  uint64_t *factor;   // [key words] of the hash, all odd
  uint64_t inverse;   // of the first
  uint64_t *step;     // [events] what an event adds to the hash
  uint32_t events;    // that are known
  size_t step_room;
  uint64_t *left;   // [TL_DELTA_WALKS][key words] keys with events taken back
  uint64_t *source; // [key words]
  uint32_t *path;   // [TL_DELTA_WALKS][k] those events, if keys are not sums
  uint64_t *recent; // [1 << recent_bits][recent words] states with fingerprints
  unsigned recent_bits;
  uint64_t lengthened; // how often fingerprints became longer
  uint64_t promoted;   // twins that became roots
  bool loose;          // some of them should have, but there was no memory
  tl_runs_cursor next; // of each
  uint64_t reconstructions, steps;
} tl_deltas;

// ---- Hashes ----------------------------------------------------------------

static inline uint64_t tl_delta_hash (const tl_deltas *d, const uint64_t *key) {
  uint64_t hash = 0;
  if (!d->implied)
    return d->base.spec.steps.hash (d->base.spec.steps.context, key);
  for (uint32_t w = 0; w < d->base.spec.key_words; w++)
    hash += d->factor[w] * key[w];
  return hash & tl_low_bits (d->hash_bits);
}

// Writes the first word of the key with that hash whose other words are there.
static inline void tl_delta_tell (const tl_deltas *d, uint64_t hash,
                                  uint64_t *key) {
  if (!d->implied)
    return;
  for (uint32_t w = 1; w < d->base.spec.key_words; w++)
    hash -= d->factor[w] * key[w];
  *key = d->inverse * hash & tl_low_bits (d->hash_bits);
}

// Bits of the hash below the fingerprint.
static inline unsigned tl_delta_below (const tl_deltas *d) {
  return d->hash_bits - d->fingerprints.head_bits;
}

// A fingerprint can be the whole key, and is.
static inline bool tl_delta_can_be_exact (const tl_deltas *d) {
  return d->implied && d->hash_bits == d->base.spec.key_bits;
}

static inline bool tl_delta_exact (const tl_deltas *d) {
  return tl_delta_can_be_exact (d) && d->fingerprints.head_bits == d->hash_bits;
}

// ---- States met lately -----------------------------------------------------

// The place of a hash among the states met lately.  Each has its hash there,
// and the words of its key that the hash does not tell.
static inline size_t tl_delta_recent_words (const tl_deltas *d) {
  return 1 + d->base.spec.key_words - d->implied;
}

static inline uint64_t *tl_delta_recent (const tl_deltas *d, uint64_t hash) {
  const uint64_t slot =
      tl_range (hash << (64 - d->hash_bits), (uint64_t)1 << d->recent_bits);
  return d->recent + slot * tl_delta_recent_words (d);
}

// Was the state met lately?  The place of hash 0 looks taken while it is
// empty, so it is not used.
static inline bool tl_delta_is_recent (const tl_deltas *d, uint64_t hash,
                                       const uint64_t *key) {
  const uint64_t *seen = tl_delta_recent (d, hash);
  const size_t more = tl_delta_recent_words (d) - 1;
  return *seen == hash && hash &&
         (!more || !memcmp (seen + 1, key + d->implied, more * sizeof *key));
}

static inline void tl_delta_remember (const tl_deltas *d, uint64_t hash,
                                      const uint64_t *key) {
  uint64_t *place = tl_delta_recent (d, hash);
  const size_t more = tl_delta_recent_words (d) - 1;
  *place = hash;
  if (more)
    memcpy (place + 1, key + d->implied, more * sizeof *key);
}

// ---- Codes -----------------------------------------------------------------

// What `fingerprints` says of a state: 0 for a root, else the event and the
// carry.
static inline uint64_t tl_delta_code (const tl_deltas *d, uint64_t hash,
                                      uint32_t event) {
  const unsigned shift = tl_delta_below (d);
  const uint64_t step = d->step[event],
                 source = (hash - step) & tl_low_bits (d->hash_bits);
  return 2 * (uint64_t)(event + 1) |
         (((hash >> shift) - (step >> shift) - (source >> shift)) & 1);
}

static inline uint32_t tl_delta_event (uint64_t code) {
  return (uint32_t)(code / 2 - 1);
}

// Of a walk: its key, with the events so far taken back.
static inline uint64_t *tl_delta_left (const tl_deltas *d, size_t i) {
  return d->left + i * d->base.spec.key_words;
}

static inline uint64_t tl_delta_code_at (const tl_deltas *d, tl_spot at) {
  return tl_get_bits (
      at.block, tl_runs_bit (&d->fingerprints, at) + d->fingerprints.remainder,
      d->fingerprints.payload_bits);
}

static inline void tl_delta_set_code (const tl_deltas *d, tl_spot at,
                                      uint64_t code) {
  tl_set_bits (at.block,
               tl_runs_bit (&d->fingerprints, at) + d->fingerprints.remainder,
               d->fingerprints.payload_bits, code);
}

// ---- Walks -----------------------------------------------------------------

// Paths that are walked side by side.
typedef struct tl_delta_walk {
  size_t count;
  bool keyed;                           // keys are looked for
  uint8_t item[TL_DELTA_WALKS];         // which one of its group
  uint64_t hash[TL_DELTA_WALKS];        // of these
  uint64_t fingerprint[TL_DELTA_WALKS]; // where the walk is
  uint64_t sum[TL_DELTA_WALKS];         // of the steps taken back
  uint32_t length[TL_DELTA_WALKS];
  uint8_t end[TL_DELTA_WALKS]; // of the walk
  uint64_t
      code[TL_DELTA_WALKS]; // of the state it began at, where it began at one
} tl_delta_walk;

enum {
  TL_NO_FINGERPRINT, // there is no such state
  TL_APART,          // the key cannot be that of the state
  TL_AT_ROOT,
  TL_AT_ONCE // the fingerprint said all, or a state met lately
};

static inline void tl_delta_walk_start (tl_delta_walk *w, size_t i,
                                        uint64_t fingerprint) {
  w->fingerprint[i] = fingerprint;
  w->sum[i] = 0;
  w->length[i] = 0;
  w->end[i] = TL_NO_FINGERPRINT;
}

// Looks whether the walk has come to a state that was met lately.
static inline bool tl_delta_walk_is_met (const tl_deltas *d, tl_delta_walk *w,
                                         size_t i) {
  const uint64_t hash = (w->hash[i] - w->sum[i]) & tl_low_bits (d->hash_bits);
  if (hash >> tl_delta_below (d) != w->fingerprint[i] ||
      !tl_delta_is_recent (d, hash, tl_delta_left (d, i)))
    return false;
  w->end[i] = TL_AT_ONCE;
  return true;
}

// Goes on with all that have not ended, or with this one.
void tl_delta_walk_back (const tl_deltas *, tl_delta_walk *);
void tl_delta_walk_back_one (const tl_deltas *, tl_delta_walk *, size_t);

// Collects states from the cursor on and walks from each to its root; returns
// how many, at most `most`.
size_t tl_delta_walk_from (tl_deltas *, tl_runs_cursor *, size_t most,
                           tl_delta_walk *);

// The root of a fingerprint: its hash, and where its other words are.
uint64_t tl_delta_walk_root (const tl_deltas *, uint64_t fingerprint,
                             tl_spot *);

// ---- Growth ----------------------------------------------------------------

// Makes room for more states, with longer fingerprints if it is time for them.
tl_status tl_delta_grow (tl_deltas *);

// Learns the events of a batch.  Where there is no memory for that, some of
// them remain unknown, and the states they lead to are kept whole.
void tl_delta_learn (tl_deltas *, const tl_batch *);

// Gives the store longer keys (store.h).
tl_status tl_delta_reshape (tl_store *, const tl_store_spec *,
                            const tl_conversion *);

// Adds a state that is kept whole and has a fingerprint.
tl_status tl_delta_add_root (tl_deltas *, uint64_t hash, const uint64_t *key);

#endif
