// Condensed graphs: built, written, read back and walked through.

#include "../brute.h"
#include "../random_measure.h"
#include "../random_net.h"

#include "base/random.h"
#include "graph/construct.h"
#include "graph/file.h"
#include "graph/walk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum {
  NETS = 300,
  SWEEPS = 3, // of each of these
  CAP = 2000, // states
  NOISE = 20000
};

static char path[64];

static int make_path (void **state) {
  (void)state;
  strcpy (path, "graph-XXXXXX");
  const int fd = mkstemp (path);
  return fd < 0 || close (fd);
}

static int remove_path (void **state) {
  (void)state;
  return unlink (path);
}

static tl_net *example (const char *family, uint64_t size) {
  tl_net *net;
  assert_int_equal (tl_net_example (&net, family, 1, &size, 0), TL_OK);
  return net;
}

static void save_by (const tl_net *net, const tl_options *options) {
  tl_condensed *graph;
  tl_exploration run;
  assert_int_equal (tl_condensed_build (&graph, net, options, &run, 0), TL_OK);
  assert_non_null (graph);
  assert_int_equal (tl_condensed_save (graph, path, 0), TL_OK);
  tl_condensed_close (graph);
  tl_exploration_close (&run);
}

static void save (const tl_net *net) {
  const tl_options options = tl_options_default ();
  save_by (net, &options);
}

// ---- Against brute force ---------------------------------------------------

// The states of a graph, each with its marking, which is that of one of the
// states of the brute force; of an unfolded graph several may have the same.
typedef struct comparison {
  const brute *brute;
  uint64_t *marking;   // [places]
  uint64_t *state_of;  // [states of the graph] plus one, 0: not visited
  uint64_t *number_of; // [states] some state of the graph plus one
  uint64_t visited, markings, arcs;
  bool arcs_too;
} comparison;

static tl_status compare_state (void *context, const tl_walk_visit *v) {
  comparison *c = context;
  const tl_visit *visit = &v->visit;
  tl_layout_unpack (visit->layout, visit->state, c->marking);
  const uint64_t state = brute_find (c->brute, c->marking);
  assert_true (state != BRUTE_NONE);
  if (!c->arcs_too) {
    assert_int_equal (c->state_of[v->number], 0); // for the first time
    c->state_of[v->number] = state + 1;
    c->markings += !c->number_of[state];
    c->number_of[state] = v->number + 1;
    c->visited++;
    return TL_OK;
  }
  assert_int_equal (c->state_of[v->number], state + 1);
  for (uint32_t i = 0; i < visit->enabled_count; i++, c->arcs++) {
    tl_layout_unpack (visit->layout, visit->state, c->marking);
    assert_true (brute_enabled (c->brute->net, c->marking, visit->enabled[i]));
    brute_fire (c->brute->net, c->marking, visit->enabled[i]);
    const uint64_t target = brute_find (c->brute, c->marking);
    assert_true (target != BRUTE_NONE);
    assert_int_equal (c->state_of[v->target[i]], target + 1);
  }
  return TL_OK;
}

typedef tl_status walk_through (const tl_graph *, tl_mem *, const tl_net *,
                                const uint64_t *most, tl_walk_step *,
                                void *context);

static void walk (comparison *c, tl_mem *mem, const tl_graph_file *file,
                  walk_through *through) {
  assert_int_equal (
      through (file->graph, mem, c->brute->net, file->most, compare_state, c),
      TL_OK);
}

// Ways to some states lead there.
static void compare_paths (const comparison *c, uint64_t states) {
  const brute *b = c->brute;
  tl_condensed *graph;
  assert_int_equal (tl_condensed_open (&graph, path, 0), TL_OK);
  for (uint64_t state = 0; state < b->states; state += 1 + b->states / 10) {
    tl_trace trace;
    assert_int_equal (
        tl_condensed_path (graph, c->number_of[state] - 1, &trace, 0), TL_OK);
    assert_true (
        brute_replay (b->net, trace.transition, trace.length, c->marking));
    assert_int_equal (brute_find (b, c->marking), state);
    tl_condensed_path_close (&trace);
  }
  assert_int_equal (tl_condensed_path (graph, states, &(tl_trace){0}, 0),
                    TL_E_ARG);
  tl_condensed_close (graph);
}

// With all markings and all arcs the graph is bisimilar to that of the brute
// force, and with no marking twice it is the same.  True: that is so.
static bool compare_net (const tl_net *net, const brute *b,
                         const tl_options *options) {
  tl_mem mem = TL_MEM (0, "graph");
  tl_graph_file file;
  save_by (net, options);
  assert_int_equal (tl_graph_file_open (&file, &mem, path, 0), TL_OK);
  const tl_graph *g = file.graph;
  const bool same = g->states == b->states;
  assert_true (!g->markings || g->markings == b->states);
  assert_int_equal (file.places, net->places);
  comparison c = {.brute = b,
                  .marking = calloc (net->places + 1, sizeof *c.marking),
                  .state_of = calloc (g->states, sizeof *c.state_of),
                  .number_of = calloc (b->states, sizeof *c.number_of)};
  walk (&c, &mem, &file, tl_graph_walk);
  assert_int_equal (c.visited, g->states);
  assert_int_equal (c.markings, b->states);
  c.arcs_too = true; // and every state has the same marking again
  walk (&c, &mem, &file, tl_graph_walk_arcs);
  assert_int_equal (c.arcs, g->arcs);
  assert_true (!same || g->arcs == b->arcs);
  compare_paths (&c, g->states);
  free (c.marking);
  free (c.state_of);
  free (c.number_of);
  tl_graph_file_close (&file);
  assert_int_equal (mem.used, 0);
  return same;
}

static void compare_sweeps (const tl_net *net, const brute *b,
                            tl_random *random, uint64_t *unfolded) {
  for (int i = 0; i < SWEEPS; i++) {
    random_measure measure;
    tl_options options = tl_options_default ();
    options.order = "sweep";
    random_measure_pick (&measure, random, net->places, &options);
    *unfolded += !compare_net (net, b, &options);
  }
}

static void random_nets (void **state) {
  (void)state;
  random_net *sketch = malloc (sizeof *sketch);
  const tl_options options = tl_options_default ();
  tl_random random = {1};
  uint64_t compared = 0, unfolded = 0;
  for (uint64_t seed = 1; compared < NETS; seed++) {
    tl_mem mem = TL_MEM (0, "net");
    random_net_make (sketch, seed);
    tl_net *net = random_net_build (sketch, &mem);
    brute b = brute_explore (net, CAP);
    if (b.complete) {
      assert_true (compare_net (net, &b, &options));
      compare_sweeps (net, &b, &random, &unfolded);
      compared++;
    }
    brute_close (&b);
    tl_net_close (net);
  }
  free (sketch);
  assert_true (unfolded > NETS / 10);
}

// A file as it is.
typedef struct image {
  unsigned char *bytes; // begin at a multiple of eight
  size_t length;
} image;

static image read_image (void) {
  FILE *f = fopen (path, "rb");
  assert_non_null (f);
  image i = {0};
  fseek (f, 0, SEEK_END);
  i.length = (size_t)ftell (f);
  rewind (f);
  i.bytes = malloc (i.length);
  assert_int_equal (fread (i.bytes, 1, i.length, f), i.length);
  fclose (f);
  return i;
}

// ---- The published layout --------------------------------------------------

static uint64_t word_at (const image *i, uint64_t byte) {
  assert_true (byte + 8 <= i->length);
  return tl_read_word (i->bytes + byte);
}

static uint64_t bits_at (const image *i, uint64_t bit, uint64_t width) {
  uint64_t value = 0;
  for (uint64_t k = 0; k < width; k++, bit++)
    value |= (uint64_t)(i->bytes[bit / 8] >> bit % 8 & 1) << k;
  return value;
}

// Whoever has no time gets no file, and keeps the one that was there.
static void late_exports (void **state) {
  (void)state;
  static const char *const formats[] = {"aut", "dot", "states", "published"};
  tl_net *net = example ("philosophers", 5);
  tl_condensed *graph, *again;
  int cancel = 1;
  tl_error err;
  save (net);
  assert_int_equal (tl_condensed_open (&graph, path, 0), TL_OK);
  for (size_t i = 0; i < 4; i++) {
    tl_settings within = tl_settings_default ();
    within.timeout = 1e-9;
    assert_int_equal (tl_condensed_export_with (graph, path, formats[i],
                                                TL_FORM_TEXT, &within, &err),
                      TL_E_LIMIT);
    assert_string_equal (err.text,
                         "the time limit was reached while writing the graph");
    within.cancel = &cancel;
    assert_int_equal (tl_condensed_export_with (graph, path, formats[i],
                                                TL_FORM_TEXT, &within, &err),
                      TL_E_CANCEL);
    assert_int_equal (tl_condensed_open (&again, path, 0), TL_OK);
    tl_condensed_close (again);
  }
  tl_condensed_close (graph);
  tl_net_close (net);
  unlink (path);
}

// The targets of each state are those in the graph, by ascending transitions.
static void published_layout (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 5);
  tl_mem mem = TL_MEM (0, "graph");
  tl_graph_file file;
  tl_condensed *graph;
  tl_graph_cursor c;
  uint64_t target[1000];
  save (net);
  assert_int_equal (tl_graph_file_open (&file, &mem, path, 0), TL_OK);
  assert_int_equal (tl_condensed_open (&graph, path, 0), TL_OK);
  assert_int_equal (
      tl_condensed_export (graph, path, "published", TL_FORM_TEXT, 0), TL_OK);
  const image i = read_image ();
  const uint64_t states = file.graph->states, end = i.length - 24;
  assert_int_equal (word_at (&i, end), states);
  assert_int_equal (word_at (&i, end + 8), file.graph->arcs);
  assert_int_equal (word_at (&i, end + 16), tl_net_transitions (net));
  tl_graph_seek (&c, file.graph, 0);
  for (uint64_t s = 0; s < states; s++) {
    const uint64_t degree = tl_graph_step (&c, target),
                   pointer = word_at (&i, end - 8 * (states - s)),
                   label_bits = tl_bits_for (tl_net_transitions (net) - 1);
    assert_int_equal (pointer != 0, degree != 0);
    if (!degree)
      continue;
    assert_int_equal (word_at (&i, pointer - 1), degree);
    const uint64_t width = word_at (&i, pointer + 7);
    uint64_t bit = (pointer + 15) * 8, last = 0;
    for (uint64_t a = 0; a < degree; a++, bit += label_bits + width) {
      const uint64_t label = bits_at (&i, bit, label_bits);
      assert_true (!a || label > last);
      assert_int_equal (bits_at (&i, bit + label_bits, width), target[a]);
      last = label;
    }
  }
  free (i.bytes);
  tl_condensed_close (graph);
  tl_graph_file_close (&file);
  tl_net_close (net);
}

// A command that takes a model takes the graph of one.
static void net_inside (void **state) {
  (void)state;
  tl_net *net = example ("kanban", 1), *inside;
  save (net);
  assert_true (tl_condensed_is (path));
  assert_int_equal (tl_net_open (&inside, path, 0), TL_OK);
  assert_int_equal (tl_net_places (inside), tl_net_places (net));
  assert_int_equal (tl_net_arcs (inside), tl_net_arcs (net));
  for (uint32_t t = 0; t < tl_net_transitions (net); t++)
    assert_string_equal (tl_net_transition_id (inside, t),
                         tl_net_transition_id (net, t));
  tl_net_close (inside);
  tl_net_close (net);
}

// ---- Files that are cut off or damaged -------------------------------------

static tl_status open_image (tl_graph_file *file, tl_mem *mem, const image *i) {
  tl_container container;
  tl_error err = {0};
  tl_status rc =
      tl_container_open_memory (&container, "x.tlg", i->bytes, i->length, &err);
  if (!rc)
    rc = tl_graph_file_take (file, mem, &container, &err);
  if (rc) {
    assert_int_equal (rc, TL_E_SYNTAX);
    assert_int_equal (err.code, rc);
    assert_int_not_equal (err.text[0], 0);
    assert_int_equal (mem->used, 0);
  }
  return rc;
}

static bool same_section (const tl_container *a, const tl_container *b,
                          const char *name) {
  tl_section x = {.name = name}, y = {.name = name};
  return !tl_container_find (a, &x, 0) && !tl_container_find (b, &y, 0) &&
         x.length == y.length && !memcmp (x.bytes, y.bytes, x.length);
}

// Rejected, or everything that answers come from is the same.
static void rejected_or_same (const image *right, const image *wrong) {
  static const char *const name[] = {
      TL_SECTION_NET, "most", "figures", "starts", "code", "order", "images"};
  tl_mem mem = TL_MEM (0, "graph");
  tl_graph_file a, b;
  if (open_image (&b, &mem, wrong))
    return;
  assert_int_equal (open_image (&a, &mem, right), TL_OK);
  for (size_t i = 0; i < sizeof name / sizeof *name; i++)
    assert_true (same_section (&a.container, &b.container, name[i]));
  tl_graph_file_close (&a);
  tl_graph_file_close (&b);
}

static void damaged_file (void) {
  const image right = read_image ();
  for (size_t cut = 0; cut < right.length; cut++) {
    tl_mem mem = TL_MEM (0, "graph");
    const image wrong = {malloc (cut + 1), cut};
    memcpy (wrong.bytes, right.bytes, cut);
    tl_graph_file file;
    assert_int_equal (open_image (&file, &mem, &wrong), TL_E_SYNTAX);
    free (wrong.bytes);
  }
  const image wrong = {malloc (right.length), right.length};
  for (size_t i = 0; i < right.length; i++)
    for (unsigned change = 1; change < 256; change = change * 2 + 1) {
      memcpy (wrong.bytes, right.bytes, right.length);
      wrong.bytes[i] ^= (unsigned char)change;
      rejected_or_same (&right, &wrong);
    }
  free (wrong.bytes);
  free (right.bytes);
}

static void damaged_files (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 3);
  tl_options options = tl_options_default ();
  save (net);
  damaged_file ();
  options.order = "sweep";
  options.progress = "eating_1"; // comes and goes
  save_by (net, &options);
  damaged_file ();
  tl_net_close (net);
}

static void foreign_files (void **state) {
  (void)state;
  tl_condensed *graph;
  tl_error err = {0};
  assert_int_equal (tl_condensed_open (&graph, "/dev/null", &err), TL_E_SYNTAX);
  assert_int_equal (tl_condensed_open (&graph, "/no/such/file", &err), TL_E_IO);
  assert_int_equal (truncate (path, 0), 0);
  assert_int_equal (tl_condensed_open (&graph, path, &err), TL_E_SYNTAX);
  assert_string_equal (err.text, "this is not a graph written by tideline");
  assert_false (tl_condensed_is (path));
}

// ---- Codes that only look like a graph -------------------------------------

typedef struct parts {
  tl_graph_figures figures;
  tl_graph_start *start;
  uint64_t *words;
  tl_permutation_block *block; // null: breadth-first
  uint64_t *images;
} parts;

static void *copy (const void *bytes, uint64_t size) {
  return memcpy (malloc (size), bytes, size);
}

static void copy_parts (parts *p, const tl_graph *g) {
  p->figures = tl_graph_describe (g);
  p->start = copy (g->start, g->blocks * sizeof *p->start);
  p->words = copy (g->words.base, tl_graph_words (g->bits) * sizeof *p->words);
  p->block = 0;
  p->images = 0;
  if (!g->order)
    return;
  p->block = copy (g->order->block, g->blocks * sizeof *p->block);
  p->images = copy (g->order->words.base,
                    tl_graph_words (g->order->bits) * sizeof *p->images);
}

// Changes a bit somewhere; where there is room for less, less is claimed.
static void spoil (parts *p, const tl_graph *g, tl_random *random) {
  uint64_t *figure[] = {&p->figures.arcs, &p->figures.widest, &p->figures.bits};
  const uint64_t bit = (uint64_t)1 << tl_random_below (random, 64),
                 block = tl_random_below (random, g->blocks);
  switch (tl_random_below (random, g->order ? 9 : 5)) {
  case 0: *figure[tl_random_below (random, 2)] ^= bit; break;
  case 1: p->figures.bits -= tl_random_below (random, g->bits); break;
  case 2: p->start[block].bit ^= bit; break;
  case 3: p->start[block].next ^= bit; break;
  case 5: p->block[block].where ^= bit; break;
  case 6: p->block[block].least ^= bit; break;
  case 7:
    p->figures.order_bits -= tl_random_below (random, g->order->bits);
    break;
  case 8:
    p->images[tl_random_below (random, g->order->bits / 64 + 1)] ^= bit;
    break;
  default: p->words[tl_random_below (random, g->bits / 64 + 1)] ^= bit;
  }
}

// What is taken for a graph can be read in every way.
static void read_all (tl_mem *mem, const parts *p) {
  tl_graph *g;
  tl_graph_reader r;
  tl_permutation *order = 0;
  if (p->block &&
      tl_permutation_borrow (&order, mem, p->figures.states,
                             p->figures.order_bits, p->block, p->images))
    return;
  if (tl_graph_borrow (&g, mem, &p->figures, p->start, p->words, order))
    return;
  assert_int_equal (tl_graph_reader_open (&r, g), TL_OK);
  for (uint64_t b = 0; b < g->blocks; b++) {
    tl_graph_read (&r, b);
    for (uint64_t i = 0; i < r.end[r.count]; i++)
      assert_true (r.target[i] < g->states);
  }
  tl_graph_cursor c;
  tl_graph_seek (&c, g, g->states / 2);
  while (c.state < g->states)
    tl_graph_step (&c, r.target);
  uint64_t parent, arc;
  assert_int_equal (tl_graph_parent (g, g->states - 1, &parent, &arc), TL_OK);
  assert_true (parent < g->states - 1);
  tl_graph_reader_close (&r);
  tl_graph_close (g);
}

static void free_parts (parts *p) {
  free (p->start);
  free (p->words);
  free (p->block);
  free (p->images);
}

// Every bit of a small graph, one at a time: numbers that are just out of range
// are among what that gives.
static void spoil_every_bit (const tl_net *net) {
  const tl_options options = tl_options_default ();
  tl_mem mem = TL_MEM (0, "graph");
  tl_graph *g;
  tl_exploration run;
  assert_int_equal (tl_graph_build (&g, &mem, &mem, net, &options, &run, 0),
                    TL_OK);
  for (uint64_t bit = 0; bit < g->bits; bit++) {
    parts p;
    copy_parts (&p, g);
    p.words[bit / 64] ^= (uint64_t)1 << bit % 64;
    read_all (&mem, &p);
    free_parts (&p);
  }
  tl_graph_close (g);
  tl_exploration_close (&run);
  assert_int_equal (mem.used, 0);
}

// A block that begins with another number of states than the one before ends
// with, although all of its targets are there.
static void spoil_start (tl_mem *mem, const tl_graph *g) {
  tl_graph *wrong;
  parts p;
  copy_parts (&p, g);
  p.start[1].next--;
  assert_int_equal (
      tl_graph_borrow (&wrong, mem, &p.figures, p.start, p.words, 0),
      TL_E_SYNTAX);
  free_parts (&p);
}

static void spoil_graph (const tl_net *net, const tl_options *options) {
  tl_mem mem = TL_MEM (0, "graph");
  tl_graph *g;
  tl_exploration run;
  tl_random random = {1};
  assert_int_equal (tl_graph_build (&g, &mem, &mem, net, options, &run, 0),
                    TL_OK);
  if (!g->order)
    spoil_start (&mem, g);
  for (int i = 0; i < NOISE; i++) {
    parts p;
    copy_parts (&p, g);
    spoil (&p, g, &random);
    read_all (&mem, &p);
    free_parts (&p);
  }
  tl_graph_close (g);
  tl_exploration_close (&run);
  assert_int_equal (mem.used, 0);
}

static void spoiled_codes (void **state) {
  (void)state;
  static const char *const small[] = {"philosophers", "dbm", "kanban"};
  for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
    tl_net *few = example (small[i], 3 - i);
    spoil_every_bit (few);
    tl_net_close (few);
  }
  tl_net *net = example ("dbm", 5);
  tl_options options = tl_options_default ();
  spoil_graph (net, &options);
  options.order = "sweep";
  options.progress = "maxfs";
  spoil_graph (net, &options);
  tl_net_close (net);
}

// ---- Memory that is short --------------------------------------------------

static tl_status count_visits (void *context, const tl_walk_visit *v) {
  (void)v;
  ++*(uint64_t *)context;
  return TL_OK;
}

// True: everything went well.
static bool survives (const tl_net *net, const tl_options *options, long n) {
  tl_mem mem = TL_MEM (0, "graph");
  tl_graph *g;
  tl_exploration run;
  mem.fail_after = n;
  const tl_status rc = tl_graph_build (&g, &mem, &mem, net, options, &run, 0);
  assert_true (rc == TL_OK || rc == TL_E_NOMEM);
  bool well = !rc && g;
  if (well) {
    uint64_t visits = 0;
    const tl_status walked =
        tl_graph_walk (g, &mem, net, run.place_max, count_visits, &visits);
    assert_true (walked == TL_OK || walked == TL_E_NOMEM);
    assert_true (walked || visits == g->states);
    well = !walked && mem.fail_after > 0;
  }
  tl_graph_close (g);
  tl_exploration_close (&run);
  assert_int_equal (mem.used, 0);
  return well;
}

static void short_of_memory (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 4);
  tl_options options = tl_options_default ();
  long n = 0;
  while (!survives (net, &options, n))
    n++;
  assert_true (n > 10);
  options.order = "sweep";
  options.progress = "eating_1";
  for (n = 0; !survives (net, &options, n);)
    n++;
  assert_true (n > 10);
  tl_net_close (net);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (random_nets),   cmocka_unit_test (net_inside),
      cmocka_unit_test (late_exports),  cmocka_unit_test (published_layout),
      cmocka_unit_test (damaged_files), cmocka_unit_test (foreign_files),
      cmocka_unit_test (spoiled_codes), cmocka_unit_test (short_of_memory)};
  return cmocka_run_group_tests (tests, make_path, remove_path);
}
