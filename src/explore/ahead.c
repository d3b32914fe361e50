#include "explore/ahead.h"

#include "base/threads.h"
#include "explore/how.h"

enum {
  FIRST_ROOM = 1024,  // successors of a chunk
  HELPER_ROOM = 1024, // that a thread gathers
  STATE_BYTES = 1024  // of a state and its successors, about
};

// A thread and what is its own.
typedef struct helper {
  tl_ahead *ahead;
  tl_worker worker;
  tl_chunk *chunk; // that it expands
  uint64_t *room;  // of the visitor
  bool shows;      // the visitor wants to see the state
  uint64_t expanded;
} helper;

typedef struct round {
  uint64_t *keys;  // of the states
  tl_chunk *chunk; // [TL_AHEAD_CHUNKS]
  size_t count;    // states
  size_t chunks;
  bool expanded;
  size_t at; // chunks before this one were taken
} round;

typedef enum job { EXPAND, LOOK, SIFT, TAKE } job;

struct tl_ahead {
  tl_search *search;
  tl_ahead_plan plan;
  tl_threads *team;
  unsigned size;
  helper *helper;     // [size]
  uint32_t key_words; // of the records
  bool overlaps;      // chunks are taken while others are expanded and told
  round told, now, next;
  job job;
  size_t given;             // chunks, or tasks, that threads have begun with
  bool telling;             // somebody tells
  tl_status rc;             // of those that were taken
  tl_visit_verdict verdict; // of who was told
};

// ---- Who may ---------------------------------------------------------------

const char *tl_ahead_refusal (const tl_search *s) {
  const tl_visitor *v = s->visitor;
  return !tl_net_has_arcs (s->net)    ? "a net that is not unfolded has one"
         : v && v->visit && !v->skips ? "who looks at the states has one"
         : s->for_property            ? "stubborn sets for a property have one"
         : s->result->unbounded.transition ? "an unbounded net has one"
         : s->capacities.count             ? "capacities are watched by one"
                                           : 0;
}

static bool has_memory (const tl_search *s) {
  const size_t limit = s->root->limit, used = tl_mem_used (s->root),
               need =
                   (size_t)8 * TL_AHEAD_CHUNKS * TL_CHUNK_STATES * STATE_BYTES;
  return !limit || (limit > used && limit - used > need);
}

// So few states are not worth it.
static bool are_few (const tl_search *s, uint64_t states) {
  const uint64_t from = s->options->parallel_from;
  return states < (from && from < TL_AHEAD_NARROW ? from : TL_AHEAD_NARROW);
}

bool tl_ahead_pays (const tl_search *s, uint64_t left) {
  return s->how->threads > 1 && !s->one_thread && !are_few (s, left) &&
         tl_search_seen (s) >= s->parallel_from && !tl_ahead_refusal (s);
}

// ---- A chunk ---------------------------------------------------------------

static void close_successors (tl_chunk *c, tl_mem *mem, uint32_t words) {
  TL_DEL (mem, c->keys, c->room * words);
  TL_DEL (mem, c->parts, c->room * words);
  TL_DEL (mem, c->events, c->room);
  TL_DEL (mem, c->seen, c->room);
  TL_DEL (mem, c->place, c->room);
  TL_DEL (mem, c->isnew, c->room);
  TL_DEL (mem, c->fresh, c->room);
  TL_DEL (mem, c->numbers, c->room);
  c->room = c->count = 0;
}

static tl_status enlarge (tl_chunk *c, tl_mem *mem, uint32_t words,
                          size_t need) {
  tl_chunk more = {.room = c->room ? c->room : FIRST_ROOM};
  while (more.room < need)
    more.room *= 2;
  if (!TL_NEW (mem, more.keys, more.room * words) ||
      !TL_NEW (mem, more.parts, more.room * words) ||
      !TL_NEW (mem, more.events, more.room) ||
      !TL_NEW (mem, more.seen, more.room) ||
      !TL_NEW (mem, more.place, more.room) ||
      !TL_NEW (mem, more.isnew, more.room) ||
      !TL_NEW (mem, more.fresh, more.room) ||
      !TL_NEW (mem, more.numbers, more.room)) {
    close_successors (&more, mem, words);
    return TL_E_NOMEM;
  }
  const size_t count = c->count;
  if (count) {
    memcpy (more.keys, c->keys, count * words * sizeof *c->keys);
    memcpy (more.events, c->events, count * sizeof *c->events);
  }
  close_successors (c, mem, words);
  c->keys = more.keys;
  c->parts = more.parts;
  c->events = more.events;
  c->seen = more.seen;
  c->place = more.place;
  c->isnew = more.isnew;
  c->fresh = more.fresh;
  c->numbers = more.numbers;
  c->room = more.room;
  c->count = count;
  return TL_OK;
}

// What the worker has gathered goes to the chunk.
static tl_status hand_on (void *context) {
  helper *h = context;
  tl_worker *w = &h->worker;
  tl_chunk *c = h->chunk;
  const size_t count = w->gathered, need = c->count + count;
  w->gathered = 0;
  if (need > c->room && enlarge (c, w->plan.mem, w->key_words, need))
    return TL_E_NOMEM;
  memcpy (c->keys + c->count * w->key_words, w->keys,
          count * w->key_words * sizeof *w->keys);
  memcpy (c->events + c->count, w->events, count * sizeof *w->events);
  c->count = need;
  return TL_OK;
}

// What does not fit is for one thread.
static tl_status leave_it (void *context, uint32_t event) {
  (void)context, (void)event;
  return TL_E_LIMIT;
}

static const tl_worker_hooks hooks = {.put = hand_on, .widen = leave_it};

static tl_status show (void *context, const tl_visit *visit) {
  helper *h = context;
  const tl_visitor *v = visit->search->visitor;
  h->shows = !v->skips (v->context, visit, h->room);
  return TL_OK;
}

static tl_status expand_state (helper *h, uint32_t k) {
  tl_chunk *c = h->chunk;
  tl_worker *w = &h->worker;
  h->shows = false;
  w->gathered = 0;
  tl_copy_words (w->key, c->key + k * w->key_words, w->key_words);
  tl_worker_load (w);
  c->arcs[k] = w->count;
  tl_status rc = tl_worker_visit (w);
  c->followed[k] = w->count;
  if (!rc)
    rc = tl_worker_fire (w, w->enabled, w->count, &hooks, h);
  if (!rc)
    rc = hand_on (h);
  c->shows[k] = h->shows;
  c->end[k] = (uint32_t)c->count;
  return rc;
}

static void expand_chunk (helper *h, tl_chunk *c) {
  const tl_worker *w = &h->worker;
  h->chunk = c;
  c->count = c->missing = c->done = 0;
  memset (c->bound, 0, (h->ahead->plan.tasks + 1) * sizeof *c->bound);
  if (!c->room && enlarge (c, w->plan.mem, w->key_words, FIRST_ROOM))
    return;
  while (c->done < c->states && !expand_state (h, c->done))
    c->done++;
  h->expanded += c->done;
  // Of the next one there is nothing.
  c->count = c->done ? c->end[c->done - 1] : 0;
}

// ---- A round ---------------------------------------------------------------

static void expand_all (tl_ahead *a, unsigned who) {
  for (size_t i; (i = __atomic_fetch_add (&a->given, 1, __ATOMIC_RELAXED)) <
                 a->next.chunks;)
    expand_chunk (a->helper + who, a->next.chunk + i);
}

static void look_all (tl_ahead *a) {
  for (size_t i; (i = __atomic_fetch_add (&a->given, 1, __ATOMIC_RELAXED)) <
                 a->now.chunks;)
    a->plan.look (a->plan.order, a->now.chunk + i);
}

static void sift_all (tl_ahead *a, unsigned who) {
  for (size_t i; (i = __atomic_fetch_add (&a->given, 1, __ATOMIC_RELAXED)) <
                 a->plan.tasks;)
    a->plan.sift (a->plan.order, a->now.chunk, a->now.chunks, (uint32_t)i, who);
}

static tl_status take (tl_ahead *a, tl_chunk *c) {
  if (c->taken >= c->done)
    return TL_OK;
  c->taken = c->done;
  return a->plan.take (a->plan.order, c);
}

static tl_visit_verdict tell_chunk (tl_ahead *a, tl_chunk *c) {
  if (c->told)
    return TL_VISIT_CONTINUE;
  c->told = true;
  return a->plan.tell (a->plan.order, c);
}

static tl_visit_verdict tell_round (tl_ahead *a, round *r) {
  tl_visit_verdict verdict = TL_VISIT_CONTINUE;
  for (size_t i = 0; verdict == TL_VISIT_CONTINUE && i < r->chunks; i++)
    verdict = tell_chunk (a, r->chunk + i);
  return verdict;
}

static tl_status take_and_tell (tl_ahead *a, tl_chunk *c) {
  const tl_status rc = take (a, c);
  return rc ? rc : tl_search_heed (a->search, tell_chunk (a, c));
}

// Takes all, until one is to be expanded alone.
static tl_status take_all (tl_ahead *a) {
  round *r = &a->now;
  tl_status rc = TL_OK;
  for (; !rc && r->at < r->chunks; r->at++) {
    const tl_chunk *c = r->chunk + r->at;
    rc = a->overlaps ? take (a, r->chunk + r->at)
                     : take_and_tell (a, r->chunk + r->at);
    if (rc || c->taken < c->states)
      break;
  }
  return rc;
}

// Takes what is left, and expands alone what was not.
static tl_status finish_all (tl_ahead *a) {
  tl_status rc = TL_OK;
  for (tl_chunk *c = a->now.chunk; !rc && c < a->now.chunk + a->now.chunks;
       c++) {
    rc = take_and_tell (a, c);
    while (!rc && c->taken < c->states) {
      const size_t k = c->taken++;
      rc = a->plan.alone (a->plan.order, c->key + k * a->key_words);
    }
  }
  return rc;
}

// Takes states that are next, as many as there are.
static tl_status fill (tl_ahead *a) {
  const tl_ahead_plan *plan = &a->plan;
  const uint32_t words = a->key_words;
  const uint64_t left = plan->left (plan->order);
  round *r = &a->next;
  const size_t most = TL_AHEAD_CHUNKS * TL_CHUNK_STATES,
               want = left < most ? (size_t)left : most;
  *r = (round){.keys = r->keys, .chunk = r->chunk};
  if (are_few (a->search, left))
    return TL_OK;
  tl_status rc = TL_OK;
  while (!rc && r->count < want) {
    rc = plan->next (plan->order, r->keys + r->count * words);
    r->count += !rc;
  }
  if (rc == TL_E_ARG)
    rc = TL_OK;
  r->chunks = (r->count + TL_CHUNK_STATES - 1) / TL_CHUNK_STATES;
  for (size_t i = 0; i < r->chunks; i++) {
    tl_chunk *c = r->chunk + i;
    const size_t first = i * TL_CHUNK_STATES, rest = r->count - first;
    c->key = r->keys + first * words;
    c->states = rest < TL_CHUNK_STATES ? (uint32_t)rest : TL_CHUNK_STATES;
    c->done = c->taken = 0;
    c->told = false;
  }
  return rc;
}

static void work (void *context, unsigned who) {
  tl_ahead *a = context;
  if (a->job == LOOK && !who)
    a->rc = fill (a);
  if (a->job == LOOK)
    look_all (a);
  else if (a->job == SIFT)
    sift_all (a, who);
  else if (a->job == TAKE && !who)
    a->rc = take_all (a);
  else if (a->job == TAKE && a->overlaps &&
           !__atomic_exchange_n (&a->telling, true, __ATOMIC_RELAXED))
    a->verdict = tell_round (a, &a->told);
  if (a->job == EXPAND || (a->job == TAKE && a->overlaps))
    expand_all (a, who);
}

static void run (tl_ahead *a, job what) {
  a->job = what;
  a->given = 0;
  a->telling = false;
  tl_threads_run (a->team, work, a);
}

static void turn (tl_ahead *a) {
  const round gone = a->told;
  a->told = a->now;
  a->now = a->next;
  a->next = gone;
}

// ---- Threads ---------------------------------------------------------------

static size_t room_words (const tl_search *s) {
  return s->visitor ? s->visitor->skips_room : 0;
}

// What it has counted is counted by who takes the states.
static void close_workers (tl_ahead *a) {
  for (unsigned i = 0; i < a->size; i++) {
    tl_worker *w = &a->helper[i].worker;
    if (w->census.net)
      tl_census_forget (&w->census);
    tl_worker_close (w);
  }
}

static tl_status open_workers (tl_ahead *a) {
  tl_search *s = a->search;
  tl_status rc = TL_OK;
  for (unsigned i = 0; !rc && i < a->size; i++)
    rc = tl_worker_open (&a->helper[i].worker, s,
                         &(tl_worker_plan){.mem = &s->engine,
                                           .room = HELPER_ROOM,
                                           .visits = true,
                                           .apart = true,
                                           .show = show,
                                           .order = a->helper + i,
                                           .lists = true,
                                           .events = true});
  return rc;
}

static size_t round_words (uint32_t key_words) {
  return (size_t)TL_AHEAD_CHUNKS * TL_CHUNK_STATES * key_words;
}

static tl_status open_bounds (tl_ahead *a, round *r) {
  for (size_t i = 0; i < TL_AHEAD_CHUNKS; i++)
    if (!TL_NEW (&a->search->engine, r->chunk[i].bound, a->plan.tasks + 1))
      return TL_E_NOMEM;
  return TL_OK;
}

static tl_status open_round (tl_ahead *a, round *r) {
  tl_mem *mem = &a->search->engine;
  return TL_NEW (mem, r->keys, round_words (a->key_words)) &&
                 TL_NEW (mem, r->chunk, TL_AHEAD_CHUNKS)
             ? open_bounds (a, r)
             : TL_E_NOMEM;
}

static void forget_successors (tl_ahead *a, round *r) {
  for (size_t i = 0; r->chunk && i < TL_AHEAD_CHUNKS; i++) {
    close_successors (r->chunk + i, &a->search->engine, a->key_words);
    r->chunk[i].done = 0;
  }
}

static void close_round (tl_ahead *a, round *r) {
  tl_mem *mem = &a->search->engine;
  forget_successors (a, r);
  for (size_t i = 0; r->chunk && i < TL_AHEAD_CHUNKS; i++)
    TL_DEL (mem, r->chunk[i].bound, a->plan.tasks + 1);
  TL_DEL (mem, r->keys, round_words (a->key_words));
  TL_DEL (mem, r->chunk, TL_AHEAD_CHUNKS);
}

// Buffers, and what is put.
static void share_accounts (tl_search *s, bool shared) {
  tl_mem_share (&s->engine, shared);
  tl_mem_share (&s->states, shared);
}

static tl_status open_helpers (tl_ahead *a) {
  tl_search *s = a->search;
  tl_status rc = tl_threads_open (&a->team, &s->engine, s->how->threads);
  if (rc)
    return rc;
  const unsigned size = tl_threads_size (a->team);
  if (size < 2 || !TL_NEW (&s->engine, a->helper, size))
    return TL_E_NOMEM;
  a->size = size;
  for (unsigned i = 0; i < size; i++) {
    a->helper[i].ahead = a;
    if (!TL_NEW (&s->engine, a->helper[i].room, room_words (s)))
      return TL_E_NOMEM;
  }
  return TL_OK;
}

tl_status tl_ahead_open (tl_ahead **out, tl_search *s,
                         const tl_ahead_plan *plan) {
  tl_ahead *a;
  *out = 0;
  if (!has_memory (s) || !TL_NEW (&s->engine, a, 1))
    return TL_E_NOMEM;
  a->search = s;
  a->plan = *plan;
  a->key_words = s->code.key_words;
  a->overlaps = !s->visitor || !s->visitor->visit;
  share_accounts (s, true);
  tl_status rc = open_round (a, &a->told);
  if (!rc)
    rc = open_round (a, &a->now);
  if (!rc)
    rc = open_round (a, &a->next);
  if (!rc)
    rc = open_helpers (a);
  if (rc) {
    tl_ahead_close (a);
    return TL_E_NOMEM;
  }
  *out = a;
  return TL_OK;
}

// How even the work was, see explore/parallel.c.
static void tell (const tl_ahead *a) {
  tl_exploration *r = a->search->result;
  uint64_t sum = 0, most = 0;
  for (unsigned i = 0; i < a->size; i++) {
    const uint64_t expanded = a->helper[i].expanded;
    sum += expanded;
    most = expanded > most ? expanded : most;
  }
  if (!most)
    return;
  r->threads = a->size;
  r->balance = (double)sum / (double)most / a->size;
}

void tl_ahead_close (tl_ahead *a) {
  if (!a)
    return;
  tl_search *s = a->search;
  tl_mem *mem = &s->engine;
  tell (a);
  tl_threads_close (a->team);
  share_accounts (s, false);
  for (unsigned i = 0; i < a->size; i++)
    TL_DEL (mem, a->helper[i].room, room_words (s));
  TL_DEL (mem, a->helper, a->size);
  close_round (a, &a->told);
  close_round (a, &a->now);
  close_round (a, &a->next);
  TL_DEL (mem, a, 1);
}

unsigned tl_ahead_threads (const tl_ahead *a) {
  return a->size;
}

// ---- Running ---------------------------------------------------------------

// What is left of a round gets other keys.
static void move_round (tl_ahead *a, round *r, const tl_widening *how,
                        uint64_t *keys) {
  const uint32_t words = a->search->code.key_words;
  for (size_t i = 0; i < r->count; i++)
    tl_widening_key (how, r->keys + i * a->key_words, keys + i * words);
  forget_successors (a, r);
  for (size_t i = 0; i < r->chunks; i++)
    r->chunk[i].key = keys + i * TL_CHUNK_STATES * words;
  TL_DEL (&a->search->engine, r->keys, round_words (a->key_words));
  r->keys = keys;
  r->expanded = false;
}

tl_status tl_ahead_move (tl_ahead *a, const tl_widening *how) {
  tl_mem *mem = &a->search->engine;
  const uint32_t words = a->search->code.key_words;
  const size_t room = round_words (words);
  uint64_t *told, *now = 0, *next = 0;
  if (!TL_NEW (mem, told, room) || !TL_NEW (mem, now, room) ||
      !TL_NEW (mem, next, room)) {
    TL_DEL (mem, told, room);
    TL_DEL (mem, now, room);
    return TL_E_NOMEM;
  }
  move_round (a, &a->told, how, told);
  move_round (a, &a->now, how, now);
  move_round (a, &a->next, how, next);
  a->key_words = words;
  return TL_OK;
}

// One thread goes on with the round at hand, and fields may get wider: then
// what was expanded is void.
static tl_status go_alone (tl_ahead *a) {
  close_workers (a);
  const tl_status rc = finish_all (a);
  return rc ? rc : open_workers (a);
}

// Is there something else to be done for the visitor?
static tl_status give_turn (tl_search *s) {
  const tl_visitor *v = s->visitor;
  return v && v->is_due && v->is_due (v->context, s)
             ? tl_search_heed (s, v->turn (v->context, s))
             : TL_OK;
}

static tl_status run_round (tl_ahead *a) {
  if (!a->next.expanded)
    run (a, EXPAND);
  turn (a);
  run (a, LOOK);
  if (a->rc || (a->rc = give_turn (a->search)))
    return a->rc;
  run (a, SIFT);
  if (a->overlaps)
    run (a, TAKE);
  else
    a->rc = take_all (a);
  a->next.expanded = a->overlaps;
  if (!a->rc)
    a->rc = tl_search_heed (a->search, a->verdict);
  return !a->rc && a->now.at < a->now.chunks ? go_alone (a) : a->rc;
}

tl_status tl_ahead_run (tl_ahead *a) {
  tl_status rc = open_workers (a);
  if (!rc)
    rc = fill (a);
  while (!rc && a->next.count)
    rc = run_round (a);
  if (!rc)
    rc = tl_search_heed (a->search, tell_round (a, &a->now));
  close_workers (a);
  return rc;
}
