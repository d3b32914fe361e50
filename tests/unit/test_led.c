// Ways that the state equation shows, and walks that it leads.

#include "../random_net.h"
#include "check/led.h"
#include "explore/explore.h"
#include "logic/distance.h"
#include "logic/simplify.h"
#include "net/stroll.h"
#include "read/read.h"
#include "structure/course.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- Ways ------------------------------------------------------------------

enum { NETS = 200, STEPS = 30 };

static tl_mem account = {.name = "test", .fail_after = -1};

// Where steps led some way leads, and that is no longer, but for fractions and
// what costs up to twice as much.
static void where_steps_led (tl_course *c, const tl_net *net, uint64_t seed) {
  tl_stroll w;
  uint32_t length = 0, fired;
  uint64_t from[RANDOM_PLACES], times[RANDOM_TRANSITIONS], sum = 0;
  assert_int_equal (tl_stroll_open (&w, &account, net, seed), TL_OK);
  tl_stroll_begin (&w);
  while (length < STEPS && tl_stroll_step (&w, &fired))
    length++;
  for (uint32_t p = 0; p < net->places; p++)
    from[p] = net->initial[p];
  tl_course_from (c, from);
  __int128 total = 0;
  tl_entry all[RANDOM_PLACES];
  for (uint32_t p = 0; p < net->places; p++) {
    tl_course_least (c, p, w.tokens[p]);
    tl_course_most (c, p, w.tokens[p]);
    all[p] = (tl_entry){p, 1};
    total += w.tokens[p];
  }
  const tl_vector places = {all, net->places};
  assert_int_equal (tl_course_sum (c, &account, places, (int64_t)total), TL_OK);
  assert_true (tl_course_find (c, seed, 10, times));
  for (uint32_t t = 0; t < net->transitions; t++)
    sum += times[t];
  assert_true (sum <= 2 * length + net->transitions);
  // The sum of all is one less than it is there: no way.
  assert_int_equal (tl_course_sum (c, &account, places, (int64_t)total - 1),
                    TL_OK);
  assert_false (tl_course_find (c, seed, 10, times));
  tl_stroll_close (&w);
}

static void ways (void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= NETS; seed++) {
    random_net made;
    tl_course *c;
    random_net_make (&made, seed);
    tl_net *net = random_net_build (&made, &account);
    assert_non_null (net);
    assert_int_equal (tl_course_open (&c, &account, net), TL_OK);
    for (uint64_t i = 0; i < 3; i++)
      where_steps_led (c, net, seed + i);
    tl_course_close (c);
    tl_net_close (net);
  }
  assert_int_equal (account.used, 0);
}

// Round a cycle the numbers add up: where a transition would fire a third of a
// time, all fire three times as often.
static void rounds (void **state) {
  (void)state;
  const char *text = "pl a (3000)\ntr t a -> b\ntr u b*3 -> c*2\n"
                     "tr v c*2 -> a*3\n";
  const uint64_t here[] = {3000, 0, 0};
  uint64_t times[3];
  tl_net *net;
  tl_course *c;
  assert_int_equal (
      tl_read_net_text (&net, &account, "x.net", text, strlen (text), 0),
      TL_OK);
  assert_int_equal (tl_course_open (&c, &account, net), TL_OK);
  tl_course_from (c, here);
  for (uint32_t p = 0; p < net->places; p++) {
    tl_course_least (c, p, here[p]);
    tl_course_most (c, p, here[p]);
  }
  tl_course_fires (c, 0);
  assert_true (tl_course_find (c, 1, 10, times));
  assert_int_equal (times[0], 3);
  assert_int_equal (times[1], 1);
  assert_int_equal (times[2], 1);
  tl_course_close (c);
  tl_net_close (net);
  assert_int_equal (account.used, 0);
}

// ---- Walks -----------------------------------------------------------------

typedef struct example {
  const char *net, *target;
} example;

// None is found by looking at what is near, nor by chance, in so many steps.
enum { MOST_VISITS = 30000 };

static const example examples[] = {
    // Many tokens, one after the other, which could as well go back.
    {"pl a (3000)\ntr t a*2 -> b\ntr u b -> a*2\ntr v b -> c\ntr w c -> b\n",
     "EF c >= 1500"},
    {"pl a (900)\ntr t a -> b\ntr u b -> a\ntr v b -> c\ntr w c -> b\n",
     "EF (a - 2 * b >= 0 AND b >= 250 AND c >= 150)"},
    // One of them cannot be.
    {"pl a (900)\ntr t a -> b\ntr u b -> a\n",
     "EF (a + b >= 1000 OR b >= 1000 OR (b >= 800 AND a >= 100))"},
    // What is there afterwards as well is not in the equation: first it has to
    // be switched on, in two steps.
    {"pl a (2000)\npl off (1)\ntr m off -> half\ntr n half -> off\n"
     "tr o half -> on\ntr p on -> half\ntr t a on -> b on\ntr u b on -> a on\n",
     "EF b >= 2000"},
    // Something is in the way.
    {"pl a (2000)\npl z (600)\ntr t a z?-1 -> b\ntr u b -> a\ntr x z -> y\n"
     "tr y y -> z\n",
     "EF b >= 2000"},
    // What is to be disabled.
    {"pl a (2000)\npl c (700)\ntr t a -> b\ntr u b -> a\ntr v c b -> c b\n"
     "tr w c -> d\ntr x d -> c\n",
     "EF (NOT FIREABLE(v) AND b >= 1)"},
    {"pl a (2000)\ntr t a -> b\ntr u b a -> a*2\n", "EF DEADLOCK"},
    {"pl a (2000)\ntr t a -> b\ntr u b -> a\ntr x b*2000 -> c\n",
     "EF FIREABLE(x)"},
    // What makes more of what it needs cannot begin; another way is longer.
    {"pl a (400)\npl k (9)\npl e (5)\ntr t a c -> b c\ntr u c e -> c*2\ntr x "
     "k*3 -> l\n"
     "tr y l*3 -> c\n",
     "EF b >= 400"},
    // In leaps, as far as places and what inhibits allow.
    {"pl a (3000000)\npl k (70)\ntr t a -> b\ntr u b -> a\n"
     "tr v b k -> c l\ntr w l -> k\ntr x c l?-8 -> d\n",
     "EF d >= 600000"},
    // What comes back must not be spent before.
    {"pl g (3000)\npl e (40)\ntr r g e -> f\ntr s f e -> i\n"
     "tr v i -> e*2 o\n",
     "EF o >= 3000"},
};

typedef struct walk {
  tl_mem mem;
  const tl_net *net;
  const tl_formula *target;
  tl_distance distance;
  uint64_t *marking;
  uint32_t visits;
  bool reached;
} walk;

static tl_visit_verdict see (void *context, const tl_visit *v) {
  walk *w = context;
  for (uint32_t p = 0; p < w->net->places; p++)
    w->marking[p] = tl_layout_tokens (v->layout, v->state, p);
  // 0: it holds.
  w->reached =
      !tl_distance_of (&w->distance, w->marking, v->enabled, v->enabled_count);
  return w->reached || ++w->visits == MOST_VISITS ? TL_VISIT_STOP
                                                  : TL_VISIT_CONTINUE;
}

static tl_visit_verdict begin (void *context, tl_search *s) {
  walk *w = context;
  tl_led_run (s, &w->mem, w->target, 7);
  return TL_VISIT_STOP;
}

static void walk_to (const example *e) {
  walk w = {.mem = TL_MEM (0, "walk")};
  tl_net *net;
  tl_questions *questions;
  tl_arena arena = TL_ARENA (&w.mem);
  tl_mem root = TL_MEM (0, "net");
  tl_options how = tl_options_default ();
  tl_exploration run;
  assert_int_equal (
      tl_read_net_text (&net, &root, "x.net", e->net, strlen (e->net), 0),
      TL_OK);
  assert_int_equal (tl_questions_open (&questions, net, 0), TL_OK);
  assert_int_equal (tl_questions_add_text (questions, e->target, 0), TL_OK);
  w.net = net;
  w.target = tl_formula_simplify (
      &arena, questions->question->formula->operand[0]->operand[0]);
  w.marking = calloc (net->places, sizeof *w.marking);
  assert_int_equal (tl_distance_open (&w.distance, &w.mem, net, w.target),
                    TL_OK);
  how.order = "bfs";
  const tl_visitor visitor = {.context = &w, .begin = begin, .visit = see};
  assert_int_equal (tl_explore_on (&root, net, &how, &visitor, &run, 0), TL_OK);
  if (!w.reached)
    print_message ("not reached: %s\n", e->target);
  assert_true (w.reached);
  tl_exploration_close (&run);
  tl_distance_close (&w.distance);
  free (w.marking);
  tl_arena_close (&arena);
  assert_int_equal (w.mem.used, 0);
  tl_questions_close (questions);
  tl_net_close (net);
}

static void walks (void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
    walk_to (examples + i);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (ways),
                                     cmocka_unit_test (rounds),
                                     cmocka_unit_test (walks)};
  return cmocka_run_group_tests_name ("led", tests, 0, 0);
}
