#include "logic/effort.h"

#include "logic/distance.h"

#include <string.h>

// Places of a plan are looked at so often, on average; what is wanted then
// counts its price.
#define LOOKS 8
// Steps whose costs a plan may ask for; what it wants after that is not chosen
// with care.  FIREABLE of thousands of transitions, where it is not wanted,
// wants as many things.
#define COSTS 50000
// Of a token that nothing can bring.
#define FAR ((uint64_t)1 << 20)

// What bringing a sum down so far costs, as long as the plan stays as it is.
typedef struct tl_bargain {
  uint64_t plan; // of which it is true
  uint64_t by, price, times;
  uint32_t transition;
} tl_bargain;

// ---- Opening ---------------------------------------------------------------

static bool reads_enabled (const tl_formula *f, bool negated) {
  bool reads = f->op == TL_DEADLOCK || (f->op == TL_FIREABLE && negated);
  for (uint32_t i = 0; !reads && i < tl_formula_operands (f); i++)
    reads = reads_enabled (f->operand[i], f->op == TL_NOT);
  return reads;
}

// The transitions that add to each place.
static bool list_givers (tl_effort *s) {
  const tl_net *net = s->net;
  for (uint32_t t = 0; t < net->transitions; t++)
    s->givers += tl_net_post (net, t).count;
  if (!TL_NEW (s->mem, s->start, (size_t)net->places + 2) ||
      !TL_NEW (s->mem, s->giver, s->givers))
    return false;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t t = 0; t < net->transitions; t++)
      for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);)
        if (c.amount > 0 && pass)
          s->giver[s->start[c.place + 1]++] = t;
        else if (c.amount > 0)
          s->start[c.place + 2]++;
    for (uint32_t p = 0; !pass && p < net->places; p++)
      s->start[p + 2] += s->start[p + 1];
  }
  return true;
}

tl_status tl_effort_open (tl_effort *s, tl_mem *mem, const tl_net *net,
                          const tl_formula *f) {
  *s = (tl_effort){.mem = mem,
                   .net = net,
                   .formula = f,
                   .reads_enabled = reads_enabled (f, false)};
  if (tl_prices_open (&s->prices, mem, net) ||
      tl_lowerings_open (&s->lowerings, mem, net, f) ||
      !TL_NEW (mem, s->bargain, s->lowerings.sums) ||
      !TL_NEW (mem, s->used, net->places) ||
      !TL_NEW (mem, s->held, net->places) ||
      !TL_NEW (mem, s->list, net->places) ||
      !TL_NEW (mem, s->listed, net->places) || !list_givers (s))
    return TL_E_NOMEM;
  return TL_OK;
}

void tl_effort_close (tl_effort *s) {
  if (!s->mem)
    return;
  const uint32_t places = s->net->places;
  TL_DEL (s->mem, s->bargain, s->lowerings.sums);
  tl_lowerings_close (&s->lowerings);
  tl_prices_close (&s->prices);
  TL_DEL (s->mem, s->used, places);
  TL_DEL (s->mem, s->held, places);
  TL_DEL (s->mem, s->list, places);
  TL_DEL (s->mem, s->listed, places);
  TL_DEL (s->mem, s->start, (size_t)places + 2);
  TL_DEL (s->mem, s->giver, s->givers);
}

// ---- Prices of formulas ----------------------------------------------------

typedef struct at {
  tl_effort *s;
  const uint64_t *marking;
  const uint32_t *enabled;
  uint32_t count;
} at;

static uint64_t at_most (__int128 x) {
  return x < 0 ? 0 : x > TL_EFFORT_MOST ? TL_EFFORT_MOST : (uint64_t)x;
}

static uint64_t missing (const at *a, uint32_t transition) {
  return tl_prices_missing (&a->s->prices, a->marking, transition);
}

static uint64_t excess (const at *a, const tl_formula *f) {
  __int128 sum = 0;
  for (uint32_t i = 0; i < f->count; i++)
    sum += (__int128)f->term[i].coefficient * a->marking[f->term[i].place];
  return at_most (sum - f->bound);
}

static uint64_t divide_up (uint64_t x, uint64_t by) {
  return (x + by - 1) / by;
}

// Of the tokens that an arc waits for, those that the step does not use up.
static uint64_t staying (const tl_arc *arc, int64_t change) {
  return change < 0 ? arc->weight - (uint64_t)-change : arc->weight;
}

// What so many steps cost, with what they need that the plan has not left over.
static uint64_t cost_of (const at *a, uint32_t t, uint64_t times) {
  const tl_effort *s = a->s;
  const tl_arcs pre = tl_net_pre (s->net, t);
  __int128 cost = times;
  for (uint32_t i = 0; i < pre.count; i++) {
    const uint32_t p = pre.arc[i].place;
    const int64_t change = tl_net_change_of (s->net, t, p);
    const uint64_t stays = staying (pre.arc + i, change),
                   kept = stays > s->held[p] ? stays : s->held[p];
    const __int128 needs = (change < 0 ? (__int128)times * -change : 0) + kept +
                           s->used[p] - a->marking[p];
    if (needs > 0)
      cost +=
          needs > TL_EFFORT_MOST ? TL_EFFORT_MOST : needs * s->prices.price[p];
  }
  return at_most (cost);
}

static bool can_afford (const at *a, uint32_t costs) {
  const bool can = a->s->costs >= costs;
  a->s->costs -= can ? costs : 0;
  return can;
}

// Without asking what it costs.
static void strike_any_bargain (const at *a, const tl_lowering *l, uint64_t by,
                                tl_bargain *b) {
  *b = (tl_bargain){.plan = a->s->plan,
                    .by = by,
                    .price = l->count ? by : TL_EFFORT_MOST,
                    .transition = a->s->net->transitions};
  if (!l->count)
    return;
  b->transition = l->transition[0];
  b->times = divide_up (by, (uint64_t)l->drop[0]);
}

static void strike_bargain (const at *a, const tl_lowering *l, uint64_t by,
                            tl_bargain *b) {
  *b = (tl_bargain){.plan = a->s->plan,
                    .by = by,
                    .price = TL_EFFORT_MOST,
                    .transition = a->s->net->transitions};
  for (uint32_t i = 0; i < l->count; i++) {
    const uint64_t n = divide_up (by, (uint64_t)l->drop[i]),
                   price = cost_of (a, l->transition[i], n);
    if (price >= b->price)
      continue;
    b->price = price;
    b->transition = l->transition[i];
    b->times = n;
  }
}

// The transition that lowers the sum at the least price, fired so many times.
// Null: nothing is to be lowered.
static const tl_bargain *lower (const at *a, const tl_formula *f) {
  const uint64_t by = excess (a, f);
  if (!by)
    return 0;
  const tl_lowerings *all = &a->s->lowerings;
  const size_t sum = tl_lowerings_find (all, f);
  const tl_lowering *l = all->lowering + sum;
  tl_bargain *b = a->s->bargain + sum;
  const bool known = b->plan >= a->s->begun && b->by == by;
  if (known && b->plan == a->s->plan)
    return b;
  if (can_afford (a, l->count))
    strike_bargain (a, l, by, b);
  else if (!known)
    strike_any_bargain (a, l, by, b);
  return b;
}

static uint64_t price_of_lowering (const at *a, const tl_formula *f) {
  const tl_bargain *b = lower (a, f);
  return b ? b->price : 0;
}

static uint64_t enable (const at *a, const tl_formula *f,
                        uint32_t *transition) {
  uint64_t least = TL_EFFORT_MOST;
  *transition = a->s->net->transitions;
  for (uint32_t i = 0; least && i < f->count; i++) {
    const uint64_t m = missing (a, f->transition[i]);
    if (m >= least)
      continue;
    least = m;
    *transition = f->transition[i];
  }
  return least;
}

static uint64_t price (const at *, const tl_formula *);

static uint64_t price_of_negation (const at *a, const tl_formula *f) {
  return f->op == TL_FIREABLE   ? tl_distance_disable (f, a->enabled, a->count)
         : f->op == TL_DEADLOCK ? !a->count
                                : !price (a, f);
}

static uint64_t price (const at *a, const tl_formula *f) {
  uint32_t transition;
  uint64_t least = TL_EFFORT_MOST;
  __int128 sum = 0;
  switch (f->op) {
  case TL_TRUE: return 0;
  case TL_COMPARE: return price_of_lowering (a, f);
  case TL_FIREABLE: return enable (a, f, &transition);
  case TL_DEADLOCK: return a->count;
  case TL_NOT: return price_of_negation (a, f->operand[0]);
  case TL_AND:
    for (uint32_t i = 0; i < f->count; i++)
      sum += price (a, f->operand[i]);
    return at_most (sum);
  case TL_OR:
    for (uint32_t i = 0; least && i < f->count; i++) {
      const uint64_t p = price (a, f->operand[i]);
      least = p < least ? p : least;
    }
    return least;
  default: return TL_EFFORT_MOST; // false
  }
}

// ---- Plans -----------------------------------------------------------------

static void look_later (tl_effort *s, uint32_t p) {
  const uint32_t all = s->net->places, end = s->head + s->count;
  if (s->listed[p])
    return;
  s->listed[p] = 1;
  s->list[end < all ? end : end - all] = p;
  s->count++;
}

static uint32_t next_to_look (tl_effort *s) {
  const uint32_t p = s->list[s->head];
  s->head = s->head + 1 < s->net->places ? s->head + 1 : 0;
  s->count--;
  s->listed[p] = 0;
  return p;
}

static void hold (tl_effort *s, uint32_t p, uint64_t tokens) {
  if (tokens <= s->held[p])
    return;
  s->held[p] = tokens;
  s->plan++;
  look_later (s, p);
}

// What is wanted at the place and not there.
static uint64_t lacks (const at *a, uint32_t p) {
  return at_most ((__int128)a->s->held[p] + a->s->used[p] - a->marking[p]);
}

// The transition is to fire so many times.
static uint64_t fire (const at *a, uint32_t t, uint64_t times) {
  tl_effort *s = a->s;
  const tl_arcs pre = tl_net_pre (s->net, t);
  times = at_most (times);
  s->plan++;
  for (tl_change c = tl_net_change (s->net, t); tl_net_change_next (&c);) {
    const __int128 used = s->used[c.place] - (__int128)c.amount * times;
    s->used[c.place] = used > INT64_MAX / 2   ? INT64_MAX / 2
                       : used < INT64_MIN / 2 ? INT64_MIN / 2
                                              : (int64_t)used;
    if (c.amount < 0)
      look_later (s, c.place);
  }
  for (uint32_t i = 0; i < pre.count; i++) {
    const uint32_t p = pre.arc[i].place;
    hold (s, p, staying (pre.arc + i, tl_net_change_of (s->net, t, p)));
  }
  return times;
}

static uint64_t want (const at *, const tl_formula *);

static uint64_t want_less (const at *a, const tl_formula *f) {
  if (f->count == 1 && f->term[0].coefficient == -1 && f->bound < 0) {
    hold (a->s, f->term[0].place, (uint64_t)-f->bound);
    return 0;
  }
  const tl_bargain *b = lower (a, f);
  return !b ? 0
         : b->transition == a->s->net->transitions
             ? FAR
             : fire (a, b->transition, b->times);
}

static uint64_t want_enabled (const at *a, const tl_formula *f) {
  tl_effort *s = a->s;
  uint32_t t;
  enable (a, f, &t);
  if (t == s->net->transitions)
    return FAR;
  for (tl_arcs pre = tl_net_pre (s->net, t); pre.count; pre.arc++, pre.count--)
    hold (s, pre.arc->place, pre.arc->weight);
  return 0;
}

static uint64_t want_cheapest (const at *a, const tl_formula *f) {
  uint64_t least = UINT64_MAX;
  uint32_t which = 0;
  for (uint32_t i = 0; least && i < f->count; i++) {
    const uint64_t p = price (a, f->operand[i]);
    which = p < least ? i : which;
    least = p < least ? p : least;
  }
  return want (a, f->operand[which]);
}

// What the formula wants to begin with; its steps.
static uint64_t want (const at *a, const tl_formula *f) {
  uint64_t steps = 0;
  switch (f->op) {
  case TL_COMPARE: return want_less (a, f);
  case TL_FIREABLE: return want_enabled (a, f);
  case TL_AND:
    for (uint32_t i = 0; i < f->count; i++)
      steps += want (a, f->operand[i]);
    return steps;
  case TL_OR: return want_cheapest (a, f);
  default: return price (a, f);
  }
}

// Brings what the place lacks; how many steps that are.
static uint64_t bring (const at *a, uint32_t p) {
  tl_effort *s = a->s;
  const uint64_t tokens = lacks (a, p);
  if (!tokens)
    return 0;
  if (!can_afford (a, s->start[p + 1] - s->start[p]))
    return at_most ((__int128)tokens * s->prices.price[p]);
  uint64_t least = TL_EFFORT_MOST, times = 0;
  uint32_t best = 0;
  for (uint32_t i = s->start[p]; i < s->start[p + 1]; i++) {
    const uint32_t t = s->giver[i];
    const uint64_t n = divide_up (tokens,
                                  (uint64_t)tl_net_change_of (s->net, t, p)),
                   cost = cost_of (a, t, n);
    if (cost >= least)
      continue;
    least = cost;
    best = t;
    times = n;
  }
  return times ? fire (a, best, times) : at_most ((__int128)tokens * FAR);
}

static uint64_t plan (const at *a) {
  tl_effort *s = a->s;
  const uint32_t places = s->net->places;
  __int128 steps = want (a, s->formula);
  for (uint64_t left = (uint64_t)places * LOOKS; left && s->count; left--)
    steps += bring (a, next_to_look (s));
  while (s->count) {
    const uint32_t p = next_to_look (s);
    steps += (__int128)lacks (a, p) * s->prices.price[p];
  }
  return at_most (steps);
}

uint64_t tl_effort_of (tl_effort *s, const uint64_t *marking,
                       const uint32_t *enabled, uint32_t count) {
  const at a = {s, marking, enabled, count};
  s->begun = ++s->plan;
  s->costs = COSTS;
  memset (s->used, 0, s->net->places * sizeof *s->used);
  memset (s->held, 0, s->net->places * sizeof *s->held);
  tl_prices_at (&s->prices, marking);
  if (!price (&a, s->formula))
    return 0;
  const uint64_t steps = plan (&a);
  return steps ? steps : 1;
}
