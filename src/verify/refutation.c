#include "verify/refutation.h"

#include "base/error.h"

typedef struct refutation {
  tl_cert_source *source;
  const tl_cert_net *net;
  tl_reasoning *reasoning;
  const tl_reason_mark *facts;
  size_t conditions; // that are rules; they come behind the facts
  tl_cert_literal *literal;
  size_t literals, room;
  __int128 *weight; // [places] all 0 between two steps
} refutation;

// ---- Clauses being made ----------------------------------------------------

static void push (refutation *f, tl_cert_literal l) {
  if (TL_ROOM (f->reasoning->mem, f->literal, &f->room, f->literals + 1))
    f->literal[f->literals++] = l;
  else
    f->reasoning->rc = TL_E_NOMEM;
}

static size_t begin (refutation *f, uint32_t choice) {
  const size_t start = f->literals;
  if (choice != TL_REASON_NONE)
    push (f, tl_cert_at_most (choice, 0));
  return start;
}

static void finish (refutation *f, size_t start) {
  if (f->reasoning->rc)
    return;
  tl_reasoning_clause (f->reasoning, f->literal + start, f->literals - start);
  f->literals = start;
}

static uint32_t make_choice (refutation *f) {
  tl_reasoning_variable (f->reasoning, true);
  return f->reasoning->variables - 1;
}

// ---- Conditions ------------------------------------------------------------

static void require (refutation *, const tl_assertion *, bool negated,
                     uint32_t choice);

static void require_literal (refutation *f, tl_cert_literal l,
                             uint32_t choice) {
  const size_t start = begin (f, choice);
  push (f, l);
  finish (f, start);
}

static void require_enabled (refutation *f, const tl_cert_transition *t,
                             uint32_t choice) {
  for (uint32_t i = 0; i < t->pres; i++)
    require_literal (f, tl_cert_at_least (t->pre[i].place, t->pre[i].weight),
                     choice);
  for (uint32_t i = 0; i < t->inhibitors; i++)
    require_literal (f,
                     tl_cert_at_most (t->inhibitor[i].place,
                                      (int64_t)t->inhibitor[i].weight - 1),
                     choice);
}

static void require_disabled (refutation *f, const tl_cert_transition *t,
                              uint32_t choice) {
  const size_t start = begin (f, choice);
  for (uint32_t i = 0; i < t->pres; i++)
    push (f, tl_cert_at_most (t->pre[i].place, (int64_t)t->pre[i].weight - 1));
  for (uint32_t i = 0; i < t->inhibitors; i++)
    push (f, tl_cert_at_least (t->inhibitor[i].place, t->inhibitor[i].weight));
  finish (f, start);
}

// One of the transitions is enabled, or none.  Without a list: of all.
static void require_fireable (refutation *f, const uint32_t *list,
                              uint32_t count, bool negated, uint32_t choice) {
  const tl_cert_transition *all = f->net->transition;
  for (uint32_t i = 0; negated && i < count; i++)
    require_disabled (f, all + (list ? list[i] : i), choice);
  if (negated)
    return;
  if (count == 1) {
    require_enabled (f, all + (list ? *list : 0), choice);
    return;
  }
  const size_t start = begin (f, choice);
  for (uint32_t i = 0; i < count && !f->reasoning->rc; i++) {
    const uint32_t one = make_choice (f);
    require_enabled (f, all + (list ? list[i] : i), one);
    push (f, tl_cert_at_least (one, 1));
  }
  finish (f, start);
}

// not s <= b  is  -s <= -b - 1
static void require_comparison (refutation *f, const tl_assertion *a,
                                bool negated, uint32_t choice) {
  tl_reasoning_rule (f->reasoning, negated ? ~a->bound : a->bound, choice);
  for (uint32_t i = 0; i < a->count; i++)
    tl_reasoning_term (f->reasoning, a->term[i].place,
                       negated ? -a->term[i].factor : a->term[i].factor);
  f->conditions++;
}

static int64_t divide_down (int64_t a, int64_t b) {
  return a / b - (a % b < 0);
}

// factor * tokens <= bound
static void push_bound (refutation *f, uint32_t place, int64_t factor,
                        int64_t bound) {
  push (f, factor > 0
               ? tl_cert_at_most (place, divide_down (bound, factor))
               : tl_cert_at_least (place, -divide_down (bound, -factor)));
}

static void push_operand (refutation *f, const tl_assertion *a, bool negated) {
  while (a->op == TL_CERT_NOT) {
    a = a->operand;
    negated = !negated;
  }
  if (a->op == TL_CERT_COMPARE && a->count == 1) {
    const int64_t factor = a->term->factor;
    push_bound (f, a->term->place, negated ? -factor : factor,
                negated ? ~a->bound : a->bound);
    return;
  }
  const uint32_t choice = make_choice (f);
  if (!f->reasoning->rc)
    require (f, a, negated, choice);
  push (f, tl_cert_at_least (choice, 1));
}

static void require_one (refutation *f, const tl_assertion *a, bool negated,
                         uint32_t choice) {
  const size_t start = begin (f, choice);
  for (uint32_t i = 0; i < a->count && !f->reasoning->rc; i++)
    push_operand (f, a->operand + i, negated);
  finish (f, start);
}

static void require (refutation *f, const tl_assertion *a, bool negated,
                     uint32_t choice) {
  switch (a->op) {
  case TL_CERT_TRUE:
  case TL_CERT_FALSE:
    if ((a->op == TL_CERT_TRUE) == negated)
      finish (f, begin (f, choice)); // it cannot be
    break;
  case TL_CERT_COMPARE: require_comparison (f, a, negated, choice); break;
  case TL_CERT_FIREABLE:
    require_fireable (f, a->transition, a->count, negated, choice);
    break;
  case TL_CERT_DEADLOCK:
    require_fireable (f, 0, f->net->transitions, !negated, choice);
    break;
  case TL_CERT_NOT: require (f, a->operand, !negated, choice); break;
  case TL_CERT_AND:
  case TL_CERT_OR:
    if ((a->op == TL_CERT_OR) != negated) {
      require_one (f, a, negated, choice);
      break;
    }
    for (uint32_t i = 0; i < a->count && !f->reasoning->rc; i++)
      require (f, a->operand + i, negated, choice);
    break;
  default: break; // what holds of no marking alone requires nothing of it
  }
}

// ---- Steps -----------------------------------------------------------------

static tl_status refuse (const refutation *f, const char *what) {
  return tl_fail (f->source->error, TL_E_MODEL, "%s", what);
}

// A multiple of a rule is added to the weights.
static tl_status read_part (refutation *f, __int128 *most, uint32_t *choice) {
  const tl_reasoning *r = f->reasoning;
  const uint32_t facts = (uint32_t)f->facts->rules;
  uint32_t number;
  int64_t multiplier;
  tl_status rc =
      tl_cert_index (f->source, facts + (uint32_t)f->conditions, &number);
  if (!rc)
    rc = tl_cert_signed (f->source, &multiplier);
  if (rc)
    return rc;
  const tl_reason_rule *rule = r->rule + number;
  if (multiplier < 0)
    return refuse (f, "a multiplier is negative");
  if (rule->choice != TL_REASON_NONE && *choice != TL_REASON_NONE &&
      rule->choice != *choice)
    return refuse (f, "rules of different choices are added up");
  *choice = rule->choice != TL_REASON_NONE ? rule->choice : *choice;
  bool fits =
      !__builtin_add_overflow (*most, (__int128)multiplier * rule->most, most);
  for (uint32_t i = 0; fits && i < rule->count; i++) {
    const tl_reason_term *t = r->term + rule->start + i;
    __int128 *weight = f->weight + t->bound / 2;
    const __int128 more = (__int128)multiplier * t->factor;
    fits =
        !__builtin_add_overflow (*weight, t->bound % 2 ? -more : more, weight);
  }
  return fits ? TL_OK : refuse (f, "a sum is too large");
}

static bool is_small (__int128 x) {
  return x < TL_CERT_LARGE && x > -TL_CERT_LARGE;
}

static tl_status read_sum (refutation *f) {
  __int128 most = 0;
  uint32_t count, choice = TL_REASON_NONE;
  tl_status rc = tl_cert_count (f->source, &count);
  for (uint32_t i = 0; !rc && i < count; i++)
    rc = read_part (f, &most, &choice);
  if (rc)
    return rc;
  bool small = is_small (most);
  if (small)
    tl_reasoning_rule (f->reasoning, (int64_t)most, choice);
  for (uint32_t p = 0; p < f->net->places; p++) {
    const __int128 weight = f->weight[p];
    small &= is_small (weight);
    if (small && weight)
      tl_reasoning_term (f->reasoning, p, (int64_t)weight);
    f->weight[p] = 0;
  }
  tl_reasoning_follow (f->reasoning);
  return small ? TL_OK : refuse (f, "a sum is too large");
}

static tl_status read_clause (refutation *f) {
  uint32_t count;
  tl_status rc = tl_cert_count (f->source, &count);
  f->literals = 0;
  for (uint32_t i = 0; !rc && i < count; i++) {
    tl_cert_literal l;
    rc = tl_cert_index (f->source, 2 * f->reasoning->variables, &l.bound);
    if (!rc)
      rc = tl_cert_signed (f->source, &l.least);
    if (!rc)
      push (f, l);
  }
  if (rc || f->reasoning->rc)
    return rc;
  if (!tl_reasoning_denies (f->reasoning, f->literal, f->literals))
    return f->reasoning->rc ? TL_OK : refuse (f, "a step does not follow");
  tl_reasoning_clause (f->reasoning, f->literal, f->literals);
  return TL_OK;
}

static tl_status read_steps (refutation *f) {
  uint32_t count;
  tl_status rc = tl_cert_count (f->source, &count);
  for (uint32_t i = 0; !rc && i < count; i++) {
    uint64_t sums;
    rc = tl_cert_number (f->source, 1, &sums);
    if (!rc)
      rc = sums ? read_sum (f) : read_clause (f);
    if (!rc)
      rc = tl_reasoning_told (f->reasoning, f->source->error);
  }
  if (rc)
    return rc;
  tl_reasoning_follow (f->reasoning);
  rc = tl_reasoning_told (f->reasoning, f->source->error);
  return rc || f->reasoning->absurd
             ? rc
             : refuse (f, "the steps lead to no contradiction");
}

tl_status tl_refutation_read (tl_cert_source *s, const tl_cert_net *net,
                              tl_reasoning *r, const tl_reason_mark *facts,
                              const tl_assertion *a, bool negated) {
  refutation f = {.source = s, .net = net, .reasoning = r, .facts = facts};
  if (!TL_NEW (r->mem, f.weight, net->places))
    return tl_cert_no_memory (s);
  require (&f, a, negated, TL_REASON_NONE);
  tl_status rc = tl_reasoning_told (r, s->error);
  if (!rc)
    rc = read_steps (&f);
  tl_reasoning_back (r, facts);
  TL_DEL (r->mem, f.weight, net->places);
  TL_DEL (r->mem, f.literal, f.room);
  return rc;
}
