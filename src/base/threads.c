#include "base/threads.h"

#include "base/tuning.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

typedef struct member {
  tl_threads *team;
  unsigned number;
  pthread_t thread;
} member;

struct tl_threads {
  tl_mem *mem;
  unsigned size, room;
  member *member; // [room], of which 1 .. size - 1 have threads
  pthread_mutex_t lock;
  pthread_cond_t begin, end;
  // What is being done, and how often something was.
  void (*work) (void *, unsigned);
  void *context;
  uint64_t turn;
  unsigned busy; // threads beside the first that have not returned
  bool over;
};

// The next turn often comes at once, and to be woken takes longer than that: so
// threads look for a while before they sleep, and let others go first.
static void look_for_turn (const tl_threads *t, uint64_t turn) {
  for (unsigned i = 0; i < TL_THREAD_LOOKS &&
                       __atomic_load_n (&t->turn, __ATOMIC_RELAXED) == turn;
       i++)
    sched_yield ();
}

static void look_for_end (const tl_threads *t) {
  for (unsigned i = 0;
       i < TL_THREAD_LOOKS && __atomic_load_n (&t->busy, __ATOMIC_RELAXED); i++)
    sched_yield ();
}

// Waits for the next turn; false: there is none.
static bool await_turn (tl_threads *t, uint64_t *turn) {
  look_for_turn (t, *turn);
  pthread_mutex_lock (&t->lock);
  while (t->turn == *turn && !t->over)
    pthread_cond_wait (&t->begin, &t->lock);
  *turn = t->turn;
  const bool goes_on = !t->over;
  pthread_mutex_unlock (&t->lock);
  return goes_on;
}

static void *live (void *context) {
  const member *m = context;
  tl_threads *t = m->team;
  for (uint64_t turn = 0; await_turn (t, &turn);) {
    t->work (t->context, m->number);
    pthread_mutex_lock (&t->lock);
    if (!__atomic_sub_fetch (&t->busy, 1, __ATOMIC_RELAXED))
      pthread_cond_signal (&t->end);
    pthread_mutex_unlock (&t->lock);
  }
  return 0;
}

void tl_threads_run (tl_threads *t, void (*work) (void *, unsigned),
                     void *context) {
  pthread_mutex_lock (&t->lock);
  t->work = work;
  t->context = context;
  __atomic_store_n (&t->busy, t->size - 1, __ATOMIC_RELAXED);
  __atomic_store_n (&t->turn, t->turn + 1, __ATOMIC_RELAXED);
  pthread_cond_broadcast (&t->begin);
  pthread_mutex_unlock (&t->lock);
  work (context, 0);
  look_for_end (t);
  pthread_mutex_lock (&t->lock);
  while (t->busy)
    pthread_cond_wait (&t->end, &t->lock);
  pthread_mutex_unlock (&t->lock);
}

unsigned tl_threads_size (const tl_threads *t) {
  return t->size;
}

// Signals are for whoever opened the team.
static void start (tl_threads *t) {
  sigset_t all, before;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  for (bool more = true; more && t->size < t->room; t->size += more) {
    member *m = t->member + t->size;
    *m = (member){.team = t, .number = t->size};
    more = !pthread_create (&m->thread, 0, live, m);
  }
  pthread_sigmask (SIG_SETMASK, &before, 0);
}

tl_status tl_threads_open (tl_threads **out, tl_mem *mem, unsigned threads) {
  tl_threads *t;
  *out = 0;
  if (!TL_NEW (mem, t, 1))
    return TL_E_NOMEM;
  t->mem = mem;
  t->size = 1;
  t->room = threads;
  if (!TL_NEW (mem, t->member, threads)) {
    TL_DEL (mem, t, 1);
    return TL_E_NOMEM;
  }
  pthread_mutex_init (&t->lock, 0);
  pthread_cond_init (&t->begin, 0);
  pthread_cond_init (&t->end, 0);
  start (t);
  *out = t;
  return TL_OK;
}

void tl_threads_close (tl_threads *t) {
  if (!t)
    return;
  pthread_mutex_lock (&t->lock);
  t->over = true;
  pthread_cond_broadcast (&t->begin);
  pthread_mutex_unlock (&t->lock);
  for (unsigned i = 1; i < t->size; i++)
    pthread_join (t->member[i].thread, 0);
  pthread_cond_destroy (&t->begin);
  pthread_cond_destroy (&t->end);
  pthread_mutex_destroy (&t->lock);
  tl_mem *mem = t->mem;
  TL_DEL (mem, t->member, t->room);
  TL_DEL (mem, t, 1);
}
