#ifndef TL_LNA_SOURCE_H
#define TL_LNA_SOURCE_H

#include "base/arena.h"
#include "base/input.h"
#include "colour/term.h"

// A file in Helena's language as text, and the first thing that went wrong with
// it.  The first failure is remembered; whoever finds one returns null or
// false, and so does everybody above.
typedef struct tl_lna_source {
  tl_mem *mem;
  tl_error *err;
  const char *path;
  char *text;
  size_t length, room;
  tl_arena scratch; // what lives until the file is read
  tl_status status;
} tl_lna_source;

// Reads the whole input, whose first block is at hand.
tl_status tl_lna_source_open (tl_lna_source *, tl_mem *, tl_input *,
                              tl_error *);
void tl_lna_source_close (tl_lna_source *);

// Both remember the failure and return false.
bool tl_lna_fail (tl_lna_source *, tl_where, const char *format, ...)
    __attribute__ ((format (printf, 3, 4)));
bool tl_lna_refuse (tl_lna_source *, tl_status, tl_where, const char *format,
                    ...) __attribute__ ((format (printf, 4, 5)));
bool tl_lna_no_memory (tl_lna_source *);

// Zeroed memory that lives until the file is read; null was remembered.
void *tl_lna_get (tl_lna_source *, size_t count, size_t size);

#define TL_LNA_NEW(SOURCE, PTR, COUNT)                                         \
  ((PTR) = tl_lna_get ((SOURCE), (COUNT), sizeof *(PTR)))

#endif
