// Keys that are codes, in the hands of a compiled kernel and of tables: two
// machines of one net, side by side, state by state.

#include "base/input.h"
#include "compile/compiled.h"
#include "lna/lna.h"
#include "machine/parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STATES = 500, ENABLED = TL_MACHINE_MOST_ENABLED, WORDS = 8, SEEN = 16 };

// Tokens of several parts and types, lets, picks, guards, labels with loops and
// conditions, several of one token, and a place that follows from another.
static const char everything[] =
    "all (N := 3) {\n"
    "  type id : range 1 .. N; type turn : mod 4;\n"
    "  type colour : enum (red, green, blue);\n"
    "  type pair : struct { id who; colour what; };\n"
    "  type row : vector [bool] of turn;\n"
    "  place idle { dom : id; init : for (i in id) <( i )>; }\n"
    "  place busy { dom : id; }\n"
    "  place mail { dom : pair * id; }\n"
    "  place rows { dom : row; init : <( [0, 1] )>; }\n"
    "  place coins { dom : turn; capacity : 9;\n"
    "    init : 3*<( 0 )> + 2*<( 1 )> + 2*<( 3 )>; }\n"
    "  type far : mod 10;\n"
    "  type some : list [nat] of far with capacity 4;\n"
    "  constant some ends := |3, 7, 9, 7|;\n"
    "  place at { dom : far; init : <( 5 )>; }\n"
    "  place grid { dom : far * far; init : for (x in far) <( x, 9 )>; }\n"
    "  place purse { dom : epsilon; init : 3*epsilon; capacity : 9; }\n"
    "  place bank { dom : epsilon; capacity : 9; }\n"
    "  place ticks { dom : epsilon; init : epsilon; }\n"
    "  transition start { in { idle : <( i )>; }\n"
    "    out { busy : <( i )>; mail : for (j in id) if (j != i)\n"
    "      <( {i, c}, j )>; } pick { c in colour; }\n"
    "    guard : c != red and (c = green or i > 1); }\n"
    "  transition read { in { idle : <( i )>; mail : <( p, i )>; }\n"
    "    out { mail : <( {(p.who), red}, i )>; idle : <( i )>; }\n"
    "    guard : p.what != red; }\n"
    "  transition done { in { busy : <( i )>;\n"
    "      mail : for (j in id) if (j != i) <( {i, red}, j )>; }\n"
    "    out { idle : <( i )>; } }\n"
    "  transition turn { in { rows : <( r )>; coins : 2*<( t )>; }\n"
    "    out { rows : <( r :: ([true] := s) )>;\n"
    "      coins : <( t )> + <( s )>; } let { turn s := t + 1; }\n"
    "    guard : r [false] != s; }\n"
    "  transition twice { in { coins : <( t )> + <( u )>; ticks : epsilon; }\n"
    "    out { coins : 2*<( t )>; ticks : epsilon; }\n"
    "    guard : u = t or u = t + 1; }\n"
    "  transition move { in { at : <( e )>; grid : <( e + 1, b )>; }\n"
    "    out { at : <( e + 1 )>; grid : <( e + 1, b + 1 )>; } }\n"
    "  transition pay { in { purse : epsilon; } out { bank : epsilon; }\n"
    "    pick { c in ends; } guard : c != 3; }\n"
    "  transition earn { in { bank : 2*epsilon; } out { purse : 2*epsilon; } "
    "}\n"
    "  proposition rich : exists (x in coins | x->1 = 3);\n"
    "}\n";

// Priorities that depend on the marking, and what inhibits.
static const char ranked[] =
    "ranked { type id : mod 5;\n"
    "  place a { dom : id * id; init : <( 0, 1 )> + <( 1, 3 )> + <( 2, 2 )>; "
    "}\n"
    "  place b { dom : id; init : <( 3 )>; }\n"
    "  transition t { in { a : <( i, j )>; } out { a : <( j, i + 1 )>; }\n"
    "    inhibit { a : <( j, i + 1 )>; } priority : int (i); }\n"
    "  transition u { in { b : <( k )>; } out { b : <( k + 1 )>; }\n"
    "    inhibit { a : <( k, l )>; b : <( k )>; }\n"
    "    priority : a'card > 2 ? 2 : 1; } }\n";

// One of two gives too much: a place over its capacity.
static const char wrong[] =
    "wrong { type id : range 0 .. 5;\n"
    "  place a { dom : id; init : <( 0 )>; }\n"
    "  place b { dom : id; init : <( 4 )>; }\n"
    "  transition t { in { a : <( i )>; } out { a : <( i + 1 )>; }\n"
    "    guard : i < 4; }\n"
    "  transition u { in { a : <( i )>; } out { b : <( i )>; }\n"
    "    guard : i > 3; } }\n";

// A place with fewer tokens than it is said to have.
static const char empty[] =
    "none { type id : range 0 .. 5;\n"
    "  place a { dom : id; init : <( 0 )>; tokens : 1 .. 2; }\n"
    "  place b { dom : id; init : for (i in id) <( i )>; }\n"
    "  transition t { in { b : <( i )>; } out { } }\n"
    "  transition u { in { a : <( i )>; b : <( 5 )>; } out { } } }\n";

typedef struct side {
  tl_mem mem;
  tl_net *net;
  tl_machine *machine;
  tl_fault fault;
  uint32_t event[ENABLED];
  uint32_t count;
} side;

static void open_side (side *s, const char *text, tl_compile when) {
  tl_input in;
  tl_coloured *net = 0;
  tl_error err = {0};
  s->mem = TL_MEM (0, "net");
  tl_input_open_memory (&in, "x.lna", text, strlen (text));
  if (tl_input_next (&in, &err) || tl_read_lna (&net, &s->mem, &in, 0, &err) ||
      tl_folded_open (&s->net, &s->mem, net, when, &err))
    fail_msg ("%ld:%ld: %s", err.line, err.column, err.text);
  tl_input_close (&in);
  assert_int_equal (tl_machine_open (&s->machine, s->net, TL_KEYS_CODED, true,
                                     &s->mem, &s->mem, &s->fault),
                    TL_OK);
}

static void close_side (side *s) {
  tl_machine_close (s->machine);
  tl_net_close (s->net);
  assert_int_equal (s->mem.used, 0);
  free (s);
}

typedef struct pair {
  side *tables, *kernel;
  uint64_t key[STATES][WORDS];
  uint32_t states, words;
} pair;

static bool is_known (const pair *p, const uint64_t *key) {
  for (uint32_t i = 0; i < p->states; i++)
    if (!memcmp (p->key[i], key, p->words * sizeof *key))
      return true;
  return false;
}

static void widen (pair *p) {
  assert_int_equal (tl_machine_widen (p->tables->machine), TL_OK);
  assert_int_equal (tl_machine_widen (p->kernel->machine), TL_OK);
  p->words = tl_machine_see (p->kernel->machine)->key_words;
  assert_int_equal (p->words, tl_machine_see (p->tables->machine)->key_words);
  assert_true (p->words <= WORDS); // keys have zeros behind them
}

static void list (side *s, const uint64_t *key) {
  s->count = tl_machine_enabled (s->machine, key, s->event);
}

// The hash is the same before there is a kernel.
static void same_hash (tl_machine *m, const uint64_t *key) {
  const uint64_t hash = tl_machine_hash (m, key);
  const tl_kernel *code = m->kernel.code;
  const tl_kernel_plan *plan = m->compiled.plan;
  m->kernel.code = 0;
  m->compiled.plan = 0;
  assert_true (tl_machine_hash (m, key) == hash);
  m->kernel.code = code;
  m->compiled.plan = plan;
}

static void same_sight (pair *p, const uint64_t *key) {
  uint64_t seen[SEEN], other[SEEN];
  assert_true (p->kernel->net->places <= SEEN);
  tl_machine_observe (p->tables->machine, key, seen);
  tl_machine_observe (p->kernel->machine, key, other);
  assert_memory_equal (seen, other, p->kernel->net->places * sizeof *seen);
  const tl_tokens *tokens = tl_machine_marking (p->kernel->machine, key);
  for (uint32_t i = 0; i < p->kernel->net->folded->counted; i++) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < tokens[i].count; k++)
      sum += tokens[i].many[k];
    assert_int_equal (sum, seen[i]);
  }
  same_hash (p->kernel->machine, key);
}

// A step of one event, forth and back.
static void same_step (pair *p, const uint64_t *from, uint32_t i) {
  side *a = p->tables, *b = p->kernel;
  uint64_t next[WORDS] = {0}, other[WORDS] = {0};
  assert_string_equal (tl_machine_event_name (a->machine, a->event[i]),
                       tl_machine_event_name (b->machine, b->event[i]));
  for (;;) {
    const uint32_t made =
        tl_machine_steps (a->machine, from, a->event + i, 1, next);
    assert_int_equal (
        tl_machine_steps (b->machine, from, b->event + i, 1, other), made);
    if (made || a->fault.failed)
      break;
    widen (p);
  }
  assert_int_equal (a->fault.failed, b->fault.failed);
  if (a->fault.failed)
    return;
  assert_memory_equal (next, other, p->words * sizeof *next);
  assert_int_equal (tl_machine_hash (b->machine, from) +
                        tl_machine_change (b->machine, b->event[i]),
                    tl_machine_hash (b->machine, next));
  assert_true (tl_machine_undo (b->machine, b->event[i], other));
  assert_memory_equal (other, from, p->words * sizeof *next);
  if (!is_known (p, next) && p->states < STATES)
    memcpy (p->key[p->states++], next, p->words * sizeof *next);
}

static bool fails (const pair *p) {
  return p->tables->fault.failed;
}

// All states, or the first ones; an error of the model ends it.
static uint32_t walk (const char *text, char *told, size_t size) {
  pair *p = calloc (1, sizeof *p);
  p->tables = calloc (1, sizeof *p->tables);
  p->kernel = calloc (1, sizeof *p->kernel);
  open_side (p->tables, text, TL_COMPILE_NEVER);
  open_side (p->kernel, text, TL_COMPILE_NOW);
  p->words = tl_machine_see (p->kernel->machine)->key_words;
  assert_int_equal (tl_machine_initial (p->kernel->machine, p->key[0]), TL_OK);
  p->states = 1;
  for (uint32_t at = 0; !fails (p) && at < p->states; at++) {
    same_sight (p, p->key[at]);
    list (p->tables, p->key[at]);
    list (p->kernel, p->key[at]);
    assert_int_equal (p->tables->count, p->kernel->count);
    for (uint32_t i = 0; !fails (p) && i < p->tables->count; i++)
      same_step (p, p->key[at], i);
  }
  assert_non_null (p->kernel->machine->kernel.code);
  assert_int_equal (tl_machine_see (p->tables->machine)->most_alike,
                    tl_machine_see (p->kernel->machine)->most_alike);
  assert_int_equal (tl_machine_see (p->tables->machine)->longest_code,
                    tl_machine_see (p->kernel->machine)->longest_code);
  assert_string_equal (p->tables->fault.error.text,
                       p->kernel->fault.error.text);
  if (told)
    snprintf (told, size, "%s", p->kernel->fault.error.text);
  const uint32_t states = p->states;
  close_side (p->tables);
  close_side (p->kernel);
  free (p);
  return states;
}

static void goes_on_as_tables_do (void **context) {
  (void)context;
  assert_true (walk (everything, 0, 0) > 300);
  assert_true (walk (ranked, 0, 0) > 20);
}

static void tells_faults_as_tables_do (void **context) {
  char told[200];
  (void)context;
  walk (wrong, told, sizeof told);
  assert_non_null (strstr (told, "capacity exceeded: place b"));
  walk (empty, told, sizeof told);
  assert_non_null (strstr (told, "place a gets 0 tokens"));
}

int main (void) {
  setenv ("XDG_CACHE_HOME", "/dev/null", 1); // keep nothing
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (goes_on_as_tables_do),
      cmocka_unit_test (tells_faults_as_tables_do)};
  return cmocka_run_group_tests (tests, 0, 0);
}
