#include "measure/gather.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/tuning.h"
#include "machine/machine.h"

#include <string.h>

typedef struct gatherer {
  tl_mem *mem;
  tl_machine *machine;
  tl_fault fault;
  const tl_traits *traits;
  tl_intern *changes;
  const tl_sample_limits *limits;
  tl_random random;
  double end; // on the clock
  bool over;  // the net is wrong
  tl_sample *s;
  uint64_t *key; // [count] of so many words each
  size_t key_room;
  uint32_t words;
  int32_t *seen; // [count][traits]
  size_t seen_room;
  uint64_t *target; // [arcs] hashes, and what was fired
  uint32_t *event;
  size_t target_room, event_room;
  uint32_t *enabled; // of the state at hand
  uint64_t *next;    // its successor
  size_t next_room;
  uint32_t *change; // [traits] what leads there
  uint32_t *slot;   // numbers of states plus one, by hash
  size_t slots;     // a power of two
  uint32_t *way;    // [ways] arcs that may be followed
  size_t way_room;
} gatherer;

// ---- States ----------------------------------------------------------------

static uint32_t *find_slot (const gatherer *g, uint64_t hash) {
  size_t at = (size_t)tl_mix (hash) & (g->slots - 1);
  while (g->slot[at] && g->s->hash[g->slot[at] - 1] != hash)
    at = (at + 1) & (g->slots - 1);
  return g->slot + at;
}

static bool is_full (const gatherer *g) {
  const tl_sample_limits *l = g->limits;
  return g->over || g->s->count >= l->markings ||
         g->s->start[g->s->count] >= l->arcs || tl_clock_busy () > g->end ||
         tl_cancelled (l->cancel);
}

// The traits of a state.  Null: no memory.
static bool look (gatherer *g, const uint64_t *key, int32_t *seen) {
  const tl_tokens *marking = tl_machine_marking (g->machine, key);
  for (size_t i = 0; marking && i < g->traits->count; i++)
    seen[i] = (int32_t)tl_trait_value (g->traits, i, marking);
  return marking;
}

// Adds the state at hand in `next`; its arcs come later.
static tl_status add_state (gatherer *g, uint64_t hash, uint32_t from,
                            uint32_t by) {
  tl_sample *s = g->s;
  const size_t n = s->count, traits = g->traits->count;
  if (!TL_ROOM (g->mem, s->hash, &s->hash_room, n + 1) ||
      !TL_ROOM (g->mem, s->from, &s->from_room, n + 1) ||
      !TL_ROOM (g->mem, s->by, &s->by_room, n + 1) ||
      !TL_ROOM (g->mem, s->start, &s->start_room, n + 2) ||
      !TL_ROOM (g->mem, g->key, &g->key_room, (n + 1) * g->words) ||
      !TL_ROOM (g->mem, g->seen, &g->seen_room, (n + 1) * traits + 1) ||
      !look (g, g->next, g->seen + n * traits))
    return TL_E_NOMEM;
  memcpy (g->key + n * g->words, g->next, g->words * sizeof *g->key);
  s->hash[n] = hash;
  s->from[n] = from;
  s->by[n] = by;
  *find_slot (g, hash) = (uint32_t)n + 1;
  s->count++;
  return TL_OK;
}

// ---- Steps -----------------------------------------------------------------

// Keys got longer: those that are kept, too.
static tl_status widen (gatherer *g) {
  const uint32_t before = g->words;
  if (tl_machine_widen (g->machine))
    return TL_E_NOMEM;
  g->words = tl_machine_see (g->machine)->key_words;
  if (!TL_ROOM (g->mem, g->next, &g->next_room, g->words) ||
      !TL_ROOM (g->mem, g->key, &g->key_room,
                ((size_t)g->s->count + 1) * g->words))
    return TL_E_NOMEM;
  for (size_t n = g->s->count; n--;) { // from behind: they do not get shorter
    tl_machine_convert (g->machine, g->key + n * before, g->next);
    memcpy (g->key + n * g->words, g->next, g->words * sizeof *g->key);
  }
  return TL_OK;
}

// The successor of a state, in `next`.
static tl_status step (gatherer *g, uint32_t from, uint32_t event) {
  tl_status rc = TL_OK;
  while (!rc && !tl_machine_steps (g->machine, g->key + (size_t)from * g->words,
                                   &event, 1, g->next)) {
    g->over = g->fault.failed;
    if (g->over)
      return TL_OK;
    rc = widen (g);
  }
  return rc;
}

// What leads from a state to the one in `next`.
static tl_status find_change (gatherer *g, uint32_t from, uint32_t *number) {
  const size_t traits = g->traits->count;
  const int32_t *before = g->seen + from * traits;
  if (!look (g, g->next, (int32_t *)g->change))
    return TL_E_NOMEM;
  for (size_t i = 0; i < traits; i++)
    g->change[i] -= (uint32_t)before[i];
  return tl_intern_put (g->changes, g->change, traits, number);
}

static tl_status add_arc (gatherer *g, uint32_t from, uint32_t event,
                          bool follow) {
  tl_sample *s = g->s;
  uint32_t change;
  tl_status rc = step (g, from, event);
  if (rc || g->over)
    return rc;
  const uint64_t hash = tl_machine_hash (g->machine, g->next);
  if (hash == s->hash[from])
    return TL_OK; // leads back here
  if ((rc = find_change (g, from, &change)))
    return rc;
  const size_t at = s->start[from + 1]++;
  if (!TL_ROOM (g->mem, s->arc, &s->arc_room, at + 1) ||
      !TL_ROOM (g->mem, g->target, &g->target_room, at + 1) ||
      !TL_ROOM (g->mem, g->event, &g->event_room, at + 1))
    return TL_E_NOMEM;
  s->arc[at] = (tl_sample_arc){.transition = change};
  g->target[at] = hash;
  g->event[at] = event;
  return follow && s->count < g->limits->markings && !*find_slot (g, hash)
             ? add_state (g, hash, from, change)
             : TL_OK;
}

// Finds the arcs of a state, and perhaps adds what they lead to.
static tl_status expand (gatherer *g, uint32_t n, bool follow) {
  tl_sample *s = g->s;
  s->start[n + 1] = s->start[n];
  const uint32_t count = tl_machine_enabled (
      g->machine, g->key + (size_t)n * g->words, g->enabled);
  tl_status rc = TL_OK;
  g->over |= g->fault.failed != TL_OK;
  for (uint32_t i = 0; !rc && !g->over && i < count; i++)
    rc = add_arc (g, n, g->enabled[i], follow);
  return rc;
}

// ---- Ways to gather --------------------------------------------------------

static tl_status begin (gatherer *g) {
  tl_sample *s = g->s;
  s->count = 0;
  memset (g->slot, 0, g->slots * sizeof *g->slot);
  g->words = tl_machine_see (g->machine)->key_words;
  if (!TL_ROOM (g->mem, g->next, &g->next_room, g->words) ||
      tl_machine_initial (g->machine, g->next))
    return TL_E_NOMEM;
  const uint64_t hash = tl_machine_hash (g->machine, g->next);
  const tl_status rc = add_state (g, hash, 0, 0);
  if (!rc)
    s->start[0] = 0;
  return rc;
}

// Those that were found and not expanded are none.
static void cut (gatherer *g, uint32_t expanded) {
  if (expanded && expanded < g->s->count)
    g->s->count = expanded;
}

static tl_status gather_near (gatherer *g) {
  tl_status rc = begin (g);
  uint32_t n = 0;
  for (; !rc && n < g->s->count && !g->over && tl_clock_busy () < g->end &&
         g->s->start[n] < g->limits->arcs;
       n++)
    rc = expand (g, n, true);
  g->s->all = !g->over && n == g->s->count && n < g->limits->markings;
  cut (g, n);
  return rc;
}

// Goes on from the states first .. end-1 to at most `width` others.
static tl_status spread (gatherer *g, uint32_t first, uint32_t end,
                         uint32_t width) {
  const tl_sample *s = g->s;
  size_t ways = 0;
  for (uint64_t i = s->start[first]; i < s->start[end]; i++)
    if (!*find_slot (g, g->target[i])) {
      if (!TL_ROOM (g->mem, g->way, &g->way_room, ways + 1))
        return TL_E_NOMEM;
      g->way[ways++] = (uint32_t)i;
    }
  tl_status rc = TL_OK;
  for (; !rc && ways && s->count < end + width && !is_full (g); ways--) {
    const size_t any = (size_t)tl_random_below (&g->random, ways);
    const uint32_t arc = g->way[any];
    g->way[any] = g->way[ways - 1];
    if (*find_slot (g, g->target[arc]))
      continue;
    uint32_t from = first;
    while (s->start[from + 1] <= arc)
      from++;
    rc = step (g, from, g->event[arc]);
    if (!rc && !g->over)
      rc = add_state (g, g->target[arc], from, s->arc[arc].transition);
  }
  return rc;
}

static tl_status walk (gatherer *g, uint32_t width) {
  tl_status rc = begin (g);
  uint32_t done = 0;
  for (uint32_t end; !rc && done < (end = g->s->count) && !is_full (g);) {
    const uint32_t first = done;
    for (; !rc && done < end; done++)
      rc = expand (g, done, false);
    if (!rc && !g->over)
      rc = spread (g, first, end, width);
  }
  for (; !rc && !g->over && done < g->s->count; done++)
    rc = expand (g, done, false);
  cut (g, done);
  return rc;
}

// Walks that all ended before the sample was full are repeated with more of
// them side by side.
static tl_status gather_far (gatherer *g) {
  double width = TL_SAMPLE_WIDTH;
  tl_status rc = TL_OK;
  for (int attempt = 0; !rc && attempt < TL_SAMPLE_ATTEMPTS; attempt++) {
    rc = walk (g, (uint32_t)width);
    if (is_full (g))
      break;
    width = width * g->limits->markings / g->s->count + 1;
  }
  return rc;
}

// ---- Opening and closing ---------------------------------------------------

static void resolve (gatherer *g) {
  tl_sample *s = g->s;
  for (uint64_t i = 0; i < s->start[s->count]; i++) {
    const uint32_t known = *find_slot (g, g->target[i]);
    s->arc[i].target = known && known <= s->count ? known - 1 : TL_OUTSIDE;
  }
}

static tl_status open_gatherer (gatherer *g, const tl_net *net) {
  g->slots = 64;
  while (g->slots < 4 * (size_t)g->limits->markings)
    g->slots *= 2;
  if (!TL_NEW (g->mem, g->slot, g->slots) ||
      !TL_NEW (g->mem, g->enabled, TL_MACHINE_MOST_ENABLED) ||
      !TL_NEW (g->mem, g->change, g->traits->count + 1))
    return TL_E_NOMEM;
  return tl_machine_open (&g->machine, net, TL_KEYS_NUMBERS, false, g->mem,
                          g->mem, &g->fault);
}

static void close_gatherer (gatherer *g) {
  tl_mem *mem = g->mem;
  tl_machine_close (g->machine);
  TL_DEL (mem, g->slot, g->slots);
  TL_DEL (mem, g->enabled, TL_MACHINE_MOST_ENABLED);
  TL_DEL (mem, g->change, g->traits->count + 1);
  TL_DEL (mem, g->key, g->key_room);
  TL_DEL (mem, g->seen, g->seen_room);
  TL_DEL (mem, g->target, g->target_room);
  TL_DEL (mem, g->event, g->event_room);
  TL_DEL (mem, g->next, g->next_room);
  TL_DEL (mem, g->way, g->way_room);
}

tl_status tl_sample_gather (tl_sample *s, tl_mem *mem, const tl_net *net,
                            const tl_traits *traits, tl_intern *changes,
                            int32_t *initial, tl_sample_kind kind,
                            const tl_sample_limits *limits, uint64_t seed) {
  *s = (tl_sample){.mem = mem, .abstract = true};
  gatherer g = {.mem = mem,
                .traits = traits,
                .changes = changes,
                .limits = limits,
                .random = {seed},
                .end = tl_clock_busy () + tl_budget_left (mem, limits->seconds),
                .s = s};
  tl_status rc = open_gatherer (&g, net);
  if (!rc)
    rc = kind == TL_SAMPLE_NEAR ? gather_near (&g) : gather_far (&g);
  if (!rc) {
    resolve (&g);
    memcpy (initial, g.seen, traits->count * sizeof *initial);
  }
  close_gatherer (&g);
  if (rc)
    tl_sample_close (s);
  return rc ? TL_E_NOMEM : TL_OK;
}
