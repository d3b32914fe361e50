#include "explore/log.h"

#include "base/tuning.h"
#include "explore/explore.h"

#include <assert.h>
#include <stdlib.h>

enum {
  PIECE_BYTES = 1 << 16,
  NEAR = 4,          // so far a parent is told by zeros
  RECORD_BYTES = 16, // at most: a change takes eleven, a transition five
  STRIDE = 256,      // bytes between two marks in a piece that was fetched
  MARKS = PIECE_BYTES / STRIDE
};

// A point in the log: how many records stand before it, and the parent of the
// last of them.
typedef struct mark {
  uint64_t records, parent;
} mark;

// The piece that a trace is being read from.
typedef struct reading {
  uint64_t number; // of the piece
  const unsigned char *bytes;
  size_t size;
  mark mark[MARKS]; // at the first record from byte k * STRIDE on
  uint32_t at[MARKS];
  size_t marks;
  unsigned char fetched[PIECE_BYTES];
} reading;

// The place up to which it was followed.
typedef struct following {
  uint64_t number; // of the piece
  size_t at, size;
  unsigned char *fetched; // null: none was
  bool there;             // what was fetched is that piece
} following;

struct tl_log {
  tl_mem *mem;
  unsigned char *tail; // the last piece
  size_t written;      // bytes of it
  mark now;
  mark *start; // of each piece
  size_t start_room;
  tl_spill pieces; // all but the last
  reading *reading;
  following following;
};

void tl_log_close (tl_log *log) {
  if (!log)
    return;
  tl_mem *mem = log->mem;
  tl_spill_close (&log->pieces);
  TL_DEL (mem, log->tail, PIECE_BYTES);
  TL_DEL (mem, log->start, log->start_room);
  TL_DEL (mem, log->reading, 1);
  TL_DEL (mem, log->following.fetched, PIECE_BYTES);
  TL_DEL (mem, log, 1);
}

tl_status tl_log_open (tl_log **out, tl_mem *mem, tl_packer *packer) {
  *out = 0;
  tl_log *log;
  if (!TL_NEW (mem, log, 1))
    return TL_E_NOMEM;
  log->mem = mem;
  tl_spill_open (&log->pieces, mem, packer, TL_LOG_PART);
  // What a trace takes is had now: it may be asked for when memory is short.
  if (!TL_NEW (mem, log->tail, PIECE_BYTES) || !TL_NEW (mem, log->reading, 1) ||
      !TL_ROOM (mem, log->start, &log->start_room, 1)) {
    tl_log_close (log);
    return TL_E_NOMEM;
  }
  *out = log;
  return TL_OK;
}

void tl_log_share (tl_log *log, unsigned logs) {
  log->pieces.part = TL_LOG_PART * logs;
}

bool tl_log_flush (tl_log *log) {
  return tl_spill_flush (&log->pieces);
}

uint64_t tl_log_spilled (const tl_log *log) {
  return log->pieces.written;
}

// ---- Writing ---------------------------------------------------------------

static tl_status begin_piece (tl_log *log) {
  const size_t number = (size_t)log->pieces.count + 1;
  if (!TL_ROOM (log->mem, log->start, &log->start_room, number + 1))
    return TL_E_NOMEM;
  const tl_status rc = tl_spill_append (&log->pieces, log->tail, log->written);
  if (rc)
    return rc;
  log->start[number] = log->now;
  log->written = 0;
  return TL_OK;
}

static unsigned char *write_number (unsigned char *at, uint64_t value) {
  for (; value > 127; value >>= 7)
    *at++ = (unsigned char)(value | 128);
  *at++ = (unsigned char)value;
  return at;
}

// Small numbers for small changes, forth or back.
static uint64_t fold (uint64_t change) {
  return change >> 63 ? ~(change << 1) : change << 1;
}

static uint64_t unfold (uint64_t folded) {
  return folded & 1 ? ~(folded >> 1) : folded >> 1;
}

static __attribute__ ((noinline)) unsigned char *
write_record (unsigned char *at, uint64_t change, uint64_t entry) {
  if (change <= NEAR)
    for (; change; change--)
      *at++ = 0;
  else {
    *at++ = 1;
    at = write_number (at, fold (change));
  }
  return write_number (at, entry);
}

tl_status tl_log_add (tl_log *log, uint64_t parent, uint32_t transition) {
  tl_status rc;
  if (log->written > PIECE_BYTES - RECORD_BYTES && (rc = begin_piece (log)))
    return rc;
  const uint64_t change = parent - log->now.parent;
  const uint64_t entry = (uint64_t)transition + 2;
  unsigned char *at = log->tail + log->written;
  if (change <= 1 && entry < 128) { // as of most
    at[0] = 0;
    at[change] = (unsigned char)entry;
    log->written += 1 + change;
  } else
    log->written = (size_t)(write_record (at, change, entry) - log->tail);
  log->now.parent = parent;
  log->now.records++;
  return TL_OK;
}

// ---- Reading ---------------------------------------------------------------

static uint64_t read_number (const unsigned char *bytes, size_t *at) {
  uint64_t value = bytes[*at] & 127;
  for (unsigned shift = 7; bytes[(*at)++] & 128; shift += 7)
    value |= (uint64_t)(bytes[*at] & 127) << shift;
  return value;
}

// Reads a record; *parent is that of the one before it.
static uint32_t read_record (const unsigned char *bytes, size_t *at,
                             uint64_t *parent) {
  uint64_t entry;
  while (!(entry = read_number (bytes, at)))
    ++*parent;
  if (entry == 1) {
    *parent += unfold (read_number (bytes, at));
    entry = read_number (bytes, at);
  }
  return (uint32_t)(entry - 2);
}

// The piece being followed.
static tl_status fetch_followed (tl_log *log, const unsigned char **bytes) {
  following *f = &log->following;
  if (f->number == log->pieces.count) {
    *bytes = log->tail;
    f->size = log->written;
    return TL_OK;
  }
  if (!f->fetched && !TL_NEW (log->mem, f->fetched, PIECE_BYTES))
    return TL_E_NOMEM;
  *bytes = f->fetched;
  if (f->there)
    return TL_OK;
  const tl_status rc = tl_spill_read (&log->pieces, f->number, f->fetched,
                                      PIECE_BYTES, &f->size);
  f->there = !rc;
  return rc;
}

tl_status tl_log_follow (tl_log *log, uint32_t *transition) {
  following *f = &log->following;
  for (;;) {
    const unsigned char *bytes;
    uint64_t parent = 0;
    const tl_status rc = fetch_followed (log, &bytes);
    if (rc)
      return rc;
    if (f->at < f->size) {
      *transition = read_record (bytes, &f->at, &parent);
      return TL_OK;
    }
    if (f->number == log->pieces.count)
      return TL_E_LIMIT;
    f->number++;
    f->at = 0;
    f->there = false;
  }
}

static void set_marks (tl_log *log, reading *r) {
  mark here = log->start[r->number];
  r->marks = 0;
  for (size_t at = 0; at < r->size;) {
    if (at >= r->marks * STRIDE) {
      r->mark[r->marks] = here;
      r->at[r->marks++] = (uint32_t)at;
    }
    read_record (r->bytes, &at, &here.parent);
    here.records++;
  }
}

static tl_status fetch (tl_log *log, uint64_t number) {
  reading *r = log->reading;
  if (r->bytes && r->number == number)
    return TL_OK;
  r->bytes = 0;
  if (number == log->pieces.count) {
    r->size = log->written;
    r->bytes = log->tail;
  } else {
    const tl_status rc =
        tl_spill_read (&log->pieces, number, r->fetched, PIECE_BYTES, &r->size);
    if (rc)
      return rc;
    r->bytes = r->fetched;
  }
  r->number = number;
  set_marks (log, r);
  return TL_OK;
}

// The last of the marks with no more than so many records before it.
static uint64_t last_before (const mark *m, uint64_t count, uint64_t records) {
  uint64_t low = 0, high = count - 1;
  while (low < high) {
    const uint64_t middle = (low + high + 1) / 2;
    if (m[middle].records <= records)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

// Reads record number `record`, from 0.
static tl_status find (tl_log *log, uint64_t record, uint64_t *parent,
                       uint32_t *transition) {
  const tl_status rc =
      fetch (log, last_before (log->start, log->pieces.count + 1, record));
  if (rc)
    return rc;
  const reading *r = log->reading;
  const uint64_t from = last_before (r->mark, r->marks, record);
  mark here = r->mark[from];
  for (size_t at = r->at[from]; here.records <= record; here.records++) {
    assert (at < r->size);
    *transition = read_record (r->bytes, &at, &here.parent);
  }
  *parent = here.parent;
  return TL_OK;
}

void tl_log_look_again (tl_log *log) {
  log->reading->bytes = 0;
}

tl_status tl_log_find (tl_log *log, uint64_t number, uint64_t *parent,
                       uint32_t *transition) {
  return find (log, number - 1, parent, transition);
}

static bool add_step (tl_trace *trace, uint64_t *room, uint32_t transition) {
  if (trace->length == *room) {
    *room += *room / 2 + 64;
    uint32_t *more =
        realloc (trace->transition, *room * sizeof *trace->transition);
    if (!more)
      return false;
    trace->transition = more;
  }
  trace->transition[trace->length++] = transition;
  return true;
}

static void turn_round (tl_trace *trace) {
  if (!trace->length)
    return;
  for (uint64_t i = 0, k = trace->length - 1; i < k; i++, k--) {
    const uint32_t swap = trace->transition[i];
    trace->transition[i] = trace->transition[k];
    trace->transition[k] = swap;
  }
}

tl_status tl_log_trace (tl_log *log, uint64_t number, tl_trace *trace) {
  *trace = (tl_trace){0};
  assert (number <= log->now.records);
  uint64_t room = 1;
  trace->transition = calloc (room, sizeof *trace->transition);
  tl_status rc = trace->transition ? TL_OK : TL_E_NOMEM;
  tl_log_look_again (log);
  while (!rc && number) {
    uint32_t transition = 0;
    rc = find (log, number - 1, &number, &transition);
    if (!rc && !add_step (trace, &room, transition))
      rc = TL_E_NOMEM;
  }
  if (rc)
    tl_trace_close (trace);
  else
    turn_round (trace);
  return rc;
}
