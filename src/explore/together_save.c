// Checkpoints of several ranks.  Each rank has a journal in a folder of its
// own; the checkpoint is one file, of the first rank, which says how much of
// each journal counts, and where each thread of each rank stood.  Marks are
// made by all ranks at the same point, when everything that was sent has come.
//
// The states that every rank finds for itself at the beginning are in no
// journal: a search that goes on finds them again, in the same order.

#include "base/error.h"
#include "explore/parallel_parts.h"
#include "explore/together.h"

#include <stdio.h>
#include <stdlib.h>

static const char lacks[] = "no memory for the states of the checkpoint";

// ---- Writing ---------------------------------------------------------------

// What a rank says of itself: how much of its journal counts, and of each
// thread the parts of its states.
static size_t report_words (const tl_crew *c, unsigned rank) {
  return 1 + 3 * (size_t)(c->first_mate[rank + 1] - c->first_mate[rank]);
}

static void report (const tl_crew *c, uint64_t length, uint64_t *word) {
  *word++ = length;
  for (unsigned i = 0; i < c->size; i++) {
    const tl_mate *m = c->mate + i;
    *word++ = m->marked.expanded;
    *word++ = m->marked.level;
    *word++ = m->found;
  }
}

// All ranks write down what all have to say, so that it is the same for all.
static tl_status save (tl_search *s, tl_parcel *body, tl_error *why) {
  tl_crew *c = s->order_context;
  tl_cluster *all = s->cluster;
  uint64_t length, *word;
  const tl_status rc = tl_saving_flush (s->saving, s, &length, why);
  if (rc)
    return rc;
  tl_parcel_number (body, all->ranks);
  tl_parcel_number (body, c->before_all);
  for (unsigned r = 0; r < all->ranks; r++) {
    const size_t words = report_words (c, r);
    if (!TL_NEW (body->mem, word, words))
      all->abandon (all, 3, lacks);
    if (r == all->rank)
      report (c, length, word);
    all->tell (all, r, word, words * sizeof *word);
    tl_parcel_number (body, words);
    for (size_t i = 0; i < words; i++)
      tl_parcel_number (body, word[i]);
    TL_DEL (body->mem, word, words);
  }
  return TL_OK;
}

// Successors that do not fit are in no lane, and states that all have found in
// no journal: then the mark before stands.
static bool can_mark (const tl_crew *c) {
  bool can = true;
  for (unsigned i = 0; i < c->size; i++) {
    const tl_mate *m = c->mate + i;
    can &= !m->misfits && (!m->now.count || m->now.first >> TL_MATE_BIT);
  }
  return can;
}

static tl_censuses censuses (const tl_crew *c) {
  return (tl_censuses){&c->mate->worker.census, c->size, sizeof *c->mate};
}

static void write (tl_crew *c) {
  tl_search *s = c->search;
  s->save = save;
  tl_saving_write (s->saving, s, censuses (c));
  s->save = 0;
}

static void mark (tl_crew *c) {
  tl_search *s = c->search;
  for (unsigned i = 0; i < c->size; i++)
    c->mate[i].marked = tl_mate_part (c, c->mate + i);
  tl_saving_mark (s->saving, s, censuses (c), 0, 0);
}

// Everything has come that was sent.
static void mark_and_write (tl_crew *c) {
  tl_search *s = c->search;
  uint64_t said[] = {!can_mark (c), tl_saving_is_due (s->saving)};
  s->cluster->raise (s->cluster, said, 2);
  if (!said[0])
    mark (c);
  if (said[1])
    write (c);
}

void tl_crew_end_saving (tl_crew *c, tl_status rc) {
  tl_cluster *all = c->search->cluster;
  uint64_t open = rc && tl_saving_is_open (c->search->stop);
  all->raise (all, &open, 1);
  if (open)
    write (c);
}

// ---- A level ---------------------------------------------------------------

tl_status tl_crew_run_saved (tl_crew *c, tl_status rc,
                             tl_status (*run) (tl_crew *)) {
  tl_search *s = c->search;
  tl_cluster *all = s->cluster;
  if ((rc = tl_together_agree (s, rc)))
    return rc;
  mark_and_write (c);
  for (;;) {
    if ((rc = tl_together_agree (s, tl_search_poll (s))))
      return rc;
    c->attending = 0;
    tl_post_begin (c->post);
    if ((rc = run (c)))
      tl_crew_break_off (c, rc);
    uint64_t said[] = {rc != TL_OK, c->taken < c->tickets};
    all->raise (all, said, 2);
    if (said[0])
      return rc ? rc : TL_E_LIMIT;
    if (!said[1])
      return TL_OK;
    tl_crew_trace_deadlock_together (c);
    mark_and_write (c);
  }
}

// ---- Going on --------------------------------------------------------------

typedef struct restoring {
  tl_crew *crew;
  tl_moving moving;
  uint64_t *keys; // [TL_MOVE]
  uint32_t count;
} restoring;

static void move (restoring *r) {
  if (r->count)
    tl_moving_keys (&r->moving, r->keys, r->count);
  r->count = 0;
}

// The next state of a thread.
static tl_status take (void *context, uint32_t stream, const uint64_t *key,
                       uint64_t parent, uint32_t event) {
  restoring *r = context;
  tl_crew *c = r->crew;
  tl_mate *m = c->mate + stream;
  const uint32_t words = c->search->code.key_words;
  tl_copy_words (r->keys + (size_t)r->count * words, key, words);
  if (++r->count == TL_MOVE)
    move (r);
  tl_lane *lane = m->found < m->marked.expanded ? 0
                  : m->found < m->marked.level  ? &m->now
                                                : &m->next;
  while (lane && tl_lane_push (lane, key, event))
    if (tl_crew_relieve (c))
      c->post->cluster->abandon (c->post->cluster, 3, lacks);
  tl_mate_note (m, parent, key, event);
  return TL_OK;
}

static void begin_lanes (tl_crew *c, uint64_t width) {
  const size_t block = tl_crew_block (c, width);
  for (unsigned i = 0; i < c->size; i++) {
    tl_mate *m = c->mate + i;
    const uint64_t first = tl_crew_first_number (c, i) + 1;
    tl_lane_begin (&m->now, first + m->marked.expanded, block);
    tl_lane_begin (&m->next, first + m->marked.level, block);
  }
}

// Reads what this rank has said of itself.
static bool read_report (tl_crew *c, tl_unparcel *u, uint64_t *length,
                         uint64_t *states) {
  const tl_cluster *all = c->search->cluster;
  bool same = tl_unparcel_number (u) == all->ranks;
  same &= tl_unparcel_number (u) == c->before_all;
  for (unsigned r = 0; same && r < all->ranks; r++) {
    const uint64_t words = tl_unparcel_number (u);
    same = words == report_words (c, r);
    if (same && r == all->rank)
      *length = tl_unparcel_number (u);
    for (uint64_t i = r == all->rank; same && i < words; i++) {
      const uint64_t word = tl_unparcel_number (u);
      if (r != all->rank)
        continue;
      tl_saved_part *part = &c->mate[(i - 1) / 3].marked;
      *((i - 1) % 3 == 0   ? &part->expanded
        : (i - 1) % 3 == 1 ? &part->level
                           : states + (i - 1) / 3) = word;
    }
  }
  return same && !u->failed && u->at == u->end;
}

static bool are_parts (const tl_crew *c, const uint64_t *states) {
  for (unsigned i = 0; i < c->size; i++) {
    const tl_saved_part p = c->mate[i].marked;
    if (p.expanded > p.level || p.level > states[i])
      return false;
  }
  return true;
}

static tl_status restore (tl_crew *c, uint64_t *states) {
  tl_search *s = c->search;
  uint64_t length = 0, width = 0;
  restoring r = {.crew = c};
  tl_unparcel u = tl_saving_body (s->saving, s);
  if (s->cluster->rank)
    tl_census_forget (&s->census); // the first rank has the figures
  tl_status rc =
      !read_report (c, &u, &length, states)
          ? tl_fail (s->error, TL_E_SYNTAX,
                     "the checkpoint is of a search with other numbers of "
                     "ranks or threads")
      : are_parts (c, states) ? TL_OK
                              : tl_saving_damaged (s->saving);
  if ((rc = tl_together_agree (s, rc)))
    return rc;
  for (unsigned i = 0; i < c->size; i++)
    width += c->mate[i].marked.level - c->mate[i].marked.expanded;
  if (!TL_NEW (&s->engine, r.keys, TL_MOVE * s->code.key_words))
    s->cluster->abandon (s->cluster, 3, lacks);
  begin_lanes (c, width);
  tl_moving_begin (&r.moving, c, lacks);
  rc = tl_saving_show (s->saving, s, length, states, c->size, take, &r);
  if (rc) // the others wait for what is in the journal
    s->cluster->abandon (s->cluster, rc == TL_E_NOMEM ? 3 : 2,
                         rc == TL_E_NOMEM || !s->error ? lacks
                                                       : s->error->text);
  move (&r);
  rc = tl_moving_end (&r.moving);
  TL_DEL (&s->engine, r.keys, TL_MOVE * s->code.key_words);
  return rc;
}

tl_status tl_crew_restore (tl_crew *c, uint64_t *width) {
  tl_search *s = c->search;
  uint64_t *states, sums[3] = {0};
  if (!TL_NEW (&s->engine, states, c->size))
    s->cluster->abandon (s->cluster, 3, lacks);
  const tl_status rc = restore (c, states);
  TL_DEL (&s->engine, states, c->size);
  if (rc)
    return rc;
  c->restored = true;
  for (unsigned i = 0; i < c->size; i++) {
    sums[0] += c->mate[i].now.count;
    sums[1] += c->mate[i].found;
  }
  sums[2] = s->store->count;
  s->cluster->add_up (s->cluster, sums, 3);
  *width = sums[0];
  s->elsewhere = sums[2] - s->store->count;
  if (sums[2] != c->before_all + sums[1]) // some were there twice
    return tl_saving_damaged (s->saving);
  tl_saving_mark (s->saving, s, censuses (c), 0, 0);
  write (c);
  return TL_OK;
}
