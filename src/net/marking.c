#include "net/marking.h"

void tl_marking_initial (const tl_net *net, uint64_t *marking) {
  for (uint32_t p = 0; p < net->places; p++)
    marking[p] = net->initial[p];
}

bool tl_marking_enables (const tl_net *net, const uint64_t *marking,
                         uint32_t transition) {
  const tl_arcs pre = tl_net_pre (net, transition),
                inhibitors = tl_net_inhibitors (net, transition);
  for (uint32_t i = 0; i < pre.count; i++)
    if (marking[pre.arc[i].place] < pre.arc[i].weight)
      return false;
  for (uint32_t i = 0; i < inhibitors.count; i++)
    if (marking[inhibitors.arc[i].place] >= inhibitors.arc[i].weight)
      return false;
  return true;
}

uint32_t tl_marking_enabled (const tl_net *net, const uint64_t *marking,
                             uint64_t n) {
  uint32_t t = 0;
  for (; t < net->transitions; t++)
    if (tl_marking_enables (net, marking, t) && !n--)
      break;
  return t;
}

void tl_marking_fire (const tl_net *net, uint64_t *marking,
                      uint32_t transition) {
  for (tl_change c = tl_net_change (net, transition); tl_net_change_next (&c);)
    marking[c.place] += (uint64_t)c.amount;
}

bool tl_marking_run (const tl_net *net, uint64_t *marking, const uint32_t *list,
                     uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    if (list[i] >= net->transitions ||
        !tl_marking_enables (net, marking, list[i]))
      return false;
    tl_marking_fire (net, marking, list[i]);
  }
  return true;
}
