// Rules added up.  Where conditions of several terms contradict the state
// equation, bounds of single places may not show it; the lemma of Farkas gives
// multipliers with which the conditions and a sum of tokens that never falls
// become one rule that does.

#include "structure/cases_parts.h"

#include "base/clock.h"

// Seconds of one linear program, as a part of what there is.
#define PROGRAM_PART 0.3

typedef struct summing {
  tl_cases *cases;
  size_t first, count; // rules that are conditions
  tl_entry *term;      // of these
  size_t terms;
  tl_inequality *rule; // [count] the same
  tl_inequality *asked;
  tl_case_part *part;
  size_t room; // of both
  __int128 *weight;
  tl_entry *sum; // [places]
} summing;

static bool open (summing *s, tl_cases *c) {
  const uint32_t places = c->structure->net->places;
  *s = (summing){.cases = c,
                 .first = c->base_rules,
                 .count = c->rules - c->base_rules,
                 .terms = c->terms - c->base_terms};
  s->room = s->count + 2 * (size_t)places + 1;
  if (!TL_NEW (c->mem, s->term, s->terms) ||
      !TL_NEW (c->mem, s->rule, s->count) ||
      !TL_NEW (c->mem, s->asked, s->room) ||
      !TL_NEW (c->mem, s->part, s->room) ||
      !TL_NEW (c->mem, s->weight, places) || !TL_NEW (c->mem, s->sum, places))
    return false;
  for (size_t i = 0; i < s->terms; i++) {
    const tl_case_term *t = c->term + c->base_terms + i;
    s->term[i] =
        (tl_entry){t->bound / 2, t->bound % 2 ? -t->factor : t->factor};
  }
  for (size_t i = 0; i < s->count; i++) {
    const tl_rule *r = c->rule + s->first + i;
    s->rule[i] = (tl_inequality){
        {s->term + (r->start - c->base_terms), r->count}, r->most};
  }
  return true;
}

static void close (summing *s) {
  tl_mem *mem = s->cases->mem;
  const uint32_t places = s->cases->structure->net->places;
  TL_DEL (mem, s->term, s->terms);
  TL_DEL (mem, s->rule, s->count);
  TL_DEL (mem, s->asked, s->room);
  TL_DEL (mem, s->part, s->room);
  TL_DEL (mem, s->weight, places);
  TL_DEL (mem, s->sum, places);
}

static bool is_everywhere (const summing *s, size_t i) {
  return s->cases->rule[s->first + i].when.bound == TL_CASES_NONE;
}

// Is there anything to be said about it by a program?
static bool is_open (const summing *s, size_t i) {
  const tl_rule *r = s->cases->rule + s->first + i;
  return is_everywhere (s, i) || !tl_literal_false (s->cases, r->when);
}

// The conditions that hold everywhere, the one of that number, and bounds.
static size_t ask (summing *s, size_t also) {
  const size_t bounds = tl_cases_bounds (s->cases);
  size_t n = 0;
  for (size_t i = 0; i < s->count; i++)
    if (i == also || is_everywhere (s, i))
      s->asked[n++] = s->rule[i];
  for (size_t i = 0; i < bounds; i++)
    s->asked[n++] = s->cases->given_bound[i];
  return n;
}

static void add_multiple (summing *s, tl_vector sum, int64_t multiplier) {
  for (uint32_t i = 0; i < sum.count; i++)
    s->weight[sum.term[i].index] += (__int128)multiplier * sum.term[i].factor;
}

static bool is_small (__int128 x) {
  return x < TL_CASES_LARGE && x > -TL_CASES_LARGE;
}

// The sum as a rule; false: its numbers are too large.  Leaves the weights 0.
static bool add_sum (summing *s, __int128 most, const tl_literal *when) {
  const uint32_t places = s->cases->structure->net->places;
  bool small = is_small (most);
  uint32_t n = 0;
  for (uint32_t p = 0; p < places; p++) {
    small &= is_small (s->weight[p]);
    if (s->weight[p] && small)
      s->sum[n++] = (tl_entry){p, (int64_t)s->weight[p]};
    s->weight[p] = 0;
  }
  return small &&
         tl_cases_add (s->cases, (tl_vector){s->sum, n}, (int64_t)most, when);
}

// The multipliers that the equation has found.
static bool add_up (summing *s, size_t also, tl_vector fact, int64_t least) {
  tl_cases *c = s->cases;
  const tl_literal *when = also < s->count && !is_everywhere (s, also)
                               ? &c->rule[s->first + also].when
                               : 0;
  const tl_literal condition = when ? *when : (tl_literal){0};
  size_t n = 0;
  __int128 most = -(__int128)least;
  s->part[n++] = (tl_case_part){true, (uint32_t)c->proof->facts, 1};
  add_multiple (s, fact, -1);
  for (size_t i = 0; i < s->count; i++) {
    const int64_t z = i == also || is_everywhere (s, i)
                          ? tl_equation_multiplier (c->equation, s->rule + i)
                          : 0;
    if (z <= 0)
      continue;
    s->part[n++] = (tl_case_part){false, (uint32_t)i, z};
    add_multiple (s, s->rule[i].sum, z);
    most += (__int128)z * s->rule[i].bound;
  }
  if (!add_sum (s, most, when ? &condition : 0))
    return false;
  tl_case_proof_fact (c->proof, fact, 1);
  tl_case_proof_sum (c->proof, s->part, n);
  return true;
}

static bool try_rules (summing *s, size_t also) {
  tl_cases *c = s->cases;
  const double left = c->deadline - tl_clock_busy ();
  tl_vector sum;
  int64_t least;
  if (left <= 0 || !tl_equation_refutes (c->equation, s->asked, ask (s, also),
                                         left * PROGRAM_PART, &sum, &least))
    return false;
  return add_up (s, also, sum, least);
}

bool tl_cases_sum_up (tl_cases *c) {
  summing s;
  tl_because why;
  const bool opened = open (&s, c);
  bool excluded = !tl_cases_propagate (c, &why), any = false;
  for (size_t i = 0; opened && i < s.count; i++)
    any |= is_everywhere (&s, i);
  if (opened && c->equation && !excluded && any && try_rules (&s, SIZE_MAX))
    excluded = !tl_cases_propagate (c, &why);
  for (size_t i = 0; opened && c->equation && !excluded && i < s.count; i++)
    if (!is_everywhere (&s, i) && is_open (&s, i) && try_rules (&s, i))
      excluded = !tl_cases_propagate (c, &why);
  close (&s);
  return excluded && !c->failed;
}
