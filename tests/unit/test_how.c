// Names of options become what they stand for, in one place.

#include "check/engine.h"
#include "explore/how.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void orders_and_stores (void **state) {
  (void)state;
  size_t orders, stores;
  const tl_kind_row *order = tl_orders (&orders), *store = tl_stores (&stores);
  tl_options options = tl_options_default ();
  tl_how how;
  assert_int_equal (tl_how_parse (&how, &options, 0), TL_OK);
  assert_null (how.store);
  assert_int_equal (how.keys, TL_KEYS_NUMBERS);
  for (size_t i = 0; i < orders; i++)
    for (size_t k = 0; k < stores; k++) {
      options.order = order[i].name;
      options.store = store[k].name;
      assert_int_equal (tl_how_parse (&how, &options, 0), TL_OK);
      assert_string_equal (how.order->name, order[i].name);
      assert_non_null (how.store);
    }
}

// Collapsed keys are a form of keys; the stores are the table and differences.
static void forms_of_keys (void **state) {
  (void)state;
  static const struct {
    const char *name, *store;
    tl_key_form keys;
  } row[] = {{"plain", "plain", TL_KEYS_CODED},
             {"table", "table", TL_KEYS_CODED},
             {"tree", "tree", TL_KEYS_CODED},
             {"delta", "delta", TL_KEYS_CODED},
             {"collapse", "table", TL_KEYS_COLLAPSED},
             {"delta+collapse", "delta", TL_KEYS_NUMBERS}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    tl_options options = tl_options_default ();
    tl_how how;
    options.store = row[i].name;
    assert_int_equal (tl_how_parse (&how, &options, 0), TL_OK);
    assert_ptr_equal (how.store, tl_store_find (row[i].store));
    assert_int_equal (how.keys, row[i].keys);
  }
}

static void reductions (void **state) {
  (void)state;
  static const char *const name[] = {"none", "deadlock", "property"};
  for (int i = 0; i < 3; i++) {
    tl_options options = tl_options_default ();
    tl_how how;
    options.stubborn = name[i];
    assert_int_equal (tl_how_parse (&how, &options, 0), TL_OK);
    assert_int_equal (how.stubborn, i);
    if (i)
      assert_string_equal (tl_reduction_name (how.stubborn), name[i]);
    else
      assert_null (tl_reduction_name (how.stubborn));
  }
}

static void engines (void **state) {
  (void)state;
  size_t count;
  const tl_kind_row *row = tl_engines (&count);
  tl_options options = tl_options_default ();
  tl_method method;
  for (size_t i = 0; i < count; i++) {
    options.engine = row[i].name;
    assert_int_equal (tl_method_parse (&method, &options, 0), TL_OK);
    assert_true (method.fly || method.graph || method.guided);
    assert_int_equal (method.nested, !!strstr (row[i].name, "nested"));
  }
}

static void unknown_names (void **state) {
  (void)state;
  tl_error err;
  tl_how how;
  tl_method method;
  tl_options options = tl_options_default ();
  options.order = "x";
  assert_int_equal (tl_how_parse (&how, &options, &err), TL_E_ARG);
  assert_string_equal (err.text, "unknown order 'x'");
  options = tl_options_default ();
  options.store = "x";
  assert_int_equal (tl_how_parse (&how, &options, &err), TL_E_ARG);
  assert_string_equal (err.text, "unknown store 'x'");
  options = tl_options_default ();
  options.stubborn = "x";
  assert_int_equal (tl_how_parse (&how, &options, &err), TL_E_ARG);
  assert_string_equal (err.text, "unknown stubborn sets 'x'");
  options.engine = "x";
  assert_int_equal (tl_method_parse (&method, &options, &err), TL_E_ARG);
  assert_string_equal (err.text, "unknown engine 'x'");
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (orders_and_stores), cmocka_unit_test (forms_of_keys),
      cmocka_unit_test (reductions), cmocka_unit_test (engines),
      cmocka_unit_test (unknown_names)};
  return cmocka_run_group_tests_name ("how", tests, 0, 0);
}
