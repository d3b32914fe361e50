#include "random_net.h"

#include "base/random.h"

#include <string.h>

// ---- Drawing --------------------------------------------------------------

typedef struct drawing {
  random_net *net;
  tl_random random;
} drawing;

static uint32_t below (drawing *d, uint32_t n) {
  return (uint32_t)tl_random_below (&d->random, n);
}

static uint32_t between (drawing *d, uint32_t least, uint32_t most) {
  return least + below (d, most - least + 1);
}

// True once in n times.
static bool rarely (drawing *d, uint32_t n) {
  return !below (d, n);
}

// Numbers beyond the arrays are given as the last one there is: the net is
// another one then, but still a net.
static uint32_t new_place (drawing *d, uint32_t tokens) {
  random_net *net = d->net;
  if (net->places == RANDOM_PLACES)
    return RANDOM_PLACES - 1;
  net->initial[net->places] = tokens;
  net->unit_of[net->places] = TL_NO_UNIT;
  return net->places++;
}

static uint32_t new_transition (drawing *d) {
  random_net *net = d->net;
  return net->transitions == RANDOM_TRANSITIONS ? RANDOM_TRANSITIONS - 1
                                                : net->transitions++;
}

static uint32_t new_unit (drawing *d, uint32_t parent) {
  random_net *net = d->net;
  if (net->units == RANDOM_UNITS)
    return TL_NO_UNIT;
  net->unit_parent[net->units] = parent;
  return net->units++;
}

static void arc (drawing *d, tl_arc_kind kind, uint32_t place,
                 uint32_t transition, uint32_t weight) {
  random_net *net = d->net;
  if (net->arcs < RANDOM_ARCS)
    net->arc[net->arcs++] = (random_arc){kind, place, transition, weight};
}

static void take (drawing *d, uint32_t transition, uint32_t place,
                  uint32_t weight) {
  arc (d, TL_ARC_PRE, place, transition, weight);
}

static void give (drawing *d, uint32_t transition, uint32_t place,
                  uint32_t weight) {
  arc (d, TL_ARC_POST, place, transition, weight);
}

static uint32_t any_place (drawing *d) {
  return below (d, d->net->places);
}

static uint32_t any_weight (drawing *d) {
  return rarely (d, 3) ? between (d, 2, 4) : 1;
}

// ---- Kinds of nets --------------------------------------------------------

// Anything goes; often unbounded, or dead at once.
static void draw_wild (drawing *d) {
  const uint32_t places = between (d, 1, 7), transitions = between (d, 0, 7);
  for (uint32_t i = 0; i < places; i++)
    new_place (d, rarely (d, 8) ? between (d, 4, 40) : below (d, 4));
  for (uint32_t i = 0; i < transitions; i++) {
    const uint32_t t = new_transition (d);
    for (uint32_t n = below (d, 3) + !rarely (d, 6); n; n--)
      take (d, t, any_place (d), any_weight (d));
    for (uint32_t n = below (d, 3); n; n--)
      give (d, t, any_place (d), any_weight (d));
  }
}

// Every transition gives as many tokens as it takes.
static void draw_conservative (drawing *d) {
  const uint32_t places = between (d, 2, 6), transitions = between (d, 3, 10);
  for (uint32_t i = 0; i < places; i++)
    new_place (d, rarely (d, 12) ? between (d, 4, 40) : below (d, 4));
  for (uint32_t i = 0; i < transitions; i++) {
    const uint32_t t = new_transition (d);
    uint32_t tokens = 0;
    for (uint32_t n = rarely (d, 3) ? 2 : 1; n; n--) {
      const uint32_t weight = any_weight (d);
      take (d, t, any_place (d), weight);
      tokens += weight;
    }
    while (tokens) {
      const uint32_t weight = between (d, 1, tokens);
      give (d, t, any_place (d), weight);
      tokens -= weight;
    }
  }
}

// Places in pairs whose tokens add up to a capacity; transitions move tokens
// between the two of a pair, of several pairs at once.
static void draw_capacities (drawing *d) {
  const uint32_t pairs = between (d, 1, 5);
  for (uint32_t i = 0; i < pairs; i++) {
    const uint32_t capacity =
        rarely (d, 6) ? between (d, 8, 40) : between (d, 1, 4);
    const uint32_t tokens = below (d, capacity + 1);
    new_place (d, tokens);
    new_place (d, capacity - tokens);
  }
  for (uint32_t i = between (d, pairs, 3 * pairs + 2); i; i--) {
    const uint32_t t = new_transition (d);
    for (uint32_t n = rarely (d, 3) ? between (d, 2, 3) : 1; n; n--) {
      const uint32_t from = below (d, 2 * pairs), weight = any_weight (d);
      take (d, t, from, weight);
      give (d, t, from ^ 1, weight);
    }
  }
}

// A cyclic process of `steps` places with one token, in a unit of its own.
static uint32_t draw_process (drawing *d, uint32_t steps, uint32_t parent) {
  const uint32_t first = d->net->places, unit = new_unit (d, parent);
  for (uint32_t i = 0; i < steps; i++)
    d->net->unit_of[new_place (d, !i)] = unit;
  return first;
}

// Processes that now and then move together.  The units are true.
static void draw_processes (drawing *d, uint32_t most_steps) {
  const uint32_t root = new_unit (d, TL_NO_UNIT);
  d->net->units_safe = true;
  for (uint32_t n = between (d, 1, 4); n; n--) {
    const uint32_t steps = between (d, 1, most_steps);
    const uint32_t first = draw_process (d, steps, root);
    const uint32_t others = d->net->transitions;
    const uint32_t moves = steps + below (d, 3);
    for (uint32_t i = 0; i < moves; i++) {
      // A step of another process is joined only once by this one.
      const bool together = others > i && rarely (d, 4);
      const uint32_t t = together ? others - 1 - i : new_transition (d);
      take (d, t, first + i % steps, 1);
      give (d, t, first + (rarely (d, 6) ? below (d, steps) : (i + 1) % steps),
            1);
    }
  }
}

// A process that starts others inside itself and waits for them: nested
// units, again true.
static void draw_nested (drawing *d) {
  const uint32_t root = new_unit (d, TL_NO_UNIT);
  d->net->units_safe = true;
  for (uint32_t n = between (d, 1, 3); n; n--) {
    const uint32_t steps = between (d, 1, 3);
    const uint32_t outer = draw_process (d, steps, root);
    const uint32_t unit = d->net->unit_of[outer];
    const uint32_t fork = new_transition (d), join = new_transition (d);
    take (d, fork, outer + below (d, steps), 1);
    give (d, join, outer + below (d, steps), 1);
    for (uint32_t children = between (d, 1, 3); children; children--) {
      const uint32_t inner_steps = between (d, 1, 3);
      const uint32_t inner = draw_process (d, inner_steps, unit);
      d->net->initial[inner] = 0;
      give (d, fork, inner, 1);
      take (d, join, inner + inner_steps - 1, 1);
      for (uint32_t i = 0; i + 1 < inner_steps; i++) {
        const uint32_t t = new_transition (d);
        take (d, t, inner + i, 1);
        give (d, t, inner + i + 1, 1);
      }
    }
    for (uint32_t i = 0; i + 1 < steps; i++) {
      const uint32_t t = new_transition (d);
      take (d, t, outer + i, 1);
      give (d, t, outer + i + 1, 1);
    }
  }
}

static void draw_small_processes (drawing *d) {
  draw_processes (d, 5);
}

// More places than fit a word.
static void draw_wide (drawing *d) {
  draw_processes (d, 30);
}

// ---- What is added to any of them -----------------------------------------

static uint32_t any_transition (drawing *d) {
  return below (d, d->net->transitions);
}

static void add_side_conditions (drawing *d) {
  for (uint32_t n = below (d, 3); n; n--) {
    const uint32_t t = any_transition (d), p = any_place (d);
    const uint32_t weight = any_weight (d);
    take (d, t, p, weight);
    give (d, t, p, weight);
  }
}

static void add_inhibitors (drawing *d) {
  for (uint32_t n = below (d, 4); n; n--)
    arc (d, TL_ARC_INHIBITOR, any_place (d), any_transition (d),
         between (d, 1, 3));
}

static void add_isolated (drawing *d) {
  static const uint32_t odd[] = {0,   1,     7,     40,       255,
                                 256, 65535, 65536, 1u << 31, UINT32_MAX};
  for (uint32_t n = between (d, 1, 3); n; n--)
    new_place (d, odd[below (d, sizeof odd / sizeof *odd)]);
  if (rarely (d, 4))
    new_transition (d);
}

// A transition that makes tokens out of nothing, as often as it likes.
static void add_source (drawing *d) {
  give (d, new_transition (d), any_place (d), any_weight (d));
}

// Tokens that leave; a bounded net stays bounded.
static void add_sink (drawing *d) {
  take (d, new_transition (d), any_place (d), any_weight (d));
}

// So many tokens that counting them needs care, in places that can change.
static void add_many_tokens (drawing *d) {
  const uint32_t p = any_place (d), q = any_place (d);
  static const uint32_t many[] = {254,       255, 256, 65535, UINT32_MAX - 1,
                                  UINT32_MAX};
  d->net->initial[p] = many[below (d, sizeof many / sizeof *many)];
  const uint32_t t = new_transition (d);
  take (d, t, p, between (d, 1, 1 + d->net->initial[p] / 2));
  if (p != q)
    give (d, t, q, between (d, 1, 3));
}

// Units that need not be true.
static void claim_units (drawing *d) {
  random_net *net = d->net;
  net->units = 0;
  const uint32_t root = new_unit (d, TL_NO_UNIT);
  for (uint32_t n = between (d, 1, 4); n; n--)
    new_unit (d, rarely (d, 3) ? below (d, net->units) : root);
  for (uint32_t p = 0; p < net->places; p++)
    net->unit_of[p] = rarely (d, 5) ? TL_NO_UNIT : below (d, net->units);
  net->units_safe = true;
}

static void (*const kinds[]) (drawing *) = {draw_wild,
                                            draw_conservative,
                                            draw_conservative,
                                            draw_capacities,
                                            draw_capacities,
                                            draw_small_processes,
                                            draw_small_processes,
                                            draw_nested,
                                            draw_wide};

static const struct {
  void (*add) (drawing *);
  uint32_t once_in;
} extras[] = {{add_side_conditions, 3}, {add_inhibitors, 4}, {add_sink, 6},
              {add_many_tokens, 40},    {add_source, 40},    {add_isolated, 6},
              {claim_units, 15}};

static void draw (drawing *d) {
  memset (d->net, 0, sizeof *d->net);
  kinds[below (d, sizeof kinds / sizeof *kinds)](d);
  for (size_t i = 0; i < sizeof extras / sizeof *extras; i++)
    if (rarely (d, extras[i].once_in) && d->net->transitions)
      extras[i].add (d);
}

void random_net_make (random_net *net, uint64_t seed) {
  draw (&(drawing){net, {seed}});
}

void random_net_make_long (random_net *net, uint64_t seed) {
  static const uint32_t many[] = {1u << 12, 999983, 1u << 24, 1u << 30};
  drawing d = {net, {seed}};
  draw (&d);
  if (rarely (&d, 6) && net->transitions)
    random_net_multiply (net, many[below (&d, sizeof many / sizeof *many)]);
}

void random_net_multiply (random_net *net, uint32_t times) {
  uint64_t most = 1, weights = 0;
  for (uint32_t p = 0; p < net->places; p++)
    most = net->initial[p] > most ? net->initial[p] : most;
  for (uint32_t i = 0; i < net->arcs; i++)
    weights += net->arc[i].weight; // several may be one arc
  most = UINT32_MAX / 8 / (weights > most ? weights : most);
  times = most < times ? (uint32_t)most : times;
  for (uint32_t p = 0; p < net->places && times; p++)
    net->initial[p] *= times;
  for (uint32_t i = 0; i < net->arcs && times; i++)
    net->arc[i].weight *= times;
}

// ---- Building -------------------------------------------------------------

static tl_status add_units (const random_net *net, tl_builder *b) {
  uint32_t places[RANDOM_PLACES];
  for (uint32_t u = 0; u < net->units; u++) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < net->places; p++)
      if (net->unit_of[p] == u || (!u && net->unit_of[p] == TL_NO_UNIT))
        places[count++] = p;
    char id[16];
    snprintf (id, sizeof id, "u%u", u);
    const tl_status rc =
        tl_builder_unit (b, id, net->unit_parent[u], places, count);
    if (rc)
      return rc;
  }
  tl_builder_units_safe (b, net->units && net->units_safe);
  return TL_OK;
}

static tl_status add_nodes (const random_net *net, tl_builder *b) {
  char id[16];
  tl_status rc = TL_OK;
  for (uint32_t p = 0; p < net->places && !rc; p++) {
    snprintf (id, sizeof id, "p%u", p);
    rc = tl_builder_place (b, id, 0, net->initial[p], 0);
  }
  for (uint32_t t = 0; t < net->transitions && !rc; t++) {
    snprintf (id, sizeof id, "t%u", t);
    rc = tl_builder_transition (b, id, 0, 0);
  }
  for (uint32_t i = 0; i < net->arcs && !rc; i++) {
    const random_arc *a = net->arc + i;
    rc = tl_builder_arc (b, a->kind, a->place, a->transition, a->weight);
  }
  return rc ? rc : add_units (net, b);
}

tl_net *random_net_build (const random_net *net, tl_mem *mem) {
  tl_builder *b;
  tl_net *out;
  if (tl_builder_open (&b, mem))
    return 0;
  if (add_nodes (net, b)) {
    tl_builder_close (b);
    return 0;
  }
  return tl_builder_finish (b, "random", "example", &out, 0) ? 0 : out;
}

void random_net_print (const random_net *net, FILE *out) {
  static const char *const sign[] = {"*", "*", "?-", "?"};
  fprintf (out, "net random\n");
  for (uint32_t p = 0; p < net->places; p++)
    fprintf (out, "pl p%u (%u)\n", p, net->initial[p]);
  for (uint32_t t = 0; t < net->transitions; t++) {
    fprintf (out, "tr t%u", t);
    for (int after = 0; after < 2; after++) {
      for (uint32_t i = 0; i < net->arcs; i++) {
        const random_arc *a = net->arc + i;
        if (a->transition == t && (a->kind == TL_ARC_POST) == after)
          fprintf (out, " p%u%s%u", a->place, sign[a->kind], a->weight);
      }
      fprintf (out, after ? "\n" : " ->");
    }
  }
  for (uint32_t u = 0; u < net->units; u++) {
    fprintf (out, "# unit u%u%s", u, net->units_safe ? " (safe)" : "");
    if (u)
      fprintf (out, " in u%u", net->unit_parent[u]);
    fprintf (out, ":");
    for (uint32_t p = 0; p < net->places; p++)
      if (net->unit_of[p] == u || (!u && net->unit_of[p] == TL_NO_UNIT))
        fprintf (out, " p%u", p);
    fprintf (out, "\n");
  }
}
