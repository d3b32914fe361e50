// Coloured nets that are compiled, against the same nets run term by term; the
// cache, and what is said where there is no compiler.

#include "explore/explore.h"
#include "lna/lna.h"
#include "compile/compiled.h"

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
  tl_coloured *net = 0;
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
  tl_exploration x = {0};
  tl_options how = tl_options_default ();
  how.order = order;
  if (tl_folded_open (&net, &mem, read_net (&mem, text), when, &err) ||
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

// A cache for one test, and a folder for what is temporary.
typedef struct cache {
  char home[64], folder[80], temporary[80];
} cache;

static void cache_open (cache *c) {
  strcpy (c->home, P_tmpdir "/tideline-test-XXXXXX");
  assert_non_null (mkdtemp (c->home));
  snprintf (c->folder, sizeof c->folder, "%s/tideline", c->home);
  snprintf (c->temporary, sizeof c->temporary, "%s/tmp", c->home);
  assert_int_equal (mkdir (c->temporary, 0700), 0);
  setenv ("XDG_CACHE_HOME", c->home, 1);
  setenv ("TMPDIR", c->temporary, 1);
}

static void cache_close (const cache *c) {
  char clear[96];
  snprintf (clear, sizeof clear, "rm -r %s", c->home);
  assert_int_equal (system (clear), 0);
  setenv ("XDG_CACHE_HOME", "/dev/null", 1);
  unsetenv ("TMPDIR");
}

static void explored_from_cache (const char *text) {
  char *path = strdup (getenv ("PATH"));
  setenv ("PATH", "/nowhere", 1);
  explored (text, TL_COMPILE_NOW, "bfs");
  setenv ("PATH", path, 1);
  free (path);
}

static void test_cache (void **state) {
  (void)state;
  cache c;
  cache_open (&c);
  explored (everything, TL_COMPILE_NOW, "bfs");
  assert_int_equal (files (c.folder), 1);
  explored_from_cache (everything);
  // Nobody else may write there.
  assert_int_equal (chmod (c.folder, 0777), 0);
  explored ("n { place p { dom : int; init : <( 1 )>; } }", TL_COMPILE_NOW,
            "bfs");
  assert_int_equal (files (c.folder), 1);
  assert_int_equal (files (c.temporary), 0);
  cache_close (&c);
}

// ---- Files that are not as they were ----------------------------------------

static const char small[] =
    "n { type num : range 0 .. 5; place p { dom : num; init : <( 0 )>; }\n"
    "  transition t { in { p : <( x )>; } out { p : <( x + 1 )>; }\n"
    "    guard : x < 5; } }\n";

static void find_file (const cache *c, char *path, size_t size) {
  DIR *d = opendir (c->folder);
  const struct dirent *e;
  assert_non_null (d);
  while ((e = readdir (d)) && *e->d_name == '.')
    ;
  assert_non_null (e);
  snprintf (path, size, "%s/%s", c->folder, e->d_name);
  closedir (d);
}

// Writes other bytes from an offset on.
static void scribble (const char *path, long offset, size_t count) {
  FILE *f = fopen (path, "r+b");
  assert_non_null (f);
  fseek (f, offset, SEEK_SET);
  for (size_t i = 0; i < count; i++) {
    const int byte = getc (f);
    fseek (f, -1, SEEK_CUR);
    putc (~byte & 0xff, f);
    fseek (f, 0, SEEK_CUR);
  }
  fclose (f);
}

// It is not used, but made again.
static void is_mended (const char *path) {
  struct stat is;
  assert_int_equal (explored (small, TL_COMPILE_NOW, "bfs").states, 6);
  assert_int_equal (lstat (path, &is), 0);
  assert_true (S_ISREG (is.st_mode));
  assert_int_equal (is.st_mode & 0777, 0700);
  explored_from_cache (small);
}

static void test_damaged (void **state) {
  (void)state;
  cache c;
  char path[400];
  struct stat is;
  cache_open (&c);
  explored (small, TL_COMPILE_NOW, "bfs");
  find_file (&c, path, sizeof path);
  assert_int_equal (stat (path, &is), 0);
  const long size = is.st_size;
  const long cut[] = {0, 1, 40, 4096, size / 2, size - 1};
  for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
    assert_int_equal (truncate (path, cut[i]), 0);
    is_mended (path);
  }
  const long changed[] = {0, 16, 64, 4096, size / 2, size - 100, size - 8};
  for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
    scribble (path, changed[i], 8);
    is_mended (path);
  }
  assert_int_equal (files (c.folder), 1);
  cache_close (&c);
}

static void test_not_our_own (void **state) {
  (void)state;
  cache c;
  char path[400], other[100];
  cache_open (&c);
  explored (small, TL_COMPILE_NOW, "bfs");
  find_file (&c, path, sizeof path);
  assert_int_equal (chmod (path, 0722), 0);
  is_mended (path);
  snprintf (other, sizeof other, "%s/other", c.home);
  assert_int_equal (rename (path, other), 0);
  assert_int_equal (symlink (other, path), 0);
  is_mended (path);
  assert_int_equal (files (c.folder), 1);
  cache_close (&c);
}

static void test_no_compiler (void **state) {
  (void)state;
  cache c;
  cache_open (&c);
  char *path = strdup (getenv ("PATH"));
  setenv ("PATH", "/nowhere", 1);
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  tl_net *net;
  const tl_status rc = tl_folded_open (&net, &mem, read_net (&mem, everything),
                                       TL_COMPILE_NOW, &err);
  const tl_exploration x = explored (everything, TL_COMPILE_AUTO, "bfs");
  setenv ("PATH", path, 1);
  free (path);
  assert_int_equal (rc, TL_E_ARG);
  assert_non_null (strstr (err.text, "no C compiler"));
  assert_int_equal (mem.used, 0);
  assert_true (x.complete);
  assert_int_equal (files (c.folder), 0);
  assert_int_equal (files (c.temporary), 0);
  cache_close (&c);
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
    assert_int_equal (tl_folded_open (&net, &mem, read_net (&mem, wrong),
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
      cmocka_unit_test (test_everything),  cmocka_unit_test (test_cache),
      cmocka_unit_test (test_damaged),     cmocka_unit_test (test_not_our_own),
      cmocka_unit_test (test_no_compiler), cmocka_unit_test (test_wrong)};
  return cmocka_run_group_tests (tests, 0, 0);
}
