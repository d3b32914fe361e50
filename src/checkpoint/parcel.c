#include "checkpoint/parcel.h"

#include "base/bits.h"

#include <stdlib.h>

enum { WORD = 8 };

static size_t round_up (size_t length) {
  return (length + WORD - 1) / WORD * WORD;
}

// ---- Writing ---------------------------------------------------------------

void tl_parcel_close (tl_parcel *p) {
  TL_DEL (p->mem, p->bytes, p->room);
  *p = TL_PARCEL (p->mem);
}

void tl_parcel_empty (tl_parcel *p) {
  p->length = 0;
  p->failed = false;
}

// Room for so many bytes more, in words; null: there is none.
static unsigned char *more (tl_parcel *p, size_t length) {
  const size_t whole = round_up (length);
  if (p->failed || !TL_ROOM (p->mem, p->bytes, &p->room, p->length + whole)) {
    p->failed = true;
    return 0;
  }
  unsigned char *at = p->bytes + p->length;
  memset (at, 0, whole);
  p->length += whole;
  return at;
}

void tl_parcel_number (tl_parcel *p, uint64_t number) {
  unsigned char *at = more (p, WORD);
  if (at)
    tl_write_word (at, number);
}

void tl_parcel_real (tl_parcel *p, double real) {
  uint64_t bits;
  memcpy (&bits, &real, sizeof bits);
  tl_parcel_number (p, bits);
}

void tl_parcel_bytes (tl_parcel *p, const void *bytes, size_t length) {
  tl_parcel_number (p, length);
  unsigned char *at = more (p, length);
  if (at && length)
    memcpy (at, bytes, length);
}

void tl_parcel_text (tl_parcel *p, const char *text) {
  tl_parcel_bytes (p, text ? text : "", text ? strlen (text) + 1 : 1);
}

void tl_parcel_trace (tl_parcel *p, const tl_trace *trace) {
  tl_parcel_number (p, trace->transition != 0);
  if (!trace->transition)
    return;
  tl_parcel_number (p, trace->loop);
  tl_parcel_number (p, trace->loop_from);
  tl_parcel_number (p, trace->length);
  for (uint64_t i = 0; i < trace->length; i++)
    tl_parcel_number (p, trace->transition[i]);
}

// ---- Reading ---------------------------------------------------------------

static const unsigned char *take (tl_unparcel *u, uint64_t length) {
  const unsigned char *at = u->at;
  if (u->failed || length > (uint64_t)(u->end - at) ||
      round_up ((size_t)length) > (size_t)(u->end - at)) {
    u->failed = true;
    return 0;
  }
  u->at += round_up ((size_t)length);
  return at;
}

uint64_t tl_unparcel_number (tl_unparcel *u) {
  const unsigned char *at = take (u, WORD);
  return at ? tl_read_word (at) : 0;
}

uint64_t tl_unparcel_count (tl_unparcel *u, uint64_t most) {
  const uint64_t count = tl_unparcel_number (u);
  u->failed |= count > most;
  return u->failed ? 0 : count;
}

double tl_unparcel_real (tl_unparcel *u) {
  const uint64_t bits = tl_unparcel_number (u);
  double real;
  memcpy (&real, &bits, sizeof real);
  return real;
}

const void *tl_unparcel_bytes (tl_unparcel *u, size_t *length) {
  const uint64_t count = tl_unparcel_number (u);
  const void *bytes = take (u, count);
  *length = bytes ? (size_t)count : 0;
  return bytes;
}

void tl_unparcel_copy (tl_unparcel *u, void *to, size_t length) {
  size_t there;
  const void *bytes = tl_unparcel_bytes (u, &there);
  u->failed |= there != length;
  if (!u->failed && length)
    memcpy (to, bytes, length);
}

const char *tl_unparcel_text (tl_unparcel *u) {
  size_t length;
  const char *text = tl_unparcel_bytes (u, &length);
  u->failed |= !length || text[length - 1];
  return u->failed ? "" : text;
}

tl_status tl_unparcel_trace (tl_unparcel *u, uint32_t transitions,
                             tl_trace *trace) {
  *trace = (tl_trace){0};
  if (!tl_unparcel_number (u))
    return TL_OK;
  trace->loop = tl_unparcel_number (u);
  trace->loop_from = tl_unparcel_number (u);
  const uint64_t left = (uint64_t)(u->end - u->at) / WORD,
                 length = tl_unparcel_count (u, left);
  if (u->failed)
    return TL_OK;
  trace->transition = malloc ((size_t)(length + 1) * sizeof *trace->transition);
  if (!trace->transition)
    return TL_E_NOMEM;
  trace->length = length;
  for (uint64_t i = 0; i < length; i++) {
    const uint64_t t = tl_unparcel_number (u);
    u->failed |= t >= transitions;
    trace->transition[i] = (uint32_t)t;
  }
  return TL_OK;
}
