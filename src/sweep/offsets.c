// What a measure says in a sweep: the progress of a state, what a transition
// adds to it, and in which order sleep sets have transitions then.

#include "measure/order.h"
#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

void tl_sweep_read (tl_sweeping *w, const uint64_t *state) {
  for (uint32_t i = 0; i < w->reads; i++)
    w->marking[w->read[i]] =
        tl_layout_tokens (&w->search->layout, state, w->read[i]);
}

static tl_status value_read (const tl_sweeping *w, int64_t *value) {
  return tl_measure_value (w->measure, w->search->net, w->marking, value,
                           w->search->error);
}

// Progress that tokens tell.
static tl_status value_of_tokens (const tl_sweeping *w, const uint64_t *state,
                                  int64_t *value) {
  tl_generator *g = w->search->generator;
  const tl_tokens *marking = g->kind->tokens (g, &w->search->layout, state);
  if (!marking)
    return TL_E_NOMEM;
  *value = tl_measure_tokens (w->measure, marking);
  return TL_OK;
}

tl_status tl_sweep_value (tl_sweeping *w, const uint64_t *state,
                          int64_t *value) {
  if (w->measure->traits)
    return value_of_tokens (w, state, value);
  tl_sweep_read (w, state);
  return value_read (w, value);
}

typedef struct adding {
  const tl_measure *measure;
  uint64_t sum;
} adding;

static void add_change (void *context, uint32_t place, const tl_cell *token,
                        int32_t change) {
  adding *a = context;
  a->sum += (uint64_t)tl_measure_token (a->measure, place, token, change);
}

tl_status tl_sweep_event_offset (tl_sweeping *w, uint32_t event,
                                 int64_t *offset) {
  const tl_generator *g = w->search->generator;
  if (!TL_ROOM (&w->search->engine, w->event_offset, &w->event_room,
                (size_t)event + 1))
    return TL_E_NOMEM;
  tl_event_offset *e = w->event_offset + event;
  if (!e->known) {
    adding a = {.measure = w->measure};
    g->kind->changes (g, event, add_change, &a);
    *e = (tl_event_offset){(int64_t)a.sum, true};
  }
  *offset = e->by;
  return TL_OK;
}

void tl_sweep_forget_events (tl_sweeping *w) {
  TL_DEL (&w->search->engine, w->event_offset, w->event_room);
  w->event_room = 0;
}

tl_status tl_sweep_value_after (tl_sweeping *w, uint32_t transition,
                                int64_t *value) {
  const tl_touch *first = w->touch + w->touch_start[transition],
                 *end = w->touch + w->touch_start[transition + 1];
  for (const tl_touch *c = first; c < end; c++)
    w->marking[c->place] += (uint64_t)c->amount;
  const tl_status rc = value_read (w, value);
  for (const tl_touch *c = first; c < end; c++)
    w->marking[c->place] -= (uint64_t)c->amount;
  return rc;
}

static int compare_offsets (const void *a, const void *b, void *context) {
  const tl_measure *m = ((const tl_sweeping *)context)->measure;
  const uint32_t t = *(const uint32_t *)a, u = *(const uint32_t *)b;
  return tl_progress_compare (m->offset + (size_t)t * m->parts,
                              m->offset + (size_t)u * m->parts, m->parts);
}

// Puts transitions with the same offset into one class.
static tl_status classify (tl_sweeping *w) {
  tl_mem *mem = &w->search->engine;
  const uint32_t transitions = w->search->net->transitions;
  uint32_t *sorted;
  if (!TL_NEW (mem, w->class_of, transitions) ||
      !TL_NEW (mem, w->offset, transitions) ||
      !TL_NEW (mem, w->class_share, transitions) ||
      !TL_NEW (mem, sorted, transitions))
    return TL_E_NOMEM;
  for (uint32_t t = 0; t < transitions; t++)
    sorted[t] = t;
  qsort_r (sorted, transitions, sizeof *sorted, compare_offsets, w);
  for (uint32_t i = 0; i < transitions; i++) {
    if (!i || compare_offsets (sorted + i - 1, sorted + i, w))
      w->offset[w->classes++] =
          w->measure->offset + (size_t)sorted[i] * w->measure->parts;
    w->class_of[sorted[i]] = w->classes - 1;
  }
  memset (w->class_share, 0xff, w->classes * sizeof *w->class_share);
  TL_DEL (mem, sorted, transitions);
  return TL_OK;
}

// Where the measure is linear.  Else an arc may lose progress, and be the only
// one that does, although it leads where others lead.
static void open_sleep (tl_sweeping *w) {
  tl_mem *mem = &w->search->engine;
  const uint32_t transitions = w->search->net->transitions;
  uint32_t *order;
  if (!TL_NEW (mem, order, transitions))
    return;
  tl_measure_order (w->measure->offset, w->measure->parts, transitions,
                    w->archives, order);
  tl_search_open_sleep (w->search, order);
  TL_DEL (mem, order, transitions);
}

// Finds out what transitions change of what the measure reads.
static tl_status note_touches (tl_sweeping *w) {
  tl_mem *mem = &w->search->engine;
  const tl_net *net = w->search->net;
  if (!tl_net_has_arcs (net))
    return TL_OK;
  if (!TL_NEW (mem, w->touch_start, net->transitions + 1))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < w->reads; i++)
    w->marking[w->read[i]] = 1; // a set for the time being
  for (uint32_t t = 0; t < net->transitions; t++) {
    for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);) {
      if (!w->marking[c.place])
        continue;
      if (!TL_ROOM (mem, w->touch, &w->touch_room, w->touch_count + 1))
        return TL_E_NOMEM;
      w->touch[w->touch_count++] = (tl_touch){c.place, c.amount};
    }
    w->touch_start[t + 1] = w->touch_count;
  }
  return TL_OK;
}

tl_status tl_sweep_open_measure (tl_sweeping *w) {
  tl_mem *mem = &w->search->engine;
  const tl_net *net = w->search->net;
  if (!TL_NEW (mem, w->marking, net->places) ||
      !TL_NEW (mem, w->read, net->places))
    return TL_E_NOMEM;
  w->reads = tl_measure_reads (w->measure, net, w->read);
  if (!w->measure->offset)
    return note_touches (w);
  open_sleep (w);
  return classify (w);
}

void tl_sweep_close_measure (tl_sweeping *w) {
  tl_mem *mem = &w->search->engine;
  const uint32_t transitions = w->search->net->transitions;
  TL_DEL (mem, w->marking, w->search->net->places);
  TL_DEL (mem, w->read, w->search->net->places);
  TL_DEL (mem, w->class_of, transitions);
  TL_DEL (mem, w->offset, transitions);
  TL_DEL (mem, w->class_share, transitions);
  TL_DEL (mem, w->touch_start, transitions + 1);
  TL_DEL (mem, w->touch, w->touch_room);
  tl_sleep_close (&w->search->sleep);
  tl_sweep_forget_events (w);
  w->classes = 0;
  w->touch_count = w->touch_room = 0;
}
