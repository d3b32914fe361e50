#ifndef TL_CHECKPOINT_JOURNAL_H
#define TL_CHECKPOINT_JOURNAL_H

#include "base/spill.h"

#include <pthread.h>

// Every state that a search has found, in the order in which it was found, with
// the event that led to it and from where: a file that only grows.  So a
// checkpoint costs what is new since the one before, and a crash while it is
// written changes nothing of what was there.
//
// Whoever finds states has a stream of its own; the states of a stream are
// numbered from 0 on.  Keys are written as differences to the one before, and
// compressed in blocks, as in a queue: a state takes a byte or so.
//
//     stream, code | first state | states, bytes | packed bytes | sum | sum
//     packed: keys | events | parents                  (the last: of the head)
//
// Both checksums begin with the place of the block in the file.  The code is a
// number that the owner gives to the form of keys; it changes when fields get
// wider.
//
// Where the disk is full, blocks wait in memory for a better time; without
// memory for that the journal is lost, which nobody needs to finish a search.

// Where a state was found: the number of a state with its stream above.
#define TL_STREAM_BIT 44

// The form of keys and events.
typedef struct tl_journal_form {
  uint32_t code;
  uint32_t words, bits; // of keys, as for a queue
  uint32_t events;      // there are so many, and one number more for none
} tl_journal_form;

typedef struct tl_journal tl_journal;

typedef struct tl_stream {
  tl_journal *journal;
  struct tl_stream *next; // of the journal
  uint32_t number;
  tl_journal_form form;
  size_t record, event_bytes, limit; // states of a block
  unsigned char *keys, *events, *parents, *raw, *block;
  size_t parent_bytes; // written
  uint64_t *last;      // the key written last
  uint64_t parent;     // and its parent
  uint64_t first;      // state of the block at hand
  size_t count;        // and how many are in it
  tl_packer packer;
} tl_stream;

// Begins a file at the path, or replaces what is there.  TL_E_IO: it cannot be
// made.
tl_status tl_journal_open (tl_journal **, tl_mem *, const char *path,
                           tl_error *);
void tl_journal_close (tl_journal *);

// Streams are numbered in the order in which they are opened, from 0 on, by one
// thread.  They are closed with the journal.
tl_status tl_journal_stream (tl_journal *, const tl_journal_form *,
                             tl_stream **);
uint32_t tl_journal_streams (const tl_journal *);
tl_stream *tl_journal_number (const tl_journal *, uint32_t stream);

// The next state of the stream.  Several threads may write to streams of their
// own at the same time.
void tl_stream_add (tl_stream *, const uint64_t *key, uint64_t parent,
                    uint32_t event);
static inline uint64_t tl_stream_states (const tl_stream *s) {
  return s->first + s->count;
}

// From now on keys have another form, in all streams.
void tl_journal_reform (tl_journal *, const tl_journal_form *);

// Writes what is in memory, and waits until it is on the disk.  TL_E_IO: it
// cannot be written now (`sys` says why); TL_E_NOMEM: it is lost for good.
tl_status tl_journal_flush (tl_journal *, int *sys);
// Bytes of the file.
uint64_t tl_journal_length (const tl_journal *);

// ---- Reading ---------------------------------------------------------------

typedef struct tl_journal_reader tl_journal_reader;

// TL_E_SYNTAX: it is not there, shorter, or damaged.
tl_status tl_journal_read (tl_journal_reader **, tl_mem *, const char *path,
                           uint64_t length, tl_error *);
void tl_journal_reader_close (tl_journal_reader *);
// States of a stream.
uint64_t tl_journal_states (const tl_journal_reader *, uint32_t stream);

typedef struct tl_found {
  uint32_t code;
  const uint64_t *key;
  uint64_t parent;
  uint32_t event;
} tl_found;

// The forms of the codes, by their numbers.
typedef struct tl_journal_forms {
  const tl_journal_form *form;
  size_t count;
} tl_journal_forms;

// Shows the states from..end of a stream.  TL_E_SYNTAX as above; otherwise what
// `take` says.
tl_status tl_journal_show (tl_journal_reader *, const tl_journal_forms *,
                           uint32_t stream, uint64_t from, uint64_t end,
                           tl_status (*take) (void *, const tl_found *),
                           void *context, tl_error *);

#endif
