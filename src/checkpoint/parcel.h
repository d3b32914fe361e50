#ifndef TL_CHECKPOINT_PARCEL_H
#define TL_CHECKPOINT_PARCEL_H

#include "base/mem.h"

// Numbers and bytes one after the other, to be written to a file and read
// again.  All is in words of eight bytes, the lowest byte first.  What goes
// wrong on the way is remembered and asked for at the end.

typedef struct tl_parcel {
  tl_mem *mem;
  unsigned char *bytes;
  size_t length, room;
  bool failed; // there was no memory
} tl_parcel;

#define TL_PARCEL(MEM) ((tl_parcel){.mem = (MEM)})
void tl_parcel_close (tl_parcel *);
void tl_parcel_empty (tl_parcel *);

void tl_parcel_number (tl_parcel *, uint64_t);
void tl_parcel_real (tl_parcel *, double);
void tl_parcel_bytes (tl_parcel *, const void *, size_t);
void tl_parcel_text (tl_parcel *, const char *); // null: ""
void tl_parcel_trace (tl_parcel *, const tl_trace *);

// Reading.  Where something is missing or is not what is read, `failed` is set,
// and numbers are 0.
typedef struct tl_unparcel {
  const unsigned char *at, *end;
  bool failed;
} tl_unparcel;

uint64_t tl_unparcel_number (tl_unparcel *);
// A number of that many things at most.
uint64_t tl_unparcel_count (tl_unparcel *, uint64_t most);
double tl_unparcel_real (tl_unparcel *);
// The bytes lie in the parcel.
const void *tl_unparcel_bytes (tl_unparcel *, size_t *length);
// The same for so many bytes exactly, copied.
void tl_unparcel_copy (tl_unparcel *, void *to, size_t length);
const char *tl_unparcel_text (tl_unparcel *);
// Made with malloc, of steps below `transitions`.  TL_E_NOMEM.
tl_status tl_unparcel_trace (tl_unparcel *, uint32_t transitions, tl_trace *);

#endif
