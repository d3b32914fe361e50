// Tables of numbers that begin anew: states are the same under other numbers.

#include "base/input.h"
#include "model/model.h"
#include "read/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STATES = 400, ENABLED = TL_MACHINE_MOST_ENABLED, WORDS = 8 };

typedef struct walk {
  tl_machine *machine;
  tl_fault fault;
  tl_mem mem;
  uint32_t words, count;
  uint64_t key[STATES][WORDS];
  char *steps[STATES]; // in words
} walk;

static uint32_t event[ENABLED];

static bool is_known (const walk *w, const uint64_t *key) {
  for (uint32_t i = 0; i < w->count; i++)
    if (!memcmp (w->key[i], key, w->words * sizeof *key))
      return true;
  return false;
}

// All that is enabled in a state, in words.
static char *list_steps (walk *w, const uint64_t *key) {
  char *text = 0;
  size_t size;
  FILE *f = open_memstream (&text, &size);
  const uint32_t n = tl_machine_enabled (w->machine, key, event);
  for (uint32_t i = 0; i < n; i++)
    fprintf (f, "%s\n", tl_machine_event_name (w->machine, event[i]));
  assert_int_equal (fclose (f), 0);
  assert_int_equal (w->fault.failed, TL_OK);
  return text;
}

// The states from here on, breadth-first, as far as keys do not get longer.
static void explore (walk *w, uint32_t from) {
  for (uint32_t at = from; at < w->count; at++) {
    uint64_t next[WORDS];
    const uint32_t n = tl_machine_enabled (w->machine, w->key[at], event);
    for (uint32_t i = 0; i < n && w->count < STATES; i++) {
      while (!tl_machine_steps (w->machine, w->key[at], event + i, 1, next)) {
        uint64_t wider[WORDS];
        assert_int_equal (tl_machine_widen (w->machine), TL_OK);
        w->words = tl_machine_see (w->machine)->key_words;
        assert_true (w->words <= WORDS);
        for (uint32_t k = 0; k < w->count; k++) {
          tl_machine_convert (w->machine, w->key[k], wider);
          memcpy (w->key[k], wider, w->words * sizeof *wider);
        }
      }
      if (!is_known (w, next))
        memcpy (w->key[w->count++], next, w->words * sizeof *next);
    }
  }
}

static void try_form (const tl_net *net, tl_key_form form, uint32_t states) {
  walk *w = calloc (1, sizeof *w);
  uint64_t key[WORDS];
  assert_non_null (w);
  w->mem = TL_MEM (0, "machine");
  assert_int_equal (tl_machine_open (&w->machine, net, form, true, &w->mem,
                                     &w->mem, &w->fault),
                    TL_OK);
  w->words = tl_machine_see (w->machine)->key_words;
  assert_int_equal (tl_machine_initial (w->machine, w->key[0]), TL_OK);
  w->count = 1;
  explore (w, 0);
  assert_int_equal (w->count, states);
  for (uint32_t i = 0; i < w->count; i++)
    w->steps[i] = list_steps (w, w->key[i]);
  // Every third state is forgotten, the last ones come first.
  assert_int_equal (tl_machine_collect (w->machine), TL_OK);
  assert_int_equal (tl_machine_see (w->machine)->key_words, w->words);
  for (uint32_t i = w->count; i--;)
    if (i % 3) {
      tl_machine_convert (w->machine, w->key[i], key);
      memcpy (w->key[i], key, w->words * sizeof *key);
    }
  tl_machine_settle (w->machine);
  assert_int_equal (tl_machine_initial (w->machine, key), TL_OK);
  for (uint32_t i = 0; i < w->count; i++) {
    uint64_t seen[16];
    if (i % 3 == 0)
      continue;
    char *steps = list_steps (w, w->key[i]);
    assert_string_equal (steps, w->steps[i]);
    assert_memory_not_equal (w->key[i], key, w->words * sizeof *key);
    tl_machine_observe (w->machine, w->key[i], seen);
    assert_int_equal (seen[net->places - 1], 0); // it is not the initial one
    free (steps);
  }
  // From the beginning there are as many as before.
  memcpy (w->key[0], key, w->words * sizeof *key);
  w->count = 1;
  explore (w, 0);
  assert_int_equal (w->count, states);
  for (uint32_t i = 0; i < states; i++)
    free (w->steps[i]);
  tl_machine_close (w->machine);
  assert_int_equal (w->mem.used, 0);
  free (w);
}

static void test_collect (void **state) {
  (void)state;
  static const struct {
    const char *family;
    uint64_t size;
    uint32_t states;
  } nets[] = {{"dbm", 4, 109}, {"dining", 4, 127}};
  for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
    tl_mem mem = TL_MEM (0, "net");
    tl_settings settings = {.size = sizeof settings, .no_unfold = true};
    tl_error err = {0};
    tl_input in;
    tl_net *net;
    char *text;
    assert_int_equal (
        tl_example_coloured (&text, nets[i].family, 1, &nets[i].size, 0),
        TL_OK);
    settings.compile = TL_COMPILE_NEVER;
    tl_input_open_memory (&in, "x.lna", text, strlen (text));
    assert_int_equal (tl_read_net_as (&net, &mem, &in, "lna", &settings, &err),
                      TL_OK);
    tl_input_close (&in);
    try_form (net, TL_KEYS_NUMBERS, nets[i].states);
    tl_divide_early = true;
    try_form (net, TL_KEYS_NUMBERS, nets[i].states);
    tl_divide_early = false;
    try_form (net, TL_KEYS_COLLAPSED, nets[i].states);
    try_form (net, TL_KEYS_CODED, nets[i].states);
    tl_net_close (net);
    tl_text_close (text);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (test_collect)};
  return cmocka_run_group_tests (tests, 0, 0);
}
