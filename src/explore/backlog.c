#include "explore/backlog.h"

#include <string.h>

enum {
  BLOCK = 1024, // records that are compressed together
  PART = 16     // of the memory of the run a backlog may take one part
};

// Each record but the first becomes its difference to the one before, word by
// word; and back.
static void take_differences (uint64_t *record, size_t words) {
  for (size_t i = BLOCK * words; i-- > words;)
    record[i] -= record[i - words];
}

static void add_differences (uint64_t *record, size_t words) {
  for (size_t i = words; i < BLOCK * words; i++)
    record[i] += record[i - words];
}

static bool open_rest (tl_backlog *b, const tl_backlog_kind *kind) {
  if (!b->rest && TL_NEW (kind->mem, b->rest, 1))
    tl_spill_open (b->rest, kind->mem, kind->packer, PART);
  return b->rest;
}

// Compresses a full array.
static tl_status put_away (tl_backlog *b, const tl_backlog_kind *kind) {
  if (!open_rest (b, kind))
    return TL_E_NOMEM;
  take_differences (b->record, kind->words);
  const tl_status rc = tl_spill_append (
      b->rest, b->record, BLOCK * kind->words * sizeof *b->record);
  if (rc) {
    add_differences (b->record, kind->words);
    return rc;
  }
  b->packed += b->count;
  b->count = 0;
  return TL_OK;
}

static tl_status fetch (tl_backlog *b, const tl_backlog_kind *kind) {
  size_t size;
  const tl_status rc =
      tl_spill_read (b->rest, b->rest->count - 1, b->record,
                     BLOCK * kind->words * sizeof *b->record, &size);
  if (rc)
    return rc;
  tl_spill_drop_last (b->rest);
  add_differences (b->record, kind->words);
  b->count = BLOCK;
  b->packed -= BLOCK;
  return TL_OK;
}

tl_status tl_backlog_push (tl_backlog *b, const tl_backlog_kind *kind,
                           const uint64_t *record) {
  const size_t words = kind->words;
  if (b->count == BLOCK) {
    const tl_status rc = put_away (b, kind);
    if (rc)
      return rc;
  }
  if (!TL_ROOM (kind->mem, b->record, &b->room, (b->count + 1) * words))
    return TL_E_NOMEM;
  memcpy (b->record + b->count++ * words, record, words * sizeof *record);
  return TL_OK;
}

tl_status tl_backlog_pop (tl_backlog *b, const tl_backlog_kind *kind,
                          uint64_t *record) {
  const size_t words = kind->words;
  if (!b->count) {
    const tl_status rc = fetch (b, kind);
    if (rc)
      return rc;
  }
  memcpy (record, b->record + --b->count * words, words * sizeof *record);
  return TL_OK;
}

uint64_t tl_backlog_close (tl_backlog *b, const tl_backlog_kind *kind) {
  uint64_t written = 0;
  if (b->record)
    TL_DEL (kind->mem, b->record, b->room);
  if (b->rest) {
    written = b->rest->written;
    tl_spill_close (b->rest);
    TL_DEL (kind->mem, b->rest, 1);
  }
  *b = (tl_backlog){0};
  return written;
}
