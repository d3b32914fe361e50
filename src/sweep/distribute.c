// Distributes the successors that were gathered to the layers they belong to:
// gathered, so that every layer gets many at a time.

#include "base/bits.h"
#include "base/tuning.h"
#include "sweep/sweep.h"

#include <string.h>

// The initial state was visited: takes it out of the new ones, so that it does
// not become a root.
static void forget_initial (const tl_sweeping *w, tl_batch *batch) {
  const uint32_t words = w->search->code.key_words;
  for (size_t i = 0; i < batch->done; i++)
    if (batch->isnew[i] && batch->keys[i * words] == *w->initial &&
        !memcmp (batch->keys + i * words, w->initial,
                 words * sizeof *w->initial))
      batch->isnew[i] = 0;
}

// Puts keys into their layer, or among the persistent states.
static tl_status put_some (tl_sweeping *w, tl_portion *s, tl_batch *batch) {
  s->behind = tl_sweep_gone (w, s->layer->value);
  tl_status rc = s->behind ? TL_OK : tl_layers_enter (&w->layers, s->layer);
  if (!rc)
    rc = s->behind ? tl_layers_keep (&w->layers, s->layer, batch)
                   : tl_layers_put (&w->layers, s->layer, batch);
  if (s->behind && w->layers.archive)
    forget_initial (w, batch);
  s->done += (uint32_t)batch->done;
  return rc;
}

static tl_status put_share (tl_sweeping *w, tl_portion *s) {
  const uint32_t words = w->search->code.key_words;
  const bool numbered = w->search->spec.numbered;
  bool patient = true, more = true;
  tl_status rc;
  while (more) {
    const size_t at = s->first + s->done;
    rc = put_some (w, s,
                   &(tl_batch){.count = s->end - at,
                               .keys = w->layer_keys + at * words,
                               .isnew = w->isnew + at,
                               .patient = patient,
                               .numbers = numbered ? w->numbers + at : 0});
    more = rc == TL_E_NOMEM && s->first + s->done < s->end;
    if (more && !tl_sweep_relieve (w)) {
      more = patient;
      patient = false;
    }
  }
  return rc;
}

// Which counter?  Where states are numbered, those of a layer stay in their
// order: it is always the first.
static inline size_t lane_mask (const tl_sweeping *w) {
  return w->search->spec.numbered ? 0 : TL_SWEEP_LANES - 1;
}

// Finds out how much each layer gets, and where.
static void divide (tl_sweeping *w) {
  tl_portion *const shares = w->share;
  const uint32_t *share_of = w->share_of;
  const size_t count = w->worker.gathered, mask = lane_mask (w);
  for (size_t i = 0; i < count; i++)
    shares[share_of[i]].next[i & mask]++;
  uint32_t first = 0;
  for (tl_portion *s = shares; s < shares + w->shares; s++) {
    s->first = first;
    for (size_t lane = 0; lane < TL_SWEEP_LANES; lane++) {
      const uint32_t here = s->next[lane];
      s->next[lane] = first;
      first += here;
    }
    s->end = first;
  }
}

// All successors belong to the same layer: they are in order.
static void take_keys (tl_sweeping *w) {
  uint64_t *keys = w->worker.keys;
  w->worker.keys = w->layer_keys;
  w->layer_keys = keys;
  for (uint32_t i = 0; i < w->worker.gathered; i++)
    w->from[i] = i;
  w->share->end = (uint32_t)w->worker.gathered;
}

static inline void order_words (tl_sweeping *w, uint32_t words) {
  tl_portion *const shares = w->share;
  const uint32_t *share_of = w->share_of;
  uint32_t *from = w->from;
  const uint64_t *keys = w->worker.keys;
  uint64_t *has_share = w->layer_keys;
  const size_t count = w->worker.gathered, mask = lane_mask (w);
  for (size_t i = 0; i < count; i++) {
    const size_t place = shares[share_of[i]].next[i & mask]++;
    from[place] = (uint32_t)i;
    tl_copy_words (has_share + place * words, keys + i * words, words);
  }
}

// Brings the keys into the order of layers.
static void order_keys (tl_sweeping *w) {
  const uint32_t words = w->search->code.key_words;
  divide (w);
  if (words == 1)
    order_words (w, 1);
  else
    order_words (w, words);
}

// Lists a new state for expansion, in this sweep or the next.
static tl_status list_new (tl_sweeping *w, const tl_portion *s, size_t place) {
  const uint32_t words = w->search->code.key_words;
  const uint32_t i = w->from[place];
  uint64_t record[words + 2];
  tl_copy_words (record, w->layer_keys + place * words, words);
  record[words] = w->origin[i];
  if (w->search->spec.numbered)
    record[words + 1] = w->targets[i];
  tl_status rc;
  do
    rc = s->behind ? tl_layers_push_root (&w->layers, s->layer, record)
                   : tl_layers_push (&w->layers, s->layer, record);
  while (rc == TL_E_NOMEM && tl_sweep_relieve (w));
  return rc;
}

// Lists what is new.
static tl_status list_all (tl_sweeping *w) {
  tl_status rc = TL_OK;
  for (const tl_portion *s = w->share; s < w->share + w->shares; s++)
    for (size_t i = s->first;
         (i = tl_next_marked (w->isnew, i, s->end)) < s->end; i++) {
      const tl_status listed = list_new (w, s, i);
      rc = rc ? rc : listed;
    }
  return rc;
}

// Numbers what was put, in the order in which it was found.
static void number_all (tl_sweeping *w) {
  uint32_t place[TL_SWEEP_ROOM];
  for (uint32_t i = 0; i < w->worker.gathered; i++)
    place[w->from[i]] = i;
  for (size_t i = 0; i < w->worker.gathered; i++) {
    const tl_portion *s = w->share + w->share_of[i];
    if (place[i] - s->first >= s->done)
      continue;
    const tl_pool *pool = s->behind ? &w->layers.persistent : &s->layer->states;
    uint64_t *name = pool->name + w->numbers[place[i]];
    if (w->isnew[place[i]])
      *name = w->found++;
    w->targets[i] = *name;
  }
}

// Tells the visitor the arcs of the states whose successors were gathered, of
// the last one perhaps not all.
static tl_status report_arcs (tl_sweeping *w) {
  tl_status rc = TL_OK;
  size_t from = 0;
  for (size_t k = 0; !rc && k < w->expansions; k++) {
    const tl_expanded *t = w->expansion + k;
    rc = tl_search_arcs (w->search, t->state, w->targets + from, t->end - from,
                         true);
    from = t->end;
  }
  if (!rc && from < w->worker.gathered)
    rc = tl_search_arcs (w->search, w->found_as, w->targets + from,
                         w->worker.gathered - from, false);
  return rc;
}

static void forget_shares (tl_sweeping *w) {
  for (size_t i = 0; i < w->shares; i++)
    if (w->share[i].layer)
      w->share[i].layer->has_share = false;
  if (w->class_share)
    memset (w->class_share, 0xff, w->classes * sizeof *w->class_share);
  w->worker.gathered = w->shares = w->expansions = 0;
  w->putting = false;
}

bool tl_expand_release (tl_sweeping *w, tl_layer *layer) {
  if (!layer->has_share)
    return true;
  tl_portion *s = w->share + layer->share;
  if (!w->putting || w->search->spec.numbered || s->done < s->end - s->first ||
      tl_next_marked (w->isnew, s->first, s->end) < s->end)
    return false;
  s->layer = 0;
  layer->has_share = false;
  return true;
}

// Those behind the line come first: most of what belongs there is known, and
// then they can be freed.
static tl_status put_shares (tl_sweeping *w) {
  tl_status rc = TL_OK;
  w->putting = true;
  for (unsigned ahead = 0; ahead < 2; ahead++)
    for (tl_portion *p = w->share; !rc && p < w->share + w->shares; p++)
      if (p->done < p->end - p->first &&
          (ahead ||
           tl_layers_compare (&w->layers, p->layer->value, w->line->value) < 0))
        rc = put_share (w, p);
  return rc;
}

void tl_expand_tell (tl_sweeping *w) {
  tl_search *s = w->search;
  s->queued = w->layers.unprocessed;
  s->stored = w->layers.stored + w->waits;
  if (s->stored > s->result->sweep.peak_states)
    s->result->sweep.peak_states = s->stored;
}

tl_status tl_expand_distribute (tl_sweeping *w) {
  tl_search *s = w->search;
  if (w->shares == 1)
    take_keys (w);
  else
    order_keys (w);
  memset (w->isnew, 0, w->worker.gathered);
  tl_status rc = put_shares (w);
  if (s->spec.numbered)
    number_all (w);
  const tl_status listed = list_all (w);
  rc = rc ? rc : listed;
  if (!rc && s->spec.numbered)
    rc = report_arcs (w);
  forget_shares (w);
  tl_expand_tell (w);
  return rc ? rc : tl_search_poll (s);
}
