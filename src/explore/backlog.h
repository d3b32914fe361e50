#ifndef TL_EXPLORE_BACKLOG_H
#define TL_EXPLORE_BACKLOG_H

#include "base/spill.h"

// States to be dealt with, each with where it was found: a record is the key
// and one word, and where states are numbered another with its number.  The
// order is of no importance: the last ones are an array, those before blocks of
// differences, compressed.

typedef struct tl_backlog_kind {
  tl_mem *mem;
  tl_packer *packer;
  size_t words; // of a record
} tl_backlog_kind;

typedef struct tl_backlog {
  uint64_t *record;
  size_t count;
  size_t room;     // words
  tl_spill *rest;  // null: nothing was put away
  uint64_t packed; // records there
} tl_backlog;

static inline uint64_t tl_backlog_left (const tl_backlog *b) {
  return b->count + b->packed;
}

// On failure nothing has changed.  A record that was popped can be pushed again
// in any case.
tl_status tl_backlog_push (tl_backlog *, const tl_backlog_kind *,
                           const uint64_t *record);
tl_status tl_backlog_pop (tl_backlog *, const tl_backlog_kind *,
                          uint64_t *record);

// Empties it; returns how many bytes it had written to the disk.
uint64_t tl_backlog_close (tl_backlog *, const tl_backlog_kind *);

#endif
