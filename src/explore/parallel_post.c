// What the threads of a rank do with the post: successors that belong to other
// ranks leave a round before it is put, and what comes from there is put as a
// round of its own.

#include "base/tuning.h"
#include "explore/parallel_parts.h"

#include <stdlib.h>

// ---- Opening ---------------------------------------------------------------

static tl_status count_mates (tl_crew *c) {
  tl_cluster *all = c->search->cluster;
  if (!TL_NEW (&c->search->engine, c->first_mate, all->ranks + 1))
    return TL_E_NOMEM;
  c->first_mate[all->rank + 1] = tl_threads_size (c->team);
  return TL_OK;
}

tl_status tl_crew_open_post (tl_crew *c) {
  tl_search *s = c->search;
  if (!TL_NEW (&s->engine, c->post, 1))
    return TL_E_NOMEM;
  const tl_status rc =
      tl_post_open (c->post, &s->engine, s->cluster, tl_threads_size (c->team));
  if (rc)
    return rc;
  if (!tl_post_shape (c->post, s->code.key_words, s->code.key_bits,
                      s->net->transitions) ||
      tl_crew_open_sharing (c))
    return TL_E_NOMEM;
  return count_mates (c);
}

void tl_crew_close_post (tl_crew *c) {
  tl_mem *mem = &c->search->engine;
  if (!c->post)
    return;
  if (c->first_mate)
    TL_DEL (mem, c->first_mate, c->post->cluster->ranks + 1);
  TL_DEL (mem, c->shown, c->shown_room);
  c->search->sent[0] = c->post->records;
  c->search->sent[1] = c->post->bytes;
  c->search->sent[2] = c->post->blocks;
  tl_crew_close_sharing (c);
  tl_post_close (c->post);
  TL_DEL (mem, c->post, 1);
}

// ---- Sending ---------------------------------------------------------------

// Adds to the list those from `from` on that are not of this rank, and returns
// how many there are.  Which these are is hard to predict: no branch.
static size_t list_leaving (const uint16_t *owner, unsigned here, size_t from,
                            size_t end, uint32_t *list) {
  size_t count = 0;
  for (size_t i = from; i < end; i++) {
    list[count] = (uint32_t)i;
    count += owner[i] != here;
  }
  return count;
}

// Those that stay move together, without a branch, too.
static inline __attribute__ ((always_inline)) size_t
keep_own (tl_mate *m, const uint16_t *owner, unsigned here, uint32_t words) {
  const tl_worker *w = &m->worker;
  uint64_t *const keys = w->keys, *const parent = m->parent;
  uint32_t *const events = w->events;
  const size_t end = w->gathered;
  size_t kept = m->own;
  for (size_t i = kept; i < end; i++) {
    tl_copy_words (keys + kept * words, keys + i * words, words);
    events[kept] = events[i];
    parent[kept] = parent[i];
    kept += owner[i] == here;
  }
  return kept;
}

tl_status tl_mate_send (tl_mate *m) {
  const tl_crew *c = m->crew;
  tl_worker *w = &m->worker;
  const unsigned here = c->post->cluster->rank;
  // The deal has no use for these yet.
  uint16_t *owner = m->deal.shard;
  uint32_t *list = m->deal.origin;
  tl_shards_owners (c->shards, w->keys + m->own * w->key_words,
                    w->gathered - m->own, owner + m->own);
  const size_t count = list_leaving (owner, here, m->own, w->gathered, list);
  const tl_sendings all = {w->keys, m->parent, w->events, owner};
  size_t done = 0;
  tl_status rc;
  while ((rc = tl_outbox_add (&m->outbox, &all, list, count, &done)) ==
         TL_E_NOMEM)
    if (tl_mate_crowded (m))
      return rc;
  w->gathered = w->key_words == 1 ? keep_own (m, owner, here, 1)
                                  : keep_own (m, owner, here, w->key_words);
  m->known = m->own = w->gathered;
  return rc;
}

// ---- Taking ----------------------------------------------------------------

// Another rank says that the search is to end.
static tl_status stop (tl_crew *c, unsigned why) {
  pthread_mutex_lock (&c->lock);
  if (c->search->stop == TL_STOP_DONE)
    c->search->stop = (tl_stop)why;
  c->told_to_stop = true;
  pthread_mutex_unlock (&c->lock);
  return TL_E_LIMIT;
}

// *why, if not 0: the search is to end, as its sender says.
static tl_status read_packet (tl_mate *m, tl_packet *packet, unsigned *why) {
  tl_crew *c = m->crew;
  tl_worker *w = &m->worker;
  tl_status rc = tl_packet_unpack (&m->outbox, packet);
  if (rc) {
    tl_post_give_back (c->post, packet);
    return rc;
  }
  const unsigned what = packet->what;
  rc = tl_crew_hear (c, packet);
  if (what == TL_POST_BLOCK)
    return rc;
  if (what == TL_POST_KEYS)
    w->gathered +=
        tl_packet_read (c->post, packet, w->keys + w->gathered * w->key_words,
                        w->events + w->gathered, m->parent + w->gathered);
  else if (what == TL_POST_PAUSE)
    __atomic_store_n (&c->pause, true, __ATOMIC_RELAXED);
  else if (what < TL_POST_BLOCK)
    *why = what;
  tl_post_give_back (c->post, packet);
  return rc;
}

// Takes what has come, as much as makes a window, and then puts it; false in
// *took: there is nothing.  All that was sent by now is put at once, as far as
// that goes, so that of several ways to a state that by the least event is
// found, wherever it comes from (see deal.h).
static tl_status take_packets (tl_mate *m, bool *took) {
  const tl_crew *c = m->crew;
  tl_worker *w = &m->worker;
  tl_status rc = TL_OK;
  unsigned why = 0;
  *took = false;
  for (tl_packet *packet; !rc && !why && w->gathered < c->window &&
                          (packet = tl_post_take (c->post));) {
    *took = true;
    rc = read_packet (m, packet, &why);
  }
  m->known = m->own = w->gathered;
  return rc                         ? rc
         : why                      ? stop (m->crew, why)
         : w->gathered >= c->window ? tl_mate_put (m, false)
                                    : TL_OK;
}

tl_status tl_mate_exchange (tl_mate *m) {
  tl_crew *c = m->crew;
  tl_status rc = TL_OK;
  bool took = true;
  for (unsigned times = 0; !rc && (took || tl_post_is_full (c->post));) {
    if (!took)
      tl_post_rest (c->post, &times);
    if (!(rc = tl_mate_heed (m)))
      rc = take_packets (m, &took);
  }
  return rc;
}

tl_status tl_mate_wait (tl_mate *m, unsigned *times) {
  bool took = false;
  tl_status rc = tl_mate_heed (m);
  if (!*times) // others wait for it
    tl_outbox_send (&m->outbox);
  if (!rc)
    rc = take_packets (m, &took);
  if (took)
    *times = 1;
  else if (!rc && m->worker.gathered >= m->crew->gather / 2)
    rc = tl_mate_put (m, true);
  else
    tl_post_rest (m->crew->post, times);
  return rc;
}

tl_status tl_mate_attend (tl_mate *m) {
  tl_crew *c = m->crew;
  tl_status rc = TL_OK;
  tl_outbox_send (&m->outbox);
  if (__atomic_add_fetch (&c->attending, 1, __ATOMIC_SEQ_CST) == c->workers)
    tl_post_count (c->post);
  for (unsigned times = 0; !rc && !tl_post_is_settled (c->post);)
    rc = tl_mate_wait (m, &times);
  return rc ? rc : tl_mate_put (m, true);
}

// ---- States that are to be seen --------------------------------------------

tl_status tl_crew_note_shown (tl_crew *c, tl_mate *m) {
  const tl_worker *w = &m->worker;
  tl_visit visit = *m->visit;
  if (!TL_ROOM (&c->search->engine, c->shown, &c->shown_room,
                c->showns + 1 + w->key_words))
    return TL_E_NOMEM;
  c->shown[c->showns] = m->here;
  tl_copy_words (c->shown + c->showns + 1, w->key, w->key_words);
  c->showns += 1 + w->key_words;
  visit.search = 0; // there is no way to be told now
  return tl_search_heed (c->search,
                         c->looks->visit (c->looks->context, &visit));
}
