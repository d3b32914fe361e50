// Named properties of random nets against the brute-force explorer, by every
// engine: deadlock, one-safe, quasi-live, stable-marking, live.  What is
// decided must be right, traces must lead to where they show it, and the
// transitions and places that an answer names must be such.
//
//   named [--nets N] [--seed S] [--long]

#include "../brute.h"
#include "../naive.h"
#include "../random_net.h"
#include "../reducible_net.h"
#include "../trials.h"
#include "symbolic/edges.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NORMAL = 2000, LONG = 40000, STATES = 300, PROPERTIES = 5 };

static const tl_question_kind kinds[PROPERTIES] = {
    TL_ASK_DEADLOCK, TL_ASK_ONE_SAFE, TL_ASK_QUASI_LIVE, TL_ASK_STABLE_MARKING,
    TL_ASK_LIVE};

typedef struct tally {
  uint64_t nets, pairs, answers, open, traces, named;
} tally;

typedef struct trial {
  trial_net in;
  naive graph;
  uint8_t *can; // by state
  tl_questions *list;
  tally *sum;
} trial;

// ---- What is right ---------------------------------------------------------

// From where the transition can be enabled some time.
static void find_can (trial *t, uint32_t transition) {
  const brute *b = &t->in.all;
  bool changed = true;
  for (uint64_t s = 0; s < b->states; s++)
    t->can[s] = brute_enabled (b->net, brute_marking (b, s), transition);
  while (changed) {
    changed = false;
    for (uint64_t s = b->states; s-- > 0;)
      for (uint64_t i = t->graph.first[s];
           !t->can[s] && i < t->graph.first[s + 1]; i++)
        changed |= t->can[s] = t->can[t->graph.target[i]];
  }
}

// Is the transition enabled nowhere, from that state on?
static bool is_dead_from (trial *t, uint32_t transition, uint64_t state) {
  find_can (t, transition);
  return !t->can[state];
}

static bool all_live (trial *t) {
  for (uint32_t i = 0; i < t->in.net->transitions; i++) {
    find_can (t, i);
    if (memchr (t->can, 0, t->in.all.states))
      return false;
  }
  return true;
}

static bool is_stable (const brute *b, uint32_t p) {
  return b->place_min[p] == b->place_max[p];
}

static bool some_stable (const brute *b) {
  for (uint32_t p = 0; p < b->net->places; p++)
    if (is_stable (b, p))
      return true;
  return false;
}

static bool is_true (trial *t, tl_question_kind kind) {
  const brute *b = &t->in.all;
  switch (kind) {
  case TL_ASK_DEADLOCK: return b->deadlocks;
  case TL_ASK_ONE_SAFE: return b->max_in_place <= 1;
  case TL_ASK_QUASI_LIVE: return !b->dead_transitions;
  case TL_ASK_STABLE_MARKING: return some_stable (b);
  default: return all_live (t);
  }
}

// ---- What answers show -----------------------------------------------------

static uint32_t number_of (const tl_net *net, const char *id, bool place) {
  const uint32_t count = place ? net->places : net->transitions;
  uint32_t i = 0;
  while (i < count && strcmp (id, place ? tl_net_place_id (net, i)
                                        : tl_net_transition_id (net, i)) != 0)
    i++;
  if (i == count)
    abort ();
  return i;
}

// Is the node, by number, one that an answer of that kind may name?  Its trace
// leads to the state.
static bool may_be_named (trial *t, tl_question_kind kind, uint32_t node,
                          uint64_t state) {
  const brute *b = &t->in.all;
  switch (kind) {
  case TL_ASK_QUASI_LIVE: return !b->fired[node];
  case TL_ASK_LIVE: return is_dead_from (t, node, state);
  case TL_ASK_ONE_SAFE: return brute_marking (b, state)[node] > 1;
  case TL_ASK_STABLE_MARKING: return is_stable (b, node);
  default: return false;
  }
}

static const char *judge_names (trial *t, tl_question_kind kind,
                                const tl_answer *a, uint64_t state) {
  for (size_t i = 0; a->culprits.id && i < a->culprits.count; i++) {
    const uint32_t node =
        number_of (t->in.net, a->culprits.id[i], a->culprits.places);
    t->sum->named++;
    if (!may_be_named (t, kind, node, state))
      return "names one that is none";
  }
  return 0;
}

// Where a trace leads; BRUTE_NONE: nowhere.
static uint64_t end_of (const trial *t, const tl_trace *trace) {
  uint64_t *marking = calloc (t->in.net->places + 1, sizeof *marking);
  if (!marking)
    abort ();
  const uint64_t state =
      brute_replay (t->in.net, trace->transition, trace->length, marking)
          ? brute_find (&t->in.all, marking)
          : BRUTE_NONE;
  free (marking);
  return state;
}

// Does a state show that the property is true (deadlock) or false?
static bool shows (trial *t, tl_question_kind kind, uint64_t state) {
  const brute *b = &t->in.all;
  if (kind == TL_ASK_DEADLOCK)
    return brute_dead (b->net, brute_marking (b, state));
  if (kind == TL_ASK_LIVE) {
    for (uint32_t i = 0; i < b->net->transitions; i++)
      if (is_dead_from (t, i, state))
        return true;
    return false;
  }
  for (uint32_t p = 0; kind == TL_ASK_ONE_SAFE && p < b->net->places; p++)
    if (brute_marking (b, state)[p] > 1)
      return true;
  return false;
}

static const char *judge (trial *t, tl_question_kind kind, bool right,
                          const tl_answer *a) {
  uint64_t state = 0;
  if ((a->verdict == TL_VERDICT_TRUE) != right)
    return "is wrong";
  if (a->trace.transition) {
    t->sum->traces++;
    if ((state = end_of (t, &a->trace)) == BRUTE_NONE)
      return "has a trace that cannot be fired";
    if (!shows (t, kind, state))
      return "has a trace that does not show it";
  }
  return judge_names (t, kind, a, state);
}

// ---- Asking ----------------------------------------------------------------

// How a net is asked: as people ask, in interludes, without help of linear
// programs, and with too little to come to an end.
static bool ask (trial *t, const bool *right, tl_options options,
                 const char *engine, bool may_be_open) {
  tl_answers answers = {0};
  tl_error error = {0};
  options.engine = engine;
  bool ok = !tl_check (t->in.net, t->list, &options, &answers, &error);
  if (!ok)
    printf ("%s\n", error.text);
  for (size_t i = 0; ok && i < PROPERTIES; i++) {
    const tl_answer *a = answers.answer + i;
    const bool open = a->verdict == TL_VERDICT_UNKNOWN;
    const char *wrong = !open         ? judge (t, kinds[i], right[i], a)
                        : may_be_open ? 0
                                      : "is not decided";
    t->sum->answers++;
    t->sum->open += open;
    if (wrong)
      printf ("%s %s (by %s, engine %s)\n", a->name, wrong,
              a->engine ? a->engine : a->unknown_why, engine);
    ok = !wrong;
  }
  tl_answers_close (&answers);
  return ok;
}

static bool ask_all (trial *t, uint64_t seed) {
  tl_random r = {~seed};
  bool right[PROPERTIES];
  tl_options plain = tl_options_default ();
  plain.threads = 1 + (seed % 4 == 0);
  plain.parallel_from = 1;
  tl_options beside = plain, alone = plain, limited = plain;
  beside.interludes_from = 1 + tl_random_below (&r, 10);
  alone.unaided = true;
  limited.max_states = 1 + tl_random_below (&r, 1 + t->in.all.states / 2);
  limited.timeout = 0.005;
  limited.unaided = seed % 2;
  for (size_t i = 0; i < PROPERTIES; i++)
    right[i] = is_true (t, kinds[i]);
  return ask (t, right, seed % 2 ? alone : plain, "auto", false) &&
         ask (t, right, beside, "auto", false) &&
         (t->in.all.max_in_place >= TL_SYMBOLIC_TOKENS ||
          ask (t, right, alone, "symbolic", false)) &&
         (seed % 3 ||
          ask (t, right, seed % 2 ? alone : plain, "guided", true)) &&
         (seed % 8 || ask (t, right, limited, "guided", true)) &&
         (seed % 8 != 1 || ask (t, right, limited, "auto", true));
}

static bool good (const random_net *sketch, uint64_t seed, tally *sum) {
  trial t = {.sum = sum};
  if (!trial_net_open (&t.in, sketch, 0, STATES))
    return true;
  t.graph = naive_open (&t.in.all);
  t.can = calloc (t.in.all.states, 1);
  if (!t.can || tl_questions_open (&t.list, t.in.net, 0))
    abort ();
  static const char *const name[PROPERTIES] = {
      "deadlock", "one-safe", "quasi-live", "stable-marking", "live"};
  for (size_t i = 0; i < PROPERTIES; i++) {
    tl_question *q = tl_questions_add (t.list, name[i]);
    if (!q)
      abort ();
    *q = (tl_question){.kind = kinds[i], .name = q->name};
  }
  bool ok = ask_all (&t, seed);
  sum->nets++;
  sum->pairs += PROPERTIES;
  tl_questions_close (t.list);
  free (t.can);
  naive_close (&t.graph);
  return trial_net_close (&t.in) && ok;
}

int main (int count, char **arguments) {
  trials t;
  if (!trials_wanted (&t, count, arguments, NORMAL, LONG))
    return 2;
  random_net *net = malloc (sizeof *net);
  tally sum = {0};
  bool ok = net;
  for (uint64_t seed = t.seed; ok && sum.nets < t.nets; seed++) {
    random_net_make (net, seed);
    if (seed % 2)
      reducible_net_decorate (net, seed);
    ok = good (net, seed, &sum);
    if (!ok) {
      printf ("seed %" PRIu64 " fails\n", seed);
      random_net_print (net, stdout);
    }
  }
  free (net);
  printf ("%" PRIu64 " bounded nets, %" PRIu64 " pairs, %" PRIu64
          " answers, %" PRIu64 " left open, %" PRIu64 " traces, %" PRIu64
          " nodes named\n",
          sum.nets, sum.pairs, sum.answers, sum.open, sum.traces, sum.named);
  printf ("%" PRIu64 " passed, %d failed\n", sum.pairs, !ok);
  return !ok;
}
