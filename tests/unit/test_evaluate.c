// Terms of coloured nets, made by hand, and their values.

#include "colour/evaluate.h"
#include "../terms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct desk {
  tl_mem mem;
  tl_arena arena;
  tl_error error;
  tl_evaluation e;
  const tl_type *boolean, *integer, *small, *ring, *colour, *warm;
  const tl_type *list, *set, *row, *grid, *pair;
  tl_cell frame[64];
} desk;

static void make_types (desk *d) {
  tl_arena *const a = &d->arena;
  bool limit;
  const char *no_yes[] = {"false", "true"};
  const char *lights[] = {"red", "yellow", "green", "blue"};
  d->boolean = tl_type_enum (a, "bool", no_yes, 2);
  d->integer = tl_type_range (a, "int", INT32_MIN, INT32_MAX);
  d->small = tl_type_sub (a, "small", d->integer, 1, 4);
  d->ring = tl_type_mod (a, "ring", 5);
  d->colour = tl_type_enum (a, "colour", lights, 4);
  d->warm = tl_type_sub (a, "warm", d->colour, 0, 1);
  d->list = tl_type_container (a, "list", TL_TYPE_LIST, d->small, d->integer, 3,
                               &limit);
  d->set = tl_type_container (a, "set", TL_TYPE_SET, 0, d->integer, 3, &limit);
  const tl_type *index[] = {d->small, d->ring};
  d->row = tl_type_vector (a, "row", index, 1, d->integer, &limit);
  d->grid = tl_type_vector (a, "grid", index, 2, d->integer, &limit);
  const tl_member parts[] = {{"x", d->integer, 0}, {"l", d->list, 0}};
  d->pair = tl_type_struct (a, "pair", parts, 2, &limit);
  assert_non_null (d->pair);
}

static int begin (void **state) {
  static desk d;
  d = (desk){.mem = TL_MEM (0, "test")};
  d.arena = TL_ARENA (&d.mem);
  tl_evaluation_open (&d.e, &d.mem, "here.lna", &d.error);
  make_types (&d);
  *state = &d;
  return 0;
}

static int end (void **state) {
  desk *const d = *state;
  tl_evaluation_close (&d->e);
  tl_arena_close (&d->arena);
  assert_int_equal (d->mem.used, 0);
  return 0;
}

static int64_t number (desk *d, const tl_term *t) {
  int64_t n = 0;
  const tl_status s = tl_evaluate_number (&d->e, t, d->frame, &n);
  if (s)
    fail_msg ("%s", d->error.text);
  return n;
}

// The value as text.
static const char *text (desk *d, const tl_term *t) {
  static char line[200];
  tl_cell value[64];
  const tl_status s = tl_evaluate (&d->e, t, d->frame, value);
  if (s)
    fail_msg ("%s", d->error.text);
  tl_value_print (t->type, value, line, sizeof line);
  return line;
}

// It is wrong, and the message says so and where.
static void wrong (desk *d, tl_status code, tl_term *t, const char *why) {
  tl_cell value[64];
  term_at (t, 7, 13);
  memset (&d->error, 0, sizeof d->error);
  assert_int_equal (tl_evaluate (&d->e, t, d->frame, value), code);
  if (!strstr (d->error.text, why))
    fail_msg ("%s", d->error.text);
  assert_true (d->error.line > 0);
  assert_true (d->error.column > 0);
  assert_string_equal (d->error.file, "here.lna");
}

#define INT(N) term_number (&d->arena, d->integer, (N))
#define RING(N) term_number (&d->arena, d->ring, (N))
#define BOOL(N) term_number (&d->arena, d->boolean, (N))
#define T(KIND, TYPE, ...)                                                     \
  term_of (&d->arena, TL_TERM_##KIND, d->TYPE,                                 \
           sizeof ((tl_term *[]){__VA_ARGS__}) / sizeof (tl_term *),           \
           __VA_ARGS__)
#define V(TYPE, OFFSET) term_variable (&d->arena, d->TYPE, (OFFSET))

static void arithmetic (void **state) {
  desk *const d = *state;
  d->frame[3] = 41;
  assert_int_equal (number (d, T (ADD, integer, V (integer, 3), INT (1))), 42);
  assert_int_equal (number (d, T (SUBTRACT, integer, INT (1), INT (3))), -2);
  assert_int_equal (number (d, T (MULTIPLY, integer, INT (-6), INT (7))), -42);
  assert_int_equal (number (d, T (DIVIDE, integer, INT (-7), INT (2))), -3);
  assert_int_equal (number (d, T (MODULO, integer, INT (-7), INT (3))), -1);
  assert_int_equal (number (d, T (MINUS, integer, INT (5))), -5);
  assert_int_equal (number (d, T (SUCC, integer, INT (5))), 6);
  assert_int_equal (number (d, T (PRED, integer, INT (5))), 4);
  // More than 32 bits in between is fine, at the end it is not.
  tl_term *large = T (MULTIPLY, integer, INT (1 << 30), INT (8));
  assert_int_equal (number (d, large), 1ll << 33);
  assert_int_equal (number (d, T (DIVIDE, integer, large, INT (1 << 30))), 8);
  wrong (d, TL_E_ARG, large, "32 bits");
}

static void wraps (void **state) {
  desk *const d = *state;
  assert_int_equal (number (d, T (ADD, ring, RING (4), RING (3))), 2);
  assert_int_equal (number (d, T (SUBTRACT, ring, RING (1), RING (3))), 3);
  assert_int_equal (number (d, T (MULTIPLY, ring, RING (4), RING (4))), 1);
  assert_int_equal (number (d, T (MINUS, ring, RING (0))), 0);
  assert_int_equal (number (d, T (MINUS, ring, RING (2))), 3);
  assert_int_equal (number (d, T (SUCC, ring, RING (4))), 0);
  assert_int_equal (number (d, T (PRED, ring, RING (0))), 4);
  tl_term *const blue = term_number (&d->arena, d->colour, 3);
  tl_term *const yellow = term_number (&d->arena, d->colour, 1);
  assert_string_equal (text (d, T (SUCC, colour, blue)), "red");
  assert_string_equal (text (d, T (SUCC, colour, yellow)), "green");
  assert_string_equal (text (d, T (SUCC, warm, yellow)), "red");
}

static void what_is_out_of_range (void **state) {
  desk *const d = *state;
  assert_int_equal (number (d, T (CHECK, small, INT (4))), 4);
  assert_int_equal (number (d, T (CAST, ring, INT (4))), 4);
  wrong (d, TL_E_ARG, T (CHECK, small, INT (5)),
         "expression out of range: 5 is not in 1..4 (type small)");
  wrong (d, TL_E_ARG, T (CAST, ring, INT (5)), "cast failed");
  wrong (d, TL_E_ARG, T (CHECK, warm, term_number (&d->arena, d->colour, 2)),
         "out of range");
  wrong (d, TL_E_ARG, T (DIVIDE, integer, INT (1), INT (0)), "division by 0");
  wrong (d, TL_E_ARG, T (MODULO, integer, INT (1), INT (0)), "division by 0");
  tl_term *n = INT (INT32_MAX);
  for (int i = 0; i < 2; i++)
    n = term_at (T (MULTIPLY, integer, n, n), 3, 3);
  wrong (d, TL_E_ARG, n, "overflow");
  assert_int_equal (d->error.line, 7);
  assert_int_equal (d->error.column, 13);
  tl_term *const lowest = T (SUBTRACT, integer, INT (INT32_MIN), INT (0));
  assert_int_equal (number (d, lowest), INT32_MIN);
}

static void compares (void **state) {
  desk *const d = *state;
  static const struct {
    tl_term_kind kind;
    bool less, equal, greater;
  } table[] = {
      {TL_TERM_EQUAL, false, true, false},
      {TL_TERM_UNEQUAL, true, false, true},
      {TL_TERM_LESS, true, false, false},
      {TL_TERM_LESS_EQUAL, true, true, false},
      {TL_TERM_GREATER, false, false, true},
      {TL_TERM_GREATER_EQUAL, false, true, true},
  };
  tl_term *const one = T (MAKE, set, INT (1)), *const two = T (
                                                   MAKE, set, INT (2), INT (1));
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const tl_term_kind k = table[i].kind;
    tl_arena *const a = &d->arena;
    const tl_type *const b = d->boolean;
    assert_int_equal (number (d, term_of (a, k, b, 2, INT (-1), INT (2))),
                      table[i].less);
    assert_int_equal (number (d, term_of (a, k, b, 2, INT (2), INT (2))),
                      table[i].equal);
    assert_int_equal (number (d, term_of (a, k, b, 2, INT (3), INT (2))),
                      table[i].greater);
    assert_int_equal (number (d, term_of (a, k, b, 2, one, two)),
                      table[i].less);
    assert_int_equal (number (d, term_of (a, k, b, 2, two, two)),
                      table[i].equal);
    assert_int_equal (number (d, term_of (a, k, b, 2, two, one)),
                      table[i].greater);
  }
  tl_term *const three = T (MAKE, set, INT (3));
  assert_false (number (d, T (LESS_EQUAL, boolean, three, two)));
}

static void stops_at_what_is_known (void **state) {
  desk *const d = *state;
  tl_term *const bad =
      T (EQUAL, boolean, INT (1), T (DIVIDE, integer, INT (1), INT (0)));
  assert_false (number (d, T (AND, boolean, BOOL (0), bad)));
  assert_true (number (d, T (OR, boolean, BOOL (1), bad)));
  assert_true (number (d, T (AND, boolean, BOOL (1), BOOL (1))));
  assert_false (number (d, T (OR, boolean, BOOL (0), BOOL (0))));
  assert_false (number (d, T (NOT, boolean, BOOL (1))));
  term_at (bad->operand[1], 9, 9);
  wrong (d, TL_E_ARG, T (AND, boolean, BOOL (1), bad), "division by 0");
  assert_int_equal (d->error.line, 9);
  assert_int_equal (number (d, T (CHOOSE, integer, BOOL (1), INT (3), bad)), 3);
  assert_string_equal (text (d, T (CHOOSE, set, BOOL (0), T (MAKE, set, bad),
                                   T (MAKE, set, INT (8)))),
                       "|8|");
}

static void lists (void **state) {
  desk *const d = *state;
  tl_term *const l = T (MAKE, list, INT (5), INT (3)), *const none = term_of (
                                                           &d->arena,
                                                           TL_TERM_MAKE,
                                                           d->list, 0);
  assert_string_equal (text (d, l), "|5,3|");
  assert_string_equal (text (d, T (JOIN, list, l, INT (9))), "|5,3,9|");
  assert_string_equal (text (d, T (JOIN, list, INT (9), l)), "|9,5,3|");
  assert_string_equal (text (d, T (JOIN, list, none, l)), "|5,3|");
  assert_int_equal (number (d, T (ELEMENT, integer, l, INT (2))), 3);
  assert_string_equal (text (d, T (SLICE, list, l, INT (2), INT (2))), "|3|");
  assert_string_equal (text (d, T (SLICE, list, l, INT (1), INT (2))), "|5,3|");
  assert_string_equal (text (d, T (SLICE, list, l, INT (2), INT (1))), "||");
  assert_string_equal (text (d, T (WITH_ELEMENT, list, l, INT (1), INT (0))),
                       "|0,3|");
  assert_int_equal (number (d, T (FIRST, integer, l)), 5);
  assert_int_equal (number (d, T (LAST, integer, l)), 3);
  assert_string_equal (text (d, T (PREFIX, list, l)), "|5|");
  assert_string_equal (text (d, T (SUFFIX, list, l)), "|3|");
  assert_int_equal (number (d, T (SIZE, integer, l)), 2);
  assert_int_equal (number (d, T (CAPACITY, integer, l)), 3);
  assert_int_equal (number (d, T (SPACE, integer, l)), 1);
  assert_int_equal (number (d, T (IS_EMPTY, boolean, none)), 1);
  assert_int_equal (number (d, T (IS_FULL, boolean, l)), 0);
  assert_int_equal (number (d, T (FIRST_INDEX, integer, l)), 1);
  assert_int_equal (number (d, T (LAST_INDEX, integer, l)), 2);
  assert_true (number (d, T (MEMBER, boolean, INT (3), l)));
  assert_false (number (d, T (MEMBER, boolean, INT (4), l)));
  assert_true (number (d, T (UNEQUAL, boolean, l, none)));
}

static void lists_gone_wrong (void **state) {
  desk *const d = *state;
  tl_term *const l = T (MAKE, list, INT (5), INT (3)), *const none = term_of (
                                                           &d->arena,
                                                           TL_TERM_MAKE,
                                                           d->list, 0);
  wrong (d, TL_E_ARG, T (JOIN, list, l, l), "capacity exceeded");
  wrong (d, TL_E_ARG, T (ELEMENT, integer, l, INT (3)), "invalid list index");
  tl_term *const five = term_at (INT (5), 2, 2);
  wrong (d, TL_E_ARG, T (ELEMENT, integer, l, five), "index out of range");
  wrong (d, TL_E_ARG, T (SLICE, list, l, INT (1), INT (3)), "invalid list");
  wrong (d, TL_E_ARG, T (FIRST, integer, none), "empty");
  wrong (d, TL_E_ARG, T (LAST, integer, none), "empty");
  wrong (d, TL_E_ARG, T (PREFIX, list, none), "empty");
  wrong (d, TL_E_ARG, T (SUFFIX, list, none), "empty");
  wrong (d, TL_E_ARG, T (LAST_INDEX, integer, none), "empty");
}

static void sets (void **state) {
  desk *const d = *state;
  tl_term *const s = T (MAKE, set, INT (5), INT (3), INT (5)), *const o =
                                                                   T (MAKE, set,
                                                                      INT (4),
                                                                      INT (5));
  assert_string_equal (text (d, s), "|3,5|");
  assert_string_equal (text (d, T (UNION, set, s, o)), "|3,4,5|");
  assert_string_equal (text (d, T (UNION, set, INT (1), s)), "|1,3,5|");
  assert_string_equal (text (d, T (INTERSECT, set, s, o)), "|5|");
  assert_string_equal (text (d, T (INTERSECT, set, s, INT (3))), "|3|");
  assert_string_equal (text (d, T (INTERSECT, set, INT (4), s)), "||");
  assert_string_equal (text (d, T (REMOVE, set, s, o)), "|3|");
  assert_string_equal (text (d, T (REMOVE, set, s, INT (7))), "|3,5|");
  assert_true (number (d, T (MEMBER, boolean, INT (3), s)));
  assert_false (number (d, T (MEMBER, boolean, INT (4), s)));
  tl_term *const more = T (MAKE, set, INT (1), INT (2), INT (4));
  wrong (d, TL_E_ARG, T (UNION, set, s, more), "capacity exceeded");
}

static void vectors_and_structures (void **state) {
  desk *const d = *state;
  tl_term *const v = T (MAKE, row, INT (7), INT (8));
  assert_string_equal (text (d, v), "[7,8,8,8]");
  assert_int_equal (number (d, T (ELEMENT, integer, v, INT (1))), 7);
  assert_string_equal (text (d, T (WITH_ELEMENT, row, v, INT (4), INT (0))),
                       "[7,8,8,0]");
  tl_term *const g = T (WITH_ELEMENT, grid, T (MAKE, grid, INT (0)), INT (2),
                        RING (3), INT (6));
  assert_int_equal (number (d, T (ELEMENT, integer, g, INT (2), RING (3))), 6);
  assert_int_equal (number (d, T (ELEMENT, integer, g, INT (2), RING (2))), 0);
  tl_term *const zero = term_at (INT (0), 2, 2);
  wrong (d, TL_E_ARG, T (ELEMENT, integer, v, zero), "index out of range");

  tl_term *const p = T (MAKE, pair, INT (1), T (MAKE, list, INT (2)));
  assert_string_equal (text (d, p), "{1,|2|}");
  tl_term *l = T (COMPONENT, list, p);
  l->offset = 1;
  assert_string_equal (text (d, l), "|2|");
  tl_term *with = T (WITH_COMPONENT, pair, p, T (JOIN, list, l, INT (4)));
  with->offset = 1;
  assert_string_equal (text (d, with), "{1,|2,4|}");
  assert_false (number (d, T (EQUAL, boolean, with, p)));
}

static void iterators (void **state) {
  desk *const d = *state;
  tl_arena *const a = &d->arena;
  tl_term *const i = V (small, 2);
  tl_term *const odd =
      T (EQUAL, boolean, T (MODULO, integer, i, INT (2)), INT (1));
#define LOOP(TERM) term_loop (TERM, loop_over (a, d->small, 2), 1)
  assert_int_equal (number (d, LOOP (T (SUM, integer, odd, i))), 4);
  assert_int_equal (number (d, LOOP (T (PRODUCT, integer, 0, i))), 24);
  assert_int_equal (number (d, LOOP (T (CARD, integer, odd))), 2);
  assert_int_equal (number (d, LOOP (T (MIN, small, odd, i))), 1);
  assert_int_equal (number (d, LOOP (T (MAX, small, odd, i))), 3);
  assert_int_equal (number (d, LOOP (T (MAX, small, BOOL (0), i))), 1);
  assert_int_equal (number (d, LOOP (T (MIN, small, BOOL (0), i))), 4);
  assert_true (number (d, LOOP (T (EXISTS, boolean, odd))));
  assert_false (number (d, LOOP (T (FORALL, boolean, 0, odd))));
  assert_true (number (d, LOOP (T (FORALL, boolean, odd, odd))));
  assert_true (number (d, LOOP (T (FORALL, boolean, BOOL (0), BOOL (0)))));
  assert_int_equal (number (d, LOOP (T (SUM, ring, 0, T (CAST, ring, i)))), 0);
  // A range, and one in which the first loop's variable stands.
  tl_loop two[2] = {*loop_over (a, d->small, 2), *loop_over (a, d->small, 3)};
  two[1].first = i;
  assert_int_equal (number (d, term_loop (T (CARD, integer, 0), two, 2)), 10);
  two[1].last = INT (3);
  assert_int_equal (number (d, term_loop (T (CARD, integer, 0), two, 2)), 6);
  two[1].last = INT (9);
  term_at (i, 5, 5);
  wrong (d, TL_E_ARG, term_loop (T (CARD, integer, 0), two, 2), "out of range");
}

static void markings (void **state) {
  desk *const d = *state;
  static const tl_cell token[] = {1, 4, 7};
  static const uint32_t many[] = {2, 1, 5};
  const tl_tokens tokens = {token, many, 3};
  const tl_cplace place = {.cells = 1};
  tl_loop l = {.kind = TL_LOOP_PLACE, .name = "t", .offset = 4};
  tl_term *const large = T (GREATER, boolean, V (integer, 4), INT (2));
  tl_term *const mult = term_loop (T (MULT, integer, large), &l, 1);
  wrong (d, TL_E_ARG, mult, "no marking");
  tl_term *const card = term_of (&d->arena, TL_TERM_PLACE_CARD, d->integer, 0);
  wrong (d, TL_E_ARG, card, "no marking");
  d->e.marking = &tokens;
  d->e.place = &place;
  assert_int_equal (number (d, mult), 6);
  assert_int_equal (number (d, card), 3);
  card->kind = TL_TERM_PLACE_MULT;
  assert_int_equal (number (d, card), 8);
  assert_int_equal (
      number (d, term_loop (T (SUM, integer, 0, V (integer, 4)), &l, 1)), 12);
}

// function fact (int n) -> int { if (n < 2) return 1; return n * fact (n-1); }
static void calls (void **state) {
  desk *const d = *state;
  tl_arena *const a = &d->arena;
  const tl_type *parameter[] = {d->integer};
  uint32_t offset[] = {0};
  tl_function f = {.name = "fact",
                   .where = {4, 4},
                   .type = d->integer,
                   .parameter = parameter,
                   .parameter_offset = offset,
                   .parameters = 1,
                   .frame = 1};
  tl_term *const n = V (integer, 0);
  tl_term *const again =
      term_at (term_call (a, &f, 1, T (SUBTRACT, integer, n, INT (1))), 5, 6);
  tl_statement *const stop =
      statement_of (a, TL_DO_IF, T (LESS, boolean, n, INT (2)), 1,
                    statement_of (a, TL_DO_RETURN, INT (1), 0));
  tl_statement *const go = statement_of (
      a, TL_DO_RETURN, term_at (T (MULTIPLY, integer, n, again), 6, 3), 0);
  f.body = statement_of (a, TL_DO_BLOCK, 0, 2, stop, go);
  assert_int_equal (number (d, term_call (a, &f, 1, INT (5))), 120);
  wrong (d, TL_E_ARG, term_call (a, &f, 1, INT (20)), "32 bits");
  f.body = statement_of (a, TL_DO_BLOCK, 0, 1, go);
  wrong (d, TL_E_LIMIT, term_call (a, &f, 1, INT (5)), "nested deeper");
  f.body = stop;
  wrong (d, TL_E_ARG, term_call (a, &f, 1, INT (5)),
         "no value returned in function fact");
  f.body = statement_of (a, TL_DO_ASSERT, BOOL (0), 0);
  f.body->where = (tl_where){8, 8};
  wrong (d, TL_E_ARG, term_call (a, &f, 1, INT (5)),
         "assertion failed in function fact");
  f.body = statement_of (a, TL_DO_WHILE, BOOL (1), 1,
                         statement_of (a, TL_DO_BLOCK, 0, 0));
  f.body->where = (tl_where){8, 8};
  f.body->body[0]->where = (tl_where){8, 9};
  d->e.steps = 1000;
  wrong (d, TL_E_LIMIT, term_call (a, &f, 1, INT (5)), "does not end");
}

// A deep term in each of many calls must not overflow the stack.
static void deep_terms_in_deep_calls (void **state) {
  desk *const d = *state;
  tl_arena *const a = &d->arena;
  tl_function f = {.name = "f", .type = d->integer};
  tl_term *t = term_call (a, &f, 0);
  for (int i = 0; i < 1000; i++)
    t = term_at (T (MINUS, integer, t), 6, 6);
  f.body = statement_of (a, TL_DO_RETURN, t, 0);
  f.body->where = (tl_where){6, 7};
  wrong (d, TL_E_LIMIT, term_call (a, &f, 0), "nested");
}

// Statements on a frame: r[1] at 0 (row), p at 4 (pair), i at 9.
static void statements (void **state) {
  desk *const d = *state;
  tl_arena *const a = &d->arena;
  tl_function f = {.name = "f", .type = d->row, .frame = 12};
  tl_term *const i = V (small, 9);

  tl_statement *const each =
      statement_of (a, TL_DO_FOR, 0, 1, statement_assign (a, d->row, 0, 0));
  each->loop = loop_over (a, d->small, 9);
  each->loops = 1;
  tl_term *index[] = {i};
  struct tl_target_step step = {.index = index};
  each->body[0]->target.step = &step;
  each->body[0]->target.steps = 1;
  each->body[0]->term = T (MULTIPLY, integer, i, i);

  int64_t choice[] = {3, 1};
  tl_statement *const three =
      statement_of (a, TL_DO_RETURN, T (MAKE, row, INT (3)), 0);
  tl_statement *const other = statement_of (a, TL_DO_RETURN, V (row, 0), 0);
  tl_statement *const pick =
      statement_of (a, TL_DO_CASE, INT (1), 3, three, other, three);
  pick->choice = choice;
  pick->choices = 2;
  f.body = statement_of (a, TL_DO_BLOCK, 0, 2, each, pick);
  assert_string_equal (text (d, term_call (a, &f, 0)), "[1,4,9,16]");
  pick->term = INT (8);
  assert_string_equal (text (d, term_call (a, &f, 0)), "[3,3,3,3]");
  each->body[0] =
      statement_of (a, TL_DO_IF, T (EQUAL, boolean, i, INT (2)), 1, three);
  pick->term = term_at (T (DIVIDE, integer, INT (1), INT (0)), 3, 4);
  assert_string_equal (text (d, term_call (a, &f, 0)), "[3,3,3,3]");

  // p.l := |5, 6|; p.l[2] := 7; return p.l'first .. as a row
  struct tl_target_step inside[] = {{.component = 1}, {.index = index}};
  tl_statement *const whole =
      statement_assign (a, d->pair, 4, T (MAKE, list, INT (5), INT (6)));
  whole->target.step = inside;
  whole->target.steps = 1;
  tl_statement *const one = statement_assign (a, d->pair, 4, INT (7));
  one->target.step = inside;
  one->target.steps = 2;
  tl_statement *const two = statement_assign (a, d->small, 9, INT (2));
  f.type = d->pair;
  f.body = statement_of (a, TL_DO_BLOCK, 0, 4, whole, two, one,
                         statement_of (a, TL_DO_RETURN, V (pair, 4), 0));
  assert_string_equal (text (d, term_call (a, &f, 0)), "{0,|5,7|}");
  two->term = INT (3);
  inside[1].where = (tl_where){2, 9};
  wrong (d, TL_E_ARG, term_call (a, &f, 0), "invalid list index");
}

static void without_memory (void **state) {
  desk *const d = *state;
  tl_term *const s = T (UNION, set, T (MAKE, set, INT (1)), INT (2));
  tl_cell value[8];
  d->mem.fail_after = 0;
  assert_int_equal (tl_evaluate (&d->e, s, d->frame, value), TL_E_NOMEM);
  d->mem.fail_after = -1;
  assert_string_equal (text (d, s), "|1,2|");
}

#define TEST(NAME) cmocka_unit_test_setup_teardown (NAME, begin, end)

int main (void) {
  const struct CMUnitTest tests[] = {
      TEST (arithmetic),
      TEST (wraps),
      TEST (what_is_out_of_range),
      TEST (compares),
      TEST (stops_at_what_is_known),
      TEST (lists),
      TEST (lists_gone_wrong),
      TEST (sets),
      TEST (vectors_and_structures),
      TEST (iterators),
      TEST (markings),
      TEST (calls),
      TEST (deep_terms_in_deep_calls),
      TEST (statements),
      TEST (without_memory),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
