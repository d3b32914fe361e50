#include "symbolic/edges.h"

#include "symbolic/algebra.h"

static bool reserve (tl_diagram *d, uint32_t level, size_t base,
                     uint64_t value) {
  if (value >= TL_SYMBOLIC_TOKENS) {
    d->outgrown = level;
    d->status = TL_E_LIMIT;
    return false;
  }
  while (d->slots <= base + value)
    if (!tl_diagram_push (d, TL_EMPTY_SET, 0))
      return false;
  return true;
}

void tl_edges_set (tl_diagram *d, uint32_t level, size_t base, uint64_t value,
                   tl_set to) {
  if (reserve (d, level, base, value))
    d->slot[base + value] = (tl_branch){1, to};
}

void tl_edges_join (tl_diagram *d, uint32_t level, size_t base, uint64_t value,
                    tl_set more) {
  // It has to be on a slot while there may be a collection.
  if (!more || !tl_diagram_push (d, more, 0))
    return;
  const tl_set old =
      base + value < d->slots - 1 ? d->slot[base + value].to : TL_EMPTY_SET;
  const tl_set both = tl_union (d, old, more);
  d->slots--;
  if (!d->status && both != old)
    tl_edges_set (d, level, base, value, both);
}

// Edges by value become a list of those that are there.
tl_set tl_edges_make (tl_diagram *d, uint32_t level, size_t base) {
  size_t end = base;
  for (size_t i = base; i < d->slots; i++)
    if (d->slot[i].to)
      d->slot[end++] = (tl_branch){(uint32_t)(i - base), d->slot[i].to};
  d->slots = end;
  return tl_diagram_make (d, level, base);
}
