#include "check/vantage.h"

tl_status tl_vantage_open (tl_vantage **out, tl_arena *arena, tl_space *space) {
  const tl_net *net = space->search->net;
  tl_vantage *s;
  if (!TL_ARENA_NEW (arena, s, 1) ||
      !TL_ARENA_NEW (arena, s->tokens, net->places) ||
      !TL_ARENA_NEW (arena, s->enabled, net->transitions / 64 + 1))
    return TL_E_NOMEM;
  s->space = space;
  *out = s;
  return TL_OK;
}

static void set_enabled (tl_vantage *s, bool on) {
  const tl_space *space = s->space;
  for (uint32_t i = 0; i < space->worker.count; i++) {
    const uint32_t t = tl_generator_transition (space->search->generator,
                                                space->worker.enabled[i]);
    s->enabled[t / 64] = on ? s->enabled[t / 64] | (uint64_t)1 << t % 64 : 0;
  }
}

static void unpack (tl_vantage *s, uint64_t state, const uint32_t *place,
                    size_t places) {
  const tl_layout *layout = &s->space->search->layout;
  tl_space_load (s->space, state);
  for (size_t i = 0; i < places; i++)
    s->tokens[place[i]] =
        tl_layout_tokens (layout, s->space->worker.state, place[i]);
}

uint64_t tl_vantage_distance (tl_vantage *s, const tl_distance *d,
                              uint64_t state) {
  unpack (s, state, d->place, d->places);
  return tl_distance_of (d, s->tokens, s->space->worker.enabled,
                         s->space->worker.count);
}

uint64_t tl_vantage_effort (tl_vantage *s, tl_effort *e, uint64_t state) {
  const tl_space *space = s->space;
  tl_space_load (s->space, state);
  tl_layout_unpack (&space->search->layout, space->worker.state, s->tokens);
  return tl_effort_of (e, s->tokens, space->worker.enabled,
                       space->worker.count);
}

bool tl_vantage_holds (tl_vantage *s, const tl_predicate *p, uint64_t state) {
  unpack (s, state, p->place, p->places);
  if (p->reads_enabled)
    set_enabled (s, true);
  const bool holds = tl_predicate_run (p, s->tokens, s->enabled);
  if (p->reads_enabled)
    set_enabled (s, false);
  return holds;
}

tl_status tl_findings_set (tl_findings *k, tl_mem *mem, uint64_t state,
                           bool holds) {
  const size_t word = (size_t)(state / 64);
  const uint64_t bit = (uint64_t)1 << state % 64;
  if (!TL_ROOM (mem, k->known, &k->known_room, word + 1) ||
      !TL_ROOM (mem, k->value, &k->value_room, word + 1))
    return TL_E_NOMEM;
  k->known[word] |= bit;
  k->value[word] |= holds ? bit : 0;
  return TL_OK;
}

void tl_findings_close (tl_findings *k, tl_mem *mem) {
  TL_DEL (mem, k->known, k->known_room);
  TL_DEL (mem, k->value, k->value_room);
}
