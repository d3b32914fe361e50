// States of a sweep that were all visited, for visitors that look at states
// together.  While no progress is lost a cycle never leaves its layer, so each
// layer is shown as soon as the line leaves it.  With other measures nothing
// is freed, and all layers are shown at the end.

#include "explore/sweep.h"

typedef struct reading {
  const tl_pool_kind *kind;
  tl_layer *const *layer;
  size_t layers;
  uint64_t cursor; // in the first of them
} reading;

static size_t read_layers (void *context, size_t most, uint64_t *keys) {
  reading *r = context;
  for (; r->layers; r->layers--, r->layer++, r->cursor = 0) {
    const size_t n =
        tl_pool_each (&(*r->layer)->states, r->kind, &r->cursor, most, keys);
    if (n)
      return n;
  }
  return 0;
}

static tl_status settle (tl_sweeping *w, tl_layer *const *layer,
                         size_t layers) {
  reading r = {.kind = &w->layers.kind, .layer = layer, .layers = layers};
  return tl_search_settled (w->search,
                            &(tl_settled){.context = &r, .next = read_layers});
}

tl_status tl_sweep_settle_line (tl_sweeping *w) {
  return settle (w, &w->line, 1);
}

tl_status tl_sweep_settle_all (tl_sweeping *w) {
  return settle (w, w->layers.open.layer, w->layers.open.count);
}
