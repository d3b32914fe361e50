// Coloured nets that are compiled, against the same nets run term by term; the
// cache, and what is said where there is no compiler.

#include "explore/explore.h"
#include "lna/lna.h"
#include "machine/machine.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

// Every kind of type, term and statement.
static const char everything[] =
    "all (N := 3) {\n"
    "  type id : range 0 .. N; type turn : mod 4;\n"
    "  type colour : enum (red, green, blue);\n"
    "  type pair : struct { id who; colour what; };\n"
    "  type row : vector [id] of turn;\n"
    "  type queue : list [id] of pair with capacity 3;\n"
    "  type bunch : set of id with capacity 4;\n"
    "  constant row none := [0];\n"
    "  function all (row r) -> int { int s := 0;\n"
    "    for (i in id) s := s + int (r [i]); return s; }\n"
    "  function fact (int n) -> int {\n"
    "    if (n <= 1) return 1; return n * fact (n - 1); }\n"
    "  function next (colour c) -> colour {\n"
    "    case (c) { red: return green; green: return blue;\n"
    "      default: return red; } }\n"
    "  function half (int n) -> int { int a := n; int b := 0;\n"
    "    while (a > 1) { a := a - 2; b := b + 1; } return b; }\n"
    "  function turned (row r, id i) -> row { row s := r;\n"
    "    s [i] := s [i] + turn (1); return s; }\n"
    "  place q { dom : queue; init : <( empty )>; }\n"
    "  place v { dom : row; init : <( none )>; }\n"
    "  place s { dom : bunch; init : <( empty )>; }\n"
    "  place c { dom : pair; init : <( {0, red} )> + <( {1, blue} )>; }\n"
    "  transition push { in { q : <( l )>; c : <( p )>; }\n"
    "    out { q : <( l & p )>; c : <( {(p.who), next (p.what)} )>; }\n"
    "    guard : not l'full and (l'empty or l'last.what != p.what); }\n"
    "  transition pop { in { q : <( l )>; v : <( r )>; }\n"
    "    out { q : <( l'suffix )>; v : <( turned (r, l'first.who) )>; }\n"
    "    guard : not l'empty and all (r) < half (fact (N) + 1); }\n"
    "  transition note { in { s : <( b )>; v : <( r )>; }\n"
    "    out { s : <( b or i )>; v : <( r :: ([i] := 0) )>; }\n"
    "    pick { i in id; }\n"
    "    guard : r [i] > 0 and not (i in b); }\n"
    "  transition forget { in { s : <( b )>; }\n"
    "    out { s : <( b - i )>; } pick { i in b; } guard : b'size > 1 ? true : "
    "b'full; }\n"
    "  proposition busy : exists (x in q | x->1'size = 3);\n"
    "  proposition even : sum (x in v : int (x->1 [0])) % 2 = 0;\n"
    "  proposition few : card (x in c) <= 2 and s'card = 1;\n"
    "}\n";

static tl_coloured *read_net (tl_mem *mem, const char *text) {
  tl_input in;
  tl_coloured *net;
  tl_error err = {0};
  tl_input_open_memory (&in, "x.lna", text, strlen (text));
  if (tl_input_next (&in, &err) || tl_read_lna (&net, mem, &in, 0, &err))
    fail_msg ("%ld:%ld: %s", err.line, err.column, err.text);
  return net;
}

static tl_exploration explored (const char *text, tl_compile when,
                                const char *order) {
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  tl_net *net;
  tl_exploration x;
  tl_options how = tl_options_default ();
  how.order = order;
  if (tl_machine_open (&net, &mem, read_net (&mem, text), when, &err) ||
      tl_explore (net, &how, &x, &err))
    fail_msg ("%s", err.text);
  const tl_exploration figures = x;
  tl_exploration_close (&x);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
  return figures;
}

static void test_everything (void **state) {
  (void)state;
  const tl_exploration a = explored (everything, TL_COMPILE_NEVER, "bfs"),
                       b = explored (everything, TL_COMPILE_NOW, "bfs"),
                       c = explored (everything, TL_COMPILE_NOW, "dfs");
  assert_true (a.complete && b.complete && c.complete);
  assert_true (a.states > 1000);
  assert_int_equal (a.states, b.states);
  assert_int_equal (a.arcs, b.arcs);
  assert_int_equal (a.deadlocks, b.deadlocks);
  assert_int_equal (a.states, c.states);
  assert_int_equal (a.arcs, c.arcs);
}

static unsigned files (const char *folder) {
  DIR *d = opendir (folder);
  unsigned n = 0;
  while (d && readdir (d))
    n++;
  if (d)
    closedir (d);
  return n < 2 ? 0 : n - 2;
}

static void test_cache (void **state) {
  (void)state;
  char cache[] = P_tmpdir "/tideline-test-XXXXXX", folder[64], clear[96];
  assert_non_null (mkdtemp (cache));
  snprintf (folder, sizeof folder, "%s/tideline", cache);
  snprintf (clear, sizeof clear, "rm -r %s", cache);
  setenv ("XDG_CACHE_HOME", cache, 1);
  explored (everything, TL_COMPILE_NOW, "bfs");
  assert_int_equal (files (folder), 2); // the text and the object
  char *path = strdup (getenv ("PATH"));
  setenv ("PATH", "/nowhere", 1); // so it must come from there
  explored (everything, TL_COMPILE_NOW, "bfs");
  setenv ("PATH", path, 1);
  free (path);
  // Nobody else may write there.
  assert_int_equal (chmod (folder, 0777), 0);
  explored ("n { place p { dom : int; init : <( 1 )>; } }", TL_COMPILE_NOW,
            "bfs");
  assert_int_equal (files (folder), 2);
  assert_int_equal (system (clear), 0);
  setenv ("XDG_CACHE_HOME", "/dev/null", 1);
}

static void test_no_compiler (void **state) {
  (void)state;
  char *path = strdup (getenv ("PATH"));
  setenv ("PATH", "/nowhere", 1);
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  tl_net *net;
  const tl_status rc = tl_machine_open (&net, &mem, read_net (&mem, everything),
                                        TL_COMPILE_NOW, &err);
  const tl_exploration x = explored (everything, TL_COMPILE_AUTO, "bfs");
  setenv ("PATH", path, 1);
  free (path);
  assert_int_equal (rc, TL_E_ARG);
  assert_non_null (strstr (err.text, "no C compiler"));
  assert_int_equal (mem.used, 0);
  assert_true (x.complete);
}

// What goes wrong is said as without a compiler.
static void test_wrong (void **state) {
  (void)state;
  static const char wrong[] =
      "n { type small : range 0 .. 3;\n"
      "  function f (int n) -> int { return 12 / (3 - n); }\n"
      "  place p { dom : small; init : <( 0 )>; }\n"
      "  transition t { in { p : <( i )>; } out { p : <( small (int (i) + 1) "
      ")>; }\n"
      "    let { int k := f (int (i)); } guard : k > 0; } }\n";
  char said[2][sizeof (tl_error){0}.text];
  for (int i = 0; i < 2; i++) {
    tl_mem mem = TL_MEM (0, "net");
    tl_error err = {0};
    tl_net *net;
    tl_exploration x;
    const tl_options how = tl_options_default ();
    assert_int_equal (tl_machine_open (&net, &mem, read_net (&mem, wrong),
                                       i ? TL_COMPILE_NOW : TL_COMPILE_NEVER,
                                       &err),
                      TL_OK);
    assert_int_equal (tl_explore (net, &how, &x, &err), TL_OK);
    assert_int_equal (x.stop, TL_STOP_FAULT);
    strcpy (said[i], x.fault.text);
    tl_exploration_close (&x);
    tl_net_close (net);
  }
  assert_string_equal (said[0], said[1]);
  assert_non_null (strstr (said[0], "division by 0"));
}

int main (void) {
  setenv ("XDG_CACHE_HOME", "/dev/null", 1); // keep nothing
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_everything), cmocka_unit_test (test_cache),
      cmocka_unit_test (test_no_compiler), cmocka_unit_test (test_wrong)};
  return cmocka_run_group_tests (tests, 0, 0);
}
