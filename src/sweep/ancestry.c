#include "sweep/ancestry.h"

#include <stdlib.h>
#include <string.h>

enum {
  RECORDS = 4096, // of a block
  LONGEST = 15,   // bytes of a record: ten of a distance, five of a transition
  PART = 32       // of the memory of the run it may take one part
};

struct tl_ancestry {
  tl_mem *mem;
  uint64_t count;
  unsigned char *tail; // the block being written
  size_t written;      // bytes
  unsigned char *read; // a block fetched for a trace
  uint64_t fetched;    // its number; UINT64_MAX: none
  tl_spill full;       // the blocks before
};

tl_status tl_ancestry_open (tl_ancestry **out, tl_mem *mem, tl_packer *packer) {
  *out = 0;
  tl_ancestry *a;
  if (!TL_NEW (mem, a, 1))
    return TL_E_NOMEM;
  *a = (tl_ancestry){.mem = mem, .fetched = UINT64_MAX};
  tl_spill_open (&a->full, mem, packer, PART);
  if (!TL_NEW (mem, a->tail, RECORDS * LONGEST)) {
    tl_ancestry_close (a);
    return TL_E_NOMEM;
  }
  *out = a;
  return TL_OK;
}

void tl_ancestry_close (tl_ancestry *a) {
  if (!a)
    return;
  tl_mem *mem = a->mem;
  tl_spill_close (&a->full);
  TL_DEL (mem, a->tail, RECORDS * LONGEST);
  TL_DEL (mem, a->read, RECORDS * LONGEST);
  TL_DEL (mem, a, 1);
}

static unsigned char *write_number (unsigned char *at, uint64_t n) {
  for (; n >= 128; n >>= 7)
    *at++ = (unsigned char)(n | 128);
  *at++ = (unsigned char)n;
  return at;
}

static const unsigned char *read_number (const unsigned char *at, uint64_t *n) {
  unsigned shift = 0;
  for (*n = 0; *at & 128; at++, shift += 7)
    *n |= (uint64_t)(*at & 127) << shift;
  *n |= (uint64_t)*at << shift;
  return at + 1;
}

tl_status tl_ancestry_add (tl_ancestry *a, uint64_t parent,
                           uint32_t transition) {
  if (a->count && a->count % RECORDS == 0) {
    const tl_status rc = tl_spill_append (&a->full, a->tail, a->written);
    if (rc)
      return rc;
    a->written = 0;
  }
  unsigned char *at = a->tail + a->written;
  at = write_number (at, a->count - parent);
  at = write_number (at, transition);
  a->written = (size_t)(at - a->tail);
  a->count++;
  return TL_OK;
}

// The block that has the record, in memory.
static tl_status fetch (tl_ancestry *a, uint64_t number,
                        const unsigned char **block) {
  const uint64_t wanted = number / RECORDS;
  *block = a->tail;
  if (wanted == a->full.count)
    return TL_OK;
  if (!a->read && !TL_NEW (a->mem, a->read, RECORDS * LONGEST))
    return TL_E_NOMEM;
  *block = a->read;
  if (wanted == a->fetched)
    return TL_OK;
  size_t size;
  a->fetched = UINT64_MAX;
  const tl_status rc =
      tl_spill_read (&a->full, wanted, a->read, RECORDS * LONGEST, &size);
  if (!rc)
    a->fetched = wanted;
  return rc;
}

static tl_status record_of (tl_ancestry *a, uint64_t number, uint64_t *parent,
                            uint32_t *transition) {
  const unsigned char *at;
  const tl_status rc = fetch (a, number, &at);
  if (rc)
    return rc;
  uint64_t distance = 0, t = 0;
  for (uint64_t i = 0; i <= number % RECORDS; i++)
    at = read_number (read_number (at, &distance), &t);
  *parent = number - distance;
  *transition = (uint32_t)t;
  return TL_OK;
}

static void reverse (tl_trace *trace) {
  for (uint64_t i = 0, j = trace->length; i + 1 < j; i++) {
    const uint32_t swap = trace->transition[i];
    trace->transition[i] = trace->transition[--j];
    trace->transition[j] = swap;
  }
}

tl_status tl_ancestry_trace (tl_ancestry *a, uint64_t number, tl_trace *trace) {
  size_t room = 64;
  *trace = (tl_trace){.transition = malloc (room * sizeof (uint32_t))};
  if (!trace->transition)
    return TL_E_NOMEM;
  tl_status rc;
  uint64_t parent;
  uint32_t transition;
  while (!(rc = record_of (a, number, &parent, &transition)) &&
         parent != number) {
    if (trace->length == room) {
      room *= 2;
      uint32_t *more = realloc (trace->transition, room * sizeof *more);
      if (!more) {
        rc = TL_E_NOMEM;
        break;
      }
      trace->transition = more;
    }
    trace->transition[trace->length++] = transition;
    number = parent;
  }
  if (rc) {
    free (trace->transition);
    *trace = (tl_trace){0};
    return rc;
  }
  reverse (trace);
  return TL_OK;
}

bool tl_ancestry_flush (tl_ancestry *a) {
  return tl_spill_flush (&a->full);
}

uint64_t tl_ancestry_spilled (const tl_ancestry *a) {
  return a->full.written;
}
