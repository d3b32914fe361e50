#ifndef TL_STORE_STORE_H
#define TL_STORE_STORE_H

#include "base/mem.h"

// A set of keys (encoded states).  put() finds or adds keys; it takes all
// successors of one or several states in one call, so that a store can start
// every memory access before it waits for the first.  Keys are never removed
// one by one.
//
// Profile the stores are built for: 3 to 30 puts per stored key, most of
// which find.
//
// The n-th new key, counted from zero, has number n.  Stores that `get` hand
// a key back by its number; the others are cheaper.
//
// If put() returns TL_E_NOMEM, the first `done` keys of the batch were treated
// as if the batch had ended there, the others were not touched, and the store
// remains usable.
typedef struct tl_store tl_store;

typedef struct tl_batch {
  size_t count;
  const uint64_t *keys; // count * key_words
  // For stores that keep states as differences: the transition that led to
  // each key; null where that is not known.  The state it fired in must have
  // been put before, at a depth of one less than `depth`, or without events.
  const uint32_t *events;
  uint64_t depth;
  // Where memory is short somebody else might give some: fail rather than make
  // do with little.  Not every kind knows a difference.
  bool patient;
  bool look;      // add nothing, only fill `isnew` and, for keys that are
                  // there, `numbers`; for kinds that look and numbered stores
  uint8_t *isnew; // out: 1 for a key that was not there
  // Out, may be null: the number of each key.  Only stores opened with
  // spec.numbered tell it.
  uint64_t *numbers;
  size_t done; // out
} tl_batch;

// How keys change when a transition fires: the key before it, from the key
// after it.  Where keys are sums, this is exact and needs no marking.
//
// For keys that are not sums, `hash` is one: each event changes it by a
// constant of its own.  Then `undo` may say that no state that was ever put
// leads to this one by the event, and `redo` goes forth from a state that was
// put to another.
typedef struct tl_steps {
  const void *context;
  bool (*undo) (const void *context, uint32_t event, uint64_t *key);
  uint32_t events; // transitions of the net; without end if keys are not sums
  uint64_t (*hash) (const void *context, const uint64_t *key); // null: a sum
  uint64_t (*change) (const void *context, uint32_t event);    // of the hash
  void (*redo) (const void *context, uint32_t event, uint64_t *key);
} tl_steps;

// What a store is to hold.
typedef struct tl_store_spec {
  uint32_t key_words; // 64-bit words of a key
  uint32_t key_bits;  // of these, bits that may be set, counted from the low
                      // end of the first word
  bool numbered;      // put() is to tell numbers; not every kind can
  // Keys have many lengths: a key ends with its last bit that is set, and gets
  // longer only by zeros behind it (lengths.h).
  bool lengths;
  bool lean; // memory counts more than time
  // Stores that are to take each other's keys are to have different ones: keys
  // are told in the order of their hashes, and putting them in that very order
  // would fill a store from one end.
  uint32_t salt;
  unsigned owner_bits;  // the keys are in so many shards, as a power of two; or
                        // this is one of them
  uint32_t part, parts; // of the shards only that part is here, of so many; 0:
                        // all are
  tl_steps steps;       // for stores that keep states as differences
  uint32_t delta_k;     // the same: explicit at every k-th depth
} tl_store_spec;

// Makes a key of another form.
typedef struct tl_conversion {
  const void *context;
  void (*convert) (const void *context, const uint64_t *old, uint64_t *key);
} tl_conversion;

typedef struct tl_store_kind {
  const char *name; // as in --store=NAME
  bool looks;       // put() can look without adding; that cannot fail
  bool numbers;     // put() can tell numbers
  bool whole;       // keys are kept word by word: shorter ones save whole words
  // Keys of many lengths: those that differ by so many bits are kept apart, but
  // long ones in so many steps each time the length doubles.  0: all together.
  unsigned unit, steps;
  unsigned longest; // bits: longer keys are smaller as they are; 0: none are
  tl_status (*open) (tl_store **, tl_mem *, const tl_store_spec *);
  tl_status (*put) (tl_store *, tl_batch *);
  // Tells the keys, up to `most` at a time; returns how many, 0 at the end.
  // *cursor is 0 at first.  Stores that `get` give them in the order of their
  // numbers.  With `drain` the memory of the keys told is given back; then only
  // this and close may be called until the end.
  size_t (*each) (tl_store *, uint64_t *cursor, size_t most, uint64_t *keys,
                  bool drain);
  void (*close) (tl_store *);
  // How full it would be with so many keys more: from 1 on it is to grow.  And
  // has it grow now, if it can: later somebody might wait for it.  Null:
  // growing does not take long.
  double (*fill) (const tl_store *, uint64_t more);
  void (*grow) (tl_store *);
  // Calls for the memory in which the first keys of the next batch are looked
  // for, and does not wait for it.  Null: nobody does.
  void (*call) (const tl_store *, const uint64_t *keys, size_t count);
  // What only stores of differences have to tell; null for the others.
  void (*figures) (const tl_store *, tl_delta *);
} tl_store_kind;

struct tl_store {
  const tl_store_kind *kind;
  tl_mem *mem;
  tl_store_spec spec;
  uint64_t count;
  uint64_t foreseen; // keys that it will have in the end, as far as one can
                     // tell; 0: nobody can.  Where it grows for the last time
                     // it gets no larger than these take.
  bool look_first; // depth-first search is to look at many keys at once before
                   // it puts one
  // The key of number n for n < count; null where the store cannot tell.
  void (*get) (const tl_store *, uint64_t number, uint64_t *key);
  // Gives the store another specification, with longer keys that `convert`
  // makes of those it has; null where keys have to be put into a new store.
  // TL_E_NOMEM: it can only be closed.
  tl_status (*reshape) (tl_store *, const tl_store_spec *,
                        const tl_conversion *);
};

// Opens a store of that kind, or several for keys of many lengths, or shards.
tl_status tl_store_open (tl_store **, const tl_store_kind *, tl_mem *,
                         const tl_store_spec *);

// Opens a store of a kind that tells numbers.
tl_status tl_store_open_numbered (tl_store **, tl_mem *, uint32_t key_words,
                                  uint32_t key_bits);

const tl_store_kind *tl_store_find (const char *name); // or null
// The same name, for good; some kinds have several.  Or null.
const char *tl_store_name (const char *name);

#endif
