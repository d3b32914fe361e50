// Terminal components of random nets against those found from the definition:
// a state is in one if every state that it reaches leads back to it.

#include "../brute.h"
#include "../random_net.h"

#include "explore/search.h"
#include "explore/terminal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CAP = 250, NETS = 150, MOST_PARTS = 4 };

// What is true of a net with few states.
typedef struct truth {
  brute b;
  uint8_t reaches[CAP][CAP];
  uint32_t reach[CAP]; // states reached; it never grows along an arc
  uint32_t first[CAP]; // of its terminal component, or CAP
} truth;

static void add_arcs (truth *t) {
  const tl_net *net = t->b.net;
  uint64_t *m = test_calloc (net->places + 1, sizeof *m);
  for (uint64_t s = 0; s < t->b.states; s++) {
    t->reaches[s][s] = 1;
    for (uint32_t i = 0; i < net->transitions; i++) {
      memcpy (m, brute_marking (&t->b, s), net->places * sizeof *m);
      if (!brute_enabled (net, m, i))
        continue;
      brute_fire (net, m, i);
      t->reaches[s][brute_find (&t->b, m)] = 1;
    }
  }
  test_free (m);
}

static void find_truth (truth *t) {
  const uint64_t n = t->b.states;
  add_arcs (t);
  for (uint64_t k = 0; k < n; k++)
    for (uint64_t i = 0; i < n; i++)
      for (uint64_t j = 0; t->reaches[i][k] && j < n; j++)
        t->reaches[i][j] |= t->reaches[k][j];
  for (uint64_t i = 0; i < n; i++) {
    t->reach[i] = 0;
    t->first[i] = CAP;
    bool terminal = true;
    for (uint64_t j = n; j--;)
      if (t->reaches[i][j]) {
        t->reach[i]++;
        terminal &= t->reaches[j][i];
        t->first[i] = (uint32_t)j;
      }
    if (!terminal)
      t->first[i] = CAP;
  }
}

// ---- Components as they are shown ------------------------------------------

typedef struct watch {
  const truth *truth;
  uint64_t *marking;
  unsigned parts;  // to hand the states over in
  bool impatient;  // one state of each component is enough
  uint32_t within; // first state of the component being shown, or CAP
  uint8_t shown[CAP];
  uint64_t states, components;
  uint64_t calls;
  tl_status rc;
} watch;

static uint64_t number_of (watch *w, const tl_visit *v) {
  tl_layout_unpack (v->layout, v->state, w->marking);
  const uint64_t n = brute_find (&w->truth->b, w->marking);
  assert_true (n < w->truth->b.states);
  uint32_t enabled = 0;
  for (uint32_t t = 0; t < w->truth->b.net->transitions; t++)
    enabled += brute_enabled (w->truth->b.net, w->marking, t);
  assert_int_equal (enabled, v->enabled_count);
  return n;
}

static tl_visit_verdict member (void *context, const tl_visit *v) {
  watch *w = context;
  const uint64_t n = number_of (w, v);
  assert_int_equal (w->shown[n]++, 0);
  assert_true (w->truth->first[n] < CAP);
  assert_true (w->within == CAP || w->within == w->truth->first[n]);
  w->within = w->truth->first[n];
  w->states++;
  return w->impatient ? TL_VISIT_STOP : TL_VISIT_CONTINUE;
}

static tl_visit_verdict end (void *context, const tl_visit *v) {
  watch *w = context;
  assert_int_equal (w->truth->first[number_of (w, v)], w->within);
  w->within = CAP;
  w->components++;
  return TL_VISIT_CONTINUE;
}

static tl_status find (watch *w, tl_search *s, const tl_finalised *states) {
  const tl_terminal_visitor visitor = {w, member, end};
  return tl_terminal_find (s, states, &visitor);
}

typedef struct reading {
  tl_store *store;
  uint64_t cursor;
} reading;

static size_t read_on (void *context, size_t most, uint64_t *keys) {
  reading *r = context;
  return r->store->kind->each (r->store, &r->cursor, most, keys, false);
}

// In parts such that every cycle lies within one of them, as a sweep has them.
static tl_status find_in_parts (watch *w, tl_search *s,
                                const tl_finalised *all) {
  const tl_store_kind *kind = tl_store_find ("table");
  tl_store *part[MOST_PARTS] = {0};
  uint64_t *key = test_calloc (s->code.key_words, sizeof *key);
  uint64_t *state = test_calloc (s->layout.words, sizeof *state);
  uint8_t isnew;
  tl_status rc = TL_OK;
  for (unsigned i = 0; !rc && i < w->parts; i++)
    rc = kind->open (part + i, &s->components, &s->spec);
  while (!rc && all->next (all->context, 1, key)) {
    tl_code_state (&s->code, key, state);
    tl_layout_unpack (&s->layout, state, w->marking);
    const uint64_t n = brute_find (&w->truth->b, w->marking);
    tl_store *to = part[w->truth->reach[n] % w->parts];
    rc = kind->put (to, &(tl_batch){.count = 1, .keys = key, .isnew = &isnew});
  }
  for (unsigned i = 0; !rc && i < w->parts; i++)
    rc = find (w, s,
               &(tl_finalised){.context = &(reading){.store = part[i]},
                               .next = read_on,
                               .store = part[i]});
  for (unsigned i = 0; i < w->parts; i++)
    if (part[i])
      kind->close (part[i]);
  test_free (key);
  test_free (state);
  return rc;
}

static tl_visit_verdict finalised (void *context, tl_search *s,
                                   const tl_finalised *states) {
  watch *w = context;
  const tl_status rc =
      w->parts ? find_in_parts (w, s, states) : find (w, s, states);
  if (!w->calls++ || rc)
    w->rc = rc;
  return TL_VISIT_CONTINUE;
}

static tl_visit_verdict visit (void *context, const tl_visit *v) {
  (void)context;
  (void)v;
  return TL_VISIT_CONTINUE;
}

static void explore (watch *w, tl_mem *root, const tl_options *options,
                     const truth *t, bool *complete) {
  *w = (watch){.truth = t,
               .marking = w->marking,
               .parts = w->parts,
               .impatient = w->impatient,
               .within = CAP,
               .rc = TL_E_CANCEL};
  const tl_visitor visitor = {
      .context = w, .visit = visit, .finalised = finalised};
  tl_exploration run = {0};
  const tl_status rc =
      tl_explore_on (root, t->b.net, options, &visitor, &run, 0);
  *complete = !rc && run.complete;
  assert_true (!*complete || run.states == t->b.states);
  tl_exploration_close (&run);
  assert_int_equal (root->used, 0);
}

static void all_were_shown (const watch *w) {
  const truth *t = w->truth;
  uint64_t states = 0, components = 0;
  for (uint64_t i = 0; i < t->b.states; i++) {
    states += t->first[i] < CAP;
    components += t->first[i] == i;
  }
  assert_int_equal (w->components, components);
  assert_int_equal (w->states, w->impatient ? components : states);
}

static void compare (const truth *t, unsigned seed) {
  size_t orders, stores;
  const tl_kind_row *order = tl_orders (&orders);
  const tl_kind_row *store = tl_stores (&stores);
  watch w = {0};
  w.marking = test_calloc (t->b.net->places + 1, sizeof *w.marking);
  for (size_t i = 0; i < orders * stores; i++) {
    tl_mem root = TL_MEM (0, "total");
    tl_options options = tl_options_default ();
    bool complete;
    options.order = order[i % orders].name;
    options.store = store[i / orders].name;
    if (!strcmp (options.order, "sweep") &&
        !strncmp (options.store, "delta", 5))
      continue; // that is refused
    options.progress = seed % 3 ? "p0" : "schmidt";
    w.parts = (unsigned)((seed + i) % (MOST_PARTS + 1));
    w.impatient = seed % 5 == 0;
    explore (&w, &root, &options, t, &complete);
    assert_true (complete);
    assert_int_equal (w.rc, TL_OK);
    all_were_shown (&w);
  }
  test_free (w.marking);
}

static void random_nets (void **state) {
  (void)state;
  random_net *sketch = test_malloc (sizeof *sketch);
  truth *t = test_malloc (sizeof *t);
  unsigned compared = 0;
  for (uint64_t seed = 1; seed <= NETS; seed++) {
    random_net_make (sketch, seed);
    tl_mem mem = TL_MEM (0, "net");
    tl_net *net = random_net_build (sketch, &mem);
    assert_non_null (net);
    memset (t, 0, sizeof *t);
    t->b = brute_explore (net, CAP);
    if (t->b.complete) {
      find_truth (t);
      compare (t, (unsigned)seed);
      compared++;
    }
    brute_close (&t->b);
    tl_net_close (net);
  }
  assert_true (compared > NETS / 4);
  test_free (sketch);
  test_free (t);
}

// ---- Failures --------------------------------------------------------------

static tl_net *philosophers (uint64_t n) {
  tl_net *net;
  assert_int_equal (tl_net_example (&net, "philosophers", 1, &n, 0), TL_OK);
  return net;
}

static void every_allocation_fails (void **state) {
  (void)state;
  tl_net *net = philosophers (3);
  truth *t = test_calloc (1, sizeof *t);
  t->b = brute_explore (net, CAP);
  assert_true (t->b.complete);
  find_truth (t);
  watch w = {0};
  w.marking = test_calloc (net->places + 1, sizeof *w.marking);
  const tl_options options = tl_options_default ();
  bool complete = false, unharmed = false;
  for (long n = 0; !unharmed; n++) {
    tl_mem root = TL_MEM (0, "total");
    root.fail_after = n;
    explore (&w, &root, &options, t, &complete);
    unharmed = root.fail_after > 0;
    if (complete && !w.rc)
      all_were_shown (&w);
    else if (complete)
      assert_int_equal (w.rc, TL_E_NOMEM);
  }
  assert_true (complete && !w.rc);
  test_free (w.marking);
  brute_close (&t->b);
  test_free (t);
  tl_net_close (net);
}

// ---- A long way ------------------------------------------------------------

static tl_visit_verdict count_member (void *context, const tl_visit *v) {
  (void)v;
  ++*(uint64_t *)context;
  return TL_VISIT_CONTINUE;
}

static tl_visit_verdict count_end (void *context, const tl_visit *v) {
  (void)context;
  (void)v;
  return TL_VISIT_CONTINUE;
}

static tl_visit_verdict count_finalised (void *context, tl_search *s,
                                         const tl_finalised *states) {
  const tl_terminal_visitor visitor = {context, count_member, count_end};
  assert_int_equal (tl_terminal_find (s, states, &visitor), TL_OK);
  return TL_VISIT_CONTINUE;
}

// States in terminal components.
static uint64_t members_of (const char *family, uint64_t n, uint64_t *states) {
  uint64_t members = 0;
  tl_net *net;
  assert_int_equal (tl_net_example (&net, family, 1, &n, 0), TL_OK);
  tl_mem root = TL_MEM (0, "total");
  const tl_options options = tl_options_default ();
  const tl_visitor visitor = {
      .context = &members, .visit = visit, .finalised = count_finalised};
  tl_exploration run;
  assert_int_equal (tl_explore_on (&root, net, &options, &visitor, &run, 0),
                    TL_OK);
  assert_true (run.complete);
  *states = run.states;
  tl_exploration_close (&run);
  tl_net_close (net);
  assert_int_equal (root.used, 0);
  return members;
}

// The way goes through most of the states, so that the lists of those at its
// beginning are forgotten.
static void a_long_way (void **state) {
  (void)state;
  uint64_t states;
  assert_int_equal (members_of ("philosophers-both", 9, &states), 2);
  assert_int_equal (states, 19683);
  assert_int_equal (members_of ("kanban", 3, &states), 58400);
  assert_int_equal (states, 58400);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (random_nets),
      cmocka_unit_test (every_allocation_fails),
      cmocka_unit_test (a_long_way),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
