// What all ranks do together when a level is over: they agree on whether the
// search goes on, the first rank is shown what its visitor is to see, traces
// are read from the logs of all, and fields get wider.

#include "explore/choose.h"
#include "explore/parallel_parts.h"
#include "explore/together.h"

#include <stdlib.h>

// ---- The beginning ---------------------------------------------------------

tl_status tl_crew_begin_together (tl_crew *c, tl_status rc) {
  tl_search *s = c->search;
  tl_cluster *all = s->cluster;
  all->add_up (all, c->first_mate, all->ranks + 1);
  for (unsigned i = 0; i < all->ranks; i++)
    c->first_mate[i + 1] += c->first_mate[i];
  if ((rc = tl_together_agree (s, rc)))
    return rc;
  if (!tl_post_agree (c->post))
    return TL_E_NOMEM;
  uint64_t order = c->order, states = s->store->count;
  all->tell (all, 0, &order, sizeof order);
  if (order != c->order)
    all->abandon (all, 4, "it has found states in another order than rank 0");
  all->add_up (all, &states, 1);
  s->elsewhere = states - s->store->count;
  return TL_OK;
}

// ---- Traces ----------------------------------------------------------------

tl_status tl_crew_step_back (tl_crew *c, uint64_t *state, uint32_t *event) {
  tl_cluster *all = c->post->cluster;
  const uint64_t mate = (*state >> TL_MATE_BIT) - 1;
  unsigned who = 0;
  while (c->first_mate[who + 1] <= mate)
    who++;
  uint64_t said[3] = {TL_OK, *state, 0};
  if (who == all->rank) {
    uint32_t by = 0;
    said[0] = tl_mate_step_back (c->mate + (mate - c->first_mate[who]),
                                 said + 1, &by);
    said[2] = by;
  }
  all->tell (all, who, said, sizeof said);
  *state = said[1];
  *event = (uint32_t)said[2];
  return (tl_status)said[0];
}

// Ways go through the logs of all: where a rank has lost its own there are
// none.
static void agree_on_logs (tl_crew *c) {
  tl_search *s = c->search;
  uint64_t lost = c->lost || !s->log;
  s->cluster->raise (s->cluster, &lost, 1);
  c->lost = lost;
  if (lost)
    tl_crew_drop_logs (c);
}

// A way is had by all or by none: what they do next is the same.
tl_status tl_crew_trace_together (tl_search *s, tl_trace *trace) {
  enum { HAD, NOT_HAD, NO_MEMORY };
  agree_on_logs (s->order_context);
  const tl_status rc = tl_crew_trace (s, trace);
  uint64_t most = !rc ? HAD : rc == TL_E_NOMEM ? NO_MEMORY : NOT_HAD;
  s->cluster->raise (s->cluster, &most, 1);
  if (!rc && most != HAD)
    tl_trace_close (trace);
  return most == HAD ? TL_OK : most == NO_MEMORY ? TL_E_NOMEM : TL_E_LIMIT;
}

// The first dead state is that of the lowest rank that has met one.
tl_status tl_crew_trace_deadlock_together (tl_crew *c) {
  tl_search *s = c->search;
  tl_cluster *all = s->cluster;
  uint64_t dead = 0, first;
  for (unsigned i = 0; !dead && i < c->size; i++)
    dead = c->mate[i].dead;
  first = dead ? all->ranks - all->rank : 0;
  uint64_t has[] = {first, s->result->deadlock.transition != 0};
  all->raise (all, has, 2);
  if (!has[0] || has[1])
    return TL_OK;
  all->tell (all, (unsigned)(all->ranks - has[0]), &dead, sizeof dead);
  c->asked = dead - 1;
  return tl_search_trace (s, &s->result->deadlock) == TL_E_NOMEM ? TL_E_NOMEM
                                                                 : TL_OK;
}

// ---- What the first rank is to see -----------------------------------------

static tl_status show_all (tl_crew *c) {
  const tl_sightings showing = {.trace = tl_crew_trace_together,
                                .asked = &c->asked,
                                .worker = &c->mate->worker,
                                .room = c->mate->room,
                                .shown = c->shown,
                                .words = c->showns};
  c->showns = 0;
  return tl_together_show (c->search, &showing);
}

// ---- Wider fields ----------------------------------------------------------

static const char no_room[] = "no memory for wider fields";

// Between two layouts there is no way back: a rank that fails ends the run.
static void must (const tl_crew *c, bool well) {
  tl_cluster *all = c->post->cluster;
  if (!well)
    all->abandon (all, 3, no_room);
}

// Keys of the store that move to the new layout move to their new owners, too.
static tl_status move_store (const tl_widening *how, tl_store *old) {
  tl_search *s = how->search;
  tl_crew *c = s->order_context;
  const size_t old_words = old->spec.key_words, words = s->code.key_words;
  uint64_t *old_keys, *keys = 0, cursor = 0;
  tl_moving m;
  must (c, tl_post_shape (c->post, s->code.key_words, s->code.key_bits,
                          s->net->transitions));
  must (c, TL_NEW (&s->engine, old_keys, TL_MOVE * old_words) &&
               TL_NEW (&s->engine, keys, TL_MOVE * words));
  tl_moving_begin (&m, c, no_room);
  for (size_t n;
       (n = old->kind->each (old, &cursor, TL_MOVE, old_keys, true));) {
    for (size_t i = 0; i < n; i++)
      tl_widening_key (how, old_keys + i * old_words, keys + i * words);
    tl_moving_keys (&m, keys, (uint32_t)n);
  }
  TL_DEL (&s->engine, keys, TL_MOVE * words);
  TL_DEL (&s->engine, old_keys, TL_MOVE * old_words);
  return tl_moving_end (&m);
}

// Fires what was left; what still does not fit stays on the list.
static tl_status fire_left (tl_crew *c, tl_mate *from) {
  tl_mate *m = c->mate;
  tl_worker *w = &m->worker;
  const uint32_t length = c->search->code.key_words + 2;
  const size_t words = from->misfits;
  tl_status rc = TL_OK;
  from->misfits = 0;
  for (size_t i = 0; !rc && i < words; i += length) {
    const uint64_t *misfit = from->misfit + i;
    const uint32_t event = (uint32_t)misfit[1];
    tl_copy_words (w->key, misfit + 2, w->key_words);
    tl_worker_unpack (w);
    if (tl_worker_steps (w, &event, 1)) {
      w->events[w->gathered] = event;
      m->parent[w->gathered++] = misfit[0];
      m->known = w->gathered;
      rc = tl_mate_send (m);
      if (!rc)
        rc = tl_mate_put (m, true);
    } else {
      memmove (from->misfit + from->misfits, misfit,
               length * sizeof *from->misfit);
      from->misfits += length;
    }
  }
  return rc;
}

// The lowest rank that has a successor which does not fit says which one, and
// all make it fit.
static tl_status widen_first (tl_crew *c, unsigned who) {
  tl_search *s = c->search;
  tl_cluster *all = s->cluster;
  const size_t length = s->code.key_words + 2, words = s->layout.words;
  uint64_t *misfit, *state = 0;
  must (c, TL_NEW (&s->engine, misfit, length) &&
               TL_NEW (&s->engine, state, words));
  for (unsigned i = 0; who == all->rank && i < c->size; i++)
    if (c->mate[i].misfits) {
      memcpy (misfit, c->mate[i].misfit, length * sizeof *misfit);
      break;
    }
  all->tell (all, who, misfit, length * sizeof *misfit);
  tl_code_state (&s->code, misfit + 2, state);
  c->asked = misfit[0];
  s->move_store = move_store;
  const tl_status rc = tl_crew_widen_for (c, state, (uint32_t)misfit[1]);
  s->move_store = 0;
  must (c, rc != TL_E_NOMEM);
  TL_DEL (&s->engine, misfit, length);
  TL_DEL (&s->engine, state, words);
  return rc;
}

static bool has_misfits (const tl_crew *c) {
  for (unsigned i = 0; i < c->size; i++)
    if (c->mate[i].misfits)
      return true;
  return false;
}

tl_status tl_crew_widen_together (tl_crew *c) {
  tl_search *s = c->search;
  tl_cluster *all = s->cluster;
  const unsigned workers = c->workers;
  tl_status rc = TL_OK;
  while (!rc) {
    uint64_t first = has_misfits (c) ? all->ranks - all->rank : 0;
    all->raise (all, &first, 1);
    if (!first || (rc = widen_first (c, (unsigned)(all->ranks - first))))
      break;
    c->running = c->workers = 1;
    c->sharing.on = false;
    c->attending = 0;
    tl_post_begin (c->post);
    for (unsigned i = 0; !rc && i < c->size; i++)
      rc = fire_left (c, c->mate + i);
    must (c, !rc && !tl_mate_attend (c->mate));
    c->workers = workers;
  }
  return rc;
}

// ---- The end of a level ----------------------------------------------------

void tl_crew_break_off (tl_crew *c, tl_status rc) {
  tl_search *s = c->search;
  tl_cluster *all = s->cluster;
  const tl_stop why = rc == TL_E_NOMEM          ? TL_STOP_MEMORY
                      : s->stop != TL_STOP_DONE ? s->stop
                                                : TL_STOP_CANCEL;
  if (c->broken_off)
    return;
  c->broken_off = true;
  if (c->attending < c->workers) { // else they will see it soon
    if (!c->told_to_stop && tl_post_stop (c->post, why))
      all->abandon (all, 3, "no memory to tell the other ranks");
    if (c->sharing.on)
      tl_post_close_blocks (c->post);
    tl_post_count (c->post);
  }
  tl_crew_drop_blocks (c);
  tl_post_discard (c->post);
}

// Figures of all ranks, and whether there are ways.
static void exchange_figures (tl_crew *c) {
  tl_search *s = c->search;
  tl_cluster *all = s->cluster;
  uint64_t states = s->store->count;
  all->add_up (all, &states, 1);
  s->elsewhere = states - s->store->count;
  agree_on_logs (c);
}

tl_status tl_crew_end_together (tl_crew *c, tl_status rc) {
  tl_search *s = c->search;
  if (rc)
    tl_crew_break_off (c, rc);
  else if (!s->saving) // else all look at that when the next one begins
    rc = tl_search_poll (s);
  rc = tl_together_agree (s, rc);
  exchange_figures (c);
  const bool over = rc && rc != TL_E_LIMIT;
  if (over || tl_crew_trace_deadlock_together (c))
    return rc ? rc : TL_E_NOMEM;
  const tl_status shown = show_all (c);
  if (rc || (rc = shown) || (rc = tl_crew_widen_together (c)))
    return rc;
  if (tl_choose_should_try (s))
    rc = tl_choose_try (s);
  exchange_figures (c); // widening has found some
  c->shards = (tl_shards *)s->store;
  if (s->options->max_states && tl_search_seen (s) > s->options->max_states) {
    s->stop = TL_STOP_STATES;
    return TL_E_LIMIT;
  }
  return rc;
}
