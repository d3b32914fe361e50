#include "verify/reasoning.h"

#include "base/budget.h"
#include "base/error.h"

#include <string.h>

// Bounds may chase each other for ever: what takes so long is no proof.
#define MOST_WORK ((uint64_t)1 << 32)
#define OFTEN ((uint64_t)1 << 20)
#define LARGE ((int64_t)1 << 60)
// Sums of more are not looked at.
#define HUGE_SUM ((__int128)1 << 124)

void tl_reasoning_open (tl_reasoning *r, tl_mem *mem) {
  *r = (tl_reasoning){.mem = mem};
}

void tl_reasoning_close (tl_reasoning *r) {
  if (!r->mem)
    return;
  TL_DEL (r->mem, r->value, r->value_room);
  TL_DEL (r->mem, r->term_head, r->term_head_room);
  TL_DEL (r->mem, r->choice_head, r->choice_head_room);
  TL_DEL (r->mem, r->literal_head, r->literal_head_room);
  TL_DEL (r->mem, r->rule, r->rule_room);
  TL_DEL (r->mem, r->term, r->term_room);
  TL_DEL (r->mem, r->clause, r->clause_room);
  TL_DEL (r->mem, r->literal, r->literal_room);
  TL_DEL (r->mem, r->rise, r->rise_room);
  TL_DEL (r->mem, r->queue, r->queue_room);
}

static bool has_room (tl_reasoning *r, bool has) {
  if (!has && !r->rc)
    r->rc = TL_E_NOMEM;
  return !r->rc;
}

void tl_reasoning_variable (tl_reasoning *r, bool choice) {
  const uint32_t v = r->variables;
  const size_t n = 2 * ((size_t)v + 1);
  if (!has_room (
          r, v < TL_REASON_NONE / 2 - 1 &&
                 TL_ROOM (r->mem, r->value, &r->value_room, n) &&
                 TL_ROOM (r->mem, r->term_head, &r->term_head_room, n) &&
                 TL_ROOM (r->mem, r->literal_head, &r->literal_head_room, n) &&
                 TL_ROOM (r->mem, r->choice_head, &r->choice_head_room, n / 2)))
    return;
  r->value[2 * v] = 0;
  r->value[2 * v + 1] = choice ? -1 : TL_REASON_OPEN;
  for (size_t b = 2 * (size_t)v; b < n; b++)
    r->term_head[b] = r->literal_head[b] = 0;
  r->choice_head[v] = 0;
  r->variables++;
}

// ---- Rising ----------------------------------------------------------------

static bool is_true (const tl_reasoning *r, tl_cert_literal l) {
  return r->value[l.bound] >= l.least;
}

static bool is_false (const tl_reasoning *r, tl_cert_literal l) {
  return r->value[l.bound ^ 1] >= 1 - l.least;
}

// What was looked at makes room for what is to be.
static void wake (tl_reasoning *r, uint32_t rule) {
  if (r->rule[rule].queued)
    return;
  if (r->first > r->queue_room / 2) {
    memmove (r->queue, r->queue + r->first, r->queued * sizeof *r->queue);
    r->first = 0;
  }
  const size_t at = r->first + r->queued;
  if (!has_room (r, TL_ROOM (r->mem, r->queue, &r->queue_room, at + 1)))
    return;
  r->rule[rule].queued = true;
  r->queue[at] = rule;
  r->queued++;
}

static void raise (tl_reasoning *r, tl_cert_literal l) {
  if (is_false (r, l)) {
    r->absurd = true;
    return;
  }
  if (is_true (r, l) ||
      !has_room (r, TL_ROOM (r->mem, r->rise, &r->rise_room, r->rises + 1)))
    return;
  r->rise[r->rises++] = (struct tl_reason_rise){l.bound, r->value[l.bound]};
  r->value[l.bound] = l.least;
  for (uint32_t i = r->term_head[l.bound]; i; i = r->term[i - 1].next)
    wake (r, r->term[i - 1].rule);
  for (uint32_t i = l.bound % 2 ? 0 : r->choice_head[l.bound / 2]; i;
       i = r->rule[i - 1].next)
    wake (r, i - 1);
}

static uint32_t next_rule (tl_reasoning *r) {
  const uint32_t rule = r->queue[r->first++];
  r->queued--;
  r->rule[rule].queued = false;
  return rule;
}

static void lower (tl_reasoning *r, size_t rises) {
  while (r->queued)
    (void)next_rule (r);
  while (r->rises > rises) {
    const struct tl_reason_rise *last = r->rise + --r->rises;
    r->value[last->bound] = last->before;
  }
  r->looked = r->rises;
}

// ---- Rules -----------------------------------------------------------------

void tl_reasoning_rule (tl_reasoning *r, int64_t most, uint32_t choice) {
  if (!has_room (r, r->rules < TL_REASON_NONE - 1 &&
                        TL_ROOM (r->mem, r->rule, &r->rule_room, r->rules + 1)))
    return;
  tl_reason_rule *rule = r->rule + r->rules++;
  *rule = (tl_reason_rule){
      .start = (uint32_t)r->terms, .most = most, .choice = choice};
  if (choice != TL_REASON_NONE) {
    rule->next = r->choice_head[choice];
    r->choice_head[choice] = (uint32_t)r->rules;
  }
  wake (r, (uint32_t)r->rules - 1);
}

void tl_reasoning_term (tl_reasoning *r, uint32_t variable, int64_t factor) {
  if (!has_room (r, r->terms < TL_REASON_NONE - 1 &&
                        TL_ROOM (r->mem, r->term, &r->term_room, r->terms + 1)))
    return;
  const uint32_t bound = 2 * variable + (factor < 0);
  r->term[r->terms++] =
      (tl_reason_term){.bound = bound,
                       .rule = (uint32_t)r->rules - 1,
                       .next = r->term_head[bound],
                       .factor = factor < 0 ? -factor : factor};
  r->term_head[bound] = (uint32_t)r->terms;
  r->rule[r->rules - 1].count++;
}

// What the other terms leave to one, where their least values are that much
// together.
static void limit_term (tl_reasoning *r, const tl_reason_rule *rule,
                        const tl_reason_term *t, __int128 others) {
  const __int128 room = rule->most - others;
  const __int128 limit = room / t->factor - (room % t->factor < 0);
  if (limit < LARGE && limit > -LARGE)
    raise (r, (tl_cert_literal){t->bound ^ 1, -(int64_t)limit});
}

// The least that a sum can be, but for terms whose bounds are open.
typedef struct least {
  __int128 sum;
  uint32_t open, which; // how many are, and the last of them
} least;

// Values and factors are below 2^60 in size.  False: the sum is too large.
static bool find_least (const tl_reasoning *r, const tl_reason_rule *rule,
                        least *l) {
  *l = (least){0};
  for (uint32_t i = 0; i < rule->count; i++) {
    const tl_reason_term *t = r->term + rule->start + i;
    const int64_t value = r->value[t->bound];
    if (value == TL_REASON_OPEN) {
      l->open++;
      l->which = i;
      continue;
    }
    l->sum += (__int128)t->factor * value;
    if (l->sum > HUGE_SUM || l->sum < -HUGE_SUM)
      return false;
  }
  return true;
}

static void look_at_rule (tl_reasoning *r, uint32_t number) {
  const tl_reason_rule rule = r->rule[number];
  const bool everywhere = rule.choice == TL_REASON_NONE;
  const tl_cert_literal when =
      tl_cert_at_least (everywhere ? 0 : rule.choice, 1);
  const bool here = everywhere || is_true (r, when);
  least l;
  r->work += rule.count + 1;
  if ((!here && is_false (r, when)) || !find_least (r, &rule, &l))
    return;
  if (!l.open && l.sum > rule.most) {
    if (here)
      r->absurd = true;
    else
      raise (r, tl_cert_not (when));
    return;
  }
  for (uint32_t i = 0; here && l.open < 2 && i < rule.count; i++) {
    const tl_reason_term *t = r->term + rule.start + i;
    if (!l.open)
      limit_term (r, &rule, t,
                  l.sum - (__int128)t->factor * r->value[t->bound]);
    else if (i == l.which)
      limit_term (r, &rule, t, l.sum);
  }
}

// ---- Clauses ---------------------------------------------------------------

static void look_at_clause (tl_reasoning *r, uint32_t number) {
  const tl_reason_clause *c = r->clause + number;
  const tl_reason_literal *l = r->literal + c->start;
  uint32_t open = 0, which = 0;
  r->work += c->count;
  for (uint32_t i = 0; i < c->count; i++) {
    if (is_true (r, l[i].literal))
      return;
    if (!is_false (r, l[i].literal)) {
      which = i;
      if (++open > 1)
        return;
    }
  }
  if (open)
    raise (r, l[which].literal);
  else
    r->absurd = true;
}

void tl_reasoning_clause (tl_reasoning *r, const tl_cert_literal *l,
                          size_t count) {
  if (!has_room (
          r, r->literals + count < TL_REASON_NONE - 1 &&
                 TL_ROOM (r->mem, r->clause, &r->clause_room, r->clauses + 1) &&
                 TL_ROOM (r->mem, r->literal, &r->literal_room,
                          r->literals + count)))
    return;
  const uint32_t number = (uint32_t)r->clauses++;
  r->clause[number] =
      (tl_reason_clause){(uint32_t)r->literals, (uint32_t)count};
  for (size_t i = 0; i < count; i++) {
    uint32_t *head = r->literal_head + (l[i].bound ^ 1);
    r->literal[r->literals++] = (tl_reason_literal){l[i], number, *head};
    *head = (uint32_t)r->literals;
  }
  look_at_clause (r, number);
}

// ---- Following -------------------------------------------------------------

static void look_at_clauses (tl_reasoning *r, uint32_t bound) {
  for (uint32_t i = r->literal_head[bound]; i && !r->absurd;
       i = r->literal[i - 1].next) {
    const tl_reason_literal *l = r->literal + i - 1;
    if (is_false (r, l->literal))
      look_at_clause (r, l->clause);
    r->work++;
  }
}

static bool goes_on (tl_reasoning *r, uint64_t *next, uint64_t end) {
  if (r->work >= *next && !r->rc) {
    *next = r->work + OFTEN;
    r->rc = r->work >= end ? TL_E_MODEL : tl_budget_look (r->mem);
  }
  return !r->rc && !r->absurd;
}

void tl_reasoning_follow (tl_reasoning *r) {
  const uint64_t end = r->work + MOST_WORK;
  uint64_t next = r->work;
  while (goes_on (r, &next, end) && (r->looked < r->rises || r->queued)) {
    if (r->looked < r->rises) {
      look_at_clauses (r, r->rise[r->looked++].bound);
      continue;
    }
    look_at_rule (r, next_rule (r));
  }
}

bool tl_reasoning_denies (tl_reasoning *r, const tl_cert_literal *l,
                          size_t count) {
  tl_reasoning_follow (r);
  const size_t before = r->rises;
  if (r->absurd || r->rc)
    return r->absurd;
  for (size_t i = 0; i < count && !r->absurd; i++)
    raise (r, tl_cert_not (l[i]));
  tl_reasoning_follow (r);
  const bool denied = r->absurd;
  r->absurd = false;
  lower (r, before);
  return denied;
}

tl_status tl_reasoning_told (const tl_reasoning *r, tl_error *err) {
  const char *why = r->rc == TL_E_NOMEM
                        ? "the memory budget is too small for this certificate"
                    : r->rc == TL_E_CANCEL ? "interrupted"
                    : r->rc == TL_E_MODEL
                        ? "what bounds imply takes too long to follow"
                        : "the time limit was reached";
  return r->rc ? tl_fail (err, r->rc, "%s", why) : TL_OK;
}

// ---- Going back ------------------------------------------------------------

tl_reason_mark tl_reasoning_mark (const tl_reasoning *r) {
  return (tl_reason_mark){r->variables, r->rules,    r->terms,
                          r->clauses,   r->literals, r->rises};
}

void tl_reasoning_back (tl_reasoning *r, const tl_reason_mark *to) {
  lower (r, to->rises);
  for (; r->terms > to->terms; r->terms--) {
    const tl_reason_term *t = r->term + r->terms - 1;
    r->term_head[t->bound] = t->next;
  }
  for (; r->rules > to->rules; r->rules--) {
    const tl_reason_rule *rule = r->rule + r->rules - 1;
    if (rule->choice != TL_REASON_NONE)
      r->choice_head[rule->choice] = rule->next;
  }
  for (; r->literals > to->literals; r->literals--) {
    const tl_reason_literal *l = r->literal + r->literals - 1;
    r->literal_head[l->literal.bound ^ 1] = l->next;
  }
  r->clauses = to->clauses;
  r->variables = to->variables;
  r->absurd = false;
}
