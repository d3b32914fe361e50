#include "gpu/levels.h"

#include "base/bits.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

// A table has at most so many of its slots in use, in percent.
enum { FULL = 70 };

static const tl_device_kind *kind_of (const tl_gpu *g) {
  return g->plan.device->kind;
}

static uint32_t transitions (const tl_gpu *g) {
  return g->plan.net.layout->net->transitions;
}

static uint32_t key_words (const tl_gpu *g) {
  return g->key_words;
}

// ---- Memory of the device --------------------------------------------------

static tl_status take (tl_gpu *g, uint64_t bytes, uint64_t *address) {
  *address = 0;
  if (bytes > g->plan.memory || g->used > g->plan.memory - bytes)
    return TL_E_NOMEM;
  const tl_status rc = kind_of (g)->take (g->plan.device, bytes, address);
  if (rc) {
    *address = 0;
    return rc;
  }
  g->used += bytes;
  if (g->used > g->peak)
    g->peak = g->used;
  return TL_OK;
}

static tl_status take_clear (tl_gpu *g, uint64_t bytes, uint64_t *address) {
  const tl_status rc = take (g, bytes, address);
  return rc ? rc : kind_of (g)->clear (g->plan.device, *address, bytes);
}

static void give (tl_gpu *g, uint64_t *address, uint64_t bytes) {
  if (!*address)
    return;
  kind_of (g)->give (g->plan.device, *address, bytes);
  g->used -= bytes;
  *address = 0;
}

static uint64_t entry_bytes (const tl_gpu *g) {
  return 8 * key_words (g);
}

static void give_list (tl_gpu *g, tl_gpu_list *l) {
  give (g, &l->keys, l->room * entry_bytes (g));
  give (g, &l->by, l->room * 2);
  l->room = 0;
}

static tl_status take_list (tl_gpu *g, tl_gpu_list *l, uint64_t room) {
  *l = (tl_gpu_list){.room = room};
  tl_status rc = take (g, room * entry_bytes (g), &l->keys);
  if (!rc)
    rc = take (g, room * 2, &l->by);
  if (rc)
    give_list (g, l);
  return rc;
}

// ---- The program -----------------------------------------------------------

static tl_status build (tl_gpu *g) {
  char *text = 0;
  size_t size = 0;
  FILE *f = open_memstream (&text, &size);
  if (!f)
    return TL_E_NOMEM;
  tl_gpu_write (f, &g->plan.net, &g->shape, g->plan.device->cuda);
  if (fclose (f)) {
    free (text);
    return TL_E_NOMEM;
  }
  kind_of (g)->drop (g->plan.device, g->program);
  return kind_of (g)->build (g->plan.device, text, size, &g->program);
}

static tl_gpu_call call_of (const tl_gpu *g) {
  tl_gpu_call c = {.table = g->table,
                   .slots = g->slots,
                   .inverse = g->slots ? ~(uint64_t)0 / g->slots : 0,
                   .extra = g->extra,
                   .extra_slots = g->extra_slots,
                   .extra_room = ~(uint64_t)0,
                   .keys = g->now.keys,
                   .by = g->now.by,
                   .count = g->width,
                   .next_keys = g->next.keys,
                   .next_by = g->next.by,
                   .sleep = g->sleep_rows,
                   .limits = g->limits_at,
                   .tally = g->tally_at,
                   .most = g->tally->most,
                   .wants_dead = g->wants_dead};
  const tl_layout *l = g->plan.net.layout;
  for (uint32_t p = 0; p < l->net->places; p++)
    if (l->field[p].width)
      c.top[l->field[p].word] |= g->place_most[p] << l->field[p].shift;
  memcpy (c.fired, g->tally->fired, sizeof c.fired);
  return c;
}

static size_t tally_bytes (const tl_gpu *g) {
  return sizeof *g->tally +
         g->plan.net.layout->net->places * sizeof *g->place_most;
}

static uint64_t lanes_for (const tl_gpu *g, uint64_t states) {
  const tl_device *d = g->plan.device;
  const uint64_t lanes = states < d->lanes ? states : d->lanes;
  return ((lanes ? lanes : 1) + d->warp - 1) / d->warp * d->warp;
}

// Runs a kernel with the figures so far, and has those after it.
static tl_status run (tl_gpu *g, tl_gpu_kernel kernel, uint64_t lanes,
                      const tl_gpu_call *c) {
  tl_device *d = g->plan.device;
  g->tally->showing = 0;
  tl_status rc = d->kind->copy_to (d, g->tally_at, g->tally, tally_bytes (g));
  if (!rc && g->plan.limits)
    rc = d->kind->copy_to (d, g->limits_at, g->limit,
                           g->plan.limits * sizeof *g->limit);
  if (!rc)
    rc = d->kind->run (d, g->program, kernel, lanes, c);
  if (!rc)
    rc = d->kind->copy_from (d, g->tally, g->tally_at, tally_bytes (g));
  g->lost |= g->tally->lost;
  return rc;
}

// ---- The table -------------------------------------------------------------

static uint64_t words_of (const tl_gpu *g) {
  return g->shape.kind == TL_GPU_PAIRS   ? 2
         : g->shape.kind == TL_GPU_LANES ? 8
                                         : 1;
}

static uint64_t map_bytes (const tl_gpu *g, unsigned cell_bits) {
  const unsigned bits = g->plan.net.code->key_bits;
  return key_words (g) > 1 || bits > 50 ? UINT64_MAX
         : bits < 6                     ? 64
                                        : ((uint64_t)1 << bits) / 8 * cell_bits;
}

// A cell that has room for an event.
static unsigned cell_bits (const tl_gpu *g) {
  return transitions (g) < 255 ? 8 : 16;
}

static bool has_slots (const tl_gpu *g) {
  return g->shape.kind == TL_GPU_SLOTS || g->shape.kind == TL_GPU_PAIRS;
}

static tl_status take_table (tl_gpu *g, uint64_t bytes) {
  const tl_status rc = take_clear (g, bytes, &g->table);
  g->slots = bytes / (8 * words_of (g));
  g->table_bytes = bytes;
  return rc;
}

// A map where that is small, else slots.
static uint64_t first_table (tl_gpu *g) {
  const unsigned bits = g->plan.net.code->key_bits,
                 events = tl_gpu_event_bits (&g->plan.net);
  const uint64_t map = map_bytes (g, cell_bits (g));
  g->logged = true;
  if (map <= g->plan.memory / 32) {
    g->shape =
        (tl_gpu_table_shape){.kind = TL_GPU_MAP, .cell_bits = cell_bits (g)};
    return map;
  }
  g->shape.kind =
      key_words (g) == 1 && bits + events < 64 ? TL_GPU_SLOTS : TL_GPU_PAIRS;
  uint64_t bytes = g->plan.memory / 128;
  if (bytes > (uint64_t)1 << 30)
    bytes = (uint64_t)1 << 30;
  if (bytes < 1 << 10)
    bytes = 1 << 10;
  return bytes & ~(uint64_t)63;
}

// States for which there is room.
static uint64_t capacity (const tl_gpu *g) {
  return has_slots (g) ? g->slots / 100 * FULL : UINT64_MAX;
}

// What of a table changes when keys move.
typedef struct table {
  tl_gpu_table_shape shape;
  uint64_t table, slots, bytes, words, extra, extra_slots;
} table;

static table table_of (const tl_gpu *g) {
  return (table){g->shape,     g->table, g->slots,      g->table_bytes,
                 words_of (g), g->extra, g->extra_slots};
}

// Takes what a table needs; else it is as it was.
static tl_status take_parts (tl_gpu *g, const tl_gpu_table_shape *shape,
                             uint64_t bytes, uint64_t extra_slots) {
  const table before = table_of (g);
  g->shape = *shape;
  g->extra = 0;
  tl_status rc = take_table (g, bytes);
  if (!rc && extra_slots)
    rc = take_clear (g, 8 * extra_slots, &g->extra);
  g->extra_slots = extra_slots;
  if (!rc)
    return TL_OK;
  give (g, &g->extra, 8 * extra_slots);
  give (g, &g->table, bytes);
  g->shape = before.shape;
  g->table = before.table;
  g->slots = before.slots;
  g->table_bytes = before.bytes;
  g->extra = before.extra;
  g->extra_slots = before.extra_slots;
  return rc;
}

static tl_status move_keys (tl_gpu *g, uint64_t old, uint64_t slots,
                            uint64_t words, uint64_t lane) {
  tl_gpu_call c = call_of (g);
  c.old = old;
  c.old_slots = slots;
  c.old_words = words;
  c.old_lane = lane;
  return slots ? run (g, TL_GPU_KERNEL_move, lanes_for (g, slots), &c) : TL_OK;
}

// All keys move to a table of another size or kind.  TL_E_NOMEM: they stay
// where they are.
static tl_status move (tl_gpu *g, const tl_gpu_table_shape *shape,
                       uint64_t bytes, uint64_t extra_slots) {
  table old = table_of (g);
  const double begin = tl_clock ();
  tl_status rc = take_parts (g, shape, bytes, extra_slots);
  if (rc)
    return rc;
  g->logged &= shape->kind != TL_GPU_LANES &&
               (shape->kind != TL_GPU_MAP || shape->cell_bits > 1);
  g->tally->extra = 0;
  if (old.shape.kind != shape->kind || old.shape.lane_bits != shape->lane_bits)
    rc = build (g);
  if (!rc)
    rc = move_keys (g, old.table, old.slots, old.words, old.shape.lane_bits);
  if (!rc)
    rc = move_keys (g, old.extra, old.extra_slots, 1, 0);
  give (g, &old.table, old.bytes);
  give (g, &old.extra, 8 * old.extra_slots);
  g->lost |= rc != TL_OK;
  g->moving += tl_clock () - begin;
  return rc;
}

// ---- Lanes -----------------------------------------------------------------

// The least lanes that tell keys apart in so many blocks.
static unsigned lane_bits (const tl_gpu *g, uint64_t blocks) {
  const unsigned bits = g->plan.net.code->key_bits;
  return blocks ? tl_bits_for (tl_low_bits (bits) / blocks + 1) : 64;
}

static unsigned in_block (unsigned lane) {
  return 8 * (64 / lane);
}

// Bytes of blocks for so many states, three quarters full.
static uint64_t bytes_of_lanes (const tl_gpu *g, uint64_t states) {
  uint64_t least = UINT64_MAX;
  for (unsigned lane = 8; lane <= 32; lane++) {
    const uint64_t room = states / (in_block (lane) / 4 * 3) + 1,
                   apart = tl_low_bits (g->plan.net.code->key_bits) /
                               tl_low_bits (lane) +
                           1;
    const uint64_t blocks = room > apart ? room : apart;
    if (blocks < least / 64)
      least = 64 * blocks;
  }
  return least;
}

// Lanes for three times as many states, or in all memory there is but for the
// lists; that is to be a quarter more than there are at least.
static tl_status make_lanes (tl_gpu *g) {
  const uint64_t left = g->plan.memory - g->used, lists = g->plan.memory / 10,
                 reserve = 8 * 4 * g->reserve;
  if (key_words (g) > 1 || g->plan.net.code->key_bits > 63 ||
      left <= lists + reserve)
    return TL_E_NOMEM;
  const uint64_t most = (left - lists - reserve) / 13 * 12,
                 want = bytes_of_lanes (g, 3 * g->states);
  const uint64_t bytes = (want < most ? want : most) & ~(uint64_t)63;
  tl_gpu_table_shape lanes = {.kind = TL_GPU_LANES,
                              .lane_bits = lane_bits (g, bytes / 64)};
  if (lanes.lane_bits > 32 ||
      bytes / 64 * in_block (lanes.lane_bits) / 5 * 4 < g->states)
    return TL_E_NOMEM;
  const unsigned now = g->shape.lane_bits;
  if (now >= lanes.lane_bits && in_block (now) == in_block (lanes.lane_bits))
    lanes.lane_bits = now; // the program can stay
  return move (g, &lanes, bytes, (bytes / 12 + reserve) / 8);
}

// ---- Growing ---------------------------------------------------------------

// Leaves events out: a bit for each key, or lanes.
static tl_status leave_events (tl_gpu *g) {
  const uint64_t left = g->plan.memory - g->used, lists = g->plan.memory / 10,
                 map = map_bytes (g, 1);
  const tl_gpu_table_shape bits = {.kind = TL_GPU_MAP, .cell_bits = 1};
  return left > lists && map <= left - lists &&
                 map <= 2 * bytes_of_lanes (g, 3 * g->states)
             ? move (g, &bits, map, 0)
             : make_lanes (g);
}

// There is to be room for so many states.
static tl_status grow_table (tl_gpu *g, uint64_t states) {
  if (states <= capacity (g))
    return TL_OK;
  uint64_t bytes = g->table_bytes;
  while (bytes / (8 * words_of (g)) / 100 * FULL < states)
    bytes *= bytes < g->plan.memory / 32 ? 4 : 2;
  const uint64_t map = map_bytes (g, cell_bits (g)),
                 left = g->plan.memory - g->used;
  if (map < bytes && map < left) {
    const tl_gpu_table_shape cells = {.kind = TL_GPU_MAP,
                                      .cell_bits = cell_bits (g)};
    return move (g, &cells, map, 0);
  }
  // From then on states take less than half, but nothing is known of events.
  const bool lean = key_words (g) == 1 && g->plan.net.code->key_bits < 64;
  if (bytes <= left && (!lean || bytes <= g->plan.memory / 3))
    return move (g, &(tl_gpu_table_shape){.kind = g->shape.kind}, bytes, 0);
  return leave_events (g);
}

// The same where blocks are full.
static tl_status grow_lanes (tl_gpu *g) {
  return g->extra_slots &&
                 g->tally->extra + g->reserve >= g->extra_slots / 100 * FULL
             ? make_lanes (g)
             : TL_OK;
}

// ---- Opening ---------------------------------------------------------------

static tl_status send_sleep (tl_gpu *g) {
  const tl_sleep *z = g->plan.sleep;
  const uint32_t sets = tl_gpu_sets (&g->plan.net), rows = transitions (g) + 1;
  const size_t bytes = (size_t)rows * sets * sizeof (uint64_t);
  tl_status rc = take_clear (g, bytes, &g->sleep_rows);
  for (uint32_t t = 0; !rc && z && z->row && t + 1 < rows; t++)
    rc = kind_of (g)->copy_to (
        g->plan.device, g->sleep_rows + (uint64_t)t * sets * sizeof (uint64_t),
        z->row + t * z->words, z->words * sizeof (uint64_t));
  return rc;
}

static tl_status open_parts (tl_gpu *g) {
  const uint64_t bytes = first_table (g);
  const uint64_t lists = g->plan.memory / 64 / (entry_bytes (g) + 2) + 1;
  const uint64_t room = lists < 1 << 24 ? lists : 1 << 24;
  tl_status rc = build (g); // while the device gets ready
  if (!rc)
    rc = take_table (g, bytes);
  if (!rc)
    rc = take_list (g, &g->now, room);
  if (!rc)
    rc = take_list (g, &g->next, room);
  if (!rc)
    rc = send_sleep (g);
  if (!rc)
    rc = take_clear (g, tally_bytes (g), &g->tally_at);
  if (!rc)
    rc = take_clear (g, (g->plan.limits + 1) * sizeof *g->limit, &g->limits_at);
  return rc;
}

tl_status tl_gpu_open (tl_gpu **out, const tl_gpu_plan *plan) {
  tl_gpu *g;
  *out = 0;
  if (!TL_NEW (plan->mem, g, 1))
    return TL_E_NOMEM;
  g->plan = *plan;
  g->key_words = plan->net.code->key_words;
  unsigned char *tally;
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (plan->mem, tally, tally_bytes (g))) {
    g->tally = (tl_gpu_tally *)tally;
    g->place_most = (uint64_t *)(g->tally + 1);
    if (TL_NEW (plan->mem, g->limit, plan->limits + 1))
      rc = open_parts (g);
  }
  if (rc)
    tl_gpu_close (g);
  else
    *out = g;
  return rc;
}

void tl_gpu_close (tl_gpu *g) {
  if (!g)
    return;
  tl_mem *mem = g->plan.mem;
  give (g, &g->table, g->table_bytes);
  give (g, &g->extra, 8 * g->extra_slots);
  give_list (g, &g->now);
  give_list (g, &g->next);
  give (g, &g->sleep_rows,
        (uint64_t)(transitions (g) + 1) * tl_gpu_sets (&g->plan.net) *
            sizeof (uint64_t));
  give (g, &g->tally_at, tally_bytes (g));
  give (g, &g->limits_at, (g->plan.limits + 1) * sizeof *g->limit);
  kind_of (g)->drop (g->plan.device, g->program);
  TL_DEL (mem, g->limit, g->plan.limits + 1);
  unsigned char *tally = (unsigned char *)g->tally;
  TL_DEL (mem, tally, tally_bytes (g));
  TL_DEL (mem, g, 1);
}

// ---- Levels ----------------------------------------------------------------

void tl_gpu_descend (tl_gpu *g) {
  const tl_gpu_list now = g->now;
  g->now = g->next;
  g->next = now;
  g->width = g->tally->found;
  g->tally->found = g->tally->taken = g->done = 0;
  g->depth++;
}

// Whatever a device does, it is not to be waited for for ever.
static tl_status stands_still (tl_gpu *g) {
  snprintf (g->plan.device->why, sizeof g->plan.device->why,
            "kernels do nothing");
  return TL_E_IO;
}

tl_status tl_gpu_start (tl_gpu *g, const uint64_t *key) {
  tl_device *d = g->plan.device;
  const uint16_t none = (uint16_t)transitions (g);
  tl_status rc = d->kind->copy_to (d, g->now.keys, key, entry_bytes (g));
  if (!rc)
    rc = d->kind->copy_to (d, g->now.by, &none, sizeof none);
  g->width = 1;
  const tl_gpu_call c = call_of (g);
  if (!rc)
    rc = run (g, TL_GPU_KERNEL_start, 1, &c);
  if (!rc && g->tally->found != 1)
    rc = stands_still (g);
  g->states = 1;
  if (!rc)
    tl_gpu_descend (g);
  g->depth = 0;
  return rc;
}

// Makes room in the list of the next level, whose states stay in it.
static tl_status grow_next (tl_gpu *g, uint64_t room) {
  if (room <= g->next.room)
    return TL_OK;
  tl_gpu_list larger;
  tl_status rc =
      take_list (g, &larger, room > 2 * g->next.room ? room : 2 * g->next.room);
  if (rc == TL_E_NOMEM)
    rc = take_list (g, &larger, room);
  if (rc)
    return rc;
  const uint64_t found = g->tally->found;
  if (found)
    rc = kind_of (g)->copy (g->plan.device, larger.keys, g->next.keys,
                            found * entry_bytes (g));
  if (!rc && found)
    rc = kind_of (g)->copy (g->plan.device, larger.by, g->next.by, found * 2);
  give_list (g, &g->next);
  g->next = larger;
  return rc;
}

// Room for what so many lanes may find before they look again.
static tl_status make_room (tl_gpu *g, uint64_t lanes, uint64_t *reserve) {
  *reserve = lanes * (transitions (g) + 2); // two wait in the box of a warp
  g->reserve = *reserve;
  tl_status rc = grow_table (g, g->states + *reserve + 1);
  if (!rc)
    rc = grow_lanes (g);
  if (!rc)
    rc = grow_next (g, g->tally->found + *reserve + 1);
  return rc;
}

tl_status tl_gpu_expand (tl_gpu *g, uint64_t most) {
  const uint64_t left = g->width - g->done, take = left < most ? left : most;
  uint64_t lanes = lanes_for (g, take), reserve;
  tl_status rc = make_room (g, lanes, &reserve);
  while (rc == TL_E_NOMEM && !g->lost && lanes > g->plan.device->warp) {
    lanes = lanes_for (g, lanes / 4); // fewer need less room
    rc = make_room (g, lanes, &reserve);
  }
  if (rc)
    return rc;
  const uint64_t before = g->states - g->tally->found;
  tl_gpu_call c = call_of (g);
  c.take = g->done + take;
  c.room = g->next.room - reserve - 1;
  if (capacity (g) - before - reserve - 1 < c.room)
    c.room = capacity (g) - before - reserve - 1;
  if (g->extra_slots)
    c.extra_room = g->extra_slots / 100 * FULL - reserve;
  g->tally->taken = g->done;
  rc = run (g, TL_GPU_KERNEL_expand, lanes, &c);
  if (!rc && g->tally->taken == g->done)
    rc = stands_still (g);
  g->done = g->tally->taken < c.take ? g->tally->taken : c.take;
  g->states = before + g->tally->found;
  return rc;
}

tl_status tl_gpu_look (tl_gpu *g) {
  const tl_gpu_call c = call_of (g);
  return run (g, TL_GPU_KERNEL_look, lanes_for (g, g->width), &c);
}

// ---- Afterwards ------------------------------------------------------------

tl_status tl_gpu_event (tl_gpu *g, const uint64_t *key, uint32_t *event) {
  tl_device *d = g->plan.device;
  uint64_t at;
  if (!g->logged)
    return TL_E_LIMIT;
  tl_status rc = take (g, entry_bytes (g), &at);
  if (!rc)
    rc = d->kind->copy_to (d, at, key, entry_bytes (g));
  tl_gpu_call c = call_of (g);
  c.keys = at;
  const uint64_t showing = g->tally->showing;
  if (!rc)
    rc = run (g, TL_GPU_KERNEL_find_one, 1, &c);
  g->tally->showing = showing;
  give (g, &at, entry_bytes (g));
  if (rc)
    return rc;
  *event = (uint32_t)g->tally->answer - 1;
  return g->tally->answer ? TL_OK : TL_E_LIMIT;
}

const char *tl_gpu_table_name (const tl_gpu *g) {
  static const char *const name[] = {[TL_GPU_SLOTS] = "slots",
                                     [TL_GPU_PAIRS] = "pairs",
                                     [TL_GPU_LANES] = "lanes",
                                     [TL_GPU_MAP] = "map"};
  return name[g->shape.kind];
}
