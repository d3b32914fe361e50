#include "check/watch.h"

#include "net/origin.h"

#include <stdlib.h>
#include <string.h>

// ---- Words -----------------------------------------------------------------

typedef struct writing {
  tl_mem *mem;
  uint64_t **words;
  size_t *count, *room;
  bool failed;
} writing;

static void add (writing *w, uint64_t word) {
  if (w->failed || !TL_ROOM (w->mem, *w->words, w->room, *w->count + 1))
    w->failed = true;
  else
    (*w->words)[(*w->count)++] = word;
}

static void add_terms (writing *w, const tl_summand *term, uint32_t count) {
  add (w, count);
  for (uint32_t i = 0; i < count; i++) {
    add (w, term[i].place);
    add (w, (uint64_t)term[i].coefficient);
  }
}

static void add_formula (writing *w, const tl_formula *f) {
  add (w, f->op);
  if (f->op == TL_COMPARE) {
    add (w, (uint64_t)f->bound);
    add_terms (w, f->term, f->count);
    return;
  }
  add (w, f->count);
  for (uint32_t i = 0; f->op == TL_FIREABLE && i < f->count; i++)
    add (w, f->transition[i]);
  for (uint32_t i = 0; i < tl_formula_operands (f); i++)
    add_formula (w, f->operand[i]);
}

static bool is_open (const tl_goal *goal) {
  return !goal->home && !goal->moot && goal->verdict == TL_VERDICT_UNKNOWN;
}

static bool is_open_bound (const tl_asked *a) {
  return a->question->kind == TL_ASK_BOUND && !tl_goals_is_decided (a);
}

static void add_goals (writing *w, const tl_goals *g) {
  uint64_t open = 0;
  for (size_t i = 0; i < g->goals; i++)
    open += is_open (g->goal + i);
  add (w, open);
  for (size_t i = 0; i < g->goals; i++)
    if (is_open (g->goal + i))
      add_formula (w, g->goal[i].formula);
}

static void add_bounds (writing *w, const tl_goals *g) {
  uint64_t open = 0;
  for (size_t i = 0; i < g->count; i++)
    open += is_open_bound (g->asked + i);
  add (w, open);
  for (size_t i = 0; i < g->count; i++)
    if (is_open_bound (g->asked + i)) {
      const tl_asked *a = g->asked + i;
      add (w, a->answer->value);
      add_terms (w, a->question->term, a->question->term_count);
    }
}

tl_status tl_goals_brief (void *goals, tl_mem *mem, uint64_t **words,
                          size_t *count, size_t *room) {
  const tl_goals *g = goals;
  writing w = {.mem = mem, .words = words, .count = count, .room = room};
  add_goals (&w, g);
  add_bounds (&w, g);
  add (&w, g->asks_safe && g->unsafe);
  add (&w, g->asks_stable);
  for (uint32_t p = 0; g->asks_stable && p < g->net->places; p++)
    add (&w, g->changed[p]);
  add (&w, g->asks_fired);
  for (uint32_t t = 0; g->asks_fired && t < g->net->transitions; t++)
    add (&w, g->fired[t]);
  return w.failed ? TL_E_NOMEM : TL_OK;
}

// ---- The watch -------------------------------------------------------------

typedef struct watch {
  tl_mem mem;
  tl_goals goals;
  tl_options options;
  tl_questions none;
  tl_question *question; // sums
  tl_answer *answer;
  size_t bounds;
} watch;

static uint64_t next (const uint64_t **at) {
  return *(*at)++;
}

static tl_summand *read_terms (tl_arena *arena, const uint64_t **at,
                               uint32_t *count) {
  tl_summand *term;
  *count = (uint32_t)next (at);
  if (!TL_ARENA_NEW (arena, term, *count + 1))
    return 0;
  for (uint32_t i = 0; i < *count; i++) {
    term[i].place = (uint32_t)next (at);
    term[i].coefficient = (int64_t)next (at);
  }
  return term;
}

static tl_formula *read_compare (tl_arena *arena, const uint64_t **at) {
  const int64_t bound = (int64_t)next (at);
  uint32_t count;
  bool overflow;
  const tl_summand *term = read_terms (arena, at, &count);
  return term ? tl_formula_compare (arena, term, count, bound, &overflow) : 0;
}

static tl_formula *read_fireable (tl_arena *arena, const uint64_t **at) {
  const uint32_t count = (uint32_t)next (at);
  uint32_t *list;
  if (!TL_ARENA_NEW (arena, list, count + 1))
    return 0;
  for (uint32_t i = 0; i < count; i++)
    list[i] = (uint32_t)next (at);
  return tl_formula_fireable (arena, list, count);
}

// As deep as the reader of formulas lets them be.
static tl_formula *read_formula (tl_arena *arena, const uint64_t **at) {
  const tl_op op = (tl_op)next (at);
  if (op == TL_COMPARE)
    return read_compare (arena, at);
  if (op == TL_FIREABLE)
    return read_fireable (arena, at);
  const uint32_t count = (uint32_t)next (at);
  if (op == TL_TRUE || op == TL_FALSE)
    return tl_formula_constant (arena, op == TL_TRUE);
  if (op == TL_DEADLOCK)
    return tl_formula_deadlock (arena);
  tl_formula **operand;
  if (!TL_ARENA_NEW (arena, operand, count + 1))
    return 0;
  for (uint32_t i = 0; i < count; i++)
    if (!(operand[i] = read_formula (arena, at)))
      return 0;
  return op == TL_NOT ? tl_formula_unary (arena, op, operand[0])
                      : tl_formula_nary (arena, op, operand, count);
}

static tl_status read_goals (tl_goals *g, const uint64_t **at) {
  tl_status rc = TL_OK;
  TL_DEL (g->mem, g->verdict, 0);
  for (uint64_t left = next (at); !rc && left; left--) {
    const tl_formula *f = read_formula (&g->arena, at);
    rc = f ? tl_goals_add (g, f) : TL_E_NOMEM;
  }
  return rc || !TL_NEW (g->mem, g->verdict, g->goals) ? TL_E_NOMEM : TL_OK;
}

static tl_status read_bounds (watch *w, const uint64_t **at) {
  tl_goals *g = &w->goals;
  w->bounds = (size_t)next (at);
  TL_DEL (g->mem, g->asked, 0);
  if (!TL_NEW (g->mem, g->asked, w->bounds) ||
      !TL_NEW (g->mem, w->question, w->bounds) ||
      !TL_NEW (g->mem, w->answer, w->bounds))
    return TL_E_NOMEM;
  g->count = w->bounds;
  g->asks_bounds = w->bounds;
  for (size_t i = 0; i < w->bounds; i++) {
    w->question[i].kind = TL_ASK_BOUND;
    w->answer[i].value = next (at);
    w->question[i].term =
        read_terms (&g->arena, at, &w->question[i].term_count);
    g->asked[i] = (tl_asked){.question = w->question + i,
                             .answer = w->answer + i,
                             .most = UINT64_MAX};
    if (!w->question[i].term)
      return TL_E_NOMEM;
  }
  return TL_OK;
}

static void read_nodes (tl_goals *g, const uint64_t **at) {
  const tl_net *net = g->net;
  g->asks_safe = next (at);
  g->asks_stable = next (at);
  for (uint32_t p = 0; g->asks_stable && p < net->places; p++) {
    g->changed[p] = (uint8_t)next (at);
    g->constant -= g->changed[p];
  }
  g->asks_fired = next (at);
  for (uint32_t t = 0; g->asks_fired && t < net->transitions; t++) {
    g->fired[t] = (uint8_t)next (at);
    g->unfired -= g->fired[t];
  }
}

// Is everything reached that was looked for?
static bool is_done (const tl_goals *g) {
  if (g->asks_bounds || g->asks_safe || g->asks_stable || g->asks_fired)
    return false;
  for (size_t i = 0; i < g->goals; i++)
    if (g->goal[i].verdict == TL_VERDICT_UNKNOWN)
      return false;
  return true;
}

static tl_visit_verdict visit (void *context, const tl_visit *v) {
  watch *w = context;
  const tl_visit_verdict verdict = tl_goals_visit (&w->goals, v);
  return verdict == TL_VISIT_FAILED ? verdict
         : is_done (&w->goals)      ? TL_VISIT_STOP
                                    : TL_VISIT_CONTINUE;
}

static bool skips (void *context, const tl_visit *v, uint64_t *room) {
  watch *w = context;
  return tl_goals_skips (&w->goals, v, room);
}

static void close_watch (tl_visitor *v) {
  watch *w = v->context;
  if (!w)
    return;
  tl_mem *mem = w->mem.parent;
  TL_DEL (&w->mem, w->question, w->bounds);
  TL_DEL (&w->mem, w->answer, w->bounds);
  tl_goals_close (&w->goals);
  TL_DEL (mem, w, 1);
  *v = (tl_visitor){0};
}

static tl_status open_watch (tl_visitor *v, tl_mem *mem, const tl_net *net,
                             const uint64_t *words, size_t count) {
  watch *w;
  (void)count; // who has written them is of the same version
  *v = (tl_visitor){0};
  if (!TL_NEW (mem, w, 1))
    return TL_E_NOMEM;
  w->mem = TL_MEM (mem, "questions");
  w->options = tl_options_whole ();
  w->none = (tl_questions){.net = net};
  const tl_enquiry enquiry = {
      .net = net, .questions = &w->none, .options = &w->options, .hasty = true};
  tl_status rc = tl_goals_open (&w->goals, &w->mem, &enquiry);
  *v = (tl_visitor){.context = w,
                    .visit = visit,
                    .skips = skips,
                    .skips_room = tl_goals_room (&w->goals)};
  if (rc || (rc = read_goals (&w->goals, &words)) ||
      (rc = read_bounds (w, &words)))
    return rc;
  read_nodes (&w->goals, &words);
  w->goals.undecided = 1; // as far as anybody here knows
  tl_goals_look (&w->goals);
  return TL_OK;
}

const tl_lookout tl_watch = {open_watch, close_watch};
