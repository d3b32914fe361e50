#include "check/review.h"

#include "net/origin.h"

// ---- Telling each other ----------------------------------------------------

static void tell_transitions (tl_goals *to, const tl_goals *from) {
  for (uint32_t t = 0; t < to->net->transitions; t++)
    if (from->fired[t] && !to->fired[t]) {
      tl_goals_mark_all (to, to->fired, t);
      to->unfired--;
    }
}

static void tell_places (tl_goals *to, const tl_goals *from) {
  for (uint32_t p = 0; p < tl_shown_places (to->net); p++)
    if (from->changed[p] && !to->changed[p]) {
      to->changed[p] = 1;
      to->constant--;
    }
}

static bool is_asked (const tl_goals *g, tl_question_kind kind) {
  bool asked = false;
  for (size_t i = 0; i < g->count; i++)
    asked |= g->asked[i].question->kind == kind &&
             !tl_goals_is_decided (g->asked + i);
  return asked;
}

// Answers that others gave.
static void see_answers (tl_goals *g) {
  g->undecided = 0;
  for (size_t i = 0; i < g->count; i++) {
    const tl_asked *a = g->asked + i;
    const bool decided = tl_goals_is_decided (a);
    g->undecided += !decided;
    for (uint32_t k = 0; decided && k < a->plan.goals; k++)
      g->goal[a->first_goal + k].moot = true;
  }
  // What is named belongs to the trace that is there.
  g->asks_safe = g->asks_safe && is_asked (g, TL_ASK_ONE_SAFE);
  g->asks_live = g->asks_live && is_asked (g, TL_ASK_LIVE);
  g->asks_home_state = g->asks_home_state && is_asked (g, TL_ASK_HOME_STATE);
}

static void tell_bounds (tl_goals *to, const tl_goals *from) {
  for (size_t i = 0; i < to->count; i++)
    if (from->asked[i].question->kind == TL_ASK_BOUND &&
        !tl_goals_is_decided (from->asked + i) &&
        from->asked[i].most < to->asked[i].most)
      to->asked[i].most = from->asked[i].most;
}

static void tell (tl_goals *to, const tl_goals *from) {
  tell_transitions (to, from);
  tell_places (to, from);
  tell_bounds (to, from);
  see_answers (to);
}

void tl_review_exchange (tl_review *r) {
  if (!r->open)
    return;
  tell (&r->goals, r->first->goals);
  tell (r->first->goals, &r->goals);
}

// ---- Opening ---------------------------------------------------------------

// Who answers, and why nobody does, as the first look sees it.
typedef struct view {
  const char *engine, *why;
} view;

// What is opened again writes its own view of it into the answers.
static tl_status open_again (tl_review *r, const tl_enquiry *enquiry) {
  const size_t count = enquiry->questions->count;
  tl_answer *answer = enquiry->answers;
  view *before;
  if (!TL_NEW (&r->mem, before, count))
    return TL_E_NOMEM;
  for (size_t i = 0; i < count; i++)
    before[i] = (view){answer[i].engine, answer[i].unknown_why};
  tl_status rc = tl_goals_open (&r->goals, &r->mem, enquiry);
  if (!rc)
    rc = tl_temporal_open (&r->temporal, &r->second);
  for (size_t i = 0; i < count; i++)
    if (answer[i].verdict == TL_VERDICT_UNKNOWN) {
      answer[i].engine = before[i].engine;
      answer[i].unknown_why = before[i].why;
    }
  TL_DEL (&r->mem, before, count);
  return rc;
}

tl_status tl_review_open (tl_review *r, tl_checking *first, bool soon) {
  tl_enquiry enquiry = *first->enquiry;
  *r = (tl_review){.first = first,
                   .second = *first,
                   .mem = TL_MEM (first->root, "review"),
                   .open = true};
  r->second.goals = &r->goals;
  r->second.temporal = &r->temporal;
  enquiry.hasty = false;
  enquiry.soon = soon;
  enquiry.structure = first->goals->shrinker.structure;
  const tl_status rc = open_again (r, &enquiry);
  if (!rc)
    tl_review_exchange (r);
  else {
    see_answers (first->goals);
    tl_review_close (r);
  }
  return rc == TL_E_NOMEM ? TL_OK : rc;
}

void tl_review_close (tl_review *r) {
  if (!r->open)
    return;
  tl_temporal_close (&r->temporal);
  if (r->goals.net)
    tl_goals_close (&r->goals);
  r->open = false;
}
