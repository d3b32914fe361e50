#include "trials.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOME = 5 }; // of so many nets one

static bool is_number (const char *text, uint64_t *n) {
  char *end;
  errno = 0;
  *n = strtoull (text, &end, 0);
  return *text != '-' && end != text && !*end && !errno;
}

bool trials_wanted (trials *t, int count, char **word, uint64_t normal,
                    uint64_t many) {
  *t = (trials){.nets = getenv ("LONG") ? many : normal, .seed = 1};
  for (int i = 1; i < count; i++) {
    uint64_t *const number = !strcmp (word[i], "--nets")   ? &t->nets
                             : !strcmp (word[i], "--seed") ? &t->seed
                                                           : 0;
    if (!strcmp (word[i], "--long"))
      t->nets = many;
    else if (!strcmp (word[i], "--some"))
      t->nets /= SOME;
    else if (!number || i + 1 == count || !is_number (word[++i], number)) {
      fprintf (stderr, "usage: %s [--nets N] [--seed S] [--long] [--some]\n",
               word[0]);
      return false;
    }
  }
  return true;
}

bool trials_run (const trials *t, const char *what,
                 bool (*try_seed) (uint64_t seed, void *tally), void *tally) {
  for (uint64_t i = 0; i < t->nets; i++)
    if (!try_seed (t->seed + i, tally)) {
      printf ("not ok - %s, seed %" PRIu64 "\n", what, t->seed + i);
      return false;
    }
  return true;
}

// ---- Nets ------------------------------------------------------------------

static void close_net (trial_net *t) {
  tl_structure_close (t->structure);
  brute_close (&t->all);
  tl_arena_close (&t->arena);
  tl_net_close (t->net);
}

bool trial_net_open (trial_net *t, const random_net *sketch, uint64_t seed,
                     uint64_t states) {
  *t = (trial_net){.mem = TL_MEM (0, "net")};
  t->arena = TL_ARENA (&t->mem);
  t->net = random_net_build (sketch, &t->mem);
  if (!t->net)
    abort ();
  t->all = brute_explore (t->net, states);
  if (!t->all.complete || !t->net->places || !t->net->transitions) {
    close_net (t);
    return false;
  }
  if (seed % 2 && tl_structure_open (&t->structure, &t->mem, t->net, 1, 0))
    abort ();
  return true;
}

bool trial_net_close (trial_net *t) {
  close_net (t);
  if (t->mem.used)
    printf ("%zu bytes are left\n", t->mem.used);
  return !t->mem.used;
}

const struct trial_logic trial_logics[TRIAL_LOGICS] = {
    {"CTL", RANDOM_CTL}, {"LTL", RANDOM_PATH}, {"CTL*", RANDOM_CTL_STAR}};
