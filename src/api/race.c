#include "api/race.h"

#include "base/cancel.h"
#include "base/clock.h"
#include "base/error.h"
#include "explore/explore.h"
#include "symbolic/symbolic.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

// Seconds that the explicit engine is alone, looked at in steps: where bounds
// of places allow few markings (up to two to this power), and otherwise.
#define FEW_BITS 20
#define LONG_START 2.0
#define HEAD_START 0.25
#define STEP 0.01
// Images of sets go as deep as there are variables.
#define STACK ((size_t)64 << 20)

typedef struct race race;

// One of the two.
typedef struct runner {
  race *race;
  tl_options options;
  tl_mem root;
  tl_budget budget;
  int cancel; // set when the other has won
  tl_exploration found;
  tl_error error;
  tl_status rc;
} runner;

struct race {
  const tl_api_call *call;
  const tl_net *net;
  runner explicit, symbolic;
  atomic_bool ended; // the explicit one has
};

// The flag of the caller counts for both.
static bool ends (race *r) {
  if (!tl_cancelled (r->call->options.cancel))
    return false;
  tl_cancel (&r->explicit.cancel);
  tl_cancel (&r->symbolic.cancel);
  return true;
}

// In the thread of the call.
static int explicit_progress (void *context, const tl_progress *p) {
  race *r = context;
  const tl_options *o = &r->call->options;
  if (o->on_progress && o->on_progress (o->context, p))
    tl_cancel (o->cancel);
  return ends (r);
}

static int symbolic_progress (void *context, const tl_progress *p) {
  (void)p;
  return ends (context);
}

static void prepare (race *r, runner *me,
                     int (*on_progress) (void *, const tl_progress *)) {
  const tl_api_call *c = r->call;
  me->race = r;
  me->options = c->options;
  me->options.cancel = &me->cancel;
  me->options.on_progress = on_progress;
  me->options.context = r;
  me->budget = (tl_budget){c->budget.deadline, &me->cancel};
  me->root = TL_MEM (0, "total");
  me->root.limit = c->root.limit / 2;
  me->root.budget = &me->budget;
}

static void *run_symbolic (void *context) {
  race *r = context;
  runner *me = &r->symbolic;
  const struct timespec step = {0, (long)(STEP * 1e9)};
  const double begun = tl_clock (),
               start = tl_net_has_arcs (r->net) &&
                               tl_reachable_bits (&me->root, r->net) <= FEW_BITS
                           ? LONG_START
                           : HEAD_START;
  while (tl_clock () - begun < start && !atomic_load (&r->ended))
    nanosleep (&step, 0);
  me->rc = TL_E_CANCEL;
  if (atomic_load (&r->ended))
    return 0;
  me->rc = tl_symbolic_explore (&me->root, r->net, &me->options, 0, &me->found,
                                &me->error);
  if (!me->rc && me->found.complete)
    tl_cancel (&r->explicit.cancel);
  return 0;
}

// More memory, more time or the other engine may help.
static bool is_open (const runner *me) {
  if (me->rc)
    return me->rc == TL_E_NOMEM || me->rc == TL_E_LIMIT;
  switch (me->found.stop) {
  case TL_STOP_MEMORY:
  case TL_STOP_STATES:
  case TL_STOP_TIME:
  case TL_STOP_TOKENS: return true;
  default: return false;
  }
}

static void run_explicit (race *r) {
  runner *me = &r->explicit;
  me->rc = tl_explore_on (&me->root, r->net, &me->options, 0, &me->found,
                          &me->error);
  if (!is_open (me))
    tl_cancel (&r->symbolic.cancel);
  atomic_store (&r->ended, true);
}

// False: there is no thread to be had.
static bool run_both (race *r) {
  pthread_attr_t wide;
  pthread_t thread;
  if (pthread_attr_init (&wide))
    return false;
  const bool beside = !pthread_attr_setstacksize (&wide, STACK) &&
                      !pthread_create (&thread, &wide, run_symbolic, r);
  pthread_attr_destroy (&wide);
  if (beside) {
    run_explicit (r);
    pthread_join (thread, 0);
  }
  return beside;
}

tl_status tl_race (tl_api_call *call, const tl_net *net, tl_exploration *found,
                   tl_error *error) {
  race r = {.call = call, .net = net};
  prepare (&r, &r.explicit, explicit_progress);
  prepare (&r, &r.symbolic, symbolic_progress);
  r.symbolic.options.threads = 1; // the explicit engine has all cores
  if (!run_both (&r))
    return tl_explore_on (&call->root, net, &call->options, 0, found, error);
  const bool symbolic = !r.symbolic.rc && r.symbolic.found.complete &&
                        (r.explicit.rc || !r.explicit.found.complete);
  runner *winner = symbolic ? &r.symbolic : &r.explicit,
         *other = symbolic ? &r.explicit : &r.symbolic;
  if (!other->rc)
    tl_exploration_close (&other->found);
  if (winner->rc && error)
    *error = winner->error;
  if (!winner->rc) {
    *found = winner->found;
    found->engine = symbolic ? "symbolic" : "explicit";
  }
  return winner->rc;
}
