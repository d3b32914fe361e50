#include "reducible_net.h"

#include "base/random.h"

static uint32_t below (tl_random *r, uint32_t n) {
  return (uint32_t)tl_random_below (r, n);
}

static void add_arc (random_net *net, random_arc arc) {
  if (net->arcs < RANDOM_ARCS)
    net->arc[net->arcs++] = arc;
}

static uint32_t add_place (random_net *net, uint32_t tokens) {
  net->initial[net->places] = tokens;
  net->unit_of[net->places] = TL_NO_UNIT;
  return net->places++;
}

// What a transition makes is made by another one, or two, behind a new place.
static void split (random_net *net, tl_random *r) {
  const uint32_t t = below (r, net->transitions), u = net->transitions++,
                 w = 1 + below (r, 2),
                 p = add_place (net, below (r, 4) ? 0 : below (r, 4));
  for (uint32_t i = 0, arcs = net->arcs; i < arcs; i++) {
    random_arc *arc = net->arc + i;
    if (arc->kind == TL_ARC_POST && arc->transition == t && below (r, 4))
      arc->transition = u;
  }
  add_arc (net, (random_arc){TL_ARC_POST, p, t, w * (1 + below (r, 2))});
  add_arc (net, (random_arc){TL_ARC_PRE, p, u, w});
  if (!below (r, 4))
    add_arc (net, (random_arc){TL_ARC_PRE, below (r, net->places), u, 1});
}

static void inhibit (random_net *net, tl_random *r) {
  add_arc (net, (random_arc){TL_ARC_INHIBITOR, below (r, net->places),
                             below (r, net->transitions), 1 + below (r, 3)});
}

// A place that has some times as many tokens as another one, or nearly.
static void shadow (random_net *net, tl_random *r) {
  const uint32_t of = below (r, net->places), k = 1 + below (r, 3);
  uint32_t tokens = net->initial[of] * k + below (r, 3);
  tokens -= tokens && !below (r, 3);
  const uint32_t p = add_place (net, tokens);
  for (uint32_t i = 0, arcs = net->arcs; i < arcs; i++) {
    random_arc arc = net->arc[i];
    if (arc.place != of || arc.kind == TL_ARC_INHIBITOR || !below (r, 12))
      continue;
    arc.place = p;
    arc.weight *= below (r, 12) ? k : 1;
    add_arc (net, arc);
  }
}

void reducible_net_add_sum (random_net *net, uint64_t seed) {
  tl_random r = {seed * 37 + 5};
  if (!net->places || net->places >= 20)
    return;
  const uint32_t one = below (&r, net->places), two = below (&r, net->places),
                 k = 1 + below (&r, 2);
  uint32_t tokens = net->initial[one] + net->initial[two] * k + below (&r, 3);
  tokens -= tokens && !below (&r, 3);
  const uint32_t p = add_place (net, tokens);
  for (uint32_t i = 0, arcs = net->arcs; i < arcs; i++)
    for (int twice = 0; twice < 2; twice++) {
      random_arc arc = net->arc[i];
      if (arc.place != (twice ? two : one) || arc.kind == TL_ARC_INHIBITOR ||
          !below (&r, 20))
        continue;
      arc.place = p;
      arc.weight *= twice ? k : 1;
      add_arc (net, arc);
    }
}

// A transition that does what another one does, or nearly.
static void copy (random_net *net, tl_random *r) {
  const uint32_t of = below (r, net->transitions), t = net->transitions++;
  for (uint32_t i = 0, arcs = net->arcs; i < arcs; i++) {
    random_arc arc = net->arc[i];
    if (arc.transition != of || !below (r, 12))
      continue;
    arc.transition = t;
    add_arc (net, arc);
  }
  if (!below (r, 3))
    add_arc (net, (random_arc){TL_ARC_READ, below (r, net->places), t, 1});
}

static void add_pair (random_net *net, uint32_t from, uint32_t t, uint32_t to) {
  add_arc (net, (random_arc){TL_ARC_PRE, from, t, 1});
  add_arc (net, (random_arc){TL_ARC_POST, to, t, 1});
}

// A token that goes one of two ways, each of which leads somewhere later.
static void choose (random_net *net, tl_random *r) {
  const uint32_t places = net->places, p = add_place (net, 0);
  add_pair (net, below (r, places), net->transitions++, p);
  for (int i = 0; i < 2; i++) {
    const uint32_t q = add_place (net, 0);
    add_pair (net, p, net->transitions++, q);
    add_pair (net, q, net->transitions++, below (r, places));
  }
}

// A token that others fetch, which is made in one of two ways, perhaps from one
// that somebody else would have.
static void fetch (random_net *net, tl_random *r) {
  const uint32_t places = net->places, p = add_place (net, 0);
  uint32_t t, q = add_place (net, 1 + below (r, 2));
  for (uint32_t ways = 1 + below (r, 2); ways; ways--) {
    add_pair (net, q, t = net->transitions++, p);
    q = add_place (net, 1);
    if (ways > 1)
      add_arc (net, (random_arc){TL_ARC_PRE, q, t, 1});
  }
  for (uint32_t takers = 1 + below (r, 2); takers; takers--) {
    add_pair (net, p, t = net->transitions++, below (r, places));
    add_arc (net, (random_arc){TL_ARC_PRE, below (r, places), t, 1});
  }
  if (below (r, 2))
    add_pair (net, q - below (r, 2), net->transitions++, below (r, places));
}

void reducible_net_decorate (random_net *net, uint64_t seed) {
  static void (*const how[]) (random_net *, tl_random *) = {
      split, inhibit, shadow, copy, choose, fetch};
  tl_random r = {seed * 31 + 7};
  for (uint32_t n = below (&r, 6); n; n--)
    if (net->places && net->places < 20 && net->transitions &&
        net->transitions < 30 && net->arcs < RANDOM_ARCS / 2)
      how[below (&r, 6)](net, &r);
}
