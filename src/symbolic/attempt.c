#include "symbolic/attempt.h"

#include "base/cancel.h"

#include <assert.h>
#include <pthread.h>

// Images of sets go as deep as there are variables.
#define STACK ((size_t)64 << 20)

static void drop (tl_attempt *a) {
  tl_diagram_close (&a->diagram);
  tl_events_close (&a->events);
}

void tl_attempt_close (tl_attempt *a) {
  drop (a);
}

// ---- One -------------------------------------------------------------------

// Its own budget is that of the time that it has.
static tl_status look_outside (void *attempt, const tl_diagram *d) {
  (void)d;
  const tl_attempt *a = attempt;
  return tl_budget_look (a->all->root);
}

static tl_status look_from_call (void *attempt, const tl_diagram *d) {
  const tl_attempt *a = attempt;
  const tl_status rc = tl_budget_look (a->all->root);
  return rc || !a->all->look ? rc : a->all->look (a->all->context, d);
}

// What is left open is dropped.
static tl_status saturate (tl_attempt *a,
                           tl_status (*look) (void *, const tl_diagram *)) {
  const tl_attempts *all = a->all;
  tl_diagram *d = &a->diagram;
  tl_status rc =
      tl_events_open (&a->events, &a->engine, all->variables, a->order);
  if (rc || (rc = tl_diagram_open (d, &a->nodes, all->limits)))
    return rc;
  d->look = look;
  d->context = a;
  rc = tl_saturate (d, &a->events, all->variables->initial, &a->reached);
  assert (rc || tl_diagram_is_sound (d));
  d->look = 0;
  a->peak = d->peak;
  a->collections = d->collections;
  if (d->outgrown)
    a->outgrown = a->events.at[d->outgrown] + 1;
  return rc;
}

static void make (tl_attempt *a,
                  tl_status (*look) (void *, const tl_diagram *)) {
  a->rc = saturate (a, look);
  // Of two that end at the same time, one has won.
  if (!a->rc && __atomic_exchange_n (&a->all->cancel, 1, __ATOMIC_ACQ_REL))
    a->rc = TL_E_CANCEL;
}

static void *make_in_thread (void *attempt) {
  make (attempt, look_outside);
  return 0;
}

// ---- All of them -----------------------------------------------------------

// Memory is divided among them.
static void prepare (tl_attempts *all, tl_attempt *a, uint32_t count) {
  const tl_mem *whole = tl_mem_root (all->root);
  a->all = all;
  a->engine = TL_MEM (all->engine, all->engine->name);
  a->nodes = TL_MEM (all->nodes, all->nodes->name);
  if (count > 1 && whole->limit)
    a->nodes.limit = (whole->limit - whole->used) / count + 1;
  a->slice = tl_budget_part (all->root, a->seconds);
  if (count > 1)
    a->slice.cancel = &all->cancel;
  a->nodes.budget = &a->slice;
}

static void settle (tl_attempt *a) {
  a->nodes.budget = 0;
  a->nodes.limit = 0;
  if (a->rc)
    drop (a);
}

// The others are made in threads.  Those for which no thread is to be had are
// not made.
static uint32_t make_others (tl_attempt *a, uint32_t count) {
  pthread_t thread[TL_MOST_ATTEMPTS];
  pthread_attr_t wide;
  uint32_t made = 0;
  if (pthread_attr_init (&wide))
    return 0;
  const bool deep = !pthread_attr_setstacksize (&wide, STACK);
  while (deep && made < count &&
         !pthread_create (thread + made, &wide, make_in_thread, a + 1 + made))
    made++;
  pthread_attr_destroy (&wide);
  make (a, look_from_call);
  for (uint32_t i = 0; i < made; i++)
    pthread_join (thread[i], 0);
  return made;
}

uint32_t tl_attempts_make (tl_attempts *all, tl_attempt *a, uint32_t count) {
  uint32_t made = 0;
  all->cancel = 0;
  for (uint32_t i = 0; i < count; i++)
    prepare (all, a + i, count);
  if (count > 1) {
    tl_mem_share (all->engine, true);
    tl_mem_share (all->nodes, true);
    for (uint32_t i = 1; i < count; i++)
      a[i].rc = TL_E_CANCEL;
    made = make_others (a, count - 1);
    tl_mem_share (all->nodes, false);
    tl_mem_share (all->engine, false);
  } else
    make (a, look_from_call);
  for (uint32_t i = 0; i < count; i++)
    settle (a + i);
  return made + 1;
}
