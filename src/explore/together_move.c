// Keys that move to their owners, all ranks at the same time: when fields get
// wider keys have others than before, and so do those of a checkpoint.

#include "explore/parallel_parts.h"
#include "explore/together.h"

#include <stdlib.h>

// There is no way back: a rank that fails ends the run.
static void must (const tl_moving *m, bool well) {
  tl_cluster *all = m->crew->post->cluster;
  if (!well)
    all->abandon (all, 3, m->lacks);
}

void tl_moving_begin (tl_moving *m, tl_crew *c, const char *lacks) {
  tl_mem *mem = &c->search->engine;
  *m = (tl_moving){.crew = c, .lacks = lacks};
  const size_t most = TL_PACKET_RECORDS;
  tl_post_begin (c->post);
  must (m, TL_NEW (mem, m->keys, most * c->post->words) &&
               TL_NEW (mem, m->parents, most) &&
               TL_NEW (mem, m->events, most) &&
               TL_NEW (mem, m->owner, TL_MOVE) && TL_NEW (mem, m->isnew, most));
  must (m, !tl_outbox_open (&m->outbox, c->post));
}

static void put (tl_moving *m, const uint64_t *keys, size_t count) {
  tl_store *store = m->crew->search->store;
  tl_batch batch = {.count = count, .keys = keys, .isnew = m->isnew};
  must (m, !store->kind->put (store, &batch));
}

// False: nothing has come.
static bool take (tl_moving *m) {
  const tl_crew *c = m->crew;
  tl_packet *packet = tl_post_take (c->post);
  if (!packet)
    return false;
  must (m, !tl_packet_unpack (&m->outbox, packet));
  const size_t count =
      tl_packet_read (c->post, packet, m->keys, m->events, m->parents);
  tl_post_give_back (c->post, packet);
  put (m, m->keys, count);
  return true;
}

void tl_moving_keys (tl_moving *m, const uint64_t *keys, uint32_t count) {
  static const uint64_t no_parent[TL_MOVE];
  static const uint32_t no_event[TL_MOVE];
  const tl_crew *c = m->crew;
  const uint32_t words = c->search->code.key_words;
  const tl_shards *shards = (const tl_shards *)c->search->store;
  const tl_sendings all = {keys, no_parent, no_event, m->owner};
  tl_shards_owners (shards, keys, count, m->owner);
  for (uint32_t i = 0; i < count; i++)
    if (m->owner[i] == c->post->cluster->rank)
      put (m, keys + i * words, 1);
    else
      must (m, !tl_outbox_add (&m->outbox, &all, &i, 1, &(size_t){0}));
  bool took = true;
  for (unsigned times = 0; took || tl_post_is_full (c->post);) {
    if (!took)
      tl_post_rest (c->post, &times);
    took = take (m);
  }
}

tl_status tl_moving_end (tl_moving *m) {
  const tl_crew *c = m->crew;
  tl_mem *mem = &c->search->engine;
  const size_t most = TL_PACKET_RECORDS;
  tl_outbox_send (&m->outbox);
  tl_post_count (c->post);
  for (unsigned times = 0; !tl_post_is_settled (c->post);)
    if (!take (m))
      tl_post_rest (c->post, &times);
  TL_DEL (mem, m->keys, most * c->post->words);
  TL_DEL (mem, m->parents, most);
  TL_DEL (mem, m->events, most);
  TL_DEL (mem, m->owner, TL_MOVE);
  TL_DEL (mem, m->isnew, most);
  tl_outbox_close (&m->outbox);
  // Packets of what comes next are not for who still moves.
  return tl_together_agree (c->search, TL_OK);
}
