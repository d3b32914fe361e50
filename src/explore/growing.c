#include "explore/growing.h"

tl_status tl_growing_open (tl_growing *g, tl_mem *mem,
                           const tl_shards *shards) {
  *g = (tl_growing){.mem = mem, .shards = tl_shards_count (shards)};
  return TL_NEW (mem, g->fill, g->shards) && TL_NEW (mem, g->full, g->shards)
             ? TL_OK
             : TL_E_NOMEM;
}

void tl_growing_close (tl_growing *g) {
  if (!g->mem)
    return;
  TL_DEL (g->mem, g->fill, g->shards);
  TL_DEL (g->mem, g->full, g->shards);
}

static void list (tl_growing *g, uint32_t shard) {
  g->full[g->count++] = (uint16_t)shard;
  g->fill[shard] = 0;
}

static uint32_t find_fullest (const tl_growing *g) {
  uint32_t fullest = 0;
  for (uint32_t i = 1; i < g->shards; i++)
    fullest = g->fill[i] > g->fill[fullest] ? i : fullest;
  return fullest;
}

void tl_growing_choose (tl_growing *g, const tl_shards *shards, uint64_t width,
                        uint64_t left, unsigned threads) {
  const double soon = 7.0 / 8;
  g->count = g->taken = 0;
  for (uint32_t i = 0; i < g->shards; i++) {
    const bool enough = tl_shards_fill (shards, i, left) < 1;
    g->fill[i] = enough ? 0 : tl_shards_fill (shards, i, width + width / 8);
    if (g->fill[i] >= 1)
      list (g, i);
  }
  while (g->count % threads) {
    const uint32_t shard = find_fullest (g);
    if (g->fill[shard] < soon)
      return;
    list (g, shard);
  }
}

void tl_growing_help (tl_growing *g, tl_shards *shards) {
  for (uint32_t i;
       (i = __atomic_fetch_add (&g->taken, 1, __ATOMIC_RELAXED)) < g->count;) {
    const uint32_t shard = g->full[i];
    tl_shards_claim (shards, shard);
    tl_shards_grow (shards, shard);
    tl_shards_release (shards, shard);
  }
}
