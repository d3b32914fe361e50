#include "check/device_test.h"

#include "base/bits.h"
#include "check/home.h"
#include "net/origin.h"

#include <inttypes.h>

// Where the numbers of each kind begin.
typedef struct limits {
  size_t bound, safe, dead, place, fired, all;
} limits;

static limits limits_of (const tl_goals *g) {
  limits l = {.bound = g->goals};
  l.safe = l.bound + g->count;
  l.dead = l.safe + 1;
  l.place = l.dead + 1;
  l.fired = l.place + tl_shown_places (g->net);
  l.all = l.fired + g->net->transitions / 64 + 1;
  return l;
}

size_t tl_device_test_limits (const tl_goals *g) {
  return limits_of (g).all;
}

// ---- May it be written? ----------------------------------------------------

// Places have at most 2^40 tokens, and there are fewer than 2^32.
static bool is_small (const tl_summand *term, uint32_t count) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    const int64_t c = term[i].coefficient;
    if (c > 1 << 20 || c < -(1 << 20))
      return false;
    sum += (uint64_t)(c < 0 ? -c : c);
  }
  return sum < 1 << 22;
}

static bool is_exact (const tl_formula *f) {
  if (f->op == TL_COMPARE)
    return is_small (f->term, f->count);
  for (uint32_t i = 0; i < tl_formula_operands (f); i++)
    if (!is_exact (f->operand[i]))
      return false;
  return true;
}

bool tl_device_test_is_exact (const tl_goals *g) {
  for (size_t i = 0; i < g->goals; i++)
    if (!g->goal[i].home && !is_exact (g->goal[i].formula))
      return false;
  for (size_t i = 0; i < g->count; i++) {
    const tl_question *q = g->asked[i].question;
    if (q->kind == TL_ASK_BOUND && !is_small (q->term, q->term_count))
      return false;
  }
  return true;
}

// ---- The text --------------------------------------------------------------

static void write_sum (FILE *f, const tl_summand *term, uint32_t count) {
  fputs ("(0", f);
  for (uint32_t i = 0; i < count; i++)
    fprintf (f, " + %" PRId64 "ll * (long long)TOKENS_%" PRIu32,
             term[i].coefficient, term[i].place);
  fputs (")", f);
}

static void write_formula (FILE *f, const tl_formula *formula) {
  switch (formula->op) {
  case TL_TRUE: fputs ("1", f); return;
  case TL_DEADLOCK: fputs ("dead", f); return;
  case TL_NOT:
    fputs ("!(", f);
    write_formula (f, formula->operand[0]);
    fputs (")", f);
    return;
  case TL_COMPARE:
    write_sum (f, formula->term, formula->count);
    fprintf (f, " <= %" PRId64 "ll", formula->bound);
    return;
  case TL_FIREABLE:
    fputs ("(0", f);
    for (uint32_t i = 0; i < formula->count; i++)
      fprintf (f, " | FIREABLE_%" PRIu32, formula->transition[i]);
    fputs (")", f);
    return;
  case TL_AND:
  case TL_OR:
    fputs ("(", f);
    for (uint32_t i = 0; i < formula->count; i++) {
      fputs (!i ? "(" : formula->op == TL_AND ? " && (" : " || (", f);
      write_formula (f, formula->operand[i]);
      fputs (")", f);
    }
    fputs (")", f);
    return;
  default: fputs ("0", f); return;
  }
}

static void write_place (FILE *f, tl_node_range places) {
  fputs ("(0ull", f);
  for (uint32_t i = 0; i < places.count; i++)
    fprintf (f, " + TOKENS_%" PRIu32, places.first + i);
  fputs (")", f);
}

static void write_places (const tl_goals *g, FILE *f) {
  const limits l = limits_of (g);
  for (uint32_t p = 0; p < tl_shown_places (g->net); p++) {
    const tl_node_range places = tl_shown_place (g->net, p);
    uint64_t initial = 0;
    for (uint32_t i = 0; i < places.count; i++)
      initial += g->net->initial[places.first + i];
    if (g->asks_safe) {
      fprintf (f, "\n    || (LIMIT (%zu) && ", l.safe);
      write_place (f, places);
      fputs (" > 1)", f);
    }
    if (g->asks_stable) {
      fprintf (f, "\n    || (LIMIT (%zu) && ", l.place + p);
      write_place (f, places);
      fprintf (f, " != %" PRIu64 "ull)", initial);
    }
  }
}

void tl_device_test_write (void *goals, FILE *f) {
  const tl_goals *g = goals;
  const limits l = limits_of (g);
  fprintf (f, "(dead && LIMIT (%zu))", l.dead);
  for (size_t i = 0; i < g->goals; i++)
    if (!g->goal[i].home && g->goal[i].verdict == TL_VERDICT_UNKNOWN) {
      fprintf (f, "\n    || (LIMIT (%zu) && (", i);
      write_formula (f, g->goal[i].formula);
      fputs ("))", f);
    }
  for (size_t i = 0; g->asks_bounds && i < g->count; i++) {
    const tl_question *q = g->asked[i].question;
    if (q->kind != TL_ASK_BOUND)
      continue;
    fputs ("\n    || (", f);
    write_sum (f, q->term, q->term_count);
    fprintf (f, " > (long long)LIMIT (%zu))", l.bound + i);
  }
  write_places (g, f);
  for (uint32_t q = 0; g->asks_fired && q < (g->net->transitions + 63) / 64;
       q++)
    fprintf (f, "\n    || (m%" PRIu32 " & ~LIMIT (%zu))", q, l.fired + q);
}

// ---- The numbers -----------------------------------------------------------

void tl_device_test_set (void *goals, uint64_t *limit) {
  const tl_goals *g = goals;
  const limits l = limits_of (g);
  for (size_t i = 0; i < g->goals; i++)
    limit[i] = g->goal[i].verdict == TL_VERDICT_UNKNOWN;
  for (size_t i = 0; i < g->count; i++)
    limit[l.bound + i] = tl_goals_is_decided (g->asked + i)
                             ? INT64_MAX
                             : (uint64_t)g->asked[i].answer->value;
  limit[l.safe] = g->asks_safe && g->unsafe;
  limit[l.dead] = tl_home_is_open (g);
  for (uint32_t p = 0; p < tl_shown_places (g->net); p++)
    limit[l.place + p] = g->asks_stable && !g->changed[p];
  for (uint32_t q = 0; q <= g->net->transitions / 64; q++)
    limit[l.fired + q] = 0;
  for (uint32_t t = 0; t < g->net->transitions; t++)
    if (!g->asks_fired || g->fired[t])
      limit[l.fired + t / 64] |= (uint64_t)1 << t % 64;
}
