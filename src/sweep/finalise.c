// Finalised regions of a sweep: states that were all visited, for visitors
// that look at states together.  While no progress is lost a cycle never leaves
// its layer, so layers are shown as the line leaves them, small ones some at a
// time, but few beside what is stored in any case.  With other measures
// nothing is freed, and all layers are shown at the end.

#include "base/tuning.h"
#include "sweep/sweep.h"

#include <string.h>

typedef struct reading {
  tl_sweeping *sweeping;
  size_t waiting; // states that waited and were not shown so far
  tl_layer *const *layer;
  size_t layers;
  uint64_t cursor; // in the first of them
} reading;

static size_t read_states (void *context, size_t most, uint64_t *keys) {
  reading *r = context;
  const tl_sweeping *w = r->sweeping;
  const size_t words = w->search->code.key_words;
  if (r->waiting) {
    const size_t n = r->waiting < most ? r->waiting : most;
    r->waiting -= n;
    memcpy (keys, w->waiting + r->waiting * words, n * words * sizeof *keys);
    return n;
  }
  for (; r->layers; r->layers--, r->layer++, r->cursor = 0) {
    const size_t n = tl_pool_each (&(*r->layer)->states, &w->layers.kind,
                                   &r->cursor, most, keys);
    if (n)
      return n;
  }
  return 0;
}

// Shows those that wait and these layers; `last`: all states were visited.
static tl_status finalise (tl_sweeping *w, tl_layer *const *layer,
                           size_t layers, bool last) {
  reading r = {
      .sweeping = w, .waiting = w->waits, .layer = layer, .layers = layers};
  const tl_finalised states = {.context = &r, .next = read_states};
  w->waits = 0;
  return last ? tl_search_finalise_all (w->search, &states)
              : tl_search_finalise (w->search, &states);
}

// So many states may wait.
static uint64_t patience (const tl_sweeping *w) {
  const uint64_t few = w->layers.stored / 4;
  return few < TL_SWEEP_SHOWN_LEAST ? TL_SWEEP_SHOWN_LEAST
         : few < TL_SWEEP_SHOWN     ? few
                                    : TL_SWEEP_SHOWN;
}

// Makes the states of the line wait; false: they have to be shown now.
static bool wait (tl_sweeping *w) {
  tl_search *s = w->search;
  const size_t words = s->code.key_words;
  const uint64_t count = w->line->states.count;
  if (count + w->waits > patience (w) ||
      !TL_ROOM (&s->components, w->waiting, &w->waiting_room,
                (size_t)(w->waits + count) * words))
    return false;
  uint64_t cursor = 0;
  for (size_t n, left = (size_t)count;
       (n = tl_pool_each (&w->line->states, &w->layers.kind, &cursor, left,
                          w->waiting + w->waits * words));
       left -= n)
    w->waits += n;
  return true;
}

tl_status tl_sweep_finalise_line (tl_sweeping *w) {
  return wait (w) ? TL_OK : finalise (w, &w->line, 1, false);
}

tl_status tl_sweep_finalise_waiting (tl_sweeping *w) {
  return w->waits ? finalise (w, 0, 0, false) : TL_OK;
}

tl_status tl_sweep_finalise_rest (tl_sweeping *w) {
  if (w->by_layer)
    return w->waits ? finalise (w, 0, 0, true) : TL_OK;
  return tl_search_finalises (w->search)
             ? finalise (w, w->layers.open.layer, w->layers.open.count, true)
             : TL_OK;
}

void tl_sweep_finalise_close (tl_sweeping *w) {
  TL_DEL (&w->search->components, w->waiting, w->waiting_room);
  w->waits = w->waiting_room = 0;
}
