// Random coloured nets, most of them with values that can be exchanged,
// explored up to symmetry: every figure is that of the explicit search, and
// what was seen of each place and transition.
//
//   symmetry [--nets N] [--seed S] [--long]
//
// --long, or the variable LONG, stands for many nets.  Net number i is made
// from seed S + i.

#include "../trials.h"
#include "base/input.h"
#include "base/random.h"
#include "read/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  NORMAL = 1500,
  LONG = 50000,
  STATES = 4000,
  PLACES = 4,
  PARTS = 3,
  TYPES = 2,
  NAMES = 2 // variables of a type
};

typedef struct tally {
  uint64_t nets, smaller, large, states, stored;
} tally;

typedef struct maker {
  tl_random random;
  FILE *text;
  uint32_t parts[PLACES], part[PLACES][PARTS]; // types
  uint32_t values[TYPES];
  bool bound[TYPES][NAMES];
} maker;

static uint32_t below (maker *m, uint32_t n) {
  return (uint32_t)tl_random_below (&m->random, n);
}

// ---- Nets ------------------------------------------------------------------

// A token of the place; `write` says what stands in a part.
static void write_token (maker *m, uint32_t place,
                         void (*write) (maker *, uint32_t type)) {
  fputs (m->parts[place] ? "<( " : "epsilon", m->text);
  for (uint32_t i = 0; i < m->parts[place]; i++) {
    fputs (i ? ", " : "", m->text);
    write (m, m->part[place][i]);
  }
  fputs (m->parts[place] ? " )>" : "", m->text);
}

static void write_constant (maker *m, uint32_t type) {
  fprintf (m->text, "%u", below (m, m->values[type]));
}

static void write_variable (maker *m, uint32_t type) {
  const uint32_t name = below (m, NAMES);
  m->bound[type][name] = true;
  fprintf (m->text, "%c%u", "xy"[type], name);
}

// What an input arc has bound; now and then what breaks the symmetry.
static void write_result (maker *m, uint32_t type) {
  const uint32_t name = below (m, NAMES),
                 found = m->bound[type][name] ? name : !name;
  if (!m->bound[type][found] || !below (m, 40))
    write_constant (m, type);
  else
    fprintf (m->text, "%c%u%s", "xy"[type], found, below (m, 40) ? "" : " + 1");
}

// Every token that there can be.
static void write_all (maker *m, uint32_t place) {
  fputs (" init : for (", m->text);
  for (uint32_t i = 0; i < m->parts[place]; i++)
    fprintf (m->text, "%sv%u in %c", i ? ", " : "", i, "ab"[m->part[place][i]]);
  fputs (") <( ", m->text);
  for (uint32_t i = 0; i < m->parts[place]; i++)
    fprintf (m->text, "%sv%u", i ? ", " : "", i);
  fputs (" )>;", m->text);
}

static void write_place (maker *m, uint32_t p) {
  m->parts[p] = below (m, PARTS + 1);
  fprintf (m->text, "place p%u { dom : ", p);
  for (uint32_t i = 0; i < m->parts[p]; i++) {
    m->part[p][i] = below (m, TYPES);
    fprintf (m->text, "%s%c", i ? " * " : "", "ab"[m->part[p][i]]);
  }
  fputs (m->parts[p] ? "; capacity : 9;" : "epsilon; capacity : 9;", m->text);
  if (!m->parts[p] || !below (m, 12)) {
    fputs (" init : ", m->text);
    write_token (m, p, write_constant);
    fputs (";", m->text);
  } else if (below (m, 6) < 6 / (m->parts[p] * m->parts[p]))
    write_all (m, p);
  fputs (" }\n", m->text);
}

static void write_guard (maker *m) {
  const uint32_t type = below (m, TYPES);
  if (m->bound[type][0] && m->bound[type][1] && below (m, 2))
    fprintf (m->text, " guard : %c0 %s %c1;", "xy"[type],
             below (m, 3) ? "!=" : "=", "xy"[type]);
}

// A place, if possible one that needs nothing but what is bound.
static uint32_t pick_place (maker *m) {
  uint32_t p = 0;
  for (uint32_t i = 0, bad = 1; bad && i < 8; i++) {
    p = below (m, PLACES);
    bad = 0;
    for (uint32_t j = 0; j < m->parts[p]; j++)
      bad |= !m->bound[m->part[p][j]][0] && !m->bound[m->part[p][j]][1];
  }
  return p;
}

// Takes as many tokens as it puts, so that every place has a bound.
static void write_transition (maker *m, uint32_t t) {
  const uint32_t arcs = 1 + below (m, 2);
  memset (m->bound, 0, sizeof m->bound);
  fprintf (m->text, "transition t%u { in {", t);
  for (uint32_t i = 0, p = below (m, PLACES); i < arcs; i++) {
    fprintf (m->text, " p%u : ", p);
    write_token (m, p, write_variable);
    fputs (";", m->text);
    p = (p + 1 + below (m, PLACES - 1)) % PLACES;
  }
  fputs (" } out {", m->text);
  for (uint32_t i = 0, last = PLACES; i < arcs; i++) {
    const uint32_t p = pick_place (m);
    if (p == last) // one arc for both
      fputs (" + ", m->text);
    else
      fprintf (m->text, "%s p%u : ", i ? ";" : "", last = p);
    write_token (m, p, write_result);
  }
  fputs (";", m->text);
  fputs (" }", m->text);
  if (!below (m, 5)) {
    const uint32_t p = below (m, PLACES);
    fprintf (m->text, " inhibit { p%u : ", p);
    write_token (m, p, write_result);
    fputs ("; }", m->text);
  }
  write_guard (m);
  fputs (" }\n", m->text);
}

static char *make_net (maker *m) {
  char *text = 0;
  size_t size;
  m->text = open_memstream (&text, &size);
  for (uint32_t i = 0; i < TYPES; i++)
    m->values[i] = 2 + below (m, 4);
  fprintf (m->text, "random {\ntype a : mod %u;\ntype b : mod %u;\n",
           m->values[0], m->values[1]);
  for (uint32_t p = 0; p < PLACES; p++)
    write_place (m, p);
  const uint32_t transitions = 2 + below (m, 4);
  for (uint32_t t = 0; t < transitions; t++)
    write_transition (m, t);
  fputs ("}\n", m->text);
  return fclose (m->text) ? 0 : text;
}

static tl_net *read_net (const char *text, tl_mem *mem) {
  tl_settings settings = {.size = sizeof settings, .compile = TL_COMPILE_NEVER};
  tl_error err = {0};
  tl_input in;
  tl_net *net = 0;
  tl_input_open_memory (&in, "x.lna", text, strlen (text));
  if (tl_read_net_as (&net, mem, &in, "lna", &settings, &err))
    printf ("%s\n", err.text);
  tl_input_close (&in);
  return net;
}

// ---- Comparing -------------------------------------------------------------

static bool agree (const tl_exploration *x, const tl_exploration *right) {
  return x->complete && x->states == right->states && x->arcs == right->arcs &&
         x->deadlocks == right->deadlocks && x->depth == right->depth &&
         x->dead_transitions == right->dead_transitions &&
         x->max_tokens_per_marking == right->max_tokens_per_marking &&
         x->places == right->places && x->transitions == right->transitions &&
         !memcmp (x->place_max, right->place_max,
                  x->places * sizeof *x->place_max) &&
         !memcmp (x->fired, right->fired, x->transitions);
}

static bool compare (const tl_net *net, const tl_exploration *right,
                     tally *all) {
  tl_options how = tl_options_default ();
  tl_exploration x = {.size = sizeof x};
  tl_error err = {0};
  how.engine = "symmetry";
  if (tl_explore (net, &how, &x, &err)) {
    printf ("%s\n", err.text);
    return false;
  }
  const bool same = agree (&x, right);
  if (!same)
    printf ("%" PRIu64 " states, %" PRIu64 " arcs up to symmetry (%s); %" PRIu64
            " states, %" PRIu64 " arcs\n",
            x.states, x.arcs, x.symmetry.classes, right->states, right->arcs);
  all->nets++;
  all->smaller += x.symmetry.stored < x.states;
  all->states += x.states;
  all->stored += x.symmetry.stored;
  tl_exploration_close (&x);
  return same;
}

static bool try_net (const tl_net *net, tally *all) {
  tl_options how = tl_options_default ();
  tl_exploration right = {.size = sizeof right};
  how.max_states = STATES;
  if (tl_explore (net, &how, &right, 0))
    return false;
  all->large += !right.complete;
  const bool same = !right.complete || compare (net, &right, all);
  tl_exploration_close (&right);
  return same;
}

static bool try_seed (uint64_t seed, void *sum) {
  maker m = {.random = {seed}};
  tl_mem mem = TL_MEM (0, "net");
  char *text = make_net (&m);
  tl_net *net = read_net (text, &mem);
  const bool same = net && try_net (net, sum);
  if (!same)
    printf ("%s", text);
  tl_net_close (net);
  free (text);
  return same && !mem.used;
}

int main (int count, char **word) {
  trials t;
  tally all = {0};
  if (!trials_wanted (&t, count, word, NORMAL, LONG))
    return 2;
  if (!trials_run (&t, "coloured net up to symmetry", try_seed, &all))
    return 1;
  const bool fair = t.nets < NORMAL || 4 * all.smaller > all.nets;
  printf ("%s - %" PRIu64 " coloured nets up to symmetry, %" PRIu64
          " of them smaller by it: %" PRIu64 " states, %" PRIu64
          " stored; %" PRIu64 " are too large\n",
          fair ? "ok" : "not ok", all.nets, all.smaller, all.states, all.stored,
          all.large);
  return !fair;
}
