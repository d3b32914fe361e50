// Peterson's mutual exclusion for N processes.  A process climbs N-1 stages.
// At each it writes itself down as the last to arrive and may go on when
// somebody else is written there, or when it has asked all others, one after
// the other, and none was interested.
//
// Letters: i is the process that acts, j its stage, k the process it asks.

#include "example/maker.h"

typedef struct peterson {
  tl_maker *m;
  uint32_t n, stages;
  uint32_t idle, interested, aloof, critical; // [i]
  uint32_t last;                              // [j][k]
  uint32_t arrived, testing, passed;          // [i][j]
  uint32_t asking, comparing, asked;          // [i][j][k]
  uint32_t looking;                           // [i][j][k], k not i
} peterson;

static uint32_t stage (const peterson *p, uint32_t row, uint32_t i,
                       uint32_t j) {
  return row + i * p->stages + j;
}

static uint32_t about (const peterson *p, uint32_t row, uint32_t i, uint32_t j,
                       uint32_t k) {
  return row + (i * p->stages + j) * p->n + k;
}

static uint32_t looking (const peterson *p, uint32_t i, uint32_t j,
                         uint32_t k) {
  return p->looking + (i * p->stages + j) * (p->n - 1) + (k < i ? k : k - 1);
}

static uint32_t last (const peterson *p, uint32_t j, uint32_t k) {
  return p->last + j * p->n + k;
}

static uint32_t stage_row (const peterson *p, const char *stem) {
  const uint32_t first = p->m->places;
  for (uint32_t i = 1; i <= p->n; i++)
    for (uint32_t j = 1; j <= p->stages && !p->m->status; j++)
      tl_maker_place (p->m, 0, "%s_%u_%u", stem, i, j);
  return first;
}

static uint32_t question_row (const peterson *p, const char *stem, bool self) {
  const uint32_t first = p->m->places;
  for (uint32_t i = 1; i <= p->n; i++)
    for (uint32_t j = 1; j <= p->stages; j++)
      for (uint32_t k = 1; k <= p->n && !p->m->status; k++)
        if (self || k != i)
          tl_maker_place (p->m, 0, "%s_%u_%u_%u", stem, i, j, k);
  return first;
}

static void make_places (peterson *p) {
  p->idle = tl_maker_row (p->m, "idle", p->n, 1);
  p->aloof = tl_maker_row (p->m, "aloof", p->n, 1);
  p->interested = tl_maker_row (p->m, "interested", p->n, 0);
  p->critical = tl_maker_row (p->m, "critical", p->n, 0);
  p->last = p->m->places;
  for (uint32_t j = 1; j <= p->stages; j++)
    for (uint32_t k = 1; k <= p->n && !p->m->status; k++)
      tl_maker_place (p->m, k == 1, "last_%u_%u", j, k);
  p->arrived = stage_row (p, "arrived");
  p->testing = stage_row (p, "testing");
  p->passed = stage_row (p, "passed");
  p->asking = question_row (p, "asking", true);
  p->comparing = question_row (p, "comparing", true);
  p->asked = question_row (p, "asked", true);
  p->looking = question_row (p, "looking", false);
}

static void enter_and_leave (const peterson *p, uint32_t i) {
  tl_maker *m = p->m;
  const uint32_t ask = tl_maker_transition (m, "ask_%u", i + 1);
  TL_TAKE (m, ask, p->idle + i, p->aloof + i);
  TL_GIVE (m, ask, stage (p, p->arrived, i, 0), p->interested + i);
  const uint32_t enter = tl_maker_transition (m, "enter_%u", i + 1);
  TL_TAKE (m, enter, stage (p, p->passed, i, p->stages - 1));
  TL_GIVE (m, enter, p->critical + i);
  const uint32_t leave = tl_maker_transition (m, "leave_%u", i + 1);
  TL_TAKE (m, leave, p->critical + i, p->interested + i);
  TL_GIVE (m, leave, p->idle + i, p->aloof + i);
  for (uint32_t j = 0; j + 1 < p->stages && !m->status; j++) {
    const uint32_t climb = tl_maker_transition (m, "climb_%u_%u", i + 1, j + 1);
    TL_TAKE (m, climb, stage (p, p->passed, i, j));
    TL_GIVE (m, climb, stage (p, p->arrived, i, j + 1));
  }
}

// Arriving at a stage, and what the name written there says: k is that name.
static void arrive (const peterson *p, uint32_t i, uint32_t j, uint32_t k) {
  tl_maker *m = p->m;
  const uint32_t testing = stage (p, p->testing, i, j);
  const uint32_t write =
      tl_maker_transition (m, "write_%u_%u_%u", i + 1, j + 1, k + 1);
  TL_TAKE (m, write, stage (p, p->arrived, i, j), last (p, j, k));
  TL_GIVE (m, write, testing, last (p, j, i));
  const uint32_t read = tl_maker_transition (
      m, k == i ? "read_own_%u_%u_%u" : "read_other_%u_%u_%u", i + 1, j + 1,
      k + 1);
  TL_TAKE (m, read, testing, last (p, j, k));
  TL_GIVE (m, read, last (p, j, k),
           k == i ? about (p, p->asking, i, j, 0) : stage (p, p->passed, i, j));
}

static void step (const peterson *p, const char *name, uint32_t i, uint32_t j,
                  uint32_t k, uint32_t from, uint32_t to) {
  const uint32_t t =
      tl_maker_transition (p->m, "%s_%u_%u_%u", name, i + 1, j + 1, k + 1);
  TL_TAKE (p->m, t, from);
  TL_GIVE (p->m, t, to);
}

// Asking process k, unless it is the asking one, whether it is interested:
// if so the test begins anew, else the next one is asked.
static void ask (const peterson *p, uint32_t i, uint32_t j, uint32_t k) {
  tl_maker *m = p->m;
  const uint32_t asked = about (p, p->asked, i, j, k);
  const uint32_t comparing = about (p, p->comparing, i, j, k);
  step (p, "begin", i, j, k, about (p, p->asking, i, j, k), comparing);
  step (p, k + 1 < p->n ? "next" : "end", i, j, k, asked,
        k + 1 < p->n ? about (p, p->asking, i, j, k + 1)
                     : stage (p, p->passed, i, j));
  if (k == i) {
    step (p, "skip", i, j, k, comparing, asked);
    return;
  }
  step (p, "look", i, j, k, comparing, looking (p, i, j, k));
  const uint32_t rival =
      tl_maker_transition (m, "rival_%u_%u_%u", i + 1, j + 1, k + 1);
  TL_TAKE (m, rival, looking (p, i, j, k), p->interested + k);
  TL_GIVE (m, rival, stage (p, p->testing, i, j), p->interested + k);
  const uint32_t none =
      tl_maker_transition (m, "no_rival_%u_%u_%u", i + 1, j + 1, k + 1);
  TL_TAKE (m, none, looking (p, i, j, k), p->aloof + k);
  TL_GIVE (m, none, asked, p->aloof + k);
}

void tl_example_peterson (tl_maker *m, const uint32_t *sizes) {
  peterson p = {.m = m, .n = sizes[0], .stages = sizes[0] - 1};
  make_places (&p);
  for (uint32_t i = 0; i < p.n; i++) {
    enter_and_leave (&p, i);
    for (uint32_t j = 0; j < p.stages; j++)
      for (uint32_t k = 0; k < p.n && !m->status; k++) {
        arrive (&p, i, j, k);
        ask (&p, i, j, k);
      }
  }
}
