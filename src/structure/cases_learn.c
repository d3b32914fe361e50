// What a contradiction teaches: a clause that follows from the conditions, and
// that would have kept the case from getting there.  It has one literal of the
// last decision that matters, the first that all reasons lead through.

#include "structure/cases_parts.h"

#define DECAY 0.95
#define TOO_ACTIVE 1e100

// The rise that made a literal true, before the one of number `before`;
// TL_CASES_NONE: it was so from the beginning.
static uint32_t rise_of (const tl_cases *c, tl_literal l, uint32_t before) {
  uint32_t i = c->last[l.bound];
  while (i != TL_CASES_NONE && (i >= before || c->rise[i].before >= l.least))
    i = c->rise[i].earlier;
  return i;
}

static int64_t value_before (const tl_cases *c, uint32_t bound,
                             uint32_t before) {
  uint32_t i = c->last[bound];
  int64_t value = c->value[bound];
  while (i != TL_CASES_NONE && i >= before) {
    value = c->rise[i].before;
    i = c->rise[i].earlier;
  }
  return value;
}

typedef void visit_literal (tl_cases *, void *context, tl_literal,
                            uint32_t before);

// The literals that led to a rise, or with TL_CASES_NONE for its bound, to a
// contradiction; they were true before the rise of number `before`.
static void explain (tl_cases *c, tl_because why, uint32_t bound, int64_t value,
                     uint32_t before, visit_literal *visit, void *context) {
  if (why.clause) {
    const tl_clause *k = c->clause + why.number;
    for (uint32_t i = 0; i < k->count; i++) {
      const tl_literal l = c->literal[k->start + i];
      if (l.bound != bound || l.least != value)
        visit (c, context, tl_literal_not (l), before);
    }
    c->work += k->count;
    return;
  }
  const tl_rule *r = c->rule + why.number;
  if (r->when.bound != TL_CASES_NONE && bound != (r->when.bound ^ 1))
    visit (c, context, r->when, before);
  for (uint32_t i = 0; i < r->count; i++) {
    const uint32_t of = c->term[r->start + i].bound;
    if (of != (bound ^ 1))
      visit (c, context, (tl_literal){of, value_before (c, of, before)},
             before);
  }
  c->work += 2 * r->count;
}

// ---- The last decision that matters ----------------------------------------

static void find_level (tl_cases *c, void *context, tl_literal l,
                        uint32_t before) {
  uint32_t *level = context;
  const uint32_t i = rise_of (c, l, before);
  if (i != TL_CASES_NONE && c->rise[i].level > *level)
    *level = c->rise[i].level;
}

// ---- Learning --------------------------------------------------------------

static void make_active (tl_cases *c, uint32_t variable) {
  c->activity[variable] += c->bump;
  if (c->activity[variable] < TOO_ACTIVE)
    return;
  for (uint32_t v = 0; v < c->variables; v++)
    c->activity[v] /= TOO_ACTIVE;
  c->bump /= TOO_ACTIVE;
}

static void add_to_lesson (tl_cases *c, tl_literal l) {
  if (TL_ROOM (c->mem, c->lesson, &c->lesson_room, c->lesson_count + 1))
    c->lesson[c->lesson_count++] = l;
  else
    c->failed = true;
}

// Counts those of the last level, to be explained.
static void want (tl_cases *c, void *context, tl_literal l, uint32_t before) {
  uint32_t *open = context;
  const uint32_t i = rise_of (c, l, before);
  if (i == TL_CASES_NONE || !c->rise[i].level)
    return;
  tl_rise *r = c->rise + i;
  if (r->wanted) {
    r->needed = l.least > r->needed ? l.least : r->needed;
    return;
  }
  r->wanted = true;
  r->needed = l.least;
  make_active (c, l.bound / 2);
  *open += r->level == c->levels;
}

// Fills the lesson, the literal of the last level first.
static void study (tl_cases *c, tl_because why) {
  uint32_t open = 0, i = (uint32_t)c->rises;
  c->lesson_count = 0;
  explain (c, why, TL_CASES_NONE, 0, i, want, &open);
  for (;;) {
    do
      i--;
    while (!c->rise[i].wanted);
    tl_rise *r = c->rise + i;
    r->wanted = false;
    add_to_lesson (c, tl_literal_not ((tl_literal){r->bound, r->needed}));
    if (--open == 0)
      break;
    c->lesson_count = 0;
    const tl_rise of = *r;
    explain (c, of.because, of.bound, of.value, i, want, &open);
  }
  while (i-- > 0)
    if (c->rise[i].wanted) {
      c->rise[i].wanted = false;
      add_to_lesson (c, tl_literal_not (
                            (tl_literal){c->rise[i].bound, c->rise[i].needed}));
    }
  c->work += c->rises;
  c->bump /= DECAY;
}

// The level of the lesson's second literal, which is made the highest of the
// others.
static uint32_t level_before (tl_cases *c) {
  uint32_t highest = 0;
  for (size_t i = 1; i < c->lesson_count; i++) {
    const tl_literal l = c->lesson[i];
    const uint32_t at = rise_of (c, tl_literal_not (l), (uint32_t)c->rises);
    if (c->rise[at].level <= highest)
      continue;
    highest = c->rise[at].level;
    c->lesson[i] = c->lesson[1];
    c->lesson[1] = l;
  }
  return highest;
}

bool tl_cases_learn (tl_cases *c, tl_because why) {
  uint32_t level = 0;
  explain (c, why, TL_CASES_NONE, 0, (uint32_t)c->rises, find_level, &level);
  tl_cases_back (c, level);
  if (!level)
    return false;
  study (c, why);
  if (c->failed)
    return true;
  if (c->proof)
    tl_case_proof_clause (c->proof, c->lesson, c->lesson_count);
  const uint32_t to = level_before (c);
  tl_cases_back (c, to);
  if (c->lesson_count == 1) {
    tl_cases_raise (c, c->lesson[0], (tl_because){.number = TL_CASES_NONE});
    return true;
  }
  if (!tl_cases_keep (c, c->lesson, c->lesson_count)) {
    c->failed = true;
    return true;
  }
  tl_cases_raise (c, c->lesson[0],
                  (tl_because){(uint32_t)c->clauses - 1, true});
  return true;
}
