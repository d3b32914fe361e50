// Ranks of which each expands what it owns would wait for the slowest: so one
// that has few blocks left asks another for some, and that one sends them.
//
//     thief            owner of the blocks         owners of the successors
//     few are left
//     ask  --------->  some are left
//          <---------  blocks, or none
//     expands them  ------------------------------->  packets, as always
//
// A block has the numbers of its states, so that their successors name the same
// parents whoever expands them.  A rank without blocks says how many it has
// given; when all have said so each knows how many are to come, and when these
// are expanded the level ends as it does without them.

#include "explore/parallel_parts.h"

#include <stdlib.h>

enum {
  WIDE = 2048, // states of a level for each rank, from which on it is shared
  FEW = 6,     // blocks for each thread, below which a rank asks for more
  ENOUGH = 3,  // blocks that whom it asks should have
  PART = 4,    // one part in so many of its blocks is given at once,
  MOST = 4     // but not more blocks than that
};

// ---- Opening ---------------------------------------------------------------

tl_status tl_crew_open_sharing (tl_crew *c) {
  tl_sharing *h = &c->sharing;
  tl_mem *mem = &c->search->engine;
  *h = (tl_sharing){.packer = TL_PACKER (mem)};
  h->last = &h->waiting;
  pthread_mutex_init (&h->lock, 0);
  return TL_NEW (mem, h->left, c->search->cluster->ranks) ? TL_OK : TL_E_NOMEM;
}

void tl_crew_close_sharing (tl_crew *c) {
  tl_sharing *h = &c->sharing;
  if (!h->last)
    return;
  tl_packer_close (&h->packer);
  TL_DEL (&c->search->engine, h->left, c->search->cluster->ranks);
  pthread_mutex_destroy (&h->lock);
}

// Blocks that nobody has taken.
static size_t blocks_left (const tl_crew *c) {
  const size_t taken = __atomic_load_n (&c->taken, __ATOMIC_RELAXED);
  return taken < c->tickets ? c->tickets - taken : 0;
}

void tl_crew_plan_sharing (tl_crew *c) {
  tl_sharing *h = &c->sharing;
  const unsigned ranks = c->post->cluster->ranks;
  const uint64_t from = c->search->options->parallel_from,
                 least = from ? from : (uint64_t)WIDE * ranks;
  h->on = ranks > 1 && c->width >= least;
  h->worth = from ? 1 : ENOUGH;
}

void tl_crew_begin_sharing (tl_crew *c) {
  tl_sharing *h = &c->sharing;
  const tl_search *s = c->search;
  const unsigned ranks = s->cluster->ranks;
  const size_t left = blocks_left (c);
  h->asks = false;
  c->post->left = left;
  for (unsigned i = 0; i < ranks; i++)
    h->left[i] = i == s->cluster->rank ? 0 : left; // as far as one can tell
}

size_t tl_crew_take_ticket (tl_crew *c) {
  if (__atomic_load_n (&c->pause, __ATOMIC_RELAXED))
    return c->tickets;
  const size_t i = __atomic_fetch_add (&c->taken, 1, __ATOMIC_RELAXED);
  if (c->post)
    __atomic_store_n (&c->post->left, blocks_left (c), __ATOMIC_RELAXED);
  return i;
}

// ---- Giving ----------------------------------------------------------------

// Gives the next block; false in *gave: there is none.  The lock is held.
static tl_status give_block (tl_crew *c, unsigned to, bool *gave) {
  const size_t most = sizeof (uint64_t) + tl_lane_most (&c->mate->now);
  tl_packet *packet = tl_post_begin_block (c->post, to, most);
  const size_t i = packet ? tl_crew_take_ticket (c) : c->tickets;
  *gave = i < c->tickets;
  if (!*gave) {
    if (packet)
      tl_post_throw_away (c->post, packet);
    return TL_OK;
  }
  const tl_ticket *t = c->ticket + i;
  unsigned char *at = packet->bytes + packet->size;
  uint64_t first;
  const tl_status rc =
      tl_lane_copy (t->lane, t->block, &c->sharing.packer, at + sizeof first,
                    &first, &packet->records);
  if (rc) {
    tl_post_throw_away (c->post, packet);
    return rc;
  }
  tl_write_word (at, first);
  packet->size +=
      sizeof first + packet->records * (t->lane->record + t->lane->event_bytes);
  tl_post_send_block (c->post, packet);
  return TL_OK;
}

// A part of what is left: others will ask, too.
static tl_status give (tl_crew *c, unsigned to) {
  tl_sharing *h = &c->sharing;
  const size_t part = (blocks_left (c) + PART - 1) / PART,
               most = part < MOST ? part : MOST;
  size_t given = 0;
  bool gave = true;
  tl_status rc = TL_OK;
  pthread_mutex_lock (&h->lock);
  while (!rc && gave && given < most) {
    rc = give_block (c, to, &gave);
    given += gave;
  }
  pthread_mutex_unlock (&h->lock);
  if (!given) // who gets no answer asks nobody else in this level
    tl_post_tell (c->post, to, TL_POST_NONE);
  return rc;
}

// ---- Asking ----------------------------------------------------------------

// Who has most, as far as is known.
static unsigned find_richest (const tl_crew *c) {
  const tl_cluster *all = c->post->cluster;
  const uint64_t *left = c->sharing.left;
  unsigned richest = all->rank;
  for (unsigned i = 1; i < all->ranks; i++) {
    const unsigned r = (all->rank + i) % all->ranks;
    richest = left[r] > left[richest] ? r : richest;
  }
  return richest;
}

void tl_crew_ask (tl_crew *c) {
  tl_sharing *h = &c->sharing;
  if (blocks_left (c) >= (size_t)FEW * c->workers ||
      pthread_mutex_trylock (&h->lock))
    return;
  const unsigned from = find_richest (c);
  const bool asks =
      !h->asks && h->waitings < c->workers && h->left[from] >= h->worth;
  if (asks)
    h->asks = !tl_post_tell (c->post, from, TL_POST_ASK);
  pthread_mutex_unlock (&h->lock);
}

// A block has come.
static void take_in (tl_sharing *h, tl_packet *packet) {
  packet->next = 0;
  *h->last = packet;
  h->last = &packet->next;
  h->waitings++;
  h->came++;
}

tl_status tl_crew_hear (tl_crew *c, tl_packet *packet) {
  tl_sharing *h = &c->sharing;
  const unsigned what = packet->what, from = packet->from;
  pthread_mutex_lock (&h->lock);
  h->left[from] = packet->left;
  if (what == TL_POST_NONE)
    h->left[from] = 0;
  h->asks &= what != TL_POST_NONE && what != TL_POST_BLOCK;
  if (what == TL_POST_BLOCK)
    take_in (h, packet);
  pthread_mutex_unlock (&h->lock);
  return what == TL_POST_ASK ? give (c, from) : TL_OK;
}

// ---- Expanding what others gave --------------------------------------------

static tl_packet *take_waiting (tl_sharing *h) {
  pthread_mutex_lock (&h->lock);
  tl_packet *packet = h->waiting;
  if (packet) {
    h->waiting = packet->next;
    h->last = h->waiting ? h->last : &h->waiting;
    h->waitings--;
    packet->next = 0;
  }
  pthread_mutex_unlock (&h->lock);
  return packet;
}

void tl_crew_drop_blocks (tl_crew *c) {
  for (tl_packet *packet; (packet = take_waiting (&c->sharing));)
    tl_post_give_back (c->post, packet);
}

// No block will come any more; one that has come is counted.
static bool is_over (tl_crew *c) {
  tl_sharing *h = &c->sharing;
  pthread_mutex_lock (&h->lock);
  const bool none = !h->waiting;
  const uint64_t came = h->came;
  pthread_mutex_unlock (&h->lock);
  return none && tl_post_has_blocks (c->post, came);
}

tl_status tl_mate_await (tl_mate *m, tl_packet **block) {
  tl_crew *c = m->crew;
  tl_status rc = TL_OK;
  pthread_mutex_lock (&c->sharing.lock); // nobody gives one meanwhile
  tl_post_close_blocks (c->post);
  pthread_mutex_unlock (&c->sharing.lock);
  for (unsigned times = 0; !rc;) {
    if ((*block = take_waiting (&c->sharing)) || is_over (c))
      break;
    tl_crew_ask (c);
    rc = tl_mate_wait (m, &times);
  }
  return rc;
}

void tl_mate_read_given (tl_mate *m, const tl_packet *block) {
  const unsigned char *at = tl_packet_block (block);
  tl_lane_read_copy (&m->reader, &m->now, tl_read_word (at), block->records,
                     at + sizeof (uint64_t));
}
