// Cuts a failing net down: every single thing that can be taken away or made
// smaller is tried in turn, until nothing more can go.

#include "random_net.h"

#include <string.h>

typedef struct shrinker {
  random_net *net;
  bool (*fails) (const random_net *, void *);
  void *context;
  unsigned attempts;
  bool progress;
} shrinker;

// Keeps the smaller net if it still fails.
static bool attempt (shrinker *s, const random_net *smaller) {
  if (!s->attempts)
    return false;
  s->attempts--;
  if (!s->fails (smaller, s->context))
    return false;
  *s->net = *smaller;
  s->progress = true;
  return true;
}

static void drop_arc (random_net *net, uint32_t i) {
  net->arcs--;
  memmove (net->arc + i, net->arc + i + 1, (net->arcs - i) * sizeof *net->arc);
}

static void drop_transition (random_net *net, uint32_t t) {
  for (uint32_t i = net->arcs; i--;) {
    if (net->arc[i].transition == t)
      drop_arc (net, i);
    else if (net->arc[i].transition > t)
      net->arc[i].transition--;
  }
  net->transitions--;
}

static void drop_place (random_net *net, uint32_t p) {
  for (uint32_t i = net->arcs; i--;) {
    if (net->arc[i].place == p)
      drop_arc (net, i);
    else if (net->arc[i].place > p)
      net->arc[i].place--;
  }
  net->places--;
  const size_t after = (net->places - p) * sizeof *net->initial;
  memmove (net->initial + p, net->initial + p + 1, after);
  memmove (net->unit_of + p, net->unit_of + p + 1, after);
}

static void shrink_nodes (shrinker *s) {
  random_net *net = s->net;
  for (uint32_t t = net->transitions; t--;) {
    random_net smaller = *net;
    drop_transition (&smaller, t);
    attempt (s, &smaller);
  }
  for (uint32_t p = net->places; p--;) {
    random_net smaller = *net;
    drop_place (&smaller, p);
    attempt (s, &smaller);
  }
  for (uint32_t i = net->arcs; i--;) {
    random_net smaller = *net;
    drop_arc (&smaller, i);
    attempt (s, &smaller);
  }
  if (net->units) {
    random_net smaller = *net;
    smaller.units = 0;
    attempt (s, &smaller);
  }
}

// Tries smaller values for the number at `where` in the net.
static void shrink_number (shrinker *s, const uint32_t *where, uint32_t least) {
  const size_t offset = (size_t)((const char *)where - (const char *)s->net);
  const uint32_t smaller_values[] = {least, *where / 2, *where - 1};
  for (size_t i = 0; i < 3 && *where > least; i++) {
    if (smaller_values[i] < least || smaller_values[i] >= *where)
      continue;
    random_net smaller = *s->net;
    memcpy ((char *)&smaller + offset, smaller_values + i, sizeof (uint32_t));
    if (attempt (s, &smaller))
      return;
  }
}

void random_net_shrink (random_net *net,
                        bool (*fails) (const random_net *, void *),
                        void *context, unsigned attempts) {
  shrinker s = {net, fails, context, attempts, true};
  while (s.progress && s.attempts) {
    s.progress = false;
    shrink_nodes (&s);
    for (uint32_t i = 0; i < net->arcs; i++)
      shrink_number (&s, &net->arc[i].weight, 1);
    for (uint32_t p = 0; p < net->places; p++)
      shrink_number (&s, net->initial + p, 0);
  }
}
