// States that a search with one thread has found and not expanded become the
// first level of several; of several ranks each takes its part.

#include "base/bits.h"
#include "explore/parallel_parts.h"

// Takes over states that wait, as many as that from the first on.
static tl_status take_some (tl_crew *c, const tl_handover *waiting,
                            tl_lane *lane, uint64_t first, uint64_t count) {
  tl_search *s = c->search;
  tl_status rc = TL_OK;
  uint64_t *key;
  if (!TL_NEW (&s->engine, key, s->code.key_words))
    return TL_E_NOMEM;
  tl_lane_begin (lane, first, tl_crew_block (c, count));
  for (uint64_t i = 0; !rc && i < count; i++) {
    uint32_t event;
    if ((rc = waiting->next (waiting->context, c->before, key, &event)))
      break;
    if (event > s->generator->most_events)
      event = s->generator->most_events;
    while ((rc = tl_lane_push (lane, key, event)) == TL_E_NOMEM &&
           !tl_crew_relieve (c))
      continue;
  }
  TL_DEL (&s->engine, key, s->code.key_words);
  return rc;
}

// States that wait, and what tells them in that order.
typedef struct telling {
  const tl_handover *waiting;
  uint32_t words;
  uint64_t *order;
} telling;

static tl_status next_told (void *context, const tl_store *before,
                            uint64_t *key, uint32_t *event) {
  const telling *t = context;
  const tl_handover *w = t->waiting;
  const tl_status rc = w->next (w->context, before, key, event);
  for (uint32_t i = 0; !rc && i < t->words; i++)
    *t->order = tl_mix (*t->order ^ key[i]);
  return rc;
}

static tl_status pass (tl_crew *c, const tl_handover *waiting, uint64_t count) {
  tl_search *s = c->search;
  tl_status rc = TL_OK;
  uint64_t *key;
  if (!TL_NEW (&s->engine, key, s->code.key_words))
    return TL_E_NOMEM;
  for (uint64_t i = 0; !rc && i < count; i++) {
    uint32_t event;
    rc = waiting->next (waiting->context, c->before, key, &event);
  }
  TL_DEL (&s->engine, key, s->code.key_words);
  return rc;
}

// Of several ranks each takes its part of the level, which all have found in
// the same order; that is looked at when they begin.
static tl_status take_part (tl_crew *c, const tl_handover *waiting) {
  const tl_search *s = c->search;
  const tl_cluster *all = s->cluster;
  const uint64_t count = waiting->count, from = count * all->rank / all->ranks,
                 to = count * (all->rank + 1) / all->ranks;
  telling told = {waiting, s->code.key_words, &c->order};
  tl_handover in_turn = *waiting;
  in_turn.context = &told;
  in_turn.next = next_told;
  tl_status rc = pass (c, &in_turn, from);
  if (!rc)
    rc = take_some (c, &in_turn, &c->mate->now, waiting->first + from,
                    to - from);
  return rc ? rc : pass (c, &in_turn, count - to);
}

tl_status tl_crew_take_over (tl_crew *c, const tl_handover *waiting) {
  const uint64_t first = waiting->first, count = waiting->count;
  if (c->post)
    return take_part (c, waiting);
  const tl_status rc = take_some (c, waiting, &c->mate->now, first, count);
  if (rc || !waiting->later)
    return rc;
  tl_mate_open_lane (c->mate, &c->later);
  return take_some (c, waiting, &c->later, first + count, waiting->later);
}
