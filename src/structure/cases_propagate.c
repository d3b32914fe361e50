// What follows from the bounds of a case.

#include "structure/cases_parts.h"

#include <string.h>

void tl_cases_wake (tl_cases *c, uint32_t rule) {
  if (c->rule[rule].queued)
    return;
  if (!TL_ROOM (c->mem, c->queue, &c->queue_room, c->queued + 1)) {
    c->failed = true;
    return;
  }
  c->rule[rule].queued = true;
  c->queue[c->queued++] = rule;
}

void tl_cases_raise (tl_cases *c, tl_literal l, tl_because because) {
  if (c->rises >= TL_CASES_NONE - 1 ||
      !TL_ROOM (c->mem, c->rise, &c->rise_room, c->rises + 1)) {
    c->failed = true;
    return;
  }
  c->rise[c->rises] = (tl_rise){.bound = l.bound,
                                .earlier = c->last[l.bound],
                                .level = (uint32_t)c->levels,
                                .because = because,
                                .value = l.least,
                                .before = c->value[l.bound]};
  c->last[l.bound] = (uint32_t)c->rises++;
  c->value[l.bound] = l.least;
  for (uint32_t i = c->term_head[l.bound]; i; i = c->term[i - 1].next) {
    tl_cases_wake (c, c->term[i - 1].rule);
    c->work++;
  }
  for (uint32_t i = c->when_head[l.bound]; i; i = c->rule[i - 1].next_when)
    tl_cases_wake (c, i - 1);
}

void tl_cases_back (tl_cases *c, size_t level) {
  if (level >= c->levels)
    return;
  const size_t to = c->level[level];
  while (c->rises > to) {
    const tl_rise *r = c->rise + --c->rises;
    c->value[r->bound] = r->before;
    c->last[r->bound] = r->earlier;
  }
  c->levels = level;
  c->looked = c->looked < to ? c->looked : to;
}

// ---- Rules -----------------------------------------------------------------

// The least that the sum can be, but for terms whose bounds are open.
typedef struct least {
  __int128 sum;
  uint32_t open, which; // how many are, and the last of them
} least;

static least least_of (const tl_cases *c, const tl_rule *r) {
  least l = {0};
  for (uint32_t i = 0; i < r->count; i++) {
    const tl_case_term *t = c->term + r->start + i;
    if (c->value[t->bound] > TL_CASES_OPEN) {
      l.sum += (__int128)t->factor * c->value[t->bound];
    } else {
      l.open++;
      l.which = i;
    }
  }
  return l;
}

static __int128 floor_of (__int128 a, int64_t b) {
  return a / b - (a % b < 0);
}

// What the other terms leave to one.
static void limit_term (tl_cases *c, uint32_t rule, const least *l,
                        uint32_t i) {
  const tl_rule *r = c->rule + rule;
  const tl_case_term *t = c->term + r->start + i;
  __int128 room = (__int128)r->most - l->sum;
  if (!l->open)
    room += (__int128)t->factor * c->value[t->bound];
  const __int128 limit = floor_of (room, t->factor);
  if (limit > TL_CASES_LARGE || limit < -TL_CASES_LARGE ||
      -(int64_t)limit <= c->value[t->bound ^ 1])
    return;
  tl_cases_raise (c, (tl_literal){t->bound ^ 1, -(int64_t)limit},
                  (tl_because){rule, false});
}

static bool apply_rule (tl_cases *c, uint32_t rule) {
  const tl_rule r = c->rule[rule];
  const bool everywhere = r.when.bound == TL_CASES_NONE,
             here = everywhere || tl_literal_true (c, r.when);
  if (!here && tl_literal_false (c, r.when))
    return true;
  const least l = least_of (c, &r);
  c->work += r.count;
  if (l.open > 1 || (l.open && !here))
    return true;
  if (!l.open && l.sum > r.most) {
    if (!here)
      tl_cases_raise (c, tl_literal_not (r.when), (tl_because){rule, false});
    return !here;
  }
  for (uint32_t i = 0; here && i < r.count; i++)
    if (!l.open || i == l.which)
      limit_term (c, rule, &l, i);
  return true;
}

// ---- Clauses ---------------------------------------------------------------

static void watch (tl_cases *c, uint32_t clause, uint32_t which) {
  tl_clause *k = c->clause + clause;
  uint32_t *head = c->watch_head + (c->literal[k->start + which].bound ^ 1);
  k->next[which] = *head;
  *head = 2 * clause + which + 1;
}

bool tl_cases_keep (tl_cases *c, const tl_literal *l, size_t count) {
  if (c->literals + count >= TL_CASES_NONE ||
      c->clauses >= TL_CASES_NONE / 2 - 1 ||
      !TL_ROOM (c->mem, c->clause, &c->clause_room, c->clauses + 1) ||
      !TL_ROOM (c->mem, c->literal, &c->literal_room, c->literals + count))
    return false;
  const uint32_t number = (uint32_t)c->clauses++;
  c->clause[number] =
      (tl_clause){.start = (uint32_t)c->literals, .count = (uint32_t)count};
  memcpy (c->literal + c->literals, l, count * sizeof *l);
  c->literals += count;
  watch (c, number, 0);
  watch (c, number, 1);
  return true;
}

// Puts a literal that is not false in the place of one that is.
static bool replace (tl_cases *c, tl_clause *k, uint32_t which) {
  tl_literal *l = c->literal + k->start;
  for (uint32_t i = 2; i < k->count; i++)
    if (!tl_literal_false (c, l[i])) {
      const tl_literal other = l[i];
      l[i] = l[which];
      l[which] = other;
      c->work += i;
      return true;
    }
  c->work += k->count;
  return false;
}

// The bound rose: clauses with a literal that may be false now.
static bool tell_clauses (tl_cases *c, uint32_t bound, tl_because *why) {
  uint32_t *link = c->watch_head + bound;
  while (*link) {
    const uint32_t node = *link - 1, number = node / 2, which = node % 2;
    tl_clause *k = c->clause + number;
    const tl_literal *l = c->literal + k->start, other = l[!which];
    c->work++;
    if (!tl_literal_false (c, l[which]) || tl_literal_true (c, other)) {
      link = k->next + which;
    } else if (replace (c, k, which)) {
      *link = k->next[which];
      watch (c, number, which);
    } else if (tl_literal_false (c, other)) {
      *why = (tl_because){number, true};
      return false;
    } else {
      tl_cases_raise (c, other, (tl_because){number, true});
      link = k->next + which;
    }
  }
  return true;
}

bool tl_cases_propagate (tl_cases *c, tl_because *why) {
  while (!c->failed && c->work < c->work_end) {
    if (c->looked < c->rises) {
      if (!tell_clauses (c, c->rise[c->looked++].bound, why))
        return false;
      continue;
    }
    if (!c->queued)
      break;
    const uint32_t rule = c->queue[--c->queued];
    c->rule[rule].queued = false;
    if (!apply_rule (c, rule)) {
      *why = (tl_because){rule, false};
      return false;
    }
  }
  return true;
}
