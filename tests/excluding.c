#include "excluding.h"

#include "base/random.h"
#include "brute.h"
#include "random_net.h"
#include "structure/equation.h"

#include <stdlib.h>

enum { STATES = 300, LISTS = 12, MOST = 4, TERMS = 3 };

typedef struct list {
  tl_entry term[MOST][TERMS];
  tl_inequality item[MOST];
  size_t count;
} list;

static void random_list (list *l, const tl_net *net, tl_random *random) {
  l->count = 1 + (size_t)tl_random_below (random, MOST);
  for (size_t i = 0; i < l->count; i++) {
    uint32_t n = 0, p = 0;
    while (n < TERMS && p < net->places) {
      p += (uint32_t)tl_random_below (random, net->places);
      if (p < net->places)
        l->term[i][n++] =
            (tl_entry){p++, (1 + (int64_t)tl_random_below (random, 3)) *
                                (tl_random_below (random, 2) ? 1 : -1)};
    }
    l->item[i] = (tl_inequality){{l->term[i], n},
                                 (int64_t)tl_random_below (random, 7) - 4};
  }
}

static __int128 value (tl_vector sum, const uint64_t *marking) {
  __int128 total = 0;
  for (uint32_t i = 0; i < sum.count; i++)
    total += (__int128)sum.term[i].factor * marking[sum.term[i].index];
  return total;
}

static bool some_state_satisfies (const brute *b, const list *l) {
  for (uint64_t s = 0; s < b->states; s++) {
    size_t n = 0;
    while (n < l->count &&
           value (l->item[n].sum, brute_marking (b, s)) <= l->item[n].bound)
      n++;
    if (n == l->count)
      return true;
  }
  return false;
}

static bool is_undercut (tl_equation *e, const brute *b, tl_vector sum) {
  int64_t least;
  if (!tl_equation_least (e, sum, &least))
    return false;
  for (uint64_t s = 0; s < b->states; s++)
    if (value (sum, brute_marking (b, s)) < least)
      return true;
  return false;
}

static void ask (excluding *x, tl_equation *e, const brute *b,
                 tl_random *random) {
  list l;
  random_list (&l, b->net, random);
  const bool out = tl_equation_excludes (e, l.item, l.count);
  const bool possible = some_state_satisfies (b, &l);
  x->wrong += out && possible;
  x->impossible += b->complete && !possible;
  x->excluded += out;
  x->wrong += is_undercut (e, b, l.item->sum);
}

void excluding_add (excluding *x, tl_mem *mem, uint64_t seed) {
  static random_net sketch;
  random_net_make (&sketch, seed);
  tl_net *net = random_net_build (&sketch, mem);
  tl_random random = {seed};
  brute b = brute_explore (net, STATES);
  tl_incidence *c;
  tl_equation *e;
  if (tl_incidence_open (&c, mem, net, TL_COLUMNS_FIREABLE) ||
      tl_equation_open (&e, mem, c, net->initial, 10))
    abort ();
  for (int i = 0; net->places && i < LISTS; i++)
    ask (x, e, &b, &random);
  tl_equation_close (e);
  tl_incidence_close (c);
  brute_close (&b);
  tl_net_close (net);
}
