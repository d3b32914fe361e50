#include "compare_home.h"

#include "base/random.h"
#include "predicate.h"
#include "saved.h"
#include "symbolic/edges.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is asked.  In the last one the predicates say two different things.
typedef enum ask {
  HOME,
  AG_EF,
  EF_AG,
  LIVE,
  REVERSIBLE,
  HOME_STATE,
  AG_BOTH
} ask;
enum { ASKS = AG_BOTH + 1, QUESTIONS = 9 };

typedef struct question {
  ask kind;
  predicate first, second;
  char text[2 * sizeof ((predicate *)0)->text + 40];
} question;

typedef struct trial {
  const brute *b;
  tl_random random;
  uint64_t *start, *successor; // of state s: successor[start[s]] and on
  uint8_t *can, *seen;         // [states]
  question question[QUESTIONS];
  tl_options options;
  bool saved; // the graph is built first, and then asked
  char *why;
  size_t size;
} trial;

static void *zeroed (uint64_t count, size_t size) {
  void *p = calloc (count + 1, size);
  if (!p)
    abort ();
  return p;
}

static uint32_t below (trial *t, uint32_t n) {
  return (uint32_t)tl_random_below (&t->random, n);
}

static bool differ (trial *t, const question *q, const char *what) {
  snprintf (t->why, t->size, "order %s, store %s, progress %s: %s: %s",
            t->options.order, t->options.store, t->options.progress, q->text,
            what);
  return false;
}

// ---- What is true ---------------------------------------------------------

static void find_arcs (trial *t) {
  const tl_net *net = t->b->net;
  uint64_t *m = zeroed (net->places, sizeof *m), arcs = 0;
  t->start = zeroed (t->b->states + 1, sizeof *t->start);
  t->successor = zeroed (t->b->arcs, sizeof *t->successor);
  for (uint64_t s = 0; s < t->b->states; s++) {
    t->start[s] = arcs;
    for (uint32_t i = 0; i < net->transitions; i++) {
      memcpy (m, brute_marking (t->b, s), net->places * sizeof *m);
      if (!brute_enabled (net, m, i))
        continue;
      brute_fire (net, m, i);
      t->successor[arcs++] = brute_find (t->b, m);
    }
  }
  t->start[t->b->states] = arcs;
  free (m);
}

// Makes can[s] true where a state with can[] is reachable from s.
static void go_back (trial *t) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint64_t s = t->b->states; s--;)
      for (uint64_t i = t->start[s]; !t->can[s] && i < t->start[s + 1]; i++)
        changed |= t->can[s] = t->can[t->successor[i]];
  }
}

static bool all_can (const trial *t) {
  for (uint64_t s = 0; s < t->b->states; s++)
    if (!t->can[s])
      return false;
  return true;
}

// From where a state that satisfies the predicate, or with `negated` one that
// does not, can be reached.
static void find_can (trial *t, const predicate *p, bool negated) {
  for (uint64_t s = 0; s < t->b->states; s++)
    t->can[s] =
        predicate_holds (p, t->b->net, brute_marking (t->b, s)) != negated;
  go_back (t);
}

static void find_can_fire (trial *t, uint32_t transition) {
  for (uint64_t s = 0; s < t->b->states; s++)
    t->can[s] = brute_enabled (t->b->net, brute_marking (t->b, s), transition);
  go_back (t);
}

static bool is_live (trial *t) {
  for (uint32_t i = 0; i < t->b->net->transitions; i++) {
    find_can_fire (t, i);
    if (!all_can (t))
      return false;
  }
  return true;
}

// From where this state can be reached.
static void find_can_reach (trial *t, uint64_t state) {
  memset (t->can, 0, t->b->states);
  t->can[state] = 1;
  go_back (t);
}

static bool is_home_state (trial *t, uint64_t state) {
  find_can_reach (t, state);
  return all_can (t);
}

// What can be reached from this state.
static void find_seen (trial *t, uint64_t state) {
  memset (t->seen, 0, t->b->states);
  t->seen[state] = 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint64_t s = 0; s < t->b->states; s++)
      for (uint64_t i = t->start[s]; t->seen[s] && i < t->start[s + 1]; i++)
        if (!t->seen[t->successor[i]]) {
          t->seen[t->successor[i]] = 1;
          changed = true;
        }
  }
}

// Goes on to states that cannot come back as long as there are some: if there
// is a home state, the last of them is one.
static bool has_home_state (trial *t) {
  uint64_t at = 0;
  for (uint64_t next = 0; next < t->b->states;) {
    at = next;
    find_seen (t, at);
    find_can_reach (t, at);
    for (next = 0; next < t->b->states && !(t->seen[next] && !t->can[next]);)
      next++;
  }
  return is_home_state (t, at);
}

static bool is_true (trial *t, const question *q) {
  switch (q->kind) {
  case HOME:
  case AG_EF: find_can (t, &q->first, false); return all_can (t);
  case EF_AG: find_can (t, &q->first, true); return !all_can (t);
  case LIVE: return is_live (t);
  case REVERSIBLE: return is_home_state (t, 0);
  case HOME_STATE: return has_home_state (t);
  case AG_BOTH: break;
  }
  for (uint64_t s = 0; s < t->b->states; s++)
    if (!predicate_holds (&q->first, t->b->net, brute_marking (t->b, s)))
      return false;
  find_can (t, &q->second, false);
  return all_can (t);
}

// ---- What is said ---------------------------------------------------------

// From the marking that the trace leads to, what it is about must be out of
// reach.
static bool is_shown (trial *t, const question *q, const tl_trace *trace) {
  const tl_net *net = t->b->net;
  uint64_t *m = zeroed (net->places, sizeof *m);
  bool ok = trace->transition &&
            brute_replay (net, trace->transition, trace->length, m);
  const uint64_t s = ok ? brute_find (t->b, m) : 0;
  free (m);
  if (!ok)
    return differ (t, q, "there is no trace that can be fired");
  if (q->kind == HOME_STATE)
    return is_home_state (t, s) ||
           differ (t, q, "the trace leads to no home state");
  if (q->kind == REVERSIBLE) {
    find_can_reach (t, 0);
    return !t->can[s] || differ (t, q, "the trace leads to a way back");
  }
  if (q->kind != LIVE) {
    find_can (t, &q->first, q->kind == EF_AG);
    return !t->can[s] || differ (t, q, "the trace leads to a wrong marking");
  }
  for (uint32_t i = 0; i < net->transitions; i++) {
    find_can_fire (t, i);
    if (!t->can[s])
      return true;
  }
  return differ (t, q, "the trace leads to a live marking");
}

static bool judge (trial *t, const question *q, const tl_answer *a) {
  const bool right = is_true (t, q);
  if (a->verdict == TL_VERDICT_UNKNOWN)
    return differ (t, q, a->unknown_why ? a->unknown_why : "unknown");
  if (a->verdict != (right ? TL_VERDICT_TRUE : TL_VERDICT_FALSE))
    return differ (t, q, "the verdict is wrong");
  // AG of two things may be false for a reason that the other one hides.
  const bool shown = q->kind == EF_AG || q->kind == HOME_STATE;
  return q->kind == AG_BOTH || right != shown ||
         !strcmp (a->engine, "initial") || is_shown (t, q, &a->trace);
}

static bool check (trial *t, const question *q, size_t count) {
  tl_questions *list = 0;
  tl_answers answers = {0};
  tl_error err = {0};
  tl_status rc = tl_questions_open (&list, t->b->net, &err);
  for (size_t i = 0; !rc && i < count; i++)
    rc = tl_questions_add_text (list, q[i].text, &err);
  if (!rc)
    rc = (t->saved ? check_saved : tl_check) (t->b->net, list, &t->options,
                                              &answers, &err);
  bool ok = !rc || differ (t, q, err.text);
  for (size_t i = 0; ok && i < count; i++)
    ok = judge (t, q + i, answers.answer + i);
  tl_answers_close (&answers);
  tl_questions_close (list);
  return ok;
}

// ---- Questions ------------------------------------------------------------

static void make_question (trial *t, question *q, ask kind) {
  static const struct {
    const char *before, *between, *after;
    bool two;
  } form[] = {[HOME] = {"home '", "", "'", false},
              [AG_EF] = {"AG EF (", "", ")", false},
              [EF_AG] = {"EF AG (", "", ")", false},
              [AG_BOTH] = {"AG ((", ") AND EF (", "))", true}};
  q->kind = kind;
  predicate_make (&q->first, t->b, &t->random);
  predicate_make (&q->second, t->b, &t->random);
  if (kind == LIVE || kind == REVERSIBLE || kind == HOME_STATE)
    snprintf (q->text, sizeof q->text, "%s",
              kind == LIVE         ? "live"
              : kind == REVERSIBLE ? "reversible"
                                   : "home-state");
  else
    snprintf (q->text, sizeof q->text, "%s%s%s%s%s", form[kind].before,
              q->first.text, form[kind].between,
              form[kind].two ? q->second.text : "", form[kind].after);
}

static void pick (trial *t, const char *order) {
  static const char *const progress[] = {"maxfs", "schmidt", "none", "p0"};
  size_t stores;
  const tl_kind_row *store = tl_stores (&stores);
  t->options = tl_options_default ();
  t->options.order = order;
  t->options.store = store[below (t, (uint32_t)stores)].name;
  t->options.progress = progress[below (t, 4)];
  t->options.threads = 1 + below (t, 3);
  t->options.parallel_from = 1;
  if (below (t, 2))
    t->options.window = below (t, 5);
  if (!strcmp (order, "sweep") && !strncmp (t->options.store, "delta", 5))
    t->options.store = "auto"; // cannot be swept
}

static bool compare (trial *t) {
  size_t orders;
  const tl_kind_row *order = tl_orders (&orders);
  find_arcs (t);
  t->can = zeroed (t->b->states, 1);
  t->seen = zeroed (t->b->states, 1);
  for (unsigned i = 0; i < QUESTIONS; i++)
    make_question (t, t->question + i, i % ASKS);
  for (size_t i = 0; i < orders; i++) {
    pick (t, order[i].name);
    if (!check (t, t->question, QUESTIONS))
      return false;
    pick (t, order[i].name);
    if (!check (t, t->question + below (t, QUESTIONS), 1))
      return false;
  }
  t->options = tl_options_default (); // by a graph,
  if (!check (t, t->question, QUESTIONS) ||
      !check (t, t->question + below (t, QUESTIONS), 1))
    return false;
  t->options.memory = (uint64_t)1 << 30; // and without one
  if (!check (t, t->question, QUESTIONS))
    return false;
  t->options.memory = 0;
  t->options.engine = "symbolic";
  if (t->b->max_in_place < TL_SYMBOLIC_TOKENS &&
      (!check (t, t->question, QUESTIONS) ||
       !check (t, t->question + below (t, QUESTIONS), 1)))
    return false;
  t->options = tl_options_default ();
  t->saved = true;
  return check (t, t->question, QUESTIONS) &&
         check (t, t->question + below (t, QUESTIONS), 1);
}

bool compare_home (const brute *b, uint64_t seed, char *why, size_t size) {
  if (!b->complete || !b->net->places || !b->net->transitions)
    return true;
  trial *t = zeroed (1, sizeof *t);
  t->b = b;
  t->random = (tl_random){seed};
  t->why = why;
  t->size = size;
  const bool ok = compare (t);
  free (t->start);
  free (t->successor);
  free (t->can);
  free (t->seen);
  free (t);
  return ok;
}
