#include "explore/ahead.h"

#include "base/threads.h"
#include "explore/how.h"

enum {
  FIRST_ROOM = 1024,  // successors of a chunk
  HELPER_ROOM = 1024, // that a thread gathers
  STATE_BYTES = 1024, // of a state and its successors, about
  STATE_FINDS = 4     // new ones, of a state, for which there is to be room
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
  tl_chunk *chunk; // [most]
  size_t chunks;   // in the end those that have states that are done
} round;

typedef enum job { EXPAND, SETTLE, NUMBER } job;

struct tl_ahead {
  tl_search *search;
  tl_ahead_plan plan;
  tl_threads *team;
  unsigned size;
  helper *helper;        // [size]
  tl_joint_share *share; // [size]
  size_t most;           // chunks of a round
  tl_joint joint;        // with a list for each chunk
  uint32_t key_words;    // of what chunks have room for
  uint64_t found;        // new states of the round before
  bool overlaps;         // chunks are told while others are expanded
  round told, now;
  job job;
  size_t given;             // chunks that threads have begun with
  bool telling;             // somebody tells
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
               need = (size_t)4 * TL_AHEAD_CHUNKS * s->how->threads *
                      TL_CHUNK_STATES * STATE_BYTES;
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
  TL_DEL (mem, c->events, c->room);
  TL_DEL (mem, c->numbers, c->room);
  TL_DEL (mem, c->rank, c->room);
  TL_DEL (mem, c->candidate, c->room);
  TL_DEL (mem, c->kind, c->room);
  c->room = c->count = 0;
}

static tl_status enlarge (tl_chunk *c, tl_mem *mem, uint32_t words,
                          size_t need) {
  tl_chunk more = {.room = c->room ? c->room : FIRST_ROOM};
  while (more.room < need)
    more.room *= 2;
  if (!TL_NEW (mem, more.keys, more.room * words) ||
      !TL_NEW (mem, more.events, more.room) ||
      !TL_NEW (mem, more.numbers, more.room) ||
      !TL_NEW (mem, more.rank, more.room) ||
      !TL_NEW (mem, more.candidate, more.room) ||
      !TL_NEW (mem, more.kind, more.room)) {
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
  c->events = more.events;
  c->numbers = more.numbers;
  c->rank = more.rank;
  c->candidate = more.candidate;
  c->kind = more.kind;
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
  if (count) {
    memcpy (c->keys + c->count * w->key_words, w->keys,
            count * w->key_words * sizeof *w->keys);
    memcpy (c->events + c->count, w->events, count * sizeof *w->events);
  }
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
  const tl_store *store = w->search->store;
  h->shows = false;
  store->get (store, c->first + k, w->key);
  tl_worker_load (w);
  c->arcs[k] = w->count;
  tl_status rc = tl_worker_visit (w);
  c->followed[k] = w->count;
  if (!rc)
    rc = tl_worker_fire (w, w->enabled, w->count, &hooks, h);
  c->shows[k] = h->shows;
  c->end[k] = (uint32_t)(c->count + w->gathered);
  return rc;
}

// Those states of a chunk whose successors are there, up to `count`.
static void keep_done (tl_chunk *c, size_t count) {
  while (c->done && c->end[c->done - 1] > count)
    c->done--;
  c->count = c->done ? c->end[c->done - 1] : 0;
}

static void expand_states (helper *h, tl_chunk *c) {
  h->chunk = c;
  h->worker.gathered = 0;
  c->count = c->done = 0;
  while (c->done < c->states && !expand_state (h, c->done))
    c->done++;
  hand_on (h); // where that fails there are fewer
  keep_done (c, c->count);
}

static void expand_chunk (tl_ahead *a, unsigned who, uint32_t number) {
  helper *h = a->helper + who;
  tl_chunk *c = a->now.chunk + number;
  tl_joint_list *list = a->joint.list + number;
  expand_states (h, c);
  *list = (tl_joint_list){.count = c->count,
                          .keys = c->keys,
                          .kind = c->kind,
                          .number = c->numbers,
                          .rank = c->rank,
                          .candidate = c->candidate};
  tl_joint_look (&a->joint, number, a->share + who);
  keep_done (c, list->looked);
  list->count = c->count;
  h->expanded += c->done;
}

// ---- A round ---------------------------------------------------------------

static tl_visit_verdict tell_round (tl_ahead *a, round *r) {
  tl_visit_verdict verdict = TL_VISIT_CONTINUE;
  for (size_t i = 0; verdict == TL_VISIT_CONTINUE && i < r->chunks; i++)
    verdict = a->plan.tell (a->plan.order, r->chunk + i);
  return verdict;
}

static void work (void *context, unsigned who) {
  tl_ahead *a = context;
  if (a->job == EXPAND &&
      !__atomic_exchange_n (&a->telling, true, __ATOMIC_RELAXED)) {
    tl_joint_prepare (&a->joint, 2 * a->found);
    a->verdict = tell_round (a, &a->told);
  }
  for (size_t i; (i = __atomic_fetch_add (&a->given, 1, __ATOMIC_RELAXED)) <
                 a->now.chunks;)
    if (a->job == EXPAND)
      expand_chunk (a, who, (uint32_t)i);
    else if (a->job == SETTLE)
      tl_joint_settle (&a->joint, (uint32_t)i);
    else
      tl_joint_number (&a->joint, (uint32_t)i);
}

static void run (tl_ahead *a, job what) {
  a->job = what;
  a->given = 0;
  a->telling = false;
  tl_threads_run (a->team, work, a);
}

// Lays out the states that are next.
static uint64_t fill (tl_ahead *a, uint64_t next, uint64_t end) {
  round *r = &a->now;
  const uint64_t most = a->most * TL_CHUNK_STATES,
                 states = end - next < most ? end - next : most;
  r->chunks = 0;
  for (uint64_t at = 0; at < states; at += TL_CHUNK_STATES) {
    tl_chunk *c = r->chunk + r->chunks++;
    const uint64_t rest = states - at;
    c->first = next + at;
    c->states = rest < TL_CHUNK_STATES ? (uint32_t)rest : TL_CHUNK_STATES;
    c->done = 0;
  }
  return states;
}

// Nothing from this chunk on is put.
static void cut_from (tl_ahead *a, size_t chunk) {
  for (size_t i = chunk; i < a->now.chunks; i++) {
    a->now.chunk[i].done = 0;
    a->joint.list[i].count = 0;
  }
}

// The first chunk that was not done wholly, and what is behind it, which is
// not put.
static size_t find_cut (tl_ahead *a) {
  const round *r = &a->now;
  size_t cut = 0;
  while (cut < r->chunks && r->chunk[cut].done == r->chunk[cut].states)
    cut++;
  if (cut < r->chunks)
    cut_from (a, cut + 1);
  return cut;
}

// The new ones of each list come behind those of the lists before it.
static uint64_t add_up (tl_ahead *a) {
  const uint64_t before = a->search->store->count;
  uint64_t found = 0;
  for (size_t i = 0; i < a->now.chunks; i++) {
    tl_joint_list *list = a->joint.list + i;
    list->first = before + found;
    found += list->found;
  }
  return found;
}

// Puts the successors that were looked for.  Where there is no memory, none.
static void put_round (tl_ahead *a, bool none) {
  round *r = &a->now;
  size_t cut = none ? 0 : find_cut (a);
  run (a, SETTLE);
  uint64_t found = none ? 0 : add_up (a);
  if (none || tl_joint_room (&a->joint, found)) {
    cut_from (a, cut = 0);
    found = 0;
  }
  run (a, NUMBER);
  for (size_t i = cut; i < r->chunks; i++)
    tl_joint_drop (&a->joint, (uint32_t)i);
  tl_joint_end (&a->joint, found, a->share, a->size);
  a->found = found;
  if (cut < r->chunks)
    r->chunks = cut + (r->chunk[cut].done > 0);
}

// Takes what is done; the next state is the first that is not.
static tl_status take_round (tl_ahead *a, uint64_t *next) {
  tl_search *s = a->search;
  tl_status rc = TL_OK;
  for (tl_chunk *c = a->now.chunk; !rc && c < a->now.chunk + a->now.chunks;
       c++) {
    *next += c->done;
    rc = a->plan.take (a->plan.order, c);
    if (!rc && !a->overlaps)
      rc = tl_search_heed (s, a->plan.tell (a->plan.order, c));
  }
  return rc ? rc : tl_search_poll (s);
}

// What was taken is told with the next round.
static void turn (tl_ahead *a) {
  const round gone = a->told;
  a->told = a->now;
  a->now = gone;
  if (!a->overlaps)
    a->told.chunks = 0;
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

static void forget_successors (tl_ahead *a, round *r) {
  for (size_t i = 0; r->chunk && i < a->most; i++)
    close_successors (r->chunk + i, &a->search->engine, a->key_words);
}

// Fields may have become wider since.
static tl_status open_workers (tl_ahead *a) {
  tl_search *s = a->search;
  tl_status rc = TL_OK;
  if (a->key_words != s->code.key_words) {
    forget_successors (a, &a->told);
    forget_successors (a, &a->now);
    a->key_words = s->code.key_words;
  }
  a->joint.store = s->store;
  a->joint.team = a->team;
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

static void close_round (tl_ahead *a, round *r) {
  forget_successors (a, r);
  TL_DEL (&a->search->engine, r->chunk, a->most);
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
  return TL_NEW (&s->engine, a->share, size) ? TL_OK : TL_E_NOMEM;
}

tl_status tl_ahead_open (tl_ahead **out, tl_search *s,
                         const tl_ahead_plan *plan) {
  tl_ahead *a;
  *out = 0;
  if (!has_memory (s) || !TL_NEW (&s->engine, a, 1))
    return TL_E_NOMEM;
  const size_t most = (size_t)TL_AHEAD_CHUNKS * s->how->threads;
  a->search = s;
  a->plan = *plan;
  a->key_words = s->code.key_words;
  a->most = most < TL_JOINT_LISTS ? most : TL_JOINT_LISTS;
  a->overlaps = !s->visitor->visit;
  share_accounts (s, true);
  tl_status rc = TL_NEW (&s->engine, a->told.chunk, a->most) &&
                         TL_NEW (&s->engine, a->now.chunk, a->most) &&
                         TL_NEW (&s->engine, a->joint.list, a->most)
                     ? open_helpers (a)
                     : TL_E_NOMEM;
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
  TL_DEL (mem, a->share, a->size);
  TL_DEL (mem, a->joint.list, a->most);
  close_round (a, &a->told);
  close_round (a, &a->now);
  TL_DEL (mem, a, 1);
}

// ---- Running ---------------------------------------------------------------

// Is there something else to be done for the visitor?
static tl_status give_turn (tl_search *s) {
  const tl_visitor *v = s->visitor;
  return v && v->is_due && v->is_due (v->context, s)
             ? tl_search_heed (s, v->turn (v->context, s))
             : TL_OK;
}

// Goes one round further; `*whole` if all of it was done.
static tl_status run_round (tl_ahead *a, uint64_t *next, uint64_t end,
                            bool *whole) {
  tl_status rc = give_turn (a->search);
  if (rc)
    return rc;
  const uint64_t states = fill (a, *next, end), from = *next;
  if (tl_joint_begin (&a->joint, STATE_FINDS * states))
    return TL_E_ARG;
  tl_joint_room (&a->joint, 2 * a->found); // where there is any already
  memset (a->share, 0, a->size * sizeof *a->share);
  run (a, EXPAND);
  a->told.chunks = 0;
  rc = tl_search_heed (a->search, a->verdict);
  put_round (a, rc != TL_OK);
  if (!rc)
    rc = take_round (a, next);
  turn (a);
  *whole = *next - from == states;
  return rc;
}

tl_status tl_ahead_run (tl_ahead *a, uint64_t *next, uint64_t end) {
  tl_search *s = a->search;
  tl_status rc = tl_joint_suits (s->store) ? open_workers (a) : TL_E_ARG;
  for (bool whole = true; !rc && whole && !are_few (s, end - *next);)
    rc = run_round (a, next, end, &whole);
  if (!rc || rc == TL_E_ARG) {
    const tl_status told = tl_search_heed (s, tell_round (a, &a->told));
    rc = told ? told : rc;
  }
  a->told.chunks = 0;
  close_workers (a);
  return rc;
}
