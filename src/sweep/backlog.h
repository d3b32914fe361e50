#ifndef TL_SWEEP_BACKLOG_H
#define TL_SWEEP_BACKLOG_H

#include "base/spill.h"

// States to be expanded, each with where it was found: a record is the key and
// one word, and where states are numbered another with its number.  The order
// is of no importance: the last ones are an array, those before are blocks.
//
// Keys of a layer differ from the one before by the same few numbers again and
// again.  So a block has a byte for most keys: which of the differences seen
// last it is.  A key that is not given by that follows in full, and the other
// words are differences of as many bytes as the largest of the block needs.
// That takes three or four bytes a record, little more than with a general
// compressor, in a tenth of its time.  Where all backlogs together take more
// than an eighth of the memory of the run, large ones go to temporary files.

typedef struct tl_backlog_kind {
  tl_mem *mem;
  size_t words;          // of a record
  size_t key_words;      // the first of them
  size_t key_bytes;      // that these fill
  unsigned char *packed; // a block on its way, made for the first one
  uint64_t *shown;       // a block that was read
  uint64_t *recent;      // differences, and a record of zeros before the first
} tl_backlog_kind;

void tl_backlog_kind_close (tl_backlog_kind *);

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

// On failure nothing has changed.
tl_status tl_backlog_push (tl_backlog *, tl_backlog_kind *,
                           const uint64_t *record);

// Takes some records, at most so many and at least one if one is left.  These
// can be pushed again in any case.
tl_status tl_backlog_pop (tl_backlog *, tl_backlog_kind *, size_t most,
                          uint64_t *records, size_t *n);

// Moves the last records, at most a block of them, to a backlog that is empty.
// On failure nothing has changed.
tl_status tl_backlog_move (tl_backlog *from, tl_backlog *to,
                           const tl_backlog_kind *);

// Shows records where they are, those of block 0, 1, ...; *n is 0 at the end.
tl_status tl_backlog_show (const tl_backlog *, tl_backlog_kind *,
                           uint64_t block, const uint64_t **records, size_t *n);

// Moves to the disk what it has put away, if that is worth a file; false: that
// gave no memory back.
bool tl_backlog_flush (tl_backlog *, const tl_backlog_kind *);

// Empties it; returns how many bytes it had written to the disk.
uint64_t tl_backlog_close (tl_backlog *, const tl_backlog_kind *);

#endif
