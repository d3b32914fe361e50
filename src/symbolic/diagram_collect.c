// Garbage collection: what can be reached from the slots, or from what is held,
// is marked, the other nodes become free blocks, and the table is made anew.

#include "symbolic/diagram.h"

#include <assert.h>
#include <string.h>

static void mark (const tl_diagram *d, tl_set set) {
  if (set <= TL_ALL_SET)
    return;
  tl_set_node *n = tl_diagram_node (d, set);
  if (n->marked)
    return;
  n->marked = true;
  if (n->level > 1)
    for (uint32_t i = 0; i < n->count; i++)
      mark (d, n->edge[i].to);
}

// A free block has level 0.
static void release (tl_diagram *d, tl_set set, tl_set_node *n) {
  const uint32_t room = tl_diagram_room (n->count);
  tl_set *list = d->free + tl_diagram_class (room);
  *n = (tl_set_node){.next = *list, .count = room};
  *list = set;
  d->free_units += tl_diagram_units (room);
}

static void keep (tl_diagram *d, tl_set set, tl_set_node *n) {
  tl_set *head = d->bucket + (tl_diagram_hash (n) & (d->buckets - 1));
  n->marked = false;
  n->next = *head;
  *head = set;
  d->nodes++;
}

static void sweep (tl_diagram *d) {
  uint64_t at = 2, end = 2; // of the last block that is kept
  memset (d->bucket, 0, d->buckets * sizeof *d->bucket);
  memset (d->free, 0, sizeof d->free);
  d->nodes = d->free_units = 0;
  for (uint64_t next; at < d->top; at = next) {
    tl_set_node *n = tl_diagram_node (d, (tl_set)at);
    next = at + tl_diagram_units (tl_diagram_room (n->count));
    if (n->marked)
      end = next;
  }
  d->top = end;
  for (uint64_t next, i = 2; i < end; i = next) {
    tl_set_node *n = tl_diagram_node (d, (tl_set)i);
    next = i + tl_diagram_units (tl_diagram_room (n->count));
    if (n->marked)
      keep (d, (tl_set)i, n);
    else
      release (d, (tl_set)i, n);
  }
}

static bool gone (const void *context, uint32_t set) {
  return set > TL_ALL_SET && !tl_diagram_node (context, set)->marked;
}

void tl_diagram_collect (tl_diagram *d) {
  for (size_t i = 0; i < d->slots; i++)
    mark (d, d->slot[i].to);
  for (const tl_held *h = d->held; h; h = h->next)
    mark (d, h->set);
  tl_operations_forget (&d->unions, gone, d);
  tl_operations_forget (&d->images, gone, d);
  tl_operations_forget (&d->others, gone, d);
  sweep (d);
  const uint64_t live = d->top - d->free_units;
  d->collect_at = 2 * live > d->collect_least ? 2 * live : d->collect_least;
  d->collections++;
  assert (tl_diagram_is_sound (d));
}

// ---- Checks ----------------------------------------------------------------

static bool is_sound (const tl_diagram *d, const tl_set_node *n) {
  if (!n->count || n->marked)
    return false;
  for (uint32_t i = 0; i < n->count; i++) {
    const tl_set to = n->edge[i].to;
    if ((i && n->edge[i].value <= n->edge[i - 1].value) || to == TL_EMPTY_SET ||
        (to == TL_ALL_SET) != (n->level == 1) || to >= d->top ||
        (to > TL_ALL_SET && tl_diagram_node (d, to)->level != n->level - 1))
      return false;
  }
  return true;
}

static bool is_twin (const tl_set_node *a, const tl_set_node *b) {
  return a->level == b->level && a->count == b->count &&
         !memcmp (a->edge, b->edge, a->count * sizeof *a->edge);
}

static bool chain_is_sound (const tl_diagram *d, uint64_t bucket,
                            uint64_t *nodes) {
  for (tl_set s = d->bucket[bucket]; s; s = tl_diagram_node (d, s)->next) {
    const tl_set_node *n = tl_diagram_node (d, s);
    if (!is_sound (d, n) || (tl_diagram_hash (n) & (d->buckets - 1)) != bucket)
      return false;
    for (tl_set t = n->next; t; t = tl_diagram_node (d, t)->next)
      if (is_twin (n, tl_diagram_node (d, t)))
        return false;
    ++*nodes;
  }
  return true;
}

bool tl_diagram_is_sound (const tl_diagram *d) {
  uint64_t nodes = 0, blocks = 0, free_units = 0;
  for (uint64_t i = 0; i < d->buckets; i++)
    if (!chain_is_sound (d, i, &nodes))
      return false;
  for (uint64_t at = 2; at < d->top;) {
    const tl_set_node *n = tl_diagram_node (d, (tl_set)at);
    const uint64_t units = tl_diagram_units (tl_diagram_room (n->count));
    blocks += n->level > 0;
    free_units += n->level ? 0 : units;
    at += units;
  }
  return nodes == d->nodes && blocks == nodes && free_units == d->free_units;
}
