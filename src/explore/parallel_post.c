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
  return tl_post_shape (c->post, s->code.key_words, s->code.key_bits,
                        s->net->transitions)
             ? count_mates (c)
             : TL_E_NOMEM;
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
  tl_post_close (c->post);
  TL_DEL (mem, c->post, 1);
}

// ---- Sending ---------------------------------------------------------------

static tl_status send (tl_mate *m, unsigned to, size_t i) {
  const tl_worker *w = &m->worker;
  tl_status rc;
  while ((rc = tl_outbox_add (&m->outbox, to, w->keys + i * w->key_words,
                              w->events[i], m->parent[i])) == TL_E_NOMEM)
    if (tl_mate_crowded (m))
      return rc;
  return rc;
}

tl_status tl_mate_send (tl_mate *m) {
  const tl_crew *c = m->crew;
  tl_worker *w = &m->worker;
  const unsigned here = c->post->cluster->rank;
  uint16_t *owner = m->deal.shard; // it has no use for that yet
  tl_status rc = TL_OK;
  size_t kept = 0;
  tl_shards_owners (c->shards, w->keys, w->gathered, owner);
  for (size_t i = 0; !rc && i < w->gathered; i++)
    if (owner[i] != here)
      rc = send (m, owner[i], i);
    else if (kept++ < i)
      tl_mate_keep (m, i, kept - 1);
  w->gathered = m->known = kept;
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

// Puts the next packet that has come; false in *took: there is none.
static tl_status take_packet (tl_mate *m, bool all, bool *took) {
  tl_crew *c = m->crew;
  tl_worker *w = &m->worker;
  tl_packet *packet = tl_post_take (c->post);
  *took = packet;
  if (!packet)
    return TL_OK;
  unsigned why;
  w->gathered +=
      tl_packet_read (c->post, packet, w->keys + w->gathered * w->key_words,
                      w->events + w->gathered, m->parent + w->gathered, &why);
  m->known = w->gathered;
  const tl_status rc = why ? stop (c, why) : tl_mate_put (m, all);
  tl_post_give_back (c->post, packet);
  return rc;
}

tl_status tl_mate_exchange (tl_mate *m, bool all) {
  tl_crew *c = m->crew;
  tl_status rc = TL_OK;
  bool took = true;
  for (unsigned times = 0; !rc && (took || tl_post_is_full (c->post));) {
    if (!took)
      tl_post_rest (&times);
    if (!(rc = tl_mate_heed (m)))
      rc = take_packet (m, all, &took);
  }
  return rc;
}

tl_status tl_mate_attend (tl_mate *m) {
  tl_crew *c = m->crew;
  tl_status rc = TL_OK;
  tl_outbox_send (&m->outbox);
  if (__atomic_add_fetch (&c->attending, 1, __ATOMIC_SEQ_CST) == c->workers)
    tl_post_count (c->post);
  for (unsigned times = 0; !rc && !tl_post_is_settled (c->post);) {
    bool took = false;
    if (!(rc = tl_mate_heed (m)))
      rc = take_packet (m, true, &took);
    if (took)
      times = 0;
    else
      tl_post_rest (&times);
  }
  return rc;
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
