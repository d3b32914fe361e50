#ifndef TL_DISK_SUCCESSORS_H
#define TL_DISK_SUCCESSORS_H

#include "base/bits.h"

#include <stdbool.h>
#include <stddef.h>

// Successors that were found and not yet looked up: a key and the event by
// which it was found.  Where both fit into a word they are one, else the event
// stands before the key.
typedef struct tl_successor_form {
  uint32_t words;      // of a key
  uint32_t size;       // of a record, in words
  bool packed;         // in one word
  unsigned event_bits; // then: below the key
} tl_successor_form;

// Events below `events`, or equal to it.
static inline tl_successor_form
tl_successor_form_of (uint32_t words, uint32_t key_bits, uint32_t events) {
  const unsigned bits = tl_bits_for (events);
  const bool packed = words == 1 && key_bits + bits <= 64;
  return (tl_successor_form){.words = words,
                             .size = packed ? 1 : words + 1,
                             .packed = packed,
                             .event_bits = bits};
}

static inline void tl_successor_make (const tl_successor_form *f,
                                      const uint64_t *key, uint32_t event,
                                      uint64_t *record) {
  if (f->packed) {
    *record = *key << f->event_bits | event;
    return;
  }
  record[0] = event;
  tl_copy_words (record + 1, key, f->words);
}

static inline void tl_successor_key (const tl_successor_form *f,
                                     const uint64_t *record, uint64_t *key) {
  if (f->packed)
    *key = *record >> f->event_bits;
  else
    tl_copy_words (key, record + 1, f->words);
}

static inline uint32_t tl_successor_event (const tl_successor_form *f,
                                           const uint64_t *record) {
  return (uint32_t)(f->packed ? *record & tl_low_bits (f->event_bits)
                              : *record);
}

// Sorts records by their keys and leaves one of each key; how many are left.
// `room` is for as many.
size_t tl_successors_sort (const tl_successor_form *, uint64_t *records,
                           size_t count, uint64_t *room);

#endif
