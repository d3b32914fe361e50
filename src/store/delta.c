// The delta store: a state is kept as the event that led to it (Evangelista
// and Pradat-Peyre, "Memory efficient state space storage in explicit software
// model checking", 2005), and not even the state it came from is named.
//
// A key is a sum: the key after an event is the key before it plus a constant
// of the event.  So is its hash here, hash = sum of factor * word, and the
// upper bits of the hash, its mark, change by a constant and at most a carry.
// The mark of the state before is the mark of the state less that constant:
// a mark and an event lead to the next mark, and so on, until one whose key
// is written down whole, a root.  The path and the root give the key.
//
//     hash    | mark, m bits | rest of the hash |
//     marks   mark -> event and carry, or 0 for a root     one for each state
//     roots   hash -> the other words of the key           every k-th depth
//     twins   hash -> the other words of the key           few
//
// No two entries of `marks` are alike.  A state whose mark another one has is
// a twin and is kept whole, and so are the states that are found from it, as
// its mark leads elsewhere.
//
// Exact: the state that a mark stands for is fixed by what is stored alone.
// To compare it with a key, the events on its path are taken back from the
// key too (backward firing), and what is left is compared with the root: taking
// back is a bijection, so they are equal exactly if the key is that state.  The
// paper stops on the way as soon as a place would be negative; here a key that
// is not stored has hardly ever a mark that is, so nothing is left to stop.
//
// Every k-th depth is a root, so a path is shorter than k.  When a shorter path
// to a state is found, it replaces the one that is stored (updating of
// predecessors): the length of a path is one more than that of the state
// before, so the longer path of a state cannot be part of the shorter one, and
// no circle arises.
//
// The marks grow with the number of states, so that one in some two hundred
// states is a twin.  When they are the whole hash, and that is the whole key, a
// mark says all: no path is walked, and no more roots are needed.
//
// Cost: log2 (events) + 1 + 7 + 2.4 bits a state / load, load 0.84 to 0.95, as
// `marks` is a table of remainders; and a k-th of a quotient table.  The paper
// needs in addition the predecessor, log2 (states).  A lookup costs a cache
// miss a step; those of a group of keys are waited for together.

#include "store/kinds.h"
#include "store/runs.h"

#include <string.h>

enum {
  GROUP = 32,
  FIRST_MARK_BITS = 14,
  // Marks get longer when they have not so many bits more than it takes to
  // count the states, and then have so many more.
  LEAST_SPARE = 6,
  SPARE = 8,
  SPARE_FOR_FEW = 12, // while there are so few that counting them takes
  FEW = 18,           // this many bits
  // With so few bits more a mark is the whole key, and no path is walked.
  NEAR_ENOUGH = 3,
  // Keys met lately are kept whole; they take at most such a share of `marks`.
  RECENT_SHARE = 24,
  FEW_RECENT = 7, // as powers of two
  MANY_RECENT = 16
};

typedef struct delta {
  tl_store base;
  tl_runs marks, roots, twins;
  unsigned hash_bits; // min (key bits, 64)
  uint64_t *factor;   // [key words] of the hash, all odd
  uint64_t inverse;   // of the first
  uint64_t *step;     // [events] what an event adds to the hash
  uint64_t *left;     // [GROUP][key words] keys with events taken back
  uint64_t *source;   // [key words]
  uint64_t *recent;   // [1 << recent_bits][key words] states with marks
  unsigned recent_bits;
  uint64_t lengthened; // how often marks became longer
  uint64_t promoted;   // twins that became roots
  bool loose;          // some of them should have, but there was no memory
  tl_runs_cursor next; // of each
  uint64_t reconstructions, steps;
} delta;

// Paths that are walked side by side.
typedef struct walk {
  size_t count;
  bool keyed;           // keys are looked for
  uint64_t hash[GROUP]; // of these
  uint64_t mark[GROUP]; // where the walk is
  uint64_t sum[GROUP];  // of the steps taken back
  uint32_t length[GROUP];
  uint8_t end[GROUP];   // of the walk
  uint64_t code[GROUP]; // of the state it began at, where it began at one
} walk;

enum {
  NO_MARK, // there is no such state
  AT_ROOT,
  AT_ONCE // the mark said all, or a state met lately
};

static uint64_t hash_of (const delta *d, const uint64_t *key) {
  uint64_t hash = 0;
  for (uint32_t w = 0; w < d->base.spec.key_words; w++)
    hash += d->factor[w] * key[w];
  return hash & tl_low_bits (d->hash_bits);
}

// The first word of the key with that hash whose other words are there.
static uint64_t first_word (const delta *d, uint64_t hash,
                            const uint64_t *key) {
  for (uint32_t w = 1; w < d->base.spec.key_words; w++)
    hash -= d->factor[w] * key[w];
  return d->inverse * hash & tl_low_bits (d->hash_bits);
}

// Bits of the hash below the mark.
static unsigned below (const delta *d) {
  return d->hash_bits - d->marks.head_bits;
}

// A mark is the whole key.
static bool exact (const delta *d) {
  return d->marks.head_bits == d->base.spec.key_bits;
}

// ---- Opening ---------------------------------------------------------------

static void delta_close (tl_store *base) {
  delta *d = (delta *)base;
  if (!d)
    return;
  tl_mem *mem = base->mem;
  const uint32_t words = base->spec.key_words;
  tl_runs_close (&d->marks);
  tl_runs_close (&d->roots);
  tl_runs_close (&d->twins);
  if (d->factor)
    TL_DEL (mem, d->factor, words);
  if (d->step)
    TL_DEL (mem, d->step, base->spec.steps.events);
  if (d->left)
    TL_DEL (mem, d->left, (size_t)GROUP * words);
  if (d->source)
    TL_DEL (mem, d->source, words);
  if (d->recent)
    TL_DEL (mem, d->recent, (size_t)words << d->recent_bits);
  TL_DEL (mem, d, 1);
}

// An odd number has an inverse mod 2^64; each round doubles its right bits.
static uint64_t inverse_of (uint64_t odd) {
  uint64_t inverse = odd;
  for (int i = 0; i < 5; i++)
    inverse *= 2 - odd * inverse;
  return inverse;
}

static void set_hash (delta *d) {
  const tl_steps *steps = &d->base.spec.steps;
  const uint32_t words = d->base.spec.key_words;
  for (uint32_t w = 0; w < words; w++)
    d->factor[w] = tl_mix ((uint64_t)d->base.spec.salt << 32 | (w + 1)) | 1;
  d->inverse = inverse_of (d->factor[0]);
  for (uint32_t e = 0; e < steps->events; e++) {
    memset (d->source, 0, words * sizeof *d->source);
    steps->undo (steps->context, e, d->source);
    d->step[e] = -hash_of (d, d->source) & tl_low_bits (d->hash_bits);
  }
}

static tl_status open_tables (delta *d) {
  const tl_store_spec *spec = &d->base.spec;
  tl_mem *mem = d->base.mem;
  const unsigned bits = d->hash_bits, rest = spec->key_bits - bits;
  const unsigned first = bits < FIRST_MARK_BITS ? bits : FIRST_MARK_BITS;
  const unsigned code = tl_bits_for (2 * (uint64_t)spec->steps.events + 1);
  tl_status rc = tl_runs_open (&d->marks, mem, first, code);
  if (!rc)
    rc = tl_runs_open (&d->roots, mem, bits, rest);
  if (!rc)
    rc = tl_runs_open (&d->twins, mem, bits, rest);
  return rc;
}

static tl_status delta_open (tl_store **out, tl_mem *mem,
                             const tl_store_spec *spec) {
  *out = 0;
  delta *d;
  if (!TL_NEW (mem, d, 1))
    return TL_E_NOMEM;
  const uint32_t words = spec->key_words;
  d->base = (tl_store){.kind = &tl_store_delta, .mem = mem, .spec = *spec};
  if (!spec->key_bits)
    d->base.spec.key_bits = 1;
  d->hash_bits = d->base.spec.key_bits < 64 ? d->base.spec.key_bits : 64;
  d->recent_bits = FEW_RECENT;
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, d->factor, words) &&
      TL_NEW (mem, d->step, spec->steps.events) &&
      TL_NEW (mem, d->left, (size_t)GROUP * words) &&
      TL_NEW (mem, d->recent, (size_t)words << FEW_RECENT) &&
      TL_NEW (mem, d->source, words))
    rc = open_tables (d);
  if (rc) {
    delta_close (&d->base);
    return rc;
  }
  set_hash (d);
  *out = &d->base;
  return TL_OK;
}

// ---- States met lately -----------------------------------------------------

// The place of a hash among the states met lately.  Each has its hash there,
// and the words of its key but the first.
static uint64_t *recent_at (const delta *d, uint64_t hash) {
  const uint64_t slot =
      tl_range (hash << (64 - d->hash_bits), (uint64_t)1 << d->recent_bits);
  return d->recent + slot * d->base.spec.key_words;
}

// Was the state met lately?  The place of hash 0 looks taken while it is
// empty, so it is not used.
static bool is_recent (const delta *d, uint64_t hash, const uint64_t *key) {
  const uint64_t *seen = recent_at (d, hash);
  if (*seen != hash || !hash)
    return false;
  for (uint32_t w = 1; w < d->base.spec.key_words; w++)
    if (seen[w] != key[w])
      return false;
  return true;
}

static void remember (const delta *d, uint64_t hash, const uint64_t *key) {
  uint64_t *place = recent_at (d, hash);
  *place = hash;
  for (uint32_t w = 1; w < d->base.spec.key_words; w++)
    place[w] = key[w];
}

// ---- Codes -----------------------------------------------------------------

// What `marks` says of a state: 0 for a root, else the event and the carry.
static uint64_t code_of (const delta *d, uint64_t hash, uint32_t event) {
  const unsigned shift = below (d);
  const uint64_t step = d->step[event],
                 source = (hash - step) & tl_low_bits (d->hash_bits);
  return 2 * (uint64_t)(event + 1) |
         (((hash >> shift) - (step >> shift) - (source >> shift)) & 1);
}

static uint32_t event_of (uint64_t code) {
  return (uint32_t)(code / 2 - 1);
}

// ---- Walking ---------------------------------------------------------------

static uint64_t *left_of (const delta *d, size_t i) {
  return d->left + i * d->base.spec.key_words;
}

static uint64_t code_at (const delta *d, tl_spot at) {
  return tl_get_bits (at.block,
                      tl_runs_bit (&d->marks, at) + d->marks.remainder,
                      d->marks.payload_bits);
}

static void set_code (const delta *d, tl_spot at, uint64_t code) {
  tl_set_bits (at.block, tl_runs_bit (&d->marks, at) + d->marks.remainder,
               d->marks.payload_bits, code);
}

// Looks whether the walk has come to a state that was met lately.
static bool is_met (const delta *d, walk *w, size_t i) {
  const uint64_t hash = (w->hash[i] - w->sum[i]) & tl_low_bits (d->hash_bits);
  if (hash >> below (d) != w->mark[i] || !is_recent (d, hash, left_of (d, i)))
    return false;
  w->end[i] = AT_ONCE;
  return true;
}

// One step back; false: the walk is at its end.
static bool step_back (const delta *d, walk *w, size_t i) {
  const tl_runs *marks = &d->marks;
  const uint64_t mark = w->mark[i];
  tl_spot at;
  if (!tl_runs_find (marks, mark, &at)) {
    w->end[i] = NO_MARK;
    return false;
  }
  if (exact (d)) {
    w->end[i] = AT_ONCE;
    return false;
  }
  const uint64_t code = code_at (d, at);
  const unsigned shift = below (d);
  if (!code) {
    w->end[i] = AT_ROOT;
    tl_runs_prefetch (&d->roots, mark << shift);
    return false;
  }
  const uint32_t event = event_of (code);
  const uint64_t step = d->step[event];
  w->mark[i] =
      (mark - (step >> shift) - code % 2) & tl_low_bits (marks->head_bits);
  tl_runs_prefetch (marks, w->mark[i]);
  w->sum[i] += step;
  w->length[i]++;
  if (d->base.spec.key_words > 1)
    d->base.spec.steps.undo (d->base.spec.steps.context, event, left_of (d, i));
  return !w->keyed || !is_met (d, w, i);
}

static void start (walk *w, size_t i, uint64_t mark) {
  w->mark[i] = mark;
  w->sum[i] = 0;
  w->length[i] = 0;
  w->end[i] = NO_MARK;
}

static void walk_back (const delta *d, walk *w) {
  uint8_t active[GROUP];
  size_t n = 0;
  for (size_t i = 0; i < w->count; i++)
    if (w->end[i] != AT_ONCE)
      active[n++] = (uint8_t)i;
  while (n) {
    size_t kept = 0;
    for (size_t k = 0; k < n; k++)
      if (step_back (d, w, active[k]))
        active[kept++] = active[k];
    n = kept;
  }
}

// The root of a mark: its hash, and where its other words are.
static uint64_t root_of (const delta *d, uint64_t mark, tl_spot *at) {
  const unsigned shift = below (d);
  tl_runs_cursor c;
  uint64_t hash;
  tl_runs_seek (&d->roots, mark << shift, &c);
  do {
    tl_runs_next (&d->roots, &c);
    hash = tl_runs_head (&d->roots, c.home);
  } while (hash >> shift != mark);
  *at = c.at;
  return hash;
}

// Collects states from the cursor on and walks from each to its root.
static size_t walk_from (delta *d, tl_runs_cursor *c, size_t most, walk *w) {
  const uint32_t words = d->base.spec.key_words;
  w->count = 0;
  w->keyed = false;
  memset (d->left, 0, (size_t)GROUP * words * sizeof *d->left);
  while (w->count < GROUP && w->count < most && tl_runs_next (&d->marks, c)) {
    w->code[w->count] = code_at (d, c->at);
    start (w, w->count++, tl_runs_head (&d->marks, c->home));
  }
  walk_back (d, w);
  return w->count;
}

// ---- Longer marks ----------------------------------------------------------

// The hashes of all states in the order of their marks: `more` bits of each
// below the mark, and the carry for marks that are so much longer.
typedef struct longer {
  unsigned more;
  size_t words;
  uint64_t *low, *carry;
} longer;

static void find_longer (delta *d, longer *l) {
  tl_runs_cursor c = {0};
  walk w;
  delta then = *d; // with the longer marks
  then.marks.head_bits += l->more;
  uint64_t n = 0;
  for (size_t got; (got = walk_from (d, &c, GROUP, &w));)
    for (size_t i = 0; i < got; i++, n++) {
      tl_spot ignored;
      const uint64_t hash = (root_of (d, w.mark[i], &ignored) + w.sum[i]) &
                            tl_low_bits (d->hash_bits);
      tl_set_bits (l->low, n * l->more, l->more,
                   hash >> below (&then) & tl_low_bits (l->more));
      if (w.code[i])
        tl_set_bits (l->carry, n, 1,
                     code_of (&then, hash, event_of (w.code[i])) & 1);
    }
}

static void set_carries (delta *d, const longer *l) {
  tl_runs_cursor c = {0};
  for (uint64_t n = 0; tl_runs_next (&d->marks, &c); n++) {
    const uint64_t code = code_at (d, c.at);
    set_code (d, c.at, (code & ~(uint64_t)1) | tl_get_bits (l->carry, n, 1));
  }
}

static tl_status add_root (delta *d, uint64_t hash, const uint64_t *key) {
  tl_gap mark, root;
  tl_status rc = tl_runs_gap (&d->marks, hash >> below (d), &mark);
  if (!rc)
    rc = tl_runs_gap (&d->roots, hash, &root);
  if (rc)
    return rc;
  tl_runs_fill (&d->roots, &root, key + 1);
  tl_runs_fill (&d->marks, &mark, &(uint64_t){0});
  return TL_OK;
}

// Twins whose longer mark no state has become roots, so that a key whose mark
// is not there need not be looked for among the twins.
static void give_marks (delta *d) {
  tl_runs_cursor c = {0};
  uint64_t *key = d->left;
  tl_spot at;
  while (!d->loose && tl_runs_next (&d->twins, &c)) {
    const uint64_t hash = tl_runs_head (&d->twins, c.home);
    if (tl_runs_find (&d->marks, hash >> below (d), &at))
      continue;
    tl_runs_payload (&d->twins, c.at, key + 1);
    if (add_root (d, hash, key))
      d->loose = true;
    else
      d->promoted++;
  }
}

static tl_status lengthen_marks (delta *d, unsigned more) {
  tl_mem *mem = d->base.mem;
  longer l = {.more = more, .words = (size_t)(d->marks.count * more / 64 + 1)};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, l.low, l.words) && TL_NEW (mem, l.carry, l.words)) {
    find_longer (d, &l);
    rc = tl_runs_grow (&d->marks, more, l.low);
    if (!rc) {
      set_carries (d, &l);
      give_marks (d);
    }
    d->lengthened++;
  }
  if (l.low)
    TL_DEL (mem, l.low, l.words);
  if (l.carry)
    TL_DEL (mem, l.carry, l.words);
  return rc;
}

// Makes the memory of keys met lately larger, as far as there is room.
static void grow_recent (delta *d) {
  tl_mem *mem = d->base.mem;
  const size_t words = d->base.spec.key_words,
               most = d->marks.map.size / RECENT_SHARE / sizeof (uint64_t);
  unsigned bits = d->recent_bits;
  while (bits < MANY_RECENT && words << (bits + 1) <= most)
    bits++;
  uint64_t *larger;
  if (bits == d->recent_bits || !TL_NEW (mem, larger, words << bits))
    return;
  TL_DEL (mem, d->recent, words << d->recent_bits);
  d->recent = larger;
  d->recent_bits = bits;
}

// How long marks get when it takes so many bits to count the states.
static unsigned longer_marks (const delta *d, unsigned needed) {
  const unsigned want = needed + (needed > FEW ? SPARE : SPARE_FOR_FEW),
                 most = d->hash_bits,
                 near = most == d->base.spec.key_bits ? NEAR_ENOUGH : 0;
  return want + near < most ? want : most;
}

static tl_status grow_marks (delta *d) {
  grow_recent (d);
  const unsigned now = d->marks.head_bits,
                 needed = tl_bits_for (d->marks.count);
  if (now < needed + LEAST_SPARE && now < d->hash_bits) {
    if (!lengthen_marks (d, longer_marks (d, needed) - now))
      return TL_OK;
  }
  return tl_runs_grow (&d->marks, 0, 0);
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
static bool is_root (const delta *d, const walk *w, size_t i) {
  const uint64_t hash = (w->hash[i] - w->sum[i]) & tl_low_bits (d->hash_bits);
  return hash >> below (d) == w->mark[i] &&
         tl_runs_has (&d->roots, hash, left_of (d, i) + 1);
}

// The key of a walk that has ended: is it in the store?
static verdict judge (const delta *d, const walk *w, size_t i,
                      const uint64_t *key) {
  if (w->end[i] == AT_ONCE || (w->end[i] == AT_ROOT && is_root (d, w, i)))
    return OWNER;
  if (w->end[i] == NO_MARK && !d->loose)
    return UNKNOWN;
  return tl_runs_has (&d->twins, w->hash[i], key + 1) ? TWIN : UNKNOWN;
}

// Can the path of this one go by its source?  Not if that is a twin; its hash
// is enough to say that it is none.
static bool has_path (const delta *d, const arrival *a) {
  tl_spot at;
  return a->path && !tl_runs_find (&d->twins,
                                   (a->hash - d->step[a->event]) &
                                       tl_low_bits (d->hash_bits),
                                   &at);
}

static tl_status add_twin (delta *d, const arrival *a) {
  tl_gap gap;
  const tl_status rc = tl_runs_gap (&d->twins, a->hash, &gap);
  if (!rc)
    tl_runs_fill (&d->twins, &gap, a->key + 1);
  return rc;
}

static tl_status add_owner (delta *d, const arrival *a) {
  tl_status rc = tl_runs_full (&d->marks) ? grow_marks (d) : TL_OK;
  if (rc)
    return rc;
  const bool whole = exact (d);
  if (!whole && !has_path (d, a))
    return add_root (d, a->hash, a->key);
  tl_gap gap;
  if ((rc = tl_runs_gap (&d->marks, a->hash >> below (d), &gap)))
    return rc;
  const uint64_t code = whole ? 0 : code_of (d, a->hash, a->event);
  tl_runs_fill (&d->marks, &gap, &code);
  return TL_OK;
}

// The state is known by a path of `length` steps; keeps the shorter one.
static void shorten (delta *d, const arrival *a, uint32_t length) {
  tl_spot at;
  if (a->path < length && has_path (d, a) &&
      tl_runs_find (&d->marks, a->hash >> below (d), &at))
    set_code (d, at, code_of (d, a->hash, a->event));
}

static void start_key (const delta *d, walk *w, size_t i, const uint64_t *key) {
  start (w, i, w->hash[i] >> below (d));
  memcpy (left_of (d, i), key, d->base.spec.key_words * sizeof *key);
}

static verdict judge_again (const delta *d, walk *w, size_t i,
                            const uint64_t *key) {
  start_key (d, w, i, key);
  while (step_back (d, w, i))
    continue;
  return judge (d, w, i, key);
}

static tl_status put_walked (delta *d, walk *w, size_t i, const arrival *a,
                             bool stale, bool changed, bool look,
                             uint8_t *isnew) {
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
  const bool twin = w->end[i] != NO_MARK;
  if (v == UNKNOWN) {
    rc = twin ? add_twin (d, a) : add_owner (d, a);
    d->base.count += !rc;
  }
  if (!rc && (v == OWNER || (v == UNKNOWN && !twin)))
    remember (d, a->hash, a->key);
  return rc;
}

static arrival arrival_of (const delta *d, const tl_batch *batch, size_t i,
                           uint64_t hash) {
  const tl_store_spec *spec = &d->base.spec;
  return (arrival){
      .key = batch->keys + i * spec->key_words,
      .hash = hash,
      .event = batch->events ? batch->events[i] : 0,
      .path = batch->events ? (uint32_t)(batch->depth % spec->delta_k) : 0};
}

static tl_status put_group (delta *d, tl_batch *batch, walk *w) {
  const uint32_t words = d->base.spec.key_words;
  const size_t from = batch->done;
  const uint64_t *keys = batch->keys + from * words;
  const uint64_t count = d->base.count, lengthened = d->lengthened;
  for (size_t i = 0; i < w->count; i++) {
    const uint64_t *key = keys + i * words;
    w->hash[i] = hash_of (d, key);
    start_key (d, w, i, key);
    if (!is_met (d, w, i))
      tl_runs_prefetch (&d->marks, w->mark[i]);
  }
  walk_back (d, w);
  for (size_t i = 0; i < w->count; i++, batch->done++) {
    const arrival a = arrival_of (d, batch, from + i, w->hash[i]);
    const tl_status rc = put_walked (d, w, i, &a, d->lengthened != lengthened,
                                     d->base.count != count, batch->look,
                                     batch->isnew + from + i);
    if (rc)
      return rc;
  }
  return TL_OK;
}

// Where a mark says all, there is nothing to walk.
static tl_status put_exact (delta *d, tl_batch *batch) {
  const size_t from = batch->done, left = batch->count - from,
               n = left < GROUP ? left : GROUP;
  uint64_t hash[GROUP];
  tl_spot at;
  for (size_t i = 0; i < n; i++) {
    hash[i] = hash_of (d, batch->keys + from + i);
    tl_runs_prefetch (&d->marks, hash[i]);
  }
  for (size_t i = 0; i < n; i++, batch->done++) {
    const bool isnew = !tl_runs_find (&d->marks, hash[i], &at);
    batch->isnew[from + i] = isnew;
    if (!isnew || batch->look)
      continue;
    const arrival a = arrival_of (d, batch, from + i, hash[i]);
    const tl_status rc = add_owner (d, &a);
    if (rc)
      return rc;
    d->base.count++;
  }
  return TL_OK;
}

static tl_status delta_put (tl_store *base, tl_batch *batch) {
  delta *d = (delta *)base;
  walk w;
  tl_status rc = TL_OK;
  batch->done = 0;
  while (!rc && batch->done < batch->count) {
    const size_t left = batch->count - batch->done;
    w.count = left < GROUP ? left : GROUP;
    w.keyed = true;
    // All keys have marks, once a mark is a key; but for lack of memory.
    rc = exact (d) && !d->loose ? put_exact (d, batch)
                                : put_group (d, batch, &w);
  }
  base->look_first = !exact (d); // it may have become so
  return rc;
}

// ---- Telling the keys ------------------------------------------------------

// The key of a walk that began without one.
static void rebuild_key (const delta *d, const walk *w, size_t i,
                         uint64_t *key) {
  uint64_t hash = w->mark[i];
  if (w->end[i] != AT_ONCE) {
    tl_spot at;
    hash = root_of (d, hash, &at) + w->sum[i];
    tl_runs_payload (&d->roots, at, key + 1);
  }
  const uint64_t *left = left_of (d, i); // zero less the steps
  for (uint32_t word = 1; word < d->base.spec.key_words; word++)
    key[word] -= left[word];
  *key = first_word (d, hash, key);
}

// What *cursor says: which table is being read.
enum { BEGIN, MARKS, TWINS };

// Any mark may be on the path of another state, so no memory can be given back
// before the end.
static size_t delta_each (tl_store *base, uint64_t *cursor, size_t most,
                          uint64_t *keys, bool drain) {
  (void)drain;
  delta *d = (delta *)base;
  const uint32_t words = base->spec.key_words;
  size_t n = 0;
  walk w;
  if (*cursor == BEGIN) {
    d->next = (tl_runs_cursor){0};
    *cursor = MARKS;
  }
  while (*cursor == MARKS && n < most) {
    const size_t got = walk_from (d, &d->next, most - n, &w);
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
    tl_runs_payload (&d->twins, d->next.at, key + 1);
    *key = first_word (d, hash, key);
    n += !tl_runs_has (&d->roots, hash, key + 1); // else it was told
  }
  return n;
}

static void delta_figures (const tl_store *base, tl_delta *figures) {
  const delta *d = (const delta *)base;
  *figures = (tl_delta){
      .k = base->spec.delta_k,
      .whole = exact (d) ? base->count
                         : d->roots.count + d->twins.count - d->promoted,
      .reconstructions = d->reconstructions,
      .mean_length = d->reconstructions
                         ? (double)d->steps / (double)d->reconstructions
                         : 0};
}

const tl_store_kind tl_store_delta = {
    .name = "delta",
    .looks = true,
    .open = delta_open,
    .put = delta_put,
    .each = delta_each,
    .close = delta_close,
    .figures = delta_figures,
};
