#include "machine/parts.h"

// Sleep sets of one step for events (structure/sleep.h, which has the proof and
// the conditions): what an event does to tokens stays the same, so whether two
// of them can fire in either order is found out once.

// Only the events with the lowest numbers sleep, and what is found out of them
// takes four megabytes at most.
enum { MOST_EVENTS = 4096, PER_WORD = 32, WORDS = MOST_EVENTS / PER_WORD };

// What is known of a pair.
enum { NOTHING, SLEEPS, DOES_NOT, KNOWN = 3 };

// Can u fire before t, as far as this token is concerned, if it can after t,
// and t then after u?
static bool go_either_way (const tl_effect *t, const tl_effect *u) {
  const int64_t after_t = (int64_t)t->need + t->change,
                after_u = (int64_t)u->need + u->change;
  return (t->change <= 0 || u->need <= t->need) &&
         (u->change >= 0 || !t->need || after_u >= after_t);
}

static bool is_simple (const tl_machine *m, uint32_t event) {
  const tl_ctransition *t =
      m->coloured->transition + tl_machine_transition (m, event);
  return !t->tick && !t->inhibits;
}

// The last ones come first.  Effects are sorted by place and token.  Of an
// event that another machine has met and this one does not know all that it
// knows come before it.
static bool sleeps (const tl_machine *m, uint32_t found_by, uint32_t event) {
  if (event <= found_by || !is_simple (m, found_by) || !is_simple (m, event))
    return false;
  const tl_effect *t = m->effect + m->effect_start[found_by],
                  *t_end = m->effect + m->effect_start[found_by + 1],
                  *u = m->effect + m->effect_start[event],
                  *u_end = m->effect + m->effect_start[event + 1];
  while (t < t_end && u < u_end) {
    if (t->place == u->place && t->token == u->token) {
      if (!go_either_way (t++, u++))
        return false;
    } else if (t->place < u->place ||
               (t->place == u->place && t->token < u->token))
      t++;
    else
      u++;
  }
  return true;
}

// What is known of the events that are enabled after one; null: no memory.
static uint64_t *row_of (tl_machine *m, uint32_t found_by) {
  if (!m->asleep && !TL_NEW (m->mem, m->asleep, MOST_EVENTS))
    return 0;
  if (!m->asleep[found_by])
    TL_NEW (m->mem, m->asleep[found_by], WORDS);
  return m->asleep[found_by];
}

static bool find_out (tl_machine *m, uint64_t *row, uint32_t found_by,
                      uint32_t event) {
  const bool asleep = sleeps (m, found_by, event);
  row[event / PER_WORD] |= (uint64_t)(asleep ? SLEEPS : DOES_NOT)
                           << 2 * (event % PER_WORD);
  return asleep;
}

uint32_t tl_machine_prune (tl_machine *m, uint32_t found_by, uint32_t *events,
                           uint32_t count) {
  uint64_t *row =
      m->prioritised || found_by >= MOST_EVENTS ? 0 : row_of (m, found_by);
  uint32_t left = 0;
  if (!row)
    return count;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t event = events[i];
    bool asleep = false;
    if (event < MOST_EVENTS) {
      const unsigned known =
          row[event / PER_WORD] >> 2 * (event % PER_WORD) & KNOWN;
      asleep = known == NOTHING ? find_out (m, row, found_by, event)
                                : known == SLEEPS;
    }
    events[left] = event;
    left += !asleep;
  }
  return left;
}

void tl_machine_wake (tl_machine *m) {
  for (uint32_t i = 0; m->asleep && i < MOST_EVENTS; i++)
    TL_DEL (m->mem, m->asleep[i], WORDS);
  TL_DEL (m->mem, m->asleep, MOST_EVENTS);
}
