// The delta store: a state is kept as the event that led to it (Evangelista
// and Pradat-Peyre, "Memory efficient state space storage in explicit software
// model checking", 2005), and not even the state it came from is named.
//
// A key is a sum: the key after an event is the key before it plus a constant
// of the event.  So is its hash here, hash = sum of factor * word, and the
// upper bits of the hash, its fingerprint, change by a constant and at most a
// carry. The fingerprint of the state before is the fingerprint of the state
// less that constant: a fingerprint and an event lead to the next fingerprint,
// and so on, until one whose key is written down whole, a root.  The path and
// the root give the key.
//
//     hash           | fingerprint, m bits | rest of the hash |
//     fingerprints   -> event and carry, or 0 for a root    each state has one
//     roots          hash -> the other words of the key     every k-th depth
//     twins          hash -> the other words of the key     few
//
// No two entries of `fingerprints` are alike.  A state whose fingerprint
// another one has is a twin and is kept whole, and so are the states that are
// found from it, as its fingerprint leads elsewhere.
//
// Exact: the state that a fingerprint stands for is fixed by what is stored
// alone. To compare it with a key, the events on its path are taken back from
// the key too (backward firing), and what is left is compared with the root:
// taking back is a bijection, so they are equal exactly if the key is that
// state.  The paper stops on the way as soon as a place would be negative; here
// a key that is not stored has hardly ever a fingerprint that is, so nothing is
// left to stop.
//
// Every k-th depth is a root, so a path is shorter than k.  When a shorter path
// to a state is found, it replaces the one that is stored (updating of
// predecessors): the length of a path is one more than that of the state
// before, so the longer path of a state cannot be part of the shorter one, and
// no circle arises.
//
// The fingerprints grow with the number of states, so that one in some two
// hundred states is a twin.  When they are the whole hash, and that is the
// whole key, a fingerprint says all: no path is walked, and neither events nor
// more roots are needed.
//
// Keys that are not sums (coloured nets, not unfolded) come with a hash that is
// one.  It tells nothing of the key, so roots and twins have all of its words.
// Taking back may fail, which stops the walk as in the paper; and a key is told
// by going forth from its root again.
//
// Cost: log2 (events) + 1 + 7 + 2.4 bits a state / load, load 0.84 to 0.95, as
// `fingerprints` is a table of remainders; and a k-th of a quotient table.  The
// paper needs in addition the predecessor, log2 (states).  A lookup costs a
// cache miss a step; those of a group of keys are waited for together.

#include "store/delta.h"

#include "base/tuning.h"

// ---- Opening ---------------------------------------------------------------

static void delta_close (tl_store *base) {
  tl_deltas *d = (tl_deltas *)base;
  if (!d)
    return;
  tl_mem *mem = base->mem;
  const uint32_t words = base->spec.key_words;
  tl_runs_close (&d->fingerprints);
  tl_runs_close (&d->roots);
  tl_runs_close (&d->twins);
  TL_DEL (mem, d->factor, words);
  TL_DEL (mem, d->step, d->step_room);
  TL_DEL (mem, d->left, (size_t)TL_DELTA_WALKS * words);
  TL_DEL (mem, d->source, words);
  TL_DEL (mem, d->path, (size_t)TL_DELTA_WALKS * base->spec.delta_k);
  TL_DEL (mem, d->recent, tl_delta_recent_words (d) << d->recent_bits);
  TL_DEL (mem, d, 1);
}

// An odd number has an inverse mod 2^64; each round doubles its right bits.
static uint64_t inverse_of (uint64_t odd) {
  uint64_t inverse = odd;
  for (int i = 0; i < 5; i++)
    inverse *= 2 - odd * inverse;
  return inverse;
}

// What events do to the hash, where keys are sums and all events are known.
static void set_hash (tl_deltas *d) {
  const tl_steps *steps = &d->base.spec.steps;
  const uint32_t words = d->base.spec.key_words;
  for (uint32_t w = 0; w < words; w++)
    d->factor[w] = tl_mix ((uint64_t)d->base.spec.salt << 32 | (w + 1)) | 1;
  d->inverse = inverse_of (d->factor[0]);
  for (uint32_t e = 0; e < d->events; e++) {
    memset (d->source, 0, words * sizeof *d->source);
    steps->undo (steps->context, e, d->source);
    d->step[e] = -tl_delta_hash (d, d->source) & tl_low_bits (d->hash_bits);
  }
}

static tl_status open_sums (tl_deltas *d) {
  tl_mem *mem = d->base.mem;
  const uint32_t words = d->base.spec.key_words,
                 events = d->base.spec.steps.events;
  if (!TL_NEW (mem, d->factor, words) || !TL_NEW (mem, d->source, words) ||
      !TL_NEW (mem, d->step, events))
    return TL_E_NOMEM;
  d->step_room = d->events = events;
  set_hash (d);
  return TL_OK;
}

static tl_status open_unsummed (tl_deltas *d) {
  d->base.reshape = tl_delta_reshape;
  return TL_NEW (d->base.mem, d->path,
                 (size_t)TL_DELTA_WALKS * d->base.spec.delta_k)
             ? TL_OK
             : TL_E_NOMEM;
}

static tl_status open_tables (tl_deltas *d) {
  const tl_store_spec *spec = &d->base.spec;
  tl_mem *mem = d->base.mem;
  const unsigned bits = d->hash_bits,
                 rest = spec->key_bits - (d->implied ? bits : 0);
  const unsigned first =
      bits < TL_DELTA_FINGERPRINT ? bits : TL_DELTA_FINGERPRINT;
  const unsigned code = tl_bits_for (2 * (uint64_t)d->events + 1);
  tl_status rc = tl_runs_open (&d->fingerprints, mem, first, code);
  if (!rc)
    rc = tl_runs_open (&d->roots, mem, bits, rest);
  if (!rc)
    rc = tl_runs_open (&d->twins, mem, bits, rest);
  return rc;
}

static tl_status delta_open (tl_store **out, tl_mem *mem,
                             const tl_store_spec *spec) {
  *out = 0;
  tl_deltas *d;
  if (!TL_NEW (mem, d, 1))
    return TL_E_NOMEM;
  const uint32_t words = spec->key_words;
  d->base = (tl_store){
      .kind = &tl_store_delta, .mem = mem, .spec = *spec, .look_first = true};
  if (!spec->key_bits)
    d->base.spec.key_bits = 1;
  const uint32_t bits = d->base.spec.key_bits;
  d->implied = !spec->steps.hash;
  d->hash_bits = d->implied && bits < 64 ? bits : 64;
  d->recent_bits = TL_DELTA_RECENT;
  tl_status rc = d->implied ? open_sums (d) : open_unsummed (d);
  if (!rc &&
      (!TL_NEW (mem, d->left, (size_t)TL_DELTA_WALKS * words) ||
       !TL_NEW (mem, d->recent, tl_delta_recent_words (d) << TL_DELTA_RECENT)))
    rc = TL_E_NOMEM;
  if (!rc)
    rc = open_tables (d);
  if (rc) {
    delta_close (&d->base);
    return rc;
  }
  *out = &d->base;
  return TL_OK;
}

// ---- Putting ---------------------------------------------------------------

// A key on its way into the store.
typedef struct arrival {
  const uint64_t *key;
  uint64_t hash;
  uint32_t event; // that led to it
  uint32_t path;  // how long the path by that event is at most; 0: no path
} arrival;

typedef enum verdict { UNKNOWN, OWNER, TWIN } verdict;

// The key less the events of the path: is it the root at the path's end?
static bool is_root (const tl_deltas *d, const tl_delta_walk *w, size_t i) {
  const uint64_t hash = (w->hash[i] - w->sum[i]) & tl_low_bits (d->hash_bits);
  return hash >> tl_delta_below (d) == w->fingerprint[i] &&
         tl_runs_has (&d->roots, hash, tl_delta_left (d, i) + d->implied);
}

// The key of a walk that has ended: is it in the store?
static verdict judge (const tl_deltas *d, const tl_delta_walk *w, size_t i,
                      const uint64_t *key) {
  if (w->end[i] == TL_AT_ONCE || (w->end[i] == TL_AT_ROOT && is_root (d, w, i)))
    return OWNER;
  if (w->end[i] == TL_NO_FINGERPRINT && !d->loose)
    return UNKNOWN;
  return tl_runs_has (&d->twins, w->hash[i], key + d->implied) ? TWIN : UNKNOWN;
}

// Can the path of this one go by its source?  Returns false if the source is a
// twin; a hash that no twin has rules that out.
static bool has_path (const tl_deltas *d, const arrival *a) {
  tl_spot at;
  return a->path && !tl_runs_find (&d->twins,
                                   (a->hash - d->step[a->event]) &
                                       tl_low_bits (d->hash_bits),
                                   &at);
}

static tl_status add_twin (tl_deltas *d, const arrival *a) {
  tl_gap gap;
  const tl_status rc = tl_runs_gap (&d->twins, a->hash, &gap);
  if (!rc)
    tl_runs_fill (&d->twins, &gap, a->key + d->implied);
  return rc;
}

static tl_status add_owner (tl_deltas *d, const arrival *a) {
  tl_status rc = tl_runs_full (&d->fingerprints) ? tl_delta_grow (d) : TL_OK;
  if (rc)
    return rc;
  const bool whole = tl_delta_exact (d);
  if (!whole && !has_path (d, a))
    return tl_delta_add_root (d, a->hash, a->key);
  tl_gap gap;
  if ((rc =
           tl_runs_gap (&d->fingerprints, a->hash >> tl_delta_below (d), &gap)))
    return rc;
  const uint64_t code = whole ? 0 : tl_delta_code (d, a->hash, a->event);
  tl_runs_fill (&d->fingerprints, &gap, &code);
  return TL_OK;
}

// The state is known by a path of `length` steps; keeps the shorter one.
static void shorten (tl_deltas *d, const arrival *a, uint32_t length) {
  tl_spot at;
  if (a->path < length && has_path (d, a) &&
      tl_runs_find (&d->fingerprints, a->hash >> tl_delta_below (d), &at))
    tl_delta_set_code (d, at, tl_delta_code (d, a->hash, a->event));
}

static void start_key (const tl_deltas *d, tl_delta_walk *w, size_t i,
                       const uint64_t *key) {
  tl_delta_walk_start (w, i, w->hash[i] >> tl_delta_below (d));
  if (d->base.spec.key_words > d->implied)
    memcpy (tl_delta_left (d, i), key, d->base.spec.key_words * sizeof *key);
}

static verdict judge_again (const tl_deltas *d, tl_delta_walk *w, size_t i,
                            const uint64_t *key) {
  start_key (d, w, i, key);
  tl_delta_walk_back_one (d, w, i);
  return judge (d, w, i, key);
}

static tl_status put_walked (tl_deltas *d, tl_delta_walk *w, size_t i,
                             const arrival *a, bool stale, bool changed,
                             bool look, uint8_t *isnew) {
  verdict v = stale ? judge_again (d, w, i, a->key) : judge (d, w, i, a->key);
  if (v == UNKNOWN && changed) // it may have come with this very group
    v = judge_again (d, w, i, a->key);
  d->reconstructions += w->length[i] > 0;
  d->steps += w->length[i];
  *isnew = v == UNKNOWN;
  if (v == OWNER)
    shorten (d, a, w->length[i]);
  if (v == UNKNOWN && look)
    return TL_OK;
  tl_status rc = TL_OK;
  const bool twin = w->end[i] != TL_NO_FINGERPRINT;
  if (v == UNKNOWN) {
    rc = twin ? add_twin (d, a) : add_owner (d, a);
    d->base.count += !rc;
  }
  if (!rc && (v == OWNER || (v == UNKNOWN && !twin)))
    tl_delta_remember (d, a->hash, a->key);
  return rc;
}

// Begins walks from those of the next `count` keys that were not met lately.
static void start_walks (const tl_deltas *d, tl_delta_walk *w,
                         const tl_batch *batch, size_t count) {
  const uint64_t *key = batch->keys + batch->done * d->base.spec.key_words;
  w->count = 0;
  w->keyed = true;
  for (size_t i = 0; i < count; i++, key += d->base.spec.key_words) {
    const uint64_t hash = tl_delta_hash (d, key);
    batch->isnew[batch->done + i] = 0;
    if (tl_delta_is_recent (d, hash, key))
      continue;
    w->hash[w->count] = hash;
    w->item[w->count] = (uint8_t)i;
    start_key (d, w, w->count, key);
    tl_runs_prefetch (&d->fingerprints, w->fingerprint[w->count++]);
  }
}

static tl_status put_group (tl_deltas *d, tl_batch *batch, size_t n) {
  const tl_store_spec *spec = &d->base.spec;
  const size_t from = batch->done;
  const uint64_t count = d->base.count, lengthened = d->lengthened;
  const uint32_t path = (uint32_t)(batch->depth % spec->delta_k);
  tl_delta_walk w;
  start_walks (d, &w, batch, n);
  tl_delta_walk_back (d, &w);
  for (size_t i = 0; i < w.count; i++) {
    const size_t item = batch->done = from + w.item[i];
    const uint32_t event = batch->events ? batch->events[item] : UINT32_MAX;
    const arrival a = {.key = batch->keys + item * spec->key_words,
                       .hash = w.hash[i],
                       .event = event,
                       .path = event < d->events ? path : 0};
    const tl_status rc =
        put_walked (d, &w, i, &a, d->lengthened != lengthened,
                    d->base.count != count, batch->look, batch->isnew + item);
    if (rc)
      return rc;
  }
  batch->done = from + n;
  return TL_OK;
}

// Where a fingerprint says all, there is nothing to walk.
static tl_status put_exact (tl_deltas *d, tl_batch *batch, size_t n) {
  const size_t from = batch->done;
  uint64_t hash[TL_DELTA_WALKS];
  tl_spot at;
  for (size_t i = 0; i < n; i++) {
    hash[i] = tl_delta_hash (d, batch->keys + from + i);
    tl_runs_prefetch (&d->fingerprints, hash[i]);
  }
  for (size_t i = 0; i < n; i++, batch->done++) {
    const bool isnew = !tl_runs_find (&d->fingerprints, hash[i], &at);
    batch->isnew[from + i] = isnew;
    if (!isnew || batch->look)
      continue;
    const tl_status rc = add_owner (
        d, &(arrival){.key = batch->keys + from + i, .hash = hash[i]});
    if (rc)
      return rc;
    d->base.count++;
  }
  return TL_OK;
}

static tl_status delta_put (tl_store *base, tl_batch *batch) {
  tl_deltas *d = (tl_deltas *)base;
  tl_status rc = TL_OK;
  batch->done = 0;
  if (!d->implied && batch->events)
    tl_delta_learn (d, batch);
  while (!rc && batch->done < batch->count) {
    const size_t left = batch->count - batch->done,
                 n = left < TL_DELTA_WALKS ? left : TL_DELTA_WALKS;
    // All keys have fingerprints, once a fingerprint is a key; but for lack of
    // memory.
    rc = tl_delta_exact (d) && !d->loose ? put_exact (d, batch, n)
                                         : put_group (d, batch, n);
  }
  return rc;
}

// ---- Telling the keys ------------------------------------------------------

// The key of a walk that began without one.
static void rebuild_key (const tl_deltas *d, const tl_delta_walk *w, size_t i,
                         uint64_t *key) {
  const tl_store_spec *spec = &d->base.spec;
  uint64_t hash = w->fingerprint[i];
  memset (key, 0, spec->key_words * sizeof *key);
  if (w->end[i] != TL_AT_ONCE) {
    tl_spot at;
    hash = tl_delta_walk_root (d, hash, &at) + w->sum[i];
    tl_runs_payload (&d->roots, at, key + d->implied);
  }
  if (!d->implied)
    for (uint32_t n = w->length[i]; n--;)
      spec->steps.redo (spec->steps.context, d->path[i * spec->delta_k + n],
                        key);
  const uint64_t *left = tl_delta_left (d, i); // zero less the steps
  for (uint32_t word = 1; d->implied && word < spec->key_words; word++)
    key[word] -= left[word];
  tl_delta_tell (d, hash, key);
}

// What *cursor says: which table is being read.
enum { BEGIN, MARKS, TWINS };

// Any fingerprint may be on the path of another state, so no memory can be
// given back before the end.
static size_t delta_each (tl_store *base, uint64_t *cursor, size_t most,
                          uint64_t *keys, bool drain) {
  (void)drain;
  tl_deltas *d = (tl_deltas *)base;
  const uint32_t words = base->spec.key_words;
  size_t n = 0;
  tl_delta_walk w;
  if (*cursor == BEGIN) {
    d->next = (tl_runs_cursor){0};
    *cursor = MARKS;
  }
  while (*cursor == MARKS && n < most) {
    const size_t got = tl_delta_walk_from (d, &d->next, most - n, &w);
    for (size_t i = 0; i < got; i++)
      rebuild_key (d, &w, i, keys + n++ * words);
    if (!got) {
      d->next = (tl_runs_cursor){0};
      *cursor = TWINS;
    }
  }
  while (*cursor == TWINS && n < most && tl_runs_next (&d->twins, &d->next)) {
    uint64_t *key = keys + n * words;
    const uint64_t hash = tl_runs_head (&d->twins, d->next.home);
    memset (key, 0, words * sizeof *key);
    tl_runs_payload (&d->twins, d->next.at, key + d->implied);
    tl_delta_tell (d, hash, key);
    n += !tl_runs_has (&d->roots, hash, key + d->implied); // else it was told
  }
  return n;
}

static void delta_figures (const tl_store *base, tl_delta *figures) {
  const tl_deltas *d = (const tl_deltas *)base;
  *figures = (tl_delta){
      .k = base->spec.delta_k,
      .whole = tl_delta_exact (d)
                   ? base->count
                   : d->roots.count + d->twins.count - d->promoted,
      .reconstructions = d->reconstructions,
      .mean_length = d->reconstructions
                         ? (double)d->steps / (double)d->reconstructions
                         : 0};
}

const tl_store_kind tl_store_delta = {.name = "delta",
                                      .looks = true,
                                      .open = delta_open,
                                      .put = delta_put,
                                      .each = delta_each,
                                      .close = delta_close,
                                      .figures = delta_figures};
