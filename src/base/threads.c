#include "base/threads.h"

#include "base/tuning.h"

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
};

// What the others wait for often comes at once, and to be woken takes longer
// than that: so threads look for a while before they sleep, and let others go
// first.
static bool has_turned (const tl_threads *t, uint64_t turn) {
  return __atomic_load_n (&t->turn, __ATOMIC_ACQUIRE) != turn;
}

static bool look_for_turn (const tl_threads *t, uint64_t turn) {
  bool turned = has_turned (t, turn);
  for (unsigned i = 0; i < TL_THREAD_LOOKS && !turned; i++) {
    sched_yield ();
    turned = has_turned (t, turn);
  }
  return turned;
}

static bool has_ended (const tl_threads *t) {
  return !__atomic_load_n (&t->busy, __ATOMIC_ACQUIRE);
}

static bool look_for_end (const tl_threads *t) {
  bool ended = has_ended (t);
  for (unsigned i = 0; i < TL_THREAD_LOOKS && !ended; i++) {
    sched_yield ();
    ended = has_ended (t);
  }
  return ended;
}

// Waits for the next turn; false: there is none.
static bool await_turn (tl_threads *t, uint64_t *turn) {
  if (!look_for_turn (t, *turn)) {
    pthread_mutex_lock (&t->lock);
    while (!has_turned (t, *turn))
      pthread_cond_wait (&t->begin, &t->lock);
    pthread_mutex_unlock (&t->lock);
  }
  ++*turn;
  return t->work;
}

static void *live (void *context) {
  const member *m = context;
  tl_threads *t = m->team;
  for (uint64_t turn = 0; await_turn (t, &turn);) {
    t->work (t->context, m->number);
    if (__atomic_sub_fetch (&t->busy, 1, __ATOMIC_ACQ_REL))
      continue;
    pthread_mutex_lock (&t->lock);
    pthread_cond_signal (&t->end);
    pthread_mutex_unlock (&t->lock);
  }
  return 0;
}

// All have returned.  No work: there is none any more.
static void begin_turn (tl_threads *t, void (*work) (void *, unsigned),
                        void *context) {
  t->work = work;
  t->context = context;
  __atomic_store_n (&t->busy, t->size - 1, __ATOMIC_RELAXED);
  pthread_mutex_lock (&t->lock);
  __atomic_store_n (&t->turn, t->turn + 1, __ATOMIC_RELEASE);
  pthread_cond_broadcast (&t->begin);
  pthread_mutex_unlock (&t->lock);
}

void tl_threads_run (tl_threads *t, void (*work) (void *, unsigned),
                     void *context) {
  begin_turn (t, work, context);
  work (context, 0);
  if (look_for_end (t))
    return;
  pthread_mutex_lock (&t->lock);
  while (!has_ended (t))
    pthread_cond_wait (&t->end, &t->lock);
  pthread_mutex_unlock (&t->lock);
}

enum { TOUCH = 16 << 20 }; // bytes

typedef struct touching {
  const tl_map *map;
  size_t from, part;
} touching;

static void touch (void *context, unsigned who) {
  const touching *t = context;
  const size_t from = t->from + who * t->part;
  tl_map_touch (t->map, from, from + t->part);
}

void tl_threads_touch (tl_threads *t, const tl_map *map, size_t *ready,
                       size_t need) {
  if (need <= *ready)
    return;
  const size_t more = *ready + TOUCH > need ? *ready + TOUCH : need,
               to = more < map->size ? more : map->size;
  touching all = {map, *ready, (to - *ready) / t->size + 1};
  tl_threads_run (t, touch, &all);
  *ready = to;
}

void tl_lock_soon (pthread_mutex_t *lock) {
  for (unsigned i = 0; i < TL_LOCK_LOOKS; i++) {
    if (!pthread_mutex_trylock (lock))
      return;
    sched_yield ();
  }
  pthread_mutex_lock (lock);
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
  begin_turn (t, 0, 0);
  for (unsigned i = 1; i < t->size; i++)
    pthread_join (t->member[i].thread, 0);
  pthread_cond_destroy (&t->begin);
  pthread_cond_destroy (&t->end);
  pthread_mutex_destroy (&t->lock);
  tl_mem *mem = t->mem;
  TL_DEL (mem, t->member, t->room);
  TL_DEL (mem, t, 1);
}
