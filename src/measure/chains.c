#include "measure/chains.h"

#include "base/tuning.h"
#include "net/marking.h"

#include <string.h>

#define FAR UINT32_MAX

tl_status tl_chains_open (tl_chains *c, tl_mem *mem, const tl_net *net) {
  *c = (tl_chains){.mem = mem, .net = net};
  if (!TL_NEW (mem, c->start, (size_t)net->places + 1) ||
      !TL_NEW (mem, c->taker, net->pre_start[net->transitions]) ||
      !TL_NEW (mem, c->distance, net->transitions) ||
      !TL_NEW (mem, c->queue, net->transitions) ||
      !TL_NEW (mem, c->passed, net->places) ||
      !TL_NEW (mem, c->initial, net->places)) {
    tl_chains_close (c);
    return TL_E_NOMEM;
  }
  tl_marking_initial (net, c->initial);
  // Counts, then positions of the ends, which filling makes beginnings.
  for (uint64_t i = 0; i < net->pre_start[net->transitions]; i++)
    c->start[net->pre_arc[i].place]++;
  for (uint32_t p = 0; p < net->places; p++)
    c->start[p + 1] += c->start[p];
  for (uint32_t t = net->transitions; t--;) {
    const tl_arcs pre = tl_net_pre (net, t);
    for (uint32_t i = 0; i < pre.count; i++)
      c->taker[--c->start[pre.arc[i].place]] = t;
  }
  return TL_OK;
}

void tl_chains_close (tl_chains *c) {
  if (!c->mem)
    return;
  const tl_net *net = c->net;
  TL_DEL (c->mem, c->start, (size_t)net->places + 1);
  TL_DEL (c->mem, c->taker, net->pre_start[net->transitions]);
  TL_DEL (c->mem, c->distance, net->transitions);
  TL_DEL (c->mem, c->queue, net->transitions);
  TL_DEL (c->mem, c->passed, net->places);
  TL_DEL (c->mem, c->initial, net->places);
  *c = (tl_chains){0};
}

// ---- Distances -------------------------------------------------------------

static void forget_distances (tl_chains *c) {
  memset (c->passed, 0, c->net->places);
  for (uint32_t t = 0; t < c->net->transitions; t++)
    c->distance[t] = FAR;
}

// Adds what t supports to the queue, at that distance.
static uint32_t follow (tl_chains *c, uint32_t t, uint32_t distance,
                        uint32_t end) {
  const tl_arcs post = tl_net_post (c->net, t);
  for (uint32_t i = 0; i < post.count; i++) {
    const uint32_t p = post.arc[i].place;
    for (uint64_t k = c->start[p]; !c->passed[p] && k < c->start[p + 1]; k++)
      if (c->distance[c->taker[k]] == FAR) {
        c->distance[c->taker[k]] = distance;
        c->queue[end++] = c->taker[k];
      }
    c->passed[p] = 1;
  }
  return end;
}

static void follow_all (tl_chains *c, uint32_t end) {
  for (uint32_t i = 0; i < end; i++)
    end = follow (c, c->queue[i], c->distance[c->queue[i]] + 1, end);
}

// 0 for neighbours, towards 1 for those far away.
static double score_of (uint32_t distance) {
  return distance == FAR ? 1 : 1 - 1 / (1 + (double)distance);
}

// ---- The three criteria ----------------------------------------------------

// Between members: half for the mean of all paths, half for the shortest.
static double score_between (tl_chains *c, const bool *regress,
                             uint32_t members) {
  double sum = 0, least = 1;
  uint64_t pairs = 0;
  const uint32_t every = members / TL_CHAIN_SOURCES + 1;
  for (uint32_t t = 0, member = 0; t < c->net->transitions; t++) {
    if (!regress[t] || member++ % every)
      continue;
    forget_distances (c);
    follow_all (c, follow (c, t, 1, 0));
    for (uint32_t u = 0; u < c->net->transitions; u++)
      if (regress[u]) {
        const double score = score_of (c->distance[u]);
        sum += score;
        pairs++;
        if (score < least)
          least = score;
      }
  }
  return pairs ? (sum / (double)pairs + least) / 2 : 1;
}

static double score_from_start (tl_chains *c, const bool *regress,
                                uint32_t members) {
  uint32_t end = 0;
  double sum = 0;
  forget_distances (c);
  for (uint32_t t = 0; t < c->net->transitions; t++)
    if (tl_marking_enables (c->net, c->initial, t)) {
      c->distance[t] = 0;
      c->queue[end++] = t;
    }
  follow_all (c, end);
  for (uint32_t t = 0; t < c->net->transitions; t++)
    if (regress[t])
      sum += score_of (c->distance[t]);
  return members ? sum / members : 1;
}

static bool takes_away (const tl_net *net, uint32_t t, uint32_t place) {
  for (tl_change ch = tl_net_change (net, t); tl_net_change_next (&ch);)
    if (ch.place == place)
      return ch.amount < 0;
  return false;
}

static double score_sharing (const tl_chains *c, const bool *regress) {
  uint64_t good = 0, bad = 0;
  for (uint32_t t = 0; t < c->net->transitions; t++) {
    const tl_arcs pre = tl_net_pre (c->net, t);
    for (uint32_t i = 0; regress[t] && i < pre.count; i++) {
      const uint32_t p = pre.arc[i].place;
      for (uint64_t k = c->start[p]; k < c->start[p + 1]; k++) {
        const uint32_t u = c->taker[k];
        bad += regress[u] && u != t;
        good += !regress[u] && takes_away (c->net, u, p);
      }
    }
  }
  return good + bad ? (double)good / (double)(good + bad) : 0.5;
}

double tl_chains_score (tl_chains *c, const bool *regress) {
  uint32_t members = 0;
  for (uint32_t t = 0; t < c->net->transitions; t++)
    members += regress[t];
  return score_between (c, regress, members) / 2 +
         score_from_start (c, regress, members) / 4 +
         score_sharing (c, regress) / 4;
}
