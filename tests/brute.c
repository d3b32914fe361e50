#include "brute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must (void *p) {
  if (!p) {
    fprintf (stderr, "brute: no memory\n");
    exit (4);
  }
  return p;
}

static void *zeroed (uint64_t count, size_t size) {
  return must (calloc (count ? count : 1, size));
}

bool brute_enabled (const tl_net *net, const uint64_t *m, uint32_t t) {
  const tl_arcs pre = tl_net_pre (net, t);
  const tl_arcs inhibitors = tl_net_inhibitors (net, t);
  for (uint32_t i = 0; i < pre.count; i++)
    if (m[pre.arc[i].place] < pre.arc[i].weight)
      return false;
  for (uint32_t i = 0; i < inhibitors.count; i++)
    if (m[inhibitors.arc[i].place] >= inhibitors.arc[i].weight)
      return false;
  return true;
}

bool brute_dead (const tl_net *net, const uint64_t *m) {
  for (uint32_t t = 0; t < net->transitions; t++)
    if (brute_enabled (net, m, t))
      return false;
  return true;
}

void brute_fire (const tl_net *net, uint64_t *m, uint32_t t) {
  const tl_arcs pre = tl_net_pre (net, t), post = tl_net_post (net, t);
  for (uint32_t i = 0; i < pre.count; i++)
    m[pre.arc[i].place] -= pre.arc[i].weight;
  for (uint32_t i = 0; i < post.count; i++)
    m[post.arc[i].place] += post.arc[i].weight;
}

void brute_initial (const tl_net *net, uint64_t *m) {
  for (uint32_t p = 0; p < net->places; p++)
    m[p] = net->initial[p];
}

bool brute_replay (const tl_net *net, const uint32_t *transition,
                   uint64_t length, uint64_t *m) {
  brute_initial (net, m);
  for (uint64_t i = 0; i < length; i++) {
    if (!brute_enabled (net, m, transition[i]))
      return false;
    brute_fire (net, m, transition[i]);
  }
  return true;
}

const uint64_t *brute_marking (const brute *b, uint64_t state) {
  return b->marking + state * b->net->places;
}

// The slot that holds the marking or, if it is new, the empty one for it.
static uint64_t find_slot (const brute *b, const uint64_t *m) {
  const size_t bytes = b->net->places * sizeof *m;
  uint64_t hash = 14695981039346656037u;
  for (uint32_t p = 0; p < b->net->places; p++)
    hash = (hash ^ m[p]) * 1099511628211u;
  uint64_t i = (hash ^ hash >> 32) % b->slots;
  while (b->slot[i] && memcmp (brute_marking (b, b->slot[i] - 1), m, bytes))
    i = (i + 1) % b->slots;
  return i;
}

uint64_t brute_find (const brute *b, const uint64_t *m) {
  return b->slot[find_slot (b, m)] - 1; // of an empty slot it is BRUTE_NONE
}

static void note (brute *b, const uint64_t *m) {
  uint64_t sum = 0;
  for (uint32_t p = 0; p < b->net->places; p++) {
    sum += m[p];
    if (m[p] > b->place_max[p])
      b->place_max[p] = m[p];
    if (m[p] < b->place_min[p])
      b->place_min[p] = m[p];
    if (m[p] > b->max_in_place)
      b->max_in_place = m[p];
  }
  if (sum > b->max_per_marking)
    b->max_per_marking = sum;
}

static void add (brute *b, const uint64_t *m, uint64_t cap) {
  const uint64_t i = find_slot (b, m), places = b->net->places;
  if (b->slot[i])
    return;
  if (b->states == cap) {
    b->complete = false;
    return;
  }
  if (b->states == b->room) {
    b->room = 2 * b->room + 64;
    b->marking = must (
        realloc (b->marking, b->room * (places ? places : 1) * sizeof *m));
  }
  memcpy (b->marking + b->states * places, m, places * sizeof *m);
  b->slot[i] = ++b->states;
  note (b, m);
}

brute brute_explore (const tl_net *net, uint64_t cap) {
  const uint64_t places = net->places;
  brute b = {.net = net, .complete = true, .slots = 2 * cap + 1};
  b.place_max = zeroed (places, sizeof *b.place_max);
  b.place_min = zeroed (places, sizeof *b.place_min);
  memset (b.place_min, 0xff, places * sizeof *b.place_min);
  b.fired = zeroed (net->transitions, 1);
  b.slot = zeroed (b.slots, sizeof *b.slot);
  uint64_t *m = zeroed (places, sizeof *m);
  brute_initial (net, m);
  add (&b, m, cap);
  for (uint64_t s = 0; s < b.states; s++) {
    const uint64_t before = b.arcs;
    for (uint32_t t = 0; t < net->transitions; t++) {
      memcpy (m, brute_marking (&b, s), places * sizeof *m);
      if (!brute_enabled (net, m, t))
        continue;
      b.arcs++;
      b.fired[t] = 1;
      brute_fire (net, m, t);
      add (&b, m, cap);
    }
    b.deadlocks += b.arcs == before;
  }
  for (uint32_t t = 0; t < net->transitions; t++)
    b.dead_transitions += !b.fired[t];
  free (m);
  return b;
}

void brute_close (brute *b) {
  free (b->marking);
  free (b->place_max);
  free (b->place_min);
  free (b->fired);
  free (b->slot);
  *b = (brute){0};
}
