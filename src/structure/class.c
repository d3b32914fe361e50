#include "structure/class.h"

static bool all_ones (tl_arcs arcs) {
  for (uint32_t i = 0; i < arcs.count; i++)
    if (arcs.arc[i].weight != 1)
      return false;
  return true;
}

static bool same_places (tl_arcs a, tl_arcs b) {
  if (a.count != b.count)
    return false;
  for (uint32_t i = 0; i < a.count; i++)
    if (a.arc[i].place != b.arc[i].place)
      return false;
  return true;
}

// Compares each transition with the first one that takes from the same place.
static bool is_free_choice (const tl_net *net, uint32_t *first) {
  for (uint32_t p = 0; p < net->places; p++)
    first[p] = net->transitions;
  for (uint32_t t = 0; t < net->transitions; t++) {
    const tl_arcs pre = tl_net_pre (net, t);
    for (uint32_t i = 0; i < pre.count; i++) {
      uint32_t *other = first + pre.arc[i].place;
      if (*other == net->transitions)
        *other = t;
      else if (!same_places (pre, tl_net_pre (net, *other)))
        return false;
    }
  }
  return true;
}

// Counts the transitions before and after each place.
static bool is_marked_graph (const tl_net *net, uint32_t *in, uint32_t *out) {
  for (uint32_t t = 0; t < net->transitions; t++) {
    const tl_arcs pre = tl_net_pre (net, t), post = tl_net_post (net, t);
    for (uint32_t i = 0; i < pre.count; i++)
      out[pre.arc[i].place]++;
    for (uint32_t i = 0; i < post.count; i++)
      in[post.arc[i].place]++;
  }
  for (uint32_t p = 0; p < net->places; p++)
    if (in[p] != 1 || out[p] != 1)
      return false;
  return true;
}

tl_status tl_class_find (tl_class *c, tl_mem *mem, const tl_net *net) {
  *c = (tl_class){.ordinary = true, .state_machine = true};
  uint32_t *room; // [2][places]
  if (!TL_NEW (mem, room, 2 * (size_t)net->places))
    return TL_E_NOMEM;
  for (uint32_t t = 0; t < net->transitions; t++) {
    const tl_arcs pre = tl_net_pre (net, t), post = tl_net_post (net, t);
    c->ordinary &= all_ones (pre) && all_ones (post);
    c->state_machine &= pre.count == 1 && post.count == 1;
    c->inhibitors += tl_net_inhibitors (net, t).count;
  }
  // The classes are defined for ordinary nets without inhibitor arcs.
  const bool simple = c->ordinary && !c->inhibitors;
  c->state_machine &= simple;
  c->marked_graph = simple && is_marked_graph (net, room, room + net->places);
  c->free_choice = simple && is_free_choice (net, room);
  TL_DEL (mem, room, 2 * (size_t)net->places);
  return TL_OK;
}
