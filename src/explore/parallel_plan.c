// How a parallel search is planned: whether there is one, how many threads and
// shards it has, how many successors they put at once, and what is there for
// each of them when a level begins.  With several ranks windows and packets,
// too.

#include "base/tuning.h"
#include "explore/ahead.h"
#include "explore/how.h"
#include "explore/parallel_parts.h"
#include "store/kinds.h"

#include <stdlib.h>

// ---- Who may, and how many -------------------------------------------------

void tl_parallel_plan (tl_search *s) {
  const uint64_t from = s->options->parallel_from;
  s->parallel_from = from ? from : TL_PARALLEL_FROM;
  const uint64_t narrow = (uint64_t)TL_PARALLEL_NARROW * s->how->threads;
  s->parallel_narrow = from && from < narrow ? from : narrow;
}

const char *tl_parallel_refusal (const tl_search *s) {
  return s->spec.numbered ? "graphs are built by one"
         : s->visitor && s->visitor->visit && !s->visitor->skips
             ? "who looks at the states has one"
         : s->for_property ? "stubborn sets for a property have one"
         : s->result->unbounded.transition  ? "an unbounded net has one"
         : s->capacities.count              ? "capacities are watched by one"
         : s->store_kind == &tl_store_delta ? "the store delta has one"
                                            : 0;
}

const char *tl_parallel_why (const tl_search *s) {
  const bool several = s->options->threads > 1 && s->result->threads == 1,
             in_turn = s->spec.numbered || s->how->order == &tl_order_sweep;
  const char *why = in_turn ? tl_ahead_refusal (s) : tl_parallel_refusal (s);
  return !several                         ? 0
         : s->how->order == &tl_order_dfs ? "depth-first search has one"
         : why                            ? why
         : s->one_thread                  ? s->one_thread
         : tl_search_seen (s) < s->parallel_from
             ? "so few states are found sooner by one"
             : "so few states at a time are found sooner by one";
}

// Successors that are put at once where there are several ranks.  Where there
// is little memory they are as many as with one.
static size_t window_of (const tl_search *s) {
  enum { PART = 64, FIELDS = 8 };
  const size_t bytes =
      (size_t)TL_POST_WINDOW * 8 * (3 * s->code.key_words + FIELDS);
  return !s->root->limit || s->root->limit / PART > bytes ? TL_POST_WINDOW
                                                          : TL_ROUND;
}

size_t tl_crew_room (const tl_search *s) {
  return TL_ROUND + TL_ROUND_LEFT + (s->cluster ? window_of (s) : 0);
}

// Bytes that a thread takes for itself.
static size_t mate_bytes (const tl_search *s) {
  const tl_generator *g = s->generator;
  const size_t round = tl_crew_room (s) * (3 * s->code.key_words + 4) * 8,
               known = g->kind->beside ? 3 * g->kind->known (g) : 0;
  return round + known + (2 << 20) + (size_t)s->net->transitions * 64;
}

// As many as there is memory for.
unsigned tl_parallel_threads (const tl_search *s) {
  const unsigned wanted = s->how->threads;
  if (!s->root->limit)
    return wanted;
  const size_t used = tl_mem_used (s->root),
               left = s->root->limit > used ? s->root->limit - used : 0,
               most = left / 4 / mate_bytes (s);
  return most < wanted ? (unsigned)most : wanted;
}

// This level is wide, and levels were on an average: shards are not for one
// thread, which would expand most of the states.
bool tl_parallel_pays (const tl_search *s, uint64_t width) {
  if (s->cluster)
    return s->store->count >= s->parallel_from && !tl_parallel_refusal (s) &&
           s->code.key_bits > 1;
  return s->how->threads > 1 && !s->one_thread && width >= s->parallel_narrow &&
         s->store->count / (s->depth + 1) >= s->parallel_narrow &&
         s->store->count >= s->parallel_from && !tl_parallel_refusal (s) &&
         s->code.key_bits > 1;
}

// Fewer than there are keys.
unsigned tl_crew_shard_bits (const tl_search *s, uint64_t threads) {
  enum { RANKS_BITS = 15 }; // of all ranks
  const unsigned each = s->code.lengths ? TL_SHARDS_FEW : TL_SHARDS_EACH,
                 most = s->cluster ? RANKS_BITS : TL_SHARD_BITS;
  unsigned bits = 1;
  while (((uint64_t)1 << bits) < threads * each && bits < most &&
         bits + 1 < s->code.key_bits)
    bits++;
  return bits;
}

// ---- A level ---------------------------------------------------------------

static tl_status add_tickets (tl_crew *c, const tl_lane *l) {
  const uint64_t blocks = tl_lane_blocks (l);
  if (!TL_ROOM (&c->search->engine, c->ticket, &c->ticket_room,
                c->tickets + blocks))
    return TL_E_NOMEM;
  for (uint64_t i = 0; i < blocks; i++)
    c->ticket[c->tickets++] = (tl_ticket){l, i};
  return TL_OK;
}

// Successors of a round: fewer where only so many states are wanted.
static size_t choose_gather (const tl_crew *c) {
  const tl_search *s = c->search;
  const uint64_t most = s->options->max_states, seen = tl_search_seen (s),
                 left = most > seen ? (most - seen) / c->size : 0;
  return !most || left >= TL_ROUND ? TL_ROUND
         : left < TL_LANE_LEAST    ? TL_LANE_LEAST
                                   : (size_t)left;
}

// Successors of a packet: some packets of each rank make a window, so that what
// is put at once was found at the same time.
static size_t packet_of (const tl_crew *c) {
  enum { PACKETS = 4 };
  const size_t part = c->window / PACKETS / c->post->cluster->ranks,
               most = c->gather / 2, least = c->gather / 32;
  return part > most ? most : part < least ? least : part;
}

// Those that have to do with this level.  Of many narrow levels each should
// take no longer than with one thread.
static unsigned concerned (const tl_crew *c) {
  return c->holders > c->workers ? c->holders : c->workers;
}

// What of so many states is this rank's.
static uint64_t part_of (const tl_crew *c, uint64_t states) {
  return c->post ? states / c->post->cluster->ranks : states;
}

// Where ranks begin early they have something to give each other early, too.
size_t tl_crew_block (const tl_crew *c, uint64_t states) {
  const uint64_t part = states / (c->size * TL_LANE_PARTS),
                 from = c->post ? c->search->options->parallel_from : 0,
                 least = from && from < TL_LANE_LEAST ? from : TL_LANE_LEAST;
  return (size_t)(part < least ? least : part);
}

uint64_t tl_crew_first_number (const tl_crew *c, unsigned who) {
  const uint64_t before = c->post ? c->first_mate[c->post->cluster->rank] : 0;
  return (before + who + 1) << TL_MATE_BIT;
}

// Which block was begun first?  So the states of a level are expanded in the
// order of their parents, or nearly so, as by one thread.  Sleep sets prune
// more then: of two ways to a state, the one after which less is to be followed
// is mostly the first.
static int compare_tickets (const void *one, const void *other) {
  const tl_ticket *a = one, *b = other;
  const uint64_t from = tl_lane_mark (a->lane, a->block),
                 against = tl_lane_mark (b->lane, b->block);
  return from != against      ? (from > against) - (from < against)
         : a->lane != b->lane ? (a->lane->first > b->lane->first) -
                                    (a->lane->first < b->lane->first)
                              : (a->block > b->block) - (a->block < b->block);
}

// Shards grow that will be full soon, the last time by as much as it will take.
// While levels get wider nobody can tell.
static void choose_growing (tl_crew *c) {
  const tl_search *s = c->search;
  const uint64_t seen = tl_search_seen (s);
  const double all = tl_levels_estimate (&s->levels, seen, c->width);
  c->widest = c->width > c->widest ? c->width : c->widest;
  const bool told =
      all < (double)seen * 2 && c->width < c->widest - c->widest / 16;
  tl_shards_foresee (c->shards, told ? (uint64_t)all : 0);
  tl_growing_choose (&c->growing, c->shards, c->width,
                     told ? (uint64_t)all - seen : UINT64_MAX, c->workers);
}

// A few states are expanded sooner by one thread than by all.
tl_status tl_crew_begin_level (tl_crew *c, uint64_t width) {
  const size_t block = tl_crew_block (c, part_of (c, width));
  tl_status rc = TL_OK;
  c->attending = 0;
  if (c->post)
    tl_post_begin (c->post);
  c->width = width;
  c->workers = part_of (c, width) < c->search->parallel_narrow ? 1 : c->size;
  c->gather = choose_gather (c);
  if (c->post) {
    c->window = window_of (c->search) / TL_ROUND * c->gather;
    c->post->most = packet_of (c);
    tl_crew_plan_sharing (c);
  }
  if (c->workers > 1 || c->post)
    choose_growing (c);
  c->search->queued = width;
  c->seen = tl_search_seen (c->search);
  c->tickets = c->taken = 0;
  for (unsigned i = 0; !rc && i < concerned (c); i++) {
    tl_mate *m = c->mate + i;
    if (!c->restored)
      tl_lane_begin (&m->next, tl_crew_first_number (c, i) + m->found + 1,
                     block);
    rc = add_tickets (c, &m->now);
    if (!rc && m->hand.generator) // there may be a program by now
      rc = m->hand.generator->kind->follow (m->hand.generator);
  }
  if (!rc && c->expands_later)
    rc = add_tickets (c, &c->later);
  if (!rc && c->tickets)
    qsort (c->ticket, c->tickets, sizeof *c->ticket, compare_tickets);
  return rc;
}

uint64_t tl_crew_turn (tl_crew *c) {
  uint64_t width = 0;
  for (unsigned i = 0; i < concerned (c); i++) {
    tl_mate *m = c->mate + i;
    const tl_lane lane = m->now;
    m->now = m->next;
    m->next = lane;
    width += m->now.count;
    if (i >= c->workers) // it may be long before it is used again
      tl_lane_begin (&m->next, 0, TL_LANE_LEAST);
  }
  c->holders = c->restored ? c->size : c->workers;
  c->restored = false;
  if (c->expands_later)
    tl_lane_close (&c->later);
  c->expands_later = c->later.count;
  return width + c->later.count;
}
