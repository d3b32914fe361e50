// Fields get wider between two levels.  A thread that finds a successor which
// does not fit leaves it for the end of the level.  Then all that is there are
// the states of the store, those of the next level and the successors that were
// left: they move to the wider layout, and these are fired.

#include "explore/parallel_parts.h"

#include <stdlib.h>

// ---- Moving ----------------------------------------------------------------

// The keys of a lane of the next level.
static tl_status move_keys (tl_mate *m, const tl_widening *how,
                            const tl_lane *old, tl_lane *lane,
                            uint64_t *old_key, uint64_t *key) {
  tl_crew *c = m->crew;
  const uint64_t blocks = tl_lane_blocks (old);
  tl_status rc = TL_OK;
  tl_lane_begin (lane, old->first, old->limit);
  for (uint64_t b = 0; !rc && b < blocks; b++) {
    memset (old_key, 0, old->words * sizeof *old_key);
    rc = tl_lane_read (&m->reader, old, b);
    while (!rc && m->reader.number < m->reader.end) {
      const uint32_t event = tl_lane_next (&m->reader, old_key);
      tl_widening_key (how, old_key, key);
      while ((rc = tl_lane_push (lane, key, event)) == TL_E_NOMEM &&
             !tl_crew_relieve (c))
        continue;
    }
  }
  return rc;
}

// The same for all of it; the lane was opened for the new ones.
static tl_status move_lane (tl_mate *m, const tl_widening *how, tl_lane *old,
                            tl_lane *lane) {
  tl_search *s = m->crew->search;
  const uint32_t old_words = old->words, words = s->code.key_words;
  uint64_t *old_key, *key = 0;
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (&s->engine, old_key, old_words) &&
      TL_NEW (&s->engine, key, words))
    rc = move_keys (m, how, old, lane, old_key, key);
  TL_DEL (&s->engine, old_key, old_words);
  TL_DEL (&s->engine, key, words);
  s->spilled += old->blocks.written;
  tl_lane_close (old);
  return rc;
}

// The keys of states whose successors were left.
static tl_status move_misfits (tl_mate *m, const tl_widening *how,
                               uint32_t old_words) {
  tl_mem *mem = &m->crew->search->engine;
  const uint32_t words = m->crew->search->code.key_words;
  const size_t count = m->misfits / (old_words + 2), size = count * (words + 2);
  uint64_t *list;
  if (!count)
    return TL_OK;
  if (!TL_NEW (mem, list, size))
    return TL_E_NOMEM;
  for (size_t i = 0; i < count; i++) {
    const uint64_t *old = m->misfit + i * (old_words + 2);
    uint64_t *at = list + i * (words + 2);
    at[0] = old[0];
    at[1] = old[1];
    tl_widening_key (how, old + 2, at + 2);
  }
  TL_DEL (mem, m->misfit, m->misfit_room);
  m->misfit = list;
  m->misfits = m->misfit_room = size;
  return TL_OK;
}

// All that a thread holds.
static tl_status move_mate (tl_mate *m, const tl_widening *how) {
  tl_lane old = m->next;
  const uint32_t old_words = old.words;
  tl_lane_close (&m->now); // nobody needs what is in it
  m->now.words = m->next.words = 0;
  const tl_status opened = tl_mate_open_parts (m),
                  moved = move_lane (m, how, &old, &m->next);
  return opened ? opened : moved ? moved : move_misfits (m, how, old_words);
}

// States of the next level that were found before there were several threads.
static tl_status move_later (tl_crew *c, const tl_widening *how) {
  tl_lane old = c->later;
  if (!old.words || c->expands_later)
    return TL_OK;
  tl_mate_open_lane (c->mate, &c->later);
  return move_lane (c->mate, how, &old, &c->later);
}

// ---- Widening --------------------------------------------------------------

tl_status tl_crew_widen_for (tl_crew *c, const uint64_t *state,
                             uint32_t event) {
  tl_search *s = c->search;
  tl_widening how;
  for (unsigned i = 0; i < c->size; i++)
    tl_mate_close_parts (c->mate + i); // what was counted is the search's now
  if (c->post)                         // all ranks are to widen the same
    c->post->cluster->raise (c->post->cluster, s->census.place_max,
                             s->net->places);
  tl_status rc = tl_search_widen (s, &s->census, state, event, &how);
  if (rc)
    return rc;
  c->shards = (tl_shards *)s->store;
  for (unsigned i = 0; !rc && i < c->size; i++)
    rc = move_mate (c->mate + i, &how);
  if (!rc)
    rc = move_later (c, &how);
  tl_widening_close (&how);
  return rc;
}

static tl_status widen_first (tl_crew *c, const tl_mate *m) {
  tl_search *s = c->search;
  const size_t words = s->layout.words;
  uint64_t *state;
  if (!TL_NEW (&s->engine, state, words))
    return TL_E_NOMEM;
  tl_code_state (&s->code, m->misfit + 2, state);
  c->asked = m->misfit[0];
  const tl_status rc = tl_crew_widen_for (c, state, (uint32_t)m->misfit[1]);
  TL_DEL (&s->engine, state, words);
  return rc;
}

// ---- Firing what was left --------------------------------------------------

// Fires a successor; false in *fits: it still does not fit.
static tl_status fire (tl_crew *c, const uint64_t *misfit, bool *fits) {
  tl_search *s = c->search;
  tl_mate *m = c->mate;
  tl_worker *w = &m->worker;
  const uint32_t event = (uint32_t)misfit[1];
  uint8_t isnew;
  tl_batch batch = {.count = 1, .keys = w->keys, .isnew = &isnew};
  tl_copy_words (w->key, misfit + 2, w->key_words);
  tl_worker_unpack (w);
  *fits = tl_worker_steps (w, &event, 1);
  if (!*fits)
    return TL_OK;
  tl_status rc;
  while ((rc = s->store->kind->put (s->store, &batch)) == TL_E_NOMEM &&
         !tl_crew_relieve (c))
    continue;
  while (!rc && isnew &&
         (rc = tl_mate_found (m, misfit[0], w->keys, event)) == TL_E_NOMEM &&
         !tl_crew_relieve (c))
    continue;
  return rc;
}

// Those that still do not fit stay on the list.
static tl_status fire_all (tl_crew *c, tl_mate *m) {
  const uint32_t length = c->search->code.key_words + 2;
  const size_t words = m->misfits;
  tl_status rc = TL_OK;
  m->misfits = 0;
  for (size_t i = 0; !rc && i < words; i += length) {
    bool fits;
    if (!(rc = fire (c, m->misfit + i, &fits)) && !fits) {
      memmove (m->misfit + m->misfits, m->misfit + i,
               length * sizeof *m->misfit);
      m->misfits += length;
    }
  }
  return rc;
}

tl_status tl_crew_widen (tl_crew *c) {
  tl_status rc = TL_OK;
  for (unsigned i = 0; !rc && i < c->size;) {
    if (!c->mate[i].misfits) {
      i++;
      continue;
    }
    rc = widen_first (c, c->mate + i);
    for (unsigned k = 0; !rc && k < c->size; k++)
      rc = fire_all (c, c->mate + k);
  }
  return rc;
}
