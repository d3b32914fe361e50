// Unfolding of coloured nets made by hand: names, origins, what is refused.

#include "../random_coloured.h"
#include "../terms.h"
#include "colour/unfold.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// A place `free` with the tokens 0..2 of a ring, a place `pair` for two of
// them, a place `done` without a domain; a transition that takes x and its
// successor y and puts them into `pair`.
typedef struct desk {
  tl_mem mem;
  tl_error error;
  tl_coloured net;
  const tl_type *ring;
  tl_cplace place[3];
  tl_ctransition transition;
  tl_variable variable[3];
  tl_carc in, out[2], inhibit;
  tl_tuple taken[2], given, signal, inhibitor, initial;
  tl_loop *loop;
  uint32_t offsets[2];
  const tl_type *parts[2];
} desk;

static tl_term *variable (desk *d, uint32_t offset) {
  return term_variable (&d->net.arena, d->ring, offset);
}

static tl_term **parts (desk *d, tl_term *a, tl_term *b) {
  tl_term **const part = tl_arena_get (&d->net.arena, 2, sizeof *part);
  part[0] = a;
  part[1] = b;
  return part;
}

static void make_places (desk *d) {
  static const char *const names[] = {"free", "pair", "done"};
  d->parts[0] = d->parts[1] = d->ring;
  d->offsets[1] = 1;
  for (uint32_t p = 0; p < 3; p++)
    d->place[p] = (tl_cplace){.id = names[p],
                              .name = names[p],
                              .part = d->parts,
                              .part_offset = d->offsets,
                              .parts = p < 2 ? p + 1 : 0,
                              .cells = p < 2 ? p + 1 : 0,
                              .capacity = p ? TL_NO_CAPACITY : 5};
  d->initial = (tl_tuple){.loop = loop_over (&d->net.arena, d->ring, 0),
                          .loops = 1,
                          .factor = 2,
                          .part = parts (d, variable (d, 0), 0)};
  d->place[0].initial = (tl_label){&d->initial, 1};
  d->place[0].initial_frame = 1;
}

static void make_transition (desk *d) {
  tl_arena *const a = &d->net.arena;
  for (uint32_t i = 0; i < 2; i++) {
    d->variable[i] = (tl_variable){.name = i ? "y" : "x",
                                   .kind = TL_VARIABLE_ARC,
                                   .type = d->ring,
                                   .offset = i};
    d->taken[i] =
        (tl_tuple){.factor = 1, .part = parts (d, variable (d, i), 0)};
  }
  d->given = (tl_tuple){.factor = 3,
                        .part = parts (d, variable (d, 0), variable (d, 1))};
  d->signal = (tl_tuple){.factor = 1, .part = parts (d, 0, 0)};
  d->in = (tl_carc){.place = 0, .label = {d->taken, 2}};
  d->out[0] = (tl_carc){.place = 1, .label = {&d->given, 1}};
  d->out[1] = (tl_carc){.place = 2, .label = {&d->signal, 1}};
  tl_term *const next = term_of (a, TL_TERM_SUCC, d->ring, 1, variable (d, 0));
  d->transition =
      (tl_ctransition){.id = "t1",
                       .name = "join",
                       .where = {3, 7},
                       .variable = d->variable,
                       .variables = 2,
                       .frame = 3,
                       .in = &d->in,
                       .ins = 1,
                       .out = d->out,
                       .outs = 2,
                       .guard = term_of (a, TL_TERM_EQUAL, d->net.boolean, 2,
                                         variable (d, 1), next)};
}

static int begin (void **state) {
  static desk d;
  memset (&d, 0, sizeof d);
  d.mem = TL_MEM (0, "test");
  d.net = (tl_coloured){.mem = &d.mem,
                        .arena = TL_ARENA (&d.mem),
                        .name = "joining",
                        .path = "joining.lna",
                        .format = "lna",
                        .place = d.place,
                        .places = 3,
                        .transition = &d.transition,
                        .transitions = 1};
  const char *no_yes[] = {"false", "true"};
  d.net.boolean = tl_type_enum (&d.net.arena, "bool", no_yes, 2);
  d.ring = tl_type_mod (&d.net.arena, "ring", 3);
  make_places (&d);
  make_transition (&d);
  *state = &d;
  return 0;
}

static int end (void **state) {
  desk *const d = *state;
  tl_arena_close (&d->net.arena);
  assert_int_equal (d->mem.used, 0);
  return 0;
}

static tl_net *unfold (desk *d) {
  const tl_unfold_limits limits = {0};
  tl_net *net;
  if (tl_unfold (&d->net, &limits, &d->mem, &net, &d->error))
    fail_msg ("%s", d->error.text);
  return net;
}

static void refused (desk *d, tl_status code, const tl_unfold_limits *limits,
                     const char *why) {
  tl_net *net;
  assert_int_equal (tl_unfold (&d->net, limits, &d->mem, &net, &d->error),
                    code);
  assert_null (net);
  if (!strstr (d->error.text, why))
    fail_msg ("%s", d->error.text);
}

static void names_and_arcs (void **state) {
  desk *const d = *state;
  tl_net *const net = unfold (d);
  assert_string_equal (net->name, "joining");
  assert_int_equal (net->places, 7);
  assert_int_equal (net->transitions, 3);
  assert_string_equal (net->place_id[2], "free(2)");
  assert_string_equal (net->place_id[5], "pair(2,0)");
  assert_string_equal (net->place_id[6], "done");
  assert_string_equal (net->transition_id[2], "t1{x=2,y=0}");
  assert_string_equal (net->transition_name[2], "t1 {x=2, y=0}");
  assert_int_equal (net->initial[2], 2);
  assert_int_equal (net->initial[5], 0);
  const tl_arcs pre = tl_net_pre (net, 2), post = tl_net_post (net, 2);
  assert_int_equal (pre.count, 2);
  assert_int_equal (pre.arc[1].place, 2);
  assert_int_equal (post.count, 2);
  assert_int_equal (post.arc[0].place, 5);
  assert_int_equal (post.arc[0].weight, 3);
  tl_net_close (net);
}

static void origin (void **state) {
  desk *const d = *state;
  tl_net *const net = unfold (d);
  const tl_origin *o = net->origin;
  assert_int_equal (o->places, 3);
  assert_int_equal (o->place_first[1], 3);
  assert_int_equal (o->place_first[3], 7);
  assert_int_equal (tl_origin_place (o, 5), 1);
  assert_int_equal (tl_origin_transition (o, 2), 0);
  assert_int_equal (tl_names_find (&o->place_ids, "pair"), 1);
  assert_int_equal (tl_names_find (&o->transition_ids, "t1"), 0);
  assert_int_equal (o->token[1][4], 2); // pair(2,0)
  assert_int_equal (o->token[1][5], 0);
  assert_int_equal (o->binding[0][2], 1); // {x=1,y=2}
  assert_int_equal (o->binding[0][3], 2);
  assert_int_equal (o->capacity[0], 5);
  assert_int_equal (o->capacity[6], UINT32_MAX);
  assert_int_equal (o->arcs, 3);
  assert_ptr_equal (o->coloured, &d->net);
  tl_net_close (net);
}

// Once without a token that would inhibit, once with one.
static void inhibitors (void **state) {
  desk *const d = *state;
  d->inhibitor = (tl_tuple){.factor = 2, .part = parts (d, variable (d, 0), 0)};
  d->inhibit = (tl_carc){.place = 0, .label = {&d->inhibitor, 1}};
  d->transition.inhibit = &d->inhibit;
  d->transition.inhibits = 1;
  tl_net *net = unfold (d);
  const tl_arcs own = tl_net_inhibitors (net, 1);
  assert_int_equal (own.count, 1);
  assert_int_equal (own.arc[0].place, 1);
  assert_int_equal (own.arc[0].weight, 2);
  tl_net_close (net);
  // With a variable of its own every token inhibits.
  d->variable[2] = (tl_variable){
      .name = "z", .kind = TL_VARIABLE_INHIBITOR, .type = d->ring, .offset = 2};
  d->transition.variables = 3;
  d->inhibitor.part[0] = variable (d, 2);
  net = unfold (d);
  assert_string_equal (net->transition_id[2], "t1{x=2,y=0}");
  assert_int_equal (tl_net_inhibitors (net, 1).count, 3);
  tl_net_close (net);
  // An empty label is always there.
  d->transition.variables = 2;
  d->inhibit.label.tuples = 0;
  net = unfold (d);
  assert_int_equal (net->transitions, 0);
  assert_int_equal (net->origin->transition_first[1], 0);
  tl_net_close (net);
  // Two that inhibit only together.
  const tl_unfold_limits limits = {0};
  d->inhibit.label = (tl_label){d->taken, 2};
  refused (d, TL_E_MODEL, &limits, "only together");
}

static void what_is_refused (void **state) {
  desk *const d = *state;
  tl_arena *const a = &d->net.arena;
  const tl_unfold_limits none = {0};
  d->transition.priority = variable (d, 0);
  refused (d, TL_E_MODEL, &none, "transition join has a priority");
  d->transition.priority = term_number (a, d->ring, 2);
  tl_net_close (unfold (d));

  const tl_type *low = tl_type_sub (a, "low", d->ring, 0, 1);
  d->given.part[0] =
      term_at (term_of (a, TL_TERM_CHECK, low, 1, variable (d, 0)), 9, 4);
  refused (d, TL_E_MODEL, &none,
           "cannot be unfolded: expression out of range: 2 is not in 0..1");
  assert_int_equal (d->error.line, 9);
  assert_int_equal (d->error.column, 4);
  assert_string_equal (d->error.file, "joining.lna");
  d->given.part[0] = variable (d, 0);

  d->taken[1].condition = d->transition.guard;
  d->transition.guard = 0;
  refused (d, TL_E_MODEL, &none,
           "transition join cannot be evaluated: nothing binds its variable y");
}

static void limits (void **state) {
  desk *const d = *state;
  refused (d, TL_E_LIMIT, &(tl_unfold_limits){.places = 6}, "6 places");
  refused (d, TL_E_LIMIT, &(tl_unfold_limits){.transitions = 2},
           "2 transitions");
  refused (d, TL_E_LIMIT, &(tl_unfold_limits){.arcs = 11}, "11 arcs");
  d->mem.limit = d->mem.used + 2000;
  refused (d, TL_E_NOMEM, &(tl_unfold_limits){0}, "memory");
  d->mem.limit = 0;
  // Far too much to try.
  const tl_type *large = tl_type_range (&d->net.arena, "large", 0, INT32_MAX);
  d->variable[0].kind = d->variable[1].kind = TL_VARIABLE_PICK;
  for (uint32_t i = 0; i < 2; i++) {
    d->variable[i].type = large;
    d->variable[i].pick = *loop_over (&d->net.arena, large, i);
  }
  d->transition.ins = 0;
  d->transition.guard = term_number (&d->net.arena, d->net.boolean, 0);
  d->transition.guard = term_of (&d->net.arena, TL_TERM_LESS, d->net.boolean, 2,
                                 term_of (&d->net.arena, TL_TERM_ADD, large, 2,
                                          variable (d, 0), variable (d, 1)),
                                 term_number (&d->net.arena, large, 0));
  refused (d, TL_E_LIMIT, &(tl_unfold_limits){.seconds = 0.05}, "time");
}

static void every_allocation_fails (void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    tl_mem own = TL_MEM (0, "net"), mem = TL_MEM (0, "unfolded");
    tl_coloured *const net = random_coloured (&own, seed);
    tl_status s = TL_E_NOMEM;
    for (long n = 0; s == TL_E_NOMEM; n++) {
      tl_net *unfolded;
      tl_error err;
      mem.fail_after = n;
      s = tl_unfold (net, &(tl_unfold_limits){0}, &mem, &unfolded, &err);
      mem.fail_after = -1;
      tl_net_close (unfolded);
      assert_int_equal (mem.used, 0);
    }
    tl_coloured_close (net);
    assert_int_equal (own.used, 0);
  }
}

#define TEST(NAME) cmocka_unit_test_setup_teardown (NAME, begin, end)

int main (void) {
  const struct CMUnitTest tests[] = {
      TEST (names_and_arcs), TEST (origin),
      TEST (inhibitors),     TEST (what_is_refused),
      TEST (limits),         cmocka_unit_test (every_allocation_fails),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
