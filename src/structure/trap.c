#include "structure/trap.h"

#include <string.h>

static bool is_dead (const tl_structure *s, uint32_t t) {
  const tl_arcs pre = tl_net_pre (s->net, t);
  for (uint32_t i = 0; i < pre.count; i++)
    if (s->source[pre.arc[i].place] != TL_BOUND_CLAIM &&
        s->bound[pre.arc[i].place] < pre.arc[i].weight)
      return true;
  return false;
}

static void list_givers (tl_traps *s) {
  const tl_net *net = s->net;
  const uint64_t arcs = net->post_start[net->transitions];
  for (uint64_t i = 0; i < arcs; i++)
    s->giver_start[net->post_arc[i].place + 1]++;
  for (uint32_t p = 0; p < net->places; p++)
    s->giver_start[p + 1] += s->giver_start[p];
  // Filled from behind: what is the end of each list becomes its start.
  for (uint32_t t = net->transitions; t-- > 0;) {
    const tl_arcs post = tl_net_post (net, t);
    for (uint32_t i = 0; i < post.count; i++)
      s->giver[--s->giver_start[post.arc[i].place + 1]] = t;
  }
  memmove (s->giver_start, s->giver_start + 1,
           net->places * sizeof *s->giver_start);
  s->giver_start[net->places] = arcs;
}

tl_status tl_traps_open (tl_traps *s, tl_mem *mem, const tl_structure *of) {
  const tl_net *net = of->net;
  *s = (tl_traps){.mem = mem, .net = net};
  if (!TL_NEW (mem, s->giver_start, net->places + (size_t)1) ||
      !TL_NEW (mem, s->giver, net->post_start[net->transitions]) ||
      !TL_NEW (mem, s->dead, net->transitions) ||
      !TL_NEW (mem, s->member, net->places) ||
      !TL_NEW (mem, s->gives, net->transitions) ||
      !TL_NEW (mem, s->place, net->places)) {
    tl_traps_close (s);
    return TL_E_NOMEM;
  }
  list_givers (s);
  for (uint32_t t = 0; t < net->transitions; t++)
    s->dead[t] = is_dead (of, t);
  return TL_OK;
}

void tl_traps_close (tl_traps *s) {
  if (!s->mem)
    return;
  const tl_net *net = s->net;
  TL_DEL (s->mem, s->giver_start, net->places + (size_t)1);
  TL_DEL (s->mem, s->giver, net->post_start[net->transitions]);
  TL_DEL (s->mem, s->dead, net->transitions);
  TL_DEL (s->mem, s->member, net->places);
  TL_DEL (s->mem, s->gives, net->transitions);
  TL_DEL (s->mem, s->place, net->places);
  *s = (tl_traps){0};
}

// Nothing it takes from may stay, if it gives nothing back.
static uint32_t drop_inputs (tl_traps *s, uint32_t t, uint32_t left) {
  const tl_arcs pre = tl_net_pre (s->net, t);
  if (s->gives[t] || s->dead[t])
    return left;
  s->work += pre.count;
  for (uint32_t i = 0; i < pre.count; i++)
    if (s->member[pre.arc[i].place]) {
      s->member[pre.arc[i].place] = 0;
      s->place[left++] = pre.arc[i].place;
    }
  return left;
}

static void count_gifts (tl_traps *s) {
  const tl_net *net = s->net;
  for (uint32_t t = 0; t < net->transitions; t++) {
    const tl_arcs post = tl_net_post (net, t);
    s->gives[t] = 0;
    for (uint32_t i = 0; i < post.count; i++)
      s->gives[t] += s->member[post.arc[i].place];
    s->work += post.count;
  }
}

// Takes away the places from number `done` to `left` of those that left, and
// what has to follow them.
static void follow (tl_traps *s, uint32_t done, uint32_t left) {
  for (; done < left; done++) {
    const uint32_t p = s->place[done];
    for (uint64_t i = s->giver_start[p]; i < s->giver_start[p + 1]; i++) {
      s->gives[s->giver[i]]--;
      left = drop_inputs (s, s->giver[i], left);
    }
    s->work += s->giver_start[p + 1] - s->giver_start[p];
  }
}

// The largest trap among the members.
static void shrink (tl_traps *s) {
  count_gifts (s);
  uint32_t left = 0;
  for (uint32_t t = 0; t < s->net->transitions; t++)
    left = drop_inputs (s, t, left);
  follow (s, 0, left);
}

static bool is_marked (const tl_traps *s) {
  for (uint32_t p = 0; p < s->net->places; p++)
    if (s->member[p] && s->net->initial[p])
      return true;
  return false;
}

// Tries to do without a place, and keeps what is left if it is a marked trap.
static void try_without (tl_traps *s, uint32_t place, uint8_t *kept) {
  memcpy (kept, s->member, s->net->places);
  s->member[place] = 0;
  s->place[0] = place;
  follow (s, 0, 1);
  if (is_marked (s))
    return;
  memcpy (s->member, kept, s->net->places);
  count_gifts (s);
}

uint32_t tl_traps_find (tl_traps *s, uint32_t tries) {
  uint32_t count = 0;
  uint8_t *kept;
  shrink (s);
  if (!is_marked (s))
    return 0;
  if (TL_NEW (s->mem, kept, s->net->places)) {
    for (uint32_t p = 0; p < s->net->places && tries; p++)
      if (s->member[p]) {
        try_without (s, p, kept);
        tries--;
      }
    TL_DEL (s->mem, kept, s->net->places);
  }
  for (uint32_t p = 0; p < s->net->places; p++)
    if (s->member[p])
      s->place[count++] = p;
  return count;
}
