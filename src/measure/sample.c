#include "measure/sample.h"

#include "base/budget.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/tuning.h"
#include "net/marking.h"
#include "structure/vector.h"

#include <stdlib.h>
#include <string.h>

// An arc to follow, and the marking where it begins.
typedef struct way {
  uint64_t arc;
  uint32_t from;
} way;

// What is needed only while sampling.  To walk on from a marking, what led to
// it is fired again, from the last marking on the way whose tokens were kept.
typedef struct sampler {
  tl_sample *s;
  const tl_net *net;
  const tl_sample_limits *limits;
  tl_random random;
  double end;          // on the clock
  uint64_t *leap;      // [transitions] what firing adds to the hash
  uint64_t *first;     // [places + 2] see find_triggers
  uint32_t *triggered; // [transitions]
  uint64_t *marking;   // [places] the current one
  uint64_t current;    // its hash
  uint64_t *target;    // [arcs] hashes
  size_t target_room;
  uint8_t *steps;  // [count] since tokens were kept
  tl_entry *token; // marked places
  uint64_t *token_start;
  size_t steps_room, tokens, token_room, token_start_room;
  way *way;
  size_t way_room;
  uint32_t *gone; // [transitions] how often walks went that way
  uint32_t *slot; // numbers plus one, by hash
  uint64_t slot_mask;
} sampler;

// ---- Hashes and the table of markings --------------------------------------

static uint64_t place_key (uint64_t place) {
  return tl_mix (place + 1) | 1;
}

static void find_hashes (sampler *w) {
  for (uint32_t p = 0; p < w->net->places; p++)
    w->current += place_key (p) * w->marking[p];
  for (uint32_t t = 0; t < w->net->transitions; t++)
    for (tl_change c = tl_net_change (w->net, t); tl_net_change_next (&c);)
      w->leap[t] += place_key (c.place) * (uint64_t)c.amount;
}

// The slot of a hash: taken by it, or free.
static uint32_t *find_slot (const sampler *w, uint64_t hash) {
  uint64_t i = tl_mix (hash) & w->slot_mask;
  while (w->slot[i] && w->s->hash[w->slot[i] - 1] != hash)
    i = (i + 1) & w->slot_mask;
  return w->slot + i;
}

static bool open_table (sampler *w) {
  w->slot_mask = ((uint64_t)2 << tl_bits_for (w->limits->markings)) - 1;
  return TL_NEW (w->s->mem, w->slot, w->slot_mask + 1);
}

// ---- Enabled transitions ---------------------------------------------------

// Every transition waits at one of its input places, at the one with the
// fewest waiting so far; those without input wait behind the last place.  To
// find the enabled ones only those at marked places need be looked at.
static uint32_t waits_at (const tl_net *net, const uint64_t *waiting,
                          uint32_t t) {
  const tl_arcs pre = tl_net_pre (net, t);
  uint32_t best = net->places;
  for (uint32_t i = 0; i < pre.count; i++)
    if (best == net->places || waiting[pre.arc[i].place] < waiting[best])
      best = pre.arc[i].place;
  return best;
}

static bool find_triggers (sampler *w) {
  const tl_net *net = w->net;
  uint32_t *at;
  if (!TL_NEW (w->s->mem, w->first, (size_t)net->places + 2) ||
      !TL_NEW (w->s->mem, w->triggered, net->transitions) ||
      !TL_NEW (w->s->mem, at, net->transitions))
    return false;
  for (uint32_t t = 0; t < net->transitions; t++)
    w->first[at[t] = waits_at (net, w->first, t)]++;
  uint64_t sum = 0;
  for (uint32_t p = 0; p < net->places + 2; p++) {
    sum += w->first[p];
    w->first[p] = sum; // the end of its transitions; moves to their start
  }
  for (uint32_t t = net->transitions; t--;)
    w->triggered[--w->first[at[t]]] = t;
  TL_DEL (w->s->mem, at, net->transitions);
  return true;
}

static bool add_arc (sampler *w, uint32_t t) {
  tl_sample *s = w->s;
  const uint64_t n = s->start[s->count];
  if (!w->leap[t])
    return true; // leads back here
  if (!TL_ROOM (s->mem, s->arc, &s->arc_room, n + 1) ||
      !TL_ROOM (s->mem, w->target, &w->target_room, n + 1))
    return false;
  s->arc[n].transition = t;
  w->target[n] = w->current + w->leap[t];
  s->start[s->count]++;
  return true;
}

static bool add_arcs_at (sampler *w, uint32_t place) {
  for (uint64_t i = w->first[place]; i < w->first[place + 1]; i++)
    if (tl_marking_enables (w->net, w->marking, w->triggered[i]) &&
        !add_arc (w, w->triggered[i]))
      return false;
  return true;
}

// ---- Markings --------------------------------------------------------------

static bool keep_tokens (sampler *w) {
  for (uint32_t p = 0; p < w->net->places; p++)
    if (w->marking[p]) {
      if (!TL_ROOM (w->s->mem, w->token, &w->token_room, w->tokens + 1))
        return false;
      w->token[w->tokens++] = (tl_entry){p, (int64_t)w->marking[p]};
    }
  return true;
}

static bool make_room (sampler *w) {
  tl_sample *s = w->s;
  const size_t n = (size_t)s->count + 1;
  return TL_ROOM (s->mem, s->hash, &s->hash_room, n) &&
         TL_ROOM (s->mem, s->from, &s->from_room, n) &&
         TL_ROOM (s->mem, s->by, &s->by_room, n) &&
         TL_ROOM (s->mem, s->start, &s->start_room, n + 1) &&
         TL_ROOM (s->mem, w->steps, &w->steps_room, n) &&
         TL_ROOM (s->mem, w->token_start, &w->token_start_room, n + 1);
}

static bool add_arcs (sampler *w) {
  for (uint32_t p = 0; p < w->net->places; p++)
    if (w->marking[p] && !add_arcs_at (w, p))
      return false;
  return add_arcs_at (w, w->net->places);
}

// Adds the current marking with its arcs.
static bool add_marking (sampler *w, uint32_t from, uint32_t by) {
  tl_sample *s = w->s;
  if (!make_room (w))
    return false;
  const uint32_t n = s->count++;
  s->hash[n] = w->current;
  *find_slot (w, w->current) = n + 1;
  s->from[n] = from;
  s->by[n] = by;
  w->steps[n] = (uint8_t)(n ? (w->steps[from] + 1) % TL_SAMPLE_STEPS : 0);
  if (!w->steps[n] && !keep_tokens (w))
    return false;
  w->token_start[n + 1] = w->tokens;
  s->start[n + 1] = s->start[n];
  return add_arcs (w);
}

static void load_marking (sampler *w, uint32_t number) {
  uint32_t fired[TL_SAMPLE_STEPS], steps = w->steps[number], n = number;
  for (uint32_t i = steps; i--; n = w->s->from[n])
    fired[i] = w->s->by[n];
  memset (w->marking, 0, w->net->places * sizeof *w->marking);
  for (uint64_t i = w->token_start[n]; i < w->token_start[n + 1]; i++)
    w->marking[w->token[i].index] = (uint64_t)w->token[i].factor;
  for (uint32_t i = 0; i < steps; i++)
    tl_marking_fire (w->net, w->marking, fired[i]);
  w->current = w->s->hash[number];
}

static bool full (const sampler *w) {
  const tl_sample_limits *l = w->limits;
  return w->s->count >= l->markings || w->s->start[w->s->count] >= l->arcs ||
         w->tokens * sizeof *w->token >= l->bytes ||
         (w->s->count % 64 == 0 && tl_clock_busy () > w->end) ||
         tl_cancelled (l->cancel);
}

// Follows an arc of marking `from`, whose tokens are the current ones, and
// gives the number of the marking it leads to.
static bool follow (sampler *w, uint32_t from, uint64_t arc, uint32_t *to) {
  const uint32_t t = w->s->arc[arc].transition;
  tl_marking_fire (w->net, w->marking, t);
  w->current = w->target[arc];
  const uint32_t known = *find_slot (w, w->current);
  *to = known ? known - 1 : w->s->count;
  return known || add_marking (w, from, t);
}

// ---- Ways to gather --------------------------------------------------------

// Breadth-first, until nothing is left or the sample is full.
static bool gather_near (sampler *w) {
  tl_sample *s = w->s;
  for (uint32_t n = 0; n < s->count; n++)
    for (uint64_t i = s->start[n]; i < s->start[n + 1]; i++) {
      uint32_t to;
      if (*find_slot (w, w->target[i]))
        continue;
      if (full (w))
        return true;
      load_marking (w, n);
      if (!follow (w, n, i, &to))
        return false;
    }
  s->all = true;
  return true;
}

// One of the ways first .. n-1, with equal chances; but of two a way that few
// have gone, so that rare transitions are seen.
static size_t choose_way (sampler *w, size_t first, size_t n) {
  const size_t one = first + tl_random_below (&w->random, n - first),
               two = first + tl_random_below (&w->random, n - first);
  const uint32_t gone_one = w->gone[w->s->arc[w->way[one].arc].transition],
                 gone_two = w->gone[w->s->arc[w->way[two].arc].transition];
  return gone_two < TL_SAMPLE_RARE && gone_two < gone_one ? two : one;
}

// Goes on from the markings begin .. end-1 to at most `width` others.
static bool spread (sampler *w, uint32_t begin, uint32_t end, uint32_t width) {
  tl_sample *s = w->s;
  size_t n = 0;
  for (uint32_t from = begin; from < end; from++)
    for (uint64_t i = s->start[from]; i < s->start[from + 1]; i++)
      if (!*find_slot (w, w->target[i])) {
        if (!TL_ROOM (s->mem, w->way, &w->way_room, n + 1))
          return false;
        w->way[n++] = (way){i, from};
      }
  for (size_t i = 0; i < n && s->count < end + width && !full (w); i++) {
    const size_t any = choose_way (w, i, n);
    const way chosen = w->way[any];
    uint32_t to;
    w->way[any] = w->way[i];
    if (*find_slot (w, w->target[chosen.arc]))
      continue;
    w->gone[s->arc[chosen.arc].transition]++;
    load_marking (w, chosen.from);
    if (!follow (w, chosen.from, chosen.arc, &to))
      return false;
  }
  return true;
}

// Many random walks side by side, all of different markings.
static bool gather_far (sampler *w, uint32_t width) {
  tl_sample *s = w->s;
  for (uint32_t begin = 0, end = s->count; begin < end && !full (w);) {
    if (!spread (w, begin, end, width))
      return false;
    begin = end;
    end = s->count;
  }
  return true;
}

static bool begin_again (sampler *w) {
  tl_sample *s = w->s;
  load_marking (w, 0);
  memset (w->slot, 0, (w->slot_mask + 1) * sizeof *w->slot);
  s->count = 0;
  s->start[0] = 0;
  w->tokens = 0;
  return add_marking (w, 0, 0);
}

// Walks that all ended before the sample was full are repeated with more of
// them side by side.
static bool gather_deep (sampler *w) {
  const tl_sample *s = w->s;
  const double request = w->limits->markings;
  double width = TL_SAMPLE_WIDTH;
  for (int attempt = 0; attempt < TL_SAMPLE_ATTEMPTS; attempt++) {
    if (!begin_again (w) || !gather_far (w, (uint32_t)width))
      return false;
    if (full (w))
      break;
    width = width * request / s->count + 1;
  }
  return true;
}

static bool gather (sampler *w, tl_sample_kind kind) {
  return add_marking (w, 0, 0) && gather_near (w) &&
         (w->s->all || kind == TL_SAMPLE_NEAR || gather_deep (w));
}

// ---- Opening and closing ---------------------------------------------------

static void resolve (sampler *w) {
  tl_sample *s = w->s;
  for (uint64_t i = 0; i < s->start[s->count]; i++) {
    const uint32_t known = *find_slot (w, w->target[i]);
    s->arc[i].target = known ? known - 1 : TL_OUTSIDE;
  }
}

static void close_sampler (sampler *w) {
  tl_mem *mem = w->s->mem;
  const tl_net *net = w->net;
  TL_DEL (mem, w->leap, net->transitions);
  TL_DEL (mem, w->first, (size_t)net->places + 2);
  TL_DEL (mem, w->triggered, net->transitions);
  TL_DEL (mem, w->marking, net->places);
  TL_DEL (mem, w->target, w->target_room);
  TL_DEL (mem, w->steps, w->steps_room);
  TL_DEL (mem, w->token, w->token_room);
  TL_DEL (mem, w->token_start, w->token_start_room);
  TL_DEL (mem, w->way, w->way_room);
  TL_DEL (mem, w->gone, net->transitions);
  TL_DEL (mem, w->slot, w->slot_mask + 1);
}

tl_status tl_sample_open (tl_sample *s, tl_mem *mem, const tl_net *net,
                          tl_sample_kind kind, const tl_sample_limits *limits,
                          uint64_t seed) {
  *s = (tl_sample){.mem = mem, .net = net};
  sampler w = {.s = s,
               .net = net,
               .limits = limits,
               .random = {seed},
               .end = tl_clock_busy () + tl_budget_left (mem, limits->seconds)};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, w.leap, net->transitions) &&
      TL_NEW (mem, w.gone, net->transitions) &&
      TL_NEW (mem, w.marking, net->places) && open_table (&w) &&
      find_triggers (&w)) {
    tl_marking_initial (net, w.marking);
    find_hashes (&w);
    if (gather (&w, kind)) {
      resolve (&w);
      rc = TL_OK;
    }
  }
  close_sampler (&w);
  if (rc)
    tl_sample_close (s);
  return rc;
}

void tl_sample_close (tl_sample *s) {
  TL_DEL (s->mem, s->hash, s->hash_room);
  TL_DEL (s->mem, s->from, s->from_room);
  TL_DEL (s->mem, s->by, s->by_room);
  TL_DEL (s->mem, s->start, s->start_room);
  TL_DEL (s->mem, s->arc, s->arc_room);
  *s = (tl_sample){0};
}
