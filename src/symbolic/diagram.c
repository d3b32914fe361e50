#include "symbolic/diagram.h"

#include "base/bits.h"
#include "base/budget.h"

#include <assert.h>
#include <string.h>

#define FEWEST_BUCKETS 1024
// Nothing is collected below this many units.
#define COLLECT_LEAST ((uint64_t)1 << 21)
// Steps between two looks at the clock.
#define TICKS 2048
// Up to so many edges a block has room for exactly these.
#define EXACT 32

tl_status tl_diagram_open (tl_diagram *d, tl_mem *mem,
                           const tl_diagram_limits *given) {
  tl_diagram_limits limits = {COLLECT_LEAST, 0};
  if (given && given->collect_least)
    limits.collect_least = given->collect_least;
  if (given)
    limits.rows = given->rows;
  *d = (tl_diagram){.mem = mem,
                    .top = 2, // the sets 0 and 1 are no nodes
                    .buckets = FEWEST_BUCKETS,
                    .collect_at = limits.collect_least,
                    .collect_least = limits.collect_least,
                    .ticks = TICKS};
  if (tl_map_open (&d->arena, mem)) {
    d->mem = 0;
    return TL_E_NOMEM;
  }
  if (!TL_NEW (mem, d->bucket, d->buckets) ||
      tl_operations_open (&d->unions, mem, limits.rows) ||
      tl_operations_open (&d->images, mem, limits.rows) ||
      tl_operations_open (&d->others, mem, limits.rows)) {
    tl_diagram_close (d);
    return TL_E_NOMEM;
  }
  return TL_OK;
}

void tl_diagram_close (tl_diagram *d) {
  if (!d->mem)
    return;
  tl_operations_close (&d->unions);
  tl_operations_close (&d->images);
  tl_operations_close (&d->others);
  if (d->bucket)
    TL_DEL (d->mem, d->bucket, d->buckets);
  if (d->slot)
    TL_DEL (d->mem, d->slot, d->slot_room);
  tl_map_close (&d->arena);
  *d = (tl_diagram){0};
}

bool tl_diagram_push (tl_diagram *d, tl_set to, uint32_t value) {
  if (!TL_ROOM (d->mem, d->slot, &d->slot_room, d->slots + 1)) {
    d->status = TL_E_NOMEM;
    return false;
  }
  d->slot[d->slots++] = (tl_branch){value, to};
  return true;
}

void tl_diagram_hold (tl_diagram *d, tl_held *h, tl_set set) {
  *h = (tl_held){set, d->held, &d->held};
  if (h->next)
    h->next->link = &h->next;
  d->held = h;
}

void tl_diagram_let_go (tl_held *h) {
  if (!h->link)
    return;
  *h->link = h->next;
  if (h->next)
    h->next->link = h->link;
  *h = (tl_held){0};
}

tl_set tl_diagram_follow (const tl_set_node *n, uint64_t value) {
  uint32_t low = 0, high = n->count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (n->edge[middle].value < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low < n->count && n->edge[low].value == value ? n->edge[low].to
                                                       : TL_EMPTY_SET;
}

bool tl_diagram_ends (tl_diagram *d) {
  if (!d->status && !--d->ticks) {
    d->ticks = TICKS;
    d->status = tl_budget_look (d->mem);
    if (!d->status && d->look)
      d->status = d->look (d->context, d);
  }
  return d->status;
}

// ---- Blocks ----------------------------------------------------------------

// Sizes from one power of two to the next grow by eighths.
uint32_t tl_diagram_room (uint32_t edges) {
  if (edges <= EXACT)
    return edges;
  const uint32_t step = (uint32_t)1 << (tl_bits_for (edges) - 4);
  return (edges + step - 1) & ~(step - 1);
}

uint32_t tl_diagram_class (uint32_t room) {
  if (room <= EXACT)
    return room;
  const uint32_t bits = tl_bits_for (room);
  return EXACT + 1 + (bits - 6) * 8 + ((room >> (bits - 4)) - 8);
}

static tl_set take_free (tl_diagram *d, uint32_t room) {
  tl_set *list = d->free + tl_diagram_class (room);
  const tl_set set = *list;
  if (set) {
    *list = tl_diagram_node (d, set)->next;
    d->free_units -= tl_diagram_units (room);
  }
  return set;
}

static tl_set take_new (tl_diagram *d, uint32_t room) {
  const uint64_t end = d->top + tl_diagram_units (room);
  if (end > UINT32_MAX ||
      (end * 8 > d->arena.size && tl_map_grow_ahead (&d->arena, end * 8)))
    return TL_EMPTY_SET;
  const tl_set set = (tl_set)d->top;
  d->top = end;
  return set;
}

static tl_set take_block (tl_diagram *d, uint32_t room) {
  if (d->top - d->free_units > d->collect_at)
    tl_diagram_collect (d);
  tl_set set = take_free (d, room);
  if (!set)
    set = take_new (d, room);
  if (set)
    return set;
  const uint64_t before = d->top - d->free_units;
  tl_diagram_collect (d);
  // Where little was won the next time would come soon, and the next.
  if (before - (d->top - d->free_units) > before / 16 &&
      (set = take_free (d, room)))
    return set;
  if ((set = take_new (d, room)))
    return set;
  d->status = TL_E_NOMEM;
  return TL_EMPTY_SET;
}

// ---- The table of nodes ----------------------------------------------------

static uint64_t hash_edges (uint32_t level, const tl_branch *edge,
                            uint32_t count) {
  uint64_t h = level;
  for (uint32_t i = 0; i < count; i++) {
    h = (h ^ edge[i].value ^ (uint64_t)edge[i].to << 32) * 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
  }
  return h;
}

uint64_t tl_diagram_hash (const tl_set_node *n) {
  return hash_edges (n->level, n->edge, n->count);
}

static void grow_table (tl_diagram *d) {
  tl_set *more;
  const uint64_t buckets = 2 * d->buckets;
  if (!TL_NEW (d->mem, more, buckets))
    return; // longer chains will do
  for (uint64_t i = 0; i < d->buckets; i++)
    for (tl_set s = d->bucket[i], next; s; s = next) {
      tl_set_node *n = tl_diagram_node (d, s);
      tl_set *head = more + (tl_diagram_hash (n) & (buckets - 1));
      next = n->next;
      n->next = *head;
      *head = s;
    }
  TL_DEL (d->mem, d->bucket, d->buckets);
  d->bucket = more;
  d->buckets = buckets;
}

static bool is_node (const tl_set_node *n, uint32_t level,
                     const tl_branch *edge, uint32_t count) {
  return n->level == level && n->count == count &&
         !memcmp (n->edge, edge, count * sizeof *edge);
}

static tl_set find (const tl_diagram *d, uint32_t level, const tl_branch *edge,
                    uint32_t count, uint64_t hash) {
  tl_set s = d->bucket[hash & (d->buckets - 1)];
  while (s && !is_node (tl_diagram_node (d, s), level, edge, count))
    s = tl_diagram_node (d, s)->next;
  return s;
}

static tl_set add (tl_diagram *d, uint32_t level, size_t base, uint32_t count,
                   uint64_t hash) {
  const tl_set s = take_block (d, tl_diagram_room (count));
  if (!s)
    return TL_EMPTY_SET;
  if (d->nodes >= d->buckets)
    grow_table (d);
  tl_set_node *n = tl_diagram_node (d, s);
  tl_set *head = d->bucket + (hash & (d->buckets - 1));
  *n = (tl_set_node){.next = *head, .level = level & INT32_MAX, .count = count};
  memcpy (n->edge, d->slot + base, count * sizeof *n->edge);
  *head = s;
  if (++d->nodes > d->peak)
    d->peak = d->nodes;
  return s;
}

tl_set tl_diagram_make (tl_diagram *d, uint32_t level, size_t base) {
  const uint32_t count = (uint32_t)(d->slots - base);
  tl_set s = TL_EMPTY_SET;
  if (count && !d->status) {
    const tl_branch *edge = d->slot + base;
    const uint64_t hash = hash_edges (level, edge, count);
    s = find (d, level, edge, count, hash);
    if (!s)
      s = add (d, level, base, count, hash);
  }
  d->slots = base;
  return s;
}
