#include "check/watch.h"

#include "check/formula_words.h"
#include "net/origin.h"

#include <stdlib.h>
#include <string.h>

// ---- Words -----------------------------------------------------------------

static bool is_open (const tl_goal *goal) {
  return !goal->home && !goal->moot && goal->verdict == TL_VERDICT_UNKNOWN;
}

static bool is_open_bound (const tl_asked *a) {
  return a->question->kind == TL_ASK_BOUND && !tl_goals_is_decided (a);
}

static void add_goals (tl_packing *w, const tl_goals *g) {
  uint64_t open = 0;
  for (size_t i = 0; i < g->goals; i++)
    open += is_open (g->goal + i);
  tl_pack (w, open);
  for (size_t i = 0; i < g->goals; i++)
    if (is_open (g->goal + i))
      tl_pack_formula (w, g->goal[i].formula);
}

static void add_bounds (tl_packing *w, const tl_goals *g) {
  uint64_t open = 0;
  for (size_t i = 0; i < g->count; i++)
    open += is_open_bound (g->asked + i);
  tl_pack (w, open);
  for (size_t i = 0; i < g->count; i++)
    if (is_open_bound (g->asked + i)) {
      const tl_asked *a = g->asked + i;
      tl_pack (w, a->answer->value);
      tl_pack_terms (w, a->question->term, a->question->term_count);
    }
}

tl_status tl_goals_brief (void *goals, tl_mem *mem, uint64_t **words,
                          size_t *count, size_t *room) {
  const tl_goals *g = goals;
  tl_packing w = {.mem = mem, .words = words, .count = count, .room = room};
  add_goals (&w, g);
  add_bounds (&w, g);
  tl_pack (&w, g->asks_safe && g->unsafe);
  tl_pack (&w, g->asks_stable);
  for (uint32_t p = 0; g->asks_stable && p < g->net->places; p++)
    tl_pack (&w, g->changed[p]);
  tl_pack (&w, g->asks_fired);
  for (uint32_t t = 0; g->asks_fired && t < g->net->transitions; t++)
    tl_pack (&w, g->fired[t]);
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

static tl_status read_goals (tl_goals *g, tl_unpacking *u) {
  tl_status rc = TL_OK;
  TL_DEL (g->mem, g->verdict, 0);
  for (uint64_t left = tl_unpack (u); !rc && left; left--) {
    const tl_formula *f = tl_unpack_formula (u);
    rc = f ? tl_goals_add (g, f) : TL_E_NOMEM;
  }
  return rc || !TL_NEW (g->mem, g->verdict, g->goals) ? TL_E_NOMEM : TL_OK;
}

static tl_status read_bounds (watch *w, tl_unpacking *u) {
  tl_goals *g = &w->goals;
  w->bounds = (size_t)tl_unpack (u);
  TL_DEL (g->mem, g->asked, 0);
  if (!TL_NEW (g->mem, g->asked, w->bounds) ||
      !TL_NEW (g->mem, w->question, w->bounds) ||
      !TL_NEW (g->mem, w->answer, w->bounds))
    return TL_E_NOMEM;
  g->count = w->bounds;
  g->asks_bounds = w->bounds;
  for (size_t i = 0; i < w->bounds; i++) {
    w->question[i].kind = TL_ASK_BOUND;
    w->answer[i].value = tl_unpack (u);
    w->question[i].term = tl_unpack_terms (u, &w->question[i].term_count);
    g->asked[i] = (tl_asked){.question = w->question + i,
                             .answer = w->answer + i,
                             .most = UINT64_MAX};
    if (!w->question[i].term)
      return TL_E_NOMEM;
  }
  return TL_OK;
}

static void read_nodes (tl_goals *g, tl_unpacking *u) {
  const tl_net *net = g->net;
  g->asks_safe = tl_unpack (u);
  g->asks_stable = tl_unpack (u);
  for (uint32_t p = 0; g->asks_stable && p < net->places; p++) {
    g->changed[p] = (uint8_t)tl_unpack (u);
    g->constant -= g->changed[p];
  }
  g->asks_fired = tl_unpack (u);
  for (uint32_t t = 0; g->asks_fired && t < net->transitions; t++) {
    g->fired[t] = (uint8_t)tl_unpack (u);
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
  tl_unpacking u = {
      .arena = &w->goals.arena, .net = net, .at = words, .end = words + count};
  if (rc || (rc = read_goals (&w->goals, &u)) || (rc = read_bounds (w, &u)))
    return rc;
  read_nodes (&w->goals, &u);
  w->goals.undecided = 1; // as far as anybody here knows
  tl_goals_look (&w->goals);
  return TL_OK;
}

const tl_lookout tl_watch = {open_watch, close_watch};
