#include "structure/cases_parts.h"

#include "base/budget.h"
#include "base/clock.h"

// Terms and literals that a common machine looks at in a second.
#define WORK_PER_SECOND 4e7
// Contradictions until all cases are left for the first time, to begin again
// with what was learned, and how many times as many until the next.
#define FIRST_RESTART 100
#define MORE_RESTART 1.5
// Smaller traps say more, but to look for them takes time.
#define TRAP_TRIES 40
// Seconds of one linear program, and of all, as parts of what there is.
#define PROGRAM_PART 0.3

static const tl_because decided = {.number = TL_CASES_NONE};

// ---- Opening ---------------------------------------------------------------

static bool add_variable (tl_cases *c, int64_t least, int64_t most) {
  const size_t n = c->variables + (size_t)1;
  if (n >= TL_CASES_NONE / 2 ||
      !TL_ROOM (c->mem, c->activity, &c->variable_room, n) ||
      !TL_ROOM (c->mem, c->value, &c->value_room, 2 * n) ||
      !TL_ROOM (c->mem, c->last, &c->last_room, 2 * n) ||
      !TL_ROOM (c->mem, c->term_head, &c->term_head_room, 2 * n) ||
      !TL_ROOM (c->mem, c->when_head, &c->when_head_room, 2 * n) ||
      !TL_ROOM (c->mem, c->watch_head, &c->watch_head_room, 2 * n))
    return false;
  c->activity[c->variables] = 0;
  for (uint32_t b = 2 * c->variables; b < 2 * n; b++) {
    c->last[b] = TL_CASES_NONE;
    c->term_head[b] = c->when_head[b] = c->watch_head[b] = 0;
  }
  c->value[2 * c->variables] = least;
  c->value[2 * c->variables + 1] = most < 0 ? TL_CASES_OPEN : -most;
  c->variables++;
  return true;
}

static bool add_places (tl_cases *c) {
  const tl_structure *s = c->structure;
  for (uint32_t p = 0; p < s->net->places; p++) {
    const bool known =
        s->source[p] != TL_BOUND_CLAIM && s->bound[p] <= INT32_MAX;
    if (!add_variable (c, 0, known ? (int64_t)s->bound[p] : -1))
      return false;
  }
  return true;
}

// The weighted sum is at most what it is at the start, or both.
static bool add_semiflow (tl_cases *c, size_t i) {
  const tl_semiflows *f = &c->structure->semiflows;
  const tl_semiflow *of = f->semiflow + i;
  const tl_vector y = tl_semiflows_terms (f, i);
  tl_entry *minus;
  if (of->tokens > INT32_MAX)
    return true;
  bool ok = tl_cases_add (c, y, (int64_t)of->tokens, 0);
  if (!ok || of->kind != TL_SEMIFLOW_EXACT)
    return ok;
  if (!TL_NEW (c->mem, minus, y.count))
    return false;
  for (uint32_t k = 0; k < y.count; k++)
    minus[k] = (tl_entry){y.term[k].index, -y.term[k].factor};
  ok = tl_cases_add (c, (tl_vector){minus, y.count}, -(int64_t)of->tokens, 0);
  TL_DEL (c->mem, minus, y.count);
  return ok;
}

static bool begin_base (tl_cases *c) {
  tl_because why;
  if (!add_places (c))
    return false;
  for (size_t i = 0; i < c->structure->semiflows.count; i++)
    if (!add_semiflow (c, i))
      return false;
  c->work_end = (uint64_t)WORK_PER_SECOND / 4;
  // The initial marking satisfies them all.
  (void)tl_cases_propagate (c, &why);
  c->base_rules = c->rules;
  c->base_terms = c->terms;
  c->base_rises = c->rises;
  return !c->failed;
}

tl_status tl_cases_open (tl_cases **out, tl_mem *mem, const tl_structure *s,
                         tl_equation *equation) {
  tl_cases *c;
  *out = 0;
  if (!TL_NEW (mem, c, 1))
    return TL_E_NOMEM;
  *c = (tl_cases){.mem = mem, .structure = s, .equation = equation, .bump = 1};
  if (tl_traps_open (&c->traps, mem, s) ||
      !TL_NEW (mem, c->left, s->net->places) || !begin_base (c)) {
    tl_cases_close (c);
    return TL_E_NOMEM;
  }
  *out = c;
  return TL_OK;
}

void tl_cases_close (tl_cases *c) {
  if (!c)
    return;
  tl_traps_close (&c->traps);
  TL_DEL (c->mem, c->activity, c->variable_room);
  TL_DEL (c->mem, c->value, c->value_room);
  TL_DEL (c->mem, c->last, c->last_room);
  TL_DEL (c->mem, c->term_head, c->term_head_room);
  TL_DEL (c->mem, c->when_head, c->when_head_room);
  TL_DEL (c->mem, c->watch_head, c->watch_head_room);
  TL_DEL (c->mem, c->rule, c->rule_room);
  TL_DEL (c->mem, c->term, c->term_room);
  TL_DEL (c->mem, c->clause, c->clause_room);
  TL_DEL (c->mem, c->literal, c->literal_room);
  TL_DEL (c->mem, c->rise, c->rise_room);
  TL_DEL (c->mem, c->queue, c->queue_room);
  TL_DEL (c->mem, c->level, c->level_room);
  TL_DEL (c->mem, c->lesson, c->lesson_room);
  TL_DEL (c->mem, c->cut, c->cut_room);
  TL_DEL (c->mem, c->cut_term, c->cut_term_room);
  TL_DEL (c->mem, c->given_bound, c->given_bound_room);
  TL_DEL (c->mem, c->bound_term, c->bound_term_room);
  TL_DEL (c->mem, c->left, c->structure->net->places);
  TL_DEL (c->mem, c->draft, c->draft_room);
  TL_DEL (c->mem, c, 1);
}

// A place that is never changed, and semiflows, which all bounds come from.
void tl_cases_prove (tl_cases *c, tl_case_proof *proof) {
  const tl_structure *s = c->structure;
  const tl_semiflows *f = &s->semiflows;
  c->proof = proof;
  for (uint32_t p = 0; p < s->net->places; p++) {
    const tl_entry one = {p, 1};
    if (s->source[p] == TL_BOUND_CONSTANT)
      tl_case_proof_fact (proof, (tl_vector){&one, 1}, -1);
  }
  for (size_t i = 0; i < f->count; i++) {
    tl_case_proof_fact (proof, tl_semiflows_terms (f, i), -1);
    if (f->semiflow[i].kind == TL_SEMIFLOW_EXACT)
      tl_case_proof_fact (proof, tl_semiflows_terms (f, i), 1);
  }
}

// ---- Conditions ------------------------------------------------------------

// What is proven without a condition is not what was asked.
static bool note_condition (const tl_cases *c, bool added) {
  if (!added && c->proof)
    c->proof->has_gaps = true;
  return added;
}

bool tl_cases_choice (tl_cases *c, tl_literal *is_one) {
  *is_one = tl_at_least (c->variables, 1);
  return note_condition (c, add_variable (c, 0, 1));
}

static void link_term (tl_cases *c, tl_entry e) {
  const uint32_t bound = 2 * e.index + (e.factor < 0);
  c->term[c->terms] =
      (tl_case_term){.bound = bound,
                     .rule = (uint32_t)c->rules,
                     .next = c->term_head[bound],
                     .factor = e.factor < 0 ? -e.factor : e.factor};
  c->term_head[bound] = (uint32_t)++c->terms;
}

static bool is_large (int64_t x) {
  return x >= TL_CASES_LARGE || x <= -TL_CASES_LARGE;
}

bool tl_cases_add (tl_cases *c, tl_vector sum, int64_t most,
                   const tl_literal *when) {
  if (is_large (most) || c->terms + sum.count >= TL_CASES_NONE ||
      !TL_ROOM (c->mem, c->rule, &c->rule_room, c->rules + 1) ||
      !TL_ROOM (c->mem, c->term, &c->term_room, c->terms + sum.count))
    return false;
  for (uint32_t i = 0; i < sum.count; i++)
    if (is_large (sum.term[i].factor))
      return false;
  tl_rule *r = c->rule + c->rules;
  *r = (tl_rule){.start = (uint32_t)c->terms,
                 .count = sum.count,
                 .most = most,
                 .when = when ? *when : (tl_literal){TL_CASES_NONE, 0}};
  for (uint32_t i = 0; i < sum.count; i++)
    link_term (c, sum.term[i]);
  if (when) {
    r->next_when = c->when_head[when->bound];
    c->when_head[when->bound] = (uint32_t)c->rules + 1;
  }
  tl_cases_wake (c, (uint32_t)c->rules++);
  return true;
}

bool tl_cases_rule (tl_cases *c, tl_vector sum, int64_t most,
                    const tl_literal *when) {
  return note_condition (c, tl_cases_add (c, sum, most, when));
}

// Without what is false already; only before there are decisions.
static bool add_clause (tl_cases *c, const tl_literal *l, size_t count) {
  c->lesson_count = 0;
  if (!TL_ROOM (c->mem, c->lesson, &c->lesson_room, count))
    return false;
  for (size_t i = 0; i < count; i++) {
    if (is_large (l[i].least))
      return false;
    if (tl_literal_true (c, l[i]))
      return true;
    if (!tl_literal_false (c, l[i]))
      c->lesson[c->lesson_count++] = l[i];
  }
  if (!c->lesson_count)
    c->absurd = true;
  else if (c->lesson_count == 1)
    tl_cases_raise (c, *c->lesson, decided);
  else
    return tl_cases_keep (c, c->lesson, c->lesson_count);
  return true;
}

bool tl_cases_clause (tl_cases *c, const tl_literal *l, size_t count) {
  return note_condition (c, add_clause (c, l, count));
}

bool tl_cases_disabled (tl_cases *c, uint32_t t, const tl_literal *when) {
  const tl_net *net = c->structure->net;
  const tl_arcs pre = tl_net_pre (net, t),
                inhibitors = tl_net_inhibitors (net, t);
  size_t n = 0;
  if (!TL_ROOM (c->mem, c->draft, &c->draft_room,
                (size_t)pre.count + inhibitors.count + 1))
    return note_condition (c, false);
  if (when)
    c->draft[n++] = tl_literal_not (*when);
  for (uint32_t i = 0; i < pre.count; i++)
    c->draft[n++] =
        tl_at_most (pre.arc[i].place, (int64_t)pre.arc[i].weight - 1);
  for (uint32_t i = 0; i < inhibitors.count; i++)
    c->draft[n++] =
        tl_at_least (inhibitors.arc[i].place, inhibitors.arc[i].weight);
  return tl_cases_clause (c, c->draft, n);
}

static void drop_rule (tl_cases *c) {
  const tl_rule *r = c->rule + --c->rules;
  while (c->terms > r->start) {
    const tl_case_term *t = c->term + --c->terms;
    c->term_head[t->bound] = t->next;
  }
  if (r->when.bound != TL_CASES_NONE)
    c->when_head[r->when.bound] = r->next_when;
}

// What was found on the way holds for all that is asked later.
static void keep_cuts (tl_cases *c) {
  for (size_t i = 0; i < c->cuts; i++)
    (void)tl_cases_add (
        c, (tl_vector){c->cut_term + c->cut[i].start, c->cut[i].count},
        c->cut[i].most, 0);
  c->cuts = c->cut_terms = 0;
  c->base_rules = c->rules;
  c->base_terms = c->terms;
}

void tl_cases_forget (tl_cases *c) {
  tl_cases_back (c, 0);
  while (c->rises > c->base_rises) {
    const tl_rise *r = c->rise + --c->rises;
    c->value[r->bound] = r->before;
    c->last[r->bound] = r->earlier;
  }
  c->looked = c->rises;
  while (c->queued)
    c->rule[c->queue[--c->queued]].queued = false;
  while (c->rules > c->base_rules)
    drop_rule (c);
  c->clauses = c->literals = 0;
  c->variables = c->structure->net->places;
  for (uint32_t v = 0; v < c->variables; v++) {
    c->watch_head[2 * v] = c->watch_head[2 * v + 1] = 0;
    c->activity[v] = 0;
  }
  c->bump = 1;
  c->absurd = c->failed = false;
  keep_cuts (c);
}

// ---- Cuts ------------------------------------------------------------------

bool tl_cases_cut (tl_cases *c, tl_vector sum, int64_t most) {
  if (!TL_ROOM (c->mem, c->cut, &c->cut_room, c->cuts + 1) ||
      !TL_ROOM (c->mem, c->cut_term, &c->cut_term_room,
                c->cut_terms + sum.count) ||
      !tl_cases_add (c, sum, most, 0))
    return false;
  c->cut[c->cuts++] = (struct tl_case_cut){
      .start = (uint32_t)c->cut_terms, .count = sum.count, .most = most};
  for (uint32_t i = 0; i < sum.count; i++)
    c->cut_term[c->cut_terms++] = sum.term[i];
  return true;
}

// A trap that has lost its tokens in this case.
static bool cut_by_trap (tl_cases *c) {
  const uint32_t places = c->structure->net->places;
  for (uint32_t p = 0; p < places; p++)
    c->traps.member[p] = c->value[2 * p + 1] == 0;
  const uint64_t before = c->traps.work;
  const uint32_t count = tl_traps_find (&c->traps, TRAP_TRIES);
  c->work += c->traps.work - before + places;
  tl_entry *minus;
  if (!count || !TL_NEW (c->mem, minus, count))
    return false;
  for (uint32_t i = 0; i < count; i++)
    minus[i] = (tl_entry){c->traps.place[i], -1};
  if (c->proof)
    tl_case_proof_trap (c->proof, c->traps.place, count);
  const bool ok = tl_cases_cut (c, (tl_vector){minus, count}, -1);
  TL_DEL (c->mem, minus, count);
  return ok;
}

size_t tl_cases_bounds (tl_cases *c) {
  const uint32_t places = c->structure->net->places;
  size_t n = 0;
  if (!TL_ROOM (c->mem, c->given_bound, &c->given_bound_room,
                2 * (size_t)places) ||
      !TL_ROOM (c->mem, c->bound_term, &c->bound_term_room, 2 * (size_t)places))
    return 0;
  for (uint32_t b = 0; b < 2 * places; b++) {
    if (c->last[b] == TL_CASES_NONE || c->last[b] < c->base_rises)
      continue;
    c->bound_term[n] = (tl_entry){b / 2, b % 2 ? 1 : -1};
    c->given_bound[n] = (tl_inequality){{c->bound_term + n, 1}, -c->value[b]};
    n++;
  }
  return n;
}

static bool cut_by_equation (tl_cases *c) {
  const size_t count = c->equation ? tl_cases_bounds (c) : 0;
  const double left = c->deadline - tl_clock_busy ();
  tl_vector sum;
  int64_t least;
  if (!count || !tl_equation_refutes (c->equation, c->given_bound, count,
                                      left * PROGRAM_PART, &sum, &least))
    return false;
  tl_entry *minus;
  if (!TL_NEW (c->mem, minus, sum.count))
    return false;
  for (uint32_t i = 0; i < sum.count; i++)
    minus[i] = (tl_entry){sum.term[i].index, -sum.term[i].factor};
  if (c->proof)
    tl_case_proof_fact (c->proof, sum, 1);
  const bool ok = tl_cases_cut (c, (tl_vector){minus, sum.count}, -least);
  TL_DEL (c->mem, minus, sum.count);
  return ok;
}

// ---- Cases -----------------------------------------------------------------

// A literal of a condition that does not hold yet, of a variable that took part
// in contradictions.
static bool choose_literal (const tl_cases *c, tl_literal *best) {
  double most = -1;
  for (size_t i = 0; i < c->given; i++) {
    const tl_clause *k = c->clause + i;
    const tl_literal *l = c->literal + k->start;
    uint32_t n = 0;
    while (n < k->count && !tl_literal_true (c, l[n]))
      n++;
    if (n < k->count)
      continue;
    for (n = 0; n < k->count; n++)
      if (!tl_literal_false (c, l[n]) && c->activity[l[n].bound / 2] > most) {
        most = c->activity[l[n].bound / 2];
        *best = l[n];
      }
  }
  return most >= 0;
}

// A place whose tokens are not known: no more than in the middle.
static bool choose_place (const tl_cases *c, tl_literal *best) {
  double most = -1;
  for (uint32_t p = 0; p < c->structure->net->places; p++) {
    const int64_t low = c->value[2 * p], high = -c->value[2 * p + 1];
    if (high <= low || c->activity[p] <= most)
      continue;
    most = c->activity[p];
    *best = tl_at_most (
        p, c->value[2 * p + 1] == TL_CASES_OPEN ? low : low + (high - low) / 2);
  }
  return most >= 0;
}

static void decide (tl_cases *c, tl_literal l) {
  if (!TL_ROOM (c->mem, c->level, &c->level_room, c->levels + 1)) {
    c->failed = true;
    return;
  }
  c->level[c->levels++] = c->rises;
  tl_cases_raise (c, l, decided);
}

static void note_left (tl_cases *c) {
  for (uint32_t p = 0; p < c->structure->net->places; p++)
    c->left[p] = c->value[2 * p];
  c->has_left = true;
}

const int64_t *tl_cases_left (const tl_cases *c) {
  return c->has_left ? c->left : 0;
}

// Goes into the next case.  False: there is nothing to be distinguished any
// more, and no contradiction.
static bool enter (tl_cases *c, bool *complete) {
  tl_literal l;
  c->work += c->variables + c->literals / (c->clauses / (c->given + 1) + 1);
  const bool open = choose_literal (c, &l);
  const bool was_complete = *complete;
  *complete = !open;
  if (!open && !was_complete && (cut_by_trap (c) || cut_by_equation (c)))
    return true;
  if (!open && !choose_place (c, &l))
    return !was_complete || cut_by_trap (c) || cut_by_equation (c);
  decide (c, l);
  return true;
}

static bool is_over (const tl_cases *c) {
  return c->failed || c->work >= c->work_end ||
         tl_clock_busy () >= c->deadline || tl_budget_look (c->mem);
}

static bool search (tl_cases *c) {
  double restart = FIRST_RESTART;
  uint64_t met = 0;
  bool complete = false;
  while (!is_over (c)) {
    tl_because why;
    if (!tl_cases_propagate (c, &why)) {
      if (!tl_cases_learn (c, why))
        return true;
      complete = false;
      if ((double)++met > restart) {
        tl_cases_back (c, 0);
        met = 0;
        restart *= MORE_RESTART;
      }
    } else if (!is_over (c) && !enter (c, &complete)) {
      note_left (c);
      return false;
    }
  }
  return false;
}

bool tl_cases_excluded (tl_cases *c, double seconds) {
  seconds = tl_budget_left (c->mem, seconds);
  c->deadline = tl_clock_busy () + seconds;
  c->work = 0;
  c->work_end = (uint64_t)(seconds * WORK_PER_SECOND);
  c->given = c->clauses;
  c->has_left = false;
  const bool excluded =
      !c->failed &&
      (c->absurd || (c->proof && tl_cases_sum_up (c)) || search (c));
  tl_cases_forget (c);
  return excluded;
}
