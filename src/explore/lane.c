#include "explore/lane.h"

#include "base/bits.h"
#include "base/tuning.h"

#include <assert.h>

static unsigned bytes_for (unsigned bits) {
  return bits ? (bits + 7) / 8 : 1;
}

void tl_lane_open (tl_lane *l, tl_mem *mem, tl_packer *packer, uint32_t words,
                   uint32_t bits, uint32_t events, unsigned part) {
  *l = (tl_lane){.mem = mem, .words = words};
  l->last_bytes = bytes_for (bits - 64 * (words - 1));
  l->event_bytes = bytes_for (tl_bits_for (events));
  l->record = 8 * (size_t)(words - 1) + l->last_bytes;
  l->room = TL_LANE_BYTES / (l->record + l->event_bytes);
  l->room = l->limit = l->room ? l->room : 1;
  tl_spill_open (&l->blocks, mem, packer, part);
  l->blocks.raw = true; // compressing takes longer than all else with a key
}

// Bytes of a block, and a word that is read and written beyond the last key.
static size_t block_bytes (const tl_lane *l) {
  return l->room * (l->record + l->event_bytes) + sizeof (uint64_t);
}

void tl_lane_close (tl_lane *l) {
  tl_spill_close (&l->blocks);
  TL_DEL (l->mem, l->start, l->start_room);
  TL_DEL (l->mem, l->marked, l->marked_room);
  TL_DEL (l->mem, l->tail, block_bytes (l));
  TL_DEL (l->mem, l->event, l->room * l->event_bytes);
  TL_DEL (l->mem, l->last, l->words);
  l->count = l->written = 0;
}

void tl_lane_begin (tl_lane *l, uint64_t first, size_t limit) {
  tl_spill_forget (&l->blocks, l->blocks.count);
  l->first = first;
  l->mark = 0;
  l->limit = limit < l->room ? limit : l->room;
  l->count = l->written = 0;
}

// Blocks that were put away.
static uint64_t away (const tl_lane *l) {
  return l->blocks.count - l->blocks.first;
}

uint64_t tl_lane_blocks (const tl_lane *l) {
  return away (l) + (l->written > 0);
}

uint64_t tl_lane_mark (const tl_lane *l, uint64_t block) {
  return l->marked[block];
}

bool tl_lane_flush (tl_lane *l) {
  return tl_spill_flush (&l->blocks);
}

// ---- Writing ---------------------------------------------------------------

static tl_status take_memory (tl_lane *l) {
  if (l->last)
    return TL_OK;
  if (!l->tail && !TL_NEW (l->mem, l->tail, block_bytes (l)))
    return TL_E_NOMEM;
  if (!l->event && !TL_NEW (l->mem, l->event, l->room * l->event_bytes))
    return TL_E_NOMEM;
  return TL_NEW (l->mem, l->last, l->words) ? TL_OK : TL_E_NOMEM;
}

// Puts the tail away: its keys, and behind them its events.
static tl_status put_away (tl_lane *l) {
  const size_t keys = l->written * l->record,
               events = l->written * l->event_bytes;
  memcpy (l->tail + keys, l->event, events);
  return tl_spill_append (&l->blocks, l->tail, keys + events);
}

static tl_status begin_block (tl_lane *l) {
  const size_t number = (size_t)tl_lane_blocks (l);
  tl_status rc = take_memory (l);
  if (!rc && (!TL_ROOM (l->mem, l->start, &l->start_room, number + 1) ||
              !TL_ROOM (l->mem, l->marked, &l->marked_room, number + 1)))
    rc = TL_E_NOMEM;
  if (!rc && l->written)
    rc = put_away (l);
  if (rc)
    return rc;
  l->start[number] = l->count;
  l->marked[number] = l->mark;
  l->written = 0;
  memset (l->last, 0, l->words * sizeof *l->last);
  return TL_OK;
}

tl_status tl_lane_push (tl_lane *l, const uint64_t *key, uint32_t event) {
  tl_status rc;
  if ((!l->written || l->written >= l->limit) && (rc = begin_block (l)))
    return rc;
  unsigned char *at = l->tail + l->written * l->record;
  for (uint32_t w = 0; w < l->words; w++, at += sizeof *key) {
    tl_write_word (at, key[w] - l->last[w]);
    l->last[w] = key[w];
  }
  at = l->event + l->written++ * l->event_bytes;
  for (unsigned i = 0; i < l->event_bytes; i++)
    at[i] = (unsigned char)(event >> 8 * i);
  l->count++;
  return TL_OK;
}

// ---- Reading ---------------------------------------------------------------

void tl_lane_reader_close (tl_lane_reader *r) {
  tl_packer_close (&r->packer);
  TL_DEL (r->mem, r->room, r->bytes);
}

static tl_status make_room (tl_lane_reader *r, size_t bytes) {
  if (r->bytes >= bytes)
    return TL_OK;
  TL_DEL (r->mem, r->room, r->bytes);
  r->bytes = 0;
  if (!TL_NEW (r->mem, r->room, bytes))
    return TL_E_NOMEM;
  r->bytes = bytes;
  return TL_OK;
}

// How many states stand before the end of a block.
static uint64_t end_of (const tl_lane *l, uint64_t block) {
  return block + 1 == tl_lane_blocks (l) ? l->count : l->start[block + 1];
}

tl_status tl_lane_read (tl_lane_reader *r, const tl_lane *l, uint64_t block) {
  r->lane = l;
  r->number = l->first + l->start[block];
  r->end = l->first + end_of (l, block);
  if (block == away (l)) {
    r->at = l->tail;
    r->event = l->event;
    return TL_OK;
  }
  tl_status rc = make_room (r, block_bytes (l));
  size_t size;
  if (!rc)
    rc = tl_spill_read_with (&l->blocks, &r->packer, l->blocks.first + block,
                             r->room, r->bytes, &size);
  if (rc)
    return rc;
  assert (size == (r->end - r->number) * (l->record + l->event_bytes));
  r->at = r->room;
  r->event = r->room + (r->end - r->number) * l->record;
  return TL_OK;
}

uint32_t tl_lane_next (tl_lane_reader *r, uint64_t *key) {
  const tl_lane *l = r->lane;
  const unsigned char *at = r->at;
  const uint32_t last = l->words - 1;
  for (uint32_t w = 0; w <= last; w++, at += sizeof *key)
    key[w] += tl_read_word (at);
  key[last] &= tl_low_bits (8 * l->last_bytes);
  uint32_t event = 0;
  for (unsigned i = 0; i < l->event_bytes; i++)
    event |= (uint32_t)r->event[i] << 8 * i;
  r->number++;
  r->at += l->record;
  r->event += l->event_bytes;
  return event;
}

// ---- Copies ----------------------------------------------------------------

size_t tl_lane_most (const tl_lane *l) {
  return block_bytes (l);
}

tl_status tl_lane_copy (const tl_lane *l, uint64_t block, tl_packer *packer,
                        unsigned char *to, uint64_t *first, uint32_t *count) {
  const uint64_t end = end_of (l, block);
  size_t size;
  *first = l->first + l->start[block];
  *count = (uint32_t)(end - l->start[block]);
  if (block < away (l))
    return tl_spill_read_with (&l->blocks, packer, l->blocks.first + block, to,
                               block_bytes (l), &size);
  memcpy (to, l->tail, *count * l->record);
  memcpy (to + *count * l->record, l->event, *count * l->event_bytes);
  return TL_OK;
}

void tl_lane_read_copy (tl_lane_reader *r, const tl_lane *l, uint64_t first,
                        uint64_t count, const unsigned char *bytes) {
  r->lane = l;
  r->number = first;
  r->end = first + count;
  r->at = bytes;
  r->event = bytes + count * l->record;
}
