#ifndef TL_SWEEP_ARCHIVE_H
#define TL_SWEEP_ARCHIVE_H

#include "base/spill.h"
#include "sweep/pool.h"

// The layer archive: the states of layers that left memory, in a temporary
// file.  A layer is a piece of a stream of bytes, which is cut into blocks;
// where it begins and how many keys it has is what is kept of it in memory.
// Layers come and go in the order of their progress, so the next one to be read
// is mostly where the last one ended.
//
//     | piece: head, run, run, ... | piece | ...          stream
//     | block         | block         | block being filled |
//
// The keys of a piece are gathered, some thousands at a time, sorted, and
// become a run: how many they are, and their differences (store/ascending.h).
// The last ones wait in memory for others of the same layer.
//
// A layer that has got new states has another piece of the stream, which says
// where the one before it is.
//
// Cost: a fifth of a byte to two bytes on the disk for each state, the fewer
// the larger layers are; some ten nanoseconds to write it, and a few to read
// it.

typedef struct tl_archive tl_archive;

typedef struct tl_archived {
  uint64_t at;    // of the last piece, in the stream
  uint64_t count; // its keys
  uint64_t total; // those of the pieces before included
} tl_archived;

// For keys of pools of that kind.
tl_status tl_archive_open (tl_archive **, tl_mem *, const tl_pool_kind *);
void tl_archive_close (tl_archive *); // may be null

// Writes a pool; what is in *archived is forgotten.
// TL_E_NOMEM: neither memory nor disk; only close is left.
tl_status tl_archive_write (tl_archive *, const tl_pool *, tl_archived *);

// Adds keys, none of which is there: the first words of records of that many
// words.  A piece that ends where the stream ends gets longer.  TL_E_NOMEM as
// above.
tl_status tl_archive_append (tl_archive *, tl_archived *,
                             const uint64_t *records, size_t stride, size_t n);

// Reads some keys, at most TL_ARCHIVE_BATCH, which stay until the next call; *n
// is 0 at the end.  One at a time: a cursor is read to its end before another
// is. Where keys were added to the last piece since *archived was noted, some
// of these may come, too.  TL_E_IO: what was written cannot be read back.
enum { TL_ARCHIVE_BATCH = 256 };

typedef struct tl_archive_cursor {
  tl_archived next; // pieces to be read
  uint64_t at;      // in the one being read
  uint64_t left;    // keys of that
  uint64_t run;     // and of its run
  uint64_t waiting; // keys given of those that are in no run so far
  bool last;        // it is the piece to which these belong
} tl_archive_cursor;

#define TL_ARCHIVE_CURSOR(ARCHIVED) ((tl_archive_cursor){.next = (ARCHIVED)})
tl_status tl_archive_read (tl_archive *, tl_archive_cursor *,
                           const uint64_t **keys, size_t *n);

// ---- Checkpoints -----------------------------------------------------------

// How much a copy has: whole blocks of so many bytes in a file, and behind them
// what is in `tail`.
typedef struct tl_archive_copy {
  uint64_t blocks;
  size_t block, tail;
} tl_archive_copy;

// Brings the copy up to date, which begins at `path` unless it has begun, and
// waits until it is on the disk.  TL_E_IO: it cannot be written.  TL_E_NOMEM:
// nor will anything else.
bool tl_archive_is_copied (const tl_archive *);
tl_status tl_archive_save (tl_archive *, const char *path, tl_archive_copy *,
                           tl_error *);
const unsigned char *tl_archive_tail (const tl_archive *);
// Reads a copy into an archive that is empty.  TL_E_SYNTAX: it is not there, or
// damaged; TL_E_NOMEM.
tl_status tl_archive_restore (tl_archive *, const char *path,
                              const tl_archive_copy *,
                              const unsigned char *tail, tl_error *);

// Moves what is in memory to the file; false: that gave no memory back.
bool tl_archive_flush (tl_archive *);
uint64_t tl_archive_spilled (const tl_archive *); // bytes written to the disk

#endif
