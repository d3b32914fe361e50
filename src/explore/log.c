#include "explore/log.h"

#include "base/bits.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// One mark each so many expanded states: finding a parent reads that many
// records at most.
enum { STRIDE = 1024 };

typedef struct mark {
  uint64_t bit;      // where the record begins
  uint64_t children; // written before it
} mark;

struct tl_log {
  tl_mem *mem;
  unsigned width; // bits of a transition
  tl_map bits, marks;
  uint64_t at; // bits written
  uint64_t expanded, children;
};

void tl_log_close (tl_log *log) {
  if (!log)
    return;
  tl_map_close (&log->bits);
  tl_map_close (&log->marks);
  tl_mem *mem = log->mem;
  TL_DEL (mem, log, 1);
}

static tl_status grow (tl_map *map, uint64_t need) {
  return need <= map->size ? TL_OK
                           : tl_map_grow (map, (size_t)(need + need / 8));
}

static mark *mark_at (const tl_log *log, uint64_t expanded) {
  return (mark *)log->marks.base + expanded / STRIDE;
}

static tl_status set_mark (tl_log *log) {
  const uint64_t need = (log->expanded / STRIDE + 1) * sizeof (mark);
  const tl_status rc = grow (&log->marks, need);
  if (!rc)
    *mark_at (log, log->expanded) = (mark){log->at, log->children};
  return rc;
}

tl_status tl_log_open (tl_log **out, tl_mem *mem, uint32_t transitions) {
  *out = 0;
  tl_log *log;
  if (!TL_NEW (mem, log, 1))
    return TL_E_NOMEM;
  log->mem = mem;
  log->width = tl_bits_for (transitions ? transitions - 1 : 0);
  tl_status rc = tl_map_open (&log->bits, mem);
  if (!rc)
    rc = tl_map_open (&log->marks, mem);
  if (!rc)
    rc = set_mark (log);
  if (rc) {
    tl_log_close (log);
    return rc;
  }
  *out = log;
  return TL_OK;
}

static tl_status append (tl_log *log, uint64_t value, unsigned width) {
  // A word beyond the last bit, so that two words can always be written.
  const tl_status rc = grow (&log->bits, (log->at + width) / 8 + 24);
  if (rc)
    return rc;
  uint64_t *word = (uint64_t *)log->bits.base + log->at / 64;
  const unsigned shift = log->at % 64;
  word[0] |= value << shift;
  if (shift + width > 64)
    word[1] = value >> (64 - shift);
  log->at += width;
  return TL_OK;
}

static uint64_t read_bits (const tl_log *log, uint64_t at, unsigned width) {
  const uint64_t *word = (const uint64_t *)log->bits.base + at / 64;
  const unsigned shift = at % 64;
  uint64_t value = word[0] >> shift;
  if (shift + width > 64)
    value |= word[1] << (64 - shift);
  return value & tl_low_bits (width);
}

tl_status tl_log_child (tl_log *log, uint32_t transition) {
  const tl_status rc =
      append (log, (uint64_t)transition << 1 | 1, log->width + 1);
  log->children += !rc;
  return rc;
}

tl_status tl_log_end (tl_log *log) {
  const tl_status rc = append (log, 0, 1);
  if (rc)
    return rc;
  log->expanded++;
  return log->expanded % STRIDE ? TL_OK : set_mark (log);
}

// The expanded state whose record has child number `child` (from 0), and the
// transition.
static uint64_t parent (const tl_log *log, uint64_t child,
                        uint32_t *transition) {
  uint64_t low = 0, high = log->expanded / STRIDE;
  while (low < high) { // the last mark with no more than `child` before it
    const uint64_t middle = (low + high + 1) / 2;
    if (mark_at (log, middle * STRIDE)->children <= child)
      low = middle;
    else
      high = middle - 1;
  }
  const mark *m = mark_at (log, low * STRIDE);
  uint64_t at = m->bit, seen = m->children, state = low * STRIDE;
  for (;;) {
    assert (at < log->at);
    if (!read_bits (log, at++, 1)) {
      state++;
      continue;
    }
    if (seen++ == child) {
      *transition = (uint32_t)read_bits (log, at, log->width);
      return state;
    }
    at += log->width;
  }
}

tl_status tl_log_trace (const tl_log *log, uint64_t number, tl_trace *trace) {
  *trace = (tl_trace){0};
  assert (number <= log->children);
  uint64_t length = 0;
  uint32_t transition;
  for (uint64_t n = number; n; n = parent (log, n - 1, &transition))
    length++;
  trace->transition = calloc (length ? length : 1, sizeof *trace->transition);
  if (!trace->transition)
    return TL_E_NOMEM;
  trace->length = length;
  for (uint64_t n = number; n; trace->transition[--length] = transition)
    n = parent (log, n - 1, &transition);
  return TL_OK;
}
