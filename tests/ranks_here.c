#include "ranks_here.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- What the ranks share --------------------------------------------------

typedef struct message {
  struct message *next;
  size_t size;
  bool taken;
  unsigned char bytes[];
} message;

typedef enum deed { SEND, EXPECT, COUNT, ADD_UP, RAISE, TELL } deed;

// Something that all do: the n-th of each rank is the n-th of all.
typedef struct meeting {
  struct meeting *next;
  uint64_t number;
  deed what;
  unsigned from, came, left;
  size_t size; // bytes of what each brings
  unsigned char data[];
} meeting;

typedef struct doing {
  struct doing *next; // of those expected
  deed what;
  message *sent;
  meeting *meeting;
  unsigned char *to;
  size_t room, size;
  bool done;
} doing;

typedef struct place {
  tl_cluster base;
  struct place *all;
  pthread_mutex_t *lock;
  pthread_cond_t *changed;
  meeting **meetings; // of all
  message *came, **last_came;
  doing *expected, **last_expected;
  uint64_t met;
  bool ended;
} place;

static void disagree (const place *p, const char *why) {
  fprintf (stderr, "rank %u: %s\n", p->base.rank, why);
  _exit (RANKS_DISAGREE);
}

static void *get (size_t size) {
  void *bytes = calloc (1, size);
  return bytes ? bytes : (abort (), bytes);
}

// ---- Packets ---------------------------------------------------------------

static void *send_packet (tl_cluster *base, unsigned to, const void *bytes,
                          size_t size) {
  place *p = (place *)base, *other = p->all + to;
  message *m = get (sizeof *m + size);
  doing *d = get (sizeof *d);
  m->size = size;
  memcpy (m->bytes, bytes, size);
  *d = (doing){.what = SEND, .sent = m};
  pthread_mutex_lock (p->lock);
  *other->last_came = m;
  other->last_came = &m->next;
  pthread_mutex_unlock (p->lock);
  return d;
}

static void *expect (tl_cluster *base, void *bytes, size_t most) {
  place *p = (place *)base;
  doing *d = get (sizeof *d);
  *d = (doing){.what = EXPECT, .to = bytes, .room = most};
  pthread_mutex_lock (p->lock);
  *p->last_expected = d;
  p->last_expected = &d->next;
  pthread_mutex_unlock (p->lock);
  return d;
}

// Packets go to those who expect them, in the order of both.
static void hand_out (place *p) {
  while (p->came && p->expected) {
    message *m = p->came;
    doing *d = p->expected;
    if (m->size > d->room)
      disagree (p, "a packet is too long");
    memcpy (d->to, m->bytes, d->size = m->size);
    d->done = m->taken = true;
    p->came = m->next;
    p->last_came = p->came ? p->last_came : &p->came;
    p->expected = d->next;
    p->last_expected = p->expected ? p->last_expected : &p->expected;
  }
}

static void call_off (tl_cluster *base, void *expected) {
  place *p = (place *)base;
  pthread_mutex_lock (p->lock);
  for (doing **d = &p->expected; *d; d = &(*d)->next)
    if (*d == expected) {
      *d = (*d)->next;
      break;
    }
  p->last_expected = &p->expected;
  while (*p->last_expected)
    p->last_expected = &(*p->last_expected)->next;
  pthread_mutex_unlock (p->lock);
  free (expected);
}

// ---- All together ----------------------------------------------------------

// The meeting that this rank comes to; the lock is held.
static meeting *come (place *p, deed what, unsigned from, size_t size) {
  const uint64_t number = p->met++;
  meeting **at = p->meetings;
  while (*at && (*at)->number != number)
    at = &(*at)->next;
  if (!*at) {
    *at = get (sizeof **at + size * p->base.ranks);
    **at =
        (meeting){.number = number, .what = what, .from = from, .size = size};
  }
  meeting *m = *at;
  if (m->what != what || m->from != from || m->size != size)
    disagree (p, "another rank does something else");
  m->came++;
  pthread_cond_broadcast (p->changed);
  return m;
}

static bool all_came (const place *p, const meeting *m) {
  for (unsigned r = 0; m->came < p->base.ranks && r < p->base.ranks; r++)
    if (p->all[r].ended)
      disagree (p, "another rank has ended");
  return m->came == p->base.ranks;
}

static void go (place *p, meeting *m) {
  meeting **at = p->meetings;
  if (++m->left < p->base.ranks)
    return;
  while (*at != m)
    at = &(*at)->next;
  *at = m->next;
  free (m);
}

static void *count (tl_cluster *base, const uint64_t *sent, uint64_t *due) {
  place *p = (place *)base;
  const size_t size = base->ranks * sizeof *sent;
  doing *d = get (sizeof *d);
  pthread_mutex_lock (p->lock);
  *d = (doing){.what = COUNT, .to = (unsigned char *)due};
  d->meeting = come (p, COUNT, 0, size);
  memcpy (d->meeting->data + base->rank * size, sent, size);
  pthread_mutex_unlock (p->lock);
  return d;
}

// What the others have for this rank.
static bool is_counted (place *p, doing *d) {
  const unsigned ranks = p->base.ranks;
  uint64_t all[ranks][ranks];
  if (!all_came (p, d->meeting))
    return false;
  memcpy (all, d->meeting->data, sizeof all);
  for (unsigned r = 0; r < ranks; r++)
    memcpy (d->to + r * sizeof **all, &all[r][p->base.rank], sizeof **all);
  go (p, d->meeting);
  return true;
}

static bool is_done (tl_cluster *base, void *which, size_t *size) {
  place *p = (place *)base;
  doing *d = which;
  pthread_mutex_lock (p->lock);
  hand_out (p);
  const bool done = d->what == SEND     ? d->sent->taken
                    : d->what == EXPECT ? d->done
                                        : is_counted (p, d);
  pthread_mutex_unlock (p->lock);
  if (!done)
    return false;
  if (size)
    *size = d->size;
  free (d->sent);
  free (d);
  return true;
}

static void meet (place *p, deed what, unsigned from, void *bytes,
                  size_t size) {
  uint64_t *numbers = bytes;
  pthread_mutex_lock (p->lock);
  meeting *m = come (p, what, from, size);
  uint64_t *sum = (uint64_t *)(void *)m->data;
  if (what == TELL && p->base.rank == from)
    memcpy (m->data, bytes, size);
  for (size_t i = 0; what != TELL && i < size / sizeof *sum; i++)
    sum[i] = what == ADD_UP        ? sum[i] + numbers[i]
             : sum[i] < numbers[i] ? numbers[i]
                                   : sum[i];
  while (!all_came (p, m))
    pthread_cond_wait (p->changed, p->lock);
  memcpy (bytes, m->data, size);
  go (p, m);
  pthread_mutex_unlock (p->lock);
}

static void add_up (tl_cluster *base, uint64_t *numbers, size_t many) {
  meet ((place *)base, ADD_UP, 0, numbers, many * sizeof *numbers);
}

static void raise_all (tl_cluster *base, uint64_t *numbers, size_t many) {
  meet ((place *)base, RAISE, 0, numbers, many * sizeof *numbers);
}

static void tell (tl_cluster *base, unsigned from, void *bytes, size_t size) {
  if (size)
    meet ((place *)base, TELL, from, bytes, size);
}

static void abandon (tl_cluster *base, int code, const char *why) {
  (void)base;
  (void)why;
  _exit (code);
}

// ---- Running ---------------------------------------------------------------

typedef struct running {
  place *place;
  void (*rank) (tl_cluster *, void *);
  void *context;
} running;

static void *run (void *one) {
  const running *r = one;
  place *p = r->place;
  r->rank (&p->base, r->context);
  pthread_mutex_lock (p->lock);
  p->ended = true;
  pthread_cond_broadcast (p->changed);
  pthread_mutex_unlock (p->lock);
  return 0;
}

void ranks_here_run (unsigned ranks, void (*rank) (tl_cluster *, void *),
                     void *context) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  meeting *meetings = 0;
  place *all = get (ranks * sizeof *all);
  running *runs = get (ranks * sizeof *runs);
  pthread_t *thread = get (ranks * sizeof *thread);
  for (unsigned r = 0; r < ranks; r++) {
    place *p = all + r;
    *p = (place){.base = {.rank = r,
                          .ranks = ranks,
                          .here = ranks,
                          .send = send_packet,
                          .expect = expect,
                          .count = count,
                          .is_done = is_done,
                          .call_off = call_off,
                          .add_up = add_up,
                          .raise = raise_all,
                          .tell = tell,
                          .abandon = abandon},
                 .all = all,
                 .lock = &lock,
                 .changed = &changed,
                 .meetings = &meetings,
                 .last_came = &p->came,
                 .last_expected = &p->expected};
    runs[r] = (running){p, rank, context};
  }
  for (unsigned r = 0; r < ranks; r++)
    if (pthread_create (thread + r, 0, run, runs + r))
      abort ();
  for (unsigned r = 0; r < ranks; r++)
    pthread_join (thread[r], 0);
  free (thread);
  free (runs);
  free (all);
}
