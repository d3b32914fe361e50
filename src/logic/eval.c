#include "logic/eval.h"

#include "net/marking.h"

#include <assert.h>
#include <stdlib.h>

enum {
  ONE,        // a place <= bound
  DIFFERENCE, // a place - another <= bound
  SUM,        // of the places in the pool <= bound
  LINEAR,     // of (place, coefficient) in the pool <= bound
  ANY_OF_64,  // transitions of one word
  ANY,        // of (word, bits) in the pool
  DEAD        // no transition at all
};

// Results, as targets of tests.
#define HOLDS UINT32_MAX
#define FAILS (UINT32_MAX - 1)

// ---- Running ---------------------------------------------------------------

static inline bool sum_holds (const tl_test *t, const uint64_t *pool,
                              const uint64_t *marking) {
  __int128 sum = 0;
  for (const uint64_t *p = pool + t->first, *end = p + t->count; p < end; p++)
    sum += marking[*p];
  return sum <= t->bound;
}

static inline bool linear_holds (const tl_test *t, const uint64_t *pool,
                                 const uint64_t *marking) {
  __int128 sum = 0;
  const uint64_t *p = pool + t->first;
  for (const uint64_t *end = p + 2 * (size_t)t->count; p < end; p += 2)
    sum += (__int128)(int64_t)p[1] * (int64_t)marking[p[0]];
  return sum <= t->bound;
}

static inline bool any_holds (const tl_test *t, const uint64_t *pool,
                              const uint64_t *enabled) {
  const uint64_t *p = pool + t->first;
  for (const uint64_t *end = p + 2 * (size_t)t->count; p < end; p += 2)
    if (enabled[p[0]] & p[1])
      return true;
  return false;
}

static inline bool is_dead (const uint64_t *enabled, uint32_t words) {
  for (uint32_t i = 0; i < words; i++)
    if (enabled[i])
      return false;
  return true;
}

bool tl_predicate_run (const tl_predicate *p, const uint64_t *marking,
                       const uint64_t *enabled) {
  uint32_t at = p->begin;
  while (at < FAILS) {
    const tl_test *t = p->test + at;
    bool holds = false;
    switch (t->kind) {
    case ONE: holds = (int64_t)marking[t->first] <= t->bound; break;
    case DIFFERENCE:
      holds =
          (int64_t)marking[t->first] - (int64_t)marking[t->count] <= t->bound;
      break;
    case SUM: holds = sum_holds (t, p->pool, marking); break;
    case LINEAR: holds = linear_holds (t, p->pool, marking); break;
    case ANY_OF_64: holds = enabled[t->first] & (uint64_t)t->bound; break;
    case ANY: holds = any_holds (t, p->pool, enabled); break;
    case DEAD: holds = is_dead (enabled, p->words); break;
    }
    at = holds ? t->yes : t->no;
  }
  return at == HOLDS;
}

// ---- Compiling -------------------------------------------------------------

static size_t count_tests (const tl_formula *f) {
  size_t count =
      f->op == TL_COMPARE || f->op == TL_FIREABLE || f->op == TL_DEADLOCK;
  for (uint32_t i = 0; i < tl_formula_operands (f); i++)
    count += count_tests (f->operand[i]);
  return count;
}

// Makes room for two more words in the pool.
static bool make_room (tl_predicate *p) {
  return p->pooled + 2 < UINT32_MAX &&
         TL_ROOM (p->mem, p->pool, &p->pool_room, p->pooled + 2);
}

static bool read_places (tl_predicate *p, const tl_formula *f) {
  for (uint32_t i = 0; i < f->count; i++) {
    if (!TL_ROOM (p->mem, p->place, &p->place_room, p->places + 1))
      return false;
    p->place[p->places++] = f->term[i].place;
  }
  return true;
}

static bool pool_terms (tl_predicate *p, const tl_formula *f,
                        bool coefficients) {
  for (uint32_t i = 0; i < f->count; i++) {
    if (!make_room (p))
      return false;
    p->pool[p->pooled++] = f->term[i].place;
    if (coefficients)
      p->pool[p->pooled++] = (uint64_t)f->term[i].coefficient;
  }
  return true;
}

static bool all_are (const tl_formula *f, int64_t coefficient) {
  for (uint32_t i = 0; i < f->count; i++)
    if (f->term[i].coefficient != coefficient)
      return false;
  return true;
}

static void negate_test (tl_test *t) {
  const uint32_t yes = t->yes;
  t->yes = t->no;
  t->no = yes;
}

static bool compile_comparison (tl_predicate *p, const tl_formula *f,
                                tl_test *t) {
  const tl_summand *term = f->term;
  t->bound = f->bound;
  t->first = (uint32_t)p->pooled;
  t->count = f->count;
  if (!read_places (p, f))
    return false;
  if (f->count == 2 && term[0].coefficient + term[1].coefficient == 0 &&
      (term[0].coefficient == 1 || term[1].coefficient == 1)) {
    const bool swap = term[1].coefficient == 1;
    t->kind = DIFFERENCE;
    t->first = term[swap].place;
    t->count = term[!swap].place;
    return true;
  }
  const bool minus = all_are (f, -1);
  if (!minus && !all_are (f, 1)) {
    t->kind = LINEAR;
    return pool_terms (p, f, true);
  }
  if (minus) { // -s <= b  is  not s <= -b - 1
    t->bound = ~f->bound;
    negate_test (t);
  }
  t->kind = f->count == 1 ? ONE : SUM;
  if (t->kind == ONE)
    t->first = term[0].place;
  return t->kind == ONE || pool_terms (p, f, false);
}

static bool compile_fireable (tl_predicate *p, const tl_formula *f,
                              tl_test *t) {
  t->kind = ANY;
  t->first = (uint32_t)p->pooled;
  t->count = 0;
  for (uint32_t i = 0; i < f->count; i++) {
    const uint32_t word = f->transition[i] / 64;
    if (!t->count || p->pool[p->pooled - 2] != word) {
      if (!make_room (p))
        return false;
      p->pool[p->pooled++] = word;
      p->pool[p->pooled++] = 0;
      t->count++;
    }
    p->pool[p->pooled - 1] |= (uint64_t)1 << f->transition[i] % 64;
  }
  if (t->count == 1) {
    t->kind = ANY_OF_64;
    t->bound = (int64_t)p->pool[--p->pooled];
    t->first = (uint32_t)p->pool[--p->pooled];
  }
  p->reads_enabled = true;
  return true;
}

// Compiles `f` in front of the tests there are, to go to `yes` or `no`; *at is
// where it begins.  False when there is no memory.
static bool compile (tl_predicate *p, const tl_formula *f, uint32_t yes,
                     uint32_t no, uint32_t *at) {
  if (f->op == TL_TRUE || f->op == TL_FALSE) {
    *at = f->op == TL_TRUE ? yes : no;
    return true;
  }
  if (f->op == TL_NOT)
    return compile (p, f->operand[0], no, yes, at);
  if (f->op == TL_AND || f->op == TL_OR) {
    // The last operand leads to the end, the others to their successors.
    *at = f->op == TL_AND ? yes : no;
    for (uint32_t i = f->count; i--;)
      if (!compile (p, f->operand[i], f->op == TL_AND ? *at : yes,
                    f->op == TL_AND ? no : *at, at))
        return false;
    return true;
  }
  assert (f->op < TL_NOT && "a formula with temporal operators");
  *at = --p->begin;
  tl_test *t = p->test + *at;
  t->yes = yes;
  t->no = no;
  if (f->op == TL_COMPARE)
    return compile_comparison (p, f, t);
  if (f->op == TL_FIREABLE)
    return compile_fireable (p, f, t);
  t->kind = DEAD;
  p->reads_enabled = true;
  return true;
}

static int by_number (const void *left, const void *right) {
  const uint32_t *l = left, *r = right;
  return (*l > *r) - (*l < *r);
}

static void sort_places (tl_predicate *p) {
  if (!p->places)
    return;
  qsort (p->place, p->places, sizeof *p->place, by_number);
  size_t n = 1;
  for (size_t i = 1; i < p->places; i++)
    if (p->place[i] != p->place[n - 1])
      p->place[n++] = p->place[i];
  p->places = n;
}

tl_status tl_predicate_open (tl_predicate *p, tl_mem *mem, const tl_net *net,
                             const tl_formula *f) {
  *p = (tl_predicate){.mem = mem, .words = (net->transitions + 63) / 64};
  const size_t tests = count_tests (f);
  if (tests >= FAILS || !TL_NEW (mem, p->test, tests))
    return TL_E_NOMEM;
  p->tests = p->begin = (uint32_t)tests;
  uint32_t begin;
  if (!compile (p, f, HOLDS, FAILS, &begin))
    return TL_E_NOMEM;
  p->begin = begin;
  sort_places (p);
  return TL_OK;
}

void tl_predicate_close (tl_predicate *p) {
  TL_DEL (p->mem, p->test, p->tests);
  TL_DEL (p->mem, p->pool, p->pool_room);
  TL_DEL (p->mem, p->place, p->place_room);
  *p = (tl_predicate){.mem = p->mem};
}

// ---- By definition ---------------------------------------------------------

static bool comparison_holds (const tl_formula *f, const uint64_t *marking) {
  __int128 sum = 0;
  for (uint32_t i = 0; i < f->count; i++)
    sum +=
        (__int128)f->term[i].coefficient * (int64_t)marking[f->term[i].place];
  return sum <= f->bound;
}

bool tl_formula_holds (const tl_formula *f, const tl_net *net,
                       const uint64_t *marking) {
  switch (f->op) {
  case TL_TRUE: return true;
  case TL_FALSE: return false;
  case TL_COMPARE: return comparison_holds (f, marking);
  case TL_NOT: return !tl_formula_holds (f->operand[0], net, marking);
  case TL_FIREABLE:
    for (uint32_t i = 0; i < f->count; i++)
      if (tl_marking_enables (net, marking, f->transition[i]))
        return true;
    return false;
  case TL_DEADLOCK:
    for (uint32_t t = 0; t < net->transitions; t++)
      if (tl_marking_enables (net, marking, t))
        return false;
    return true;
  case TL_AND:
  case TL_OR:
    for (uint32_t i = 0; i < f->count; i++)
      if (tl_formula_holds (f->operand[i], net, marking) == (f->op == TL_OR))
        return f->op == TL_OR;
    return f->op == TL_AND;
  default:
    assert (f->op < TL_EXISTS && "a formula with temporal operators");
    return false;
  }
}
